"""What a browser gives elements before any style sheet: by their tags and old attributes.

HTML standard, 15 (rendering): elements that are not shown, and presentational hints.
"""

from typing import Final

from lxml import etree

from safefetch_cli.content.styles.colours import colour_of

HIDING: Final = ("hidden", "popover")
COLOURING: Final = ("bgcolor", "color", "text", "background")
"""Attributes that hide an element, and those that give it colours or a picture behind it."""

_CONTROL: Final = {"color": "black", "background-color": "#efefef"}
_OF_TAGS: Final[dict[str, dict[str, str]]] = {
    "mark": {"color": "black", "background-color": "yellow"},
    **dict.fromkeys(("button", "input", "select", "textarea"), _CONTROL),
}
_LINKED: Final = "#0000ee"
_NAMED: Final = {"color": "color", "text": "color", "bgcolor": "background-color"}


def of_browser(element: etree._Element) -> dict[str, str]:
    """Property -> value, of the properties that matter here."""
    values = dict(_OF_TAGS.get(str(element.tag), ()))
    attributes = element.attrib
    if element.tag == "a" and "href" in attributes:
        values["color"] = _LINKED
    if is_put_away(element):
        values["display"] = "none"
    for name in COLOURING:
        if name in attributes:
            values |= _hint(element, name)
    return values


def is_put_away(element: etree._Element) -> bool:
    """Whether a browser shows the element only once a script or a command of the reader asks.

    What is `until-found` is found by a search in the page, and counts as shown.
    """
    attributes = element.attrib
    hidden = attributes.get("hidden")
    if hidden is not None and hidden.strip().lower() != "until-found":
        return True
    if element.tag == "dialog":
        return "open" not in attributes
    return "popover" in attributes


def _hint(element: etree._Element, name: str) -> dict[str, str]:
    if name == "background":
        return {"background-image": "url()"}
    if (name == "color") != (element.tag == "font") or (name == "text" and element.tag != "body"):
        return {}
    value = (element.get(name) or "").strip().lower()
    plain = value if colour_of(value) else f"#{value}"
    return {_NAMED[name]: plain} if colour_of(plain) else {}
