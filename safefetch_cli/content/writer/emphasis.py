"""Keeps emphasis only where CommonMark will read it as it is meant.

`a<b>(b)</b>c` as `a**(b)**c` shows its stars: by the flanking rules a mark between a letter and
punctuation counts only on the side of the letter. Punctuation moves out of the emphasis where that
helps; else the emphasis goes, and the text stays.
"""

import re
from unicodedata import category

from safefetch_cli.content.writer.pairing import first_misread, is_star

# What may be a letter: not a blank, not a token, not ASCII punctuation.
_LETTER = r"[^\s\0!-/:-@\[-`{-~]"
# Marks that are not plainly an opening after a blank or a closing before one, and those that touch
# others. All begin with NUL, so that the search need not look at the text between the tokens.
_SUSPECT = re.compile(
    r"\0(?=[SEDFsed]\0)(?:"
    rf"(?<={_LETTER}\0)[SED]\0"  # opens after a letter
    r"|(?<=\S\0)(?<!\0[SE]\0\0)[SED]\0(?:\0[SE]\0)*+(?=[^\w\s]|_)"  # opens between signs
    r"|(?:(?<=[^\w\s]\0)|(?<=_\0))(?<!\0[se]\0\0)[sed]\0(?:\0[se]\0)*+(?=\S)"  # closes so
    rf"|[sed]\0(?={_LETTER})"  # closes before a letter
    r"|S\0\0E\0|[se]\0\0[SE]\0|F\0)"  # touches another, or lies in its like
)
_EDGES = {"B": "\n", "F": "_", "f": "_"}  # what a token begins and ends with, if not punctuation
_WORK = 100_000  # how many parts of a run may be looked at again as emphasis goes from it


def is_punctuation(sign: str) -> bool:
    """Whether CommonMark takes a character for punctuation: Unicode's classes P and S."""
    return category(sign)[0] in "PS"


def settled(source: str) -> str:
    """The tokens of a run with emphasis only where CommonMark will see it."""
    if not _SUSPECT.search(source):
        return source
    parts = source.split("\0")
    _settle(parts)
    return "".join(
        f"\0{part}\0" if index % 2 and part else part for index, part in enumerate(parts)
    )


