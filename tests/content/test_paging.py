"""Parts of a text: nothing is lost, nothing is torn, and the time stays linear."""

import time

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from safefetch_cli.content.graphemes import boundary_before
from safefetch_cli.content.paging import Pages, Part, part
from safefetch_cli.errors import InvalidInput

MARKDOWN = MarkdownIt("commonmark", {"maxNesting": 1000}).enable("table")
FAMILY = "👩‍👩‍👧‍👦"

LINES = st.sampled_from(
    [
        *("", "", "", "# Heading", "## Other *one*", "Title", "===", "---", "plain words here"),
        *("- item", "- [link](http://x/y)", "  more of it", "  - nested", "1. one", "2. two"),
        *("> quoted", "> - in it", "```", "```py", "~~~~", "  ```", "    indented", "\tcode"),
        *("| a | b |", "|---|---|", "| 1 | 2 |", "a | b", "-|-", "<div>", "</div>", "<!-- x -->"),
        *("[a link over words](https://example.com/path?q=1 'title') after", "![alt](/i.png)"),
        *(
            "`code span` and ``more ` code``",
            "漢字かな交じり文。",
            "é à e\u0301 a\u0300\u0301",
            FAMILY * 3,
        ),
        *(
            "🇩🇪🇫🇷🇮🇹 flags",
            "\u0600[x](y)",
            "किंतु क्षत्रिय",
            "[Image: a picture of it]",
            "* * *",
            "\\# no",
        ),
    ]
)
DOCUMENTS = st.lists(LINES, max_size=30).map("\n".join)
WINDOWS = st.one_of(st.integers(1, 12), st.integers(13, 200))


def parts(text: str, max_chars: int) -> list[Part]:
    pages, found = Pages(text), [Part("", 0, 0, False)]
    while (start := found[-1].next_start_index) is not None:
        found.append(pages.part(start, max_chars))
    return found[1:]


def texts(text: str, max_chars: int) -> list[str]:
    return [found.text for found in parts(text, max_chars)]


@settings(max_examples=400, deadline=None)
@given(text=DOCUMENTS, max_chars=WINDOWS)
def test_the_parts_are_the_whole(text: str, max_chars: int) -> None:
    found = parts(text, max_chars)
    assert "".join(one.text for one in found) == text
    assert all(0 < len(one.text) <= max_chars for one in found) or not text
    starts = [one.start_index for one in found]
    assert [one.next_start_index for one in found] == [*starts[1:], None]


@settings(max_examples=300, deadline=None)
@given(text=st.text(max_size=60) | DOCUMENTS, max_chars=WINDOWS)
def test_no_grapheme_is_split(text: str, max_chars: int) -> None:
    inside = {
        position: cluster
        for cluster in regex.finditer(r"\X", text)
        for position in range(cluster.start() + 1, cluster.end())
    }
    for one in parts(text, max_chars)[:-1]:
        cluster = inside.get(one.next_start_index or 0)
        assert cluster is None or len(cluster[0]) > max_chars


@settings(max_examples=400, deadline=None)
@given(text=DOCUMENTS, max_chars=st.integers(20, 120))
def test_a_part_without_the_hint_renders_as_it_does_in_the_whole(text: str, max_chars: int) -> None:
    verbatim = _verbatim_lines(text)
    for one in parts(text, max_chars):
        if not one.cut_inside_block:
            first = text.count("\n", 0, one.start_index)
            lines = one.text.count("\n") + (not one.text.endswith("\n"))
            expected = {line - first for line in verbatim if first <= line < first + lines}
            assert _verbatim_lines(one.text) == expected


def _verbatim_lines(text: str) -> set[int]:
    """The lines of fences and tables."""
    blocks = [token for token in MARKDOWN.parse(text) if token.type in ("fence", "table_open")]
    return {line for token in blocks if token.map for line in range(*token.map)}


@settings(max_examples=200, deadline=None)
@given(words=st.lists(st.sampled_from(["word", "[a link](http://x)", "`co de`", "é"]), max_size=30))
def test_a_link_that_fits_is_whole(words: list[str]) -> None:
    for one in texts(" ".join(words), 20):
        assert one.count("[a link](http://x)") == one.count("link") == one.count("](")
        assert one.count("`") % 2 == 0


def test_a_cut_falls_between_blocks() -> None:
    text = "first block\n\nsecond block\n\nthird block\n"
    assert texts(text, 30) == ["first block\n\nsecond block\n\n", "third block\n"]
    assert not any(one.cut_inside_block for one in parts(text, 30))


def test_a_heading_goes_with_what_follows() -> None:
    text = "some words of a paragraph\n\n# Heading\n\nmore words of a paragraph\n"
    assert texts(text, 45) == [
        "some words of a paragraph\n\n",
        "# Heading\n\nmore words of a paragraph\n",
    ]


