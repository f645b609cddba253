"""Boxes that leave nothing of what is inside them in sight: gone, clear, far off, or of no size."""

import re
from collections.abc import Callable, Mapping
from math import cos, pi

from safefetch_cli.content.styles.values import fraction, pixels

Values = Mapping[str, str]
"""Property -> its value, with nothing left to resolve."""

_CLEAR = 0.02
_THIN = 1.0
_FAR = 500.0
_FAR_ANYWHERE = 2000.0
_FAR_MOVED = 1000.0
_FAR_BEHIND = 3000.0
"""Pixels beyond the edge of what is in sight: where nobody looks, wherever the box stood before."""

_WHOLE = 800.0  # pixels that 100 percent count for
_LEVEL = 0.01
_FUNCTION = re.compile(r"([a-z][\w-]*)\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)")
_ARGUMENT = re.compile(r"(?:[^\s,()]|\((?:[^()]|\([^()]*\))*\))+")
_ANGLES = {"deg": pi / 180, "grad": pi / 200, "rad": 1.0, "turn": 2 * pi}
_ANGLE = re.compile(r"([-+]?(?:\d+\.?\d*|\.\d+))(deg|grad|rad|turn)")
_SHOWS_OVERFLOW = ("", "visible")
_OUT_OF_FLOW = ("absolute", "fixed")
_MOVED = ("relative", "sticky", "-webkit-sticky")


def is_unseen(values: Values, *, revealed: bool = False) -> bool:
    """Whether a box with these values hides all that is in it, its own way.

    What is `revealed` comes into sight by itself, from being clear, cut off, moved or of no size.
    Visibility, ink and the size of text are not judged here, as what is inside may have its own.
    """
    return any(test(values) for test in _ALWAYS) or (
        not revealed and any(test(values) for test in _BEFORE_IT_MOVES)
    )


def functions(value: str) -> list[tuple[str, list[str]]]:
    """The functions of a value, each with its arguments."""
    return [(match[1], _ARGUMENT.findall(match[2])) for match in _FUNCTION.finditer(value)]


def _size(values: Values, name: str) -> float:
    return pixels(values.get(name, "")) or 0.0


def _is_gone(values: Values) -> bool:
    return values.get("display") == "none" or values.get("content-visibility") == "hidden"


def _is_clear(values: Values) -> bool:
    share = fraction(values.get("opacity", ""))
    if share is not None and share <= _CLEAR:
        return True
    given = (fraction(first) for name, (first, *_) in _given(values, "filter") if name == "opacity")
    return any(share is not None and share <= _CLEAR for share in given)


def _given(values: Values, name: str) -> list[tuple[str, list[str]]]:
    value = values.get(name, "")
    return [one for one in functions(value) if one[1]] if "(" in value else []


def _is_flat(values: Values) -> bool:
    clipped = [
        name for name in ("overflow-x", "overflow-y") if values.get(name, "") not in _SHOWS_OVERFLOW
    ]
    if not clipped:
        return False
    if any(_is_thin(values, name) for name in ("width", "height", "max-height", "max-width")):
        return True
    is_ruled = _is_small(values, "line-height") and not _size(values, "height")
    return is_ruled and not _has_room(values, "height")


def _is_small(values: Values, name: str) -> bool:
    size = pixels(values.get(name, ""))
    return size is not None and size <= _THIN


def _is_thin(values: Values, name: str) -> bool:
    return _is_small(values, name) and not _has_room(values, name)


def _has_room(values: Values, name: str) -> bool:
    """Whether something else gives the box its size.

    A box of no height may have padding, as those that keep a ratio do; a cell whose text ends in an
    ellipsis has the width of its column.
    """
    if name == "max-width" and "text-overflow" in values:
        return True
    side = name.removeprefix("max-")
    sides = (
        ("padding-left", "padding-right") if side == "width" else ("padding-top", "padding-bottom")
    )
    return any(_size(values, given) > _THIN for given in (f"min-{side}", *sides))


