"""How the value of a setting is read, whatever it comes from, and what is said of a wrong one."""

import os
from collections.abc import Callable
from typing import Any

from safefetch_cli.errors import InvalidInput

Reader = Callable[[Any, str], Any]
"""Value and label in, the value as the program uses it out; raises InvalidInput."""

_TRUE = frozenset({"1", "true", "yes", "on"})
_FALSE = frozenset({"0", "false", "no", "off"})
_SUFFIXES = {"k": 1000, "m": 1000**2, "g": 1000**3}


def failed(label: str, value: object, rule: str) -> InvalidInput:
    """The error of a value that breaks a rule."""
    return InvalidInput(f"{label}: {value!r} is not {rule}")


def whole(low: int, high: int) -> Reader:
    """Reads a whole number within bounds, both included."""

    def read(value: Any, label: str) -> int:
        text = str(value).strip()
        number = int(text) if text.isascii() and text.isdecimal() and len(text) < 20 else -1
        if not low <= number <= high:
            raise failed(label, value, f"a whole number from {low} to {high}")
        return number

    return read


def byte_count(low: int, high: int) -> Reader:
    """Reads a number of bytes within bounds; k, m and g stand for powers of 1000."""
    read_whole = whole(low, high)

    def read(value: Any, label: str) -> int:
        text = str(value).strip().lower()
        factor = _SUFFIXES.get(text[-1:], 1)
        digits = text[:-1] if factor > 1 else text
        is_number = digits.isascii() and digits.isdecimal() and len(digits) < 20
        number = int(digits) * factor if is_number else -1
        try:
            return int(read_whole(number, label))
        except InvalidInput:
            rule = f"a number of bytes from {low} to {high}, with an optional k, m or g"
            raise failed(label, value, rule) from None

    return read


def boolean(value: Any, label: str) -> bool:
    """Read true or false, yes or no, on or off, 1 or 0."""
    text = str(value).strip().lower()
    if text not in _TRUE | _FALSE:
        raise failed(label, value, "true or false")
    return text in _TRUE


def items_of(value: Any, label: str) -> tuple[str, ...]:
    """Read a list, or text with commas or blanks between the items."""
    texts = [value] if isinstance(value, str) else list(value)
    items = tuple(item for text in texts for item in str(text).replace(",", " ").split())
    if texts and not items:  # an empty list would open what it was meant to close
        raise failed(label, texts[0], "a list with something in it")
    return items


def ports(value: Any, label: str) -> tuple[int, ...]:
    """Read a list of ports; `any` is the empty one."""
    items = items_of(value, label)
    if [item.lower() for item in items] == ["any"]:
        return ()
    read = whole(1, 65535)
    return tuple(read(item, label) for item in items)


def header_text(value: Any, label: str) -> str:
    """Read the value of an HTTP field."""
    text = str(value).strip()
    if not (0 < len(text) <= 512 and text.isascii() and text.isprintable()):
        raise failed(label, value, "1 to 512 printable ASCII characters")
    return text


def one_of(*choices: str) -> Reader:
    """Reads one of some words, in any case."""

    def read(value: Any, label: str) -> str:
        text = str(value).strip().lower()
        if text not in choices:
            raise failed(label, value, "one of " + ", ".join(choices))
        return text

    return read


def readable_file(value: Any, label: str) -> str:
    """Read the path of a file that exists and can be read."""
    path = str(value)
    if path and not (os.path.isfile(path) and os.access(path, os.R_OK)):
        raise failed(label, value, "a file that can be read")
    return path
