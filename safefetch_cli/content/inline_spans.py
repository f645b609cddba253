"""The inlines of markdown that are useless in halves: links, images and code."""

import re
from collections.abc import Iterator

Span = tuple[int, int]
"""Start and end in the text, as code points."""

_TITLE = r"""(?:\s+(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\((?:\\.|[^()\\])*\)))?"""
_DESTINATION = (
    r"\(\s*(?:<[^<>\n]*>|(?:\\.|[^\s()<\\])*(?:\((?:\\.|[^\s()\\])*\)(?:\\.|[^\s()\\])*)*)"
)
_AFTER = re.compile(rf"{_DESTINATION}{_TITLE}\s*\)|\[[^\[\]]*\]", re.DOTALL)
_TOKEN = re.compile(
    r"\\.|`+|!?\[|\]|<[a-z][a-z0-9+.-]{1,31}:[^\s<>]*>|\n[ \t]*\n", re.IGNORECASE | re.DOTALL
)
_WRITTEN_IMAGE = "[Image: "  # how an image is written when only its alternative text is kept


def spans(text: str, start: int, end: int) -> list[Span]:
    """The outermost links, images and code spans within text[start:end], in their order.

    Linear in the length of the window. References count as links whether they are defined or not.
    """
    found: list[Span] = []
    for span in sorted(_all(text, start, end), key=lambda span: (span[0], -span[1])):
        if not found or span[0] >= found[-1][1]:
            found.append(span)
    return found


def _all(text: str, start: int, end: int) -> Iterator[Span]:
    ticks = closing_ticks(text, start, end)
    opened: list[int] = []
    position = start
    while token := _TOKEN.search(text, position, end):
        begin, position = token.span()
        mark = token[0]
        if mark[0] == "`":
            position = ticks.get(begin, position)
            yield begin, position
        elif mark[0] == "<":
            yield begin, position
        elif mark[0] == "\n":
            opened.clear()  # a paragraph ends
        elif mark in ("[", "!["):
            opened.append(begin)
        elif mark == "]" and opened:
            begin = opened.pop()
            is_image = text.startswith(_WRITTEN_IMAGE, begin)
            tail = position if is_image else link_tail(text, position, end)
            if tail is not None:
                position = tail
                yield begin, position


def link_tail(text: str, start: int, end: int) -> int | None:
    """Where the destination or the reference ends that makes a link of the brackets before it."""
    tail = _AFTER.match(text, start, end)
    return tail.end() if tail else None


def closing_ticks(text: str, start: int, end: int) -> dict[int, int]:
    """Where each run of backticks begins -> where the code span that it opens ends, on one line."""
    closing: dict[int, int] = {}
    later: dict[int, tuple[int, int]] = {}  # by the length of a run: the next one, and its line
    line = 0
    for run in reversed(list(re.compile("`+|\n").finditer(text, start, end))):
        if run[0] == "\n":
            line += 1
            continue
        length = len(run[0])
        next_end, next_line = later.get(length, (0, -1))
        if next_line == line:
            closing[run.start()] = next_end
        later[length] = (run.end(), line)
    return closing
