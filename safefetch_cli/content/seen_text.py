"""What a reader sees of a page: its headings, and how many words it has."""

import re
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

from lxml import etree

from safefetch_cli.content.hidden import Hidden, hidden_text
from safefetch_cli.content.invisible import remove_invisible
from safefetch_cli.content.visible import visible_line
from safefetch_cli.facts import PageHeading

_MACHINERY = frozenset(("head", "noscript", "script", "style", "svg", "template", "textarea"))
_INLINE = frozenset(("a", "b", "code", "em", "i", "small", "span", "strong", "sub", "sup"))
_LEVELS = {f"h{level}": level for level in range(1, 7)}
_PERMALINKS = frozenset(("#", "\u00b6", "\u00a7", "\U0001f517"))
_IDEOGRAPHS = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U000323af"
_WORD = re.compile(
    f"[{_IDEOGRAPHS}]|[^\\W{_IDEOGRAPHS}](?:[^\\W{_IDEOGRAPHS}]|['\u2019-](?=\\w))*+"
)


class SeenText(NamedTuple):
    """The headings of a page, in their order, and the number of its words.

    A sign of Chinese or Japanese counts as a word.
    """

    headings: tuple[PageHeading, ...]
    words: int


@dataclass
class _Reading:
    """What has been read so far."""

    pieces: list[str] = field(default_factory=list)
    headings: list[PageHeading] = field(default_factory=list)
    open: etree._Element | None = None  # the heading that is being read
    title: list[str] = field(default_factory=list)
    id: str = ""

    def add(self, text: str | None) -> None:
        if text:
            self.pieces.append(text)
            if self.open is not None:
                self.title.append(text)

    def begin(self, heading: etree._Element) -> None:
        self.open, self.title, self.id = heading, [], heading.get("id") or ""

    def finish(self, heading: etree._Element) -> None:
        text = remove_invisible(visible_line("".join(self.title))).strip()
        if text:
            self.headings.append(PageHeading(_level(heading), text, self.id))
        self.open = None


def seen_text(root: etree._Element) -> SeenText:
    """The headings and words of a page. Linear; the tree is only read.

    Of a page that hides all of its text until its scripts have run, the hidden text is read.
    """
    hidden = hidden_text(root)
    seen = _read(root, hidden)
    return seen if seen.words or not hidden.whole else _read(root, Hidden([], [], frozenset()))


def _read(root: etree._Element, hidden: Hidden) -> SeenText:
    reading = _Reading()
    whole, own = set(hidden.whole), set(hidden.own)
    walker = etree.iterwalk(root, events=("start", "end"))
    for event, element in walker:
        if event == "start":
            if element.tag in _MACHINERY or element in whole or _is_permalink(reading, element):
                walker.skip_subtree()
                continue
            _start(reading, element, is_read=element not in own)
            continue
        if element is reading.open:
            reading.finish(element)
        if element.tag not in _INLINE:
            reading.add(" ")
        if element is not root and element.getparent() not in own:
            reading.add(element.tail)
    words = sum(1 for _ in _WORD.finditer("".join(reading.pieces)))
    return SeenText(tuple(reading.headings), words)


def _start(reading: _Reading, element: etree._Element, *, is_read: bool) -> None:
    if element.tag not in _INLINE:
        reading.add(" ")
    if reading.open is None and _level(element):
        reading.begin(element)
    elif reading.open is not None:
        reading.id = reading.id or element.get("id") or element.get("name") or ""
        if element.tag == "img":
            reading.title.append(f" {element.get('alt') or ''} ")
    if is_read:
        reading.add(element.text)


def _level(element: etree._Element) -> int:
    if element.get("role") == "heading":
        level = element.get("aria-level") or "2"
        return int(level) if level in "123456" and len(level) == 1 else 2
    return _LEVELS.get(str(element.tag), 0)


def _is_permalink(reading: _Reading, element: etree._Element) -> bool:
    """Whether the element links a heading to itself by a sign."""
    if reading.open is None or element.tag != "a":
        return False
    return "".join(islice(element.itertext(), 4)).strip() in _PERMALINKS
