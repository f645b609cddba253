"""Answers that take their time (rows W): one deadline holds over all of it."""

import gzip
import threading
import time

import pytest
from support.behaviours import answer, dripping, in_turn, redirect, response, silent_after
from support.fetching import DEADLINE, LATEST, OK, Attempt, Guard, Guarded, Names
from support.server import MAX_SECONDS, Behaviour, Blackhole, Connection, Serve
from support.tls import Authority

from safefetch_cli import Client
from safefetch_cli.errors import HttpError
from safefetch_cli.net.budget import Budget

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"
PROMPTLY = 0.3
"""Seconds from an abort to the end of a fetch, on a busy machine too."""

DRIPS = {
    "W1-length": dripping(HEAD + b"Content-Length: 100\r\n\r\n", b"a" * 100),
    "W1-close-delimited": dripping(HEAD + b"\r\n", b"a" * 100),
    "W1-chunked": dripping(HEAD + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\na\r\n" * 20),
    "W1-gzip": dripping(HEAD + b"Content-Encoding: gzip\r\n\r\n", gzip.compress(bytes(range(256)))),
}


@pytest.mark.parametrize("behave", DRIPS.values(), ids=DRIPS)
def test_a_body_that_drips(serve: Serve, guard: Guard, behave: Behaviour) -> None:
    server = serve(behave)
    _assert_in_time(guard().fetch(server.url(), seconds=DEADLINE))


def test_w1_a_body_that_drips_over_tls(serve: Serve, guard: Guard, authority: Authority) -> None:
    server = serve(DRIPS["W1-length"], tls=authority.context("127.0.0.1"))
    _assert_in_time(guard().fetch(server.url(), seconds=DEADLINE))


def test_w2_redirects_that_take_their_time(serve: Serve, guard: Guard) -> None:
    def behave(connection: Connection) -> None:
        target = connection.request().target
        connection.pause(0.6)
        connection.send(redirect(target.encode() + b"x"))

    server = serve(behave)
    _assert_in_time(guard().fetch(server.url(), seconds=DEADLINE))
    server.stop()
    assert server.targets == ["/", "/x"]


def test_w3_a_kept_connection_that_stalls(serve: Serve, guard: Guard) -> None:
    server = serve(in_turn(answer(response(), keep=True), silent_after()))
    guarded = guard()
    assert guarded.fetch(server.url("/1")).code == OK
    _assert_in_time(guarded.fetch(server.url("/2"), seconds=DEADLINE))
    server.stop()
    assert (server.connections, server.targets) == (1, ["/1", "/2"])


def test_w4_retry_after_is_told_and_not_waited_for(serve: Serve, guard: Guard) -> None:
    server = serve(
        answer(response(b"later", b"Retry-After: 3600", status=b"503 Service Unavailable"))
    )
    attempt = guard().fetch(server.url())
    assert (attempt.code, attempt.response.status) == (OK, 503)
    assert attempt.response.retry_after_seconds == 3600
    assert attempt.seconds < 1.0
    with Client(allow=["127.0.0.1"], robots="ignore") as client, pytest.raises(HttpError) as caught:
        client.get(server.url())
    assert (caught.value.status, caught.value.retry_after_seconds) == (503, 3600)
    server.stop()
    assert len(server.requests) == 2


BLOCKED = {
    "W5-in-the-head": b"",
    "W5-in-a-body-with-length": HEAD + b"Content-Length: 100\r\n\r\nhello",
    "W5-in-a-close-delimited-body": HEAD + b"\r\nhello",
}


@pytest.mark.parametrize("tls", [False, True], ids=["plain", "tls"])
@pytest.mark.parametrize("start", BLOCKED.values(), ids=BLOCKED)
def test_an_abort_ends_a_wait_at_once(
    serve: Serve, guard: Guard, authority: Authority, start: bytes, tls: bool
) -> None:
    waits = threading.Event()

    def behave(connection: Connection) -> None:
        connection.request()
        connection.send(start)
        waits.set()
        connection.pause()

    server = serve(behave, tls=authority.context("127.0.0.1") if tls else None)
    _assert_aborted(guard(), server.url(), waits)


@pytest.mark.parametrize("stage", ["look-up", "connect", "handshake"])
def test_an_abort_ends_a_wait_before_the_request(serve: Serve, guard: Guard, stage: str) -> None:
    waits, release = threading.Event(), threading.Event()

    def look_up() -> list[str]:
        if stage != "handshake":
            waits.set()
        if stage == "look-up":
            release.wait(MAX_SECONDS)
        return ["127.0.0.1"]

    def behave(connection: Connection) -> None:
        connection.sock.recv(65536)
        waits.set()
        connection.pause()

    server, hole = serve(behave), Blackhole("127.0.0.1")
    port = hole.port if stage == "connect" else server.port
    guarded = guard(names=Names({"site.example": look_up}))
    _assert_aborted(guarded, f"https://site.example:{port}/", waits)
    release.set()
    hole.close()


@pytest.mark.parametrize("status", [404, 503])
def test_a_status_is_told_although_its_page_never_ends(
    serve: Serve, guard: Guard, status: int
) -> None:
    start = b"HTTP/1.1 %d No\r\nContent-Type: text/plain\r\n\r\n" % status
    server = serve(dripping(start, b"a" * 100))
    attempt = guard().fetch(server.url(), seconds=0.5)
    assert (attempt.code, attempt.response.status, attempt.body) == (OK, status, b"")
    assert attempt.seconds < 0.8


def _assert_aborted(guarded: Guarded, url: str, waits: threading.Event) -> None:
    """Fetch in another thread, abort once it waits, and see it end at once."""
    budget = Budget(MAX_SECONDS, wire_bytes=1_000_000)
    attempts: list[Attempt] = []
    thread = threading.Thread(target=lambda: attempts.append(guarded.fetch(url, budget=budget)))
    thread.start()
    assert waits.wait(MAX_SECONDS)
    aborted = time.monotonic()
    budget.abort()
    thread.join(MAX_SECONDS)
    assert time.monotonic() - aborted < PROMPTLY
    assert [attempt.code for attempt in attempts] == ["TIMEOUT"]


def _assert_in_time(attempt: Attempt) -> None:
    assert attempt.code == "TIMEOUT"
    assert DEADLINE <= attempt.seconds < LATEST
