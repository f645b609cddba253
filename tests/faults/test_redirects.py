"""Redirects that loop, mislead or lead where nothing may go (rows R)."""

from dataclasses import dataclass

import pytest
from support.behaviours import answer, by_target, in_turn, redirect, response
from support.fetching import OK, Guard, Names
from support.server import Connection, Serve
from support.tls import Authority

from safefetch_cli import Client

SITE = "site.example"
OTHER = "other.example"
PAGE = response(b"page")


@pytest.mark.parametrize(
    ("answers", "targets"),
    [
        pytest.param({"/": redirect(b"/")}, ["/"], id="R1-itself"),
        pytest.param({"/": redirect(b"/b"), "/b": redirect(b"/")}, ["/", "/b"], id="R1-each-other"),
    ],
)
def test_r1_a_circle(
    serve: Serve, guard: Guard, answers: dict[str, bytes], targets: list[str]
) -> None:
    server = serve(by_target(answers))
    attempt = guard().fetch(server.url())
    assert (attempt.code, server.targets) == ("REDIRECT_FAILED", targets)


@pytest.mark.parametrize(
    ("redirects", "code"),
    [
        pytest.param(5, OK, id="R2-as-many-as-allowed"),
        pytest.param(6, "REDIRECT_FAILED", id="R2-one-more"),
        pytest.param(0, OK, id="R2-none"),
    ],
)
def test_r2_a_chain(serve: Serve, guard: Guard, redirects: int, code: str) -> None:
    paths = ["/" + "x" * number for number in range(redirects + 1)]
    answers = {path: redirect(b"/x" + path[1:].encode()) for path in paths[:-1]}
    server = serve(by_target({**answers, paths[-1]: PAGE}))
    attempt = guard().fetch(server.url(), max_redirects=5)
    assert (attempt.code, server.targets) == (code, paths[:6])
    assert attempt.urls == [server.url(path) for path in paths[:6]]


REJECTED = "POLICY_REJECTED"
FAILED = "REDIRECT_FAILED", ""

REFUSED: dict[str, tuple[bytes, tuple[str, str]]] = {
    # Location: code and rule.
    "R3-loopback": (b"http://127.0.0.1/", (REJECTED, "address")),
    "R3-metadata": (b"http://169.254.169.254/latest/meta-data/", (REJECTED, "address")),
    "R3-ipv6-loopback": (b"http://[::1]/", (REJECTED, "address")),
    "R3-name-of-private": (b"http://inside.example/", (REJECTED, "address")),
    "R4-ftp": (b"ftp://site.example/", (REJECTED, "scheme")),
    "R4-file": (b"file:///etc/passwd", (REJECTED, "scheme")),
    "R4-data": (b"data:text/html,hello", (REJECTED, "scheme")),
    "R4-javascript": (b"javascript:alert(1)", (REJECTED, "scheme")),
    "R4-gopher": (b"gopher://site.example/", (REJECTED, "scheme")),
    "R5-userinfo": (b"http://user:word@site.example/", (REJECTED, "userinfo")),
    "R5-port-0": (b"http://site.example:0/", FAILED),
    "R5-decimal-address": (b"http://2130706433/", (REJECTED, "address")),
    "R5-zone": (b"http://[fe80::1%25eth0]/", FAILED),
    "R5-too-long": (b"http://site.example/" + b"a" * 9000, FAILED),
    "R6-empty": (b"", FAILED),
    "R6-spaces": (b"   ", FAILED),
    "R8-tab": (b"/a\tb", FAILED),
    "R8-cr": (b"/a\rX: b", FAILED),
    "R8-nul": (b"/a\0b", FAILED),
    "R8-backslashes": (b"\\\\other.example\\x", FAILED),
    "R8-slash-backslash": (b"/\\other.example/x", FAILED),
    "R8-one-slash": (b"https:/x", FAILED),
    "R8-no-slash": (b"http:x", FAILED),
    "R8-three-slashes": (b"///other.example/x", FAILED),
    "R9-latin-1-host": (b"http://b\xfccher.example/", FAILED),
}


@pytest.mark.parametrize(("location", "expected"), REFUSED.values(), ids=REFUSED)
def test_a_location_that_is_refused(
    serve: Serve, guard: Guard, location: bytes, expected: tuple[str, str]
) -> None:
    server = serve(by_target({"/": redirect(location)}))
    names = Names({SITE: ["127.0.0.1"], "inside.example": ["10.0.0.1"]})
    attempt = guard(allow=[SITE], names=names).fetch(server.url(host=SITE))
    server.stop()
    assert (attempt.code, attempt.rule) == expected
    assert (server.targets, server.connections) == (["/"], 1)
    assert attempt.urls == [server.url(host=SITE)]


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param([], id="R6-missing"),
        pytest.param([b"Location: /a", b"Location: /b"], id="R6-two-differing"),
    ],
)
@pytest.mark.parametrize("status", [b"301 A", b"302 B", b"303 C", b"307 D", b"308 E"])
def test_r6_a_redirect_to_nowhere_or_to_two_places(
    serve: Serve, guard: Guard, fields: list[bytes], status: bytes
) -> None:
    server = serve(answer(response(b"", *fields, status=status)))
    attempt = guard().fetch(server.url())
    server.stop()
    assert (attempt.code, server.targets) == ("REDIRECT_FAILED", ["/"])


