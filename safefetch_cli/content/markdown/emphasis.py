"""Makes emphasis that CommonMark would not see, by its flanking rules, into some that it does.

`a<b>(b)</b>c` as `a**(b)**c` shows its stars: a mark between a letter and punctuation only counts
on the side of the letter. Punctuation moves out of the emphasis where that helps; else the
emphasis goes. https://spec.commonmark.org/0.31.2/#delimiter-run
"""

import re
from unicodedata import category

# All begin with NUL, so that the search need not look at the text between the tokens.
_SUSPECT = re.compile(
    r"\0(?:(?<=[^\W_]\0)(?:[SE]\0(?:\0[SE]\0)*+|D\0)(?=[^\w\s]|_)"
    r"|(?:(?<=[^\w\s]\0)|(?<=_\0))(?<!\0[se]\0\0)(?:[se]\0(?:\0[se]\0)*+|d\0)(?=[^\W_])"
    r"|S\0\0E\0|[se]\0\0[SE]\0|F\0)"
)


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
    opened: dict[str, int] = {}
    for index in range(1, len(parts), 2):
        name = parts[index]
        if name in ("S", "E", "D", "F"):
            opened[name] = index
        elif name in ("s", "e", "d", "f"):
            start = opened.pop(name.upper())
            if not _is_seen(parts, start, index):
                _move_signs_out(parts, start, index)
            if not _is_seen(parts, start, index):
                parts[start] = parts[index] = ""
            elif name == "s":
                _underline(parts, start, index)


def _is_seen(parts: list[str], start: int, end: int) -> bool:
    if not any(parts[start + 1 : end]) or _crowded(parts, start):
        return False
    before, after = _sign_before(parts, start), _sign_after(parts, end)
    inner = parts[start] == "F"
    if inner and (before.isalnum() or after.isalnum() or _is_whole(parts, start, end)):
        return False
    return _flanks(_sign_after(parts, start), before) and _flanks(_sign_before(parts, end), after)


def _move_signs_out(parts: list[str], start: int, end: int) -> None:
    """Move punctuation out over the marks that stand between it and a letter; brackets in pairs."""
    first, last = parts[start + 1], parts[end - 1]
    opening, closing = _count_signs(first), _count_signs(last[::-1])
    if start + 1 == end - 1 and opening == len(first):
        return
    before, after = _sign_before(parts, start), _sign_after(parts, end)
    paired = opening and closing and _opens_pair(first[0]) and _closes_pair(last[-1])
    if opening and (before.isalnum() or (paired and after.isalnum())):
        parts[start - 1] += first[:opening]
        parts[start + 1] = parts[start + 1][opening:]
    if closing and (after.isalnum() or (paired and before.isalnum())):
        parts[end + 1] = parts[end - 1][-closing:] + parts[end + 1]
        parts[end - 1] = parts[end - 1][:-closing]


def _is_whole(parts: list[str], start: int, end: int) -> bool:
    """Whether all that the emphasis round this one holds is this one."""
    return parts[start - 2 : start] == ["E", ""] and parts[end + 1 : end + 3] == ["", "e"]


def _flanks(inner: str, outer: str) -> bool:
    """Whether a mark between two characters counts as one that belongs to the inner one."""
    if inner.isspace():
        return False
    return outer.isspace() or not is_punctuation(inner) or is_punctuation(outer)


def _count_signs(text: str) -> int:
    """How many characters of punctuation a text begins with."""
    return next((n for n, sign in enumerate(text) if not is_punctuation(sign)), len(text))


def _opens_pair(sign: str) -> bool:
    return category(sign) in ("Ps", "Pi")


def _closes_pair(sign: str) -> bool:
    return category(sign) in ("Pe", "Pf")


def _crowded(parts: list[str], start: int) -> bool:
    """Whether more than one close and one open stand together: their stars would pair wrongly."""
    index, closes = start - 2, 0
    while index > 0 and not parts[index + 1] and parts[index] in ("s", "e", "S", "E", ""):
        closes += parts[index] in ("s", "e")
        index -= 2
    following = not parts[start + 1] and parts[start + 2] in ("S", "E")
    return closes > 1 or bool(closes and (following or start - index > 4))


def _sign_after(parts: list[str], index: int) -> str:
    stars = _is_star(parts[index])
    while index < len(parts) - 1:
        if parts[index + 1]:
            return parts[index + 1][0]
        index += 2
        if index >= len(parts):
            break
        if parts[index] and not (stars and _is_star(parts[index])):
            return _edge(parts[index])
    return "\n"


def _sign_before(parts: list[str], index: int) -> str:
    stars = _is_star(parts[index])
    while index > 0:
        if parts[index - 1]:
            return parts[index - 1][-1]
        index -= 2
        if index > 0 and parts[index] and not (stars and _is_star(parts[index])):
            return _edge(parts[index])
    return "\n"


def _is_star(name: str) -> bool:
    return name in ("S", "E", "s", "e")


def _edge(name: str) -> str:
    return "\n" if name == "B" else "*"


def _underline(parts: list[str], start: int, end: int) -> None:
    """Write emphasis that fills all of a strong with `_`: `***x***` is strong in emphasis."""
    if end - start < 4 or parts[start + 1] or parts[start + 2] != "E":
        return
    if parts[end - 1] or parts[end - 2] != "e" or "e" in parts[start + 3 : end - 2 : 2]:
        return
    outer = (_sign_before(parts, start), _sign_after(parts, end))
    if not any(sign.isalnum() for sign in outer):
        parts[start + 2], parts[end - 2] = "F", "f"
