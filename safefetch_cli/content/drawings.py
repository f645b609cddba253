"""The text in drawings (SVG), as text of the page; the drawings themselves are left out."""

import re
from collections.abc import Iterable, Iterator

from lxml import etree

from safefetch_cli.content.instructions import looks_like_instructions
from safefetch_cli.content.late_pattern import late
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
_LONGEST = 500
_FILL = re.compile(r"(?:^|[;\s])fill\s*:\s*([^;!]+)", re.IGNORECASE)
_TRANSFORM = late(r"([a-z]+)\s*\(([^()]*)\)", re.IGNORECASE)
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d{1,2})?", re.IGNORECASE)
_MOVES = {"translate": 0, "matrix": 4}
"""Transforms that move, and where the numbers for that begin."""


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
            is_seen = text.strip() and not _is_far_off(element, drawing)
            if is_seen and not looks_like_instructions(text):
                yield element


def _is_hidden(element: etree._Element) -> bool:
    """Whether an element of a drawing hides its text by its attributes (SVG 2, 6.6)."""
    given = {
        name: valid
        for name in _PRESENTED
        for _, valid in longhands(name, (element.get(name) or "").strip().lower())
    }
    styled = _FILL.search(element.get("style") or "")
    fill = (styled[1] if styled else element.get("fill") or "").strip().lower()
    ink = colour_of(fill)
    return (
        is_unseen(given)
        or may_be_faint(given)
        or (fill == "none" and not element.get("stroke"))
        or (ink is not None and is_no_ink(ink))
        or any(_scales_away(one) for one in _transforms(element))
    )


def _scales_away(transform: tuple[str, list[float]]) -> bool:
    name, numbers = transform
    return name == "scale" and any(number == 0 for number in numbers[:2])


def _is_far_off(text: etree._Element, drawing: etree._Element) -> bool:
    """Whether a text begins far beyond the left or upper edge of its drawing.

    Its place is that in all the groups around it (SVG 2, 8). One that is turned may be anywhere.
    """
    across, down = _place(text)
    for around in (text, *text.iterancestors()):
        for name, numbers in _transforms(around):
            if name in _MOVES:
                x, y = _moved(name, numbers)
                across, down = across + x, down + y
            elif name == "rotate" and any(numbers[:1]):
                return False
        if around is drawing:
            break
        if around.tag == "svg":
            x, y = _place(around)
            across, down = across + x, down + y
    left, top = [*_numbers(drawing.get("viewbox") or drawing.get("viewBox") or ""), 0.0, 0.0][:2]
    return across - left <= _FAR_OFF or down - top <= _FAR_OFF


def _place(element: etree._Element) -> tuple[float, float]:
    x, y = ([*_numbers(element.get(name) or ""), 0.0][0] for name in ("x", "y"))
    return x, y


def _transforms(element: etree._Element) -> list[tuple[str, list[float]]]:
    given = (element.get("transform") or "")[:_LONGEST]
    return [(match[1].lower(), _numbers(match[2])) for match in _TRANSFORM.finditer(given)]


def _moved(name: str, numbers: list[float]) -> tuple[float, float]:
    x, y = [*numbers[_MOVES[name] :], 0.0, 0.0][:2]
    return x, y


def _numbers(text: str) -> list[float]:
    return [float(number) for number in _NUMBER.findall(text[:_LONGEST])]


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
