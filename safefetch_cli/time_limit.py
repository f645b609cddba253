"""Work that ends in time, whatever it does."""

import signal
import threading
from collections.abc import Callable
from typing import TypeVar

from safefetch_cli.errors import ProcessingLimit

_T = TypeVar("_T")


class _OutOfTime(BaseException):
    """Raised inside the work when its time is over; no `except Exception` keeps it."""


def within(seconds: float, work: Callable[[], _T]) -> _T:
    """The result of `work`, or what it raises. Raises ProcessingLimit when it takes longer.

    In the main thread of a Unix process an alarm interrupts the work, so that nothing goes on
    behind. Elsewhere it runs in a thread of its own, which is told to end when its time is over.
    """
    try:
        return _under_alarm(seconds, work) if _may_use_alarm() else _in_thread(seconds, work)
    except _OutOfTime:
        raise ProcessingLimit("the page is too complex to convert before the deadline") from None
    except (MemoryError, RecursionError):
        raise ProcessingLimit("the page is too complex to convert") from None


def _may_use_alarm() -> bool:
    """Whether this is the main thread, and nobody else uses the alarm."""
    return (
        hasattr(signal, "setitimer")
        and threading.current_thread() is threading.main_thread()
        and signal.getsignal(signal.SIGALRM) is signal.SIG_DFL
        and signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    )


def _under_alarm(seconds: float, work: Callable[[], _T]) -> _T:
    def expire(*_: object) -> None:
        raise _OutOfTime

    signal.signal(signal.SIGALRM, expire)
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds)
        return work()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)


def _in_thread(seconds: float, work: Callable[[], _T]) -> _T:
    results: list[_T] = []
    errors: list[Exception] = []

    def run() -> None:
        try:
            results.append(work())
        except _OutOfTime:
            return  # nobody waits any more
        except Exception as error:  # noqa: BLE001 - raised again where it is waited for
            errors.append(error)

    thread = threading.Thread(target=run, name="conversion", daemon=True)
    thread.start()
    thread.join(seconds)
    if errors:
        raise errors[0]
    if not results:
        _interrupt(thread)
        raise _OutOfTime
    return results[0]


def _interrupt(thread: threading.Thread) -> None:
    """Raise _OutOfTime in the thread, at its next step in Python."""
    import ctypes

    raise_in = ctypes.pythonapi.PyThreadState_SetAsyncExc
    raise_in(ctypes.c_ulong(thread.ident or 0), ctypes.py_object(_OutOfTime))
