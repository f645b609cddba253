"""Status lines and header fields that are wrong, too many or never end (rows H)."""

import pytest
from support.behaviours import answer, dripping, flooding, in_turn, response, silent_after
from support.fetching import DEADLINE, LATEST, OK, Guard
from support.server import Behaviour, Connection, Serve

from safefetch_cli import Client
from safefetch_cli.errors import HttpError

OK_LINE = b"HTTP/1.1 200 OK\r\n"
EARLY = b"HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n"
CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"
MEGABYTE = 1_000_000


def fields(count: int, size: int) -> bytes:
    """A good answer with so many fields of so many bytes."""
    lines = (b"X-%d: %s\r\n" % (number, b"a" * size) for number in range(count))
    return OK_LINE + b"".join(lines) + b"\r\n"


def dripping_interim(connection: Connection) -> None:
    connection.request()
    for _ in range(20):
        connection.send(CONTINUE)
        connection.pause(0.3)


NEVER_ENDING = {
    "H1-nothing": silent_after(),
    "H2-drip": dripping(b"", OK_LINE + b"X: " + b"a" * 100),
    "H10-interim-drip": dripping_interim,
}


@pytest.mark.parametrize("behave", NEVER_ENDING.values(), ids=NEVER_ENDING)
def test_a_head_that_does_not_end(serve: Serve, guard: Guard, behave: Behaviour) -> None:
    server = serve(behave)
    attempt = guard().fetch(server.url(), seconds=DEADLINE)
    server.stop()
    assert (attempt.code, server.connections) == ("TIMEOUT", 1)
    assert DEADLINE <= attempt.seconds < LATEST


REFUSED: dict[str, tuple[Behaviour, str]] = {
    "H3-endless-line": (flooding(OK_LINE + b"X: ", b"a", 20 * MEGABYTE), "INVALID_RESPONSE"),
    "H4-101-fields": (answer(fields(101, 10)), "INVALID_RESPONSE"),
    "H5-90-large-fields": (answer(fields(90, 60_000)), "PROCESSING_LIMIT"),
    "H6-end-in-a-field": (answer(OK_LINE + b"Content-Len"), "INVALID_RESPONSE"),
    "H6-end-after-status": (answer(OK_LINE), "INVALID_RESPONSE"),
    "H8-nine-interim": (answer(EARLY * 9, response()), "INVALID_RESPONSE"),
    "H9-100-flood": (flooding(b"", CONTINUE, 20 * MEGABYTE), "INVALID_RESPONSE"),
    "H9-102-flood": (
        flooding(b"", b"HTTP/1.1 102 Processing\r\n\r\n", 20 * MEGABYTE),
        "INVALID_RESPONSE",
    ),
    "H11-101": (
        answer(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\n\r\n"),
        "INVALID_RESPONSE",
    ),
    "H12-http-0.9": (answer(b"<html>hello</html>\n"), "INVALID_RESPONSE"),
    "H12-empty": (answer(), "CONNECTION_FAILED"),
    "H12-ssh": (answer(b"SSH-2.0-OpenSSH_9.6\r\n"), "INVALID_RESPONSE"),
    "H12-smtp": (answer(b"220 mail.example ESMTP\r\n500 what?\r\n"), "INVALID_RESPONSE"),
    "H12-icy": (answer(b"ICY 200 OK\r\nicy-name: radio\r\n\r\nmusic"), "INVALID_RESPONSE"),
    "H12-http-2.0": (answer(b"HTTP/2.0 200 OK\r\n\r\nbody"), "INVALID_RESPONSE"),
    "H13-99": (answer(response(status=b"99 Low")), "INVALID_RESPONSE"),
    "H13-1000": (answer(response(status=b"1000 High")), "INVALID_RESPONSE"),
    "H13-abc": (answer(response(status=b"abc What")), "INVALID_RESPONSE"),
}


@pytest.mark.parametrize(("behave", "code"), REFUSED.values(), ids=REFUSED)
def test_a_head_that_is_refused(serve: Serve, guard: Guard, behave: Behaviour, code: str) -> None:
    server = serve(behave)
    attempt = guard().fetch(server.url())
    server.stop()
    assert (attempt.code, server.connections, server.targets) == (code, 1, ["/"])
    assert server.sent < 8 * MEGABYTE


def head(*lines: bytes) -> Behaviour:
    """A good answer with these lines in its head and a last field after them."""
    return answer(response(b"body", *lines, b"X-Last: yes"))


ACCEPTED: dict[str, tuple[Behaviour, dict[str, str | None]]] = {
    # The behaviour, and what fields must be: None for those that must not be there.
    "H7-100": (answer(CONTINUE, response(b"body", b"X-Last: yes")), {}),
    "H7-103": (answer(EARLY, response(b"body", b"X-Last: yes")), {"link": None}),
    "H8-eight-interim": (answer(EARLY * 8, response(b"body", b"X-Last: yes")), {}),
    "H13-plus-200": (answer(response(b"body", b"X-Last: yes", status=b"+200 OK")), {}),
    "H15-nul-in-value": (head(b"X: a\0b"), {"x": "a\0b"}),
    "H15-nul-in-name": (head(b"X\0Y: a"), {"x": None, "x\0y": None}),
    "H15-bare-cr": (
        head(b"X: a\rLocation: /other"),
        {"x": "a\0Location: /other", "location": None},
    ),
    "H15-two-crs": (head(b"Content-Type: text/html\r"), {"content-type": "text/html"}),
    "H15-obs-fold": (head(b"X: a", b" b"), {"x": "a b"}),
    "H15-no-colon": (head(b"no field at all"), {"no field at all": None}),
    "H16-no-type": (head(), {"content-type": None}),
    "H16-two-types": (
        head(b"Content-Type: text/html", b"Content-Type: text/plain"),
        {"content-type": "text/html, text/plain"},
    ),
}


@pytest.mark.parametrize(("behave", "expected"), ACCEPTED.values(), ids=ACCEPTED)
def test_a_head_that_is_odd_and_harmless(
    serve: Serve, guard: Guard, behave: Behaviour, expected: dict[str, str | None]
) -> None:
    server = serve(behave)
    attempt = guard().fetch(server.url())
    assert (attempt.code, attempt.response.status, attempt.body) == (OK, 200, b"body")
    got = attempt.response.headers
    assert got["x-last"] == "yes"
    assert {name: got.get(name) for name in expected} == expected


def test_h14_a_status_of_999(serve: Serve, guard: Guard) -> None:
    server = serve(answer(response(b"<p>go away</p>", status=b"999 Denied")))
    assert guard().fetch(server.url()).response.status == 999
    with Client(allow=["127.0.0.1"], robots="ignore") as client, pytest.raises(HttpError) as caught:
        client.get(server.url())
    assert (caught.value.status, caught.value.text.strip()) == (999, "go away")


def test_h17_a_cookie_is_not_kept_for_the_next_fetch(serve: Serve, guard: Guard) -> None:
    with_cookie = answer(response(b"1", b"Set-Cookie: a=b; Path=/"), keep=True)
    server = serve(in_turn(with_cookie, answer(response(b"2"))))
    guarded = guard()
    assert [guarded.fetch(server.url()).body for _ in range(2)] == [b"1", b"2"]
    assert [request.fields.get("cookie") for request in server.requests] == [None, None]
