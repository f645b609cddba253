"""The text in drawings (SVG), as text of the page; the drawings themselves are left out."""

from collections.abc import Iterable, Iterator

from lxml import etree

from safefetch_cli.content.instructions import looks_like_instructions
from safefetch_cli.content.styles.boxes import is_unseen
from safefetch_cli.content.styles.colours import colour_of, is_no_ink
from safefetch_cli.content.styles.longhands import longhands
from safefetch_cli.content.styles.looks import may_be_faint

_UNDRAWN = frozenset(
    (
        *("defs", "symbol", "title", "desc", "metadata", "style", "script", "clippath", "mask"),
        *("pattern", "marker", "lineargradient", "radialgradient", "filter"),
    )
)
_PRESENTED = ("display", "visibility", "opacity", "font-size")
_FAR_OFF = -500.0


def write_out(root: etree._Element) -> None:
    """Turn each drawing of a tree that has text into that text, a span for each line of it.

    HTML inside a drawing stays as it is. Text that the drawing hides by its own attributes goes;
    so does what looks as if it were written for a language model, as a drawing has many ways to
    hide text.
    """
    for drawing in list(root.iter("svg")):
        parts = list(_parts(drawing)) if _is_written_on(drawing) else ()
        if parts:
            _replace(drawing, parts)


def _is_written_on(drawing: etree._Element) -> bool:
    return (
        next(drawing.iter("text", "foreignobject"), None) is not None
        and next(drawing.iterancestors("svg"), None) is None
    )


def _parts(drawing: etree._Element) -> Iterator[etree._Element]:
    walker = etree.iterwalk(drawing, events=("start",))
    for _, element in walker:
        if element is not drawing and (element.tag in _UNDRAWN or _is_hidden(element)):
            walker.skip_subtree()
        elif element.tag in ("text", "foreignobject"):
            walker.skip_subtree()
            text = "".join(element.itertext())
            if text.strip() and not looks_like_instructions(text):
                yield element


def _is_hidden(element: etree._Element) -> bool:
    """Whether an element of a drawing hides its text by its attributes (SVG 2, 6.6)."""
    given = {
        name: valid
        for name in _PRESENTED
        for _, valid in longhands(name, (element.get(name) or "").strip().lower())
    }
    fill = (element.get("fill") or "").strip().lower()
    ink = colour_of(fill)
    return (
        is_unseen(given)
        or may_be_faint(given)
        or (fill == "none" and not element.get("stroke"))
        or (ink is not None and is_no_ink(ink))
        or any(_is_far_off(element.get(name) or "") for name in ("x", "y"))
    )


def _is_far_off(place: str) -> bool:
    first = place.replace(",", " ").partition(" ")[0].removesuffix("px")
    try:
        return float(first) <= _FAR_OFF
    except ValueError:
        return False


def _replace(drawing: etree._Element, parts: Iterable[etree._Element]) -> None:
    tail = drawing.tail
    drawing.clear(keep_tail=False)
    drawing.tail = tail
    drawing.tag = "div" if any(part.tag == "foreignobject" for part in parts) else "span"
    for part in parts:
        if part.tag == "text":
            words = " ".join("".join(part.itertext()).split())
            part.clear()
            part.text = words
        part.tag = "span" if part.tag == "text" else "div"
        part.tail = " "
        drawing.append(part)
