"""The stream of React server components that a page carries in its scripts, as values to read.

The scripts push pieces of one stream: rows, each an id, a colon and a value. A value is JSON up to
the end of the line; or, after a T, text of so many bytes; or, after other letters, something for
the program alone. An element in JSON is ["$", its tag, its key, its properties]; a string that
begins with a dollar sign stands for another row or for something of the program.
"""

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from html import escape
from typing import Any, Final, NamedTuple

from safefetch_cli.content.page_data import PUSH

MAX_STREAM_CHARS: Final = 5_000_000
MAX_VALUES: Final = 100_000

_TAGS = """
    a abbr article b blockquote body br caption cite code dd del details div dl dt em figcaption
    figure footer h1 h2 h3 h4 h5 h6 header hr html i img ins kbd li main mark nav ol p pre q s samp
    section small span strong sub summary sup table tbody td tfoot th thead time tr u ul var
"""
_SHOWN: Final = frozenset(_TAGS.split())
_UNSHOWN_TAGS = "head link meta title script style template noscript svg iframe form button input"
_UNSHOWN: Final = frozenset(_UNSHOWN_TAGS.split())
_EMPTY: Final = frozenset(("br", "hr", "img"))
_KEPT: Final = {
    "href": "href",
    "src": "src",
    "alt": "alt",
    "className": "class",
    "hidden": "hidden",
}
_ELEMENT: Final = 4
_ROW = re.compile(rb"([0-9a-f]+):(?:T([0-9a-f]{1,8}),)?")
_LAZY = re.compile(r"\$L[0-9a-f]+")
_REFERENCE = re.compile(r"\$L?([0-9a-f]+)")


class _Text(NamedTuple):
    """The text of a row."""

    text: str


class _Markup(NamedTuple):
    """HTML that is ready."""

    html: str


class Streamed(NamedTuple):
    """What a stream shows, as HTML or text, and the data that its components are given."""

    shown: list[str]
    data: list[Any]


def read_stream(scripts: Iterable[str]) -> Streamed:
    """Read the stream that the scripts push.

    Of one that is longer than MAX_STREAM_CHARS only the beginning is read; each row is read once.
    """
    reader = _Reader(dict(_rows("".join(_pieces(scripts))[:MAX_STREAM_CHARS])))
    shown = [reader.read(key) for key in reader.roots()]
    return Streamed([text for text in shown if text], reader.data)


def _pieces(scripts: Iterable[str]) -> Iterator[str]:
    decoder = json.JSONDecoder()
    for script in scripts:
        at = script.find(PUSH)
        while at >= 0:
            try:
                pushed, end = decoder.raw_decode(script, at + len(PUSH))
            except (ValueError, RecursionError):
                break
            if isinstance(pushed, list) and len(pushed) > 1 and isinstance(pushed[1], str):
                yield pushed[1]
            at = script.find(PUSH, end)


def _rows(stream: str) -> Iterator[tuple[str, Any]]:
    data = stream.encode("utf-8", "replace")
    at = 0
    while match := _ROW.match(data, at):
        key = match[1].decode()
        if match[2]:
            at = match.end() + int(match[2], 16)
            yield key, _Text(data[match.end() : at].decode("utf-8", "replace"))
            continue
        line = data.find(b"\n", match.end())
        end = line if line >= 0 else len(data)
        with suppress(ValueError, RecursionError):  # what is for the program alone
            yield key, json.loads(data[match.end() : end])
        at = end + 1


class _Reader:
    """Reads the rows, each of them once."""

    def __init__(self, rows: dict[str, Any]) -> None:
        self._rows = rows
        self._left = MAX_VALUES
        self.data: list[Any] = []

    def roots(self) -> list[str]:
        """The rows that no other row stands for, in their order."""
        named: set[str] = set()
        waiting = list(self._rows.values())
        for _ in range(MAX_VALUES):
            if not waiting:
                break
            value = waiting.pop()
            if isinstance(value, dict):
                waiting.extend(value.values())
            elif isinstance(value, list):
                waiting.extend(value)
            elif isinstance(value, str) and (match := _REFERENCE.fullmatch(value)):
                named.add(match[1])
        return [key for key in self._rows if key not in named]

    def read(self, key: str) -> str:
        """A row and those it stands for, as HTML or text."""
        row = self._rows.pop(key, None)
        return row.text if isinstance(row, _Text) else "".join(self._html(row))

    def _html(self, row: Any) -> Iterator[str]:
        waiting: list[Any] = [row]
        while waiting and self._left > 0:
            self._left -= 1
            value = waiting.pop()
            if isinstance(value, _Markup):
                yield value.html
            elif isinstance(value, _Text):
                yield escape(value.text)
            elif isinstance(value, int | float) and not isinstance(value, bool):
                yield str(value)
            else:
                waiting.extend(reversed(list(self._inside(value))))

    def _inside(self, value: Any) -> Iterable[Any]:
        """What a value is made of."""
        if isinstance(value, str):
            return self._meant(value)
        if isinstance(value, dict):
            self.data.append(value)
            return _elements_in(value)
        if _is_element(value):
            return self._element(value[1], value[3])
        return value if isinstance(value, list) else ()

    def _meant(self, text: str) -> Iterator[Any]:
        """What a string stands for: itself, a row that was not read yet, or nothing."""
        if not text.startswith("$"):
            yield _Text(text)
        elif text.startswith("$$"):
            yield _Text(text[1:])
        elif match := _REFERENCE.fullmatch(text):
            yield self._rows.pop(match[1], None)

    def _element(self, tag: Any, given: Any) -> Iterator[Any]:
        properties = next(self._meant(given), None) if isinstance(given, str) else given
        if not isinstance(tag, str) or tag in _UNSHOWN or not isinstance(properties, dict):
            return
        if tag not in _SHOWN:  # a component: what stands in it is shown, what else it is given not
            self.data.append({key: properties[key] for key in properties if key != "children"})
            yield properties.get("children")
            return
        yield _Markup(f"<{tag}{_attributes(properties)}>")
        if tag in _EMPTY:
            return
        yield self._ready(properties.get("dangerouslySetInnerHTML"))
        yield properties.get("children")
        yield _Markup(f"</{tag}>")

    def _ready(self, given: Any) -> _Markup | None:
        html = given.get("__html") if isinstance(given, dict) else None
        if not isinstance(html, str):
            return None
        match = _REFERENCE.fullmatch(html)
        row = self._rows.pop(match[1], None) if match else _Text(html)
        return _Markup(row.text) if isinstance(row, _Text) else None


def _is_element(value: Any) -> bool:
    return isinstance(value, list) and len(value) == _ELEMENT and value[0] == "$"


def _elements_in(value: Any) -> Iterator[Any]:
    """The elements, and rows that stand for some, in the state of the program."""
    waiting = [value]
    while waiting:
        inner = waiting.pop()
        is_row = isinstance(inner, str) and _LAZY.fullmatch(inner)
        if is_row or _is_element(inner):
            yield inner
        elif isinstance(inner, dict):
            waiting.extend(reversed(inner.values()))
        elif isinstance(inner, list):
            waiting.extend(reversed(inner))


def _attributes(properties: dict[str, Any]) -> str:
    written = [
        f' {name}="{escape(value)}"'
        for given, name in _KEPT.items()
        if isinstance(value := properties.get(given), str) and not value.startswith("$")
    ]
    style = properties.get("style")
    hides = properties.get("hidden") is True or (
        isinstance(style, dict) and style.get("display") == "none"
    )
    return "".join([*written, " hidden"] if hides else written)
