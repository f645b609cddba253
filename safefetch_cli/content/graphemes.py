"""Where a text may be cut without tearing a character that a reader sees as one (UAX 29).

The clusters are those of the `regex` package, which follows Unicode closely. It is loaded when a
text is first cut beside a character that is not ASCII.
"""

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import regex

_SLICE_CHARS = 32


def boundary_before(text: str, start: int, position: int) -> int:
    """The last boundary from `start` to `position`, both included. `start` is taken for one.

    Offsets are code points, `start` <= `position` <= the length of the text. Takes time in
    proportion to the distance to the next plain characters before `position`.
    """
    if position <= start or position >= len(text):
        return max(start, position)
    before, after = text[position - 1], text[position]
    if before < "\x80" and after < "\x80":
        return position - (before == "\r" and after == "\n")
    plain_pair, _ = _patterns()
    # Between two characters of no class there always is a boundary, so clusters count from there.
    boundary = position - 1
    while boundary > start and not plain_pair.match(text, boundary - 1, boundary + 1):
        boundary -= 1
    while (end := _cluster_end(text, boundary, position + 1)) <= position:
        boundary = end
    return boundary


def _cluster_end(text: str, start: int, limit: int) -> int:
    """Where the cluster at `start` ends, `limit` if it goes on beyond.

    It is matched in a slice: in a long text each match would look back over all flags before it.
    """
    width = _SLICE_CHARS
    while True:
        piece = text[start : min(start + width, limit)]
        cluster = _patterns()[1].match(piece)
        length = cluster.end() if cluster else 1
        if length < len(piece) or start + len(piece) == limit:
            return start + length
        width *= 4


@cache
def _patterns() -> "tuple[regex.Pattern[str], regex.Pattern[str]]":
    """Two characters without a class for clusters, and one cluster."""
    import regex

    return regex.compile(r"\p{Grapheme_Cluster_Break=Other}{2}"), regex.compile(r"\X")
