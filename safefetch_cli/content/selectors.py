"""CSS selectors of the simple kind, matched against elements of a tree.

Understood are type, class, id and attribute selectors, :not() of one of these, and the descendant
and child combinators. A selector with anything else is not understood and matches nothing.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from lxml import etree

_PART = re.compile(
    r"(?P<tag>\*|[a-z][\w-]*)|\.(?P<class>(?:[\w-]|[^\x00-\x7f]|\\.)+)|\#(?P<id>(?:[\w-]|[^\x00-\x7f]|\\.)+)"
    r"""|\[\s*(?P<name>[\w-]+)\s*(?:(?P<sign>[*^$~|]?=)\s*(?P<value>"[^"]*"|'[^']*'|[\w-]+)\s*)?\]""",
    re.IGNORECASE,
)
_NOT = re.compile(r":not\(([^()]*)\)", re.IGNORECASE)
_COMBINATOR = re.compile(r"\s*>\s*|\s+")
_MOST_STEPS = 12
_MOST_LEVELS = 50


@dataclass(frozen=True)
class Compound:
    """What one element must be: its tag, id, classes and attributes."""

    tag: str
    id: str
    classes: frozenset[str]
    attributes: tuple[tuple[str, str, str], ...]
    excluded: "tuple[Compound, ...]" = ()

    def matches(self, element: etree._Element) -> bool:
        """Whether the element is of this kind."""
        if self.tag not in ("", "*", element.tag):
            return False
        if self.id and element.get("id") != self.id:
            return False
        if self.classes and not self.classes.issubset((element.get("class") or "").split()):
            return False
        return all(_attribute(element, *wanted) for wanted in self.attributes) and not any(
            compound.matches(element) for compound in self.excluded
        )


@dataclass(frozen=True)
class Selector:
    """Compounds from the innermost outwards, each with whether its child must be direct."""

    steps: tuple[tuple[Compound, bool], ...]
    specificity: tuple[int, int, int]

    @property
    def key(self) -> str:
        """An id, class or tag that every element matched has: for looking up."""
        inner = self.steps[0][0]
        if inner.id:
            return f"#{inner.id}"
        if inner.classes:
            return f".{min(inner.classes)}"
        return inner.tag or "*"

    def matches(self, element: etree._Element) -> bool:
        """Whether the element is selected."""
        if not self.steps[0][0].matches(element):
            return False
        at = element
        for compound, direct in self.steps[1:]:
            levels = 1 if direct else _MOST_LEVELS
            above = islice(at.iterancestors(), levels)
            found = next((element for element in above if compound.matches(element)), None)
            if found is None:
                return False
            at = found
        return True


def parse_selectors(prelude: str) -> list[Selector]:
    """The selectors of a rule that are understood."""
    parsed = (_selector(text.strip()) for text in prelude.split(","))
    return [selector for selector in parsed if selector is not None]


def keys_of(element: etree._Element) -> tuple[str, ...]:
    """The keys under which selectors for this element are looked up."""
    return _keys(str(element.tag), element.get("class"), element.get("id"))


@lru_cache(maxsize=8192)
def _keys(tag: str, classes: str | None, identifier: str | None) -> tuple[str, ...]:
    ids = (f"#{identifier}",) if identifier else ()
    return (*(f".{name}" for name in (classes or "").split()), *ids, tag, "*")


def _selector(text: str) -> Selector | None:
    steps: list[tuple[Compound, bool]] = []
    end = len(text)
    position = 0
    direct = False
    while position < end:
        compound, position = _compound(text, position)
        if compound is None or len(steps) == _MOST_STEPS:
            return None
        steps.append((compound, direct))
        if position == end:
            break
        combinator = _COMBINATOR.match(text, position)
        if combinator is None:
            return None
        direct = ">" in combinator[0]
        position = combinator.end()
        if position == end:
            return None
    if not steps or position < end:
        return None
    return Selector(_inside_out(steps), _specificity([compound for compound, _ in steps]))


def _inside_out(steps: list[tuple[Compound, bool]]) -> tuple[tuple[Compound, bool], ...]:
    """Each compound with the combinator between it and the one inside it."""
    combinators = [direct for _, direct in steps[1:]]
    inner_first = [compound for compound, _ in reversed(steps)]
    return tuple(zip(inner_first, [False, *reversed(combinators)], strict=True))


def _compound(text: str, position: int) -> tuple[Compound | None, int]:
    tag = identifier = ""
    classes: list[str] = []
    attributes: list[tuple[str, str, str]] = []
    excluded: list[Compound] = []
    start = position
    while position < len(text):
        if negation := _NOT.match(text, position):
            inner, inner_end = _compound(negation[1].strip(), 0)
            if inner is None or inner_end < len(negation[1].strip()):
                return None, position
            excluded.append(inner)
            position = negation.end()
            continue
        part = _PART.match(text, position)
        if part is None or (part["tag"] and position > start):
            break
        position = part.end()
        tag = part["tag"].lower() if part["tag"] else tag
        identifier = _plain(part["id"]) if part["id"] else identifier
        if part["class"]:
            classes.append(_plain(part["class"]))
        if part["name"]:
            attributes.append(
                (part["name"].lower(), part["sign"] or "", (part["value"] or "").strip("\"'"))
            )
    if position == start:
        return None, position
    return Compound(
        tag, identifier, frozenset(classes), tuple(attributes), tuple(excluded)
    ), position


def _plain(name: str) -> str:
    return re.sub(r"\\(.)", r"\1", name)


def _specificity(compounds: list[Compound]) -> tuple[int, int, int]:
    every = [*compounds, *(inner for compound in compounds for inner in compound.excluded)]
    ids = sum(bool(compound.id) for compound in every)
    classes = sum(len(compound.classes) + len(compound.attributes) for compound in every)
    tags = sum(compound.tag not in ("", "*") for compound in every)
    return ids, classes, tags


def _attribute(element: etree._Element, name: str, sign: str, value: str) -> bool:
    found = element.get(name)
    if found is None:
        return False
    tests: Mapping[str, bool] = {
        "": True,
        "=": found == value,
        "*=": bool(value) and value in found,
        "^=": bool(value) and found.startswith(value),
        "$=": bool(value) and found.endswith(value),
        "~=": value in found.split(),
        "|=": found == value or found.startswith(f"{value}-"),
    }
    return tests[sign]
