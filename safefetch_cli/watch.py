"""A hand on an operation that runs in another thread: to hear how far it is, and to end it."""

import threading
from collections.abc import Callable
from typing import NamedTuple, Protocol


class Stoppable(Protocol):
    """Something that can be ended from another thread."""

    def abort(self) -> None:
        """End it at once. May be called twice."""


class Progress(NamedTuple):
    """How far a download is."""

    received: int  # bytes of the body as they are transferred
    total: int | None  # what the server says there are


class Watch:
    """Follows one operation.

    `on_progress` is called in the operation's thread while a body arrives, often. `spent_seconds`
    is how much of its time the operation had to wait before it began. `cancel` may be
    called from any thread, at any time: the operation then ends at once, with Timeout.
    """

    def __init__(
        self,
        on_progress: Callable[[Progress], None] | None = None,
        *,
        spent_seconds: float = 0.0,
    ) -> None:
        self.spent_seconds = spent_seconds
        self._on_progress = on_progress
        self._parts: list[Stoppable] = []
        self._is_cancelled = False
        self._lock = threading.Lock()

    def cancel(self) -> None:
        """End the operation: its next or present wait, its next step of conversion."""
        with self._lock:
            self._is_cancelled = True
            parts = list(self._parts)
        for part in parts:
            part.abort()

    def follow(self, part: Stoppable) -> None:
        """Have this part of the operation ended when the operation is; at once if it was."""
        with self._lock:
            self._parts.append(part)
            is_cancelled = self._is_cancelled
        if is_cancelled:
            part.abort()

    def report(self, received: int, total: int | None) -> None:
        """Tell how far the download is."""
        if self._on_progress is not None:
            self._on_progress(Progress(received, total))
