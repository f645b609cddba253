"""The headings of a markdown text, and the sections under them.

Offsets are those of the text itself, so each can be given to whatever reads a part of it. Headings
count wherever CommonMark sees one, in items of lists too; not in block quotes, whose headings are
another text's, and not without words.
"""

import re
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple
from urllib.parse import unquote

from safefetch_cli.content.blocks import Block, blocks
from safefetch_cli.content.inline_text import plain_text
from safefetch_cli.content.late_pattern import late
from safefetch_cli.errors import SelectionNotFound

MAX_TITLE_CHARS = 1000
"""So much of a heading's source is read for its title."""

MAX_NEAREST = 5
MAX_COMPARED = 2000
MAX_SHOWN_CHARS = 80

# What links a heading to itself, by a sign or by words, and an identifier that the source gives.
_PERMALINK = re.compile(
    r"\[(?:[#¶§🔗\u200b\s]*|(?:Permalink|(?:Direct )?[Ll]ink to|Anchor)[^\[\]]*)\]"
    r"\([^()\s]*#[^()\s]*(?:\s+\"[^\"]*\")?\)"
)
_GIVEN_ID = re.compile(r"[ \t]*\{#([\w:.-]+)[^{}]*\}[ \t\r]*\Z")
_CLOSING_HASHES = re.compile(r"(?:^|[ \t])#+[ \t\r]*\Z")
_WIDE = late(
    "[\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\U00010000-\U0010ffff]"
)
_NOT_IN_SLUG = re.compile(r"[^\w\- ]")


class Heading(NamedTuple):
    """One heading and the extent of its section: up to the next heading of its level or higher."""

    level: int  # 1 to 6
    title: str  # without marks
    id: str  # its fragment identifier on the page, "" when it has none
    start_index: int
    chars: int  # of the section, the heading included
    tokens: int  # an estimate


class Found(NamedTuple):
    """The heading that was meant, and the others that match as well."""

    heading: Heading
    others: tuple[Heading, ...] = ()


def headings(text: str, ids: Iterable[tuple[str, str]] = ()) -> tuple[Heading, ...]:
    """The headings of a markdown text in their order; linear in the text.

    `ids` are the titles and fragment identifiers of the page's headings in their order; a heading
    has the next identifier that was given for its title.
    """
    known: defaultdict[str, deque[str]] = defaultdict(deque)
    for title, identifier in ids:
        known[_folded(title)].append(identifier)
    sources = ((block, _source(text, block)) for block in blocks(text))
    titled = [(block, source, title) for block, source in sources if (title := _title(source))]
    starts = [_start(text, block) for block, _, _ in titled]
    ends = _section_ends([block for block, _, _ in titled], len(text))
    weights = _weights_before(text, {*starts, *ends})
    found: list[Heading] = []
    for (block, source, title), start, end in zip(titled, starts, ends, strict=True):
        waiting = known.get(_folded(title))
        given = _GIVEN_ID.search(source)
        identifier = waiting.popleft() if waiting else given[1] if given else ""
        tokens = _tokens(weights[end] - weights[start])
        found.append(Heading(block.level, title, identifier, start, end - start, tokens))
    return tuple(found)


def estimate_tokens(text: str) -> int:
    """About how many tokens a language model makes of a text, within a third for most languages.

    A quarter for each ASCII character, half for each of another alphabet, one for each of the wide
    scripts of East Asia and for each emoji.
    """
    return _tokens(_weight(text))


def find(found: Sequence[Heading], wanted: str) -> Found:
    """The heading that is meant by a title or a fragment identifier (`#install` or `install`).

    The first of these that matches anything decides: the same title, the same but for case, a title
    that contains the words, the identifier. Raises SelectionNotFound that names the nearest titles.
    """
    words = " ".join(wanted.split())
    for matches in _MATCHES:
        matching = [heading for heading in found if words and matches(heading, words)]
        if matching:
            return Found(matching[0], tuple(matching[1:]))
    raise SelectionNotFound(
        f"no heading of the page matches {_shown(words)}",
        there_is=_nearest(found, words),
        hint="To see all headings, use the command outline.",
    )


