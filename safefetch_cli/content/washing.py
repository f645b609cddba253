"""Texts that a page gives about itself, made fit to be shown to a person and to a model."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from safefetch_cli.content.instructions import commands_a_model
from safefetch_cli.content.invisible import remove_invisible
from safefetch_cli.content.visible import visible_line

MAX_CHARS: Final = 1000
MAX_NAME_CHARS: Final = 200
MAX_NAMES: Final = 100
MAX_DEPTH: Final = 12
MAX_NODES: Final = 2000
"""Of the JSON-LD of a page, so many values are kept."""

_SECRET = re.compile(
    r"cookie|authori[sz]|authentic|csrf|xsrf|secret|session|password|credential|signature"
    r"|api-?key|token(?!s)",
    re.IGNORECASE,
)


@dataclass
class Washing:
    """Cleans texts, and remembers whether one was dropped because it commands a model."""

    suspicious: bool = False
    left: int = MAX_NODES

    def text(self, given: str, limit: int = MAX_CHARS) -> str:
        """The text in one line, without what is not seen, cut to `limit` characters."""
        cleaned = remove_invisible(visible_line(given[: 4 * limit])).strip()
        if commands_a_model(cleaned):
            self.suspicious = True
            return ""
        return cleaned[:limit].rstrip()

    def mapping(self, given: Iterable[tuple[str, str]]) -> dict[str, str]:
        """Names and their texts, at most MAX_NAMES; what is empty is left out."""
        washed: dict[str, str] = {}
        for name, value in given:
            if len(washed) == MAX_NAMES:
                break
            shown = self.text(value)
            called = self.text(name, MAX_NAME_CHARS)
            if shown and called:
                washed.setdefault(called, shown)
        return washed

    def headers(self, given: Mapping[str, str]) -> dict[str, str]:
        """Fields of HTTP with names in lower case, but those that could hold a secret."""
        fields = ((name.lower(), value) for name, value in given.items())
        return self.mapping((name, value) for name, value in fields if not _SECRET.search(name))

    def value(self, given: Any, depth: int = 0) -> Any:
        """A value of JSON with its texts washed; what is too deep or too much is None."""
        self.left -= 1
        if self.left < 0 or depth > MAX_DEPTH:
            return None
        if isinstance(given, str):
            return self.text(given)
        if isinstance(given, dict):
            named = list(given.items())[: max(self.left, 0)]
            return {
                self.text(name, MAX_NAME_CHARS): self.value(inner, depth + 1)
                for name, inner in named
            }
        if isinstance(given, list):
            return [self.value(inner, depth + 1) for inner in given[: max(self.left, 0)]]
        if isinstance(given, float) and given - given != 0:  # not a number, or infinite
            return None
        return given
