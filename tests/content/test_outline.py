"""The outline of a text: what its headings are, where they are, and how one is found."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from safefetch_cli.content.inline_text import plain_text
from safefetch_cli.content.outline import (
    Heading,
    estimate_tokens,
    find,
    find_number,
    headings,
    section,
)
from safefetch_cli.errors import SelectionNotFound

PAGE = """\
# The guide

Words.

## Install

Get it.

### On Windows

More.

## Use `it`

The end.

# Notes
"""


def titles(text: str) -> list[str]:
    return [heading.title for heading in headings(text)]


def test_the_headings_of_a_page() -> None:
    found = headings(PAGE)
    assert [(heading.level, heading.title) for heading in found] == [
        (1, "The guide"),
        (2, "Install"),
        (3, "On Windows"),
        (2, "Use it"),
        (1, "Notes"),
    ]
    assert found[1] == Heading(2, "Install", "", 21, 44, 11)
    assert section(PAGE, found[1]) == "## Install\n\nGet it.\n\n### On Windows\n\nMore.\n\n"
    assert section(PAGE, found[2]) == "### On Windows\n\nMore.\n\n"
    assert section(PAGE, found[3]) == "## Use `it`\n\nThe end.\n\n"
    assert section(PAGE, found[4]) == "# Notes\n"
    assert found[0].chars + found[4].chars == len(PAGE)


@pytest.mark.parametrize(
    ("source", "title"),
    [
        ("# one ##", "one"),
        ("# one#", "one#"),
        ("#\tone", "one"),
        ("  ### one", "one"),
        ("one\n===", "one"),
        ("one *two*\nthree\n---", "one two three"),
        ("# *one* **two** _three_ ~~four~~", "one two three four"),
        ("# 2 * 3 * 4", "2 * 3 * 4"),
        ("# snake_case_name", "snake_case_name"),
        ("# `code *x*` and ``a ` b``", "code *x* and a ` b"),
        ("# [a link](http://x/ 'title') on", "a link on"),
        ("# [a [nested] one](http://x/(y))", "a [nested] one"),
        ("# [a reference][1]", "a reference"),
        ("# [brackets]", "[brackets]"),
        ("# ![a picture](/x.png)", "a picture"),
        ("# [Image: a picture]", "a picture"),
        ("# [[Image: logo]](/)", "logo"),
        ("# [Image: logo][News](/)", "logoNews"),
        ("# <https://example.com/>", "https://example.com/"),
        ("# one <b>two</b><!-- three -->", "one two"),
        ("# Q&amp;A &#65; &nosuch;", "Q&A A &nosuch;"),
        (r"# \# 1\. \*x\* C:\dir", r"# 1. *x* C:\dir"),
        ("# Title [¶](#title)", "Title"),
        ('# Title [#](#title "Permalink")', "Title"),
        ("# [](#title)Title", "Title"),
        ("# [§](https://example.com/page#title)Title", "Title"),
        ("# Title[Permalink for this section](https://example.com/page#title)", "Title"),
        ("# [Issue #7](https://example.com/page#7)", "Issue #7"),
        ("# Title {#given}", "Title"),
        ("- # in an item", "in an item"),
        ("1. one\n   ===", "one"),
    ],
)
def test_a_title_has_no_marks(source: str, title: str) -> None:
    assert titles(source) == [title]


@pytest.mark.parametrize(
    "source",
    [
        *("#", "# ", "## ##", "# ![](x.png)", "# <b></b>", "# [¶](#x)", "#no", "####### no"),
        *("\\# no", "    # no", "\t# no", "```\n# no\n```", "~~~~\n~~~\n# no\n~~~~", "> # quoted"),
        *(
            "<!--\n# no\n-->",
            "<pre>\n# no\n</pre>",
            "- ```\n  # no\n  ```",
            "- one\n---",
            "a\n\n===",
        ),
    ],
)
def test_what_is_no_heading(source: str) -> None:
    assert titles(source) == []


def test_an_offset_is_where_the_heading_is() -> None:
    text = "- x\n\n  ## In an item\n\n  words\n\n  Under\n  ---\n\n1) # At once\n"
    starts = [text[heading.start_index :].partition("\n")[0] for heading in headings(text)]
    assert starts == ["  ## In an item", "  Under", "# At once"]


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.sampled_from(["# a", "## b", "### c", "word", "", "> q", "- i", "```", "t\n==="]),
        max_size=25,
    ).map("\n".join)
)
def test_sections_nest(text: str) -> None:
    found = headings(text)
    for index, heading in enumerate(found):
        end = heading.start_index + heading.chars
        later = [other for other in found[index + 1 :] if other.level <= heading.level]
        assert end == (later[0].start_index if later else len(text))
        assert section(text, heading) == text[heading.start_index : end]
        assert headings(section(text, heading))[0]._replace(start_index=0) == heading._replace(
            start_index=0
        )
        assert heading.tokens == estimate_tokens(section(text, heading))


def test_identifiers_come_from_the_page() -> None:
    ids = [("Install", "install"), ("Use  it", "usage"), ("install", "install-1"), ("Gone", "x")]
    text = "# Install\n# *Use* it\n# Other {#own}\n# Install\n# Install\n"
    found = [heading.id for heading in headings(text, ids)]
    assert found == ["install", "usage", "own", "install-1", ""]


@pytest.mark.parametrize(
    ("wanted", "title", "others"),
    [
        ("Install", "Install", 0),
        ("install", "Install", 0),
        ("  ON   windows ", "On Windows", 0),
        ("t", "The guide", 3),  # a part of four titles
        ("guide", "The guide", 0),
        ("#second", "Use it", 0),
        ("second", "Use it", 0),
        ("#on-windows", "On Windows", 0),
        ("#on%2Dwindows", "On Windows", 0),
    ],
)
def test_a_section_is_found(wanted: str, title: str, others: int) -> None:
    found = find(headings(PAGE, [("Use it", "second")]), wanted)
    assert (found.heading.title, len(found.others)) == (title, others)


def test_the_same_case_comes_first_and_the_first_of_several() -> None:
    found = find(headings("# a b\n# A B\n# a b\n# x a b\n"), "a b")
    assert found.heading.start_index == 0
    assert [other.start_index for other in found.others] == [12]
    assert find(headings("# a b\n# A B\n"), "A B").heading.start_index == 6


def test_a_miss_names_the_nearest() -> None:
    with pytest.raises(SelectionNotFound) as caught:
        find(headings(PAGE), "Instal it")
    assert caught.value.message == (
        "no heading of the page matches 'Instal it'; the nearest are 'Install', 'Use it'"
    )
    with pytest.raises(SelectionNotFound, match="it has no headings"):
        find((), "x")
    with pytest.raises(SelectionNotFound, match="it begins with 'The guide', 'Install'"):
        find(headings(PAGE), "zzz")
    with pytest.raises(SelectionNotFound):
        find(headings(PAGE), "  ")


def test_a_section_by_number() -> None:
    found = headings(PAGE)
    assert find_number(found, 3).heading is found[2]
    for number in (0, 6, -1):
        with pytest.raises(SelectionNotFound, match=f"no heading {number}: the page has 5"):
            find_number(found, number)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [("", 0), ("abcd", 1), ("abcde", 2), ("漢字", 2), ("é", 1), ("привет", 3), ("👩", 1)],
)
def test_tokens_are_estimated(text: str, tokens: int) -> None:
    assert estimate_tokens(text) == tokens


def test_a_long_outline_takes_linear_time() -> None:
    text = "".join(f"{'#' * (number % 6 + 1)} Title {number}\n\n" for number in range(50_000))
    started = time.perf_counter()
    found = headings(text)
    with pytest.raises(SelectionNotFound):
        find(found, "x" * 5000)
    assert len(found) == 50_000
    assert time.perf_counter() - started < 5


@pytest.mark.parametrize("unit", ["[", "*", "`a", "_a*", "<a", "](", "&", "\\", "[a](b", "!["])
def test_a_long_title_takes_no_time(unit: str) -> None:
    started = time.perf_counter()
    headings("# " + unit * 200_000)
    plain_text(unit * 20_000)
    assert time.perf_counter() - started < 1


_PIECES = ["a", "b c", "*", "**", "_", " ", "`", "[", "](http://x)", "\\*", "&amp;", "<b>", "x_y"]


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.lists(st.sampled_from(_PIECES), min_size=1, max_size=5).map("".join))
def test_another_reader_sees_the_same_words(source: str) -> None:
    tokens = MarkdownIt("commonmark").parseInline(source)
    assert plain_text(source) == " ".join(_words(tokens[0].children or []).split())


def _words(tokens: list[Token]) -> str:
    return "".join(token.content for token in tokens if token.type != "html_inline")