def _is_indented_away(values: Values) -> bool:
    value = values.get("text-indent", "").partition(" ")[0]
    indent = pixels(value) or 0.0
    if indent >= _WHOLE:
        return values.get("overflow-x", "") not in _SHOWS_OVERFLOW and values.get(
            "white-space", ""
        ).startswith(("nowrap", "pre"))
    return (
        indent + _size(values, "padding-left") + _size(values, "margin-left") <= -_FAR < 0 > indent
    )


def _is_off_screen(values: Values) -> bool:
    across = _way(values, "left", "right", _moved(values, 0, _WHOLE / 100))
    down = _way(values, "top", "bottom", _moved(values, 1, _WHOLE / 100))
    position = values.get("position", "")
    if position in _OUT_OF_FLOW:
        return _leaves(values, across, "right") or _leaves(values, down, "bottom")
    if position in _MOVED:
        return min(across, down) <= -_FAR_ANYWHERE
    margins = (_size(values, "margin-left"), _size(values, "margin-top"))
    return min(margins) <= -_FAR_ANYWHERE and min(across, down) <= -_FAR_ANYWHERE


def _way(values: Values, start: str, end: str, moved: float) -> float:
    """How far a box is moved from where it would stand, to the right or down."""
    size = pixels(values.get(start, ""))
    is_placed = values.get("position", "static") != "static"
    if size is None and is_placed:
        far = pixels(values.get(end, ""))
        if far is not None:
            return moved - far - _size(values, f"margin-{end}")
    return (size or 0.0 if is_placed else 0.0) + _size(values, f"margin-{start}") + moved


def _leaves(values: Values, way: float, end: str) -> bool:
    start = "left" if end == "right" else "top"
    if pixels(values.get(start, "")) is None and pixels(values.get(end, "")) is not None:
        return way >= _FAR or way <= -_FAR_BEHIND
    if values.get("position") == "fixed":
        return way <= -_FAR or way >= _FAR_ANYWHERE
    return way <= -_FAR or (end == "right" and way >= _FAR_BEHIND)


_AXES = {
    "translate": (0, 1),
    "translate3d": (0, 1),
    "translatex": (0,),
    "translatey": (1,),
    "matrix": (4, 5),
    "matrix3d": (12, 13),
}


def _moved(values: Values, axis: int, percent: float) -> float:
    """How far transforms move a box, a percent of its own size counting for so many pixels."""
    return sum(_length(given, percent) for given in _movements(values, axis))


def _movements(values: Values, axis: int) -> list[str]:
    found = [
        arguments[place]
        for name, arguments in _given(values, "transform")
        for place in _places(name, axis)
        if place < len(arguments)
    ]
    own = _ARGUMENT.findall(values.get("translate", ""))
    return found + own[axis : axis + 1]


def _places(name: str, axis: int) -> tuple[int, ...]:
    places = _AXES.get(name, ())
    if len(places) == 1:
        return (0,) if places[0] == axis else ()
    return places[axis : axis + 1]


def _length(value: str, percent: float) -> float:
    size = pixels(value) or 0.0
    return size / _WHOLE * 100 * percent if value.endswith("%") else size


def _is_moved_away(values: Values) -> bool:
    """Whether transforms alone move it off; a percent counts little, as the box may be small."""
    ways = [_moved(values, axis, 2.0) for axis in (0, 1)]
    if min(ways) > -_FAR_MOVED and max(ways) < _FAR_BEHIND:
        return False
    placed = [
        _way(values, start, end, _moved(values, axis, _WHOLE / 100))
        for axis, (start, end) in enumerate((("left", "right"), ("top", "bottom")))
    ]
    return min(placed) <= -_FAR or max(placed) >= _FAR_BEHIND


def _is_shrunk(values: Values) -> bool:
    zoom = fraction(values.get("zoom", ""))
    if zoom is not None and zoom <= _CLEAR:
        return True
    own = [fraction(part) for part in _ARGUMENT.findall(values.get("scale", ""))[:2]]
    if any(size is not None and abs(size) <= _CLEAR for size in own):
        return True
    turned = values.get("rotate", "").split()
    if len(turned) == 2 and turned[0] in ("x", "y") and _is_on_edge(turned[1]):
        return True
    return any(
        _FLATTENS[name](arguments)
        for name, arguments in _given(values, "transform")
        if name in _FLATTENS
    )


