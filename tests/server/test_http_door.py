"""Which HTTP requests are let in: every row is sent to a server on a port, byte for byte."""

import itertools
import json
from collections.abc import Iterator
from typing import Any

import pytest
from support.raw_http import Field, Reply, chunked, exchange, request
from support.wire import ENVELOPE, INITIALIZE, LEGACY, MODERN, HttpServer, stopping

TOKENS = ("a-token-of-the-test-1", "a-token-of-the-test-2")
RATE = 5
MEBIBYTE = 1024 * 1024

HOST = ("Host", "127.0.0.1:{port}")
TOKEN = ("Authorization", f"Bearer {TOKENS[0]}")
TYPE = ("Content-Type", "application/json")
ACCEPT = ("Accept", "application/json, text/event-stream")
GOOD = (HOST, TOKEN, TYPE, ACCEPT)

NOT_HOST = "The Host is not one of this server's"
NOT_ORIGIN = "The Origin is not allowed"
NO_TOKEN = "A bearer token is needed"
TOO_MANY = "Too many requests; wait"

_clients = itertools.count(1)


@pytest.fixture(scope="module")
def door(
    module_environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[HttpServer]:
    """A server with tokens, a proxy in front, and a low limit for each client."""
    tokens = tmp_path_factory.mktemp("tokens") / "tokens.txt"
    tokens.write_text("\ufeff" + "\n".join(TOKENS) + "\n", encoding="utf-8")
    environment = {
        **module_environment,
        "SAFE_FETCH_RATE_LIMIT_MAX": str(RATE),
        "SAFE_FETCH_RATE_LIMIT_WINDOW_MS": "3600000",
    }
    flags = ["--http-token-file", str(tokens), "--trust-proxy", "1"]
    flags += ["--allowed-hosts", "Fetch.example,proxy.example:8443"]
    flags += ["--allowed-origins", "https://App.example/"]
    with stopping(HttpServer(environment, *flags)) as server:
        yield server


def message(method: str = "tools/list", **params: Any) -> bytes:
    sent = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    return json.dumps(sent).encode()


def ask(
    server: HttpServer,
    fields: tuple[Field, ...] = GOOD,
    *,
    method: str = "POST",
    path: str = "/mcp",
    body: bytes | None = None,
    client: str = "",
    with_length: bool = True,
) -> Reply:
    """The answer to a request of a client of its own, behind the one proxy."""
    number = next(_clients)
    forwarded = ("X-Forwarded-For", client or f"203.0.113.{number % 250}, 198.51.{number}.7")
    sent = [(name, value.replace("{port}", str(server.port))) for name, value in fields]
    body = message() if body is None else body
    if method != "POST":
        body = b""
    whole = request(method, path, [*sent, forwarded], body, with_length=with_length)
    return exchange(server.port, whole)


def check_refused(reply: Reply, status: int, said: str) -> None:
    assert reply.status == status
    assert json.loads(reply.body) == {
        "jsonrpc": "2.0",
        "id": None,
        "error": {"code": -32000, "message": said},
    }
    assert "server" not in reply.fields


def check_answered(reply: Reply) -> None:
    assert reply.status == 200
    assert b'"fetch_url"' in reply.body
    assert "server" not in reply.fields


def host(value: str) -> tuple[Field, ...]:
    return (("Host", value), *GOOD[1:])


HOSTS = [
    (GOOD, True),
    (host("localhost:{port}"), True),
    (host("[::1]:{port}"), True),
    (host("LOCALHOST:{port}"), True),
    (host("fetch.example"), True),
    (host("FETCH.EXAMPLE"), True),
    (host("fetch.example:9"), True),
    (host("proxy.example:8443"), True),
    (host("proxy.example"), False),
    (host("proxy.example:1"), False),
    (host("127.0.0.1"), False),
    (host("127.0.0.1:1"), False),
    (host("localhost:evil"), False),
    (host("fetch.example:evil"), False),
    (host("fetch.example:"), False),
    (host("evil.example"), False),
    (host("evil.example:{port}"), False),
    (host("fetch.example.evil.example"), False),
    (host("evil-fetch.example"), False),
    (host("a@fetch.example"), False),
    (host(""), False),
]


@pytest.mark.parametrize(("fields", "is_let_in"), HOSTS, ids=[row[0][0][1] for row in HOSTS])
def test_the_host(door: HttpServer, fields: tuple[Field, ...], is_let_in: bool) -> None:
    reply = ask(door, fields)
    if is_let_in:
        check_answered(reply)
    else:
        check_refused(reply, 421, NOT_HOST)


@pytest.mark.parametrize(
    "fields", [GOOD[1:], (HOST, *GOOD), (HOST, ("Host", "evil.example"), *GOOD[1:])]
)
def test_no_host_and_two_hosts(door: HttpServer, fields: tuple[Field, ...]) -> None:
    """RFC 9112, 3.2: the HTTP server itself refuses these, or the door does."""
    assert ask(door, fields).status in (400, 421)


ORIGINS = [
    ((), True),
    ((("Origin", "http://127.0.0.1:{port}"),), True),
    ((("Origin", "http://localhost:{port}"),), True),
    ((("Origin", "https://app.example"),), True),
    ((("Origin", "HTTPS://APP.EXAMPLE"),), True),
    ((("Origin", "https://app.example:444"),), False),
    ((("Origin", "http://app.example"),), False),
    ((("Origin", "http://127.0.0.1:1"),), False),
    ((("Origin", "https://evil.example"),), False),
    ((("Origin", "https://app.example.evil.example"),), False),
    ((("Origin", "null"),), False),
    ((("Origin", ""),), False),
    ((("Origin", "https://app.example"), ("Origin", "https://evil.example")), False),
]


@pytest.mark.parametrize(("fields", "is_let_in"), ORIGINS)
def test_the_origin(door: HttpServer, fields: tuple[Field, ...], is_let_in: bool) -> None:
    reply = ask(door, (*GOOD, *fields))
    if not is_let_in:
        check_refused(reply, 403, NOT_ORIGIN)
        assert "access-control-allow-origin" not in reply.fields
        return
    check_answered(reply)
    if fields == (("Origin", "https://app.example"),):
        assert reply.fields["access-control-allow-origin"] == "https://app.example"
        assert reply.fields["access-control-expose-headers"] == "Retry-After, WWW-Authenticate"


def test_a_web_page_asks_before_it_sends(door: HttpServer) -> None:
    asked = (
        HOST,
        ("Origin", "https://app.example"),
        ("Access-Control-Request-Method", "POST"),
        ("Access-Control-Request-Headers", "authorization,content-type,mcp-protocol-version"),
    )
    reply = ask(door, asked, method="OPTIONS")
    assert reply.status == 200
    assert reply.fields["access-control-allow-origin"] == "https://app.example"
    assert reply.fields["access-control-allow-methods"] == "POST"
    allowed = reply.fields["access-control-allow-headers"].lower().split(", ")
    assert {"authorization", "content-type", "mcp-protocol-version", "mcp-name"} <= set(allowed)
    foreign = (HOST, ("Origin", "https://evil.example"), *asked[2:])
    check_refused(ask(door, foreign, method="OPTIONS"), 403, NOT_ORIGIN)


def authorization(*values: str) -> tuple[Field, ...]:
    return (HOST, TYPE, ACCEPT, *(("Authorization", value) for value in values))


AUTHORIZATIONS = [
    ((f"Bearer {TOKENS[0]}",), True),
    ((f"Bearer {TOKENS[1]}",), True),
    ((f"bearer  {TOKENS[1]} ",), True),
    ((), False),
    (("",), False),
    (("Bearer",), False),
    (("Bearer ",), False),
    (("Bearer wrong-token-of-test",), False),
    ((f"Bearer {TOKENS[0]}x",), False),
    ((f"Bearer {TOKENS[0].upper()}",), False),
    ((f"Bearer {TOKENS[0]} {TOKENS[1]}",), False),
    ((f"Bearer {TOKENS[0]}é",), False),
    ((f"Basic {TOKENS[0]}",), False),
    ((TOKENS[0],), False),
    ((f"Bearer {TOKENS[0]}", f"Bearer {TOKENS[0]}"), False),
    ((f"Bearer {TOKENS[0]}", "Bearer wrong"), False),
]


@pytest.mark.parametrize(("values", "is_let_in"), AUTHORIZATIONS)
def test_the_token(door: HttpServer, values: tuple[str, ...], is_let_in: bool) -> None:
    reply = ask(door, authorization(*values))
    if is_let_in:
        check_answered(reply)
    else:
        check_refused(reply, 401, NO_TOKEN)
        assert reply.fields["www-authenticate"] == "Bearer"


def test_a_body_without_a_token_is_not_read(door: HttpServer) -> None:
    """The answer comes although the body does not."""
    fields = (HOST, TYPE, ("Content-Length", "1000000"))
    check_refused(ask(door, fields, body=b"", with_length=False), 401, NO_TOKEN)


def test_each_client_has_a_rate(door: HttpServer) -> None:
    client = "192.0.2.1"
    for _ in range(RATE):
        check_answered(ask(door, client=client))
    reply = ask(door, client=client)
    check_refused(reply, 429, TOO_MANY)
    assert 0 < int(reply.fields["retry-after"]) <= 3600 // RATE
    check_refused(ask(door, authorization(), client=client), 429, TOO_MANY)
    forged = f"198.51.100.99, {client}"
    check_refused(ask(door, client=forged), 429, TOO_MANY)
    check_answered(ask(door, client=f"{client}, 192.0.2.2"))


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT", "PATCH", "HEAD", "OPTIONS"])
def test_only_post_is_answered(door: HttpServer, method: str) -> None:
    reply = ask(door, method=method)
    assert reply.status == 405
    assert reply.fields["allow"] == "POST"
    if method != "HEAD":
        check_refused(reply, 405, "Only POST is answered here")


def test_a_method_without_a_token_is_not_told_of(door: HttpServer) -> None:
    check_refused(ask(door, authorization(), method="DELETE"), 401, NO_TOKEN)


@pytest.mark.parametrize("fields", [(HOST,), (("Host", "evil.example"),)])
def test_anyone_may_ask_for_the_health(door: HttpServer, fields: tuple[Field, ...]) -> None:
    reply = ask(door, fields, method="GET", path="/healthz")
    assert (reply.status, json.loads(reply.body)) == (200, {"status": "ok"})
    assert ask(door, fields, method="HEAD", path="/healthz").status == 200
    assert ask(door, fields, path="/healthz").status == 405


@pytest.mark.parametrize("path", ["/", "/mcp/", "/mcp/x", "/healthz/", "/favicon.ico", "//mcp"])
def test_there_is_nothing_else(door: HttpServer, path: str) -> None:
    check_refused(ask(door, authorization(), method="GET", path=path), 401, NO_TOKEN)
    assert ask(door, method="GET", path=path).status == 404
    assert ask(door, path=path).status == 404


# What the transport itself refuses

LARGE = b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"' + b"x" * MEBIBYTE + b'"}}'
VERSION = ("MCP-Protocol-Version", LEGACY)


