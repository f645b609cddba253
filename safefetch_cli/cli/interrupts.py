"""Ctrl-C that waits for a moment."""

import signal
from types import FrameType, TracebackType
from typing import Self


class Shield:
    """While it is held, the first Ctrl-C is only noted; one more interrupts as usual."""

    def __init__(self) -> None:
        self.was_pressed = False

    def __enter__(self) -> Self:
        self._before = signal.signal(signal.SIGINT, self._note)
        return self

    def __exit__(
        self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None
    ) -> None:
        signal.signal(signal.SIGINT, self._before)

    def _note(self, _: int, __: FrameType | None) -> None:
        if self.was_pressed:
            raise KeyboardInterrupt
        self.was_pressed = True
