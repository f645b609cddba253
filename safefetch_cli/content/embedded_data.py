"""The text that a page filled by JavaScript carries in its data; loaded for such a page alone."""

import json
import re
from collections.abc import Iterator, Sequence
from html import escape, unescape
from typing import Any, Final

from safefetch_cli.content.component_stream import read_stream
from safefetch_cli.content.instructions import commands_a_model
from safefetch_cli.content.page_data import PageData

MAX_VALUES: Final = 100_000
MAX_TEXT_CHARS: Final = 500_000

_MARKUP = re.compile(
    r"</?(?:p|div|h[1-6]|[uo]l|li|br|strong|em|section|article|table|pre|blockquote)\b[^<>]*+>",
    re.IGNORECASE,
)
_FEWEST_CHARS = 80
_FEWEST_BLANKS = 8
_LONGEST_WORD = 25  # on average; addresses, keys and packed data have longer ones
_PROGRAM = re.compile(r"[{};]\s*\Z|function\s*\(|=>")
_SHARE = 4
"""A text that is shorter than the longest one by more than this factor is left out."""


def text_of_data(data: PageData) -> str:
    """The longest texts in the data as HTML, in their order; "" when none reads as prose."""
    found = [text for block in data.blocks for text in _texts(block)]
    if data.stream:
        found += _streamed(data.stream)
    texts = list(dict.fromkeys(found))
    longest = max(map(len, texts), default=0)
    chosen: list[str] = []
    left = MAX_TEXT_CHARS
    for text in texts:
        if longest <= _SHARE * len(text) and len(text) <= left:
            left -= len(text)
            chosen.append(f"<div>{_as_html(text)}</div>")
    return "\n".join(chosen)


def _streamed(scripts: Sequence[str]) -> list[str]:
    """The prose that a stream shows; where it shows none, that of its data."""
    streamed = read_stream(scripts)
    shown = [text for text in streamed.shown if _is_prose(text)]
    return shown or list(_texts_in(streamed.data))


def _texts(block: str) -> Iterator[str]:
    try:
        value = json.loads(block)
    except (ValueError, RecursionError):
        return
    yield from _texts_in(value)


def _texts_in(data: Any) -> Iterator[str]:
    waiting: list[Any] = [data]
    count = 0
    while waiting and count < MAX_VALUES:
        value = waiting.pop()
        count += 1
        if isinstance(value, str):
            text = unescape(value) if "&lt;" in value and "<" not in value else value
            if _is_prose(text):
                yield text
        elif isinstance(value, dict):
            waiting.extend(reversed(value.values()))
        elif isinstance(value, list):
            waiting.extend(reversed(value))


def _is_prose(text: str) -> bool:
    if not _FEWEST_CHARS <= len(text) <= MAX_TEXT_CHARS:
        return False
    words = _MARKUP.sub(" ", text).split()
    if len(words) <= _FEWEST_BLANKS or len("".join(words)) > _LONGEST_WORD * len(words):
        return False
    return not _PROGRAM.search(text) and not commands_a_model(text)


def _as_html(text: str) -> str:
    if _MARKUP.search(text):
        return text
    return "".join(f"<p>{escape(part)}</p>" for part in re.split(r"\n\s*\n", text))
