"""No other parser reads another host or port in a URL that was accepted."""

from urllib.parse import urlsplit

import ada_url
import requests
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from urllib3.util import parse_url

from safefetch_cli.errors import InvalidInput, PolicyRejected
from safefetch_cli.net import urls

EXAMPLES = 3000
FEWEST_ACCEPTED = 500
"""With fewer the comparison would say little."""


def mostly(usual: str, *hostile: str) -> st.SearchStrategy[str]:
    """One text three times out of four, else one of the others."""
    return st.sampled_from([usual] * 3 * len(hostile) + [*hostile])


LABEL = st.one_of(
    st.sampled_from(["example", "com", "a", "x-y", "a_b", "xn--mnchen-3ya", "1", "255", "0x7f"]),
    st.sampled_from(
        [
            *("m\u00fcnchen", "fa\u00df", "\uff11", "\u212a", "\u2100", "\u00ad", "xn--a", ""),
            *("0", "256", "010", "0X1", "08", "1e2", "2130706433", "*", "-", "+", "|", "a b"),
            *("%31", "%2e", "%00", "%2F", "%40", "%C3%BC", "%", "%zz", "[", "]", "::1"),
        ]
    ),
)
DOT = mostly(".", "\u3002", "\uff0e", "%2e", "", "..", "@", "\\", "/", "#", "?", "\t")
NAME = st.builds(
    lambda pairs, end: "".join(dot + label for dot, label in pairs)[1:] + end,
    st.lists(st.tuples(DOT, LABEL), min_size=1, max_size=4),
    mostly("", "."),
)
ADDRESS = st.one_of(
    st.ip_addresses(v=4).map(str),
    st.ip_addresses(v=6).map(lambda address: f"[{address}]"),
    st.integers(0, 2**33).map(str),
    st.integers(0, 2**32).map(hex),
    st.integers(0, 2**32).map(lambda number: f"0{number:o}"),
    st.lists(st.integers(0, 300).map(hex), min_size=2, max_size=4).map(".".join),
    st.sampled_from(["[::ffff:1.2.3.4]", "[::1%25x]", "[1::2::3]", "[::1", "[v1.x]", "[::1.2]"]),
)
PIECE = st.one_of(
    st.sampled_from(["/", "?", "#", "@", ":", "\\", "..", "/./", "%2f", "%5c", ";", "//y.example"]),
    st.text(max_size=3),
)
URL = st.builds(
    lambda *parts: "".join(parts),
    mostly("", " ", "\t", "\x00", "\u00a0"),
    st.one_of(st.sampled_from(["http:", "https:"]), mostly("HTTP:", "http", "ht\ttp:", "ftp:", "")),
    mostly("//", "/", "///", "\\\\", "/\\", "", "/\t/"),
    mostly("", "u@", "u:p@", "@", "x.example@", "x.example\\@", "%40", "x.example#@"),
    st.one_of(NAME, ADDRESS),
    mostly("", ":80", ":443", ":8080", ":", ":0", ":65536", ":080", ":a", ":80:90", ": 80"),
    mostly("/", "", "?", "#", "\\"),
    st.lists(PIECE, max_size=3).map("".join),
    mostly("", "\n", " ", "#@y.example/"),
)


def by_urllib3(url: str) -> tuple[str, int | None]:
    parsed = parse_url(url)
    return (parsed.host or "").strip("[]"), parsed.port


def by_requests(url: str) -> tuple[str, int | None]:
    request = requests.PreparedRequest()
    request.prepare_url(url, None)
    parsed = urlsplit(str(request.url))
    return parsed.hostname or "", parsed.port


def by_ada(url: str) -> tuple[str, int | None]:
    parsed = ada_url.URL(url)
    return parsed.hostname.strip("[]"), int(parsed.port) if parsed.port else None


def check(text: str) -> bool:
    """Whether the URL is accepted; all parsers must agree if it is."""
    try:
        target = urls.parse(text)
    except (InvalidInput, PolicyRejected):
        return False
    for parser, url in (
        (by_ada, text),
        (by_ada, target.url),
        (by_urllib3, target.url),
        (by_requests, target.url),
    ):
        host, port = parser(url)
        default = urls.DEFAULT_PORTS[target.scheme]
        assert (host, port or default) == (target.host, target.port), parser.__name__
    assert target.url.isascii()
    assert urls.parse(target.url) == target._replace(fragment="")
    return True


def test_all_parsers_name_the_host_and_port_of_an_accepted_url() -> None:
    accepted = 0

    @settings(
        max_examples=EXAMPLES,
        derandomize=True,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(URL)
    def agree(text: str) -> None:
        nonlocal accepted
        accepted += check(text)

    agree()
    assert accepted > FEWEST_ACCEPTED
