"""How far a long run is: one line on stderr, only for a terminal, that comes late and goes.

Nothing of rich is loaded before there is something to show.
"""

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Self

from safefetch_cli.cli import style
from safefetch_cli.watch import Progress, Watch

if TYPE_CHECKING:
    from rich import progress as bars

DELAY_SECONDS = 0.5
"""What is done sooner is not worth a line."""


class Line:
    """The line, of the columns of rich's that are asked for when it appears."""

    def __init__(self, columns: "Callable[[], list[bars.ProgressColumn]]") -> None:
        self._columns = columns
        self._shown: bars.Progress | None = None
        self._task: bars.TaskID | None = None
        self._description = ""
        self._completed: float = 0
        self._total: float | None = None
        self._is_over = False
        self._changing = threading.RLock()
        self._timer = threading.Timer(DELAY_SECONDS, self._appear)
        self._timer.daemon = True

    def update(self, description: str, completed: float, total: float | None) -> None:
        """Say how far it is."""
        with self._changing:
            self._description, self._completed, self._total = description, completed, total
            if self._shown is not None and self._task is not None:
                self._shown.update(
                    self._task, description=description, completed=completed, total=total
                )

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Out of the way of something else that is written to the terminal."""
        with self._changing:
            if self._shown is None:
                yield
                return
            self._shown.stop()
            try:
                yield
            finally:
                self._shown.start()

    def __enter__(self) -> Self:
        self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
        with self._changing:
            self._is_over = True
            if self._shown is not None:
                self._shown.stop()
                self._shown = None

    def _appear(self) -> None:
        with self._changing, suppress(OSError, ValueError):  # stderr may be closed
            if not self._is_over:
                self._shown = _bars(self._columns())
                self._task = self._shown.add_task(
                    self._description, completed=int(self._completed), total=self._total
                )
                self._shown.start()


class Counter:
    """How many of many are done. Shown only with a line."""

    def __init__(self, line: Line | None, total: int | None) -> None:
        self._line = line
        self._total = total
        self._done = self._failed = 0
        self._tell()

    def count(self, *, failed: bool) -> None:
        """One more is done, or has failed."""
        self._failed += failed
        self._done += not failed
        self._tell()

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Round all that is written meanwhile."""
        if self._line is None:
            yield
            return
        with self._line.aside():
            yield

    def _tell(self) -> None:
        if self._line is not None:
            of_all = "" if self._total is None else f", {self._total} in all"
            text = f"{self._done} done, {self._failed} failed{of_all}"
            self._line.update(text, self._done + self._failed, self._total)


@contextmanager
def of_download() -> Iterator[Watch]:
    """A watch that shows how a download goes."""
    with Line(_download_columns) as line:

        def tell(progress: Progress) -> None:
            line.update("", progress.received, progress.total)

        yield Watch(tell)


@contextmanager
def of_many(quiet: bool, total: Callable[[], int | None]) -> Iterator[Counter]:
    """A counter of the pages of a run; `total` is asked only where somebody looks."""
    if quiet or not style.is_terminal(sys.stderr):
        yield Counter(None, None)
        return
    with Line(_count_columns) as line:
        yield Counter(line, total())


def _bars(columns: "list[bars.ProgressColumn]") -> "bars.Progress":
    from rich.console import Console
    from rich.progress import Progress

    console = Console(file=sys.stderr, no_color=not style.is_coloured(sys.stderr))
    return Progress(
        *columns,
        console=console,
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )


def _download_columns() -> "list[bars.ProgressColumn]":
    from rich import progress

    return [progress.BarColumn(), progress.DownloadColumn(), progress.TransferSpeedColumn()]


def _count_columns() -> "list[bars.ProgressColumn]":
    from rich import progress

    return [
        progress.BarColumn(),
        progress.TextColumn("{task.description}", markup=False),
        progress.TimeElapsedColumn(),
    ]
