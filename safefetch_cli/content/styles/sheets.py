"""Style sheets as a list of rules: those that apply, with what they are nested in worked out."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from lxml import etree

from safefetch_cli.content.styles.media_query import applies

MAX_CHARS = 4_000_000
MAX_BLOCKS = 100_000
"""Of all sheets of a page, what is read."""

LONGEST_PRELUDE = 5_000
_DEEPEST = 10_000

# The whole of a rule where nothing in it could be taken for something else; or what may be. Each
# branch begins with one sign: so a search can skip all other text.
_MARK = re.compile(
    r"""\{(?:(?:[^{}"'/\\(<>]++|/(?!\*)|(?<![lL])\([^(){}"'/\\]*+\))*+\})?|\}
    |/\*(?:[^*]++|\*(?!/))*+(?:\*/)?|"(?:[^"\\\n]++|\\.)*+"?|'(?:[^'\\\n]++|\\.)*+'?
    |\((?<=[uU][rR][lL]\()\s*+(?!["'])[^()]*+\)|\\.|<!--|>(?<=-->)(?<!<!-->)""",
    re.DOTALL | re.VERBOSE,
)
_AROUND_SHEET = {"<!--": "", ">": "--"}
"""Of the marks of a comment in HTML, which sheets may stand in, what is found before the sign."""

_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_AT_RULE = re.compile(r"@(-?[a-z-]+)\s*(.*)", re.DOTALL | re.IGNORECASE)
_CONTAINER = re.compile(r"(?:(?!not\b)[\w-]+\s+)?(?=\(|not\b)(.*)", re.DOTALL | re.IGNORECASE)
_SCOPE = re.compile(r"\(([^()]*(?:\([^()]*\)[^()]*)*)\)")
_BRACKET = re.compile(r"""[(\[\\"']""")
_COMMA = re.compile(r"""[,]|\((?:[^()"']++|\([^()]*+\))*+\)|\[[^\[\]]*+\]|\\.|"[^"]*+"|'[^']*+'""")
_UNLAYERED = (1 << 30, 0)

Layer = tuple[int, int]
"""Where a layer stands among the others, and a layer inside it among those; later ones win."""

Rule = tuple[str, str, Layer]
"""The selectors of a rule, its declarations and its layer."""

_LONGEST_LAYER = 100
_MOST_LAYERS = 1_000
_OTHER_LAYERS = "#"

Layers = dict[str, tuple[int, dict[str, int]]]
"""Of each layer its number, and those of the layers inside it."""


class Block(NamedTuple):
    """The declarations of a rule, and the selectors they are for."""

    prelude: str
    css: str
    layer: Layer
    order: int


@dataclass
class Sheets:
    """The rules of a page in their order, and what its animations declare, by name."""

    blocks: list[Block] = field(default_factory=list)
    keyframes: dict[str, list[str]] = field(default_factory=dict)


@dataclass(slots=True)
class _Frame:
    """What is open: a rule, or a group of rules."""

    kind: str  # group, style, keyframes, frame (one of an animation), dead
    prelude: str = ""
    layer: str = ""


def page_css(root: etree._Element) -> list[str]:
    """The texts of the style elements that apply to what a reader sees on the screen."""
    return [
        style.text or "" for style in root.iter("style") if style.text and _is_for_reader(style)
    ]


def read_sheets(sheets: list[str]) -> Sheets:
    """The rules of style sheets. Linear in their size, which is bounded."""
    found = Sheets()
    left = MAX_CHARS
    layers: Layers = {}
    for css in sheets:
        reading = _Reading(css[:left], layers, found.keyframes)
        left -= len(css[:left])
        for rule in reading.rules(MAX_BLOCKS - len(found.blocks)):
            found.blocks.append(Block(*rule, len(found.blocks)))
    return found


def split_list(prelude: str) -> list[str]:
    """The selectors of a list."""
    if not _BRACKET.search(prelude):
        return prelude.split(",")
    parts = []
    begin = 0
    for match in _COMMA.finditer(prelude):
        if match[0] == ",":
            parts.append(prelude[begin : match.start()])
            begin = match.end()
    return [*parts, prelude[begin:]]


def _is_for_reader(style: etree._Element) -> bool:
    kind = (style.get("type") or "text/css").strip().lower().partition(";")[0]
    return (
        kind == "text/css"
        and style.get("disabled") is None
        and applies((style.get("media") or "").strip().lower())
        and next(style.iterancestors("template", "noscript"), None) is None
    )


class _Reading:
    """Reads one sheet by its braces, semicolons and strings."""

    def __init__(self, css: str, layers: Layers, keyframes: dict[str, list[str]]) -> None:
        self._css = css
        self._layers = layers
        self._keyframes = keyframes
        self._found: list[Rule] = []
        self._open = [_Frame("group")]
        self._start = 0  # of what the present mark ends
        self._declared = 0  # the end of the last declaration before a nested rule
        self._seen = 0  # the end of the last mark
        self._groups: dict[str, Callable[[str], bool]] = {
            "media": lambda text: applies(text.lower()),
            "supports": _supported,
            "container": _is_in_container,
            "layer": lambda _: True,
            "scope": lambda _: True,
        }

    def rules(self, most: int) -> list[Rule]:
        """The first rules, so many at most."""
        for mark in _MARK.finditer(self._css):
            self._pass(mark[0], mark.start(), mark.end())
            if len(self._found) >= most:
                return self._found[:most]
        while len(self._open) > 1:  # the end of a sheet closes what is open
            self._close(len(self._css))
        return self._found[:most]

    def _pass(self, sign: str, at: int, end: int) -> None:
        """Go on to a mark."""
        top = self._open[-1]
        begun = self._seen  # a mark that stays inside what is read ends beyond its start
        if top.kind == "group":
            self._take_statements(at)
        elif sign != "}":
            self._declared = max(self._declared, self._css.rfind(";", self._seen, at) + 1)
        self._seen = end
        if sign[0] == "{":
            self._open_block(top, at, sign[1:-1] if len(sign) > 1 else None)
        elif sign == "}" and len(self._open) > 1:
            self._close(at)
        elif begun > self._start or self._css[self._start : at].strip() != _AROUND_SHEET.get(sign):
            return
        self._start = end

    def _take_statements(self, end: int) -> None:
        """Take the statements of a group up to there; each ends with a semicolon."""
        at = self._css.find(";", self._seen, end)
        while at >= 0:
            self._state(self._css[self._start : at])
            self._start = at + 1
            at = self._css.find(";", self._start, end)

    def _open_block(self, top: _Frame, at: int, whole: str | None) -> None:
        """Begin a rule or a group; end it too where the whole of what it declares is given."""
        start = max(self._start, self._declared)
        prelude = self._css[start:at].strip()
        if whole is not None and top.kind == "group" and not top.prelude and _is_selectors(prelude):
            self._declare("style" if prelude else "dead", prelude, whole, top.layer)
            return
        if start > self._start:
            self._declare(top.kind, top.prelude, self._css[self._start : start], top.layer)
        self._begin(prelude)
        if whole is not None:
            frame = self._open.pop()
            self._declare(frame.kind, frame.prelude, whole, frame.layer)

    def _close(self, at: int) -> None:
        frame = self._open.pop()
        self._declare(frame.kind, frame.prelude, self._css[self._start : at], frame.layer)
        self._start = at

    def _declare(self, kind: str, prelude: str, declared: str, layer: str) -> None:
        """Take what a rule, or a frame of an animation, declares."""
        if kind == "style" and ":" in declared:
            self._found.append((prelude, declared, self._place(layer)))
        elif kind == "frame":
            self._keyframes.setdefault(prelude, []).append(declared)

    def _begin(self, prelude: str) -> None:
        top = self._open[-1]
        if top.kind == "dead" or len(self._open) > _DEEPEST:
            self._open.append(_Frame("dead"))
            return
        if "/*" in prelude:
            prelude = _COMMENT.sub(" ", prelude).strip()
        if prelude.startswith("@"):
            self._open.append(self._group(top, prelude))
        elif top.kind == "keyframes":
            self._open.append(_Frame("frame", top.prelude))
        else:
            nested = _nested(top.prelude, prelude) if top.prelude else prelude
            self._open.append(_Frame("style" if nested else "dead", nested or "", top.layer))

    def _group(self, top: _Frame, prelude: str) -> _Frame:
        match = _AT_RULE.match(prelude)
        name = match[1].lower() if match else ""
        about = match[2].strip() if match else ""
        if name.endswith("keyframes"):
            return _Frame("keyframes", about.strip("\"'"))
        if name not in self._groups or not self._groups[name](about):
            return _Frame("dead")
        layer, scope = top.layer, top.prelude
        if name == "layer":
            layer = self._named_layer(top.layer, about)
        elif name == "scope":
            match = _SCOPE.match(about)
            scope = match[1] if match else scope
        return _Frame("style" if top.kind == "style" else "group", scope, layer)

    def _state(self, text: str) -> None:
        """Take a statement of a sheet, which ends with a semicolon: the order of layers."""
        match = _AT_RULE.match(_COMMENT.sub(" ", text[:LONGEST_PRELUDE]).strip())
        if match and match[1].lower() == "layer":
            for name in match[2].split(","):
                self._named_layer(self._open[-1].layer, name.strip())

    def _named_layer(self, outer: str, name: str) -> str:
        full = f"{outer}.{name or f'#{len(self._layers)}'}".strip(".")
        first, _, rest = full.partition(".")
        first = _noted(first, self._layers)
        _, inner = self._layers.setdefault(first, (len(self._layers), {}))
        if not rest:
            return first
        rest = _noted(rest, inner)
        inner.setdefault(rest, len(inner))
        return f"{first}.{rest}"

    def _place(self, layer: str) -> Layer:
        if not layer:
            return _UNLAYERED
        first, _, rest = layer.partition(".")
        number, inner = self._layers[first]
        return number, inner.get(rest, 1 << 30)


def _noted(name: str, known: Mapping[str, object]) -> str:
    """The name that a layer is noted by: another for one that is long, one for all too many."""
    if len(name) > _LONGEST_LAYER:
        name = f"##{hash(name):x}"
    return name if name in known or len(known) < _MOST_LAYERS else _OTHER_LAYERS


def _is_selectors(prelude: str) -> bool:
    return prelude[:1] != "@" and "/*" not in prelude


def _nested(outer: str, inner: str) -> str | None:
    """The selectors of a rule inside another (CSS Nesting); None for what would be too long."""
    if len(outer) > LONGEST_PRELUDE:
        return None
    parent = f":is({outer})"
    selectors = []
    left = LONGEST_PRELUDE
    for selector in split_list(inner):
        named = selector.replace(":scope", "&")
        if "&" not in named:
            named = f"& {named}"
        left -= len(named) + named.count("&") * (len(parent) - 1) + 1
        if left < -1:
            return None
        selectors.append(named.replace("&", parent))
    return ",".join(selectors)


def _supported(condition: str) -> bool:
    """A condition that asks for something is met; one that asks for its absence is not."""
    return not re.match(r"\(*\s*not\b", condition, re.IGNORECASE)


def _is_in_container(condition: str) -> bool:
    match = _CONTAINER.match(condition)
    return match is not None and applies(match[1].lower())
