"""The one URL parser: what it reads and what it refuses."""

from ipaddress import ip_address

import pytest

from safefetch_cli.errors import InvalidInput, PolicyRejected, RedirectFailed
from safefetch_cli.net import urls

BASE = urls.parse("http://start.example/a/b?q")


def test_a_target_has_the_parts_of_the_url() -> None:
    target = urls.parse("HTTPS://User.Example:8443/P%20a/../th?Q=1#Frag")
    assert (target.scheme, target.host, target.port) == ("https", "user.example", 8443)
    assert (target.request_target, target.fragment) == ("/th?Q=1", "Frag")
    assert target.address is None
    assert target.origin == "https://user.example:8443"
    assert target.url == "https://user.example:8443/th?Q=1"


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("http://example.com", "http://example.com/"),
        (" \t\r\nhttp://example.com/\n", "http://example.com/"),
        ("http://example.com:80/", "http://example.com/"),
        ("https://example.com:443/", "https://example.com/"),
        ("https://example.com:80/", "https://example.com:80/"),
        ("http://example.com:00081/", "http://example.com:81/"),
        ("http://example.com?q", "http://example.com/?q"),
        ("http://example.com/?", "http://example.com/"),
        ("http://example.com./", "http://example.com./"),
        ("http://a_b.example/", "http://a_b.example/"),
        ("http://0x7f.1/", "http://127.0.0.1/"),
        ("http://017700000001/", "http://127.0.0.1/"),
        ("http://2130706433/", "http://127.0.0.1/"),
        ("http://%31%32%37.1/", "http://127.0.0.1/"),
        ("http://\uff11\uff12\uff17.0.0.1/", "http://127.0.0.1/"),
        ("http://[0:0::0001]/", "http://[::1]/"),
        ("http://[::ffff:1.2.3.4]:8080/", "http://[::ffff:102:304]:8080/"),
        ("http://m\u00fcnchen.example/", "http://xn--mnchen-3ya.example/"),
        ("http://fa\u00df.example/", "http://xn--fa-hia.example/"),
        ("http://a\u3002example/", "http://a.example/"),
        ("http://x.example/\u00fc?\u00fc", "http://x.example/%C3%BC?%C3%BC"),
        ("http://x.example/a b", "http://x.example/a%20b"),
        ("http://x.example/a\\b", "http://x.example/a/b"),
        ("http://x.example/%2e%2E/%2f", "http://x.example/%2f"),
    ],
)
def test_a_url_has_one_canonical_form(text: str, canonical: str) -> None:
    assert urls.parse(text).url == canonical


@pytest.mark.parametrize(
    ("text", "address"),
    [("http://1.1.1.1/", "1.1.1.1"), ("http://[2606::1]/", "2606::1"), ("http://1/", "0.0.0.1")],
)
def test_a_literal_address_is_known_as_one(text: str, address: str) -> None:
    assert urls.parse(text).address == ip_address(address)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "  ",
            "x",
            "example.com",
            "example.com:80",
            "//example.com",
            "http",
            "http:",
            "http:/",
        ),
        *("http://", "http:///x", "http:x.example", "http:/x.example", "http:\\\\x.example"),
        *("http://x.example:0/", "http://x.example:65536/", "http://x.example:-1/", "http://:80/"),
        *("http://x.example:8 0/", "http://x y/", "http://x\\y/", "http://x\\@y.example/"),
        *(
            "http://x\ny/",
            "http://x.example/\x00",
            "http://x.example/\x7f",
            "http://x.example/\x85",
        ),
        *("http://.x.example/", "http://x..example/", "http://../", "http://x.example../"),
        *("http://[::1/", "http://::1/", "http://[::1]x/", "http://[]/", "http://[1.2.3.4]/"),
        *("http://[fe80::1%eth0]/", "http://[fe80::1%25eth0]/", "http://[::1]:x/"),
        *("http://1.2.3.256/", "http://1.2.3.4.5/", "http://0x100000000/", "http://08.1/"),
        *("http://a*b.example/", "http://a%00b/", "http://a%2fb/", "http://a%40b/", "http://a,b/"),
        *("http://a\u00adb\u2000/", "http://\ud800/", "http://xn--a/", "http://a\u3000b/"),
        "http://" + "a" * 64 + ".example/",
        "http://" + ".".join(["a" * 60] * 5) + "/",
        "http://x.example/" + "a" * urls.MAX_URL_CHARS,
    ],
    ids=lambda text: ascii(text[:40]),
)
def test_what_parsers_read_differently_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput):
        urls.parse(text)


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("file:///etc/passwd", "scheme"),
        ("ftp://x.example/", "scheme"),
        ("javascript:alert(1)", "scheme"),
        ("view-source:http://x.example/", "scheme"),
        ("http+unix://x/", "scheme"),
        ("http://user@x.example/", "userinfo"),
        ("http://user:password@x.example/", "userinfo"),
        ("http://@x.example/", "userinfo"),
        ("http://x.example@127.0.0.1/", "userinfo"),
    ],
)
def test_other_schemes_and_credentials_are_refused(text: str, rule: str) -> None:
    with pytest.raises(PolicyRejected) as caught:
        urls.parse(text)
    assert caught.value.rule == rule
    assert "password" not in caught.value.message.replace("user name or password", "")