def test_a_cut_falls_between_items() -> None:
    assert texts("- one\n- two\n- three\n", 14) == ["- one\n- two\n", "- three\n"]


@pytest.mark.parametrize(
    "block",
    [
        "```py\na = 1\n\nb = 2\n```\n",
        "| a | b |\n|---|---|\n| 1 | 2 |\n",
        "~~~\n# no\n\n- no\n~~~\n",
    ],
)
def test_a_block_that_fits_is_whole(block: str) -> None:
    text = f"words before it\n\n{block}\nwords after it\n"
    found = parts(text, len(block) + 5)
    assert any(block in one.text for one in found)
    assert not any(one.cut_inside_block for one in found)


@pytest.mark.parametrize(
    ("text", "max_chars", "expected"),
    [
        ("```\none\ntwo\nthree\n```\n", 12, ["```\none\ntwo\n", "three\n```\n"]),
        ("| a |\n|---|\n| 1 |\n| 2 |\n", 13, ["| a |\n|---|\n", "| 1 |\n| 2 |\n"]),
        ("one two three four", 9, ["one two ", "three ", "four"]),
        ("onetwothree", 4, ["onet", "woth", "ree"]),
        ("- one\n\n  two\n\n  three\n", 16, ["- one\n\n  two\n\n", "  three\n"]),
        ("see [the page](http://x/) now", 23, ["see ", "[the page](http://x/) ", "now"]),
        ("a [link](http://long.example/)", 8, ["a ", "[link](h", "ttp://lo", "ng.examp", "le/)"]),
        (FAMILY * 3, 8, [FAMILY] * 3),
        (FAMILY, 3, [FAMILY[:3], FAMILY[3], FAMILY[4:]]),
        ("e\u0301" * 3, 3, ["e\u0301"] * 3),
        ("🇩🇪🇫🇷🇮🇹", 3, ["🇩🇪", "🇫🇷", "🇮🇹"]),
    ],
)
def test_a_block_longer_than_the_window(text: str, max_chars: int, expected: list[str]) -> None:
    found = parts(text, max_chars)
    assert [one.text for one in found] == expected
    assert found[0].cut_inside_block
    assert found[-1].cut_inside_block


def test_a_whole_text_is_one_part() -> None:
    assert part("abc\n", 0, 4) == Part("abc\n", 0, None, False)
    assert Pages("abc\n").part() == Part("abc\n", 0, None, False)
    assert part("", 0, 1) == Part("", 0, None, False)


def test_the_end_is_an_empty_part() -> None:
    assert part("abc", 3, 5) == Part("", 3, None, False)


@pytest.mark.parametrize(("start", "max_chars"), [(4, 1), (-1, 1), (0, 0), (0, -5)])
def test_a_place_that_does_not_exist(start: int, max_chars: int) -> None:
    with pytest.raises(InvalidInput, match=r"start_index: |max_chars: "):
        part("abc", start, max_chars)


def test_text_that_is_no_markdown() -> None:
    text = "# one\n# two\n\n# three\n"
    assert [part(text, 0, 15, markup=markup).text for markup in (True, False)] == [
        "# one\n# two\n\n",
        "# one\n# two\n\n",
    ]
    assert part(text, 0, 8, markup=True).cut_inside_block is False
    assert part(text, 0, 8, markup=False) == Part("# one\n", 0, 6, True)


@pytest.mark.parametrize(
    ("text", "max_chars"),
    [
        ("A paragraph with [a link](http://x/) in it.\n\n- one\n- two\n\n" * 16_000, 200),
        ("word and [link](http://x/y) " * 36_000, 200),
        ("a" * 1_000_000, 100),
        ("漢字" * 250_000, 100),
        ("🇩🇪" * 100_000, 100),
        ("a" + "\u0301" * 100_000, 1000),
        ("```\n" + "code `line [x](\n" * 60_000, 200),
        ("[a](b \"'" * 60_000, 10_000),
        (">" * 100_000, 1000),
        ("- " * 50_000, 1000),
        ("- x\n" + "\n" * 300_000, 1000),
    ],
    ids=[
        "page",
        "line",
        "word",
        "CJK",
        "flags",
        "marks",
        "fence",
        "brackets",
        "quotes",
        "-",
        "blank",
    ],
)
def test_paging_through_takes_linear_time(text: str, max_chars: int) -> None:
    started = time.perf_counter()
    assert "".join(texts(text, max_chars)) == text
    assert time.perf_counter() - started < 3


@given(text=st.text("a\u0301\u200d👩🇩🇪\r\n क्षि", max_size=20), data=st.data())
def test_boundaries_are_those_of_the_whole_text(text: str, data: st.DataObject) -> None:
    ends = [0, *(cluster.end() for cluster in regex.finditer(r"\X", text))]
    position = data.draw(st.integers(0, len(text)))
    assert boundary_before(text, 0, position) == max(end for end in ends if end <= position)
