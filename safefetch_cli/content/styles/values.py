"""Values of CSS as numbers, as far as they can be known without laying out the page."""

import re
from collections.abc import Callable
from functools import lru_cache

_LONGEST = 300
_MOST_REPLACED = 20
_MOST_OPEN = 20

_PIXELS = {
    "": 1.0,
    "px": 1.0,
    "pt": 4 / 3,
    "em": 16.0,
    "rem": 16.0,
    "ex": 8.0,
    "%": 8.0,
    "vw": 12.8,
    "vh": 8.0,
    "vmin": 8.0,
    "vmax": 12.8,
    "ch": 8.0,
    "in": 96.0,
    "cm": 38.0,
    "mm": 3.8,
    "q": 0.95,
    "pc": 16.0,
    **dict.fromkeys(("dvh", "svh", "lvh", "cqh", "vb", "cqb", "cqmin", "cqmax", "lh", "rlh"), 8.0),
    **dict.fromkeys(("dvw", "svw", "lvw", "cqw", "vi", "cqi"), 12.8),
}
"""Unit -> pixels: of a text of 16 pixels, on a screen of 1280 by 800, in a box of 800."""

_NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?"
_LENGTH = re.compile(rf"({_NUMBER})([a-z%]*)")
_PART = re.compile(
    rf"\s*(?:({_NUMBER})([a-z%]*)|(calc|min|max|clamp|-webkit-calc)?(\()|([-+*/,)]))"
)
_SUM = re.compile(r"(?:-webkit-)?calc\(|(?:min|max|clamp)\(")
_VARIABLE = re.compile(r"var\(\s*(--[^\s,()]+)\s*(?:,((?:[^()]|\([^()]*\))*))?\)")
_WITHIN: dict[str, Callable[[list[float]], float]] = {
    "min": min,
    "max": max,
    "clamp": lambda given: max(given[0], min(given[1:])),
}
_BINDING = {"+": 1, "-": 1, "*": 2, "/": 2}


@lru_cache(maxsize=8192)
def pixels(value: str) -> float | None:
    """A length, percentage or number in pixels, or None for what is none.

    Relative units count for what they are on a page of usual size; sums of calc(), min(), max() and
    clamp() are worked out.
    """
    match = _LENGTH.fullmatch(value)
    if match is not None:
        return _sized(match[1], match[2])
    if not _SUM.match(value) or len(value) > _LONGEST:
        return None
    try:
        return _worked_out(value)
    except (IndexError, ValueError, ZeroDivisionError, OverflowError):
        return None


def fraction(value: str) -> float | None:
    """A number or percentage as a number: 50% is 0.5."""
    size = pixels(value)
    if size is None or not value.endswith("%"):
        return size
    return size / _PIXELS["%"] / 100


def resolved(value: str, lookup: Callable[[str], str | None]) -> str:
    """The value with each var() replaced by what its name or its fallback says; bounded.

    "" stands for a value that cannot be had: its declaration counts as if it were not there.
    """
    for _ in range(_MOST_REPLACED):
        match = _VARIABLE.search(value)
        if match is None:
            return value if "var(" not in value else ""
        given = lookup(match[1])
        given = match[2] if given is None else given
        if given is None:
            return ""
        value = f"{value[: match.start()]}{given.strip()}{value[match.end() :]}"
        if len(value) > _LONGEST:
            return ""
    return ""


def _sized(number: str, unit: str) -> float | None:
    factor = _PIXELS.get(unit)
    return None if factor is None else float(number) * factor


def _worked_out(value: str) -> float | None:
    """What a sum comes to: by two stacks, as the marks in it bind."""
    sums = _Sums()
    position = 0
    while position < len(value):
        match = _PART.match(value, position)
        if match is None:
            return None
        position = match.end()
        if match[1] is not None:
            size = _sized(match[1], match[2])
            if size is None:
                return None
            sums.number(size)
        elif match[4]:
            sums.open(match[3] or "")
        else:
            sums.sign(match[5])
    return sums.result()


class _Sums:
    """Numbers and signs that wait for each other."""

    def __init__(self) -> None:
        self._numbers: list[float] = []
        self._signs: list[str] = []
        self._starts: list[tuple[str, int]] = []  # of each bracket its name, and where it begins
        self._after_number = False

    def number(self, size: float) -> None:
        if self._after_number:  # 1px -1px: the sign was read as a part of the number
            self.sign("+")
        self._numbers.append(size)
        self._after_number = True

    def open(self, name: str) -> None:
        if len(self._starts) == _MOST_OPEN or self._after_number:
            raise ValueError
        self._signs.append("(")
        self._starts.append((name, len(self._numbers)))

    def sign(self, sign: str) -> None:
        if sign not in ",)":
            self._settle(_BINDING[sign])
            self._signs.append(sign)
            self._after_number = False
            return
        self._settle(0)
        if sign == ",":
            self._after_number = False
            return
        self._signs.pop()
        name, start = self._starts.pop()
        given = self._numbers[start:]
        del self._numbers[start:]
        self._numbers.append(_WITHIN[name](given) if name in _WITHIN else given[-1])
        self._after_number = True

    def result(self) -> float | None:
        return self._numbers[0] if len(self._numbers) == 1 and not self._starts else None

    def _settle(self, binding: int) -> None:
        while self._signs and self._signs[-1] != "(" and _BINDING[self._signs[-1]] >= binding:
            sign = self._signs.pop()
            right, left = self._numbers.pop(), self._numbers.pop()
            self._numbers.append(_APPLIED[sign](left, right))


_APPLIED: dict[str, Callable[[float, float], float]] = {
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
    "/": lambda left, right: left / right,
}
