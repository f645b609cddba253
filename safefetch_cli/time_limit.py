"""Work that ends in time, whatever it does."""

import signal
import threading
from collections.abc import Callable
from typing import TypeVar

from safefetch_cli.errors import ProcessingLimit, Timeout
from safefetch_cli.watch import Watch

_T = TypeVar("_T")

INTERRUPT_EVERY_SECONDS = 0.2
"""Work that goes on although it was told to end is told so again."""


class _OutOfTime(SystemExit):
    """Raised inside the work when its time is over; no `except Exception` keeps it.

    A thread that it ends does so without a word, as it does by any SystemExit.
    """


def within(seconds: float, work: Callable[[], _T], watch: Watch | None = None) -> _T:
    """The result of `work`, or what it raises. Raises ProcessingLimit when it takes longer.

    In the main thread of a Unix process an alarm interrupts the work, so that nothing goes on
    behind. Elsewhere, and under a `watch`, it runs in a thread of its own, which is told to end
    when its time is over. A watch that is cancelled ends it with Timeout.
    """
    try:
        if watch is None and _may_use_alarm():
            return _under_alarm(seconds, work)
        return _in_thread(seconds, work, watch or Watch())
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


class _End:
    """The end of some work: it is done, or nobody waits for it any more."""

    def __init__(self) -> None:
        self.reached = threading.Event()
        self.is_aborted = False
        self.is_over = False  # then its thread must not be interrupted: it may be another's
        self.lock = threading.Lock()

    def abort(self) -> None:
        self.is_aborted = True
        self.reached.set()


def _in_thread(seconds: float, work: Callable[[], _T], watch: Watch) -> _T:
    results: list[_T] = []
    errors: list[Exception] = []
    end = _End()

    def run() -> None:
        try:
            results.append(work())
        except _OutOfTime:
            return  # nobody waits any more
        except Exception as error:  # noqa: BLE001 - raised again where it is waited for
            errors.append(error)
        finally:
            with end.lock:
                end.is_over = True
            end.reached.set()

    thread = threading.Thread(target=run, name="conversion", daemon=True)
    watch.follow(end)
    thread.start()
    end.reached.wait(seconds)
    if errors:
        raise errors[0]
    if results:
        return results[0]
    threading.Thread(target=_interrupt, args=[thread, end], name="end", daemon=True).start()
    if end.is_aborted:
        raise Timeout("the operation was cancelled")
    raise _OutOfTime


def _interrupt(thread: threading.Thread, end: _End) -> None:
    """Raise _OutOfTime in the thread, at its next step in Python, until it has ended.

    Once may not be enough: what is raised in a destructor or in a callback of C is lost.
    """
    import ctypes

    raise_in = ctypes.pythonapi.PyThreadState_SetAsyncExc
    while thread.is_alive():
        with end.lock:
            if end.is_over:
                return
            raise_in(ctypes.c_ulong(thread.ident or 0), ctypes.py_object(_OutOfTime))
        thread.join(INTERRUPT_EVERY_SECONDS)
