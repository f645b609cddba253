r"""Backslashes where text would else be read as markup, and nowhere else.

The text of a run comes here as a whole, with its tokens, so that what stands beside a sign is
known: `2*3*4` needs its stars escaped, `2 * 3` does not; `a_b` never, `_b_` always.
"""

import re
from typing import NamedTuple

from safefetch_cli.content.late_pattern import late
from safefetch_cli.content.writer.bare_addresses import address_spans
from safefetch_cli.content.writer.emphasis import is_punctuation
from safefetch_cli.content.writer.tokens import BREAK, LINK_BRACKETS, NUL

_SPECIAL = re.compile(r"[\\`*_~\[\]<&!^]")
# This and the delimiters begin with a sign in each branch: so a search can skip all other text.
_LITERAL = re.compile(r"\\(?=[!-/:-@\[-`{-~\0])|`|\](?=\()|!(?=\0L)|\^(?<=\0\^)")
# What begins a tag, a comment or the like, an address between angles, or a mailbox.
_TAG = late(
    r"<(?=/?[A-Za-z][A-Za-z0-9-]*(?:[\s/>\0]|\Z)|[!?]|[A-Za-z][A-Za-z0-9+.-]{1,31}:"
    r"|[\w.!#$%&'*+/=?^`{|}~-]{1,64}@)"
)
_REFERENCE = re.compile(r"&(?=(#\d+|#[xX][0-9a-fA-F]+|[A-Za-z][A-Za-z0-9]{0,31});)")
# Underscores inside words never count.
_DELIMITERS = re.compile(r"[*_~](?:(?<=\*)\**|(?<=~)~*|(?<=_)(?:(?<![^\W_]_)_*|_*(?![^\W_])))")
_END = rf"(?= |\Z|{BREAK})"
_LINE_END = rf" *(?=\Z|{BREAK})"
_DEFINITION = r"\[[^\[\]\0]+\]:(?= *(?:\0|[^ \0]+(?: +[\"'(]| *(?:\Z|\0))))"
_RULE = "|".join(rf"{sign}(?: *{sign}){{2,}}{_LINE_END}" for sign in ("-", "_", r"\*"))
_LINE_START = (
    rf"(?P<number>\d{{1,9}})(?=[.)]{_END})"
    rf"|(?=#{{1,6}}{_END}|[-+*]{_END}|>|<[A-Za-z/!?]|~~~|{_DEFINITION}|{_RULE})"
)
_AT_START = re.compile(_LINE_START)
_ITEM_BOX = re.compile(r"\[[ xX]\](?= |\Z)")
_AFTER_BREAK = late(
    rf"(?<={BREAK})(?:{_LINE_START}|(?=(?:=+|-+){_LINE_END})|(?=[|:-][|: -]*{_LINE_END}))"
)
_LAST_HASHES = re.compile(r"(?:^|(?<= ))(?=#+\Z)")
_LINK = re.compile(r"\0L\d+\0.*?\0l\d+\0", re.DOTALL)


def escaped(text: str) -> str:
    """Text, with tokens, that reads as itself anywhere but at the start of a line."""
    if not _SPECIAL.search(text):
        return text
    if "\0L" in text and ("[" in text or "]" in text):
        text = _without_link_brackets(text)
    text = _LITERAL.sub(r"\\\g<0>", text)
    if "<" in text:
        text = _escape_tags(text)
    if "&" in text:
        text = _REFERENCE.sub(_escape_known_reference, text)
    if "*" in text or "_" in text or "~" in text:
        text = _escape_delimiters(text)
    return text


def escaped_lines(text: str, *, in_item: bool) -> str:
    """Escape what would begin a block at the start of the text or after a line break.

    At the start of a list item `[x] ` would begin a task.
    """
    if in_item and _ITEM_BOX.match(text):
        return "\\" + text
    text = _AT_START.sub(_escape_start, text, count=1) if _AT_START.match(text) else text
    return _AFTER_BREAK.sub(_escape_start, text) if BREAK in text else text


