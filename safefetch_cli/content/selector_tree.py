"""A CSS selector as a small tree, and how much it weighs."""

from collections.abc import Iterable
from typing import NamedTuple


class Tag(NamedTuple):
    """The element has this name."""

    name: str


class Attribute(NamedTuple):
    """An attribute is there, and its value stands in a relation to another; ids and classes too."""

    name: str
    sign: str = ""  # "" or one of = ~= |= ^= $= *=
    value: str = ""
    any_case: bool = False


class Nth(NamedTuple):
    """The element is number a*n + b among its siblings, for an n of 0 or more."""

    a: int
    b: int
    from_end: bool = False
    of_type: bool = False


class State(NamedTuple):
    """A pseudo-class without arguments."""

    name: str


class Among(NamedTuple):
    """The element is selected, or is not, by one of the selectors."""

    selectors: "tuple[Complex, ...]"
    negated: bool = False
    weightless: bool = False  # it adds nothing to the specificity


class Having(NamedTuple):
    """One of the selectors leads from the element to another."""

    selectors: "tuple[Complex, ...]"


Test = Tag | Attribute | Nth | State | Among | Having


class Compound(NamedTuple):
    """What one element must be, and how it stands to the one before: "" for none before."""

    combinator: str
    tests: tuple[Test, ...]


Complex = tuple[Compound, ...]

Specificity = tuple[int, int, int]
"""Ids, then classes and what counts as one, then tags (Selectors Level 4, 15)."""


def specificity(selector: Complex) -> Specificity:
    """How much a selector weighs against others."""
    return _sum(_weight(test) for compound in selector for test in compound.tests)


def _weight(test: Test) -> Specificity:
    if isinstance(test, Tag):
        return (0, 0, 1)
    if isinstance(test, Among | Having):
        if isinstance(test, Among) and test.weightless:
            return (0, 0, 0)
        return max(map(specificity, test.selectors), default=(0, 1, 0))
    is_id = isinstance(test, Attribute) and (test.name, test.sign) == ("id", "=")
    return (1, 0, 0) if is_id else (0, 1, 0)


def _sum(weights: Iterable[Specificity]) -> Specificity:
    ids, classes, tags = 0, 0, 0
    for weight in weights:
        ids, classes, tags = ids + weight[0], classes + weight[1], tags + weight[2]
    return ids, classes, tags
