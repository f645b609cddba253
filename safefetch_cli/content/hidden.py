"""The elements of a page that a reader cannot see.

Hidden is what the page hides by an attribute, by its style or its style sheet, or for screen
readers only. Not hidden is what a reader gets to see all the same: the frame of the page, the name
of a link or button, a panel that a control opens, the next page of a slide show, a formula. None of
that holds for a text that looks as if it were written for a language model.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice

from lxml import etree

from safefetch_cli.content.declarations import style_hides
from safefetch_cli.content.instructions import looks_like_instructions
from safefetch_cli.content.page_map import LONGEST_NAMES
from safefetch_cli.content.page_styles import hidden_by_styles

_SCREEN_READER_CLASSES = """
    sr-only visually-hidden visuallyhidden screen-reader-text screen-reader-only screenreader
    screen-reader is-sr-only sr_only srOnly sronly element-invisible hidden-visually visually_hidden
    visuallyHidden u-visually-hidden u-hidden-visually a11y-hidden a11y-only assistive-text
    accessibility-hidden vh vhidden offscreen off-screen show-for-sr hide-text cdk-visually-hidden
    usa-sr-only govuk-visually-hidden
"""
_FOR_SCREEN_READERS = frozenset(_SCREEN_READER_CLASSES.split())
_WITH_CLASS = etree.XPath("//*[@class]")
_MARKED = etree.XPath("//*[@hidden or @aria-hidden or @style]")
_NAMING_ATTRIBUTES = frozenset(
    ("aria-controls", "data-target", "data-bs-target", "data-tab", "data-controls")
)
_PANEL = re.compile(
    r"(?<![a-z])(?:tab|tabs|panel|panels|pane|accordion|collapse|collapsible|toggle|expand"
    r"|expandable|answer|faq|spoiler|slides?|steps?|gallery|tabcontent|tabpanel)(?![a-z])"
)
_SEQUEL = re.compile(r"(?<![a-z])(?:slides?|steps?|gallery|page)(?![a-z])")
_ANIMATED = (
    "data-w-id", "data-aos", "data-sal", "data-framer-appear-id", "data-scroll", "data-animate",
)  # fmt: skip
_NAMER_TAGS = "a button h1 h2 h3 h4 h5 h6 th summary label legend"
_NAMERS = frozenset(_NAMER_TAGS.split())
_PHRASES = frozenset(("span", "b", "i", "em", "strong", "small"))
_LONGEST_LABEL = 80
_SHORTEST_SEQUEL = 100
_SHORTEST_OPENER = 3
_MOST_PIECES = 500


def hidden_elements(root: etree._Element) -> list[etree._Element]:
    """The outermost elements whose text is not seen, in document order."""
    found = {*_marked(root), *_named(root), *hidden_by_styles(root)}
    panels = {element for element in found if _might_be_seen(element)}
    opened = _opened_by_controls(root) if panels else frozenset()
    hidden = {
        element
        for element in found
        if element not in panels or not _is_seen(element, found, opened)
    }
    return list(_outermost(root, hidden)) if hidden else []


def _marked(root: etree._Element) -> Iterator[etree._Element]:
    for element in _MARKED(root):
        hidden = element.get("hidden")
        if (
            (hidden is not None and hidden.strip().lower() != "until-found")
            or (element.get("aria-hidden") or "").strip().lower() == "true"
            or style_hides(element.get("style") or "")
        ):
            yield element


def _named(root: etree._Element) -> Iterator[etree._Element]:
    for element in _WITH_CLASS(root):
        if _is_for_screen_readers(element.get("class") or "") and not _is_label(element):
            yield element


@lru_cache(maxsize=8192)
def _is_for_screen_readers(classes: str) -> bool:
    return not _FOR_SCREEN_READERS.isdisjoint(classes.split())


def _outermost(root: etree._Element, hidden: set[etree._Element]) -> Iterator[etree._Element]:
    inside: set[etree._Element] = set()
    for element in root.iter(etree.Element):
        parent = element.getparent()
        if parent is not None and parent in inside:
            inside.add(element)
        elif element in hidden:
            inside.add(element)
            yield element


def _is_label(element: etree._Element) -> bool:
    """Whether this is all the text that a link, button, heading or cell has."""
    text = _text(element)
    if not text or len(text) > _LONGEST_LABEL or looks_like_instructions(text):
        return False
    holder: etree._Element | None = element
    while holder is not None and holder.tag not in _NAMERS:
        above = holder.getparent()
        holder = above if above is not None and above.tag in _NAMERS | _PHRASES else None
    return holder is not None and _text(holder) == text


def _text(element: etree._Element) -> str:
    return "".join(islice(element.itertext(), _MOST_PIECES)).strip()


def _opened_by_controls(root: etree._Element) -> frozenset[str]:
    return frozenset(name.lstrip("#") for value in _opened(root) for name in value.split())


def _opened(root: etree._Element) -> Iterator[str]:
    """What controls name as their panels.

    In one walk: XPath would join the nodes of its parts in quadratic time, and not stop for a
    deadline.
    """
    tabs = 0
    for event, element in etree.iterwalk(root, events=("start", "end")):
        attributes = element.attrib
        is_tab = "tab" in attributes.get("class", "")
        if event == "end":
            tabs -= is_tab
            continue
        for name in _NAMING_ATTRIBUTES.intersection(attributes):
            yield attributes[name]
        if element.tag == "label":
            yield attributes.get("for", "")
        is_toggle = "data-toggle" in attributes or "data-bs-toggle" in attributes
        href = attributes.get("href", "")
        is_in_tab = tabs and element.tag == "a" and href.startswith("#")
        if is_toggle or is_in_tab or attributes.get("role") == "tab":
            yield href
        tabs += is_tab


def _might_be_seen(element: etree._Element) -> bool:
    return (
        element.tag in ("html", "body")
        or element.get("role") == "tabpanel"
        or bool(_PANEL.search(_names(element)))
        or any(name in element.attrib for name in _ANIMATED)
        or element.find(".//math") is not None
    )


def _is_seen(element: etree._Element, found: set[etree._Element], opened: frozenset[str]) -> bool:
    if element.tag in ("html", "body"):
        return True
    if looks_like_instructions(_text(element)):
        return False
    if element.get("role") == "tabpanel" or element.get("id") in opened:
        return True
    if element.find(".//math") is not None:
        return _has_no_picture(element, found)
    if any(name in element.attrib for name in _ANIMATED):
        return "opacity" in (element.get("style") or "")
    opener = element.getprevious()
    if opener is None or opener in found:
        return _is_sequel(element, found)
    return len(_text(opener)) > _SHORTEST_OPENER and (
        not _SEQUEL.search(_names(element)) or _is_sequel(element, found)
    )


def _has_no_picture(formula: etree._Element, found: set[etree._Element]) -> bool:
    """Whether no picture of this formula for screen readers stands beside it, to be seen."""
    parent = formula.getparent()
    picture = None if parent is None else parent.find("img")
    return picture is None or picture in found


def _is_sequel(element: etree._Element, found: set[etree._Element]) -> bool:
    """Whether this is one of a series whose first is in sight, as the pages of a slide show are."""
    parent = element.getparent()
    if parent is None or not _SEQUEL.search(_names(element)):
        return False
    name = (element.get("class") or "").split()[:1]
    first = next((one for one in parent if (one.get("class") or "").split()[:1] == name), element)
    return first not in found and len(_text(first)) > _SHORTEST_SEQUEL


def _names(element: etree._Element) -> str:
    names = (element.get("class") or "")[:LONGEST_NAMES]
    return f"{names} {(element.get('id') or '')[:LONGEST_NAMES]}".lower()