@dataclass(frozen=True)
class Followed:
    """A Location that is followed from http://site.example:PORT/dir/page?old=1, and where to."""

    location: bytes
    next_url: str  # without scheme; PORT stands for the port
    host: str = SITE


FOLLOWED = {
    "R7-relative": Followed(b"other", "site.example:PORT/dir/other"),
    "R7-absolute-path": Followed(b"/abs", "site.example:PORT/abs"),
    "R7-query": Followed(b"?q=2", "site.example:PORT/dir/page?q=2"),
    "R7-other-host": Followed(b"//other.example:PORT/x", "other.example:PORT/x", OTHER),
    "R7-dots": Followed(b"../../up/./x", "site.example:PORT/up/x"),
    "R7-trailing-space": Followed(b"/abs  ", "site.example:PORT/abs"),
    "R7-inner-space": Followed(b"/a b", "site.example:PORT/a%20b"),
    "R7-fragment": Followed(b"/abs#part", "site.example:PORT/abs"),
    "R9-utf-8-path": Followed("/\u00fc".encode(), "site.example:PORT/%C3%BC"),
    "R9-latin-1-path": Followed(b"/\xfc", "site.example:PORT/%FC"),
    "R9-utf-8-host": Followed(
        "http://b\u00fccher.example:PORT/".encode(),
        "xn--bcher-kva.example:PORT/",
        "xn--bcher-kva.example",
    ),
}


@pytest.mark.parametrize("case", FOLLOWED.values(), ids=FOLLOWED)
@pytest.mark.parametrize("times", [1, 2], ids=["once", "R7-twice-the-same"])
def test_the_exact_next_url(serve: Serve, guard: Guard, case: Followed, times: int) -> None:
    ports: list[bytes] = []

    def lead_on(connection: Connection) -> None:
        connection.request()
        field = b"Location: " + case.location.replace(b"PORT", ports[0])
        connection.send(response(b"", *[field] * times, status=b"302 Found"))

    server = serve(in_turn(lead_on, answer(PAGE)))
    ports.append(b"%d" % server.port)
    guarded = guard()
    attempt = guarded.fetch(server.url("/dir/page?old=1", host=SITE))
    assert (attempt.code, attempt.body) == (OK, b"page")
    expected = "http://" + case.next_url.replace("PORT", str(server.port))
    assert attempt.response.final_url == attempt.urls[-1] == expected
    assert expected.endswith(server.targets[1])
    assert server.requests[1].fields["host"] == f"{case.host}:{server.port}"
    assert guarded.names.asked == [SITE, case.host]


@pytest.mark.parametrize(
    ("status", "fields"),
    [
        pytest.param(b"300 Multiple Choices", [b"Location: /a"], id="R10-300-location"),
        pytest.param(b"300 Multiple Choices", [], id="R10-300"),
        pytest.param(b"304 Not Modified", [b"Location: /a"], id="R10-304"),
        pytest.param(b"305 Use Proxy", [b"Location: http://127.0.0.1:1/"], id="R10-305"),
    ],
)
def test_r10_statuses_that_lead_nowhere(
    serve: Serve, guard: Guard, status: bytes, fields: list[bytes]
) -> None:
    server = serve(answer(response(b"", *fields, status=status)))
    attempt = guard().fetch(server.url())
    server.stop()
    assert (attempt.code, server.targets) == (OK, ["/"])
    assert attempt.response.status == int(status[:3])


def test_r11_from_https_to_http(serve: Serve, guard: Guard, authority: Authority) -> None:
    plain = serve(answer(PAGE))
    location = plain.url(host=SITE).encode()
    server = serve(answer(redirect(location)), tls=authority.context(SITE))
    attempt = guard().fetch(server.url(host=SITE))
    plain.stop()
    assert (attempt.code, attempt.rule, plain.connections) == (REJECTED, "downgrade", 0)


def test_r12_from_http_to_https_of_another_host(
    serve: Serve, guard: Guard, authority: Authority
) -> None:
    secure = serve(answer(PAGE), tls=authority.context(OTHER))
    server = serve(answer(redirect(secure.url(host=OTHER).encode())))
    attempt = guard().fetch(server.url(host=SITE))
    assert (attempt.code, attempt.body) == (OK, b"page")
    assert secure.names == [OTHER]
    assert secure.requests[0].fields["host"] == f"{OTHER}:{secure.port}"


META = b'<meta http-equiv="refresh" content="0; url=/next"><p>The page before the next one.</p>'


@pytest.mark.parametrize(
    ("body", "fields", "reported"),
    [
        pytest.param(b"<p>hello</p>", [b"Refresh: 0; url=/next"], "header", id="R13-header"),
        pytest.param(META, [], "page", id="R13-meta"),
        pytest.param(b"<p>hello</p>", [b'Alt-Svc: h2="other:443"'], "", id="R14-alt-svc"),
    ],
)
def test_what_asks_a_browser_to_go_on_is_not_followed(
    serve: Serve, body: bytes, fields: list[bytes], reported: str
) -> None:
    server = serve(answer(response(body, b"Content-Type: text/html", *fields)))
    with Client(allow=["127.0.0.1"], robots="ignore") as client:
        results = [client.get(server.url()) for _ in range(2)]
    server.stop()
    assert server.targets == ["/", "/"]
    assert (server.connections, {result.final_url for result in results}) == (2, {server.url()})
    expected = server.url("/next") if reported else None
    assert [result.refresh_url for result in results] == [expected] * 2
