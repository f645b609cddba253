"""The elements of a page whose text its styles leave out of sight."""

import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import NamedTuple

from lxml import etree

from safefetch_cli.content.instructions import looks_like_instructions
from safefetch_cli.content.page_elements import Elements, Numbers
from safefetch_cli.content.selector_match import outermost
from safefetch_cli.content.styles.boxes import is_unseen
from safefetch_cli.content.styles.browser import COLOURING, HIDING, is_put_away, of_browser
from safefetch_cli.content.styles.cascade import Cascade
from safefetch_cli.content.styles.colours import colour_of, is_no_ink
from safefetch_cli.content.styles.looks import (
    KNOWN_PAGE,
    UNKNOWN_PAGE,
    Look,
    inherited,
    may_be_faint,
)
from safefetch_cli.content.styles.revealing import Revealing
from safefetch_cli.content.styles.sheets import Block, Sheets, page_css, read_sheets
from safefetch_cli.content.styles.suspicion import Custom, Signs, Tones, signs_of

MAX_STEPS = 5_000_000
"""So many elements may be looked at to find what rules might hide, and again to weigh them all."""

_STYLING = frozenset(("style", *HIDING, *COLOURING))
_OFTEN_STYLED = frozenset(("html", "body", "a"))
_MOST_PIECES = 500
_MOST = 0.5
_FEW_RULES = 200
"""A page with no more is first asked whether any rule could hide something, wherever it applies."""

_IMPORT = re.compile(r"@import\b", re.IGNORECASE)
_PICTURES = frozenset(
    ("img", "picture", "video", "audio", "svg", "canvas", "iframe", "object", "input", "math")
)


class Unseen(NamedTuple):
    """Elements of which nothing is seen, and those whose own text is not, but something inside.

    Of the first, one may lie in another.
    """

    whole: list[etree._Element]
    own: list[etree._Element]


class _Suspects(NamedTuple):
    """Rules and elements that may hide text, by what it takes to be sure."""

    rules: list[tuple[Block, Signs]]
    elements: list[tuple[etree._Element, Signs]]
    tones: Tones


def unseen(root: etree._Element) -> Unseen:
    """What of a page its own styles hide: its style sheets, attributes and the browser's rules.

    The elements come in document order. Styles that come from elsewhere are not known; where they
    may give a text, or what is behind it, another colour, it counts as seen. Linear in the page but
    for rules that ask for many elements, which are bounded.
    """
    css = page_css(root)
    sheets = read_sheets(css)
    styled = [one for one in root.iter(etree.Element) if not _STYLING.isdisjoint(one.keys())]
    styled += (dialog for dialog in root.iter("dialog") if _STYLING.isdisjoint(dialog.keys()))
    if not sheets.blocks and not styled:
        return Unseen([], [])
    if len(sheets.blocks) <= _FEW_RULES and _is_empty(_suspects(sheets.blocks, styled)):
        return Unseen([], [])
    elements = Elements(list(root.iter(etree.Element)), MAX_STEPS)
    cascade = Cascade(elements, sheets.blocks)
    suspects = _suspects(cascade.live_blocks, styled)
    if _is_empty(suspects):
        return Unseen([], [])
    has_unknown = any(map(_IMPORT.search, css)) or has_linked_styles(root)
    return _Judging(cascade, sheets, has_unknown=has_unknown).unseen(suspects)


def has_linked_styles(root: etree._Element) -> bool:
    """Whether a page has style sheets of another address."""
    return any(
        "stylesheet" in (link.get("rel") or "").lower() and link.get("href")
        for link in root.iter("link")
    )


def _suspects(blocks: list[Block], styled: list[etree._Element]) -> _Suspects:
    styles = [(element, element.get("style") or "") for element in styled]
    declared = [*(block.css for block in blocks), *(style for _, style in styles)]
    custom = Custom(css for css in declared if "--" in css)
    rules = [(block, signs_of(block.css, custom)) for block in blocks]
    elements = [(element, _signs_of_element(element, style, custom)) for element, style in styles]
    tones = Tones([signs for _, signs in (*rules, *elements)])
    return _Suspects(
        [(block, signs) for block, signs in rules if _is_suspect(signs, tones)],
        [(element, signs) for element, signs in elements if _is_suspect(signs, tones)],
        tones,
    )


def _is_empty(suspects: _Suspects) -> bool:
    return not suspects.rules and not suspects.elements


def _signs_of_element(element: etree._Element, style: str, custom: Custom) -> Signs:
    signs = signs_of(style, custom)
    if is_put_away(element):
        signs = signs._replace(hides=True)
    if any(name in element.attrib for name in COLOURING):
        given = of_browser(element)
        ink, paper = (colour_of(given.get(name, "")) for name in ("color", "background-color"))
        signs = signs._replace(
            inks=signs.inks + ((ink,) if ink else ()),
            papers=signs.papers + ((paper,) if paper else ()),
        )
    return signs


def _is_suspect(signs: Signs, tones: Tones) -> bool:
    return signs.hides or tones.has_ink(signs) or tones.has_paper(signs)


