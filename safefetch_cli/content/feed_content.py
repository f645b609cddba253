"""What the entry of a feed says in full: HTML, XHTML or plain text to one element of HTML."""

import re
from typing import Final, NamedTuple

from lxml import etree

from safefetch_cli.content.clean import clean
from safefetch_cli.content.page_map import cut
from safefetch_cli.content.parse import parse_html
from safefetch_cli.content.visible import visible, without_control_references
from safefetch_cli.content.writer.destinations import Addresses
from safefetch_cli.errors import ProcessingLimit

_READABLE = re.compile(r"|x?html|text(?:/.+)?|application/xhtml\+xml")
_PLAIN = ("text", "text/plain")
_MARKUP = re.compile(r"</?[a-z][a-z0-9]*(?:\s[^<>]*)?/?>|&(?:[a-z][a-z0-9]*|#\w+);", re.IGNORECASE)
_SPACE = re.compile(r".*[}:]", re.DOTALL)  # of a name: the address or the prefix before it
_NAME = re.compile(r"[a-z_][\w.-]*", re.IGNORECASE)
_BLANK_LINES = re.compile(r"\n\s*\n")
_ADDRESSES: Final = ("href", "src", "data-src", "data-original", "data-lazy-src")
_FIRST_LEVEL: Final = 3
_LAST_LEVEL: Final = 6
_LEVELS: Final = {f"h{level}": level for level in range(1, _LAST_LEVEL + 1)}


class Content(NamedTuple):
    """The content of an entry as a `div`, and what was taken out of it (see `clean`)."""

    tree: etree._Element
    hints: tuple[str, ...]


def element_content(element: etree._Element, base: str) -> Content | None:
    """What an element of a feed holds, as markup inside it or as text; None for nothing.

    `base` is what relative addresses in it are relative to. The markup is moved out of the feed.
    """
    kind = (element.get("type") or "").strip().lower()
    if not _READABLE.fullmatch(kind):
        return None
    if len(element):
        return _content(_moved(element), base)
    return text_content(element.text or "", base, plain=kind in _PLAIN)


def text_content(text: str, base: str, *, plain: bool) -> Content | None:
    """A text of a feed as its content: HTML, or plain text where it is that or has no markup."""
    text = visible(text)
    if plain or not _MARKUP.search(text):
        return _content(_paragraphs(text), base)
    try:
        root = parse_html(without_control_references(text))
    except ProcessingLimit:
        return None
    return None if root is None else _content(root, base)


def _paragraphs(text: str) -> etree._Element:
    tree = etree.Element("div")
    for part in _BLANK_LINES.split(text):
        if part.strip():
            etree.SubElement(tree, "p").text = part
    return tree


def _moved(element: etree._Element) -> etree._Element:
    """The inside of an element, its tags without their namespaces."""
    tree = etree.Element("div")
    tree.text = element.text
    tree.extend(list(element))
    for inner in tree.iter(etree.Element):
        name = _SPACE.sub("", str(inner.tag))
        inner.tag = name if _NAME.fullmatch(name) else "span"
    return tree


def _content(root: etree._Element, base: str) -> Content | None:
    hints = clean(root)
    body = root.find("body")
    tree = root if body is None else body
    tree.tag = "div"
    cut(tree, list(tree.iter("base", "title", "meta", "link")))
    if not any(text.strip() for text in tree.itertext()) and tree.find(".//img") is None:
        return None
    _lower_headings(tree)
    _complete_addresses(tree, base)
    return Content(tree, hints)


def _lower_headings(tree: etree._Element) -> None:
    """Make the highest heading one below the title of an entry, the others as far below it."""
    headings = list(tree.iter(*_LEVELS))
    highest = min((_LEVELS[str(heading.tag)] for heading in headings), default=_FIRST_LEVEL)
    if highest < _FIRST_LEVEL:
        for heading in headings:
            level = _LEVELS[str(heading.tag)] + _FIRST_LEVEL - highest
            heading.tag = f"h{min(level, _LAST_LEVEL)}"


def _complete_addresses(tree: etree._Element, base: str) -> None:
    addresses = Addresses(base, "")
    for element in tree.iter(etree.Element):
        for name in _ADDRESSES:
            given = element.get(name)
            address = addresses.absolute(given) if given else None
            if address:
                element.set(name, address)