@pytest.mark.parametrize(
    ("fields", "body", "status", "code"),
    [
        (GOOD, b"{bad json}", 400, -32700),
        (GOOD, b"", 400, -32700),
        (GOOD, b"[" + message() + b"]", 400, -32600),
        ((*GOOD, VERSION), b'{"id": 1, "method": "ping"}', 400, -32600),
        (GOOD, b'{"jsonrpc": "2.0", "id": 1.5, "method": "ping"}', 400, -32600),
        (GOOD, b'{"jsonrpc": "2.0", "id": null, "method": "ping"}', 400, -32600),
        (GOOD, b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": [1]}', 400, -32600),
        ((*GOOD, ("MCP-Protocol-Version", "1999-01-01")), message(), 400, None),
        ((HOST, TOKEN, ACCEPT, ("Content-Type", "text/plain")), message(), 400, None),
        ((HOST, TOKEN, TYPE, ("Accept", "text/html")), message(), 406, None),
        ((*GOOD, ("MCP-Protocol-Version", MODERN)), message(_meta=ENVELOPE), 400, -32020),
        (GOOD, LARGE, 413, None),
    ],
    ids=[
        *("bad JSON", "no body", "batch", "no version of JSON-RPC", "fraction", "null", "list"),
        "unknown version",
        *("content type", "accept", "no Mcp-Method", "too large"),
    ],
)
def test_a_bad_request(
    door: HttpServer, fields: tuple[Field, ...], body: bytes, status: int, code: int | None
) -> None:
    reply = ask(door, fields, body=body)
    assert reply.status == status
    assert "server" not in reply.fields
    assert b"Traceback" not in reply.body
    assert b"pydantic" not in reply.body
    if code is not None:
        assert json.loads(reply.body)["error"]["code"] == code


def test_a_body_in_chunks_that_is_too_large(door: HttpServer) -> None:
    fields = (*GOOD, ("Transfer-Encoding", "chunked"))
    assert ask(door, fields, body=chunked(LARGE), with_length=False).status == 413
    check_answered(ask(door, fields, body=chunked(message(), 7), with_length=False))


def test_the_largest_body_that_is_taken(door: HttpServer) -> None:
    start = message(x="").removesuffix(b'"}}')
    room = MEBIBYTE - len(start) - 3
    check_answered(ask(door, body=start + b"x" * room + b'"}}'))
    assert ask(door, body=start + b"x" * (room + 1) + b'"}}').status == 413


def test_both_eras_by_their_headers(door: HttpServer) -> None:
    legacy = ask(door, body=message("initialize", **INITIALIZE))
    assert legacy.status == 200
    assert "mcp-session-id" not in legacy.fields
    assert legacy.fields["content-type"].startswith("text/event-stream")
    modern = (*GOOD, ("MCP-Protocol-Version", MODERN), ("Mcp-Method", "tools/list"))
    check_answered(ask(door, modern, body=message(_meta=ENVELOPE)))


def test_the_log_is_quiet(door: HttpServer) -> None:
    assert door.stderr.splitlines() == [f"safefetch: listening on {door.url}"]
