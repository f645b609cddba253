"""How a call runs: in a thread apart from the protocol's, heard of, and ended when nobody waits."""

import threading
from typing import Any

import anyio
import pytest
from support.clock import Clock

from safefetch_cli.access import Access
from safefetch_cli.errors import InvalidInput, Timeout
from safefetch_cli.server import calls
from safefetch_cli.server.calls import THREADS_PER_REQUEST, Calls
from safefetch_cli.settings import Settings
from safefetch_cli.watch import Progress, Watch

HANG_SECONDS = 10


async def unheard(received: float, total: float | None) -> None:
    raise AssertionError((received, total))


def test_the_result_of_the_work_comes_from_another_thread() -> None:
    async def main() -> Any:
        return await Calls(1, 1, 1.0).run(lambda _: threading.get_ident(), unheard)

    assert anyio.run(main) != threading.get_ident()


@pytest.mark.parametrize("error", [InvalidInput("so"), ValueError("so")])
def test_an_error_comes_as_it_was_raised(error: Exception) -> None:
    def work(_: Watch) -> None:
        raise error

    async def main() -> None:
        with pytest.raises(type(error)) as caught:
            await Calls(1, 1, 1.0).run(work, unheard)
        assert caught.value is error

    anyio.run(main)


def test_more_calls_than_threads_wait_and_fail_in_time() -> None:
    """All threads are given back: afterwards calls run as before."""
    release = threading.Event()
    started = threading.Semaphore(0)
    outcomes: list[str] = []

    def work(_: Watch) -> None:
        started.release()
        release.wait(HANG_SECONDS)

    async def call(all_calls: Calls) -> None:
        try:
            await all_calls.run(work, unheard)
            outcomes.append("done")
        except Timeout as error:
            outcomes.append(error.message)
            release.set()

    async def main() -> None:
        all_calls = Calls(1, 1, 0.05)
        async with anyio.create_task_group() as group:
            for _ in range(THREADS_PER_REQUEST + 1):
                group.start_soon(call, all_calls)
        assert await all_calls.run(lambda _: 5, unheard) == 5

    anyio.run(main)
    assert outcomes == [
        "the server has too many calls in progress",
        *["done"] * THREADS_PER_REQUEST,
    ]


def test_calls_of_one_host_leave_threads_for_another() -> None:
    """However many there are; and each is told how long it had to wait."""
    release = threading.Event()
    begun = threading.Semaphore(0)
    waited: list[float] = []

    def work(watch: Watch) -> None:
        begun.release()
        assert release.wait(HANG_SECONDS)
        waited.append(watch.spent_seconds)

    async def main() -> None:
        all_calls = Calls(2, 1, HANG_SECONDS)
        async with anyio.create_task_group() as group:
            for _ in range(3 * THREADS_PER_REQUEST):
                group.start_soon(all_calls.run, work, unheard, "slow")
            for _ in range(THREADS_PER_REQUEST):
                await anyio.to_thread.run_sync(begun.acquire)
            assert await all_calls.run(lambda _: 5, unheard, "other") == 5
            assert not begun.acquire(blocking=False)
            release.set()

    anyio.run(main)
    assert len(waited) == 3 * THREADS_PER_REQUEST
    assert 0 <= min(waited) < max(waited) < HANG_SECONDS


def test_what_a_call_waited_is_gone_from_its_deadline() -> None:
    access = Access(Settings(timeout_ms=1000)).watched_by(Watch(spent_seconds=0.9))
    assert access.new_budget().left <= 0.1
    assert access.look_up_budget().left <= 0.1


class Part:
    """A part of an operation that waits until it is ended."""

    def __init__(self) -> None:
        self.ended = threading.Event()

    def abort(self) -> None:
        self.ended.set()


def test_who_is_cancelled_ends_the_work_and_gives_the_thread_back() -> None:
    part = Part()
    following = threading.Event()

    def work(watch: Watch) -> None:
        watch.follow(part)
        following.set()
        assert part.ended.wait(HANG_SECONDS)

    async def main() -> None:
        all_calls = Calls(1, 1, 0.1)
        for _ in range(THREADS_PER_REQUEST + 1):
            part.ended.clear()
            following.clear()
            async with anyio.create_task_group() as group:
                group.start_soon(all_calls.run, work, unheard)
                await anyio.to_thread.run_sync(following.wait, HANG_SECONDS)
                group.cancel_scope.cancel()
            assert part.ended.is_set()

    anyio.run(main)


def test_progress_is_reported_after_a_while_and_not_often() -> None:
    clock = Clock()
    reports: list[tuple[float, float | None]] = []

    async def report(received: float, total: float | None) -> None:
        reports.append((received, total))

    def work() -> None:
        heard = calls._throttled(report, clock)
        for piece in range(1, 11):
            clock.now += 0.3
            heard(Progress(piece * 100, 1000 if piece > 5 else None))

    async def main() -> None:
        await anyio.to_thread.run_sync(work)

    anyio.run(main)
    assert reports == [(400.0, None), (600.0, 1000.0), (800.0, 1000.0), (1000.0, 1000.0)]


def test_a_report_that_fails_fails_nothing() -> None:
    """What has not grown is not told again."""
    clock = Clock()
    told: list[float] = []

    async def report(received: float, _: float | None) -> None:
        told.append(received)
        raise ConnectionError

    def work() -> None:
        heard = calls._throttled(report, clock)
        for received in (100, 100, 50, 200):
            clock.now += 2
            heard(Progress(received, None))

    async def main() -> None:
        await anyio.to_thread.run_sync(work)

    anyio.run(main)
    assert told == [100.0, 200.0]
