"""CommonMark's own way of pairing stars, to see whether it finds the pairs that are meant.

https://spec.commonmark.org/0.31.2/#phase-2-inline-structure
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple
from unicodedata import category

Look = Callable[[list[str], int], str]
"""The character that stands beside a mark, on one side."""


def is_star(name: str) -> bool:
    """Whether the token of that name is written with stars."""
    return name in ("S", "E", "s", "e")


class _Stars(NamedTuple):
    """Marks that stand together: one run of stars. `length` is what it was before any paired."""

    marks: list[int]
    length: int
    opens: bool
    closes: bool


def first_misread(
    parts: list[str], partners: dict[int, int], before: Look, after: Look
) -> int | None:
    """The first mark that would not pair with its partner; None when all is read as meant."""
    openers: list[_Stars] = []
    for stars in _runs(parts, before, after):
        while stars.closes and stars.marks:
            place = _opener_place(openers, stars)
            if place is None:
                break
            wrong = _pair(parts, partners, openers, place, stars)
            if wrong is not None:
                return wrong
        if stars.marks:
            if not stars.opens or parts[stars.marks[0]] in ("s", "e"):
                return stars.marks[0]
            openers.append(stars)
    return openers[0].marks[0] if openers else None


def _pair(
    parts: list[str], partners: dict[int, int], openers: list[_Stars], place: int, closer: _Stars
) -> int | None:
    """Pair the innermost marks of two runs as CommonMark does; the mark that goes wrong, if any."""
    opener = openers[place]
    if place < len(openers) - 1:
        return openers[-1].marks[0]
    first, last = closer.marks[0], opener.marks[-1]
    both_long = _width(parts, opener.marks) >= 2 and _width(parts, closer.marks) >= 2
    if partners[first] != last or _width(parts, [first]) != 1 + both_long:
        return first
    closer.marks.pop(0)
    opener.marks.pop()
    if not opener.marks:
        openers.pop()
    return None


def _opener_place(openers: list[_Stars], closer: _Stars) -> int | None:
    for place in range(len(openers) - 1, -1, -1):
        opener = openers[place]
        total = opener.length + closer.length
        if not (opener.closes or closer.opens) or total % 3 or not opener.length % 3:
            return place
    return None


def _runs(parts: list[str], before: Look, after: Look) -> Iterator[_Stars]:
    marks: list[int] = []
    for index in range(1, len(parts), 2):
        if is_star(parts[index]):
            marks.append(index)
        ends = index + 2 >= len(parts) or parts[index + 1] or not _goes_on(parts[index + 2])
        if marks and ends:
            yield _stars(parts, marks, before(parts, marks[0]), after(parts, marks[-1]))
            marks = []


def _goes_on(name: str) -> bool:
    return not name or is_star(name)


def _stars(parts: list[str], marks: list[int], before: str, after: str) -> _Stars:
    before_sign, after_sign = category(before)[0] in "PS", category(after)[0] in "PS"
    opens = not after.isspace() and (not after_sign or before.isspace() or before_sign)
    closes = not before.isspace() and (not before_sign or after.isspace() or after_sign)
    return _Stars(list(marks), _width(parts, marks), opens, closes)


def _width(parts: list[str], marks: list[int]) -> int:
    return sum(2 if parts[mark] in ("S", "s") else 1 for mark in marks)
