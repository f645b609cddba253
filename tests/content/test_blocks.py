"""Where blocks begin, compared with another reader of CommonMark, and how long it takes to tell."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from safefetch_cli.content.blocks import Block, blocks

MARKDOWN = MarkdownIt("commonmark", {"maxNesting": 1000}).enable("table")
KINDS = {
    "heading_open": "heading",
    "paragraph_open": "paragraph",
    "fence": "fence",
    "code_block": "code",
    "html_block": "html",
    "hr": "break",
    "table_open": "table",
}
PIECES = [
    *("# a", "## b ##", "####### no", "#", "#x", "a", "b c", "", "", "> ", "> a", ">", "- ", "- a"),
    *("-", "* x", "1. y", "2. y", "10) z", "  ", "```", "````", "~~~", "``` py", "`x`", "==="),
    *("---", "***", "- - -", "--", "<!-- c", "-->", "<div>", "</div>", "<b>", "<pre>", "</pre>"),
    *(
        "| a | b |",
        "|---|---|",
        "\\# no",
        "<?p",
        "?>",
        "![x",
        "+",
        "+ z",
        "0. q",
        "[a]",
        "=",
        "x<a>",
    ),
]
LINES = st.lists(st.sampled_from(PIECES), min_size=1, max_size=2).map("".join)


def summary(text: str) -> list[tuple[str, int, int, bool]]:
    """Kind, line, level of heading and whether it is quoted, of each leaf."""
    return [
        (block.kind, text.count("\n", 0, block.start), block.level, block.in_quote)
        for block in blocks(text)
        if block.kind != "item"
    ]


def reference(text: str) -> list[tuple[str, int, int, bool]]:
    found, quotes = [], 0
    for token in MARKDOWN.parse(text):
        quotes += (token.type == "blockquote_open") - (token.type == "blockquote_close")
        if token.type in KINDS and token.map:
            level = int(token.tag[1]) if token.type == "heading_open" else 0
            found.append((KINDS[token.type], token.map[0], level, quotes > 0))
    return found


@settings(max_examples=600, deadline=None, derandomize=True)
@given(st.lists(LINES, max_size=8).map("\n".join))
def test_another_reader_sees_the_same_blocks(text: str) -> None:
    assert summary(text) == reference(text)


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("````\n```\n# no\n````\n# yes", ["fence", "heading"]),
        ("~~~ `x`\n# no\n~~~\n# yes", ["fence", "heading"]),
        ("```\n# no", ["fence"]),
        ("- ```\n  # no\n# yes", ["fence", "heading"]),
        ("    # no\n\n    # no\n# yes", ["code", "heading"]),
        ("\t# no", ["code"]),
        ("words\n    # no", ["paragraph"]),
        ("<!-- one\n\n# no\n-->\n# yes", ["html", "heading"]),
        ("<div>\n# no\n\n# yes", ["html", "heading"]),
        ("<pre>\n\n# no\n</pre>\n# yes", ["html", "heading"]),
        ("one\ntwo\n===\n\nthree\n---\n", ["heading", "heading"]),
        ("[x]: /url\n---\n", ["paragraph", "break"]),
        ("- one\n---\n", ["paragraph", "break"]),
        ("> one\n---\n", ["paragraph", "break"]),
        ("a | b\n-|-\n1 | 2\n# yes", ["table", "heading"]),
        ("words\na | b\n-|-\n", ["paragraph", "table"]),
        ("a \\| b\n-|-\n", ["paragraph"]),
        ("one\n2. no\n", ["paragraph"]),
        ("one\n1. yes\n", ["paragraph", "paragraph"]),
        ("-\n\n  no item\n", ["item", "paragraph"]),
        ("#\n##\n", ["heading", "heading"]),
        ("# one\r\n\r\ntwo\r\n===\r\n", ["heading", "heading"]),
        ("", []),
    ],
)
def test_which_blocks_a_text_has(text: str, kinds: list[str]) -> None:
    assert [block.kind for block in blocks(text)] == kinds


def test_where_a_block_is() -> None:
    assert blocks("- one\n\n  ## two ##\n> # three") == [
        Block("paragraph", 0, 2),
        Block("heading", 7, 9, depth=1, level=2, end=18),
        Block("heading", 19, 21, in_quote=True, level=1, end=28),
    ]
    assert blocks("-\t# one") == [Block("heading", 0, 2, level=1, end=7)]


@pytest.mark.parametrize(
    "unit",
    [
        *("> " * 500 + "\n", "- " * 500 + "x\n", "<a \n", "`", "|", "|-", "[", "<", "# ", "a\n\n"),
        *(
            "* * * x\n",
            "```\n",
            "1. x\n\n",
            "\t\t\n",
            "<!--\n",
            "a|b\n-|-\n",
            ">\n",
            "- \n\n",
            "= \n",
        ),
    ],
)
def test_time_is_linear(unit: str) -> None:
    text = unit * (200_000 // len(unit))
    started = time.perf_counter()
    blocks(text)
    assert time.perf_counter() - started < 1.5


def test_ten_thousand_levels() -> None:
    text = "".join("  " * level + "- x\n" for level in range(1000)) + ">" * 10_000 + " # x\n"
    started = time.perf_counter()
    assert blocks(text)
    assert time.perf_counter() - started < 2
