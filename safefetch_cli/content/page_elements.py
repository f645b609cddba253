"""The elements of a page by number, for selectors that are worked out for all of them at once."""

from collections import Counter, defaultdict
from functools import cached_property

from lxml import etree

from safefetch_cli.content.attribute_values import attribute_values, class_names
from safefetch_cli.errors import ProcessingLimit

MAX_STEPS = 20_000_000
"""Elements of the page times tests of the selector; about as many seconds as millions."""

Numbers = set[int]


class Elements:
    """The elements of a page by number, with their parents and siblings; -1 is none."""

    def __init__(self, elements: list[etree._Element], allowance: int = 2 * MAX_STEPS) -> None:
        self.all = elements  # in document order, the first holds all others
        self.number: dict[etree._Element | None, int] = {
            element: number for number, element in enumerate(elements)
        }
        self.parent = [self.number.get(one.getparent(), -1) for one in elements]
        self.before = [-1] * len(elements)
        self.end = list(range(1, len(elements) + 1))  # the number after the last one inside
        self.left = allowance  # of the steps that matching may take
        self._connect()

    def _connect(self) -> None:
        parents, befores, ends = self.parent, self.before, self.end
        last = [-1] * (len(parents) + 1)  # of each parent, also of none, the child seen last
        for number, parent in enumerate(parents):
            befores[number] = last[parent]
            last[parent] = number
        for number in range(len(parents) - 1, 0, -1):
            parent = parents[number]
            if ends[parent] < ends[number]:
                ends[parent] = ends[number]

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of all elements, and their .classes and #ids."""
        root = self.all[0]
        names = {str(element.tag) for element in self.all}
        names.update(f"#{identifier}" for identifier in attribute_values(root, "id"))
        names.update(f".{name}" for name in class_names(root))
        return frozenset(names)

    @cached_property
    def keyed(self) -> dict[str, list[int]]:
        """The elements of each name, .class and #id; one may come twice in a row."""
        keyed: dict[str, list[int]] = defaultdict(list)
        for number, element in enumerate(self.all):
            keyed[str(element.tag)].append(number)
            if identifier := element.get("id"):
                keyed[f"#{identifier}"].append(number)
            if classes := element.get("class"):
                for name in classes.split():
                    keyed[f".{name}"].append(number)
        return dict(keyed)

    @cached_property
    def attributes(self) -> dict[str, dict[int, str]]:
        """Of each attribute the elements that have it, with their values."""
        found: dict[str, dict[int, str]] = defaultdict(dict)
        for number, element in enumerate(self.all):
            for name, value in element.items():
                found[name][number] = value
        return dict(found)

    @cached_property
    def positions(self) -> dict[tuple[bool, bool], list[int]]:
        """The number of each element among its siblings: (from the end, of its type) -> list."""
        return {
            (from_end, of_type): self._counted(from_end=from_end, of_type=of_type)
            for from_end in (False, True)
            for of_type in (False, True)
        }

    def _counted(self, *, from_end: bool, of_type: bool) -> list[int]:
        counts: Counter[object] = Counter()
        positions = [0] * len(self.all)
        numbers = range(len(self.all))
        for number in reversed(numbers) if from_end else numbers:
            parent = self.parent[number]
            key = (parent, self.all[number].tag) if of_type else parent
            counts[key] += 1
            positions[number] = counts[key]
        return positions

    def spend(self, steps: int) -> None:
        """Count steps. Raises ProcessingLimit when there are more than were allowed."""
        if steps > self.left:
            raise ProcessingLimit("the selector is too complex for a page of this size")
        self.left -= steps
