"""The text that a page filled by JavaScript carries in its data."""

import json
import re
from collections.abc import Iterator, Sequence
from html import escape, unescape
from typing import Any, Final

from lxml import etree

from safefetch_cli.content.instructions import commands_a_model

MAX_BLOCKS: Final = 20
MAX_BLOCK_CHARS: Final = 5_000_000
MAX_VALUES: Final = 100_000
MAX_TEXT_CHARS: Final = 500_000

_TYPE = re.compile(r"\s*application/(?:[\w.+-]+\+)?json\b", re.IGNORECASE)
_MARKUP = re.compile(
    r"</?(?:p|div|h[1-6]|[uo]l|li|br|strong|em|section|article|table|pre|blockquote)\b[^>]*>",
    re.IGNORECASE,
)
_FEWEST_CHARS = 80
_FEWEST_BLANKS = 8
_LONGEST_WORD = 25  # on average; addresses, keys and packed data have longer ones
_PROGRAM = re.compile(r"[{};]\s*\Z|function\s*\(|=>")
_SHARE = 4
"""A text that is shorter than the longest one by more than this factor is left out."""


def data_blocks(root: etree._Element) -> tuple[str, ...]:
    """The blocks of JSON in a page, as they are; large ones, and those after the 20th, are not."""
    scripts = (script for script in root.iter("script") if _TYPE.match(script.get("type") or ""))
    blocks = (script.text or "" for script in scripts)
    return tuple(block for block in blocks if 0 < len(block) <= MAX_BLOCK_CHARS)[:MAX_BLOCKS]


def text_of_data(blocks: Sequence[str]) -> str:
    """The longest texts in blocks of JSON as HTML, in their order; "" when none reads as prose."""
    texts = list(dict.fromkeys(text for block in blocks for text in _texts(block)))
    longest = max(map(len, texts), default=0)
    chosen: list[str] = []
    left = MAX_TEXT_CHARS
    for text in texts:
        if longest <= _SHARE * len(text) and len(text) <= left:
            left -= len(text)
            chosen.append(f"<div>{_as_html(text)}</div>")
    return "\n".join(chosen)


def _texts(block: str) -> Iterator[str]:
    try:
        waiting: list[Any] = [json.loads(block)]
    except (ValueError, RecursionError):
        return
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
