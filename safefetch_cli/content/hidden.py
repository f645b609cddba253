"""The text of a page that a reader cannot see.

Hidden is what the page hides by its styles, by an attribute, or for screen readers only. Not hidden
is what a reader gets to see all the same: the frame of the page, the name of a link or button, a
panel that a control opens, the next page of a slide show, a formula, code. None of that holds for a
text that looks as if it were written for a language model.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from lxml import etree

from safefetch_cli.content.attribute_values import attribute_values, class_names
from safefetch_cli.content.instructions import commands_a_model, looks_like_instructions
from safefetch_cli.content.late_pattern import late
from safefetch_cli.content.page_map import LONGEST_NAMES
from safefetch_cli.content.short_text import begin_of_text
from safefetch_cli.content.siblings import Siblings
from safefetch_cli.content.styles.sheets import page_css
from safefetch_cli.content.styles.unseen import has_linked_styles, unseen
from safefetch_cli.content.writer.chrome import is_line_number

_SCREEN_READER_CLASSES = """
    sr-only visually-hidden visuallyhidden screen-reader-text screen-reader-only is-sr-only sr_only
    srOnly sronly element-invisible hidden-visually visually_hidden visuallyHidden u-visually-hidden
    u-hidden-visually a11y-hidden a11y-only accessibility-hidden show-for-sr cdk-visually-hidden
    usa-sr-only govuk-visually-hidden
"""
_AMBIGUOUS_CLASSES = """
    screenreader screen-reader assistive-text vh vhidden offscreen off-screen hide-text
"""
_AMBIGUOUS = frozenset(_AMBIGUOUS_CLASSES.split())
_FOR_SCREEN_READERS = frozenset(_SCREEN_READER_CLASSES.split()) | _AMBIGUOUS
_LONGEST_NOTE = 120
"""A text for screen readers alone is seldom longer, where nothing but its class tells of it."""

_NAMING_ATTRIBUTES = frozenset(
    ("aria-controls", "data-target", "data-bs-target", "data-tab", "data-controls")
)
_PANEL = late(
    r"(?<![a-z])(?:tab|tabs|panel|panels|pane|accordion|collapse|collapsible|toggle|expand"
    r"|expandable|answer|faq|spoiler|slides?|steps?|gallery|tabcontent|tabpanel)(?![a-z])"
)
_SEQUEL = re.compile(r"(?<![a-z])(?:slides?|steps?|gallery|page)(?![a-z])")
_OPENER = late(
    r"(?<![a-z])(?:title|head|header|heading|question|trigger|toggle|btn|button|tabs?|label|control"
    r"|accordion|collapse|panel|spoiler|summary|nav|item|link|answer)(?![a-z])"
)
_CONTROLS = (
    *("a", "button", "summary", "label", "input", "dt", "th", "strong", "b"),
    *("h1", "h2", "h3", "h4", "h5", "h6"),
)
_CLICKED = ("onclick", "role", "aria-expanded", "tabindex")
_AWAY = ("http:", "https:", "/", ".")
_NAMER_TAGS = "a button h1 h2 h3 h4 h5 h6 th summary label legend"
_NAMERS = frozenset(_NAMER_TAGS.split())
_PHRASES = frozenset(("span", "b", "i", "em", "strong", "small"))
_CODE = ("pre", "code")
_CELLS = ("td", "th")
_LONGEST_LABEL = 80
_SHORTEST_SEQUEL = 100
_SHORTEST_OPENER = 3
_MOST_PIECES = 500


class Hidden(NamedTuple):
    """What a reader does not see of a page, in document order.

    `whole` are the elements of which nothing is seen, one in another too; the `cells` among them
    keep their place in a table. Of those in `own` their own text is not seen, but something inside.
    """

    whole: list[etree._Element]
    own: list[etree._Element]
    cells: frozenset[etree._Element]


def hidden_text(root: etree._Element) -> Hidden:
    """What a reader does not see of a page. Linear; the tree is only read."""
    styled = unseen(root)
    marked = list(_for_screen_readers(root))
    labels = {element for element in marked if _is_label(element)}
    marked = [element for element in marked if element not in labels]
    labelled = root.iter(etree.Element) if attribute_values(root, "aria-hidden") else ()
    aria = {element for element in labelled if _is_aria_hidden(element)}
    found = {*(one for one in styled.whole if one not in labels), *aria, *_named(root, marked)}
    panels = {element for element in found if _might_be_seen(element)}
    judging = _Panels(found, _opened_by_controls(root, found) if panels else frozenset())
    hidden = {one for one in found if one not in panels or not judging.is_seen(one)}
    gone = set(styled.whole)
    cells = (element for element in aria if element.tag in _CELLS and element not in gone)
    ordered = [one for one in root.iter(etree.Element) if one in hidden] if hidden else []
    return Hidden(ordered, styled.own, frozenset(cells))


def _is_aria_hidden(element: etree._Element) -> bool:
    return element.get("aria-hidden", "").strip().lower() == "true" and not _is_code(element)


def _is_code(element: etree._Element) -> bool:
    """Whether this is a part of code that readers see, other than the numbers of its lines."""
    if element.tag not in _CODE and next(element.iterancestors(*_CODE), None) is None:
        return False
    return not is_line_number(element) and not _text(element).replace(" ", "").isdigit()


def _named(root: etree._Element, marked: list[etree._Element]) -> Iterator[etree._Element]:
    """What only its class says to be for screen readers: no rule of the page is for that class."""
    if not marked:
        return
    css = "\n".join(page_css(root))
    styled = frozenset(name for name in _FOR_SCREEN_READERS if f".{name}" in css)
    has_unknown = has_linked_styles(root)
    for element in marked:
        names = _FOR_SCREEN_READERS.intersection((element.get("class") or "").split())
        if not names.isdisjoint(styled):
            continue  # the page's styles have judged it
        text = _text(element)
        is_certain = has_unknown and not names <= _AMBIGUOUS
        if is_certain or len(text) <= _LONGEST_NOTE or looks_like_instructions(text):
            yield element


def _for_screen_readers(root: etree._Element) -> Iterator[etree._Element]:
    """The elements with a class for screen readers."""
    if _FOR_SCREEN_READERS.isdisjoint(class_names(root)):
        return
    for element in root.iter(etree.Element):
        if not _FOR_SCREEN_READERS.isdisjoint((element.get("class") or "").split()):
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
    return begin_of_text(element, _MOST_PIECES)[0].strip()


def _opened_by_controls(root: etree._Element, found: set[etree._Element]) -> frozenset[str]:
    opened = (value for value, control in _opened(root) if _is_in_sight(control, found))
    return frozenset(name.lstrip("#") for value in opened for name in value.split())


def _is_in_sight(control: etree._Element, found: set[etree._Element]) -> bool:
    """Whether a reader can find the control: it is shown, and shows something."""
    return control not in found and (
        bool(_text(control)) or next(control.iter("img", "svg", "input"), None) is not None
    )


def _opened(root: etree._Element) -> Iterator[tuple[str, etree._Element]]:
    """What controls name as their panels, and the controls.

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
            yield attributes[name], element
        if element.tag == "label":
            yield attributes.get("for", ""), element
        is_toggle = "data-toggle" in attributes or "data-bs-toggle" in attributes
        href = attributes.get("href", "")
        is_in_tab = tabs and element.tag == "a" and href.startswith("#")
        if is_toggle or is_in_tab or attributes.get("role") == "tab":
            yield href, element
        tabs += is_tab


