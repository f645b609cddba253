"""Cookies of one fetch: to the host that set them, and nowhere else."""

import pytest

from safefetch_cli.net.cookies import MAX_COOKIE_CHARS, MAX_COOKIES, Cookies
from safefetch_cli.net.urls import parse

URL = "http://name.example/a/b?q"


def sent(to: str, *lines: str, stored_by: str = URL) -> str:
    """What goes to a URL after these Set-Cookie lines."""
    cookies = Cookies()
    cookies.store(parse(stored_by), list(lines))
    return cookies.header(parse(to))


@pytest.mark.parametrize(
    ("line", "pair"),
    [
        ("a=1", "a=1"),
        (" a = 1 ; Path=/", "a=1"),
        ("a=1=2", "a=1=2"),
        ('a="1"', 'a="1"'),
        ("a=", "a="),
        ("a=1; HttpOnly; SameSite=Strict; Unknown=x", "a=1"),
        ("a", ""),
        ("=1", ""),
        ("", ""),
        (";", ""),
        ("a=\x01", ""),
        ("a=1\tb", ""),
    ],
)
def test_a_cookie_is_a_name_and_a_value(line: str, pair: str) -> None:
    assert sent(URL, line) == pair


@pytest.mark.parametrize(
    "url",
    [
        "http://other.example/a/b",
        "http://example/a/b",
        "http://www.name.example/a/b",
        "http://name.example.evil.example/a/b",
        "http://10.0.0.1/a/b",
    ],
)
def test_a_cookie_goes_to_no_other_host_whatever_its_domain(url: str) -> None:
    assert (
        sent(url, "a=1; Path=/", "b=2; Path=/; Domain=example", "c=3; Domain=.name.example") == ""
    )


def test_a_cookie_goes_to_its_host_on_other_ports_and_schemes() -> None:
    assert sent("https://name.example:8443/a/b", "a=1; Domain=other.example") == "a=1"


@pytest.mark.parametrize(
    ("path", "url", "goes"),
    [
        ("", "http://name.example/a/c", True),
        ("", "http://name.example/a", True),
        ("", "http://name.example/", False),
        ("", "http://name.example/ab", False),
        ("; Path=/", "http://name.example/", True),
        ("; Path=/a/", "http://name.example/a/x?y", True),
        ("; Path=/a/", "http://name.example/a", False),
        ("; path=/x", "http://name.example/x/y", True),
        ("; path=/x", "http://name.example/xy", False),
        ("; Path=relative", "http://name.example/a/c", True),
        ("; Path=relative", "http://name.example/x", False),
    ],
)
def test_a_cookie_goes_to_its_path(path: str, url: str, goes: bool) -> None:
    assert sent(url, f"a=1{path}") == ("a=1" if goes else "")


def test_a_secure_cookie_goes_over_https_alone() -> None:
    https = "https://name.example/a/b"
    assert sent(https, "a=1; Secure", "b=2", stored_by=https) == "a=1; b=2"
    assert sent(URL, "a=1; secure", "b=2", stored_by=https) == "b=2"


@pytest.mark.parametrize(
    ("attributes", "kept"),
    [
        ("Max-Age=60", True),
        ("Max-Age=0", False),
        ("Max-Age=-1", False),
        ("max-age=x", True),
        ("Max-Age=" + "9" * 5000, True),
        ("Max-Age=-" + "9" * 5000, False),
        ("Expires=Thu, 01 Jan 1970 00:00:00 GMT", False),
        ("Expires=Fri, 31 Dec 9999 23:59:59 GMT", True),
        ("Expires=soon", True),
        ("Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT", True),
        ("Max-Age=0; Expires=Fri, 31 Dec 9999 23:59:59 GMT", False),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_cookie_whose_time_is_over_is_removed(attributes: str, kept: bool) -> None:
    assert sent(URL, "a=old", f"a=new; {attributes}") == ("a=new" if kept else "")


def test_a_later_cookie_of_the_name_and_path_replaces_the_earlier() -> None:
    assert sent(URL, "a=1", "b=2", "a=3") == "a=3; b=2"


def test_longer_paths_come_first() -> None:
    assert sent(URL, "a=1; Path=/", "b=2; Path=/a/b", "c=3; Path=/a") == "b=2; c=3; a=1"


def test_there_are_not_too_many_and_none_is_too_long() -> None:
    lines = [f"c{number}=x" for number in range(MAX_COOKIES + 10)]
    assert sent(URL, *lines).count("=") == MAX_COOKIES
    assert sent(URL, *lines, "c0=y").startswith("c0=y; c1=x")
    assert sent(URL, "a=" + "x" * (MAX_COOKIE_CHARS - 2)).count("x") == MAX_COOKIE_CHARS - 2
    assert sent(URL, "a=" + "x" * (MAX_COOKIE_CHARS - 1)) == ""


def test_two_fetches_share_nothing() -> None:
    Cookies().store(parse(URL), ["a=1"])
    assert Cookies().header(parse(URL)) == ""
