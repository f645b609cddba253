"""Markdown that a server sends: passed on, without what its reader would not see.

Invisible characters, comments, hidden HTML, scripts, links that run something, and instructions
where only a machine looks go. Code stays to the letter but for characters that deceive.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from safefetch_cli.content.blocks import blocks
from safefetch_cli.content.instructions import looks_like_instructions
from safefetch_cli.content.invisible import remove_invisible, remove_invisible_in_code
from safefetch_cli.content.markdown_html import hidden_spans

_BACKTICKS = re.compile(r"`++")
_NO_LINE_END = re.compile(r"[^\n]")
_MASK = "\0"
_RUNS = r"\s*(?:javascript|vbscript|data)\s*:"
_UNSAFE_LINK = re.compile(
    rf"!?\[([^\[\]\n]*)\]\(<?{_RUNS}[^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)", re.IGNORECASE
)
_UNSAFE_DEFINITION = re.compile(rf"^ {{0,3}}\[[^\]\n]+\]:{_RUNS}.*$", re.IGNORECASE | re.MULTILINE)
_UNSAFE_AUTOLINK = re.compile(rf"<({_RUNS}[^<>\s]*)>", re.IGNORECASE)
_TITLE = r"""("[^"\n]*+(?:\n(?!\n)[^"\n]*+)*+"|'[^'\n]*+(?:\n(?!\n)[^'\n]*+)*+'|\([^()\n]*+\))"""
_TITLED_LINK = re.compile(rf"\]\([ \t]*+(?:<[^<>\n]*+>|[^\s<>()]++)(\s++{_TITLE})[ \t\n]*+\)")
_DEFINITION = re.compile(
    rf"^ {{0,3}}\[([^\[\]\n]++)\]:[ \t]*+\n?[ \t]*+(<[^<>\n]*+>|[^\s<>]++)"
    rf"([ \t]*+\n?[ \t]*+{_TITLE})?[ \t]*+$",
    re.MULTILINE,
)
_IMAGE = re.compile(r"!\[([^\[\]]*+)\](?=[(\[])")
_NOWHERE = ("#", "<>")
_MARKUP = re.compile(r"<!--|-->|</?[a-zA-Z][^<>]*+>")


class Tidied(NamedTuple):
    """The text, and stable words for what went: as those of a cleaned page."""

    text: str
    hints: tuple[str, ...]


class _Edit(NamedTuple):
    """A part of the text that goes, and what stays in its place."""

    start: int
    end: int
    kept: str = ""


def tidy_markdown(text: str) -> Tidied:
    """The text of a markdown document as its reader would see it. Linear in its length."""
    text, masked = _without_invisible(text)
    hidden: list[str] = []
    for find in (_find_hidden, _find_unsafe, _find_instructions):
        edits = list(find(text, masked, hidden))
        text, masked = _edited(text, edits), _edited(masked, edits)
    flags = {
        "hidden-text-removed": any(map(str.strip, hidden)),
        "suspicious-hidden-content-removed": any(map(looks_like_instructions, hidden)),
    }
    return Tidied(text, tuple(hint for hint, is_set in flags.items() if is_set))


def _without_invisible(text: str) -> tuple[str, str]:
    """The text without invisible characters, and the same with its code masked."""
    pieces: list[str] = []
    masks: list[str] = []
    position = 0
    for start, end in (*_code(text), (len(text), len(text))):
        pieces.append(remove_invisible(text[position:start]))
        masks.append(pieces[-1])
        pieces.append(remove_invisible_in_code(text[start:end]))
        masks.append(_NO_LINE_END.sub(_MASK, pieces[-1]))
        position = end
    return "".join(pieces), "".join(masks)


def _code(text: str) -> Iterator[tuple[int, int]]:
    """Where code lies: blocks with all their lines, and spans."""
    found = blocks(text)
    for at, block in enumerate(found):
        end = found[at + 1].start if at + 1 < len(found) else len(text)
        if block.kind in ("fence", "code"):
            yield block.start, end
        elif block.kind != "html":
            yield from _code_spans(text, block.start, end)


def _code_spans(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Where code in a line lies: from a run of backticks to the next of its length."""
    runs = [(run.start(), run.end()) for run in _BACKTICKS.finditer(text, start, end)]
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


def _edited(text: str, edits: list[_Edit]) -> str:
    """The text with its edits made; of those that overlap, the first."""
    pieces: list[str] = []
    position = 0
    for edit in sorted(edits):
        if edit.start >= position:
            pieces += text[position : edit.start], edit.kept
            position = edit.end
    return "".join([*pieces, text[position:]])


def _find_hidden(text: str, masked: str, hidden: list[str]) -> Iterator[_Edit]:
    for start, end in hidden_spans(masked):
        hidden.append(_MARKUP.sub(" ", text[start:end]))
        yield _Edit(start, end)


def _find_unsafe(text: str, masked: str, _: list[str]) -> Iterator[_Edit]:
    for pattern in (_UNSAFE_LINK, _UNSAFE_AUTOLINK):
        for match in pattern.finditer(masked):
            yield _Edit(match.start(), match.end(), text[slice(*match.span(1))])
    for match in _UNSAFE_DEFINITION.finditer(masked):
        yield _Edit(match.start(), match.end())


def _find_instructions(text: str, masked: str, hidden: list[str]) -> Iterator[_Edit]:
    """Titles, names of pictures and definitions: seen by none, or only beside a pointer."""
    for match in _DEFINITION.finditer(masked):
        whole, title = text[match.start() : match.end()], match[4] or ""
        is_title = looks_like_instructions(title.strip("\"'()"))
        if (title and match[2] in _NOWHERE) or (not is_title and looks_like_instructions(whole)):
            hidden.append(title or whole)
            yield _Edit(match.start(), match.end())
        elif is_title:
            hidden.append(title)
            yield _Edit(*match.span(3))
    for match in (*_TITLED_LINK.finditer(masked), *_IMAGE.finditer(masked)):
        shown_by_none = text[match.start(1) : match.end(1)]
        if looks_like_instructions(shown_by_none.strip(" \n\"'()")):
            hidden.append(shown_by_none)
            yield _Edit(*match.span(1))
