"""What pages put beside their content for the mouse: permalinks, copy buttons, line numbers."""

import re
from itertools import islice
from typing import Final

from lxml import etree

from safefetch_cli.content.late_pattern import late

_LINE_NUMBERS = late(
    r"(?:^|\s)(?:lineno|linenos|line-?numbers?(?:-rows)?|linenumber|gutter|blob-num|lnt?|hljs-ln-numbers"
    r"|hljs-ln-n|rouge-gutter|line-number-cell|ec-gutter|ln-num|LineNr|crayon-nums|diff-line-num)(?:\s|$)"
)
_NUMBER_AND_LINE: Final = 2
_ROWS_LOOKED_AT: Final = 50
_COPY = re.compile(r"copy|clipboard", re.IGNORECASE)
_COPY_TEXT = re.compile(r"(?:copy|copied)(?:!| code| to clipboard| link)?", re.IGNORECASE)
_PERMALINK = late(
    r"(?:^|\s)(?:headerlink|hash-link|header-anchor|heading-anchor|anchor|anchorjs-link|permalink"
    r"|headline-anchor|heading-link|anchor-link|direct-link|section-link|toclink-anchor)(?:\s|$)"
)
_PERMALINK_TEXT: Final = frozenset(("", "link", "permalink", "anchor", "direct link", "copy link"))
_INVISIBLE = str.maketrans("", "", "\u200b\u200c\u200d\ufeff\u2060\u00ad\ufe0e\ufe0f")


def is_line_number(element: etree._Element) -> bool:
    """Whether an element inside code is its line numbers. Those of a whole block count too."""
    if element.tag not in ("span", "td", "div", "a", "th", "i", "b", "em"):
        return False
    names = element.get("class", "")
    if element.get("data-line-number") is not None and not _text(element):
        return True
    if not names or not _LINE_NUMBERS.search(names):
        return False
    return all(part.isdigit() for part in _text(element).split())


def numbers_lines(table: etree._Element) -> bool:
    """Whether the first of the two cells in each row of a table is the number of a line."""
    expected = ""
    for row in islice(table.iter("tr"), _ROWS_LOOKED_AT):
        if len(row) != _NUMBER_AND_LINE:
            return False
        number = _text(row[0]).strip()
        if not number.isdecimal() or number != (expected or number):
            return False
        expected = str(int(number[:9]) + 1)
    return bool(expected)


def is_copy_button(element: etree._Element) -> bool:
    """Whether a button copies something to the clipboard."""
    if element.tag == "clipboard-copy":
        return True
    named = (element.get("class", ""), element.get("title", ""), element.get("aria-label", ""))
    if any(_COPY.search(name) for name in named):
        return True
    return _COPY_TEXT.fullmatch(" ".join(_text(element).split())) is not None


def is_permalink(link: etree._Element, href: str, *, in_heading: bool) -> bool:
    """Whether a link only leads to the heading it belongs to, and shows a sign or nothing."""
    if "#" not in href:
        return False
    named = _PERMALINK.search(link.get("class", "")) is not None
    if not named and not (in_heading and href.lstrip().startswith("#")):
        return False
    text = _text(link).translate(_INVISIBLE).strip()
    if len(text) <= 1:
        return not text.isalnum() and (named or next(link.iter("img"), None) is None)
    return named and text.lower() in _PERMALINK_TEXT


def _text(element: etree._Element) -> str:
    return "".join(element.itertext())