def _is_on_edge(angle: str) -> bool:
    match = _ANGLE.fullmatch(angle)
    return match is not None and abs(cos(float(match[1]) * _ANGLES[match[2]])) <= _LEVEL


def _scales_to_nothing(arguments: list[str]) -> bool:
    sizes = [fraction(argument) for argument in arguments[:2]]
    return any(size is not None and abs(size) <= _CLEAR for size in sizes)


def _is_flat_matrix(arguments: list[str]) -> bool:
    numbers = [pixels(argument) or 0.0 for argument in arguments]
    if len(numbers) == 6:
        a, b, c, d = numbers[:4]
    elif len(numbers) == 16:
        a, b, c, d = numbers[0], numbers[1], numbers[4], numbers[5]
    else:
        return False
    return abs(a * d - b * c) <= _CLEAR * _CLEAR


_FLATTENS: Mapping[str, Callable[[list[str]], bool]] = {
    **dict.fromkeys(("scale", "scale3d", "scalex", "scaley"), _scales_to_nothing),
    **dict.fromkeys(("rotatex", "rotatey"), lambda arguments: _is_on_edge(arguments[0])),
    **dict.fromkeys(("matrix", "matrix3d"), _is_flat_matrix),
}


def _is_cut_off(values: Values) -> bool:
    if values.get("position") in _OUT_OF_FLOW:
        for name, arguments in _given(values, "clip"):
            if name == "rect" and _is_no_rectangle(arguments):
                return True
    shapes = _given(values, "clip-path")
    return any(_EMPTY[name](arguments) for name, arguments in shapes if name in _EMPTY)


def _is_no_rectangle(arguments: list[str]) -> bool:
    """Whether nothing lies between the edges: top, right, bottom and left."""
    edges = [pixels(argument) for argument in arguments]
    if len(edges) != 4:
        return False
    pairs = ((edges[2], edges[0]), (edges[1], edges[3]))
    return any(far is not None and near is not None and far - near <= _THIN for far, near in pairs)


def _is_inset_away(arguments: list[str]) -> bool:
    if "round" in arguments:
        arguments = arguments[: arguments.index("round")]
    sizes = [pixels(argument) or 0.0 for argument in arguments]
    if not 1 <= len(sizes) <= 4:
        return False
    top = sizes[0]
    right = sizes[1] if len(sizes) > 1 else top
    bottom = sizes[2] if len(sizes) > 2 else top
    left = sizes[3] if len(sizes) > 3 else right
    return max(top + bottom, left + right) >= _WHOLE - _THIN


def _has_no_radius(arguments: list[str]) -> bool:
    radii = arguments[: arguments.index("at")] if "at" in arguments else arguments
    return any(size is not None and size <= _THIN for size in map(pixels, radii))


def _has_no_area(arguments: list[str]) -> bool:
    if arguments[0] in ("evenodd", "nonzero"):
        arguments = arguments[1:]
    sizes = [pixels(argument) or 0.0 for argument in arguments]
    points = list(zip(sizes[::2], sizes[1::2], strict=False))
    turned = [*points[1:], *points[:1]]
    area = sum(x * v - u * y for (x, y), (u, v) in zip(points, turned, strict=True))
    return abs(area) / 2 <= _THIN


_EMPTY: Mapping[str, Callable[[list[str]], bool]] = {
    "inset": _is_inset_away,
    "circle": _has_no_radius,
    "ellipse": _has_no_radius,
    "polygon": _has_no_area,
    "rect": _is_no_rectangle,
    "xywh": lambda arguments: _has_no_radius(arguments[2:4]),
}
_ALWAYS = (_is_gone, _is_flat, _is_indented_away)
_BEFORE_IT_MOVES = (_is_clear, _is_off_screen, _is_moved_away, _is_shrunk, _is_cut_off)
