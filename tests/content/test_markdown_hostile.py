"""Pages made to break a converter: too deep, too wide, too long, or no HTML at all."""

import re
import time
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from safefetch_cli.content.markdown import page_to_markdown

PAGE = "https://example.org/a/b"
MAX_SECONDS = 4.0
_UNWANTED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ufeff\ud800-\udfff]")

# What is repeated, how often, and how it all becomes a page that also says "deep" and "after".
SHAPES: dict[str, tuple[Callable[[int], str], int]] = {
    "div": (lambda n: "<div>" * n + "deep" + "</div>" * n, 10_000),
    "span": (lambda n: "<p>" + "<span>" * n + "deep" + "</span>" * n, 10_000),
    "bold": (lambda n: "<p>" + "<b>" * n + "deep" + "</b>" * n, 10_000),
    "quote": (lambda n: "<blockquote>" * n + "deep" + "</blockquote>" * n, 10_000),
    "list": (lambda n: "<ul><li>i" * n + "deep" + "</li></ul>" * n, 5_000),
    "table": (lambda n: "<table><tr><td>" * n + "deep" + "</td></tr></table>" * n, 3_000),
    "raised": (lambda n: "<p>" + "<sup>" * n + "deep" + "</sup>" * n, 3_000),
    "formula": (lambda n: "<math>" + "<mrow>" * n + "<mi>deep</mi>" + "</mrow>" * n, 3_000),
    "mixed": (lambda n: "<ul><li><blockquote><table><tr><td><b><a href=x>" * n + "deep", 1_000),
    "unclosed": (lambda n: "<font>x " * n + "deep", 10_000),
    "items": (lambda n: "<ol>" + "<li>x</li>" * n + "</ol>deep", 20_000),
    "blanks": (lambda n: "<p>a" + " " * n + "deep", 1_000_000),
    "no-break blanks": (lambda n: "<p>a<b>" + "\xa0" * n + "</b>deep", 300_000),
    "blanks in code": (lambda n: "<pre>a" + " " * n + "deep</pre>", 1_000_000),
    "breaks": (lambda n: "<p><b>a" + "<br>" * n + "deep", 50_000),
    "breaks in bold": (lambda n: "<p><b>" + "x<br><br>" * n + "deep", 10_000),
    "inline siblings": (lambda n: "<p>" + "<b>x</b> y " * n + "deep", 20_000),
    "unseen emphasis": (lambda n: "<p>" + "x<b><code>y</code></b>z " * n + "deep", 10_000),
    "unclear emphasis": (lambda n: "<p>" + "<b>[<i>(b)</i></b>c" * n + "deep", 5_000),
    "empty inlines": (lambda n: "<p>" + "<b></b>" * n + "deep", 50_000),
    "stars": (lambda n: "<p>" + "*a" * n + " deep", 100_000),
    "brackets": (lambda n: "<p><a href=/x>" + "[]" * n + "deep", 100_000),
    "parentheses": (lambda n: "<p><a href='/" + "(" * n + "'>deep</a>", 200_000),
    "address": (lambda n: "<p>https://e.org/" + "*_" * n + " deep", 50_000),
    "dashes": (lambda n: "<p>x<br>" + "-" * n + "a deep", 500_000),
    "wide spans": (lambda n: "<table><tr>" + "<td colspan=1000>x" * n + "<td>deep</table>", 1_000),
    "tall spans": (lambda n: "<table>" + "<tr><td rowspan=65534>x" * n + "<td>deep</table>", 2_000),
    "one wide row": (
        lambda n: "<table><tr>" + "<td>x" * n + "<td>deep" + "<tr><td>y" * n + "</table>",
        5_000,
    ),
    "long title": (lambda n: "<p><a href=/x title='" + '"\\' * n + "'>deep</a>", 500_000),
}


@pytest.mark.parametrize("name", SHAPES)
def test_no_shape_loses_text_or_takes_long(name: str) -> None:
    make, count = SHAPES[name]
    html = f"<p>before</p>{make(count)}"
    start = time.process_time()
    text = page_to_markdown(html, PAGE)
    assert time.process_time() - start < MAX_SECONDS
    assert "before" in text
    assert "deep" in text
    assert len(text) < 40 * len(html) + 1_000_000


@given(st.text())
@settings(max_examples=60, deadline=None)
def test_any_text_is_a_page(html: str) -> None:
    text = page_to_markdown(html, PAGE)
    assert not _UNWANTED.search(text)
    assert text == text.strip()
    assert text == page_to_markdown(html, PAGE)


_TAGS = """
    p div span b i em a ul ol li dl dt dd table tr td th thead tbody caption pre code h1 blockquote
    br hr img input sup del q ruby rt math script svg details summary select option button video
    noscript source title body html head base
"""
_OTHERS = (
    *("<a href='javascript:x'>", "<img src='data:x' alt='a|b'>", "<td rowspan=0 colspan=-1>"),
    *("<ol start=x reversed>", "<!-- c -->", "<?pi?>", "*_`[]&<", "\x00\x01", "words "),
)
_SOUP = st.lists(
    st.one_of(
        st.sampled_from([f"<{slash}{tag}>" for tag in _TAGS.split() for slash in ("", "/")]),
        st.sampled_from(_OTHERS),
        st.text(max_size=3),
    ),
    max_size=40,
).map("".join)


@given(_SOUP, st.sampled_from(["", PAGE, "http://[bad", "x"]))
@settings(max_examples=200, deadline=None)
def test_tag_soup_is_a_page(html: str, url: str) -> None:
    text = page_to_markdown(html, url)
    assert not _UNWANTED.search(text)
    assert "](javascript:" not in text


@pytest.mark.parametrize("sign", ["\x01", "\x7f", "\x85", "\ufeff"])
def test_signs_that_are_left_out_hide_no_markup(sign: str) -> None:
    assert page_to_markdown(f"<p>{sign}# a</p>", PAGE) == r"\# a"
