"""The budget of a fetch: one deadline, one cap on bytes, one way to end it."""

import threading

import pytest

import safefetch_cli.net.budget
from safefetch_cli.errors import ProcessingLimit, Timeout
from safefetch_cli.models import Limits
from safefetch_cli.net.budget import ABORT_CHECK_SECONDS, Budget
from safefetch_cli.net.fetch import new_budget


def test_what_is_left_only_gets_less() -> None:
    budget = Budget(60, 0)
    first, second = budget.remaining(), budget.remaining()
    assert 0 < second <= first <= 60
    assert budget.left <= second


@pytest.mark.parametrize("seconds", [0, -1])
def test_past_the_deadline_there_is_a_timeout_that_names_it(seconds: float) -> None:
    budget = Budget(seconds, 1000)
    assert budget.left <= 0
    for ask in (budget.remaining, budget.pause, lambda: budget.pause(0)):
        with pytest.raises(Timeout, match=f"within {seconds} seconds"):
            ask()


def test_a_wait_is_short_enough_to_notice_an_abort() -> None:
    budget = Budget(60, 0)
    assert budget.pause() == ABORT_CHECK_SECONDS
    assert budget.pause(10) == ABORT_CHECK_SECONDS
    assert budget.pause(0.01) == 0.01
    assert budget.pause(-5) == 0
    assert Budget(ABORT_CHECK_SECONDS / 2, 0).pause() < ABORT_CHECK_SECONDS


def test_bytes_are_counted_up_to_the_cap_and_not_beyond() -> None:
    budget = Budget(60, 10)
    budget.charge(4)
    budget.charge(0)
    budget.charge(6)
    with pytest.raises(ProcessingLimit, match="10 bytes"):
        budget.charge(1)


def test_an_abort_from_another_thread_ends_the_next_wait() -> None:
    budget = Budget(60, 0)
    thread = threading.Thread(target=budget.abort)
    thread.start()
    thread.join()
    for ask in (budget.remaining, budget.pause):
        with pytest.raises(Timeout, match="cancelled"):
            ask()


def test_an_abort_interrupts_the_present_wait() -> None:
    budget, calls = Budget(60, 0), []
    budget.interrupt_with(lambda: calls.append("first"))
    budget.interrupt_with(lambda: calls.append("second"))
    assert calls == []
    budget.abort()
    assert calls == ["second"]


def test_what_comes_after_an_abort_is_interrupted_at_once() -> None:
    budget, calls = Budget(60, 0), []
    budget.abort()
    budget.interrupt_with(lambda: calls.append("late"))
    budget.interrupt_with(None)
    assert calls == ["late"]


def test_an_abort_without_a_wait_is_no_fault() -> None:
    budget = Budget(60, 0)
    budget.interrupt_with(lambda: None)
    budget.interrupt_with(None)
    budget.abort()
    budget.abort()


def test_a_fetch_may_take_twice_its_bytes_and_a_margin_on_the_wire() -> None:
    budget = new_budget(Limits(seconds=5, max_bytes=1000, max_redirects=0))
    budget.charge(2000 + 1024 * 1024)
    with pytest.raises(ProcessingLimit):
        budget.charge(1)
    assert 0 < budget.left <= 5


class StoppedTime:
    """Time that passes only where somebody sleeps."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.slept: list[float] = []

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


@pytest.fixture
def stopped(monkeypatch: pytest.MonkeyPatch) -> StoppedTime:
    stopped = StoppedTime()
    monkeypatch.setattr(safefetch_cli.net.budget, "time", stopped)
    return stopped


@pytest.mark.parametrize(("patient", "left"), [(False, -90), (True, 10)])
def test_in_a_queue_the_time_of_a_patient_one_stands_still(
    stopped: StoppedTime, patient: bool, left: float
) -> None:
    budget = Budget(10, 0, patient=patient)
    with budget.queued():
        stopped.now += 100
        assert budget.left == left
    assert budget.left == left
    stopped.now += 4
    assert budget.left == left - 4


def test_a_patient_wait_is_ended_all_the_same(stopped: StoppedTime) -> None:
    budget = Budget(10, 0, patient=True)
    budget.abort()
    with budget.queued(), pytest.raises(Timeout, match="cancelled"):
        budget.pause()


def test_a_sleep_is_as_long_as_it_was_to_be(stopped: StoppedTime) -> None:
    budget = Budget(10, 0)
    budget.sleep(0.12)
    assert stopped.slept == pytest.approx([0.05, 0.05, 0.02])
    budget.sleep(0)
    assert budget.left == pytest.approx(9.88)


def test_a_sleep_ends_with_the_time_or_the_operation(stopped: StoppedTime) -> None:
    with pytest.raises(Timeout, match="within 1 seconds"):
        Budget(1, 0).sleep(5)
    budget = Budget(10, 0)
    budget.abort()
    with pytest.raises(Timeout, match="cancelled"):
        budget.sleep(5)


def test_another_try_may_bring_all_bytes_again() -> None:
    budget = Budget(60, 10)
    budget.allow_more(5)
    budget.charge(15)
    budget.renew_bytes()
    budget.charge(15)
    with pytest.raises(ProcessingLimit):
        budget.charge(1)
