"""How a line of markdown begins a block (CommonMark 0.31, GFM): patterns, each linear in the line.

They match at a column after the indentation. Lines have no line feed; a final carriage return
counts as a blank.
"""

import re

BLANKS = " \t\r"
SPACES = re.compile(" *")

MAY_BEGIN_BLOCK = frozenset(" \t\r>#`~*+-_=<|:0123456789")
"""A line without indentation that begins with another character is text."""

MAY_END_FENCE = frozenset(" \t`~")
"""A line in a fence that begins with another character does not close it."""

ATX = re.compile(r"(#{1,6})(?=[ \t\r]|\Z)")
FENCE = re.compile(r"(`{3,})[^`]*\Z|(~{3,})")
SETEXT = re.compile(r"(=+|-+)[ \t\r]*\Z")
BREAK = re.compile(r"(?:(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|(?:-[ \t]*){3,})\r?\Z")
ITEM = re.compile(r"(?:[*+-]|([0-9]{1,9})[.)])(?=[ \t\r]|\Z)")
DEFINITION = re.compile(r"\[(?:[^\[\]\\]|\\.)+\]:[ \t]*\S")
DELIMITERS = re.compile(r"\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t\r]*\Z")

_PIPE = re.compile(r"(?<!\\)\|")
_HTML_NAMES = (
    "address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|"
    "dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|"
    "hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|"
    "search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul"
)
_ATTRIBUTE = r"""\s+[A-Z_:][\w.:-]*(?:\s*=\s*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?"""
_NEVER = r"(?!)"  # a blank line ends the block

HTML = tuple(
    (re.compile(start, re.IGNORECASE | re.ASCII), re.compile(end, re.IGNORECASE))
    for start, end in (
        (r"<(?:script|pre|style|textarea)(?:\s|>|\Z)", "</(?:script|pre|style|textarea)>"),
        ("<!--", "-->"),
        (r"<\?", r"\?>"),
        ("<![A-Z]", ">"),
        (r"<!\[CDATA\[", r"\]\]>"),
        (rf"</?(?:{_HTML_NAMES})(?:\s|/?>|\Z)", _NEVER),
        (rf"(?:<[A-Z][A-Z0-9-]*(?:{_ATTRIBUTE})*\s*/?>|</[A-Z][A-Z0-9-]*\s*>)\s*\Z", _NEVER),
    )
)
"""The kinds of HTML blocks (4.6): how one starts, and what a line that ends it holds."""

ENDS_AT_BLANK = {HTML[-1][1], HTML[-2][1]}
ANY_TAG = HTML[-1][0]
"""The only kind that cannot interrupt a paragraph."""


def cells(row: str) -> int:
    """How many cells a row of a table has."""
    inner = row.strip().removeprefix("|")
    return len(_PIPE.findall(inner)) + (not inner.endswith("|") or inner.endswith("\\|"))


def closes_fence(line: str, fence: str) -> bool:
    """Whether a line, without its indentation, closes a fence that was opened by `fence`."""
    mark = line.rstrip(BLANKS)
    return mark.startswith(fence) and mark == fence[0] * len(mark)
