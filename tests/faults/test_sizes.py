"""Answers that are larger than they may be (rows S, and F9)."""

import pytest
from support.behaviours import answer, flooding, in_turn, redirect, response
from support.fetching import OK, Guard
from support.memory import MEBIBYTE, growth_of_fetch
from support.server import Behaviour, Connection, Serve

from safefetch_cli import Client
from safefetch_cli.errors import HttpError
from safefetch_cli.net.budget import Budget

CAP = 100_000
MEGABYTE = 1_000_000
CLOSE_DELIMITED = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n"
CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

AT_THE_CAP: dict[str, tuple[Behaviour, bool]] = {
    # The behaviour, and whether the body is cut.
    "S1-one-more": (answer(response(b"a" * (CAP + 1))), True),
    "S1-exactly": (answer(response(b"a" * CAP)), False),
    "S2-endless": (flooding(CLOSE_DELIMITED, b"a", 200 * MEGABYTE), True),
    "S2-endless-chunks": (flooding(CHUNKED, b"5\r\naaaaa\r\n", 200 * MEGABYTE), True),
    "S3-declared": (answer(response(b"a" * CAP * 5)), True),
}


@pytest.mark.parametrize(("behave", "truncated"), AT_THE_CAP.values(), ids=AT_THE_CAP)
def test_a_body_is_cut_at_the_cap(
    serve: Serve, guard: Guard, behave: Behaviour, truncated: bool
) -> None:
    server = serve(behave)
    attempt = guard().fetch(server.url(), max_bytes=CAP)
    server.stop()
    assert (attempt.code, attempt.body) == (OK, b"a" * CAP)
    assert attempt.response.truncated is truncated
    assert server.sent < 20 * MEGABYTE


def test_s4_the_cap_on_wire_bytes_is_one_for_all_hops(serve: Serve, guard: Guard) -> None:
    padding = [b"X-%d: %s" % (number, b"a" * 50_000) for number in range(4)]
    hop = response(b"", b"Location: /next", *padding, status=b"302 Found")
    server = serve(in_turn(answer(hop), answer(hop.replace(b"/next", b"/last")), answer(hop)))
    attempt = guard().fetch(server.url(), budget=Budget(5.0, wire_bytes=500_000))
    server.stop()
    assert attempt.code == "PROCESSING_LIMIT"
    assert server.targets == ["/", "/next", "/last"]


def test_s5_the_body_of_a_redirect_is_not_read(serve: Serve, guard: Guard) -> None:
    start = b"HTTP/1.1 302 Found\r\nLocation: /next\r\nContent-Length: 200000000\r\n\r\n"
    server = serve(in_turn(flooding(start, b"a", 200 * MEGABYTE), answer(response())))
    attempt = guard().fetch(server.url(), budget=Budget(5.0, wire_bytes=100_000))
    server.stop()
    assert (attempt.code, server.targets) == (OK, ["/", "/next"])
    assert server.sent < 20 * MEGABYTE


def test_s6_an_error_with_a_huge_body(serve: Serve, guard: Guard) -> None:
    start = b"HTTP/1.1 404 Not Found\r\nContent-Type: text/plain\r\n\r\n"
    server = serve(flooding(start, b"gone ", 200 * MEGABYTE))
    attempt = guard().fetch(server.url())
    assert (attempt.code, attempt.response.status) == (OK, 404)
    assert (len(attempt.body), attempt.response.truncated) == (64 * 1024, True)
    with Client(allow=["127.0.0.1"], robots="ignore") as client, pytest.raises(HttpError) as caught:
        client.get(server.url())
    assert (caught.value.status, len(caught.value.text)) == (404, 2000)
    server.stop()
    assert server.sent < 40 * MEGABYTE


def test_a_redirect_to_a_good_page_after_a_large_one_is_followed(
    serve: Serve, guard: Guard
) -> None:
    server = serve(in_turn(answer(redirect(b"/next") + b"a" * MEGABYTE), answer(response())))
    assert guard().fetch(server.url(), max_bytes=10).body == b"ok"


def test_f9_a_chunk_of_negative_size(serve: Serve) -> None:
    """http.client reads a chunk of -1 to the end of the stream."""

    def behave(connection: Connection) -> None:
        connection.request()
        connection.send(CHUNKED, b"-1\r\n")
        connection.flood(b"a", 50 * MEGABYTE)

    server = serve(in_turn(answer(response()), behave))
    growth = growth_of_fetch(server.url())
    assert growth.code == "PROCESSING_LIMIT"
    assert growth.bytes < 30 * MEBIBYTE
