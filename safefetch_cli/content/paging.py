"""A text in parts that fit a window, cut where a reader loses least.

The parts in their order are the whole text. A cut falls between blocks at the top level of the
markdown (items of a list are blocks too), early enough to keep a heading with what follows it where
that costs less than half the window. A block that is longer than the window is cut within: between
the blocks inside it, else its lines, else its words, at last between graphemes (UAX 29); a link, an
image or a code span that fits the window stays whole.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from typing import NamedTuple

from safefetch_cli.content.blocks import blocks
from safefetch_cli.content.graphemes import boundary_before
from safefetch_cli.content.inline_spans import Span, spans
from safefetch_cli.errors import InvalidInput

_PARAGRAPH_END = re.compile(r"\n(?:[ \t\r]*\n)+")
_WHITE = re.compile(r"\s*")


class Part(NamedTuple):
    """One part of a text. Offsets are code points of the whole text."""

    text: str
    start_index: int
    next_start_index: int | None  # None at the end
    cut_inside_block: bool  # the part begins or ends within a block


def part(text: str, start_index: int, max_chars: int, *, markup: bool = True) -> Part:
    """One part of a text; for several parts of one text make `Pages` once."""
    return Pages(text, markup=markup).part(start_index, max_chars)


class Pages:
    """A text that is read in parts.

    The borders of its blocks are found once, in linear time; each part then costs time in
    proportion to its own length and the logarithm of the number of blocks. Without `markup` the
    text is no markdown, and its blocks are what blank lines part.
    """

    def __init__(self, text: str, *, markup: bool = True) -> None:
        self._text = text
        self._borders: list[int] = []  # between blocks at the top level
        self._good_borders: list[int] = []  # those of them that do not follow a heading
        self._inner_borders: list[int] = []  # between blocks inside others
        if markup:
            self._find_borders()
        else:
            self._borders = [end.end() for end in _PARAGRAPH_END.finditer(text)]
            self._good_borders = self._borders

    def part(self, start_index: int = 0, max_chars: int | None = None) -> Part:
        """The part from `start_index` of at most `max_chars`, to the end when that is None.

        At the end of the text the part is empty; every other has at least one character. Raises
        InvalidInput for a start that is negative or past the end, and for a window under 1.
        """
        length = len(self._text)
        if not 0 <= start_index <= length:
            raise InvalidInput(
                f"start_index: {start_index} is not from 0 to {length}, the length of the text"
            )
        if max_chars is not None and max_chars < 1:
            raise InvalidInput(f"max_chars: {max_chars} is not 1 or more")
        is_last = max_chars is None or max_chars >= length - start_index
        end = length if is_last else self._cut(start_index, start_index + (max_chars or 0))
        return Part(
            text=self._text[start_index:end],
            start_index=start_index,
            next_start_index=None if end == length else end,
            cut_inside_block=self._is_inside(start_index) or self._is_inside(end),
        )

    def _find_borders(self) -> None:
        follows_heading = False
        for block in blocks(self._text):
            if block.depth:
                self._inner_borders.append(block.start)
            else:
                self._borders.append(block.start)
                if not follows_heading:
                    self._good_borders.append(block.start)
            follows_heading = block.kind == "heading"

    def _cut(self, start: int, limit: int) -> int:
        """Where the part ends: after `start`, at `limit` or before."""
        good = _last(self._good_borders, limit)
        if good > start + (limit - start) // 2:
            return good
        border = _last(self._borders, limit)
        inner = _last(self._inner_borders, limit)
        if border > start or inner > start:
            return border if border > start else inner
        return _cut_inside(self._text, start, limit)

    def _is_inside(self, position: int) -> bool:
        """Whether a cut there goes through a block, the blank lines after it not counted."""
        if position in (0, len(self._text)):
            return False
        after = bisect_left(self._borders, position)
        border = self._borders[after] if after < len(self._borders) else len(self._text)
        white = _WHITE.match(self._text, position, border)
        return white is None or white.end() < border


def _last(positions: list[int], limit: int) -> int:
    """The last of the sorted positions that is not after `limit`; -1 when there is none."""
    found = bisect_right(positions, limit)
    return positions[found - 1] if found else -1


def _cut_inside(text: str, start: int, limit: int) -> int:
    """A cut within a block, after `start`, at `limit` or before."""
    window = limit - start
    # What lies across the cut and fits the window ends within one more window.
    whole = spans(text, start, min(len(text), limit + window))
    whole = [span for span in whole if span[1] - span[0] <= window]
    for find in (_line_start, _word_start, boundary_before):
        cut = _clear(find, text, start, limit, whole)
        if cut > start:
            return cut
    return limit  # one grapheme fills the window


Find = Callable[[str, int, int], int]
"""Text, start and limit in; the last place to cut from start to limit out, start for none."""


def _clear(find: Find, text: str, start: int, limit: int, whole: list[Span]) -> int:
    """The last place that `find` knows and that lies in none of the spans."""
    cut = find(text, start, limit)
    while cut > start:
        held = bisect_left(whole, (cut, 0)) - 1
        if held < 0 or whole[held][1] <= cut:
            return cut
        cut = find(text, start, max(start, whole[held][0]))
    return start


def _line_start(text: str, start: int, limit: int) -> int:
    return max(start, text.rfind("\n", start, limit) + 1)


def _word_start(text: str, start: int, limit: int) -> int:
    space = max(text.rfind(" ", start, limit), text.rfind("\t", start, limit))
    return boundary_before(text, start, max(start, space + 1))
