"""The configuration file: TOML, one key for each setting. What its keys say, each with its line.

Loaded only where there is such a file.
"""

import os
import sys
from collections.abc import Mapping
from typing import Any, NamedTuple

from safefetch_cli.errors import InvalidInput

MAX_BYTES = 1_000_000
"""A configuration file is not larger."""

_WRITABLE_BY_OTHERS = 0o022
_STICKY = 0o1000  # in such a folder nobody replaces the file of another


class ConfigFile(NamedTuple):
    """What a configuration file says: its keys, and the line of each.

    A key whose line could not be told has none.
    """

    path: str
    values: Mapping[str, Any]
    lines: Mapping[str, int]

    def place(self, key: str) -> str:
        """File and line of a key."""
        return f"{self.path}:{self.lines[key]}" if key in self.lines else self.path

    def label(self, key: str) -> str:
        """How an error names a key."""
        return f"{self.place(key)}: {key}"


def refuse_shared(path: str, label: str) -> None:
    """Refuse a file that users other than this one and root may write to, or replace.

    Raises InvalidInput that says where; with the label, when that cannot be told.
    """
    if sys.platform == "win32":  # where the mode says nothing of who may write
        return
    folders = {os.path.dirname(path), os.path.dirname(os.path.realpath(path))}
    for place in (path, *sorted(folders)):
        try:
            info = os.stat(place)
        except OSError as error:
            raise _unreadable(path, label, error) from None
        is_open = info.st_mode & _WRITABLE_BY_OTHERS and not info.st_mode & _STICKY
        if is_open or info.st_uid not in (0, os.geteuid()):
            raise InvalidInput(
                f"the configuration file {path} is not used: other users may write to {place}",
                hint=f"chmod go-w {place} (and chown it), or name the file with --config.",
            )


def read(path: str, label: str) -> ConfigFile:
    """What the file at this path says; `label` is what named it. Raises InvalidInput."""
    try:
        with open(path, "rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        raise _unreadable(path, label, error) from None
    if len(data) > MAX_BYTES:
        raise InvalidInput(f"{label}: {path!r} is larger than {MAX_BYTES} bytes")
    return parse(data, path)


def _unreadable(path: str, label: str, error: Exception) -> InvalidInput:
    reason = getattr(error, "strerror", "") or error
    return InvalidInput(f"{label}: {path!r} cannot be read: {reason}")


def parse(data: bytes, path: str) -> ConfigFile:
    """What the file holds. Raises InvalidInput that names file and line where it is not TOML."""
    import tomllib

    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InvalidInput(f"{path}:{line}: the file is not UTF-8") from None
    try:
        values = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise _not_toml(path, str(error)) from None
    return ConfigFile(path, values, _lines_of_keys(text))


def _not_toml(path: str, reason: str) -> InvalidInput:
    import re

    at = re.search(r" \(at line (\d+), column \d+\)$", reason)
    place, reason = (f"{path}:{at[1]}", reason[: at.start()]) if at else (path, reason)
    return InvalidInput(f"{place}: the file is not TOML: {reason}")


def _lines_of_keys(text: str) -> dict[str, int]:
    """The line of each key and table at the top of a TOML text; the text is known to be valid.

    One pass over its tokens: a statement begins where a line does, outside of strings and brackets.
    """
    import re

    token = re.compile(
        r'"""(?:\\.|[^\\])*?"{3,5}|' + r"'''.*?'{3,5}|"  # several lines; may end in quotes
        r'"(?:\\.|[^"\\\n])*"|' + r"'[^'\n]*'|#[^\n]*|[\[{]|[\]}]|\n",
        re.DOTALL,
    )
    key = re.compile(r"""[ \t]*(?:\[[ \t]*){0,2}["']?([A-Za-z0-9_-]+)""")
    lines: dict[str, int] = {}
    starts, depth, line = [(0, 1)], 0, 1
    for found in token.finditer(text):
        line += found[0].count("\n")
        if found[0] in ("[", "{"):
            depth += 1
        elif found[0] in ("]", "}"):
            depth -= 1
        elif found[0] == "\n" and not depth:
            starts.append((found.end(), line))
    for start, number in starts:
        if name := key.match(text, start):
            lines.setdefault(name[1], number)
    return lines