def test_an_at_sign_in_the_path_is_no_credential() -> None:
    assert urls.parse("http://x.example/@user").request_target == "/@user"
    assert urls.parse("http://x.example?a@b").request_target == "/?a@b"


@pytest.mark.parametrize(
    ("text", "host"),
    [
        ("EXAMPLE.com", "example.com"),
        ("m\u00fcnchen.example", "xn--mnchen-3ya.example"),
        ("0x7f.1", "127.0.0.1"),
        ("::1", "::1"),
        ("[::1]", "::1"),
        ("::ffff:127.0.0.1", "::ffff:7f00:1"),
        ("example.com.", "example.com."),
    ],
)
def test_a_bare_host_has_a_canonical_form(text: str, host: str) -> None:
    assert urls.parse_host(text) == host


@pytest.mark.parametrize(
    "text",
    [
        *("", "a b", "x.example/", "x.example:80", "x.example:81", "[::1]:80", "[::1]:81"),
        *("x/..", "x/.", "x?", "x?y", "x#", "x#y", "x/#y", "http://x", "x/%2e"),
    ],
)
def test_what_is_more_than_a_host_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput):
        urls.parse_host(text)


def test_a_host_with_credentials_is_refused() -> None:
    with pytest.raises(PolicyRejected):
        urls.parse_host("user@x.example")


@pytest.mark.parametrize(
    ("location", "url"),
    [
        ("/c", "http://start.example/c"),
        ("c", "http://start.example/a/c"),
        ("../c", "http://start.example/c"),
        ("?x", "http://start.example/a/b?x"),
        ("#f", "http://start.example/a/b?q#f"),
        (" /c\t", "http://start.example/c"),
        ("//other.example/c", "http://other.example/c"),
        ("https://other.example", "https://other.example"),
        ("file:///etc/passwd", "file:///etc/passwd"),
        ("/?next=http://127.0.0.1/\\", "http://start.example/?next=http://127.0.0.1/\\"),
        ("/gr\u00fc\u00df".encode().decode("latin-1"), "http://start.example/gr\u00fc\u00df"),
        ("/\xff", "http://start.example/%FF"),
    ],
)
def test_a_location_is_joined_to_its_base(location: str, url: str) -> None:
    assert urls.join(BASE, location) == url


@pytest.mark.parametrize(
    "location",
    ["", "  ", "\\\\127.0.0.1\\x", "/\\127.0.0.1", "http:\\\\x.example", "/a\x00b", "/\x7f"],
)
def test_a_location_that_can_be_read_in_two_ways_is_refused(location: str) -> None:
    with pytest.raises(RedirectFailed):
        urls.join(BASE, location)
