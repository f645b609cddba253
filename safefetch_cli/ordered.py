"""Work on many things at once; the results come in the order of the things.

Only a window of things is held at a time: more are not taken before the first of them is given out.
"""

import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from typing import Generic, TypeVar

from safefetch_cli.watch import Watch

WINDOW_PER_JOB = 4
"""Things that are held for each that is worked on, so that a slow one does not stop the others."""

LOOK_UP_SECONDS = 0.1
"""How often a wait is left for a moment: where a wait for a lock cannot be interrupted, Ctrl-C is
heard then."""

_T = TypeVar("_T")
_R = TypeVar("_R")


def in_order(
    items: Iterable[_T], work: Callable[[_T, Watch], _R], jobs: int
) -> Generator[_R, None, None]:
    """The result of `work` for each item, in the order of the items, `jobs` of them at once.

    Items are taken as they are worked on, in a thread of the work, so that waiting for the next one
    holds no result back. What `work` raises is raised in its turn, and ends it all. When the caller
    closes the iterator, what is being worked on is cancelled by its watch. On Ctrl-C too, and then
    the results that are finished are given out before KeyboardInterrupt is raised.
    """
    with closing(_Crew(iter(items), work, jobs)) as crew:
        try:
            while (job := crew.next_finished()) is not None:
                yield job.outcome()
        except KeyboardInterrupt:
            crew.close()
            for job in crew.finished():
                yield job.outcome()
            raise


class _Job(Generic[_T, _R]):
    """One item, and what comes of it."""

    def __init__(self, item: _T) -> None:
        self.item = item
        self.watch = Watch()
        self.is_finished = False
        self._results: list[_R] = []
        self._error: BaseException | None = None

    def run(self, work: Callable[[_T, Watch], _R]) -> None:
        try:
            self._results.append(work(self.item, self.watch))
        except BaseException as error:  # noqa: BLE001 - raised again in its turn
            self._error = error

    def outcome(self) -> _R:
        if self._error is not None:
            raise self._error
        return self._results[0]


class _Crew(Generic[_T, _R]):
    """Threads that work on items. They end with the program, whatever they wait for."""

    def __init__(self, items: Iterator[_T], work: Callable[[_T, Watch], _R], jobs: int) -> None:
        self._items = items
        self._work = work
        self._window = jobs * WINDOW_PER_JOB
        self._held: deque[_Job[_T, _R]] = deque()  # in the order of the items
        self._changed = threading.Condition()  # guards all below
        self._is_closed = False
        self._has_ended = False  # there are no more items
        self._error: BaseException | None = None  # of the items
        self._taking = threading.Lock()
        for _ in range(jobs):
            threading.Thread(target=self._run, name="one of many", daemon=True).start()

    def next_finished(self) -> _Job[_T, _R] | None:
        """The first job, when it is finished; None when all are given out."""
        with self._changed:
            while not self._has_news():
                self._changed.wait(LOOK_UP_SECONDS)
            if self._held:
                self._changed.notify_all()
                return self._held.popleft()
        if self._error is not None:
            raise self._error
        return None

    def finished(self) -> list[_Job[_T, _R]]:
        """All jobs that are finished, whether those before them are or not."""
        with self._changed:
            return [job for job in self._held if job.is_finished]

    def close(self) -> None:
        """Take no more items, and cancel what is being worked on."""
        with self._changed:
            self._is_closed = True
            running = [job for job in self._held if not job.is_finished]
            self._changed.notify_all()
        for job in running:
            job.watch.cancel()

    def _has_news(self) -> bool:
        return self._held[0].is_finished if self._held else self._has_ended

    def _run(self) -> None:
        while (job := self._take()) is not None:
            job.run(self._work)
            with self._changed:
                # A job that was cancelled is not finished.
                job.is_finished = not self._is_closed
                self._changed.notify_all()

    def _take(self) -> _Job[_T, _R] | None:
        """The next item as a job, when the window has room; None when there are no more."""
        with self._taking:
            with self._changed:
                self._changed.wait_for(lambda: self._is_closed or len(self._held) < self._window)
                if self._is_over():
                    return None
            error: BaseException | None = None
            job: _Job[_T, _R] | None = None
            try:
                job = _Job(next(self._items))
            except StopIteration:
                pass
            except BaseException as raised:  # noqa: BLE001 - raised again after all results
                error = raised
            with self._changed:
                if job is None:
                    self._has_ended, self._error = True, error
                elif self._is_over():
                    return None
                else:
                    self._held.append(job)
                self._changed.notify_all()
            return job

    def _is_over(self) -> bool:
        return self._is_closed or self._has_ended
