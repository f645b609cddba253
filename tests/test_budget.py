"""The budget of a fetch: one deadline, one cap on bytes, one way to end it."""

import threading

import pytest

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
