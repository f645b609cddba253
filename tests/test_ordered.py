"""Many things at once: in order, few held, ended together."""

import _thread
import inspect
import threading
from collections.abc import Iterator
from contextlib import closing

import pytest

from safefetch_cli.ordered import WINDOW_PER_JOB, in_order
from safefetch_cli.watch import Watch

HANG_SECONDS = 30


class Flag:
    """Ends with the watch, or when it is raised."""

    def __init__(self) -> None:
        self.raised = threading.Event()
        self.is_aborted = False

    def abort(self) -> None:
        self.is_aborted = True
        self.raised.set()


def test_results_come_in_the_order_of_the_items_whatever_ends_first() -> None:
    second_is_done = threading.Event()

    def work(item: int, _: Watch) -> int:
        if item == 0:
            assert second_is_done.wait(HANG_SECONDS)
        if item == 1:
            second_is_done.set()
        return item * 10

    assert list(in_order(range(50), work, 4)) == [item * 10 for item in range(50)]


@pytest.mark.parametrize("jobs", [1, 3, 64])
def test_no_items_give_no_results(jobs: int) -> None:
    assert list(in_order((), lambda item, _: item, jobs)) == []


def test_so_many_work_at_once_and_no_more() -> None:
    together = threading.Barrier(3, timeout=HANG_SECONDS)
    running, most = [0], [0]
    counting = threading.Lock()

    def work(item: int, _: Watch) -> int:
        with counting:
            running[0] += 1
            most[0] = max(most[0], running[0])
        together.wait()
        with counting:
            running[0] -= 1
        return item

    assert list(in_order(range(30), work, 3)) == list(range(30))
    assert most == [3]


def test_ten_thousand_items_are_never_all_held() -> None:
    taken, given, most = [0], [0], [0]

    def items() -> Iterator[int]:
        for item in range(10_000):
            taken[0] += 1
            most[0] = max(most[0], taken[0] - given[0])
            yield item

    for place, result in enumerate(in_order(items(), lambda item, _: item, 4)):
        assert result == place
        given[0] += 1
    assert given == [10_000]
    # One was given out and is not yet counted, one is being taken.
    assert most[0] <= 4 * WINDOW_PER_JOB + 2


def test_items_are_taken_when_there_is_room_for_them() -> None:
    taken: list[int] = []

    def items() -> Iterator[int]:
        for item in range(1000):
            taken.append(item)
            yield item

    with closing(in_order(items(), lambda item, _: item, 2)) as results:
        assert next(results) == 0
    assert len(taken) <= 2 * WINDOW_PER_JOB + 2


def test_a_result_does_not_wait_for_the_next_item() -> None:
    more = threading.Event()

    def items() -> Iterator[str]:
        yield "first"
        assert more.wait(HANG_SECONDS)
        yield "second"

    results = in_order(items(), lambda item, _: item, 2)
    assert next(results) == "first"
    more.set()
    assert list(results) == ["second"]


def test_what_the_work_raises_is_raised_in_its_turn() -> None:
    def work(item: int, _: Watch) -> int:
        if item == 2:
            raise ValueError("two")
        return item

    results = in_order(range(5), work, 4)
    assert [next(results), next(results)] == [0, 1]
    with pytest.raises(ValueError, match="two"):
        next(results)


def test_what_the_items_raise_is_raised_after_all_results() -> None:
    def items() -> Iterator[int]:
        yield from range(3)
        raise OSError("no more")

    results = in_order(items(), lambda item, _: item, 2)
    assert [next(results) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(OSError, match="no more"):
        next(results)


def test_closing_cancels_what_is_being_worked_on() -> None:
    flags = [Flag() for _ in range(3)]
    started = threading.Barrier(3, timeout=HANG_SECONDS)

    def work(item: int, watch: Watch) -> int:
        if item == 0:
            return item
        watch.follow(flags[item])
        started.wait()
        assert flags[item].raised.wait(HANG_SECONDS)
        return item

    results = in_order(range(3), work, 2)
    assert next(results) == 0
    started.wait()
    results.close()
    assert [flag.is_aborted for flag in flags] == [False, True, True]


def test_what_is_finished_is_given_out_after_ctrl_c() -> None:
    flags = [Flag() for _ in range(5)]
    first_is_given = threading.Event()

    def work(item: int, watch: Watch) -> int:
        if item in (0, 2, 3):
            return item
        watch.follow(flags[item])
        if item == 4:  # the one thread that is free has finished those before
            assert first_is_given.wait(HANG_SECONDS)
            while inspect.getgeneratorstate(results) != inspect.GEN_RUNNING:
                pass
            _thread.interrupt_main()
        assert flags[item].raised.wait(HANG_SECONDS)
        return item

    results = in_order(range(5), work, 2)
    given = [next(results)]

    def take_the_rest() -> None:
        for result in results:
            given.append(result)  # noqa: PERF402 - those before the error count

    first_is_given.set()
    with pytest.raises(KeyboardInterrupt):
        take_the_rest()
    assert given == [0, 2, 3]
    assert [flag.is_aborted for flag in flags] == [False, True, False, False, True]
