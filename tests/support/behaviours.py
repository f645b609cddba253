"""Behaviours that many tests give their server."""

from collections.abc import Mapping

from support.server import Behaviour, Connection


def response(
    body: bytes = b"ok", *fields: bytes, status: bytes = b"200 OK", length: bool = True
) -> bytes:
    """A whole answer; with `length` it says how long its body is."""
    lines = [b"HTTP/1.1 " + status, *fields]
    if length:
        lines.append(b"Content-Length: %d" % len(body))
    return b"\r\n".join(lines) + b"\r\n\r\n" + body


def redirect(location: bytes, status: bytes = b"302 Found") -> bytes:
    """A redirect, as the bytes of its Location."""
    return response(b"", b"Location: " + location, status=status)


def answer(*parts: bytes, keep: bool = False) -> Behaviour:
    """Read one request and send this; then close, or keep the connection for another request."""

    def behave(connection: Connection) -> bool:
        connection.request()
        connection.send(*parts)
        return keep

    return behave


def silent_after(*parts: bytes) -> Behaviour:
    """Read one request, send this, and say nothing more."""

    def behave(connection: Connection) -> None:
        connection.request()
        connection.send(*parts)
        connection.pause()

    return behave


def dripping(start: bytes, rest: bytes) -> Behaviour:
    """Read one request, send the start at once and the rest byte by byte."""

    def behave(connection: Connection) -> None:
        connection.request()
        connection.send(start)
        connection.drip(rest)

    return behave


def flooding(start: bytes, block: bytes, at_most: int) -> Behaviour:
    """Read one request, send the start, then the block again and again."""

    def behave(connection: Connection) -> None:
        connection.request()
        connection.send(start)
        connection.flood(block, at_most)

    return behave


def in_turn(*behaviours: Behaviour) -> Behaviour:
    """The first for the first request, and so on; the last one for all that follow."""

    def behave(connection: Connection) -> object:
        seen = len(connection.server.requests)
        return behaviours[min(seen, len(behaviours) - 1)](connection)

    return behave


def by_target(answers: Mapping[str, bytes], *, keep: bool = True) -> Behaviour:
    """The answer by the request target, else an empty 404."""

    def behave(connection: Connection) -> bool:
        target = connection.request().target
        connection.send(answers.get(target, response(b"", status=b"404 Not Found")))
        return keep

    return behave
