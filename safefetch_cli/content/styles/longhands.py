"""The properties that may hide text: their longhands, and the values that browsers take."""

import re
from collections.abc import Callable, Iterator

from safefetch_cli.content.styles.colours import colour_of
from safefetch_cli.content.styles.values import fraction, pixels

_WIDE = frozenset(("inherit", "initial", "unset", "revert", "revert-layer"))
_DISPLAY_WORDS = """
    none contents block inline inline-block flow-root flow flex inline-flex grid inline-grid table
    inline-table table-row-group table-header-group table-footer-group table-row table-cell
    table-column-group table-column table-caption list-item run-in ruby ruby-base ruby-text math
    grid-lanes inline-grid-lanes -webkit-box -webkit-inline-box -webkit-flex -webkit-inline-flex
"""
_DISPLAYS = frozenset(_DISPLAY_WORDS.split())
_SYSTEM_COLOUR_WORDS = """
    currentcolor canvas canvastext linktext visitedtext activetext buttonface buttontext
    buttonborder field fieldtext highlight highlighttext mark marktext graytext accentcolor
    accentcolortext selecteditem selecteditemtext
"""
_SYSTEM_COLOURS = frozenset(_SYSTEM_COLOUR_WORDS.split())
_FUNCTIONS = re.compile(r"(?:none|auto|(?:[a-z][\w-]*\(.*\)\s*)+|[\d.\s%a-z+-]+)")
_COLOUR_FUNCTION = re.compile(
    r"(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color|color-mix|light-dark)\(.*\)"
)
_PART = re.compile(r"[^\s(/]*\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)|[^\s/]+|/")
NAMED_SIZES = {
    "xx-small": 9.0,
    "x-small": 10.0,
    "small": 13.0,
    "medium": 16.0,
    "large": 18.0,
    "x-large": 24.0,
    "xx-large": 32.0,
    "xxx-large": 48.0,
    "smaller": 13.0,
    "larger": 19.0,
}
"""The names of sizes of text -> pixels, of a text of 16 pixels."""

_IMAGE = re.compile(r"url\(|gradient\(|image\(|image-set\(|element\(|cross-fade\(|paint\(")
_WEIGHT = re.compile(r"[1-9]\d{0,3}")

PENDING = "\0"
"""Begins what a longhand gets from a shorthand with var() in it: its name and value."""

Test = Callable[[str], object]


def _word(*words: str) -> Test:
    return frozenset(" ".join(words).split()).__contains__


def _length(*words: str) -> Test:
    known = frozenset(words)
    return lambda value: value in known or pixels(value) is not None


def _sizes(value: str) -> bool:
    return all(pixels(part) is not None or part == "auto" for part in value.split())


def _colour(value: str) -> bool:
    return (
        colour_of(value) is not None
        or value in _SYSTEM_COLOURS
        or _COLOUR_FUNCTION.fullmatch(value) is not None
    )


def _is_positive(value: str) -> bool:
    size = pixels(value)
    return size is not None and size >= 0


def _anything(value: str) -> bool:
    return bool(value)


_SIZE = _length(
    "auto", "none", "min-content", "max-content", "fit-content", "stretch",
    "-webkit-fill-available", "-webkit-fit-content", "-moz-available",
)  # fmt: skip
_SIDES = ("top", "right", "bottom", "left")
_VALID: dict[str, Test] = {
    "display": lambda value: _DISPLAYS.issuperset(value.split()),
    "visibility": _word("visible hidden collapse"),
    "content-visibility": _word("visible auto hidden"),
    "opacity": lambda value: fraction(value) is not None,
    "zoom": lambda value: value in ("normal", "reset") or (fraction(value) or -1) >= 0,
    "color": _colour,
    "-webkit-text-fill-color": _colour,
    "background-color": _colour,
    "background-image": lambda value: value == "none" or _IMAGE.search(value),
    "background-clip": _anything,
    "font-size": lambda value: value in NAMED_SIZES or _is_positive(value),
    "line-height": _length("normal"),
    "position": _word("static relative absolute fixed sticky -webkit-sticky"),
    "float": _word("none left right inline-start inline-end"),
    "overflow-x": _word("visible hidden clip scroll auto overlay"),
    "overflow-y": _word("visible hidden clip scroll auto overlay"),
    "text-overflow": _anything,
    "white-space": _anything,
    "text-indent": lambda value: pixels(value.split()[0]) is not None,
    "text-shadow": _anything,
    "-webkit-text-stroke": _anything,
    "clip": lambda value: value == "auto" or value.startswith("rect("),
    **dict.fromkeys(("clip-path", "transform", "filter"), _FUNCTIONS.fullmatch),
    **dict.fromkeys(("translate", "scale", "rotate"), _FUNCTIONS.fullmatch),
    **dict.fromkeys(("width", "height", "min-width", "min-height"), _SIZE),
    **dict.fromkeys(("max-width", "max-height"), _SIZE),
    **dict.fromkeys(_SIDES, _length("auto")),
    **{f"margin-{side}": _sizes for side in _SIDES},
    **{f"padding-{side}": _sizes for side in _SIDES},
    **dict.fromkeys(("animation", "animation-name", "animation-fill-mode"), _anything),
    "animation-iteration-count": _anything,
}
TESTED = frozenset(_VALID)
"""The longhands that may hide text, or show what another would hide."""

