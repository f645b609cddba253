"""Which elements of a page a CSS selector selects.

A selector is worked out for all elements at once, as sets of their numbers in document order: each
test and each combinator costs at most one pass over the page, whatever it is nested in. So the time
is the size of the page times that of the selector, and no selector can make it more; most cost far
less, as elements are looked up by the names they must have.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping

from lxml import etree

from safefetch_cli.content.page_elements import MAX_STEPS, Elements, Numbers
from safefetch_cli.content.selector_tree import (
    Among,
    Attribute,
    Complex,
    Compound,
    Having,
    Nth,
    State,
    Tag,
    Test,
)
from safefetch_cli.errors import ProcessingLimit


def matching(root: etree._Element, selectors: tuple[Complex, ...]) -> list[etree._Element]:
    """The elements that one of the selectors selects, in document order, nested ones left out.

    Raises ProcessingLimit for a selector too complex for the size of the page.
    """
    page = Elements(list(root.iter(etree.Element)))
    if len(page.all) * sum(map(_weight, selectors)) > MAX_STEPS:
        raise ProcessingLimit("the selector is too complex for a page of this size")
    return [page.all[number] for number in outermost(page, _any_of(page, selectors))]


def selected(page: Elements, selector: Complex, among: Numbers | None = None) -> Numbers:
    """The elements, among some or all, that a selector selects.

    Raises ProcessingLimit when the page's allowance of steps is used up.
    """
    found = _compound(page, selector[0], among if len(selector) == 1 else None)
    for at, compound in enumerate(selector[1:], 2):
        if not found:
            break
        reached = _compound(page, compound, among if at == len(selector) else None)
        page.spend(max(len(found), len(reached)))
        found = _FORTH[compound.combinator](page, found, reached)
    return found


def outermost(page: Elements, numbers: Iterable[int]) -> Iterator[int]:
    """The elements that lie in no other of them, in document order."""
    end = 0
    for number in sorted(numbers):
        if number >= end:
            end = page.end[number]
            yield number


def _weight(selector: Complex) -> int:
    tests = [test for compound in selector for test in compound.tests]
    inner = (one for test in tests if isinstance(test, Among | Having) for one in test.selectors)
    return len(selector) + len(tests) + sum(map(_weight, inner))


def _any_of(
    page: Elements, selectors: tuple[Complex, ...], among: Numbers | None = None
) -> Numbers:
    return set().union(*(selected(page, selector, among) for selector in selectors))


def _having(page: Elements, selectors: tuple[Complex, ...]) -> Numbers:
    """The elements from which one of the selectors leads on: worked out from its end."""
    found: Numbers = set()
    for selector in selectors:
        reached = _compound(page, selector[-1])
        for later, earlier in zip(selector[:0:-1], selector[-2::-1], strict=True):
            reached = _compound(page, earlier) & _back(page, later, reached)
        found |= _back(page, selector[0], reached)
    return found


def _back(page: Elements, compound: Compound, numbers: Numbers) -> Numbers:
    """The elements that come before the numbers by the combinator of a compound."""
    found = _BACK[compound.combinator](page, numbers)
    page.spend(max(len(found), len(numbers)))
    return found


def _compound(page: Elements, compound: Compound, among: Numbers | None = None) -> Numbers:
    """The elements of one kind, looked up by the rarest name that they must have."""
    lists = [page.keyed.get(key, ()) for key in map(_key, compound.tests) if key]
    if lists:
        rarest = min(lists, key=len)
        page.spend(len(rarest))
        found = set(rarest) if among is None else among.intersection(rarest)
    else:
        every = range(len(page.all)) if among is None else among
        page.spend(len(every))
        found = set(every)
    for test in compound.tests if len(compound.tests) > len(lists[:1]) else ():
        page.spend(len(found))
        found &= _passing(page, test, found)
    return found


def _key(test: Test) -> str:
    if isinstance(test, Tag):
        return test.name
    if isinstance(test, Attribute) and not test.any_case:
        return (
            _KEYS.get((test.name, test.sign), "") and f"{_KEYS[test.name, test.sign]}{test.value}"
        )
    return ""


_KEYS = {("class", "~="): ".", ("id", "="): "#"}


def _passing(page: Elements, test: Test, among: Numbers) -> Numbers:
    if isinstance(test, Among):
        inner = _any_of(page, test.selectors, among)
        return among - inner if test.negated else inner
    if isinstance(test, Having):
        return _having(page, test.selectors)
    if isinstance(test, Nth):
        positions = page.positions[test.from_end, test.of_type]
        return {number for number in among if _is_nth(positions[number], test.a, test.b)}
    if isinstance(test, Tag):
        return {number for number in among if page.all[number].tag == test.name}
    if isinstance(test, State):
        return {number for number in among if _STATES[test.name](page.all[number])}
    given = page.attributes.get(test.name, {})
    near = among if len(among) < len(given) else given
    return {number for number in near if number in among and _is_given(given.get(number), test)}


def _is_nth(position: int, a: int, b: int) -> bool:
    if a == 0:
        return position == b
    return (position - b) % a == 0 and (position - b) // a >= 0


def _is_given(found: str | None, test: Attribute) -> bool:
    if found is None:
        return False
    if test.any_case:
        return _RELATIONS[test.sign](found.lower(), test.value.lower())
    return _RELATIONS[test.sign](found, test.value)


_RELATIONS: Mapping[str, Callable[[str, str], bool]] = {
    "": lambda _found, _value: True,
    "=": lambda found, value: found == value,
    "~=": lambda found, value: value in found.split(),
    "|=": lambda found, value: found == value or found.startswith(f"{value}-"),
    "^=": lambda found, value: bool(value) and found.startswith(value),
    "$=": lambda found, value: bool(value) and found.endswith(value),
    "*=": lambda found, value: bool(value) and value in found,
}
_CHECKS = ("checked", "selected")
_STATES: Mapping[str, Callable[[etree._Element], bool]] = {
    "root": lambda element: element.getparent() is None,
    "empty": lambda element: not len(element) and not element.text,
    "link": lambda element: element.tag in ("a", "area") and element.get("href") is not None,
    "checked": lambda element: any(element.get(name) is not None for name in _CHECKS),
    "disabled": lambda element: element.get("disabled") is not None,
}


def _inside(page: Elements, numbers: Numbers, among: Numbers) -> Numbers:
    starts = list(outermost(page, numbers))
    found: Numbers = set()
    for number in among:
        at = bisect_left(starts, number) - 1  # the last that begins before it
        if at >= 0 and number < page.end[starts[at]]:
            found.add(number)
    return found


def _children(page: Elements, numbers: Numbers, among: Numbers) -> Numbers:
    return {number for number in among if page.parent[number] in numbers}


def _next(page: Elements, numbers: Numbers, among: Numbers) -> Numbers:
    return {number for number in among if page.before[number] in numbers}


def _later(page: Elements, numbers: Numbers, among: Numbers) -> Numbers:
    first: dict[int, int] = {}  # of each parent its first child among the numbers
    for number in numbers:
        parent = page.parent[number]
        first[parent] = min(number, first.get(parent, number))
    return {number for number in among if first.get(page.parent[number], number) < number}


def _climbed(links: list[int], numbers: Numbers) -> Numbers:
    """What is reached by following the links from the numbers again and again."""
    found: Numbers = set()
    for number in numbers:
        at = links[number]
        while at >= 0 and at not in found:
            found.add(at)
            at = links[at]
    return found


def _reached(links: list[int], numbers: Numbers) -> Numbers:
    return {links[number] for number in numbers} - {-1}


_FORTH: Mapping[str, Callable[[Elements, Numbers, Numbers], Numbers]] = {
    " ": _inside,
    ">": _children,
    "+": _next,
    "~": _later,
}
_BACK: Mapping[str, Callable[[Elements, Numbers], Numbers]] = {
    " ": lambda page, numbers: _climbed(page.parent, numbers),
    ">": lambda page, numbers: _reached(page.parent, numbers),
    "+": lambda page, numbers: _reached(page.before, numbers),
    "~": lambda page, numbers: _climbed(page.before, numbers),
}
