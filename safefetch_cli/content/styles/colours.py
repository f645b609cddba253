"""Colours of CSS, and whether ink can be told from paper."""

import re
from collections.abc import Sequence
from functools import lru_cache
from math import cos, radians, sin
from operator import mul
from typing import Any, Final, NamedTuple

from tinycss2 import color4

_LONGEST = 100
_NEAR = 12 / 255
"""Two colours that differ by no more than this in each part are not told apart."""
_THIN = 0.04
_Matrix = tuple[tuple[float, float, float], ...]
# Conversions of CSS Color Level 4: OKLab to the cones of an eye, these to linear sRGB, XYZ to that.
_OKLAB: _Matrix = (
    (1.0, 0.3963377774, 0.2158037573),
    (1.0, -0.1055613458, -0.0638541728),
    (1.0, -0.0894841775, -1.2914855480),
)
_OF_CONES: _Matrix = (
    (4.0767416621, -3.3077115913, 0.2309699292),
    (-1.2684380046, 2.6097574011, -0.3413193965),
    (-0.0041960863, -0.7034186147, 1.7076147010),
)
_OF_D50: _Matrix = (
    (3.1338561, -1.6168667, -0.4906146),
    (-0.9787684, 1.9161415, 0.0334540),
    (0.0719453, -0.2289914, 1.4052427),
)
_D50 = (0.9642, 1.0, 0.8252)
_LIGHT = re.compile(r"light-dark\(\s*([^(),]+(?:\([^()]*\))?)\s*,")  # on a light screen
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


_NOT_A_COLOUR = (ValueError, TypeError, NotImplementedError, ZeroDivisionError, OverflowError)
"""What tinycss2 and the arithmetic raise for spaces it does not know and numbers without bounds."""


@lru_cache(maxsize=4096)
def colour_of(value: str) -> Colour | None:
    """The colour that a value in lower case names; None for one that is none, or not known."""
    if len(value) > _LONGEST or not _PLAIN.fullmatch(value):
        return None
    if (light := _LIGHT.match(value)) is not None:
        return colour_of(light[1])
    try:
        found: Any = color4.parse_color(value)
        if found is None or isinstance(found, str):
            return None
        red, green, blue = map(_within, _on_screen(found))
    except _NOT_A_COLOUR:
        return None
    return Colour(red, green, blue, _within(found.alpha))


def _on_screen(colour: Any) -> Sequence[float | None]:
    """Red, green and blue of a colour of tinycss2, which knows the older spaces."""
    parts = [part or 0.0 for part in colour.coordinates]
    if colour.space in ("oklch", "lch"):
        light, chroma, hue = parts
        parts = [light, chroma * cos(radians(hue)), chroma * sin(radians(hue))]
    if colour.space in ("oklab", "oklch"):
        return [_gamma(part) for part in _times(_OF_CONES, [x**3 for x in _times(_OKLAB, parts)])]
    if colour.space in ("lab", "lch"):
        return [_gamma(part) for part in _times(_OF_D50, _tristimulus(*parts))]
    if colour.space == "display-p3":  # near enough to tell ink from paper
        return parts
    coordinates: Sequence[float | None] = colour.to("srgb").coordinates
    return coordinates


def _tristimulus(light: float, a: float, b: float) -> list[float]:
    """CIE Lab to XYZ, both with the white of D50."""
    middle = (light + 16) / 116
    thirds = (middle + a / 500, middle, middle - b / 200)
    return [
        white * (third**3 if third > 6 / 29 else (116 * third - 16) / 903.3)
        for white, third in zip(_D50, thirds, strict=True)
    ]


def _times(matrix: _Matrix, parts: Sequence[float]) -> list[float]:
    return [sum(map(mul, row, parts)) for row in matrix]


def _gamma(part: float) -> float:
    """A part of linear sRGB as a screen takes it."""
    return 12.92 * part if part <= 0.0031308 else 1.055 * min(part, 1.0) ** (1 / 2.4) - 0.055


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