ALIASES = {
    **{f"-webkit-{name}": name for name in ("transform", "clip-path", "filter", "opacity")},
    **{f"-webkit-{name}": name for name in ("animation", "animation-name", "background-clip")},
    "-webkit-animation-fill-mode": "animation-fill-mode",
    "inline-size": "width",
    "block-size": "height",
    "min-inline-size": "min-width",
    "min-block-size": "min-height",
    "max-inline-size": "max-width",
    "max-block-size": "max-height",
    "inset-inline-start": "left",
    "inset-inline-end": "right",
    "inset-block-start": "top",
    "inset-block-end": "bottom",
    **{
        f"{box}-{logical}": f"{box}-{side}"
        for box in ("margin", "padding")
        for logical, side in (
            ("inline-start", "left"),
            ("inline-end", "right"),
            ("block-start", "top"),
            ("block-end", "bottom"),
        )
    },
}
_BOXES: dict[str, tuple[str, ...]] = {
    "inset": _SIDES,
    "margin": tuple(f"margin-{side}" for side in _SIDES),
    "padding": tuple(f"padding-{side}" for side in _SIDES),
    "overflow": ("overflow-x", "overflow-y"),
    "inset-inline": ("left", "right"),
    "inset-block": ("top", "bottom"),
    **{f"{box}-inline": (f"{box}-left", f"{box}-right") for box in ("margin", "padding")},
    **{f"{box}-block": (f"{box}-top", f"{box}-bottom") for box in ("margin", "padding")},
}


def is_tested(name: str) -> bool:
    """Whether a property, longhand or not, or a custom one, is of those that matter here."""
    return name in TESTED or name in ALIASES or name in SHORTHANDS or name[:2] == "--"


def longhands(name: str, value: str) -> Iterator[tuple[str, str]]:
    """The tested longhands that a declaration sets, when its value is valid."""
    name = ALIASES.get(name, name)
    if name.startswith("--"):
        yield name, value
    elif name in SHORTHANDS and "var(" in value:
        yield from ((longhand, f"{PENDING}{name}:{value}") for longhand in _TARGETS[name])
    elif name in SHORTHANDS:
        yield from SHORTHANDS[name](name, value)
    elif name in _VALID and is_valid(name, value):
        yield name, value


def settled(longhand: str, value: str, resolve: Callable[[str], str]) -> str:
    """The value of a longhand once its var() are resolved; "" when it has none."""
    if "var(" not in value:
        return value
    name, given = longhand, value
    if value.startswith(PENDING):
        name, _, given = value[1:].partition(":")
    return dict(longhands(name, resolve(given))).get(longhand, "")


def is_valid(name: str, value: str) -> bool:
    """Whether a browser takes the value for the longhand; with var() in it that shows later."""
    return bool(value) and (value in _WIDE or "var(" in value or bool(_VALID[name](value)))


def _parts(value: str) -> list[str]:
    return _PART.findall(value)


def _box(name: str, value: str) -> Iterator[tuple[str, str]]:
    names, parts = _BOXES[name], _parts(value)
    if not 1 <= len(parts) <= len(names):
        return
    if len(names) == 2:
        parts = [parts[0], parts[-1]]
    else:
        top, right, bottom, left = (*parts, *[""] * (4 - len(parts)))
        right = right or top
        parts = [top, right, bottom or top, left or right]
    if all(map(is_valid, names, parts)):
        yield from zip(names, parts, strict=True)


def _font(_: str, value: str) -> Iterator[tuple[str, str]]:
    if value in _WIDE:
        yield "font-size", value
        return
    for part in _parts(value):
        if part in NAMED_SIZES or (pixels(part) is not None and not _WEIGHT.fullmatch(part)):
            yield "font-size", part
            return


def _background(_: str, value: str) -> Iterator[tuple[str, str]]:
    if value in _WIDE:
        yield from (("background-color", value), ("background-image", value))
        return
    parts = _parts(value.replace(",", " , ") if "(" not in value else value)
    image = next((part for part in parts if _IMAGE.search(part)), "none")
    colour = next((part for part in parts if is_valid("background-color", part)), "transparent")
    if image == "none" and colour == "transparent" and not _may_be_background(parts):
        return
    yield "background-image", image
    yield "background-color", colour
    yield "background-clip", "text" if "text" in parts else "border-box"


_BACKGROUND_NAMES = """
    none transparent repeat no-repeat repeat-x repeat-y space round scroll fixed local center top
    bottom left right border-box padding-box content-box text cover contain auto / ,
"""
_BACKGROUND_WORDS = frozenset(_BACKGROUND_NAMES.split())


def _may_be_background(parts: list[str]) -> bool:
    return all(part in _BACKGROUND_WORDS or pixels(part) is not None for part in parts)


SHORTHANDS: dict[str, Callable[[str, str], Iterator[tuple[str, str]]]] = {
    **dict.fromkeys(_BOXES, _box),
    "font": _font,
    "background": _background,
}
_TARGETS: dict[str, tuple[str, ...]] = {
    **_BOXES,
    "font": ("font-size",),
    "background": ("background-color", "background-image", "background-clip"),
}
