"""How a call runs: in a thread of its own, watched, heard of, and ended when nobody waits."""

import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, TypeVar

import anyio
import anyio.from_thread
import anyio.to_thread

from safefetch_cli.errors import Timeout
from safefetch_cli.watch import Progress, Watch

THREADS_PER_REQUEST = 4
"""Threads for each request that may be on its way: others wait for a host or convert."""

FIRST_REPORT_SECONDS = 1.0
REPORT_EVERY_SECONDS = 0.5

Report = Callable[[float, float | None], Coroutine[Any, Any, None]]
"""Tells a client how far a download is: bytes so far, and of how many."""

_T = TypeVar("_T")


class Calls:
    """Runs the calls of all clients, so many at once that the others only wait for a while.

    The threads are apart from those of the protocol, so that a client is answered while they all
    are busy. `max_concurrent` is the setting; a call that gets no thread within `seconds` fails.
    """

    def __init__(self, max_concurrent: int, seconds: float) -> None:
        self._limiter = anyio.CapacityLimiter(max_concurrent * THREADS_PER_REQUEST)
        self._seconds = seconds

    async def run(self, work: Callable[[Watch], _T], report: Report) -> _T:
        """The result of `work`, or the SafefetchError that it raises.

        When the caller is cancelled the watch is, so that the work ends within milliseconds and
        its socket with it.
        """
        watch = Watch(_throttled(report))
        owner = object()
        with anyio.move_on_after(self._seconds) as waiting:
            await self._limiter.acquire_on_behalf_of(owner)
        if waiting.cancelled_caught:
            raise Timeout("the server has too many calls in progress")
        try:
            outcome = await _watched(watch, lambda: _outcome(work, watch))
        finally:
            self._limiter.release_on_behalf_of(owner)
        if isinstance(outcome, _Failed):
            raise outcome.error
        return outcome


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
