"""How text looks where it stands: what it has from the elements around it."""

from typing import NamedTuple

from safefetch_cli.content.styles.boxes import Values
from safefetch_cli.content.styles.colours import (
    BLACK,
    WHITE,
    Colour,
    colour_of,
    is_near,
    is_no_ink,
    laid_over,
)
from safefetch_cli.content.styles.longhands import NAMED_SIZES
from safefetch_cli.content.styles.values import pixels

_USUAL_SIZE = 16.0
_SMALLEST = 1.0
_PIXELS_OF_PERCENT = 8.0
_COVERS = 0.95


class Look(NamedTuple):
    """What matters of the text of an element; a colour is None where it cannot be known."""

    is_hidden: bool = False
    size: float = _USUAL_SIZE
    ink: Colour | None = None
    fill: Colour | None = None  # instead of the ink, if any
    paper: Colour | None = None
    is_outlined: bool = False  # it has a shadow or a stroke
    is_cut_out: bool = False  # it shows the background of its box

    @property
    def is_seen(self) -> bool:
        """Whether a reader can see the text."""
        return not self.is_hidden and self.size > _SMALLEST and not self._blends

    @property
    def _blends(self) -> bool:
        ink = self.fill or self.ink
        if ink is None or self.is_outlined or self.is_cut_out:
            return False
        if is_no_ink(ink):
            return True
        return self.paper is not None and is_near(laid_over(ink, self.paper), self.paper)


KNOWN_PAGE = Look(ink=BLACK, paper=WHITE)
"""The text of a page whose styles are all known."""

UNKNOWN_PAGE = Look()


def inherited(above: Look, values: Values, *, is_open: bool) -> Look:
    """The look of text in an element, from that around it and its own values.

    `is_open` says that styles which are not known may be for the element: its colours are known
    only where it declares them.
    """
    return Look(
        is_hidden=_is_hidden(above, values),
        size=_size(above.size, values.get("font-size", "")),
        ink=_colour(values.get("color"), None if is_open else above.ink),
        fill=_colour(values.get("-webkit-text-fill-color"), above.fill),
        paper=_paper(above, values, is_open=is_open),
        is_outlined=_is_outlined(above, values),
        is_cut_out=above.is_cut_out or values.get("background-clip") == "text",
    )


def may_be_faint(values: Values) -> bool:
    """Whether values of an element alone let its text, and that inside it, be unseen."""
    size = _size(_USUAL_SIZE, values.get("font-size", ""))
    inks = (colour_of(values.get(name, "")) for name in ("color", "-webkit-text-fill-color"))
    return (
        values.get("visibility", "visible") != "visible"
        or size <= _SMALLEST
        or any(ink is not None and is_no_ink(ink) for ink in inks)
        or values.get("background-color") == "currentcolor"
    )


def _is_hidden(above: Look, values: Values) -> bool:
    given = values.get("visibility")
    return above.is_hidden if given is None else given != "visible"


def _size(above: float, value: str) -> float:
    if not value:
        return above
    if value in NAMED_SIZES:
        return NAMED_SIZES[value] if value not in ("smaller", "larger") else above
    size = pixels(value)
    if size is None:
        return above
    if value.endswith("%") and "(" not in value:
        return size / _PIXELS_OF_PERCENT / 100 * above
    if value.endswith("em") and not value.endswith("rem") and "(" not in value:
        return size / _USUAL_SIZE * above
    return size


def _colour(value: str | None, above: Colour | None) -> Colour | None:
    if value is None or value == "currentcolor":
        return above
    return colour_of(value)


def _paper(above: Look, values: Values, *, is_open: bool) -> Colour | None:
    if values.get("background-image", "none") != "none":
        return None
    under = above.paper
    if is_open or values.get("position") in ("absolute", "fixed"):
        under = None
    value = values.get("background-color")
    if value is None:
        return under
    if value == "currentcolor":
        return _colour(values.get("color"), above.ink)
    colour = colour_of(value)
    if colour is None or colour.alpha >= _COVERS:
        return colour
    return laid_over(colour, under) if under is not None else None


def _is_outlined(above: Look, values: Values) -> bool:
    shadow = values.get("text-shadow", "")
    stroke = values.get("-webkit-text-stroke", "")
    return bool((shadow and shadow != "none") or stroke) or (above.is_outlined and shadow != "none")