def _might_be_seen(element: etree._Element) -> bool:
    return (
        element.tag in ("html", "body")
        or element.get("role") == "tabpanel"
        or bool(_PANEL.search(_names(element)))
        or element.find(".//math") is not None
    )


class _Panels:
    """Judges the hidden panels of one page."""

    def __init__(self, found: set[etree._Element], opened: frozenset[str]) -> None:
        self._found = found
        self._opened = opened
        self._siblings = Siblings()

    def is_seen(self, element: etree._Element) -> bool:
        """Whether a reader gets to see the panel all the same."""
        if element.tag in ("html", "body"):
            return True
        is_opened = element.get("id") in self._opened
        # What a reader can open may tell him what to run; that alone is no word to a model.
        is_suspect = commands_a_model if is_opened else looks_like_instructions
        if is_suspect(_text(element)):
            return False
        if is_opened or element.get("role") == "tabpanel":
            return True
        if element.find(".//math") is not None:
            return self._has_no_picture(element)
        opener = element.getprevious()
        if opener is None or opener in self._found:
            return self._is_sequel(element)
        return _opens(opener) and (not _SEQUEL.search(_names(element)) or self._is_sequel(element))

    def _has_no_picture(self, formula: etree._Element) -> bool:
        """Whether no picture of this formula for screen readers stands beside it, to be seen."""
        picture = self._siblings.picture_beside(formula)
        return picture is None or picture in self._found

    def _is_sequel(self, element: etree._Element) -> bool:
        """Whether this is one of a series whose first is in sight, as pages of a slide show are."""
        if not _SEQUEL.search(_names(element)):
            return False
        first = self._siblings.first_like(element)
        return first not in self._found and len(_text(first)) > _SHORTEST_SEQUEL


def _opens(opener: etree._Element) -> bool:
    """Whether the element before a panel is one that readers click to open it."""
    text = _text(opener)
    if len(text) <= _SHORTEST_OPENER:
        return False
    if _OPENER.search(_names(opener)) or any(name in opener.attrib for name in _CLICKED):
        return True
    return any(
        control.tag != "a" or not (control.get("href") or "#").partition("#")[0].startswith(_AWAY)
        for control in opener.iter(*_CONTROLS)
        if control.tag not in _PHRASES or _text(control) == text
    )


def _names(element: etree._Element) -> str:
    names = (element.get("class") or "")[:LONGEST_NAMES]
    return f"{names} {(element.get('id') or '')[:LONGEST_NAMES]}".lower()
