"""Addresses and URLs that must not be reached: refused before anything is sent (rows A)."""

from typing import Any

import pytest
from support.behaviours import answer, response
from support.fetching import Guard, Names
from support.server import Serve

from safefetch_cli.net import dial

PUBLIC = "93.184.216.34"
IPV4_SPELLINGS = {
    "zero": "0",
    "short": "127.1",
    "hex": "0x7f.1",
    "decimal": "2130706433",
    "octal": "0177.0.0.1",
    "root-dot": "127.0.0.1.",
}
REFUSED_ANSWERS = {
    "A2": ["127.0.0.1"],
    "A3": [PUBLIC, "10.0.0.1"],
    "A4-loopback": ["::1"],
    "A4-mapped": ["::ffff:127.0.0.1"],
    "A4-compatible": ["::127.0.0.1"],
}
REFUSED_LITERALS = {
    "A5-aws": "169.254.169.254",
    "A5-aws-ula": "[fd00:ec2::254]",
    "A5-azure": "168.63.129.16",
    "A5-alibaba": "100.100.100.200",
    "A5-oracle": "192.0.0.192",
    "A6-nat64": "[64:ff9b::7f00:1]",
    "A7-6to4": "[2002:7f00:1::]",
    "A7-teredo": "[2001:0:4136:e378:8000:63bf:3fff:fdd2]",
    "A7-isatap": "[2606:4700::5efe:7f00:1]",
    "A7-site-local": "[fec0::1]",
    "A7-multicast": "[ff02::1]",
    "A7-srv6": "[5f00::1]",
    "A7-documentation": "[3fff::1]",
    **{f"A8-{spelling}": host for spelling, host in IPV4_SPELLINGS.items()},
    "A9-full-width": "\uff11\uff12\uff17.\uff10.\uff10.\uff11",
    "A9-circled": "\u2460\u2461\u2466.\u24ea.\u24ea.\u2460",
}


def test_a1_loopback_is_refused_and_nothing_connects(serve: Serve, guard: Guard) -> None:
    server = serve(answer(response()))
    attempt = guard(allow=()).fetch(server.url())
    server.stop()
    assert (attempt.code, attempt.rule, server.connections) == ("POLICY_REJECTED", "address", 0)


@pytest.mark.parametrize("answers", REFUSED_ANSWERS.values(), ids=REFUSED_ANSWERS)
def test_a_name_that_leads_to_a_refused_address(
    guard: Guard, dialled: list[Any], answers: list[str]
) -> None:
    guarded = guard(allow=(), names=Names({"site.example": answers}))
    attempt = guarded.fetch("http://site.example/")
    assert (attempt.code, attempt.rule, dialled) == ("POLICY_REJECTED", "address", [])
    assert guarded.names.asked == ["site.example"]


@pytest.mark.parametrize("host", REFUSED_LITERALS.values(), ids=REFUSED_LITERALS)
def test_a_refused_address_in_the_url(guard: Guard, dialled: list[Any], host: str) -> None:
    guarded = guard(allow=())
    attempt = guarded.fetch(f"http://{host}/")
    assert (attempt.code, attempt.rule, dialled) == ("POLICY_REJECTED", "address", [])
    assert guarded.names.asked == []


