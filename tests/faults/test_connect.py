"""Peers that cannot be reached, or hang up (rows C)."""

import threading
from typing import Any

import pytest
from support.behaviours import answer, in_turn, response
from support.fetching import DEADLINE, LATEST, Guard, Names
from support.server import MAX_SECONDS, Behaviour, Blackhole, Connection, Serve, closed_port
from support.tls import Authority


def reset_at_once(connection: Connection) -> None:
    connection.reset()


def close_at_once(connection: Connection) -> None:
    connection.hang_up()


def close_unanswered(connection: Connection) -> None:
    connection.request()


def reset_unanswered(connection: Connection) -> None:
    connection.request()
    connection.reset()


def test_c1_refused(guard: Guard, dialled: list[Any]) -> None:
    with closed_port() as held:
        port = held.getsockname()[1]
        attempt = guard().fetch(f"http://127.0.0.1:{port}/")
    assert (attempt.code, dialled) == ("CONNECTION_FAILED", [("127.0.0.1", port)])


@pytest.mark.parametrize("first", ["127.0.0.2", "::1"], ids=["C2", "C3"])
def test_the_first_address_refuses_and_the_second_is_up(
    serve: Serve, guard: Guard, dialled: list[Any], first: str
) -> None:
    server = serve(answer(response()))
    guarded = guard(names=Names({"site.example": [first, "127.0.0.1"]}))
    attempt = guarded.fetch(server.url(host="site.example"))
    assert (attempt.code, attempt.response.hops[0].address) == ("OK", "127.0.0.1")
    assert [address[0] for address in dialled] == [first, "127.0.0.1"]


def test_c4_the_first_address_does_not_answer_and_the_second_is_up(
    serve: Serve, guard: Guard
) -> None:
    server = serve(answer(response()))
    hole = Blackhole("127.0.0.2", server.port)
    guarded = guard(names=Names({"site.example": ["127.0.0.2", "127.0.0.1"]}))
    attempt = guarded.fetch(server.url(host="site.example"))
    hole.close()
    assert (attempt.code, attempt.response.hops[0].address) == ("OK", "127.0.0.1")
    assert attempt.seconds < 0.5


def test_c5_no_address_answers(guard: Guard) -> None:
    holes = [Blackhole("127.0.0.2")]
    holes += [Blackhole(f"127.0.0.{number}", holes[0].port) for number in (3, 4)]
    guarded = guard(names=Names({"site.example": ["127.0.0.2", "127.0.0.3", "127.0.0.4"]}))
    attempt = guarded.fetch(f"http://site.example:{holes[0].port}/", seconds=DEADLINE)
    for hole in holes:
        hole.close()
    assert attempt.code == "TIMEOUT"
    assert DEADLINE <= attempt.seconds < LATEST


DROPPED: dict[str, tuple[Behaviour, int]] = {
    # How the peer hangs up, and the requests it reads before.
    "C6-rst-at-once": (reset_at_once, 0),
    "C7-fin-at-once": (close_at_once, 0),
    "C9-fin-unanswered": (close_unanswered, 1),
    "C9-rst-unanswered": (reset_unanswered, 1),
}


@pytest.mark.parametrize(("behave", "requests"), DROPPED.values(), ids=DROPPED)
def test_a_new_connection_that_is_dropped_is_not_tried_again(
    serve: Serve, guard: Guard, behave: Behaviour, requests: int
) -> None:
    server = serve(behave)
    attempt = guard().fetch(server.url())
    server.stop()
    assert attempt.code == "CONNECTION_FAILED"
    assert (server.connections, len(server.requests)) == (1, requests)


@pytest.mark.parametrize("tls", [False, True], ids=["plain", "tls"])
@pytest.mark.parametrize("drop", [close_unanswered, reset_unanswered], ids=["C8-fin", "C8-rst"])
def test_a_kept_connection_that_is_dropped_is_tried_once_more(
    serve: Serve, guard: Guard, authority: Authority, drop: Behaviour, tls: bool
) -> None:
    kept = answer(response(b"first"), keep=True)
    server = serve(
        in_turn(kept, drop, answer(response(b"again"))),
        tls=authority.context("127.0.0.1") if tls else None,
    )
    guarded = guard()
    bodies = [guarded.fetch(server.url(path)).body for path in ("/1", "/2")]
    server.stop()
    assert bodies == [b"first", b"again"]
    assert (server.connections, server.targets) == (2, ["/1", "/2", "/2"])


def test_c8_and_only_once(serve: Serve, guard: Guard) -> None:
    server = serve(in_turn(answer(response(), keep=True), close_unanswered))
    guarded = guard()
    assert guarded.fetch(server.url("/1")).code == "OK"
    assert guarded.fetch(server.url("/2")).code == "CONNECTION_FAILED"
    server.stop()
    assert (server.connections, server.targets) == (2, ["/1", "/2", "/2"])


@pytest.mark.parametrize("together", [True, False], ids=["one-send", "two-sends"])
@pytest.mark.parametrize("tls", [False, True], ids=["C10-plain", "C10-tls"])
def test_an_answer_that_nobody_asked_for(
    serve: Serve, guard: Guard, authority: Authority, tls: bool, together: bool
) -> None:
    own, stray = response(b"own"), response(b"stray")
    was_sent = threading.Event()

    def send_too_much(connection: Connection) -> bool:
        connection.request()
        connection.send(*((own + stray,) if together else (own, stray)))
        was_sent.set()
        return True

    server = serve(
        in_turn(send_too_much, answer(response(b"second"))),
        tls=authority.context("127.0.0.1") if tls else None,
    )
    guarded = guard()
    assert guarded.fetch(server.url("/1")).body == b"own"
    assert was_sent.wait(MAX_SECONDS)
    assert guarded.fetch(server.url("/2")).body == b"second"
