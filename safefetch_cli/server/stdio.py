"""The server over standard input and output: a JSON-RPC message a line, and nothing else.

The SDK's transport keeps strangers' output off the wire. What it lets pass without a word is
answered here: a line that is too long, that is no JSON, or that is no message.
"""

import contextlib
import os
import signal
import sys
import threading
from collections.abc import AsyncIterator, Callable
from typing import Any, BinaryIO, cast

import anyio
import anyio.to_thread
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from mcp_types import INVALID_REQUEST, ErrorData, JSONRPCError

from safefetch_cli.errors import InvalidInput
from safefetch_cli.server.messages import fault

MAX_LINE_BYTES = 4 * 1024 * 1024
LAST_SECONDS = 0.7
"""How long after the end of the input what cannot be interrupted may keep the process."""

_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")


def serve_stdio(server: Server[Any]) -> None:
    """Answer until the client goes away, which ends the process soon; a signal ends it at once.

    Raises InvalidInput where there is no client: standard input or output is closed.
    """
    if sys.stdin is None or sys.stdout is None:
        raise InvalidInput("standard input or output is closed; a client speaks over both")
    for name in _SIGNALS:
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), _end_at_once)
    try:
        anyio.run(_serve, server)
    except* BrokenPipeError:
        pass  # nobody listens any more


def _end_at_once(number: int, _: object) -> None:
    # The thread that reads standard input cannot be woken, so nothing waits for it.
    os._exit(128 + number)


async def _serve(server: Server[Any]) -> None:
    lines = _Lines(_taken_stdin())
    async with stdio_server(stdin=cast(Any, lines)) as (incoming, outgoing):
        lines.reject = outgoing.send
        # Not before: the transport takes the stdout of this moment for its wire.
        with contextlib.redirect_stdout(sys.stderr):
            await server.run(incoming, outgoing, server.create_initialization_options())


def _taken_stdin() -> BinaryIO:
    """The input, on a descriptor that nobody else reads; others find an empty one."""
    wire = os.dup(0)
    with open(os.devnull, "rb") as empty:
        os.dup2(empty.fileno(), 0)
    return open(wire, "rb")


class _Lines:
    """The lines of the input that are messages; of the others the client is told."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._limiter = anyio.CapacityLimiter(1)
        self.reject: Callable[[SessionMessage], Any] | None = None

    async def __aiter__(self) -> AsyncIterator[str]:
        while True:
            line = await anyio.to_thread.run_sync(self._next_line, limiter=self._limiter)
            if line is None:
                await self._refuse(INVALID_REQUEST, f"a line has more than {MAX_LINE_BYTES} bytes")
            elif not line:
                _end_soon()
                return
            elif text := line.decode("utf-8", "replace").removeprefix("\ufeff").strip():
                wrong = fault(text)
                if wrong is None:
                    yield text
                else:
                    await self._refuse(*wrong)

    def _next_line(self) -> bytes | None:
        """The next line, b"" at the end, None in place of one that is too long."""
        line = self._file.readline(MAX_LINE_BYTES + 1)
        if len(line) <= MAX_LINE_BYTES or line.endswith(b"\n"):
            return line
        while line and not line.endswith(b"\n"):
            line = self._file.readline(MAX_LINE_BYTES)
        return None

    async def _refuse(self, code: int, message: str) -> None:
        error = JSONRPCError(jsonrpc="2.0", id=None, error=ErrorData(code=code, message=message))
        if self.reject is not None:
            await self.reject(SessionMessage(error))


def _end_soon() -> None:
    """End the process although something goes on that no cancellation reaches."""
    end = threading.Timer(LAST_SECONDS, os._exit, (0,))
    end.daemon = True
    end.start()
