"""The page's own style sheets: which elements do their rules hide?"""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from lxml import etree

from safefetch_cli.content.declarations import Declarations, hides, might_hide, parse_declarations
from safefetch_cli.content.selectors import Selector, keys_of, parse_selectors

_MOST_CHARACTERS = 2_000_000
_MOST_RULES = 4_000
_LONGEST_PRELUDE = 5_000
_MOST_MATCHES = 200_000
_MOST_OF_ONE_KEY = 500

_MARK = re.compile(r"""/\*.*?(?:\*/|\Z)|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|[{}]|;""", re.DOTALL)
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_OPEN_TO_ALL = re.compile(
    r"@(?:supports|layer)\b|@media\s*(?:only\s+)?(?:screen|all)?\s*$", re.IGNORECASE
)


_GROUP = re.compile(r"@(?:supports|layer|container|media)\b(?!\s*(?:only\s+)?print)", re.IGNORECASE)


@dataclass(frozen=True)
class Rule:
    """One selector of a style rule, its place, its declarations; does it hold on any screen?"""

    selector: Selector
    order: int
    css: str
    always: bool


def hidden_by_styles(root: etree._Element) -> list[etree._Element]:
    """The elements that the page's own style rules hide, once all its rules are weighed."""
    sheets = [style.text or "" for style in root.iter("style") if _for_screen(style)]
    if not any(might_hide(sheet) for sheet in sheets):
        return []
    rules = _rules("\n".join(sheets)[:_MOST_CHARACTERS])
    hiding = [
        rule
        for rule in rules
        if rule.always and might_hide(rule.css) and hides(parse_declarations(rule.css))
    ]
    if not hiding:
        return []
    by_key = _by_key(rules)
    return [element for element in _matched(root, hiding) if _stays_hidden(element, by_key)]


def _for_screen(style: etree._Element) -> bool:
    return (style.get("media") or "all").strip().lower() in ("all", "screen", "")


def _rules(css: str) -> list[Rule]:
    rules: list[Rule] = []
    for prelude, declarations, always in _blocks(css):
        if len(rules) >= _MOST_RULES:
            break
        if ":" in declarations and len(prelude) < _LONGEST_PRELUDE:
            order = len(rules)
            rules.extend(Rule(found, order, declarations, always) for found in parse_selectors(prelude))
    return rules


def _blocks(css: str) -> Iterator[tuple[str, str, bool]]:
    """Prelude and declarations of each rule, and whether it holds on any screen."""
    start = 0
    groups: list[tuple[str, bool, bool]] = []
    for mark in _MARK.finditer(css):
        sign = mark[0]
        if sign == "{":
            prelude = _COMMENT.sub(" ", css[start : mark.start()]).strip()
            applies, always = groups[-1][1:] if groups else (True, True)
            if prelude.startswith("@"):
                applies = applies and bool(_GROUP.match(prelude))
                always = always and bool(_OPEN_TO_ALL.match(prelude))
            groups.append((prelude, applies, always))
        elif sign == "}":
            prelude, applies, always = groups.pop() if groups else ("@", False, False)
            if applies and not prelude.startswith("@"):
                yield prelude, css[start : mark.start()], always
        elif sign != ";" or (groups and not groups[-1][0].startswith("@")):
            continue
        start = mark.end()


def _by_key(rules: list[Rule]) -> dict[str, list[Rule]]:
    by_key: dict[str, list[Rule]] = defaultdict(list)
    for rule in rules:
        by_key[rule.selector.key].append(rule)
    return by_key


def _matched(root: etree._Element, hiding: list[Rule]) -> list[etree._Element]:
    by_key = _by_key(hiding)
    found: list[etree._Element] = []
    budget = _MOST_MATCHES
    for element in root.iter(etree.Element):
        for key in keys_of(element):
            rules = by_key.get(key)
            if rules is None:
                continue
            budget -= len(rules)
            if budget < 0:
                return found
            if any(rule.selector.matches(element) for rule in rules):
                found.append(element)
                break
    return found


def _stays_hidden(element: etree._Element, by_key: dict[str, list[Rule]]) -> bool:
    rules = [
        rule
        for key in keys_of(element)
        for rule in by_key.get(key, ())[:_MOST_OF_ONE_KEY]
        if rule.selector.matches(element)
    ]
    always = [rule for rule in rules if rule.always]
    return _hides(element, _weighed(always, element)) and (
        len(always) == len(rules) or _hides(element, _weighed(rules, element))
    )


def _hides(element: etree._Element, declarations: Declarations) -> bool:
    """Whether they hide the element; a size of text is for the text the element itself has."""
    if "font-size" in declarations and not _has_own_text(element):
        declarations = {name: value for name, value in declarations.items() if name != "font-size"}
    return hides(declarations)


def _has_own_text(element: etree._Element) -> bool:
    return any(text and not text.isspace() for text in (element.text, *(child.tail for child in element)))


def _weighed(rules: list[Rule], element: etree._Element) -> Declarations:
    """What remains of the rules' declarations and the style attribute, the weightiest first."""
    weights: dict[str, tuple[bool, tuple[int, int, int], int]] = {}
    result: dict[str, tuple[str, bool]] = {}
    for rule in rules:
        for name, (value, important) in parse_declarations(rule.css).items():
            weight = (important, rule.selector.specificity, rule.order)
            if name not in weights or weight >= weights[name]:
                weights[name] = weight
                result[name] = (value, important)
    for name, (value, important) in parse_declarations(element.get("style") or "").items():
        if important or name not in result or not result[name][1]:
            result[name] = (value, important)
    return result
