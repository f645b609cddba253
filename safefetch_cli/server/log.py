"""What the server tells its operator, on stderr: a line for each call, as text or as JSON.

No line holds a page's text, a control character, nor more of a URL than its origin: the rest may
be a secret.
"""

import json
import sys
import time
from contextlib import suppress
from typing import Any, Literal

Format = Literal["text", "json"]

_MAX_VALUE_CHARS = 300


class Log:
    """Writes lines on stderr. A stderr that is closed changes nothing."""

    def __init__(self, form: str = "text", *, quiet: bool = False) -> None:
        self._form = form
        self._quiet = quiet

    def event(self, name: str, **fields: Any) -> None:
        """One line: what happened and its fields; nothing when the log is quiet."""
        if not self._quiet:
            self.problem(name, **fields)

    def problem(self, name: str, **fields: Any) -> None:
        """The same, quiet or not."""
        shown = {key: _shown(value) for key, value in fields.items()}
        if self._form == "json":
            line = json.dumps({"time": round(time.time(), 3), "event": name, **shown})
        else:
            line = " ".join(["safefetch:", name, *(f"{k}={v}" for k, v in shown.items())])
        if sys.stderr is not None:  # else print would take stdout
            with suppress(OSError, ValueError):
                print(line, file=sys.stderr, flush=True)


def origin_of(url: object) -> str:
    """Scheme and host of what a client sent as a URL, for the log."""
    if not isinstance(url, str):
        return "?"
    start, separator, rest = url.partition("://")
    host = rest.partition("/")[0].partition("?")[0].partition("#")[0].rpartition("@")[2]
    return f"{start[:10]}{separator}{host[:200]}" if separator else "?"


def _shown(value: Any) -> Any:
    if isinstance(value, int | float):
        return value
    return "".join(sign if sign.isprintable() else "?" for sign in str(value)[:_MAX_VALUE_CHARS])
