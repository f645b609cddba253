"""Lengths and chunks that lie, or never end (rows F)."""

import threading
from dataclasses import dataclass

import pytest
from support.behaviours import answer, dripping, flooding, in_turn, response, silent_after
from support.fetching import DEADLINE, LATEST, OK, Guard
from support.server import MAX_SECONDS, Behaviour, Connection, Serve

HEAD = b"HTTP/1.1 200 OK\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
WHOLE = CHUNKED + b"5\r\nhello\r\n0\r\n"
MEGABYTE = 1_000_000


def with_length(*values: bytes, body: bytes = b"hello") -> Behaviour:
    """An answer with these Content-Length fields, then the end of the connection."""
    fields = b"".join(b"Content-Length: %s\r\n" % value for value in values)
    return answer(HEAD + fields + b"\r\n" + body)


def with_coding(*values: bytes) -> Behaviour:
    """An answer in one chunk, with these Transfer-Encoding fields."""
    fields = b"".join(b"Transfer-Encoding: %s\r\n" % value for value in values)
    return answer(HEAD + fields + b"\r\n" + b"5\r\nhello\r\n0\r\n\r\n")


def chunks(data: bytes) -> Behaviour:
    """A chunked answer, then the end of the connection."""
    return answer(CHUNKED + data)


GOOD = {
    "F4-negative": with_length(b"-1"),
    "F4-abc": with_length(b"abc"),
    "F4-empty": with_length(b""),
    "F4-hex": with_length(b"0x5"),
    "F5-same-twice": with_length(b"5", b"5"),
    "F7-length-and-chunked": answer(
        HEAD + b"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"
    ),
    "F14-extension": chunks(b"5;name=value\r\nhello\r\n0\r\n\r\n"),
    "F12-trailer": chunks(b"5\r\nhello\r\n0\r\nX-Sum: 1\r\n\r\n"),
}


@pytest.mark.parametrize("behave", GOOD.values(), ids=GOOD)
def test_framing_that_can_be_read(serve: Serve, guard: Guard, behave: Behaviour) -> None:
    server = serve(behave)
    attempt = guard().fetch(server.url())
    assert (attempt.code, attempt.body) == (OK, b"hello")


REFUSED = {
    "F2-length-too-long": with_length(b"11"),
    "F5-differing": with_length(b"5", b"6"),
    "F5-list": with_length(b"5, 6"),
    "F6-enormous": with_length(b"1000000000000000000"),
    "F8-no-last-chunk": chunks(b"5\r\nhello\r\n"),
    "F8-cut-in-a-chunk": chunks(b"5\r\nhel"),
    "F8-bad-size": chunks(b"five\r\nhello\r\n0\r\n\r\n"),
    "F8-huge-size": chunks(b"ffffffffffffffff\r\nhello\r\n0\r\n\r\n"),
    "F8-long-size-line": chunks(b"5;" + b"x" * 70_000 + b"\r\nhello\r\n0\r\n\r\n"),
    "F13-trailer-in-one-line": flooding(WHOLE, b"a" * 1000, 40 * MEGABYTE),
    "F10-size-minus-5": chunks(b"-5\r\nhello\r\n0\r\n\r\n"),
    "F11-gzip-chunked": with_coding(b"gzip, chunked"),
    "F11-xchunked": with_coding(b"xchunked"),
    "F11-twice": with_coding(b"chunked", b"chunked"),
}


@pytest.mark.parametrize("behave", REFUSED.values(), ids=REFUSED)
def test_framing_that_leaves_the_end_open(serve: Serve, guard: Guard, behave: Behaviour) -> None:
    server = serve(behave)
    attempt = guard().fetch(server.url())
    server.stop()
    assert (attempt.code, server.targets) == ("INVALID_RESPONSE", ["/"])
    assert attempt.seconds < 2.0


NEVER_ENDING = {
    "F3-length-then-silence": silent_after(HEAD + b"Content-Length: 11\r\n\r\nhello"),
    "F12-trailer-drip": dripping(WHOLE, b"X: a\r\n" * 100),
    "F14-extension-drip": dripping(CHUNKED + b"5;", b"x" * 100),
}


@pytest.mark.parametrize("behave", NEVER_ENDING.values(), ids=NEVER_ENDING)
def test_framing_that_does_not_end(serve: Serve, guard: Guard, behave: Behaviour) -> None:
    server = serve(behave)
    attempt = guard().fetch(server.url(), seconds=DEADLINE)
    assert attempt.code == "TIMEOUT"
    assert DEADLINE <= attempt.seconds < LATEST


def test_f13_a_flood_of_trailers(serve: Serve, guard: Guard) -> None:
    server = serve(flooding(WHOLE, b"X: " + b"a" * 200 + b"\r\n", 40 * MEGABYTE))
    attempt = guard().fetch(server.url())
    server.stop()
    assert attempt.code == "PROCESSING_LIMIT"
    assert server.sent < 20 * MEGABYTE


@dataclass(frozen=True)
class Kept:
    """An answer on a connection that is kept, and the status and body read from it."""

    sent: bytes
    status: int
    body: bytes
    later: bytes = b""  # sent when the first answer has been read


KEPT = {
    "F1-length-too-short": Kept(HEAD + b"Content-Length: 5\r\n\r\nhello world", 200, b"hello"),
    "F1-rest-comes-later": Kept(
        HEAD + b"Content-Length: 5\r\n\r\nhello", 200, b"hello", later=b" world"
    ),
    "F15-204": Kept(b"HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nhello", 204, b""),
    "F15-304": Kept(b"HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\nhello", 304, b""),
    "F16-bytes-after-none": Kept(HEAD + b"Content-Length: 0\r\n\r\nhello", 200, b""),
}


@pytest.mark.parametrize("case", KEPT.values(), ids=KEPT)
def test_bytes_after_the_answer_are_not_the_next_one(
    serve: Serve, guard: Guard, case: Kept
) -> None:
    def send_too_much(connection: Connection) -> bool:
        connection.request()
        connection.send(case.sent)
        if case.later:
            assert was_read.wait(MAX_SECONDS)
            connection.send(case.later)
        was_sent.set()
        return True

    was_read, was_sent = threading.Event(), threading.Event()
    server = serve(in_turn(send_too_much, answer(response(b"second"))))
    guarded = guard()
    first = guarded.fetch(server.url("/1"))
    was_read.set()
    assert (first.code, first.response.status, first.body) == (OK, case.status, case.body)
    assert was_sent.wait(MAX_SECONDS)
    assert guarded.fetch(server.url("/2")).body == b"second"