def find_number(found: Sequence[Heading], number: int) -> Found:
    """The heading with a number, counted from 1. Raises SelectionNotFound for another."""
    if not 1 <= number <= len(found):
        raise SelectionNotFound(f"there is no heading {number}: the page has {len(found)}")
    return Found(found[number - 1])


def section(text: str, heading: Heading) -> str:
    """The text of a heading's section."""
    return text[heading.start_index : heading.start_index + heading.chars]


def _folded(title: str) -> str:
    return " ".join(title.split()).casefold()


def _slug(title: str) -> str:
    """The identifier that code forges give a title."""
    return _NOT_IN_SLUG.sub("", title.strip().lower()).replace(" ", "-")


def _has_identifier(heading: Heading, words: str) -> bool:
    wanted = unquote(words.removeprefix("#"))
    return wanted == (heading.id or _slug(heading.title))


_MATCHES: tuple[Callable[[Heading, str], bool], ...] = (
    lambda heading, words: heading.title == words,
    lambda heading, words: heading.title.casefold() == words.casefold(),
    lambda heading, words: words.casefold() in heading.title.casefold(),
    _has_identifier,
)


def _nearest(found: Sequence[Heading], words: str) -> str:
    """The nearest titles, for the message."""
    from difflib import get_close_matches

    titles = {heading.title[:MAX_SHOWN_CHARS].casefold(): heading.title for heading in found}
    if not titles:
        return "it has no headings"
    compared = list(titles)[:MAX_COMPARED]
    near = get_close_matches(words[:MAX_SHOWN_CHARS].casefold(), compared, MAX_NEAREST, 0.5)
    names = [_shown(titles[key]) for key in near or compared[:MAX_NEAREST]]
    return f"{'the nearest are' if near else 'it begins with'} {', '.join(names)}"


def _shown(title: str) -> str:
    return repr(title if len(title) <= MAX_SHOWN_CHARS else title[:MAX_SHOWN_CHARS] + "...")


def _source(text: str, block: Block) -> str:
    """The markdown of a heading's words, at most MAX_TITLE_CHARS of it.

    It is "" for another block, and for a heading in a quote.
    """
    if block.kind != "heading" or block.in_quote:
        return ""
    source = text[block.content : block.end]
    if _is_atx(source, block.level):
        return _CLOSING_HASHES.sub("", source[block.level :][:MAX_TITLE_CHARS])
    return source[: source.rfind("\n")][:MAX_TITLE_CHARS]


def _title(source: str) -> str:
    return plain_text(_PERMALINK.sub("", _GIVEN_ID.sub("", source)))


def _is_atx(source: str, level: int) -> bool:
    # Of a setext heading the first line is text, which begins with no such mark.
    return source.startswith("#" * level) and source[level : level + 1] in ("", " ", "\t", "\r")


def _start(text: str, block: Block) -> int:
    """Where a heading begins: with its line, or after the marks of the item that it is in."""
    return block.start if not text[block.start : block.content].strip() else block.content


def _section_ends(found: Sequence[Block], length: int) -> list[int]:
    """For each heading, where the next of its level or higher begins."""
    next_starts = [length] * 7  # by level
    ends: list[int] = []
    for block in reversed(found):
        ends.append(next_starts[block.level])
        for level in range(block.level, 7):
            next_starts[level] = block.start
    return ends[::-1]


def _weights_before(text: str, positions: set[int]) -> dict[int, int]:
    """The weight of all that is before each position."""
    ordered = sorted(positions)
    weights = (_weight(text[begin:end]) for begin, end in pairwise([0, *ordered]))
    return dict(zip(ordered, accumulate(weights), strict=True))


def _weight(text: str) -> int:
    """Quarters of a token."""
    if text.isascii():
        return len(text)
    plain = len(text.encode("ascii", "ignore"))
    wide = len(text) - len(_WIDE.sub("", text))
    return plain + 2 * (len(text) - plain - wide) + 4 * wide


def _tokens(weight: int) -> int:
    return -(-weight // 4)
