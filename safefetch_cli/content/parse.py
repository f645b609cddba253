"""Text to an element tree: one parse, and nothing lost whatever the depth.

libxml2 stops at a depth of 2,048 elements and drops the rest of the document. Where that happens
the page is parsed again through a target that keeps all text and opens no element below
`MAX_DEPTH`.
"""

import re
from typing import Any, cast

from lxml import etree

from safefetch_cli.content.long_tables import RowFolder
from safefetch_cli.errors import ProcessingLimit

MAX_TAGS = 1_000_000
"""A page with more is not read: an element takes a hundred times the memory of its characters."""

MAX_ATTRIBUTES = 1000
"""Nor is one with a tag that has more attributes: the parser compares each with all before it."""

_OPTIONS: dict[str, Any] = {"huge_tree": True, "remove_comments": True, "remove_pis": True}
_STEP = 65_536  # bytes

_ATTRIBUTES = r"""(?:[^>=]++|=\s*+(?:"[^"]*+"|'[^']*+')|=)*+"""
# The tags of a page; not those inside comments, scripts and other text that is no markup.
_TAG = re.compile(
    rf"""<!--(?:-?>|(?:[^-]++|-(?!-!?>))*+)
    |<((script|style|textarea|title|xmp|iframe|noembed|noframes)\b{_ATTRIBUTES})
        (?:[^<]++|<(?!/\2))*+
    |<([a-z]{_ATTRIBUTES})""",
    re.IGNORECASE | re.VERBOSE,
)
_VALUE = re.compile(r"""=\s*+(?:"[^"]*+"|'[^']*+')""")

_END_TAG = re.compile(r"</(?:body|html)(?:[ \t\r\n\f/][^>]*+)?>", re.IGNORECASE)
_END_TAGS_LAST = re.compile(
    rf"(?:{_END_TAG.pattern}|<!--(?:[^-]++|-(?!->))*+-->|\s++)*+\Z", re.IGNORECASE
)

_OF_HEAD = frozenset(
    (
        *("base", "basefont", "bgsound", "link", "meta", "title"),
        *("noscript", "noframes", "script", "style", "template"),
    )
)

MAX_DEPTH = 256
"""Where a page is nested more deeply than the parser allows, elements below this are left out."""


def parse_html(text: str, *, folded: bool = False) -> etree._Element | None:
    """The `html` element of a page or fragment; None when there is no element and no text.

    With `folded` plain cells of long tables are folded, as `long_tables` tells.
    Raises ProcessingLimit for a page beyond MAX_TAGS or MAX_ATTRIBUTES.
    """
    _check_bounds(text)
    text = _without_early_ends(text)
    data = text.encode("utf-8", "replace")
    try:
        root, errors = _parse_folding(data) if folded else _parse(data)
    except etree.XMLSyntaxError:  # an empty document
        return None
    if any("Excessive depth" in entry.message for entry in errors):
        root = cast(Any, _parse_shallow(data))
    if root is not None:
        _begin_body(root)
    return root


def _parse(data: bytes) -> tuple[etree._Element, etree._ListErrorLog]:
    parser = cast(Any, etree.HTMLParser)(encoding="utf-8", **_OPTIONS)
    return etree.fromstring(data, parser), parser.error_log


def _parse_folding(data: bytes) -> tuple[etree._Element, etree._ListErrorLog]:
    """The same tree with plain cells folded as they are read, so the whole of it is never there."""
    options = {"events": ("end",), "tag": "tr", "encoding": "utf-8", **_OPTIONS}
    parser = cast(Any, etree.HTMLPullParser)(**options)
    folder = RowFolder()
    for start in range(0, len(data), _STEP):
        parser.feed(data[start : start + _STEP])
        for _, row in parser.read_events():
            folder.fold(row)
    return parser.close(), parser.feed_error_log


def _begin_body(root: etree._Element) -> None:
    """Put into the body what ended up in the head and does not belong there.

    What is none of its elements ends the head, and begins the body (HTML standard, 13.2.6.4.4); the
    parser does so for elements of HTML 4 alone.
    """
    head = next((child for child in root if child.tag == "head"), None)
    first = next(
        (child for child in (head if head is not None else ()) if _is_of_body(child)), None
    )
    if head is None or first is None:
        return
    body = next((child for child in root if child.tag == "body"), None)
    if body is None:
        body = etree.Element("body")
        head.addnext(body)
    moved = [first, *first.itersiblings()]
    text, body.text = body.text, None
    for place, element in enumerate(moved):
        body.insert(place, element)
    moved[-1].tail = (moved[-1].tail or "") + (text or "") or None


def _is_of_body(child: etree._Element) -> bool:
    return isinstance(child.tag, str) and child.tag not in _OF_HEAD


def _without_early_ends(text: str) -> str:
    """The text without end tags of body and html, where more than white space follows them.

    What comes after them belongs to the body all the same (HTML standard, 13.2.6.4.19); the parser
    would put it beside the body, or drop it.
    """
    end = _END_TAG.search(text)
    if end is None or _END_TAGS_LAST.match(text, end.start()):
        return text
    return _END_TAG.sub("", text)


def _check_bounds(text: str) -> None:
    if text.count("<") > MAX_TAGS:
        raise ProcessingLimit(f"the page has more than {MAX_TAGS} tags")
    for match in _TAG.finditer(text):
        if match.end() - match.start() > 2 * MAX_ATTRIBUTES:
            tag = _VALUE.sub(" ", match[1] or match[3] or "")
            if max(len(tag.split()), tag.count("=")) > MAX_ATTRIBUTES:
                raise ProcessingLimit(f"a tag has more than {MAX_ATTRIBUTES} attributes")


def _parse_shallow(data: bytes) -> etree._Element | None:
    target = _ShallowTarget()
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, target=cast(Any, target))
    etree.fromstring(data, cast(Any, parser))
    return target.root


class _ShallowTarget:
    """Builds the tree itself, without the elements that lie too deep."""

    def __init__(self) -> None:
        self.root: etree._Element | None = None
        self._builder = etree.TreeBuilder()
        self._depth = 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth <= MAX_DEPTH:
            self._builder.start(tag, attributes)

    def end(self, tag: str) -> None:
        if self._depth <= MAX_DEPTH:
            self._builder.end(tag)
        self._depth -= 1

    def data(self, text: str) -> None:
        if self._depth:
            self._builder.data(text)

    def comment(self, text: str) -> None:
        """Left out."""

    def close(self) -> None:
        self.root = self._builder.close()
