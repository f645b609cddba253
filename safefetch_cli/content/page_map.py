"""A page as a list of its elements in document order, with the lengths of their texts.

The lengths are counted once from the leaves up. Leaving an element out is a mark, not a cut: the
tree stays whole until `cut_marked` takes the marked elements out in one pass, so every judgement
can be taken back before.
"""

import re
from array import array
from collections.abc import Iterator
from operator import mul
from sys import intern

from lxml import etree

_MACHINERY = """
    applet audio base button canvas datalist dialog embed frame frameset head iframe input link map
    meta noframes noscript object optgroup option param progress rp script select source style svg
    template textarea title track video
"""
MACHINERY = frozenset(_MACHINERY.split())
"""Elements that hold no text of the page itself."""

_FREQUENT = (
    "a abbr article b br code dd div dt em h2 h3 h4 i img li p section span strong td th tr ul"
)
_SHARED = {tag: tag for tag in _FREQUENT.split()}

_MANY = 20_000  # elements, from which on it pays to give them shared tags

HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))

_CONTACTS = ("mailto:", "tel:")
"""Addresses that are no page: such a link is what it shows."""

LONGEST_NAMES = 400
"""Of a class or id, what is read."""

_WORD = array("i").itemsize
_CUT = "cut-out"
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")


class PageMap:
    """The elements of a page by number; number 0 is the root.

    `end[n]` is the number after the last element inside n; `text[n]` and `links[n]` are the
    characters in n and those of them inside links, without what is marked as gone.
    """

    def __init__(self, root: etree._Element, left_out: frozenset[str] = MACHINERY) -> None:
        self.elements: list[etree._Element] = list(root.iter(etree.Element))
        size = len(self.elements)
        tag_of = _shared_tag if size > _MANY else lambda element: intern(str(element.tag))
        self.tags: list[str] = list(map(tag_of, self.elements))
        self.parent = array("i", bytes(size * _WORD))
        self.end = array("i", range(1, size + 1))
        self.gone = bytearray(size)
        self.text = array("i", bytes(size * _WORD))
        self.links = array("i", bytes(size * _WORD))
        self._own = array("i", bytes(size * _WORD))
        self._linked = bytearray(size)
        self._is_settled = False
        self._measure()
        self._own_links = array("i", map(mul, self._own, self._linked))
        self._close()
        for number, tag in enumerate(self.tags):
            if tag in left_out and not self.gone[number] and not self._is_picture(number):
                self.drop(number)
        self.settle()

    def _is_picture(self, number: int) -> bool:
        """Whether this is the picture of readers without scripts, and no text of theirs."""
        return self.tags[number] == "noscript" and not any(self._own[number : self.end[number]])

    def _measure(self) -> None:
        """Parents, own texts and links, in document order."""
        own, linked, tags, parents = self._own, self._linked, self.tags, self.parent
        elements = self.elements
        path: list[int] = []
        for number, element in enumerate(elements):
            above = element.getparent()
            while path and elements[path[-1]] is not above:
                path.pop()
            parent = parents[number] = path[-1] if path else 0
            path.append(number)
            if linked[parent] or (tags[number] == "a" and self._is_link(element, parent)):
                linked[number] = 1
            if text := element.text:
                own[number] += len(text.strip())
            if number and (tail := element.tail):
                own[parent] += len(tail.strip())

    def _close(self) -> None:
        end, parents = self.end, self.parent
        for number in range(len(end) - 1, 0, -1):
            parent = parents[number]
            if end[parent] < end[number]:
                end[parent] = end[number]

    def _is_link(self, element: etree._Element, parent: int) -> bool:
        href = element.get("href")
        if href is None:
            return False
        return not (href.startswith("#") and self.tags[parent] in HEADINGS) and not (
            href.startswith(_CONTACTS)
        )

    def settle(self) -> None:
        """Count the lengths again, where elements were marked since they were counted last."""
        if self._is_settled:
            return
        self._is_settled = True
        text, links, gone, parents = self.text, self.links, self.gone, self.parent
        text[:], links[:] = self._own, self._own_links
        for number in range(len(text) - 1, 0, -1):
            if gone[number]:
                text[number] = links[number] = 0
            elif text[number]:
                parent = parents[number]
                text[parent] += text[number]
                links[parent] += links[number]

    def drop(self, number: int) -> None:
        """Mark an element and all inside it as gone."""
        self._is_settled = False
        size = self.end[number] - number
        self.gone[number : self.end[number]] = b"\1" * size

    def marks(self, number: int) -> bytes:
        """What is gone of an element and all inside it, for `mark`."""
        return bytes(self.gone[number : self.end[number]])

    def mark(self, number: int, marks: bytes) -> None:
        """Set what is gone of an element and all inside it, as it was when `marks` was asked."""
        self._is_settled = False
        self.gone[number : self.end[number]] = marks

    def is_linked(self, number: int) -> bool:
        """Whether an element is a link or inside one."""
        return bool(self._linked[number])

    def own(self, number: int) -> int:
        """The characters that stand directly in an element, between its children."""
        return self._own[number]

    def checkpoint(self) -> bytes:
        """What is gone now, for `back_to`."""
        return bytes(self.gone)

    def back_to(self, checkpoint: bytes) -> None:
        """Take back what was marked since the checkpoint."""
        self.gone[:] = checkpoint
        self._is_settled = False
        self.settle()

    def plain_before(self, outer: int) -> "array[int]":
        """For each element inside, the plain characters inside `outer` ahead of it."""
        before = array("i", bytes((self.end[outer] - outer) * _WORD))
        total = 0
        for number in range(outer, self.end[outer]):
            before[number - outer] = total
            if not self.gone[number] and not self._linked[number]:
                total += self._own[number]
        return before

    def names(self, number: int) -> str:
        """The class and the id of an element as one string."""
        element = self.elements[number]
        names = (element.get("class") or "")[:LONGEST_NAMES]
        return f"{names} {(element.get('id') or '')[:LONGEST_NAMES]}"

    def plain(self, number: int) -> int:
        """The characters of an element that are not in links."""
        return self.text[number] - self.links[number]

    def children(self, number: int) -> Iterator[int]:
        """The numbers of the children that are not gone."""
        child, end = number + 1, self.end[number]
        while child < end:
            if not self.gone[child]:
                yield child
            child = self.end[child]

    def following(self, number: int) -> Iterator[int]:
        """The numbers of the siblings after an element that are not gone."""
        sibling, end = self.end[number], self.end[self.parent[number]]
        while sibling < end:
            if not self.gone[sibling]:
                yield sibling
            sibling = self.end[sibling]

    def inside(self, number: int) -> Iterator[int]:
        """The numbers of all elements inside, in document order, that are not gone."""
        inner, end, gone, ends = number + 1, self.end[number], self.gone, self.end
        while inner < end:
            if gone[inner]:
                inner = ends[inner]
            else:
                yield inner
                inner += 1

    def ancestors(self, number: int) -> Iterator[int]:
        """The numbers of the ancestors, the nearest first."""
        while number:
            number = self.parent[number]
            yield number

    def holds(self, outer: int, inner: int) -> bool:
        """Whether `inner` is `outer` or inside it."""
        return outer <= inner < self.end[outer]

    def common(self, first: int, second: int) -> int:
        """The nearest element that holds both."""
        while not self.holds(first, second):
            first = self.parent[first]
        return first

    def words(self, number: int, limit: int = 400) -> str:
        """The text of an element without what is gone, white space folded, cut at the limit."""
        pieces: list[str] = []
        size = 0
        for piece in self._pieces(number):
            pieces.append(piece)
            size += len(piece)
            if size > limit * 4:
                break
        return " ".join("".join(pieces).split())[:limit]

    def _pieces(self, number: int) -> Iterator[str]:
        yield self.elements[number].text or ""
        open_until: list[int] = []
        inner, end = number + 1, self.end[number]
        while inner < end or open_until:
            while open_until and self.end[open_until[-1]] <= inner:
                yield self.elements[open_until.pop()].tail or ""
            if inner >= end:
                continue
            if self.gone[inner]:
                yield self.elements[inner].tail or ""
                inner = self.end[inner]
                continue
            yield self.elements[inner].text or ""
            open_until.append(inner)
            inner += 1

    def keep_only(self, outer: int, kept: list[int]) -> None:
        """Mark all inside that is neither kept nor holds what is kept; `kept` is in order."""
        number, end, at = outer + 1, self.end[outer], 0
        while number < end:
            while at < len(kept) and self.end[kept[at]] <= number:
                at += 1
            if at < len(kept) and number < kept[at] < self.end[number]:
                number += 1
                continue
            if at == len(kept) or number != kept[at]:
                self.drop(number)
            number = self.end[number]
        self.settle()

    def cut_marked(self, number: int) -> etree._Element:
        """Take the marked elements inside out of the tree for good; their tails stay."""
        element = self.elements[number]
        inner, end = number + 1, self.end[number]
        while inner < end:
            if self.gone[inner]:
                self.elements[inner].tag = _CUT
                inner = self.end[inner]
            else:
                inner += 1
        etree.strip_elements(element, _CUT, with_tail=False)
        return element


def _shared_tag(element: etree._Element) -> str:
    """The tag of an element, as one string for all elements of that tag.

    An element that is kept holds the string of its tag, which it makes when it is asked; a third
    of the map's memory went there. Frequent tags are given to it instead.
    """
    tag = str(element.tag)
    shared = _SHARED.get(tag)
    if shared is None:
        return intern(tag)
    element.tag = shared
    return shared


def hyphenated(names: str) -> str:
    """Class and id names in lower case, the words in them apart by hyphens."""
    return _CAMEL.sub("-", names).lower().replace("_", "-")


def cut(root: etree._Element, elements: list[etree._Element]) -> None:
    """Take elements out of a tree; their tails stay. Linear, however many there are."""
    for element in elements:
        if element is not root:
            element.tag = _CUT
    etree.strip_elements(root, _CUT, with_tail=False)