def escaped_heading(text: str) -> str:
    """Escape the number signs a heading ends with; they would count as its closing."""
    return _LAST_HASHES.sub(r"\\", text) if text.endswith("#") else text


def escape_references(text: str, sign: str) -> str:
    """Put `sign` for the ampersand of each known character reference."""
    return _REFERENCE.sub(lambda match: sign if _is_known(match[1]) else "&", text)


def _is_known(name: str) -> bool:
    if name[0] == "#":
        return True
    from html.entities import html5  # takes long to load; few texts spell out a reference

    return f"{name};" in html5


def _escape_known_reference(match: re.Match[str]) -> str:
    return r"\&" if _is_known(match[1]) else "&"


def _escape_start(match: re.Match[str]) -> str:
    return f"{match['number'] or ''}\\"


def _escape_tags(text: str) -> str:
    """Escape what would begin a tag; after the last `>` nothing can, but at the start of a line."""
    end = max(text.rfind(">"), text.rfind(NUL)) + 1
    return _TAG.sub(r"\\<", text[:end]) + text[end:]


def _without_link_brackets(text: str) -> str:
    """Brackets inside link texts as tokens: there they count even when they pair."""
    opening, closing = LINK_BRACKETS
    return _LINK.sub(lambda link: link[0].replace("[", opening).replace("]", closing), text)


class _Delimiters(NamedTuple):
    """A stretch of `*`, `_` or `~` that could open or close emphasis."""

    start: int
    end: int
    sign: str
    opens: bool
    closes: bool
    touches_token: bool


def _escape_delimiters(text: str) -> str:
    """Escape the signs that would pair up, with each other or with the emphasis of the run."""
    found = [one for match in _DELIMITERS.finditer(text) if (one := _delimiters(text, match))]
    if not found:
        return text
    fixed = _in_addresses(text, found) if "://" in text or "www." in text else set()
    real = {
        "*": "\0S\0" in text or "\0E\0" in text,
        "_": "\0F\0" in text,
        "~": "\0D\0" in text,
    }
    closer_follows = dict(real)
    pieces: list[str] = []
    rest = len(text)
    for one in reversed(found):
        pairs = (one.opens and closer_follows[one.sign]) or (one.closes and real[one.sign])
        if (pairs or one.touches_token) and one.start not in fixed:
            pieces.append(text[one.end : rest])
            pieces.append(("\\" + one.sign) * (one.end - one.start))
            rest = one.start
        closer_follows[one.sign] |= one.closes
    pieces.append(text[:rest])
    return "".join(reversed(pieces))


def _in_addresses(text: str, found: list[_Delimiters]) -> set[int]:
    """Where those start that stay as they are: a backslash would become part of the address."""
    spans = address_spans(text)
    inside, index = set(), 0
    for one in found:
        while index < len(spans) and spans[index][1] <= one.start:
            index += 1
        if index < len(spans) and spans[index][0] <= one.start:
            inside.add(one.start)
    return inside


def _delimiters(text: str, match: re.Match[str]) -> _Delimiters | None:
    """What a stretch of delimiters can do; None when it can neither open nor close.

    https://spec.commonmark.org/0.31.2/#left-flanking-delimiter-run
    """
    start, end = match.span()
    before = text[start - 1] if start else " "
    after = text[end] if end < len(text) else " "
    sign = text[start]
    if before.isalnum() and after.isalnum():
        return None if sign == "_" else _Delimiters(start, end, sign, True, True, False)
    if before.isspace() and after.isspace():
        return None
    before_sign, after_sign = _is_sign(before), _is_sign(after)
    left = not after.isspace() and (not after_sign or before.isspace() or before_sign)
    right = not before.isspace() and (not before_sign or after.isspace() or after_sign)
    if sign == "_":
        left, right = left and (not right or before_sign), right and (not left or after_sign)
    touches = before == NUL or after == NUL
    return _Delimiters(start, end, sign, left, right, touches)


def _is_sign(character: str) -> bool:
    if character.isalnum() or character.isspace():
        return False
    return character == NUL or is_punctuation(character)
