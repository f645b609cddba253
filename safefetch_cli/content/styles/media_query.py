"""Media queries (Media Queries Level 4), judged for one reader.

The reader has a desktop screen of 1280 by 800 pixels, a mouse, colours, scripts and no particular
preferences. Print, speech and other media are not for him.
"""

import re
from collections.abc import Sequence
from typing import Any

import tinycss2

from safefetch_cli.content.short_memory import remembered
from safefetch_cli.content.styles.values import pixels

_LONGEST = 1000
_DEEPEST = 8
_SIZES = {
    **dict.fromkeys(("width", "device-width", "inline-size"), 1280.0),
    **dict.fromkeys(("height", "device-height", "block-size"), 800.0),
    **dict.fromkeys(("aspect-ratio", "device-aspect-ratio"), 1.6),
    **dict.fromkeys(("resolution", "device-pixel-ratio", "-webkit-device-pixel-ratio"), 1.0),
    "color": 8.0,
    "color-index": 0.0,
    "monochrome": 0.0,
    "grid": 0.0,
}
_KEYWORDS = {
    "orientation": "landscape",
    "hover": "hover",
    "any-hover": "hover",
    "pointer": "fine",
    "any-pointer": "fine",
    "scripting": "enabled",
    "update": "fast",
    "display-mode": "browser",
    "overflow-block": "scroll",
    "overflow-inline": "scroll",
    "color-gamut": "srgb",
    "dynamic-range": "standard",
    "scan": "progressive",
    "prefers-color-scheme": "light",
    "prefers-reduced-motion": "no-preference",
    "prefers-reduced-data": "no-preference",
    "prefers-reduced-transparency": "no-preference",
    "prefers-contrast": "no-preference",
    "forced-colors": "none",
    "inverted-colors": "none",
}
_NOTHING = frozenset(("no-preference", "none"))
_RATIO = re.compile(r"(\d*\.?\d+)\s*/\s*(\d*\.?\d+)")
_DENSITY = re.compile(r"(\d*\.?\d+)(dppx|x|dpi|dpcm)")
_DENSITIES = {"dppx": 1.0, "x": 1.0, "dpi": 1 / 96, "dpcm": 2.54 / 96}
_SIGNS = re.compile(r"(<=|>=|<|>|=)")
_HOLDS = {
    "<": lambda left, right: left < right,
    "<=": lambda left, right: left <= right,
    ">": lambda left, right: left > right,
    ">=": lambda left, right: left >= right,
    "=": lambda left, right: abs(left - right) < 1e-6,
}


@remembered(1024)
def applies(query: str) -> bool:
    """Whether a list of media queries, or the condition of a container, holds for the reader.

    An empty one does; what is not understood does not.
    """
    if len(query) > _LONGEST:
        return False
    tokens = _words(tinycss2.parse_component_value_list(query, skip_comments=True))
    if not tokens:
        return True
    begin = 0
    for at in [*(at for at, node in enumerate(tokens) if node == ","), len(tokens)]:
        if _query(tokens[begin:at]):
            return True
        begin = at + 1
    return False


def _words(tokens: Sequence[Any]) -> list[Any]:
    return [token for token in tokens if token.type != "whitespace"]


def _name(token: Any) -> str:
    return str(token.lower_value) if token.type == "ident" else ""


def _query(tokens: list[Any]) -> bool | None:
    first = _name(tokens[0]) if tokens else ""
    prefixed = first in ("not", "only") and len(tokens) > 1 and _name(tokens[1]) != ""
    medium = _name(tokens[1]) if prefixed else first
    if not medium or medium == "not":
        return _condition(tokens, 0)
    rest = tokens[2 if prefixed else 1 :]
    found: bool | None = medium in ("screen", "all")
    if rest:
        is_joined = _name(rest[0]) == "and"
        found = _all((found, _condition(rest[1:], 0) if is_joined else None))
    return _opposite(found) if first == "not" else found


def _condition(tokens: list[Any], depth: int) -> bool | None:
    """Blocks that `and` or `or` joins, each with or without `not`."""
    if depth > _DEEPEST:
        return None
    results: list[bool | None] = []
    joins = set()
    at = 0
    while at < len(tokens):
        is_negated = _name(tokens[at]) == "not"
        at += is_negated
        if at == len(tokens):
            return None
        result = _block(tokens[at], depth)
        results.append(_opposite(result) if is_negated else result)
        if at + 1 < len(tokens):
            joins.add(_name(tokens[at + 1]))
        at += 2
    if not joins <= {"and"} and joins != {"or"}:
        return None
    return _any(results) if joins == {"or"} else _all(results)


def _block(token: Any, depth: int) -> bool | None:
    if token.type != "() block":
        return None
    inner = _words(token.content)
    if inner and (inner[0].type == "() block" or _name(inner[0]) == "not"):
        return _condition(inner, depth + 1)
    return _feature(tinycss2.serialize(inner).lower().strip())


def _feature(text: str) -> bool | None:
    name, colon, value = (part.strip() for part in text.partition(":"))
    if colon:
        return _plain(name, value)
    parts = [part.strip() for part in _SIGNS.split(text)]
    if len(parts) == 1:
        if text in _KEYWORDS:
            return _KEYWORDS[text] not in _NOTHING
        return _SIZES[text] > 0 if text in _SIZES else None
    sizes = [_SIZES.get(part, _measure(part)) for part in parts[::2]]
    if None in sizes or len(sizes) > 3:
        return None
    pairs = zip(sizes, parts[1::2], sizes[1:], strict=False)
    return all(_HOLDS[sign](left, right) for left, sign, right in pairs)


def _plain(name: str, value: str) -> bool | None:
    if name in _KEYWORDS:
        return value == _KEYWORDS[name]
    name = name.replace("-webkit-m", "m").replace("min--moz", "min").replace("max--moz", "max")
    bound, _, bare = name.partition("-")
    sign, known = {"min": (">=", bare), "max": ("<=", bare)}.get(bound, ("=", name))
    wanted = _measure(value)
    if known not in _SIZES or wanted is None:
        return None
    return bool(_HOLDS[sign](_SIZES[known], wanted))


def _measure(value: str) -> float | None:
    if ratio := _RATIO.fullmatch(value):
        return float(ratio[1]) / float(ratio[2]) if float(ratio[2]) else None
    if density := _DENSITY.fullmatch(value):
        return float(density[1]) * _DENSITIES[density[2]]
    return pixels(value)


def _opposite(value: bool | None) -> bool | None:
    return None if value is None else not value


def _all(values: Sequence[bool | None]) -> bool | None:
    if False in values:
        return False
    return None if None in values else True


def _any(values: Sequence[bool | None]) -> bool | None:
    if True in values:
        return True
    return None if None in values else False
