"""How many may do something at once: in all, and for one host."""

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from safefetch_cli.net.budget import Budget


class Gate:
    """Lets `max_concurrent` through at once, `max_per_host` of them for one host.

    Who waits is let in in the order of coming, but for those whose host is busy: nobody waits for
    another's host. Safe for threads.
    """

    def __init__(self, max_concurrent: int, max_per_host: int) -> None:
        self._max_concurrent = max_concurrent
        self._max_per_host = max_per_host
        self._inside: Counter[str] = Counter()
        self._waiting: list[_Visit] = []  # in the order of coming
        self._changed = threading.Condition()

    @contextmanager
    def entered(self, host: str, budget: Budget) -> Iterator[None]:
        """Wait for a place, and hold it. Raises Timeout when the budget is over before."""
        visit = _Visit(host)
        try:
            with self._changed:
                self._waiting.append(visit)
                self._let_in()
                if not visit.is_inside:
                    with budget.queued():
                        while not visit.is_inside:
                            self._changed.wait(budget.pause())
            yield
        finally:
            with self._changed:
                self._end(visit)
                self._let_in()

    def _end(self, visit: "_Visit") -> None:
        if not visit.is_inside:
            self._waiting.remove(visit)
            return
        self._inside[visit.host] -= 1
        self._inside += Counter()  # what is at 0 goes

    def _let_in(self) -> None:
        for visit in [*self._waiting]:
            if self._has_room(visit.host):
                visit.is_inside = True
                self._inside[visit.host] += 1
                self._waiting.remove(visit)
                self._changed.notify_all()

    def _has_room(self, host: str) -> bool:
        is_full = self._inside.total() >= self._max_concurrent
        return not is_full and self._inside[host] < self._max_per_host


class _Visit:
    """One who waits for a place or has one."""

    def __init__(self, host: str) -> None:
        self.host = host
        self.is_inside = False
