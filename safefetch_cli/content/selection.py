"""Parts of a page by CSS selectors: the ones that are wanted, and the ones that are not."""

import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from lxml import etree

from safefetch_cli.content.page_map import cut
from safefetch_cli.content.selector_grammar import parse_selector
from safefetch_cli.content.selector_match import matching
from safefetch_cli.errors import SelectionNotFound

_LISTED = {"li": ("ul", "ol", "menu"), "dt": ("dl",), "dd": ("dl",)}
_TABLED = dict.fromkeys(("tr", "thead", "tbody", "tfoot"), ("table",))
_HOLDERS: dict[str, tuple[str, ...]] = {**_LISTED, **_TABLED, "code": ("pre",)}
"""Elements that mean nothing without the one that holds them."""

_NAME = re.compile(r"[a-z_][\w.-]*", re.ASCII)


class Choice(NamedTuple):
    """The elements of a page that are wanted, None for all, and those that are not."""

    css: str
    wanted: list[etree._Element] | None
    unwanted: list[etree._Element]


def choose(root: etree._Element, css: str, exclude: Iterable[str]) -> Choice:
    """What selectors choose on the page as it is, before anything is taken out of it.

    `css` selects the wanted elements ("" for all of the page), each of `exclude` unwanted ones.
    Raises as `select`; that there is nothing to exclude is well.
    """
    unwanted = [element for other in exclude for element in matches(root, other)]
    return Choice(css, select(root, css) if css else None, unwanted)


def chosen(root: etree._Element, choice: Choice) -> list[etree._Element] | None:
    """Take the unwanted elements out of the tree and give what is left of the wanted ones.

    None stands for all of the page. Raises SelectionNotFound when nothing is left, be it that what
    is wanted is excluded or that `clean` has removed it for being hidden.
    """
    remove(root, choice.unwanted)
    if choice.wanted is None:
        return None
    kept = set(root.iter())
    left = [element for element in choice.wanted if element in kept]
    if not left:
        raise SelectionNotFound(
            f"all that matches the selector {choice.css!r} is hidden or excluded"
        )
    return left


def select(root: etree._Element, css: str) -> list[etree._Element]:
    """The elements that a CSS selector selects, in document order, one inside another left out.

    Raises InvalidInput for what is no selector, SelectionNotFound when nothing is selected, and
    ProcessingLimit for a selector too complex for the size of the page.
    """
    found = matches(root, css)
    if not found:
        raise SelectionNotFound(f"nothing on the page matches the selector {css!r}")
    return found


def matches(root: etree._Element, css: str) -> list[etree._Element]:
    """The same, but that nothing is selected is well."""
    return matching(root, parse_selector(css))


def remove(root: etree._Element, elements: Sequence[etree._Element]) -> None:
    """Take elements out of a tree; of the root itself its content."""
    if not elements:
        return
    if root in elements:
        for child in list(root):
            root.remove(child)
        root.text = None
    else:
        cut(root, list(elements))


def gathered(root: etree._Element, elements: Sequence[etree._Element]) -> etree._Element:
    """An element of the page that holds nothing but these, each a block of its own.

    Items of one list, or rows of one table, come together in a copy of it that has nothing else.
    The tree is changed: the elements move.
    """
    if root in elements:
        return root
    box = etree.SubElement(root, "div")
    for holder, members in groupby(elements, key=_holder):
        if holder is not None:
            block = etree.SubElement(box, "div")
            _move(members, _copy(holder, block))
            continue
        for member in members:
            _move([member], etree.SubElement(box, "div"))
    return box


def _holder(element: etree._Element) -> etree._Element | None:
    holders = _HOLDERS.get(str(element.tag))
    return next(element.iterancestors(*holders), None) if holders else None


def _copy(holder: etree._Element, into: etree._Element) -> etree._Element:
    """An element like another, with nothing in it; names that no XML can have are left out."""
    given = {name: value for name, value in holder.items() if _NAME.fullmatch(name)}
    return etree.SubElement(into, holder.tag, given)


def _move(elements: Iterable[etree._Element], into: etree._Element) -> None:
    for element in elements:
        element.tail = None
        into.append(element)
