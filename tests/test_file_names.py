"""Names of files from URLs: safe on every system, each once, the same every time."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from safefetch_cli.file_names import FileNames

RESERVED = {"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in "0123")}
FORBIDDEN = set('/\\:*?"<>|\0') | {chr(code) for code in range(32)}


def name(url: str, extension: str = ".md", *, short: bool = False) -> str:
    return FileNames(extension, short=short).name(url)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://example.com/", "example.com.md"),
        ("https://example.com", "example.com.md"),
        ("https://EXAMPLE.com/Docs/Intro.html", "example.com_Docs_Intro.md"),
        ("https://example.com/docs/", "example.com_docs.md"),
        ("https://example.com/a//b", "example.com_a_b.md"),
        ("http://127.0.0.1:8080/x", "127.0.0.1_8080_x.md"),
        ("https://example.com/p?id=1&q=a b", "example.com_p_id-1-q-a-b.md"),
        ("https://example.com/p#part", "example.com_p.md"),
        ("https://example.com/%E6%97%A5%E6%9C%AC", "example.com_\u65e5\u672c.md"),
        ("https://example.com/caf\u0065\u0301", "example.com_caf\u00e9.md"),
        ("https://example.com/..%2F..%2Fetc%2Fpasswd", "example.com_.._.._etc_passwd.md"),
        ("https://example.com/v1.2", "example.com_v1.2.md"),
        ("https://[2606:4700::1]/x", "2606-4700-1_x.md"),
        ("not a url", "page_not-a-url.md"),
        ("http://[", "http.md"),
        ("", "page.md"),
    ],
)
def test_a_name_is_made_of_host_path_and_query(url: str, expected: str) -> None:
    assert name(url) == expected


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://example.com/docs/intro.html", "intro.md"),
        ("https://example.com/docs/", "docs.md"),
        ("https://example.com/?q=1", "example.com.md"),
        ("https://example.com/.bashrc", "bashrc.md"),
        ("https://example.com/-rf", "rf.md"),
        ("https://example.com/a%2Fb", "b.md"),
        ("https://example.com/con", "_con.md"),
        ("https://example.com/LPT1.html", "_LPT1.md"),
        ("https://example.com/com%C2%B9", "_com1.md"),
        ("https://example.com/aux.x.y", "_aux.x.y.md"),
        ("https://example.com/console", "console.md"),
        ("https://example.com/...", "page.md"),
    ],
)
def test_a_short_name_is_the_last_part_of_the_path(url: str, expected: str) -> None:
    assert name(url, short=True) == expected


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://example.com/data.json", "data.json"),
        ("https://example.com/page.HTML", "page.HTML"),
        ("https://example.com/page", "page.html"),
        ("https://example.com/archive.tar.gz", "archive.tar.gz"),
        ("https://example.com/v1.a-b", "v1.a-b.html"),
    ],
)
def test_the_url_has_an_extension_of_its_own(url: str, expected: str) -> None:
    assert name(url, "", short=True) == expected


def test_names_that_some_system_takes_for_one_are_numbered_in_their_order() -> None:
    names = FileNames(".md")
    urls = ["/a", "/A", "/a?", "/a-2", "/a", "/\u00e9", "/e\u0301", "/E\u0301"]
    assert [names.name("http://x.example" + path) for path in urls] == [
        "x.example_a.md",
        "x.example_A-2.md",
        "x.example_a-3.md",
        "x.example_a-2-2.md",
        "x.example_a-4.md",
        "x.example_\u00e9.md",
        "x.example_\u00e9-2.md",
        "x.example_\u00c9-3.md",
    ]


def test_ten_thousand_names_of_one_url_differ() -> None:
    names = FileNames(".md")
    assert len({names.name("http://x.example/") for _ in range(10_000)}) == 10_000


def test_a_long_name_is_cut_between_characters() -> None:
    cut = name("https://example.com/" + "\u65e5" * 500)
    assert len(cut.encode()) <= 150 + len(".md")
    assert cut.startswith("example.com_\u65e5")


@given(st.text(max_size=300), st.booleans(), st.sampled_from([".md", ".txt", ""]))
def test_no_name_means_anything_to_any_system(text: str, short: bool, extension: str) -> None:
    for url in (text, "http://x.example/" + text, "http://x.example/?" + text):
        found = name(url, extension, short=short)
        assert found == found.strip()
        assert not found.startswith((".", "-"))
        assert not found.endswith(".")
        assert not set(found) & FORBIDDEN
        assert found.partition(".")[0].rstrip().lower() not in RESERVED
        assert len(found.encode()) <= 170
