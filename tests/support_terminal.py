"""The program at a terminal: a pseudo-terminal for some of its streams, and what a person sees."""

import contextlib
import os
import pty
import re
import select
import subprocess
from collections.abc import Iterator, Mapping

from support_cli import HANG_SECONDS, Program, command

PARTS = re.compile(r"\x1b\[\??[0-9;]*[a-zA-Z]|[\r\n]|[^\x1b\r\n]+")
STYLES = re.compile(r"\x1b\[[0-9;]*m")
DRAWN_AND_GONE = re.compile(rb"\x1b\[\?25l.*?\x1b\[\?25h\r\x1b\[1A\x1b\[2K", re.DOTALL)
"""Progress: it hides the cursor, draws, shows the cursor again and takes its line away."""


class Screen:
    """The lines that a terminal shows of what it was sent. It has no right edge and no scroll."""

    def __init__(self, text: str) -> None:
        self.lines = [""]
        self._row = self._column = 0
        for part in PARTS.findall(STYLES.sub("", text)):
            self._take(part)

    @property
    def text(self) -> str:
        return "\n".join(self.lines).strip()

    def _take(self, part: str) -> None:
        if part == "\r":
            self._column = 0
        elif part == "\n":
            self._row += 1
            self.lines += [""] * (self._row + 1 - len(self.lines))
        elif part == "\x1b[2K":
            self.lines[self._row] = ""
        elif part == "\x1b[1A":
            self._row -= 1
        elif part not in ("\x1b[?25l", "\x1b[?25h"):
            assert not part.startswith("\x1b"), f"{part!r} is not known to this terminal"
            line = self.lines[self._row].ljust(self._column)
            end = self._column + len(part)
            self.lines[self._row] = line[: self._column] + part + line[end:]
            self._column = end


class Terminal:
    """One pseudo-terminal, read as it is written."""

    def __init__(self) -> None:
        self._master, self.slave = pty.openpty()
        self.data = b""

    @property
    def text(self) -> str:
        return self.data.decode().replace("\r\n", "\n")

    @property
    def screen(self) -> Screen:
        return Screen(self.data.decode())

    def read_until(self, wanted: str) -> None:
        """Read until the screen shows this. Fails when it does not come."""
        while wanted not in self.screen.text:
            ready, _, _ = select.select([self._master], [], [], HANG_SECONDS)
            assert ready, f"{wanted!r} did not come, but {self.data!r}"
            self.data += os.read(self._master, 65536)

    def read_to_the_end(self) -> None:
        """Read what is left when all who write there are gone."""
        os.close(self.slave)
        with contextlib.suppress(OSError):  # how Linux tells the end
            while part := os.read(self._master, 65536):
                self.data += part

    def close(self) -> None:
        os.close(self._master)


@contextlib.contextmanager
def at_terminal(
    program: Program,
    *arguments: str,
    streams: tuple[str, ...] = ("stdout", "stderr"),
    environment: Mapping[str, str] | None = None,
) -> Iterator[tuple[subprocess.Popen[bytes], Terminal]]:
    """The program while it runs, with a terminal for these streams and a pipe for the other."""
    terminal = Terminal()
    ends = {name: terminal.slave if name in streams else subprocess.PIPE for name in _STREAMS}
    child = subprocess.Popen(
        [*command(), *arguments],
        env={**program.environment, "TERM": "xterm-256color", **(environment or {})},
        cwd=program.folder,
        stdin=subprocess.DEVNULL,
        stdout=ends["stdout"],
        stderr=ends["stderr"],
    )
    try:
        yield child, terminal
    finally:
        child.kill()
        child.wait(HANG_SECONDS)
        for stream in (child.stdout, child.stderr):
            if stream is not None:
                stream.close()
        terminal.close()
    program.check()


_STREAMS = ("stdout", "stderr")


def seen(program: Program, *arguments: str, **options: object) -> tuple[int, str]:
    """The exit status and what was written to a terminal that is both stdout and stderr."""
    with at_terminal(program, *arguments, **options) as (child, terminal):  # type: ignore[arg-type]
        terminal.read_to_the_end()
        return child.wait(HANG_SECONDS), terminal.text
