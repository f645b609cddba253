"""A quick look at declarations: which might hide text, alone or together with others?

It errs on the side of suspicion; what is suspected is judged with all that applies to it.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from safefetch_cli.content.late_pattern import late
from safefetch_cli.content.short_memory import remembered
from safefetch_cli.content.styles.colours import (
    BLACK,
    WHITE,
    Colour,
    around,
    cell,
    colour_of,
    laid_over,
)
from safefetch_cli.content.styles.longhands import longhands
from safefetch_cli.content.styles.values import resolved

_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_ESCAPE = re.compile(r"\\([0-9a-f]{1,6})\s?|\\(.)", re.IGNORECASE | re.DOTALL)
_IMPORTANT = re.compile(r"\s*!\s*important\s*\Z")
_LONGEST = 500
_MOST_MEANINGS = 8

_SUM = r"calc\(|m(?:in|ax)\(|clamp\("
_POWER = r"[\d.]e[-+]?\d"
_ZERO = rf"[-+]?0*\.?0\d*(?![\d.])|{_POWER}|{_SUM}"
_NOTHING = rf"\s*(?:-|{_ZERO}|[012](?:\.\d+)?%)"
_TEXT_SIZE = (
    rf"[-+]?(?:0*\.?0+(?:[a-z]+|%)?|0*\.0\d*r?em|(?:0*1(?:\.0*)?|0*\.\d+)(?:px|pt)|[0-6](?:\.\d+)?%)"
    rf"(?![\w.%])|-[\d.]|{_POWER}"
)
_SIZE = (
    rf"\s*(?:[-+]?(?:0*\.?0+(?:[a-z]+|%)?|0*1(?:\.0*)?(?:px)?|0*\.\d+px|0*\.0\d*r?em)(?![\w.%])"
    rf"|{_POWER}|(?:{_SUM})(?!.*(?:%|v[wh])))"
)
_FAR = (
    r".*(?:-\s*\d{3}|-[6-9]\d(?:\.\d+)?%|-\d\d+(?:\.\d+)?(?:r?em|v\w+|ch|ex)"
    r"|-[\d.]+(?:in|cm|pc|mm|q)|(?<![\d.])(?:\d{4}|\d{3}(?:\.\d+)?(?:r?em|v\w+|ch)"
    rf"|[2-9]\d\d(?:\.\d+)?%|\d\d(?:in|cm|pc))|{_POWER}|(?:{_SUM}).*(?<![\d.])\d{{4}})"
)
_FAR_MARGIN = _FAR.replace(r"-\s*\d{3}|", r"-\s*\d{4}|-\d{3}(?:%|r?em)|")
_FLATTENS = (
    rf"|.*(?:scale\w*\((?:.*,)?\s*(?:{_ZERO})|matrix"
    r"|rotate[xy]\(.*(?:90deg|270deg|00grad|5turn|rad))"
)
_PATTERNS: dict[str, str] = {
    "display": r".*none",
    "visibility": r".*(?:hidden|collapse)",
    "content-visibility": r".*hidden",
    "opacity": _NOTHING,
    "filter": rf".*opacity\({_NOTHING}",
    "zoom": _NOTHING,
    "scale": rf"(?:.*\s)?(?:{_ZERO})",
    "rotate": r".*[xy]",
    "font-size": rf"\s*(?:{_TEXT_SIZE}|(?:{_SUM})(?!.*v[wh]))",
    "font": rf"(?:.*\s)?(?:{_TEXT_SIZE})",
    "line-height": rf"\s*(?:0(?![\d.])|(?:{_SUM})(?!.*%))",
    "clip": r".*rect",
    "clip-path": r".*\(",
    "transform": f"{_FAR}{_FLATTENS}",
    "translate": _FAR,
    "text-indent": rf"{_FAR}|\d{{3}}%",
    **dict.fromkeys(("width", "height", "max-width", "max-height"), _SIZE),
    **dict.fromkeys(("inline-size", "block-size", "max-inline-size", "max-block-size"), _SIZE),
    **dict.fromkeys(("left", "top", "right", "bottom", "inset", "inset-inline"), _FAR),
    **dict.fromkeys(("inset-block", "inset-inline-start", "inset-inline-end"), _FAR),
    **dict.fromkeys(("inset-block-start", "inset-block-end"), _FAR),
    **dict.fromkeys(("margin", "margin-left", "margin-top", "margin-inline"), _FAR_MARGIN),
    **dict.fromkeys(("margin-block", "margin-inline-start", "margin-block-start"), _FAR_MARGIN),
}
_LATE = {pattern: late(pattern) for pattern in set(_PATTERNS.values())}
_SUSPECT = {name: _LATE[pattern] for name, pattern in _PATTERNS.items()}
_SUSPECT |= {
    f"-webkit-{name}": _SUSPECT[name] for name in ("transform", "clip-path", "filter", "opacity")
}
_INK = frozenset(("color", "-webkit-text-fill-color"))
_PAPER = frozenset(("background", "background-color"))
_NOTED = _SUSPECT.keys() | _INK | _PAPER


class Signs(NamedTuple):
    """What declarations say: that they may hide something, and the colours in them."""

    hides: bool
    inks: tuple[Colour, ...]
    papers: tuple[Colour, ...]


class Custom:
    """The custom properties that a page declares anywhere: what may they stand for?"""

    def __init__(self, blocks: Iterable[str]) -> None:
        self._values: dict[str, list[str]] = {}
        for css in blocks:
            for name, value in _pairs(css):
                if name[:2] == "--":
                    self._values.setdefault(name, []).append(value)

    def meanings(self, value: str) -> Iterator[str]:
        """What the value may be with its names replaced: some of many, for many are the same."""
        turn, most = 0, 1

        def lookup(name: str) -> str | None:
            nonlocal most
            given = self._values.get(name, ())
            most = max(most, len(given))
            return given[turn % len(given)] if given else None

        while turn < min(most, _MOST_MEANINGS):
            yield resolved(value, lookup)
            turn += 1


def signs_of(css: str, custom: Custom) -> Signs:
    """What the declarations of a rule or a style attribute say, read quickly."""
    return _signs(_pairs(css), custom) if "var(" in css else _plain_signs(css)


@remembered(8192)
def _plain_signs(css: str) -> Signs:
    return _signs(_pairs(css), None)


def _signs(pairs: tuple[tuple[str, str], ...], custom: Custom | None) -> Signs:
    hides = False
    inks: list[Colour] = []
    papers: list[Colour] = []
    for name, given in pairs:
        for value in custom.meanings(given) if custom and "var(" in given else (given,):
            if name in _INK:
                inks += _colours(name, value)
            elif name in _PAPER:
                papers += _colours(name, value)
                hides = hides or "currentcolor" in value
            elif not hides and name in _SUSPECT:
                hides = _SUSPECT[name].match(value) is not None
    return Signs(hides, tuple(inks), tuple(papers))


@lru_cache(maxsize=4096)
def _colours(name: str, value: str) -> tuple[Colour, ...]:
    plain = _IMPORTANT.sub("", value)
    named = (colour_of(part) for longhand, part in longhands(name, plain) if "color" in longhand)
    return tuple(colour for colour in named if colour is not None)


def _pairs(css: str) -> tuple[tuple[str, str], ...]:
    if "/*" in css:
        css = _COMMENT.sub("", css)
    if "\\" in css:
        css = _ESCAPE.sub(_unescaped, css)
    parted = (declaration.partition(":") for declaration in css.lower().split(";"))
    named = ((name.strip(), value) for name, _, value in parted)
    return tuple(
        (name, value.strip()[:_LONGEST])
        for name, value in named
        if name in _NOTED or name[:2] == "--"
    )


def _unescaped(match: re.Match[str]) -> str:
    if match[1] is None:
        return match[2]
    code = int(match[1], 16)
    return chr(code) if 0 < code < 0x110000 else ""


class Tones:
    """Colours that may stand on each other: which ink of a page might not be seen on a paper?"""

    def __init__(self, signs: Iterable[Signs]) -> None:
        self._inks = {*around(BLACK)}
        self._papers = {*around(WHITE)}
        for one in signs:
            self._inks.update(near for ink in one.inks for near in around(_on_white(ink)))
            self._papers.update(near for paper in one.papers for near in around(_on_white(paper)))

    def has_ink(self, signs: Signs) -> bool:
        """Whether a colour of text is near one that a page puts behind text."""
        return any(cell(_on_white(ink)) in self._papers for ink in signs.inks)

    def has_paper(self, signs: Signs) -> bool:
        """Whether a colour behind text is near one that the page gives to text."""
        return any(cell(_on_white(paper)) in self._inks for paper in signs.papers)


def _on_white(colour: Colour) -> Colour:
    return laid_over(colour, WHITE)
