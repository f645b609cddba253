"""An HTTP request sent byte for byte as a test says, and its answer."""

import contextlib
import socket
from collections.abc import Iterable
from http.client import HTTPResponse
from typing import Any, NamedTuple

HANG_SECONDS = 20

Field = tuple[str, str]


class Reply(NamedTuple):
    """An answer. The names of fields are lower-case."""

    status: int
    fields: dict[str, str]
    body: bytes


def request(
    method: str,
    path: str,
    fields: Iterable[Field],
    body: bytes = b"",
    *,
    with_length: bool = True,
) -> bytes:
    """A request; the connection is to be closed after its answer."""
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in fields)]
    if with_length and body:
        lines.append(f"Content-Length: {len(body)}")
    lines += ["Connection: close", "", ""]
    return "\r\n".join(lines).encode("utf-8") + body


def chunked(body: bytes, size: int = 65536) -> bytes:
    """The body in the transfer coding chunked."""
    parts = (body[at : at + size] for at in range(0, len(body), size))
    return b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"


def exchange(port: int, sent: bytes) -> Reply:
    """Send the bytes and read the answer. A server may answer before all is sent."""
    with socket.create_connection(("127.0.0.1", port), timeout=HANG_SECONDS) as sock:
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            sock.sendall(sent)
        return read(sock, sent.split(b" ", 1)[0].decode())


def read(sock: socket.socket, method: str) -> Reply:
    """The answer that comes."""
    answer: Any = HTTPResponse(sock, method=method)
    answer.begin()
    body = answer.read()
    fields = {name.lower(): value for name, value in answer.getheaders()}
    return Reply(answer.status, fields, body)
