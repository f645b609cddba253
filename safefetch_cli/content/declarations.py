"""What CSS declarations do to the text they apply to: is it still seen?"""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache

import tinycss2

Declarations = Mapping[str, tuple[str, bool]]
"""Property -> its value in lower case, and whether it is marked important."""

_TESTED_PROPERTIES = """
    display visibility content-visibility opacity filter color -webkit-text-fill-color font
    font-size overflow overflow-y width height max-width max-height text-indent position left top
    right bottom margin-left margin-top clip clip-path transform background background-color
    background-clip -webkit-background-clip text-overflow min-height padding padding-top
    padding-bottom
"""
TESTED = frozenset(_TESTED_PROPERTIES.split())
"""The properties that may hide text, or show what another would hide."""

_NO_INK_COLOUR = (
    r"transparent|\#\w{3}0(?!\w)|\#\w{6}00(?!\w)"
    r"|(?:rgb|hsl)a?\((?:(?:[^,/()]+,){3}|[^,/()]+/)\s*[.0]+%?\s*\)"
)

_MIGHT_HIDE = re.compile(
    r"/\*|display\s*:\s*none|visib\w*\s*:\s*(?:hidden|collapse)|opacity\s*[:(]\s*\.?0"
    r"|font(?:-size)?\s*:\s*(?:0|\.|1(?:px|%|\s|;|$))|:\s*-\d{3,}"
    r"|:\s*-\d{2,}(?:\.\d+)?(?:r?em|vw|vh|vmin|vmax|ch|in|cm|mm|pc|%)|:\s*-\d+e|(?<![\w-])clip(?:-path)?\s*:|scale\w*\(\s*0"
    r"|translate\w*\([^)]*-\s*\d{4}|(?:width|height)\s*:\s*[01](?![\d.])[^{}]*overflow"
    r"|overflow[^{}]*(?:width|height)\s*:\s*[01](?![\d.])|color\s*:\s*(?:"
    + _NO_INK_COLOUR
    + r")|(?<![\w-])color\s*:[^{}]*background|background[^{}]*[;\s]color\s*:",
    re.IGNORECASE,
)
_ESCAPE = re.compile(r"\\[0-9a-z]", re.IGNORECASE)
_NO_INK = re.compile(_NO_INK_COLOUR)
_NO_FONT = re.compile(r"(?:[a-z-]+ )*0(?:px|pt|r?em|%)?[/ ]")
_LENGTH = re.compile(r"(-?\d*\.?\d+(?:e\+?\d{1,2})?)([a-z%]*)")
_PIXELS = {
    "": 1.0,
    "px": 1.0,
    "pt": 1.33,
    "em": 16.0,
    "rem": 16.0,
    "ex": 8.0,
    "%": 8.0,
    "vw": 12.0,
    "vh": 8.0,
    "vmin": 8.0,
    "vmax": 12.0,
    "ch": 8.0,
    "in": 96.0,
    "cm": 38.0,
    "mm": 3.8,
    "pc": 16.0,
}
_FAR = -500.0
_NO_CLIP = re.compile(
    r"rect\(\s*(?:0(?:px)?|1px)[\s,]+(?:0(?:px)?|1px)[\s,]+(?:0(?:px)?|1px)[\s,]+(?:0(?:px)?|1px)\s*\)"
)
_NO_PATH = re.compile(
    r"inset\(\s*(?:50|100)%|circle\(\s*0|polygon\(\s*0(?:px)? 0(?:px)?,\s*0(?:px)? 0"
)
_NO_SIZE = re.compile(
    r"scale(?:3d|x|y)?\(\s*0(?:\.0+)?\s*[,)]|translate(?:x|y|3d)?\([^)]*-\s*\d{4,}"
)
_WHITE = {"white": "#ffffff", "#fff": "#ffffff", "black": "#000000", "#000": "#000000"}


def might_hide(css: str) -> bool:
    """Whether it is worth parsing the declarations: cheap, and seldom wrong when it says no."""
    if "\\" in css and "content" not in css and _ESCAPE.search(css):
        return True
    return bool(_MIGHT_HIDE.search(css))


