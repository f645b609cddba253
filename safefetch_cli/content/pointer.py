"""One value of a JSON text, by JSON Pointer (RFC 6901).

Numbers stay as they were written, however long or exact, and so do the NaN and Infinity of texts
that are not quite JSON. Of a name that occurs twice in an object the last value counts.
"""

import json
import re
from collections.abc import Iterator
from json.encoder import encode_basestring
from typing import Any
from urllib.parse import unquote

from safefetch_cli.errors import (
    InvalidInput,
    ProcessingLimit,
    SelectionNotFound,
    UnsupportedContentType,
)

MAX_SHOWN_CHARS = 200
INDENT = "  "

_BAD_ESCAPE = re.compile("~(?![01])")
_INDEX = re.compile("(?:0|[1-9][0-9]{0,17})")
_SURROGATE = re.compile("[\ud800-\udfff]")


class Number(str):
    """A number as it is written in the text."""

    __slots__ = ()


class _Mark(str):
    """A piece of the output that is no value."""

    __slots__ = ()


def select(text: str, pointer: str) -> str:
    """The text of the value that a pointer names: a string as it is, anything else as JSON.

    Objects and arrays are indented by two spaces. The pointer may be in its URI form (`#/a/b`).
    Raises InvalidInput for what is no pointer, UnsupportedContentType for what is no JSON,
    ProcessingLimit for JSON too deep to read, and SelectionNotFound that names the deepest part of
    the pointer that exists.
    """
    steps = parse_pointer(pointer)
    value = _resolved(_parsed(text), steps, pointer)
    if isinstance(value, str):
        return _SURROGATE.sub("\ufffd", value)
    return _SURROGATE.sub("\ufffd", "".join(_written(value)))


def parse_pointer(pointer: str) -> tuple[str, ...]:
    """The names and indexes of a pointer, escapes undone. Raises InvalidInput."""
    plain = unquote(pointer[1:]) if pointer.startswith("#") else pointer
    if plain and not plain.startswith("/"):
        raise InvalidInput(f"json_pointer: {_shown(pointer)} does not begin with /")
    bad = _BAD_ESCAPE.search(plain)
    if bad is not None:
        raise InvalidInput(
            f"json_pointer: {_shown(pointer)} has a ~ at character {bad.start() + 1} that is not "
            "followed by 0 or 1; ~0 stands for ~ and ~1 for /"
        )
    return tuple(step.replace("~1", "/").replace("~0", "~") for step in plain.split("/")[1:])


def _parsed(text: str) -> Any:
    try:
        return json.loads(
            text.removeprefix("\ufeff"),
            parse_int=Number,
            parse_float=Number,
            parse_constant=Number,
        )
    except RecursionError:
        raise ProcessingLimit("the JSON is nested too deeply to be read") from None
    except ValueError as error:
        raise UnsupportedContentType(f"the content is not JSON: {error}") from None


def _resolved(value: Any, steps: tuple[str, ...], pointer: str) -> Any:
    for depth, step in enumerate(steps):
        miss = _miss(value, step)
        if miss:
            there = "".join(
                "/" + part.replace("~", "~0").replace("/", "~1") for part in steps[:depth]
            )
            where = _shown(there) if depth else "the whole document"
            raise SelectionNotFound(f"nothing is at {_shown(pointer)}: {where} {miss}")
        value = value[int(step)] if isinstance(value, list) else value[step]
    return value


def _miss(value: Any, step: str) -> str:
    """Why a step leads nowhere, "" when it leads on."""
    if isinstance(value, dict):
        return "" if step in value else f"is an object without {_shown(step)}"
    if not isinstance(value, list):
        return f"is {_kind(value)}, which has no parts"
    if not _INDEX.fullmatch(step):
        return f"is an array, and {_shown(step)} is no index"
    return "" if int(step) < len(value) else f"is an array of {len(value)}, counted from 0"


def _kind(value: Any) -> str:
    if isinstance(value, Number):
        return "a number"
    return "a string" if isinstance(value, str) else json.dumps(value)


def _written(value: Any) -> Iterator[str]:
    """The JSON of a value in pieces; no recursion, so that depth costs memory only."""
    todo: list[tuple[Any, int]] = [(value, 0)]
    while todo:
        item, depth = todo.pop()
        if isinstance(item, (_Mark, Number)):
            yield item
        elif isinstance(item, str):
            yield encode_basestring(item)
        elif isinstance(item, (dict, list)):
            yield "{" if isinstance(item, dict) else "["
            todo += reversed(list(_members(item, depth)))
        else:
            yield json.dumps(item)


def _members(container: dict[str, Any] | list[Any], depth: int) -> Iterator[tuple[Any, int]]:
    """What stands between the brackets, and the closing one."""
    is_object = isinstance(container, dict)
    line = "\n" + INDENT * (depth + 1)
    for number, item in enumerate(container):
        yield _Mark("," + line if number else line), 0
        if isinstance(container, dict):
            yield _Mark(encode_basestring(item) + ": "), 0
            yield container[item], depth + 1
        else:
            yield item, depth + 1
    last = "\n" + INDENT * depth if container else ""
    yield _Mark(last + ("}" if is_object else "]")), 0


def _shown(text: str) -> str:
    return repr(text if len(text) <= MAX_SHOWN_CHARS else text[:MAX_SHOWN_CHARS] + "...")
