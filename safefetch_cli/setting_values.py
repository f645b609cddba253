"""What the value of a setting may be: the rule in words, and the reader that holds to it.

Flags and variables are text; keywords and the configuration file have values of their own types.
"""

import os
from collections.abc import Callable
from typing import Any

from safefetch_cli.errors import InvalidInput

_TRUE = frozenset({"1", "true", "yes", "on"})
_FALSE = frozenset({"0", "false", "no", "off"})
_SUFFIXES = {"k": 1000, "m": 1000**2, "g": 1000**3}
_MAX_DIGITS = 19


class Reader:
    """How the values of a setting are read.

    `rule` is what a value must be, with its range; `types` are those it may have in the
    configuration file. `read` takes the value and the label that its user knows it by; it raises
    InvalidInput that names both and the rule.
    """

    __slots__ = ("read", "rule", "types")  # to define a named tuple takes ten times as long

    def __init__(self, rule: str, types: tuple[type, ...], read: Callable[[Any, str], Any]) -> None:
        self.rule = rule
        self.types = types
        self.read = read

    def __call__(self, value: Any, label: str) -> Any:
        """The value as the program uses it. Raises InvalidInput."""
        return self.read(value, label)

    def fits(self, value: Any) -> bool:
        """Whether a value of the configuration file has a type of this setting, and is no []."""
        return type(value) in self.types and value != []


def failed(label: str, value: object, rule: str, *, is_secret: bool = False) -> InvalidInput:
    """The error of a value that breaks a rule."""
    shown = "the value" if is_secret else _shown(value)
    return InvalidInput(f"{label}: {shown} is not {rule}")


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    try:
        return repr(value)
    except ValueError:  # a whole number of more digits than Python prints
        return "the number"


def _number(value: Any) -> int:
    """The value as a whole number, -1 where it is none or too long for any setting."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    text = str(value).strip()
    is_number = text.isascii() and text.isdecimal() and len(text) <= _MAX_DIGITS
    return int(text) if is_number else -1


def whole(low: int, high: int) -> Reader:
    """A whole number within these bounds, of which `low` is at least 0."""
    rule = f"a whole number from {low} to {high}"

    def read(value: Any, label: str) -> int:
        number = _number(value)
        if not low <= number <= high:
            raise failed(label, value, rule)
        return number

    return Reader(rule, (int,), read)


def byte_count(low: int, high: int) -> Reader:
    """A number of bytes; its text may end in a power of 1000."""
    rule = f"a number of bytes from {low} to {high}, with an optional k, m or g"

    def read(value: Any, label: str) -> int:
        text = value.strip().lower() if isinstance(value, str) else ""
        factor = _SUFFIXES.get(text[-1:], 1)
        number = _number(text[:-1] if factor > 1 else value) * factor
        if not low <= number <= high:
            raise failed(label, value, rule)
        return number

    return Reader(rule, (int, str), read)


def _boolean(value: Any, label: str) -> bool:
    text = str(value).strip().lower()
    if text not in _TRUE | _FALSE:
        raise failed(label, value, boolean.rule)
    return text in _TRUE


def _items(value: Any, label: str) -> tuple[str, ...]:
    texts = [value] if isinstance(value, str) else list(value)
    if not all(isinstance(text, str) for text in texts):
        raise failed(label, value, items_of.rule)
    found = tuple(item for text in texts for item in text.replace(",", " ").split())
    if texts and not found:  # an empty list would open what it was meant to close
        raise failed(label, texts[0], items_of.rule)
    return found


def _ports(value: Any, label: str) -> tuple[int, ...]:
    texts = [value] if isinstance(value, str) else list(value)
    named = _items([str(item) if type(item) is int else item for item in texts], label)
    if [item.lower() for item in named] == ["any"]:
        return ()
    read = whole(1, 65535)
    return tuple(read(item, label) for item in named)


def _header_text(value: Any, label: str) -> str:
    text = str(value).strip()
    if not (0 < len(text) <= 512 and text.isascii() and text.isprintable()):
        raise failed(label, value, header_text.rule)
    return text


def _readable_file(value: Any, label: str) -> str:
    path = str(value)
    if path and not (os.path.isfile(path) and os.access(path, os.R_OK)):
        raise failed(label, value, readable_file.rule)
    return path


def one_of(*choices: str) -> Reader:
    """One of these words."""
    rule = "one of " + ", ".join(choices)

    def read(value: Any, label: str) -> str:
        text = str(value).strip().lower()
        if text not in choices:
            raise failed(label, value, rule)
        return text

    return Reader(rule, (str,), read)


boolean = Reader("true or false", (bool,), _boolean)
items_of = Reader("a list with something in it", (list,), _items)
"""Texts; in one text, commas or blanks separate them."""
ports = Reader("a list of whole numbers from 1 to 65535, or any", (list,), _ports)
header_text = Reader("1 to 512 printable ASCII characters", (str,), _header_text)
readable_file = Reader("a file that can be read", (str,), _readable_file)
