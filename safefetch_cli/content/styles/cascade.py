"""Which declarations win on an element (CSS Cascading and Inheritance Level 5, 6)."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from safefetch_cli.content.page_elements import Elements, Numbers
from safefetch_cli.content.selector_match import selected
from safefetch_cli.content.selector_tree import Specificity, specificity
from safefetch_cli.content.styles.boxes import Values
from safefetch_cli.content.styles.browser import of_browser
from safefetch_cli.content.styles.declarations import Declarations, parse_declarations
from safefetch_cli.content.styles.longhands import settled
from safefetch_cli.content.styles.rule_filter import Candidate, candidates, names_in
from safefetch_cli.content.styles.sheets import Block
from safefetch_cli.content.styles.values import resolved
from safefetch_cli.errors import ProcessingLimit


class Weight(NamedTuple):
    """How much a declaration weighs; the style attribute more than any rule."""

    important: bool
    in_element: bool
    layer: tuple[int, int]
    specificity: Specificity
    order: int


class Cascade:
    """The values that elements of a page get from its rules, their attributes and the browser."""

    def __init__(self, page: Elements, blocks: Sequence[Block]) -> None:
        self.page = page
        # Of rules that are the same the last one outweighs the others.
        same = {(block.prelude, block.css, block.layer): block for block in blocks}
        self._blocks = list(same.values())
        self._of_blocks: dict[int, dict[str, tuple[str, bool]]] = {}  # by their order
        self._declared: dict[int, dict[str, str]] = {}
        self._resolved: dict[int, Values] = {}
        self._feared: set[str] = set()  # selectors beyond reading, of rules that may hide
        self.is_exhausted = False  # rules were left out for their cost

    def matched(self, blocks: Iterable[Block]) -> Numbers:
        """The elements that one of the rules is for: rules that may hide something.

        One whose selector is beyond reading counts as one for all elements that have its names.
        """
        pairs = [(block, one) for block in blocks for one in self._candidates.get(block.order, ())]
        self._feared.update(one.text for _, one in pairs if one.is_beyond_reading)
        found: Numbers = set()
        for _, candidate in sorted(pairs, key=self._cost):
            found |= self._selected(candidate, None)
        return found

    def learn(self, numbers: Iterable[int], *, inherited_only: bool = False) -> None:
        """Work out the values of these elements, all at once; all, or those that text inherits."""
        wanted = set(numbers).difference(self._declared)
        while wanted:
            self._weigh_for(wanted, self._live_inherited if inherited_only else self._live)
            using = (number for number in wanted if _uses_variables(self._declared[number]))
            wanted = {above for number in using for above in self._above(number)}
            wanted.difference_update(self._declared)

    def values(self, number: int) -> Values:
        """What an element has, its var() resolved."""
        if number not in self._resolved:
            if number not in self._declared:
                self.learn((number,))
            self._resolved[number] = self._settled(number)
        return self._resolved[number]

    def _weigh_for(self, wanted: Numbers, live: list[tuple[Block, Candidate]]) -> None:
        won: dict[int, dict[str, tuple[Weight, str]]] = {number: {} for number in wanted}
        here = self._names(wanted)
        for block, candidate in live:
            if candidate.here <= here and (chosen := self._selected(candidate, wanted)):
                declared = self._declarations(block)
                heavy = _heaviness(block, candidate)
                for number in chosen:
                    _weigh(won[number], declared, heavy)
        for number, winners in won.items():
            style = self.page.all[number].get("style")
            if style:
                _weigh(winners, parse_declarations(style), _OF_ELEMENT)
            self._declared[number] = {name: value for name, (_, value) in winners.items()}

    def _declarations(self, block: Block) -> dict[str, tuple[str, bool]]:
        if block.order not in self._of_blocks:
            self._of_blocks[block.order] = parse_declarations(block.css)
        return self._of_blocks[block.order]

    def _names(self, numbers: Numbers) -> set[str]:
        names: set[str] = set()
        for number in numbers:
            element = self.page.all[number]
            names.add(str(element.tag))
            names.update(f".{name}" for name in (element.get("class") or "").split())
            names.add(f"#{element.get('id')}")
        return names

    @cached_property
    def live_blocks(self) -> list[Block]:
        """The rules that may be for something on the page."""
        return [block for block in self._blocks if block.order in self._candidates]

    @cached_property
    def _candidates(self) -> dict[int, list[Candidate]]:
        """Of each rule, by its order, the selectors that may select something on the page."""
        names = self.page.names if self._blocks else frozenset()
        found = ((block.order, candidates(block.prelude, names)) for block in self._blocks)
        return {order: some for order, some in found if some}

    @cached_property
    def _live(self) -> list[tuple[Block, Candidate]]:
        pairs = (
            (block, one) for block in self.live_blocks for one in self._candidates[block.order]
        )
        return sorted(pairs, key=self._cost)

    @cached_property
    def _live_inherited(self) -> list[tuple[Block, Candidate]]:
        return [(block, one) for block, one in self._live if _OF_TEXT.search(block.css)]

    def _cost(self, rule: tuple[Block, Candidate]) -> int:
        """How many elements must be looked at, so that few rules are left out for their cost."""
        keyed = self.page.keyed
        return min((len(keyed[name]) for name in rule[1].here), default=len(self.page.all))

    def _selected(self, candidate: Candidate, among: Numbers | None) -> Numbers:
        selector = candidate.selector
        if candidate.text in self._feared:
            return self._named(candidate, among)
        try:
            return selected(self.page, selector, among) if selector is not None else set()
        except ProcessingLimit:
            self.is_exhausted = True
            return set()

    def _named(self, candidate: Candidate, among: Numbers | None) -> Numbers:
        """The elements that have all names which the selector asks of them, or one in brackets."""
        keyed = self.page.keyed
        asked = [keyed.get(name, ()) for name in candidate.here]
        if not asked:
            names = names_in(candidate.text)
            asked = [[number for name in names for number in keyed.get(name, ())]]
        found = set(asked[0]).intersection(*asked[1:])
        return found if among is None else found & among

    def _above(self, number: int) -> Iterator[int]:
        at = self.page.parent[number]
        while at >= 0:
            yield at
            at = self.page.parent[at]

    def _variable(self, number: int, name: str) -> str | None:
        for at in (number, *self._above(number)):
            value = self._declared.get(at, {}).get(name)
            if value is not None:
                return None if value == "initial" else value
        return None

    def _settled(self, number: int) -> Values:
        values = of_browser(self.page.all[number])
        declared = self._declared[number]
        for name, value in declared.items():
            if name[:2] == "--":
                continue
            given = settled(
                name, value, lambda text: resolved(text, lambda one: self._variable(number, one))
            )
            if given == "initial" and name in _INITIAL:
                values[name] = _INITIAL[name]
            elif given in _WIDE:
                if not given.startswith("revert"):
                    values.pop(name, None)
            elif given:
                values[name] = given
        return values


_OF_TEXT = re.compile(
    r"visib|font|color|background|text-|--|position\s*:\s*(?:abs|fix)", re.IGNORECASE
)
"""Blocks with something that text inherits, or that shows through behind it."""

_INITIAL = {"visibility": "visible", "color": "black", "font-size": "medium"}
_WIDE = frozenset(("inherit", "initial", "unset", "revert", "revert-layer"))
_OF_ELEMENT = (
    Weight(False, True, (0, 0), (0, 0, 0), 0),
    Weight(True, True, (0, 0), (0, 0, 0), 0),
)


def _uses_variables(declared: Mapping[str, str]) -> bool:
    return any("var(" in value for name, value in declared.items() if name[:2] != "--")


def _heaviness(block: Block, candidate: Candidate) -> tuple[Weight, Weight]:
    """The weight of a rule's declarations, and that of its important ones."""
    first, second = block.layer
    weight = specificity(candidate.selector or ())
    return (
        Weight(False, False, (first, second), weight, block.order),
        Weight(True, False, (-first, -second), weight, block.order),
    )


def _weigh(
    winners: dict[str, tuple[Weight, str]], declared: Declarations, heavy: tuple[Weight, Weight]
) -> None:
    for name, (value, important) in declared.items():
        weight = heavy[important]
        if name not in winners or weight >= winners[name][0]:
            winners[name] = (weight, value)
