"""`safefetch serve` as a child process: by the lines on its standard streams, or over HTTP."""

import contextlib
import json
import os
import queue
import re
import signal
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import loopback_only
from support_cli import HANG_SECONDS, command, lines_of

ERAS = ("legacy", "auto")
"""The two eras of the protocol, as the modes of the official client: 2025-11-25 and 2026-07-28."""

MODERN = "2026-07-28"
LEGACY = "2025-11-25"
_PREFIX = "io.modelcontextprotocol/"
ENVELOPE = {f"{_PREFIX}protocolVersion": MODERN, f"{_PREFIX}clientCapabilities": {}}
"""What every request of the modern era carries in `_meta`."""

INITIALIZE = {
    "protocolVersion": LEGACY,
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "0"},
}
_LISTENING = re.compile(r"listening on http://127\.0\.0\.1:(\d+)/mcp")


class Child:
    """A server process in a guarded environment."""

    def __init__(
        self,
        environment: Mapping[str, str],
        *arguments: str,
        prefix: Sequence[str] = (),
        streams: int | None = subprocess.DEVNULL,
    ) -> None:
        folder = Path(environment[loopback_only.REPORT_VARIABLE]).parent
        self._report = Path(environment[loopback_only.REPORT_VARIABLE])
        self._stderr = folder / f"stderr-{time.monotonic_ns()}.txt"
        # A shell's background jobs ignore Ctrl-C and so do their children.
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        with self._stderr.open("wb") as log:
            self.process = subprocess.Popen(
                [*(prefix or command()), "serve", *arguments],
                env=environment,
                stdin=streams,
                stdout=streams,
                stderr=log,
            )
        signal.signal(signal.SIGINT, before)

    @property
    def stderr(self) -> str:
        return self._stderr.read_text(encoding="utf-8")

    def memory(self) -> int:
        """Resident bytes at present."""
        pages = Path(f"/proc/{self.process.pid}/statm").read_text(encoding="ascii").split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")

    def stop(self) -> None:
        """Kill it if it runs, and check that it stayed on this machine."""
        self.process.kill()
        self.process.wait(HANG_SECONDS)
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                with contextlib.suppress(BrokenPipeError):
                    stream.close()
        assert set(lines_of(self._report)) == {loopback_only.INSTALLED}


class Wire(Child):
    """A server on standard streams, spoken to line by line."""

    def __init__(
        self, environment: Mapping[str, str], *arguments: str, prefix: Sequence[str] = ()
    ) -> None:
        super().__init__(environment, *arguments, prefix=prefix, streams=subprocess.PIPE)
        self._lines: queue.Queue[bytes] = queue.Queue()
        self._requests = 0
        self.meta: dict[str, Any] = {}
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line)
        self._lines.put(b"")

    def start(self, era: str) -> "Wire":
        """Begin the session, as a client of this era does."""
        if era == "legacy":
            self.ask("initialize", INITIALIZE)
            self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        else:
            self.meta = ENVELOPE
            self.ask("server/discover", {})
        return self

    def send_line(self, line: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line)
        self.process.stdin.flush()

    def send(self, message: Any) -> None:
        self.send_line(json.dumps(message).encode() + b"\n")

    def request(self, method: str, params: Mapping[str, Any]) -> int:
        """Send a request; its identifier."""
        self._requests += 1
        with_meta = {**params, "_meta": self.meta} if self.meta else params
        self.send({"jsonrpc": "2.0", "id": self._requests, "method": method, "params": with_meta})
        return self._requests

    def call(self, tool: str, **arguments: Any) -> int:
        return self.request("tools/call", {"name": tool, "arguments": arguments})

    def receive_line(self) -> bytes:
        """The next line; b"" at the end."""
        return self._lines.get(timeout=HANG_SECONDS)

    def receive(self) -> dict[str, Any]:
        """The next message, which must be one line of UTF-8."""
        line = self.receive_line()
        message = json.loads(line.decode("utf-8"))
        assert line.endswith(b"\n")
        assert message["jsonrpc"] == "2.0"
        return dict(message)

    def ask(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        """The answer to a request, the next message that comes."""
        number = self.request(method, params)
        message = self.receive()
        assert message["id"] == number
        return message

    def rest(self) -> list[bytes]:
        """The lines that still come, up to the end."""
        return list(iter(self.receive_line, b""))

    def close_input(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()

    def ended(self) -> int:
        """The exit status."""
        return self.process.wait(HANG_SECONDS)

    def stop(self) -> None:
        self.process.kill()
        self._reader.join()
        super().stop()


class HttpServer(Child):
    """A server on a port of loopback that it chose."""

    def __init__(self, environment: Mapping[str, str], *arguments: str) -> None:
        super().__init__(environment, "--http", "--port", "0", *arguments)
        self.port = self._port()
        self.url = f"http://127.0.0.1:{self.port}/mcp"

    def _port(self) -> int:
        until = time.monotonic() + HANG_SECONDS
        while time.monotonic() < until and self.process.poll() is None:
            if found := _LISTENING.search(self.stderr):
                return int(found[1])
            time.sleep(0.01)
        raise AssertionError(f"it does not listen: {self.stderr}")


@contextlib.contextmanager
def stopping(child: Any) -> Iterator[Any]:
    """The child, stopped at the end."""
    try:
        yield child
    finally:
        child.stop()
