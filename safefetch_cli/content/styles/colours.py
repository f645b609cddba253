"""Colours of CSS, and whether ink can be told from paper."""

import re
from functools import lru_cache
from typing import Any, Final, NamedTuple

from tinycss2 import color4

_LONGEST = 100
_NEAR = 12 / 255
"""Two colours that differ by no more than this in each part are not told apart."""
_THIN = 0.04
_PLAIN = re.compile(r"[\w#.%,/ ()+-]+")


class Colour(NamedTuple):
    """Red, green, blue and how much of what is behind is covered, each from 0 to 1."""

    red: float
    green: float
    blue: float
    alpha: float = 1.0


Cell = tuple[int, int, int]

BLACK: Final = Colour(0.0, 0.0, 0.0)
WHITE: Final = Colour(1.0, 1.0, 1.0)


@lru_cache(maxsize=4096)
def colour_of(value: str) -> Colour | None:
    """The colour that a value in lower case names; None for one that is none, or not known."""
    if len(value) > _LONGEST or not _PLAIN.fullmatch(value):
        return None
    try:
        found: Any = color4.parse_color(value)
        if found is None or isinstance(found, str):
            return None
        red, green, blue = map(_within, found.to("srgb").coordinates)
    except (ValueError, TypeError, NotImplementedError, ZeroDivisionError, OverflowError):
        return None
    return Colour(red, green, blue, _within(found.alpha))


def _within(part: float | None) -> float:
    """A part of a colour as a screen shows it; what is missing, or no number, is none of it."""
    return min(max(part, 0.0), 1.0) if part and part == part else 0.0


def laid_over(colour: Colour, paper: Colour) -> Colour:
    """What is seen where a colour lies on an opaque one."""
    share = colour.alpha
    mixed = (
        share * upper + (1 - share) * lower for upper, lower in zip(colour, paper, strict=True)
    )
    return Colour(*list(mixed)[:3])


def is_near(one: Colour, other: Colour) -> bool:
    """Whether an eye hardly tells two opaque colours apart."""
    return all(abs(a - b) <= _NEAR for a, b in zip(one[:3], other[:3], strict=True))


def is_no_ink(colour: Colour) -> bool:
    """Whether text in the colour is not seen on any paper."""
    return colour.alpha <= _THIN


def cell(colour: Colour) -> Cell:
    """The cell of a coarse grid that the colour lies in."""
    return round(colour.red * 8), round(colour.green * 8), round(colour.blue * 8)


@lru_cache(maxsize=4096)
def around(colour: Colour) -> tuple[Cell, ...]:
    """The cells that colours near this one may lie in."""
    red, green, blue = cell(colour)
    steps = (-1, 0, 1)
    return tuple((red + x, green + y, blue + z) for x in steps for y in steps for z in steps)
