"""Markdown that a server sends: passed on, without what its reader would not see.

Invisible characters, comments, hidden HTML, scripts and links that run something go. Code, fenced
or in a line, stays to the letter but for invisible characters.
"""

import re
from typing import NamedTuple

from safefetch_cli.content.instructions import looks_like_instructions
from safefetch_cli.content.invisible import remove_invisible

_FENCE = re.compile(r" {0,3}(`{3,}(?=[^`\n]*$)|~{3,})", re.MULTILINE)
_CODE_SPAN = re.compile(r"(?<!`)(`+)(?!`)")
_OPENING = re.compile(r"<(?:!--|([a-zA-Z][\w-]*)(\s[^<>]*)?>)")
_NEVER_SEEN = frozenset(("script", "style", "template", "noscript"))
_HIDES = re.compile(
    r"\bhidden\b(?!\s*=\s*[\"']?until-found)|aria-hidden\s*=\s*[\"']?true"
    r"|display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0\b|opacity\s*:\s*0(?![.\d])",
    re.IGNORECASE,
)
_RUNS = r"\s*(?:javascript|vbscript|data)\s*:"
_UNSAFE_LINK = re.compile(
    rf"!?\[([^\[\]\n]*)\]\(<?{_RUNS}[^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)", re.IGNORECASE
)
_UNSAFE_DEFINITION = re.compile(rf"^ {{0,3}}\[[^\]\n]+\]:{_RUNS}.*$", re.IGNORECASE | re.MULTILINE)
_UNSAFE_AUTOLINK = re.compile(rf"<({_RUNS}[^<>\s]*)>", re.IGNORECASE)


class Tidied(NamedTuple):
    """The text, and stable words for what went: as those of a cleaned page."""

    text: str
    hints: tuple[str, ...]


def tidy_markdown(text: str) -> Tidied:
    """The text of a markdown document as its reader would see it. Linear in its length."""
    hidden: list[str] = []
    pieces: list[str] = []
    position = 0
    for start, end in _fenced(text := remove_invisible(text)):
        pieces += _tidy_prose(text[position:start], hidden), text[start:end]
        position = end
    pieces.append(_tidy_prose(text[position:], hidden))
    flags = {
        "hidden-text-removed": any(map(str.strip, hidden)),
        "suspicious-hidden-content-removed": any(map(looks_like_instructions, hidden)),
    }
    return Tidied("".join(pieces), tuple(hint for hint, is_set in flags.items() if is_set))


def _fenced(text: str) -> list[tuple[int, int]]:
    """Where the fenced code blocks lie, from fence to fence (CommonMark 4.5)."""
    spans = []
    opened: tuple[int, str] | None = None
    for match in _FENCE.finditer(text):
        if match.start() and text[match.start() - 1] != "\n":
            continue
        line_end = text.find("\n", match.end())
        line_end = len(text) if line_end < 0 else line_end
        if opened is None:
            opened = (match.start(), match[1])
        elif match[1].startswith(opened[1]) and not text[match.end() : line_end].strip():
            spans.append((opened[0], line_end))
            opened = None
    return [*spans, (opened[0], len(text))] if opened is not None else spans


def _tidy_prose(text: str, hidden: list[str]) -> str:
    pieces: list[str] = []
    position = 0
    for start, end in _code_spans(text):
        pieces += _tidy_words(text[position:start], hidden), text[start:end]
        position = end
    pieces.append(_tidy_words(text[position:], hidden))
    return "".join(pieces)


def _code_spans(text: str) -> list[tuple[int, int]]:
    """Where code in a line lies: from a run of backticks to the next of its length."""
    runs = [(match.start(), match.end()) for match in _CODE_SPAN.finditer(text)]
    by_length: dict[int, list[int]] = {}
    for number in range(len(runs) - 1, -1, -1):
        by_length.setdefault(runs[number][1] - runs[number][0], []).append(number)
    spans = []
    number = 0
    while number < len(runs):
        same = by_length[runs[number][1] - runs[number][0]]
        while same and same[-1] <= number:
            same.pop()
        if same:
            spans.append((runs[number][0], runs[same[-1]][1]))
            number = same[-1]
        number += 1
    return spans


def _tidy_words(text: str, hidden: list[str]) -> str:
    text = _without_hidden(text, hidden)
    text = _UNSAFE_LINK.sub(r"\1", text)
    text = _UNSAFE_DEFINITION.sub("", text)
    return _UNSAFE_AUTOLINK.sub(r"\1", text)


def _without_hidden(text: str, hidden: list[str]) -> str:
    """Without comments and elements that are not shown; one that never ends is left alone."""
    pieces: list[str] = []
    endless: set[str] = set()
    position = 0
    while match := _OPENING.search(text, position):
        pieces.append(text[position : match.start()])
        end = _end_of_hidden(text, match, endless)
        if end:
            hidden.append(text[match.end() : end])
        else:
            pieces.append(match[0])
        position = end or match.end()
    return "".join([*pieces, text[position:]])


def _end_of_hidden(text: str, opening: re.Match[str], endless: set[str]) -> int:
    """Where the hidden thing that begins here ends, or 0 when nothing hidden does."""
    tag = (opening[1] or "!--").lower()
    if tag in endless or not (
        tag == "!--" or tag in _NEVER_SEEN or _HIDES.search(opening[2] or "")
    ):
        return 0
    closing = "-->" if tag == "!--" else f"</{tag}"
    found = re.compile(re.escape(closing), re.IGNORECASE).search(text, opening.end())
    end = -1 if found is None else text.find(">", found.end() - (tag == "!--"))
    if end < 0:
        endless.add(tag)
    return end + 1