class _Judging:
    """Judges the suspects of one page."""

    def __init__(self, cascade: Cascade, sheets: Sheets, *, has_unknown: bool) -> None:
        self._page = cascade.page
        self._has_unknown = has_unknown
        self._cascade = cascade
        self._revealing = Revealing(sheets, has_unknown=has_unknown)
        self._looks: dict[int, Look] = {-1: UNKNOWN_PAGE if has_unknown else KNOWN_PAGE}

    def unseen(self, suspects: _Suspects) -> Unseen:
        hiding = self._found(suspects, _may_hide)
        self._page.left = MAX_STEPS
        self._cascade.learn(hiding)
        # Where not all rules could be weighed, what one of them hides is hidden.
        is_sure = not self._cascade.is_exhausted
        whole = {number for number in hiding if not is_sure or self._is_unseen(number)}
        faint = {number for number in hiding if self._is_faint(number)}
        faint |= self._toned(suspects)
        own: Numbers = set()
        tops = list(outermost(self._page, faint))
        around = (
            number for top in tops for number in (*self._inside(top, whole), *self._above(top))
        )
        self._cascade.learn(around, inherited_only=True)
        for number in tops:
            all_of, text_of = self._look_into(number, whole)
            if not self._is_whole_page(number, all_of, text_of):
                whole |= all_of
                own |= text_of
        elements = self._page.all
        return Unseen(
            [elements[number] for number in sorted(whole)],
            [elements[number] for number in sorted(own)],
        )

    def _found(self, suspects: _Suspects, is_meant: Callable[[Signs], bool]) -> Numbers:
        """The elements that suspects of one kind are about."""
        rules = [block for block, signs in suspects.rules if is_meant(signs)]
        found = self._cascade.matched(rules)
        for element, signs in suspects.elements:
            if is_meant(signs):
                found.add(self._page.number[element])
        return found

    def _is_unseen(self, number: int) -> bool:
        values = self._cascade.values(number)
        if not is_unseen(values):
            return False
        if is_unseen(values, revealed=True):
            return True
        element = self._page.all[number]
        return not self._revealing.reveals(element, values) or looks_like_instructions(
            "".join(islice(element.itertext(), _MOST_PIECES))
        )

    def _is_faint(self, number: int) -> bool:
        """Whether it hides text by what goes over to the elements inside."""
        return may_be_faint(self._cascade.values(number))

    def _toned(self, suspects: _Suspects) -> Numbers:
        """The elements whose ink, theirs or from above, may be that of what is behind it."""
        inked = self._found(suspects, suspects.tones.has_ink)
        papered = self._found(suspects, suspects.tones.has_paper)
        if not self._has_unknown:
            return inked | papered
        return {number for number in inked | papered if self._meets(number, inked, papered)}

    def _meets(self, number: int, inked: Numbers, papered: Numbers) -> bool:
        """Whether both its ink and what is behind it are known."""
        has_ink, has_paper = number in inked, number in papered
        while not (has_ink and has_paper):
            if self._is_open(number):
                return False
            number = self._page.parent[number]
            if number < 0:
                return False
            has_ink, has_paper = has_ink or number in inked, has_paper or number in papered
        return True

    def _is_open(self, number: int) -> bool:
        """Whether styles that are not known may be for the element."""
        if not self._has_unknown:
            return False
        element = self._page.all[number]
        return bool(element.get("class") or element.get("id")) or element.tag in _OFTEN_STYLED

    def _is_whole_page(self, top: int, all_of: Numbers, text_of: Numbers) -> bool:
        """Whether a page would be left with little text by what it says of all its text.

        Then it says more elsewhere, in styles that are not known or by its scripts.
        """
        if self._page.all[top].tag not in ("html", "body"):
            return False
        lost = "".join(
            [
                *("".join(self._page.all[number].itertext()) for number in all_of),
                *("".join(own_texts(self._page.all[number])) for number in text_of),
            ]
        )
        whole = "".join(self._page.all[top].itertext())
        return len(lost) > _MOST * len(whole) and not looks_like_instructions(lost)

    def _look_into(self, top: int, whole: Numbers) -> tuple[Numbers, Numbers]:
        """What is not seen in an element whose text may not be; wholly, and of its own text."""
        inside = list(self._inside(top, whole))
        above = self._above(top)
        all_of: Numbers = set()
        own: Numbers = set()
        if not whole.isdisjoint(above):
            return all_of, own
        for number in (*reversed(above), *inside):
            self._look(number)
        in_sight = {number for number in inside if self._shows(number)}
        for number in reversed(inside):
            if number in in_sight and number != top:
                in_sight.add(self._page.parent[number])
        end = 0
        for number in inside:
            if number < end or self._looks[number].is_seen:
                continue
            if number in in_sight:
                own.add(number)
            else:
                all_of.add(number)
                end = self._page.end[number]
        return all_of, own

    def _inside(self, top: int, whole: Numbers) -> Iterator[int]:
        number = top
        while number < self._page.end[top]:
            if number in whole:
                number = self._page.end[number]
                continue
            yield number
            number += 1

    def _above(self, number: int) -> list[int]:
        """The elements around one, the nearest first."""
        found = []
        at = self._page.parent[number]
        while at >= 0:
            found.append(at)
            at = self._page.parent[at]
        return found

    def _look(self, number: int) -> None:
        if number not in self._looks:
            above = self._looks[self._page.parent[number]]
            values = self._cascade.values(number)
            self._looks[number] = inherited(above, values, is_open=self._is_open(number))

    def _shows(self, number: int) -> bool:
        """Whether the element itself shows something: text of its own, or a picture."""
        look = self._looks[number]
        if self._page.all[number].tag in _PICTURES:
            return not look.is_hidden
        return look.is_seen and not all(map(str.isspace, own_texts(self._page.all[number])))


def own_texts(element: etree._Element) -> list[str]:
    """The pieces of text that stand in an element itself."""
    return [text for text in (element.text, *(child.tail for child in element)) if text]


def _may_hide(signs: Signs) -> bool:
    return signs.hides or any(map(is_no_ink, signs.inks))