def test_a6_nat64_of_a_public_address_is_dialled(
    serve: Serve, guard: Guard, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = serve(answer(response()), host="::1")
    asked: list[Any] = []

    class Diverted(dial.BudgetSocket):
        """Connects to the test's server in place of the public address."""

        def connect_ex(self, address: Any) -> int:
            asked.append(address)
            return super().connect_ex((server.host, server.port, 0, 0))

        def getpeername(self) -> Any:
            return asked[-1]

    monkeypatch.setattr(dial, "BudgetSocket", Diverted)
    attempt = guard(allow=()).fetch("http://[64:ff9b::808:808]/")
    assert (attempt.code, attempt.body) == ("OK", b"ok")
    assert asked == [("64:ff9b::808:808", 80, 0, 0)]
    assert server.requests[0].fields["host"] == "[64:ff9b::808:808]"


MALFORMED = "INVALID_INPUT", ""
USERINFO = "POLICY_REJECTED", "userinfo"
SCHEME = "POLICY_REJECTED", "scheme"
ADDRESS = "POLICY_REJECTED", "address"

A10_REFUSED = {
    "http:good.com/": MALFORMED,
    "http:/good.com/": MALFORMED,
    "http:///good.com/": MALFORMED,
    "http:\\\\good.com\\x": MALFORMED,
    "http://good.com\\@evil.com/": MALFORMED,
    "http://good.com\\.evil.com/": MALFORMED,
    "http://evil.com\\good.com/": MALFORMED,
    "http://good.com@evil.com/": USERINFO,
    "http://good.com:80@evil.com/": USERINFO,
    "http://a@good.com@evil.com/": USERINFO,
    "http://good.com%40evil.com/": MALFORMED,
    "http://good.com;@evil.com/": USERINFO,
    "http://[good.com]/": MALFORMED,
    "http://good.com]/": MALFORMED,
    "http://evil.com[good.com]/": MALFORMED,
    "http://good.com /": MALFORMED,
    "http://go\tod.com/": MALFORMED,
    "http://go\nod.com/": MALFORMED,
    "h\nttp://good.com/": MALFORMED,
    "http://good.com\x00.evil.com/": MALFORMED,
    "http://good.com%00.evil.com/": MALFORMED,
    "http://good.com%2f.evil.com/": MALFORMED,
    "http://127.0.0%2e1/": ADDRESS,
    "http://%31%32%37.0.0.1/": ADDRESS,
    "http://0x7f000001/": ADDRESS,
    "http://017700000001/": ADDRESS,
    "http://127.0.0.08/": MALFORMED,
    "http://127.0.0.256/": MALFORMED,
    "http://127.0.0.1.1/": MALFORMED,
    "http://4294967297/": MALFORMED,
    "http://1.1.1.1%20/": MALFORMED,
    "http://0x7f.0x0.0x0.0x1/": ADDRESS,
    "http://127.0.0.0x1/": ADDRESS,
    "http://good.com\uff0f.evil.com/": MALFORMED,
    "http://good.com\u2100.evil.com/": MALFORMED,
    "http://\u3164.com/": MALFORMED,
    "http://*.com/": MALFORMED,
    "http://.com/": MALFORMED,
    "http://a..b/": MALFORMED,
    "http://good.com../": MALFORMED,
    "http://[fe80::1%25eth0]/": MALFORMED,
    "http://[fe80::1%eth0]/": MALFORMED,
    "http://[::1%25lo]/": MALFORMED,
    "http://[::1]evil.com/": MALFORMED,
    "http://[::1].evil.com/": MALFORMED,
    "http://::1/": MALFORMED,
    "http://[v1.x]/": MALFORMED,
    "http://good.com:0/": MALFORMED,
    "http://good.com:65536/": MALFORMED,
    "http://good.com:-1/": MALFORMED,
    "http://good.com:80:90/": MALFORMED,
    "http://good.com:\uff18\uff10/": MALFORMED,
    "http://good.com:+80/": MALFORMED,
    "http://good.com:8_0/": MALFORMED,
    "http://good.com: 80/": MALFORMED,
    "https:good.com": MALFORMED,
    "//good.com/": MALFORMED,
    "good.com": MALFORMED,
    "http://": MALFORMED,
    "http://?x": MALFORMED,
    "http+unix://%2Fvar%2Frun%2Fdocker.sock/x": SCHEME,
    "httpx://good.com/": SCHEME,
    "javascript:alert(1)": SCHEME,
    "file:///etc/passwd": SCHEME,
    "http://good.com/\r\nX: y": MALFORMED,
}


@pytest.mark.parametrize(("url", "expected"), A10_REFUSED.items(), ids=map(ascii, A10_REFUSED))
def test_a10_a_url_that_parsers_read_differently_is_refused(
    guard: Guard, dialled: list[Any], url: str, expected: tuple[str, str]
) -> None:
    guarded = guard(allow=())
    attempt = guarded.fetch(url)
    assert (attempt.code, attempt.rule) == expected
    assert (guarded.names.asked, dialled) == ([], [])


A10_CANONICAL = {
    # What the URL standard reads in one way only: (URL, host looked up, request target).
    " http://good.com/": ("good.com", "/"),
    "http://%65vil.com/": ("evil.com", "/"),
    "http://\u2603.net/": ("xn--n3h.net", "/"),
    "http://-a.com/": ("-a.com", "/"),
    "http://good.com/a b": ("good.com", "/a%20b"),
}


@pytest.mark.parametrize(("url", "expected"), A10_CANONICAL.items(), ids=map(ascii, A10_CANONICAL))
def test_a10_a_url_that_has_one_reading_is_judged_by_it(
    serve: Serve, guard: Guard, url: str, expected: tuple[str, str]
) -> None:
    server = serve(answer(response()))
    scheme, host, path = url.partition("//")[0], *url.partition("//")[2].partition("/")[::2]
    guarded = guard()
    attempt = guarded.fetch(f"{scheme}//{host}:{server.port}/{path}")
    assert attempt.code == "OK"
    assert (guarded.names.asked, server.targets) == ([expected[0]], [expected[1]])
    assert server.requests[0].fields["host"] == f"{expected[0]}:{server.port}"


def test_a10_octal_is_read_as_octal(guard: Guard, dialled: list[Any]) -> None:
    guarded = guard(allow=["87.0.0.1:1"])
    attempt = guarded.fetch("http://00000127.0.0.1:25/")
    assert (attempt.code, attempt.rule) == ("POLICY_REJECTED", "port")  # 87.0.0.1 is public
    assert "87.0.0.1:25" in str(attempt.error)
    assert (guarded.names.asked, dialled) == ([], [])


@pytest.mark.parametrize("port", [25, 6000, 6667])
def test_a11_a_port_of_another_protocol(guard: Guard, dialled: list[Any], port: int) -> None:
    guarded = guard()
    for host in ("127.0.0.1", "site.example"):
        attempt = guarded.fetch(f"http://{host}:{port}/")
        assert (attempt.code, attempt.rule) == ("POLICY_REJECTED", "port")
    assert (guarded.names.asked, dialled) == ([], [])
