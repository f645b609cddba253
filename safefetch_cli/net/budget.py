"""One deadline and one cap on wire bytes, over everything that a fetch does."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from safefetch_cli.errors import ProcessingLimit, Timeout

ABORT_CHECK_SECONDS = 0.05
"""The longest that a wait without a socket goes on before it looks whether it was aborted."""

Report = Callable[[int, int | None], None]
"""Hears how many bytes of a body have arrived, and how many there will be if that is known."""


def no_report(_received: int, _total: int | None) -> None:
    """Hears nothing."""


class Budget:
    """What is left of the time and of the bytes of one fetch.

    Of its `seconds` so many were `spent` before now; `wire_bytes` counts all that arrives on
    sockets: TLS records, headers, bodies, over all hops. `report` hears of each piece of a body.
    Not shared between fetches. Only `abort` may be called from elsewhere than the thread that
    fetches. The time of one that is `patient` does not run while it stands in a queue of this
    program.
    """

    def __init__(
        self,
        seconds: float,
        wire_bytes: int,
        report: Report = no_report,
        *,
        patient: bool = False,
        spent: float = 0.0,
    ) -> None:
        self.report = report
        self._is_patient = patient
        self._stopped_at: float | None = None
        self._seconds = seconds
        self._ends = time.monotonic() + seconds - spent
        self._wire_bytes = wire_bytes
        self._wire_left = wire_bytes
        self._interrupt: Callable[[], None] | None = None
        self._aborted = False

    @property
    def left(self) -> float:
        """Seconds left, 0 or less when there are none."""
        now = time.monotonic() if self._stopped_at is None else self._stopped_at
        return self._ends - now

    def remaining(self) -> float:
        """Seconds left, more than 0. Raises Timeout when there are none, or after `abort`."""
        if self._aborted:
            raise Timeout("the operation was cancelled")
        left = self.left
        if left <= 0:
            raise Timeout(f"there was no complete answer within {self._seconds:g} seconds")
        return left

    def pause(self, seconds: float | None = None) -> float:
        """How long a wait may last before `remaining` must be asked again."""
        left = min(self.remaining(), ABORT_CHECK_SECONDS)
        return left if seconds is None else min(left, max(seconds, 0.0))

    @contextmanager
    def queued(self) -> Iterator[None]:
        """Round a wait for others who use the same program, not for a site."""
        if not self._is_patient:
            yield
            return
        self._stopped_at = time.monotonic()
        try:
            yield
        finally:
            self._ends += time.monotonic() - self._stopped_at
            self._stopped_at = None

    @contextmanager
    def unreported(self) -> Iterator[None]:
        """Round what is read besides the page: nothing is heard of its bytes."""
        report, self.report = self.report, no_report
        try:
            yield
        finally:
            self.report = report

    def sleep(self, seconds: float) -> None:
        """Wait so long. Raises Timeout when there is no more time, or after `abort`."""
        wakes = time.monotonic() + seconds
        while (left := wakes - time.monotonic()) > 0:
            time.sleep(self.pause(left))

    def renew_bytes(self) -> None:
        """Let all the bytes come once more, for another try."""
        self._wire_left = self._wire_bytes

    def charge(self, received: int) -> None:
        """Count bytes that arrived. Raises ProcessingLimit when they are too many."""
        self._wire_left -= received
        if self._wire_left < 0:
            raise ProcessingLimit(
                f"the answer is larger than {self._wire_bytes} bytes as it is transferred"
            )

    def allow_more(self, wire_bytes: int) -> None:
        """Allow so many more bytes, for something that is read besides the page."""
        self._wire_bytes += wire_bytes
        self._wire_left += wire_bytes

    def interrupt_with(self, interrupt: Callable[[], None] | None) -> None:
        """Set what `abort` calls to end a wait on a socket."""
        self._interrupt = interrupt
        if self._aborted and interrupt is not None:
            interrupt()

    def abort(self) -> None:
        """End the fetch at once, from any thread: its next or present wait raises Timeout."""
        self._aborted = True
        interrupt = self._interrupt
        if interrupt is not None:
            interrupt()
