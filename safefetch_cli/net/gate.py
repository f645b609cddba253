"""How many requests may be on their way at once: in all, and to one host."""

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from safefetch_cli.net.budget import Budget


class Gate:
    """Lets `max_concurrent` requests through at once, `max_per_host` of them to one host.

    Who waits is let in in the order of coming, but for those whose host is busy: nobody waits for
    another's host. Safe for threads.
    """

    def __init__(self, max_concurrent: int, max_per_host: int) -> None:
        self._max_concurrent = max_concurrent
        self._max_per_host = max_per_host
        self._inside: Counter[str] = Counter()
        self._changed = threading.Condition()

    @contextmanager
    def entered(self, host: str, budget: Budget) -> Iterator[None]:
        """Wait for a place, and hold it. Raises Timeout when the budget is over before."""
        with self._changed:
            if not self._has_room(host):
                with budget.queued():
                    while not self._has_room(host):
                        self._changed.wait(budget.pause())
            self._inside[host] += 1
        try:
            yield
        finally:
            with self._changed:
                self._inside[host] -= 1
                self._inside += Counter()  # what is at 0 goes
                self._changed.notify_all()

    def _has_room(self, host: str) -> bool:
        is_full = self._inside.total() >= self._max_concurrent
        return not is_full and self._inside[host] < self._max_per_host
