"""The rules of a robots.txt: groups, patterns, precedence, odd files and hostile ones."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from protego import Protego

from safefetch_cli.net.robots import MAX_BYTES, Ruling, product_token, read

AGENT = "ExampleBot/1.2 (+https://example.com/bot)"
SITE = "https://example.com"

# RFC 9309, 5.1: a simple example.
SIMPLE = b"""
User-Agent: *
Disallow: *.gif$
Disallow: /example/
Allow: /publications/

User-Agent: foobot
Disallow:/
Allow:/example/page.html
Allow:/example/allowed.gif

User-Agent: barbot
User-Agent: bazbot
Disallow: /example/page.html

User-Agent: quxbot
"""

# RFC 9309, 5.2: the longest match.
LONGEST = b"""
User-Agent: foobot
Allow: /example/page/
Disallow: /example/page/disallowed.gif
"""


def ruling(body: bytes, path: str, agent: str = AGENT) -> Ruling:
    return read(body, agent).judge(SITE + path)


def rule(text: str, path: str, agent: str = AGENT) -> str:
    """The deciding rule, with a ! before it when it forbids."""
    found = ruling(text.encode("utf-8", "surrogateescape"), path, agent)
    return found.rule if found.allowed else f"!{found.rule}"


@pytest.mark.parametrize(
    ("agent", "path", "allowed"),
    [
        ("otherbot", "/a.gif", False),
        ("otherbot", "/a.gif?x", True),
        ("otherbot", "/example/x", False),
        ("otherbot", "/publications/", True),
        ("otherbot", "/", True),
        ("foobot", "/", False),
        ("foobot", "/example/page.html", True),
        ("foobot", "/example/allowed.gif", True),
        ("foobot", "/example/other.gif", False),
        ("barbot", "/example/page.html", False),
        ("bazbot", "/example/page.html", False),
        ("bazbot", "/a.gif", True),
        ("quxbot", "/example/page.html", True),
        ("quxbot", "/a.gif", True),
    ],
)
def test_the_simple_example_of_the_standard(agent: str, path: str, allowed: bool) -> None:
    assert ruling(SIMPLE, path, agent).allowed is allowed


def test_the_longest_match_decides() -> None:
    assert ruling(LONGEST, "/example/page/disallowed.gif", "foobot") == Ruling(
        False, "Disallow: /example/page/disallowed.gif"
    )
    assert ruling(LONGEST, "/example/page/", "foobot") == Ruling(True, "Allow: /example/page/")


# RFC 9309, 2.2.2: how paths compare.
@pytest.mark.parametrize(
    ("pattern", "path", "matches"),
    [
        ("/foo/bar?baz=quz", "/foo/bar?baz=quz", True),
        ("/foo/bar?baz=https://foo.bar", "/foo/bar?baz=https%3A%2F%2Ffoo.bar", False),
        ("/foo/bar/ツ", "/foo/bar/%E3%83%84", True),
        ("/foo/bar/%E3%83%84", "/foo/bar/%E3%83%84", True),
        ("/foo/bar/%e3%83%84", "/foo/bar/%E3%83%84", True),
        ("/foo/bar/%62%61%7A", "/foo/bar/baz", True),
        # 2.2.3: special characters
        ("/path/file-with-a-%2A.html", "/path/file-with-a-*.html", True),
        ("/path/file-with-a-%2A.html", "/path/file-with-a-x.html", False),
        ("/path/foo-%24", "/path/foo-$", True),
        ("/this/path/exactly$", "/this/path/exactly", True),
        ("/this/path/exactly$", "/this/path/exactly/not", False),
        ("/this/*/exactly", "/this/path/exactly", True),
        ("/*.php$", "/x.php", True),
        ("/*.php$", "/x.php?a=1", False),
        ("/Foo", "/foo", False),
        ("/", "/anything", True),
        ("/a b", "/a%20b", True),
        ("//", "//x", True),
    ],
)
def test_how_a_pattern_matches(pattern: str, path: str, matches: bool) -> None:
    found = ruling(f"User-agent: *\nDisallow: {pattern}\n".encode(), path)
    assert found.allowed is not matches


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("User-agent: *\nDisallow: /p\nAllow: /p\n", "Allow: /p"),
        ("User-agent: *\nAllow: /p\nDisallow: /pa\n", "!Disallow: /pa"),
        ("User-agent: *\nDisallow: /\nAllow: /*ge$\n", "Allow: /*ge$"),
        ("User-agent: *\nDisallow:\n", ""),
        ("User-agent: *\nDisallow: /other\n", ""),
        ("Disallow: /\n", ""),  # of no group
        ("", ""),
    ],
)
def test_which_rule_decides(text: str, expected: str) -> None:
    assert rule(text, "/page") == expected


@pytest.mark.parametrize(
    "group",
    [
        "User-agent: examplebot",
        "USER-AGENT: EXAMPLEBOT",
        "User-agent: ExampleBot/2.0",
        "User-agent: ExampleBot   # a comment",
        "  User-agent  :ExampleBot",
        "Useragent: ExampleBot",
        "User agent: ExampleBot",
        "User-agent ExampleBot",
        "User-agent: other\nUser-agent: ExampleBot",
        "User-agent: ExampleBot\nUser-agent: other",
        "User-agent: ExampleBot\n\nUser-agent: other",
        "User-agent: ExampleBot\nCrawl-delay: 5\nSitemap: /s.xml\nUser-agent: other",
        "User-agent: *",
        "User-agent: * everyone",
    ],
)
def test_a_group_that_names_the_program(group: str) -> None:
    assert rule(f"{group}\nDisallow: /page\n", "/page") == "!Disallow: /page"


@pytest.mark.parametrize(
    "name", ["Example", "ExampleBot-News", "Bot", "e", "Googlebot", "**", "", "1", "Mozilla"]
)
def test_a_group_that_names_another(name: str) -> None:
    assert rule(f"User-agent: {name}\nDisallow: /\n", "/page") == ""


def test_groups_of_one_name_are_one_and_the_general_ones_do_not_count_then() -> None:
    text = (
        "User-agent: examplebot\nDisallow: /a\n\nUser-agent: *\nDisallow: /b\n\n"
        "User-agent: ExampleBot\nDisallow: /c\n\nUser-agent: *\nDisallow: /d\n"
    )
    assert [rule(text, path) != "" for path in ("/a", "/b", "/c", "/d")] == [1, 0, 1, 0]
    other = [rule(text, path, "otherbot") != "" for path in ("/a", "/b", "/c", "/d")]
    assert other == [0, 1, 0, 1]


@pytest.mark.parametrize("spelling", ["Disalow", "dissallow", "dissalow", "diasllow", "disallaw"])
def test_a_misspelt_rule_counts(spelling: str) -> None:
    assert rule(f"User-agent: *\n{spelling}: /page\n", "/page") == "!Disallow: /page"


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_line_ends(line_end: str) -> None:
    text = line_end.join(["User-agent: *", "Disallow: /page", "Allow: /page/x"])
    assert rule(text, "/page") == "!Disallow: /page"


def test_a_byte_order_mark_and_octets_that_are_not_utf_8() -> None:
    body = b"\xef\xbb\xbfUser-agent: *\nDisallow: /\xff\xfe/\nDisallow: /page\x00\n"
    assert ruling(body, "/%FF%FE/x") == Ruling(False, "Disallow: /%FF%FE/")
    assert ruling(body, "/page").allowed


def test_crawl_delay_and_unknown_lines_are_skipped() -> None:
    text = "Crawl-delay: 1\nNoise\n<html>\nUser-agent: *\nCrawl-delay: 9\nDisallow: /page\n"
    assert rule(text, "/page") == "!Disallow: /page"


def test_the_file_itself_is_always_allowed() -> None:
    assert rule("User-agent: *\nDisallow: /\n", "/robots.txt") == ""


def test_a_file_is_cut_at_the_last_whole_line() -> None:
    head = b"User-agent: *\n"
    tail = b"Disallow: /page/of-a-longer-name\n"
    filler = b"#" * (MAX_BYTES - len(head) - len(tail)) + b"\n"
    within = head + filler[1:] + tail
    assert len(within) == MAX_BYTES
    assert not ruling(within, "/page/of-a-longer-name").allowed
    over = head + filler[1:-5] + b"\n" + tail + b"#more"  # the rule lies across the limit
    assert ruling(over[:4] + b"#" + over[4:], "/page").allowed
    across = head + b"#" * (MAX_BYTES - len(head) - 20) + b"\n" + tail
    assert ruling(across, "/page/of-a-longer-name").allowed


def test_a_long_rule_is_shown_in_part() -> None:
    found = ruling(b"User-agent: *\nDisallow: /" + b"p" * 1000, "/" + "p" * 1000)
    assert found.rule == "Disallow: /" + "p" * 199 + "..."


def test_a_shown_rule_has_no_blanks_and_no_control_characters() -> None:
    text = (
        "User-agent: *\nDisallow: /page Please\u2028ignore\x1b[31m all\x0brules*\nDisallow: /p*\n"
    )
    long = "/page%20Please%E2%80%A8ignore%1B%5B31m%20all%0Brules"
    assert rule(text, long) == "!Disallow: /page%20Please%E2%80%A8ignore%1B[31m%20all%0Brules*"


@pytest.mark.parametrize(
    ("agent", "token"),
    [("safefetch/0.1 (+https://x)", "safefetch"), ("A_b-c 1", "a_b-c"), ("7up", ""), ("", "")],
)
def test_the_product_token(agent: str, token: str) -> None:
    assert product_token(agent) == token


@pytest.mark.parametrize(
    "pattern",
    ["/" + "*a" * 50 + "*b", "*a*a*a*b", "/" + "*" * 5000 + "b", "*" + "a" * 4000 + "b$"],
)
def test_a_hostile_pattern_takes_no_time(pattern: str) -> None:
    path = "/" + "a" * 8000
    body = f"User-agent: *\nDisallow: {pattern}\n".encode()
    started = time.perf_counter()
    assert ruling(body, path).allowed
    assert time.perf_counter() - started < 0.05


@pytest.mark.parametrize(
    "lines",
    [
        [f"User-agent: b{'x' * i}" for i in range(600)] + [f"Disallow: /{i}" for i in range(600)],
        [f"Disallow: /*a*a*a*b{i}" for i in range(25_000)],
        ["Disallow" + " " * 400_000 + "x"],
        ["User-agent" + " " * 400_000 + "x"],
        ["dis" + "s" * 400_000],
    ],
    ids=["many groups", "many patterns", "blanks", "blanks in a name", "a long word"],
)
def test_a_hostile_file_takes_little_time(lines: list[str]) -> None:
    body = "\n".join(["User-agent: *", *lines]).encode()
    started = time.perf_counter()
    ruling(body, "/" + "a" * 8000)
    assert time.perf_counter() - started < 1.5


_PATHS = st.lists(st.sampled_from(["a", "b", "/", "ab", ".", "x"]), max_size=6).map(
    lambda parts: "/" + "".join(parts)
)
_PATTERNS = st.lists(st.sampled_from(["a", "b", "/", "ab", "*", "."]), max_size=6).map(
    lambda parts: "/" + "".join(parts)
)
_RULES = st.lists(
    st.tuples(st.sampled_from(["Allow", "Disallow"]), _PATTERNS, st.sampled_from(["", "$"])),
    max_size=8,
)


@given(rules=_RULES, path=_PATHS)
def test_protego_alone_says_the_same(rules: list[tuple[str, str, str]], path: str) -> None:
    lines = [f"{kind}: {pattern}{end}" for kind, pattern, end in rules]
    text = "\n".join(["User-agent: *", *lines])
    mine = ruling(text.encode(), path)
    assert mine.allowed is Protego.parse(text).can_fetch(SITE + path, "x")
    assert mine.rule in ("", *lines)
    assert mine.rule.startswith("Disallow") is not mine.allowed