@lru_cache(maxsize=4096)
def parse_declarations(css: str) -> dict[str, tuple[str, bool]]:
    """The declarations of a style attribute or rule; the last of a property wins."""
    found: dict[str, tuple[str, bool]] = {}
    for node in tinycss2.parse_blocks_contents(
        css[:5_000], skip_comments=True, skip_whitespace=True
    ):
        if node.type != "declaration":
            continue
        name = node.lower_name
        if name in found and found[name][1] and not node.important:
            continue
        value = " ".join(tinycss2.serialize(node.value).lower().split())
        found[name] = (re.sub(r"/\*.*?\*/", "", value).strip(), node.important)
    return found


@lru_cache(maxsize=4096)
def style_hides(css: str) -> bool:
    """Whether a style attribute or the declarations of a rule, taken alone, hide the text."""
    return might_hide(css) and hides(parse_declarations(css))


def hides(declarations: Declarations) -> bool:
    """Whether text under these declarations is not seen."""
    values = {name: value for name, (value, _) in declarations.items()}
    return any(test(values) for test in _TESTS)


def _pixels(value: str) -> float | None:
    match = _LENGTH.fullmatch(value)
    if match is None:
        return None
    return float(match[1]) * _PIXELS.get(match[2], 1.0)


def _at_most(values: Mapping[str, str], name: str, limit: float) -> bool:
    size = _pixels(values.get(name, ""))
    return size is not None and size <= limit


def _not_shown(values: Mapping[str, str]) -> bool:
    return (
        values.get("display") == "none"
        or values.get("visibility") in ("hidden", "collapse")
        or values.get("content-visibility") == "hidden"
    )


def _see_through(values: Mapping[str, str]) -> bool:
    return (
        _at_most(values, "opacity", 0.02)
        or "opacity(0" in values.get("filter", "")
        or (
            any(
                _NO_INK.fullmatch(values.get(name, ""))
                for name in ("color", "-webkit-text-fill-color")
            )
            and "background-clip" not in values
            and "-webkit-background-clip" not in values
        )
    )


def _too_small(values: Mapping[str, str]) -> bool:
    if _at_most(values, "font-size", 1.0):
        return True
    if "font-size" not in values and _NO_FONT.match(values.get("font", "")):
        return True
    clipped = values.get("overflow", values.get("overflow-y", "")).startswith(("hidden", "clip"))
    flat = [
        name
        for name in ("width", "height", "max-height", "max-width")
        if _at_most(values, name, 1.0) and not _has_room(values, name)
    ]
    return bool(flat) and clipped


def _has_room(values: Mapping[str, str], side: str) -> bool:
    """Whether something else gives the box its size.

    A box of no height may have padding, as those that keep a ratio do; a cell whose text ends in an
    ellipsis has the width of its column.
    """
    if side == "max-width":
        return "text-overflow" in values
    if side != "height":
        return False
    heights = " ".join(
        values.get(name, "") for name in ("min-height", "padding-top", "padding-bottom", "padding")
    )
    return any((_pixels(part) or 0.0) > 1.0 for part in heights.split())


def _off_screen(values: Mapping[str, str]) -> bool:
    if _at_most(values, "text-indent", _FAR):
        return True
    if values.get("position") in ("absolute", "fixed") and any(
        _at_most(values, side, _FAR) for side in ("left", "top", "right", "bottom")
    ):
        return True
    far = ("left", "top") if values.get("position") in ("relative", "sticky") else ()
    return any(_at_most(values, side, -2000.0) for side in ("margin-left", "margin-top", *far))


def _clipped(values: Mapping[str, str]) -> bool:
    return bool(
        (
            values.get("position") in ("absolute", "fixed")
            and _NO_CLIP.search(values.get("clip", ""))
        )
        or _NO_PATH.search(values.get("clip-path", ""))
        or _NO_SIZE.search(values.get("transform", ""))
    )


def _same_colour(values: Mapping[str, str]) -> bool:
    ink = values.get("color", "")
    paper = values.get("background-color", values.get("background", ""))
    return bool(ink) and _WHITE.get(ink, ink) == _WHITE.get(paper, paper)


_TESTS: tuple[Callable[[Mapping[str, str]], bool], ...] = (
    _not_shown,
    _see_through,
    _too_small,
    _off_screen,
    _clipped,
    _same_colour,
)
