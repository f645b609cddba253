"""Work ends in time, in the main thread and in others."""

import re
import signal
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from safefetch_cli.errors import ProcessingLimit
from safefetch_cli.time_limit import within


def spin(stopped: threading.Event) -> None:
    try:
        while True:
            pass
    finally:
        stopped.set()


def in_main(work):
    return work()


def in_a_thread(work):
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(work).result(timeout=30)


everywhere = pytest.mark.parametrize("run", [in_main, in_a_thread])


@everywhere
def test_a_result_comes_back(run) -> None:
    assert run(lambda: within(30, lambda: 7)) == 7


@everywhere
def test_an_error_comes_back(run) -> None:
    with pytest.raises(ZeroDivisionError):
        run(lambda: within(30, lambda: 1 / 0))


@everywhere
def test_work_that_does_not_end_is_ended(run) -> None:
    stopped = threading.Event()
    with pytest.raises(ProcessingLimit):
        run(lambda: within(0.05, lambda: spin(stopped)))
    assert stopped.wait(30), "the work went on behind"


def test_work_that_loses_the_end_is_ended_all_the_same(capsys) -> None:
    """As a callback of C does; nothing is written of it."""
    stopped, lost = threading.Event(), []

    def work() -> None:
        try:
            for _ in range(3):
                try:
                    while True:
                        pass
                except SystemExit as end:
                    lost.append(end)
            spin(stopped)
        finally:
            threading.Event().wait(0.3)

    with pytest.raises(ProcessingLimit):
        in_a_thread(lambda: within(0.05, work))
    assert stopped.wait(30)
    assert len(lost) == 3
    for thread in threading.enumerate():
        if thread.name in ("conversion", "end"):
            thread.join(30)
    assert capsys.readouterr().err == ""


def test_a_search_that_explodes_is_ended_in_the_main_thread() -> None:
    with pytest.raises(ProcessingLimit):
        within(0.05, lambda: re.match("(a|aa)+$", "a" * 60 + "b"))


@pytest.mark.parametrize("error", [MemoryError, RecursionError])
@everywhere
def test_what_is_too_much_for_the_machine_is_a_limit(run, error) -> None:
    def work() -> None:
        raise error

    with pytest.raises(ProcessingLimit):
        run(lambda: within(30, work))


def test_an_alarm_of_the_program_is_left_alone() -> None:
    signal.signal(signal.SIGALRM, signal.SIG_IGN)
    try:
        assert within(30, lambda: signal.getsignal(signal.SIGALRM)) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)


def test_the_alarm_is_put_back() -> None:
    within(30, lambda: None)
    assert signal.getsignal(signal.SIGALRM) is signal.SIG_DFL
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
