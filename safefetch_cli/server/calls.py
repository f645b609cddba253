"""How a call runs: in a thread of its own, watched, heard of, and ended when nobody waits."""

import time
from collections.abc import Callable, Coroutine
from contextlib import AsyncExitStack, suppress
from typing import Any, TypeVar
from weakref import WeakValueDictionary

import anyio
import anyio.from_thread
import anyio.to_thread

from safefetch_cli.errors import Timeout
from safefetch_cli.watch import Progress, Watch

THREADS_PER_REQUEST = 4
"""Threads for each request that may be on its way: others wait for a host or convert.

As many for each request to one host: who asks for much of a slow host leaves threads for others.
"""

FIRST_REPORT_SECONDS = 1.0
REPORT_EVERY_SECONDS = 0.5

Report = Callable[[float, float | None], Coroutine[Any, Any, None]]
"""Tells a client how far a download is: bytes so far, and of how many."""

_T = TypeVar("_T")


class Calls:
    """Runs the calls of all clients, so many at once that the others only wait for a while.

    The threads are apart from those of the protocol, so that a client is answered while they all
    are busy. `max_concurrent` and `max_per_host` are the settings; a call that gets no thread
    within `seconds` fails.
    """

    def __init__(self, max_concurrent: int, max_per_host: int, seconds: float) -> None:
        self._limiter = anyio.CapacityLimiter(max_concurrent * THREADS_PER_REQUEST)
        self._most_of_host = max_per_host * THREADS_PER_REQUEST
        self._hosts: WeakValueDictionary[str, anyio.CapacityLimiter] = WeakValueDictionary()
        self._seconds = seconds

    async def run(self, work: Callable[[Watch], _T], report: Report, host: str = "") -> _T:
        """The result of `work`, which asks `host`, or the SafefetchError that it raises.

        The watch of the work knows how long it had to wait for a thread. When the caller is
        cancelled the watch is, so that the work ends within milliseconds and its socket with it.
        """
        began = time.monotonic()
        async with AsyncExitStack() as places:
            with anyio.move_on_after(self._seconds) as waiting:
                for limiter in (self._limiter_of(host), self._limiter):
                    await places.enter_async_context(limiter)
            if waiting.cancelled_caught:
                raise Timeout("the server has too many calls in progress")
            watch = Watch(_throttled(report), spent_seconds=time.monotonic() - began)
            outcome = await _watched(watch, lambda: _outcome(work, watch))
        if isinstance(outcome, _Failed):
            raise outcome.error
        return outcome

    def _limiter_of(self, host: str) -> anyio.CapacityLimiter:
        """The one of all present calls that ask this host."""
        limiter = self._hosts.get(host)
        if limiter is None:
            self._hosts[host] = limiter = anyio.CapacityLimiter(self._most_of_host)
        return limiter


class _Failed:
    """An error on its way out of a task group, which would wrap it."""

    def __init__(self, error: Exception) -> None:
        self.error = error


def _outcome(work: Callable[[Watch], _T], watch: Watch) -> "_T | _Failed":
    try:
        return work(watch)
    except Exception as error:  # noqa: BLE001 - raised again where it is waited for
        return _Failed(error)


async def _watched(watch: Watch, work: Callable[[], _T]) -> _T:
    """The result of the work in a thread; the watch is cancelled when the waiting is."""
    free = anyio.CapacityLimiter(1)  # whoever comes here has a thread already
    async with anyio.create_task_group() as group:
        group.start_soon(_cancel_with, watch)
        result = await anyio.to_thread.run_sync(work, limiter=free)
        group.cancel_scope.cancel()
    return result


async def _cancel_with(watch: Watch) -> None:
    try:
        await anyio.sleep_forever()
    finally:
        watch.cancel()


def _throttled(
    report: Report, clock: Callable[[], float] = time.monotonic
) -> Callable[[Progress], None]:
    """Reports of a long download, a few in a second, each of more than the one before.

    `clock` gives seconds.
    """
    due = clock() + FIRST_REPORT_SECONDS
    told = 0

    def heard(progress: Progress) -> None:
        nonlocal due, told
        now = clock()
        if now < due or progress.received <= told:
            return
        due, told = now + REPORT_EVERY_SECONDS, progress.received
        total = None if progress.total is None else float(progress.total)
        with suppress(Exception):  # a client that cannot be told still gets its answer
            anyio.from_thread.run(report, float(told), total)

    return heard