def _settle(parts: list[str]) -> None:
    """Empty the names of emphasis that would not be seen; `parts` are text and names by turns."""
    pairs = _pairs(parts)
    has_address = any("://" in part for part in parts)  # its own `_` cannot be escaped
    for start, end in pairs:
        _settle_pair(parts, start, end, has_address=has_address)
    partners = {one: other for start, end in pairs for one, other in ((start, end), (end, start))}
    for _ in range(max(2, min(50, _WORK // len(parts)))):
        wrong = _first_unseen(parts, pairs)
        if wrong is None:
            wrong = first_misread(parts, partners, _sign_before, _sign_after)
        if wrong is None:
            return
        parts[wrong] = parts[partners[wrong]] = ""
    for start, end in pairs:
        parts[start] = parts[end] = ""


def _settle_pair(parts: list[str], start: int, end: int, *, has_address: bool) -> None:
    """Make one emphasis flank what it must, or empty its names."""
    if parts[start] == "F" and (has_address or _is_whole(parts, start, end)):
        parts[start] = parts[end] = ""
        return
    if not _is_seen(parts, start, end):
        _move_signs_out(parts, start, end)
    if not _is_seen(parts, start, end):
        parts[start] = parts[end] = ""
    elif parts[end] == "s":
        _part_coinciding(parts, start, end, has_address=has_address)


def _first_unseen(parts: list[str], pairs: list[tuple[int, int]]) -> int | None:
    """The first emphasis not written with stars that is not seen since another went."""
    return next((s for s, e in pairs if parts[s] in ("D", "F") and not _is_seen(parts, s, e)), None)


def _pairs(parts: list[str]) -> list[tuple[int, int]]:
    """Where each emphasis starts and ends, in the order of the ends."""
    opened: dict[str, int] = {}
    pairs = []
    for index in range(1, len(parts), 2):
        name = parts[index]
        if name in ("S", "E", "D", "F"):
            opened[name] = index
        elif name in ("s", "e", "d", "f"):
            pairs.append((opened.pop(name.upper()), index))
    return pairs


def _is_seen(parts: list[str], start: int, end: int) -> bool:
    """Whether both marks of an emphasis flank what they must."""
    if not any(parts[start + 1 : end]):
        return False
    before, after = _sign_before(parts, start), _sign_after(parts, end)
    if parts[start] == "F" and not _bounds_word(before, after):
        return False
    return _flanks(_sign_after(parts, start), before) and _flanks(_sign_before(parts, end), after)


def _is_whole(parts: list[str], start: int, end: int) -> bool:
    """Whether all that the emphasis round this one holds is this one."""
    return parts[start - 2 : start] == ["E", ""] and parts[end + 1 : end + 3] == ["", "e"]


def _flanks(inner: str, outer: str) -> bool:
    """Whether a mark between two characters counts as one that belongs to the inner one."""
    if inner.isspace():
        return False
    return outer.isspace() or not is_punctuation(inner) or is_punctuation(outer)


def _move_signs_out(parts: list[str], start: int, end: int) -> None:
    """Move punctuation out over the marks that stand between it and a letter; brackets in pairs."""
    first, last = parts[start + 1], parts[end - 1]
    opening, closing = _count_signs(first), _count_signs(last[::-1])
    if start + 1 == end - 1 and opening == len(first):
        return
    before, after = _sign_before(parts, start), _sign_after(parts, end)
    paired = opening and closing and category(first[0]) in ("Ps", "Pi")
    paired = paired and category(last[-1]) in ("Pe", "Pf")
    if opening and (_is_letter(before) or (paired and _is_letter(after))):
        parts[start - 1] += first[:opening]
        parts[start + 1] = parts[start + 1][opening:]
    if closing and (_is_letter(after) or (paired and _is_letter(before))):
        parts[end + 1] = parts[end - 1][-closing:] + parts[end + 1]
        parts[end - 1] = parts[end - 1][:-closing]


def _part_coinciding(parts: list[str], start: int, end: int, *, has_address: bool) -> None:
    """Emphasis that fills all of a strong: `**_x_**`, as `***x***` is strong in emphasis.

    The two change places where `_` would not count, beside a letter, or pair with another one.
    """
    if end - start < 4 or parts[start + 1] or parts[start + 2] != "E":
        return
    if parts[end - 1] or parts[end - 2] != "e" or "e" in parts[start + 4 : end - 2 : 2]:
        return
    outer = (_sign_before(parts, start), _sign_after(parts, end))
    if any(map(_is_letter, outer)) or "F" in parts[start:end:2] or has_address:
        parts[start], parts[start + 2], parts[end - 2], parts[end] = "E", "S", "s", "e"
    else:
        parts[start + 2], parts[end - 2] = "F", "f"


def _bounds_word(before: str, after: str) -> bool:
    """Whether `_` counts between these and what it marks."""
    return "_" not in (before, after) and not _is_letter(before) and not _is_letter(after)


def _is_letter(sign: str) -> bool:
    return not sign.isspace() and not is_punctuation(sign)


def _count_signs(text: str) -> int:
    """How many characters of punctuation a text begins with."""
    return next((n for n, sign in enumerate(text) if not is_punctuation(sign)), len(text))


def _sign_after(parts: list[str], index: int) -> str:
    """The character written after a mark, and after those that run together with it."""
    star = is_star(parts[index])
    for name_at in range(index + 2, len(parts) + 1, 2):
        if parts[name_at - 1]:
            return parts[name_at - 1][0]
        name = parts[name_at] if name_at < len(parts) else "B"
        if name and not (star and is_star(name)):
            return _EDGES.get(name, "*")
    return "\n"


def _sign_before(parts: list[str], index: int) -> str:
    """The character written before a mark, and before those that run together with it."""
    star = is_star(parts[index])
    for name_at in range(index - 2, -2, -2):
        if parts[name_at + 1]:
            return parts[name_at + 1][-1]
        name = parts[name_at] if name_at > 0 else "B"
        if name and not (star and is_star(name)):
            return _EDGES.get(name, "*")
    return "\n"
