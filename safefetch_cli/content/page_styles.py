"""The page's own style sheets: which elements do their rules hide?"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from lxml import etree

from safefetch_cli.content.declarations import (
    TESTED,
    Declarations,
    hides,
    might_hide,
    parse_declarations,
    style_hides,
)
from safefetch_cli.content.selectors import Selector, keys_of, parse_selectors

_MOST_CHARACTERS = 2_000_000
_MOST_RULES = 4_000
_LONGEST_PRELUDE = 5_000
_MOST_MATCHES = 50_000
_LEAST_OF_ONE_KEY = 20

_MARK = re.compile(
    r"""/\*.*?(?:\*/|\Z)|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|[{}]|;""", re.DOTALL
)
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_LAST = re.compile(r"[^\s>+~,]+(?=\s*(?:,|\Z))")
_NAMES = re.compile(r"[.#]?(?:[\w-]|\\.)+")
_CLASSES = etree.XPath("//@class", smart_strings=False)
_WITH_CLASS = etree.XPath("//*[@class]")
_WITH_ID = etree.XPath("//*[@id]")
_OPEN_TO_ALL = re.compile(
    r"@(?:supports|layer)\b|@media\s*(?:only\s+)?(?:screen|all)?\s*$", re.IGNORECASE
)


_GROUP = re.compile(r"@(?:supports|layer|container|media)\b(?!\s*(?:only\s+)?print)", re.IGNORECASE)


class Block(NamedTuple):
    """A rule as it stands in the sheet, and whether it holds on any screen."""

    prelude: str
    css: str
    always: bool
    order: int


class Rule(NamedTuple):
    """One selector of a rule."""

    selector: Selector
    block: Block


def hidden_by_styles(root: etree._Element) -> list[etree._Element]:
    """The elements that the page's own style rules hide, once all its rules are weighed."""
    sheets = [style.text or "" for style in root.iter("style") if _for_screen(style)]
    if not any(might_hide(sheet) for sheet in sheets):
        return []
    css = _COMMENT.sub(" ", "\n".join(sheets)[:_MOST_CHARACTERS])
    blocks = list(islice(_blocks(css), _MOST_RULES))
    hiding = [block for block in blocks if block.always and style_hides(block.css)]
    matched = _matched(root, _by_key(hiding))
    if not matched:
        return []
    by_key = _by_key(_about(blocks, matched))
    most = max(_LEAST_OF_ONE_KEY, _MOST_MATCHES // len(matched))
    weighed = {key: rules[-most:] for key, rules in by_key.items()}
    return [element for element in matched if _stays_hidden(element, weighed)]


def _about(blocks: list[Block], matched: dict[etree._Element, Block]) -> Iterator[Block]:
    """The rules that may select one of the elements, and say something of what hides it."""
    keys = {key for element in matched for key in keys_of(element)}
    names = {name for block in matched.values() for name in parse_declarations(block.css)}
    said = re.compile("|".join(map(re.escape, names & TESTED)), re.IGNORECASE)
    for block in blocks:
        if said.search(block.css) and any(
            compound[0] in "*[" or not keys.isdisjoint(_names(compound))
            for compound in _LAST.findall(block.prelude)
        ):
            yield block


def _names(compound: str) -> Iterator[str]:
    return (name.replace("\\", "") for name in _NAMES.findall(compound))


def _for_screen(style: etree._Element) -> bool:
    return (style.get("media") or "all").strip().lower() in ("all", "screen", "")


def _blocks(css: str) -> Iterator[Block]:
    """The rules of a sheet, but those for print."""
    order = 0
    start = 0
    groups: list[tuple[str, bool, bool]] = []
    for mark in _MARK.finditer(css):
        sign = mark[0]
        if sign == "{":
            prelude = css[start : mark.start()].strip()
            applies, always = groups[-1][1:] if groups else (True, True)
            if prelude.startswith("@"):
                applies = applies and bool(_GROUP.match(prelude))
                always = always and bool(_OPEN_TO_ALL.match(prelude))
            groups.append((prelude, applies, always))
        elif sign == "}":
            prelude, applies, always = groups.pop() if groups else ("@", False, False)
            if applies and len(prelude) < _LONGEST_PRELUDE and not prelude.startswith("@"):
                order += 1
                yield Block(prelude, css[start : mark.start()], always, order)
        elif sign != ";" or (groups and not groups[-1][0].startswith("@")):
            continue
        start = mark.end()


def _by_key(blocks: Iterable[Block]) -> dict[str, list[Rule]]:
    by_key: dict[str, list[Rule]] = defaultdict(list)
    for block in blocks:
        for selector in parse_selectors(block.prelude):
            by_key[selector.key].append(Rule(selector, block))
    return by_key


def _matched(root: etree._Element, hiding: dict[str, list[Rule]]) -> dict[etree._Element, Block]:
    """The elements that a hiding rule selects, and the first such rule."""
    found: dict[etree._Element, Block] = {}
    budget = _MOST_MATCHES
    for element in _candidates(root, frozenset(hiding)):
        rules = [rule for key in keys_of(element) for rule in hiding.get(key, ())]
        budget -= len(rules)
        if budget < 0:
            break
        rule = next((rule for rule in rules if rule.selector.matches(element)), None)
        if rule is not None:
            found[element] = rule.block
    return found


def _candidates(root: etree._Element, keys: frozenset[str]) -> Iterator[etree._Element]:
    if "*" in keys:
        yield from root.iter(etree.Element)
        return
    classes = {
        names
        for names in set(_CLASSES(root))
        if not keys.isdisjoint(f".{name}" for name in names.split())
    }
    tags = [key for key in keys if key[0] not in ".#"]
    if classes:
        yield from (one for one in _WITH_CLASS(root) if one.get("class") in classes)
    if any(key[0] == "#" for key in keys):
        yield from (one for one in _WITH_ID(root) if f"#{one.get('id')}" in keys)
    if tags:
        yield from root.iter(*tags)


def _stays_hidden(element: etree._Element, by_key: dict[str, list[Rule]]) -> bool:
    rules = [
        rule
        for key in keys_of(element)
        for rule in by_key.get(key, ())
        if rule.selector.matches(element)
    ]
    always = [rule for rule in rules if rule.block.always]
    return _hides(element, _weighed(always, element)) and (
        len(always) == len(rules) or _hides(element, _weighed(rules, element))
    )


def _hides(element: etree._Element, declarations: Declarations) -> bool:
    """Whether they hide the element; a size of text is for the text the element itself has."""
    if "font-size" in declarations and not _has_own_text(element):
        declarations = {name: value for name, value in declarations.items() if name != "font-size"}
    return hides(declarations)


def _has_own_text(element: etree._Element) -> bool:
    return any(
        text and not text.isspace() for text in (element.text, *(child.tail for child in element))
    )


def _weighed(rules: list[Rule], element: etree._Element) -> Declarations:
    """What remains of the rules' declarations and the style attribute, the weightiest first."""
    weights: dict[str, tuple[bool, tuple[int, int, int], int]] = {}
    result: dict[str, tuple[str, bool]] = {}
    for rule in rules:
        for name, (value, important) in parse_declarations(rule.block.css).items():
            weight = (important, rule.selector.specificity, rule.block.order)
            if name not in weights or weight >= weights[name]:
                weights[name] = weight
                result[name] = (value, important)
    for name, (value, important) in parse_declarations(element.get("style") or "").items():
        if important or name not in result or not result[name][1]:
            result[name] = (value, important)
    return result
