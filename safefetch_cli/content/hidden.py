"""The elements of a page that a reader cannot see."""

import re
from collections.abc import Iterator
from functools import lru_cache

from lxml import etree

from safefetch_cli.content.declarations import style_hides
from safefetch_cli.content.instructions import looks_like_instructions
from safefetch_cli.content.page_styles import hidden_by_styles

_FOR_SCREEN_READERS = frozenset(
    "sr-only visually-hidden visuallyhidden screen-reader-text screen-reader-only screenreader "
    "screen-reader is-sr-only sr_only srOnly sronly element-invisible hidden-visually "
    "visually_hidden visuallyHidden u-visually-hidden u-hidden-visually a11y-hidden a11y-only "
    "assistive-text accessibility-hidden vh vhidden offscreen off-screen show-for-sr hide-text "
    "cdk-visually-hidden usa-sr-only govuk-visually-hidden mw-empty-elt".split()
)
_CLASSES = etree.XPath("//@class", smart_strings=False)
_MARKED = "//*[@hidden or @aria-hidden or @style]"
_CONTROLS = (
    "//@aria-controls | //@data-target | //@data-bs-target | //@data-tab | //@data-controls "
    "| //*[@role='tab']/@href | //*[@data-toggle or @data-bs-toggle]/@href | //label/@for"
    "| //*[contains(@class, 'tab')]//a/@href[starts-with(., '#')]"
)
_PANEL = re.compile(
    r"(?<![a-z])(?:tab|tabs|panel|panels|pane|accordion|collapse|collapsible|toggle|expand|expandable"
    r"|answer|faq|spoiler|slides?|steps?|gallery|tabcontent|tabpanel)(?![a-z])"
)
_SEQUEL = re.compile(r"(?<![a-z])(?:slides?|steps?|gallery|page)(?![a-z])")
_ANIMATED = (
    "data-w-id",
    "data-aos",
    "data-sal",
    "data-framer-appear-id",
    "data-scroll",
    "data-animate",
)
_SHORTEST_SEQUEL = 100
_NAMERS = frozenset(
    ("a", "button", "h1", "h2", "h3", "h4", "h5", "h6", "th", "summary", "label", "legend")
)
_PHRASES = frozenset(("span", "b", "i", "em", "strong", "small"))
_LONGEST_LABEL = 80


def hidden_elements(root: etree._Element) -> list[etree._Element]:
    """The outermost elements whose text is not seen, in document order."""
    found = set(_marked(root)) | set(_named(root)) | set(hidden_by_styles(root))
    if not found:
        return []
    panels = {element for element in found if _might_open(element)}
    opened = _opened_by_controls(root) if panels else frozenset()
    hidden = {
        element
        for element in found
        if not (element in panels and _can_be_seen(element, found, opened))
    }
    return [
        element
        for element in root.iter(etree.Element)
        if element in hidden and not any(above in hidden for above in element.iterancestors())
    ]


def _marked(root: etree._Element) -> Iterator[etree._Element]:
    for element in root.xpath(_MARKED):
        hidden = element.get("hidden")
        if (
            (hidden is not None and hidden.strip().lower() != "until-found")
            or (element.get("aria-hidden") or "").strip().lower() == "true"
            or style_hides(element.get("style") or "")
        ):
            yield element


def _named(root: etree._Element) -> Iterator[etree._Element]:
    for classes in set(_CLASSES(root)):
        if _is_for_screen_readers(classes):
            elements = root.xpath("//*[@class = $classes]", classes=classes)
            yield from (element for element in elements if not _is_label(element))


@lru_cache(maxsize=8192)
def _is_for_screen_readers(classes: str) -> bool:
    return not _FOR_SCREEN_READERS.isdisjoint(classes.split())


def _is_label(element: etree._Element) -> bool:
    """Whether this is all the text that a link, button, heading or cell has."""
    text = "".join(element.itertext()).strip()
    if not text or len(text) > _LONGEST_LABEL or looks_like_instructions(text):
        return False
    holder: etree._Element | None = element
    while holder is not None and holder.tag not in _NAMERS:
        above = holder.getparent()
        holder = above if above is not None and above.tag in _NAMERS | _PHRASES else None
    return holder is not None and "".join(holder.itertext()).strip() == text


def _opened_by_controls(root: etree._Element) -> frozenset[str]:
    values = (str(value).strip() for value in root.xpath(_CONTROLS))
    return frozenset(name.lstrip("#") for value in values for name in value.split())


def _might_open(element: etree._Element) -> bool:
    return (
        element.tag in ("html", "body")
        or element.get("role") == "tabpanel"
        or bool(_PANEL.search(_names(element)))
        or any(name in element.attrib for name in _ANIMATED)
        or _is_formula(element)
    )


def _is_formula(element: etree._Element) -> bool:
    """Whether this is a formula for screen readers, with no picture of it beside."""
    parent = element.getparent()
    return element.find(".//math") is not None and (parent is None or parent.find("img") is None)


def _can_be_seen(
    element: etree._Element, found: set[etree._Element], opened: frozenset[str]
) -> bool:
    """Whether the page shows this after all: its frame, formulas, what a control or script opens."""
    if element.tag in ("html", "body") or _is_formula(element):
        return True
    if looks_like_instructions("".join(element.itertext())):
        return False
    if element.get("role") == "tabpanel" or element.get("id") in opened:
        return True
    if any(name in element.attrib for name in _ANIMATED):
        return "opacity" in (element.get("style") or "")
    before = element.getprevious()
    if before is None or before.tag in ("script", "style"):
        return False
    if _SEQUEL.search(_names(element)):
        return _is_sequel(element, found)
    return before not in found and len("".join(before.itertext()).strip()) > 3


def _is_sequel(element: etree._Element, found: set[etree._Element]) -> bool:
    """Whether this is one of a series whose first is in sight, as the pages of a slide show are."""
    parent = element.getparent()
    names = (element.get("class") or "").split()[:1]
    siblings = () if parent is None else parent
    first = next((one for one in siblings if (one.get("class") or "").split()[:1] == names), None)
    return (
        first is not None
        and first not in found
        and len("".join(first.itertext())) > _SHORTEST_SEQUEL
    )


def _names(element: etree._Element) -> str:
    return f"{element.get('class') or ''} {element.get('id') or ''}".lower()
