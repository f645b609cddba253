"""What is done at the start and end of the elements that stand in a line of text."""

from functools import partial
from typing import Final

from lxml import etree

from safefetch_cli.content.writer.chrome import is_copy_button
from safefetch_cli.content.writer.state import Begin, End, Writer
from safefetch_cli.content.writer.tokens import (
    BREAK,
    DELETED,
    EMPHASIS,
    STRONG,
    SUBSCRIPT,
    SUPERSCRIPT,
)

_FORMATS: Final = {
    "b": STRONG,
    "strong": STRONG,
    "i": EMPHASIS,
    "em": EMPHASIS,
    "var": EMPHASIS,
    "dfn": EMPHASIS,
    "del": DELETED,
    "s": DELETED,
    "strike": DELETED,
}
_SCRIPTS: Final = {"sup": SUPERSCRIPT, "sub": SUBSCRIPT}
_UNSHOWN: Final = (
    *("applet", "clipboard-copy", "datalist", "embed", "frameset", "head", "link", "meta"),
    *("mjx-math", "noembed", "noframes", "param", "rp", "style", "svg", "template", "title"),
)
_SPACED: Final = ("option", "optgroup", "select", "label")
_MARKS: Final = ("\u201c\u201d", "\u2018\u2019")


def _skip(_: Writer, __: etree._Element) -> bool:
    return True


def _begin_format(writer: Writer, _: etree._Element, *, name: str) -> bool:
    writer.run.open(name)
    return False


def _end_format(writer: Writer, _: etree._Element, *, name: str) -> None:
    writer.run.close(name)


def _begin_script(writer: Writer, element: etree._Element, *, name: str) -> bool:
    """Raised and lowered text keeps its tag, unless a link's brackets already set it apart."""
    if not _holds_link(element):
        writer.run.open(name)
    return False


def _end_script(writer: Writer, element: etree._Element, *, name: str) -> None:
    if not _holds_link(element):
        writer.run.close(name)


def _holds_link(element: etree._Element) -> bool:
    return bool(len(element)) and any(link.get("href") for link in element.iter("a"))


def _begin_break(writer: Writer, _: etree._Element) -> bool:
    writer.add(BREAK)
    return False


def _begin_input(writer: Writer, element: etree._Element) -> bool:
    box = writer.boxes.top
    is_box = element.get("type", "").strip().lower() == "checkbox"
    if is_box and box.kind == "item" and not box.last and not writer.flat and writer.run.is_blank():
        writer.run.add_ready("[ ]" if element.get("checked") is None else "[x]")
        writer.add(" ")
    return False


def _begin_quotation(writer: Writer, _: etree._Element) -> bool:
    writer.add(_MARKS[writer.quotes % 2][0])
    writer.quotes += 1
    return False


def _end_quotation(writer: Writer, _: etree._Element) -> None:
    writer.quotes -= 1
    writer.add(_MARKS[writer.quotes % 2][1])


def _begin_reading(writer: Writer, _: etree._Element) -> bool:
    writer.add("(")
    return False


def _end_reading(writer: Writer, _: etree._Element) -> None:
    writer.add(")")


def _begin_button(writer: Writer, element: etree._Element) -> bool:
    writer.add(" ")
    return is_copy_button(element)


def _begin_spaced(writer: Writer, _: etree._Element) -> bool:
    writer.add(" ")
    return False


def _end_spaced(writer: Writer, _: etree._Element) -> None:
    writer.add(" ")


BEGIN: Final[dict[str, Begin]] = {
    **{tag: partial(_begin_format, name=name) for tag, name in _FORMATS.items()},
    **{tag: partial(_begin_script, name=name) for tag, name in _SCRIPTS.items()},
    **dict.fromkeys(_UNSHOWN, _skip),
    **dict.fromkeys(_SPACED, _begin_spaced),
    "br": _begin_break,
    "button": _begin_button,
    "input": _begin_input,
    "q": _begin_quotation,
    "rt": _begin_reading,
}
"""The rules for the starts of inline elements, and of those that are not shown, by tag."""

END: Final[dict[str, End]] = {
    **{tag: partial(_end_format, name=name) for tag, name in _FORMATS.items()},
    **{tag: partial(_end_script, name=name) for tag, name in _SCRIPTS.items()},
    **dict.fromkeys((*_SPACED, "button"), _end_spaced),
    "q": _end_quotation,
    "rt": _end_reading,
}
"""The rules for the ends of inline elements, by tag."""
