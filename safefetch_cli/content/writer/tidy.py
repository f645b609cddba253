"""Puts the tokens of a run in the order markdown can write: blanks out, nothing empty, no seams."""

import re

from safefetch_cli.content.writer.tokens import BREAK

_OPEN = r"\0(?:[SEDFXY]|L\d+)\0"
_CLOSE = r"\0(?:[sedfxy]|l\d+)\0"
_BLANKS = re.compile(r" {2,}")
_BREAKS = re.compile(rf"(?: ?{BREAK} ?)+")
_EMPTY = re.compile(r"\0(?:S\0\0s|E\0\0e|F\0\0f|D\0\0d|X\0\0x|Y\0\0y|L\d+\0\0l\d+)\0")
_SEAM = re.compile(r"\0(?:s\0\0S|e\0\0E|f\0\0F|d\0\0D)\0")
_OPEN_BLANK = re.compile(rf"((?:{_OPEN})+)(\s+|{BREAK})")
_BLANK_CLOSE = re.compile(rf"((?<!\s)\s++|{BREAK})((?:{_CLOSE})+)")
# All begin with NUL, so that the search need not look at the text between the tokens.
_UNTIDY = re.compile(
    rf"{_EMPTY.pattern}|{_SEAM.pattern}|{_OPEN}(?:\s|{BREAK})"
    rf"|\0(?<=\s\0)(?:[sedfxy]|l\d+)\0|{BREAK}{_CLOSE}"
)
_PARAGRAPH_BREAK = re.compile(rf"(?:[ \t\n\r\f]*{BREAK}[ \t\n\r\f]*){{2,}}")
_TOKEN = re.compile(r"\0[^\0]+\0")
_CODES = re.compile(r"\0C(\d+)\0(?:\0C\d+\0)+")
_MOST_ROUNDS = 8  # as many as kinds of markup that can lie inside each other


def collapsed(source: str) -> str:
    """The source of a run with every stretch of white space as one blank."""
    for blank in "\n\t\r\f":
        if blank in source:
            source = source.replace(blank, " ")
    return _BLANKS.sub(" ", source) if "  " in source else source


def tidy(source: str) -> str:
    """Move blanks and breaks out of the markup they lie at the edge of, and drop empty markup."""
    if BREAK in source:
        source = _BREAKS.sub(BREAK, source)
    for _ in range(_MOST_ROUNDS):
        if not _UNTIDY.search(source):
            break
        source = _EMPTY.sub("", source)
        source = _SEAM.sub("", source)
        source = _OPEN_BLANK.sub(r"\2\1", source)
        source = _BLANK_CLOSE.sub(r"\2\1", source)
        source = _BREAKS.sub(BREAK, source)
        source = _BLANKS.sub(" ", source)
    return _trimmed(_BLANKS.sub(" ", source) if "  " in source else source)


def joined_codes(source: str, objects: list[str]) -> str:
    """Make one code span of those that touch, as their backticks would run together."""

    def join(match: re.Match[str]) -> str:
        _, *numbers = re.findall(r"\d+", match[0])
        objects[int(match[1])] += "".join(objects[int(number)] for number in numbers)
        return f"\0C{match[1]}\0"

    return _CODES.sub(join, source)


def paragraphs(source: str) -> list[str]:
    """Split a run where two line breaks follow each other; markup goes on in the next part."""
    if source.count(BREAK) < 2 or not _PARAGRAPH_BREAK.search(source):
        return [source]
    parts: list[str] = []
    still_open: list[str] = []
    for part in _PARAGRAPH_BREAK.split(source):
        opening = "".join(still_open)
        for token in _TOKEN.findall(part):
            _follow(token, still_open)
        closing = "".join(_closing(token) for token in reversed(still_open))
        parts.append(opening + part + closing)
    return parts


def _follow(token: str, still_open: list[str]) -> None:
    letter = token[1]
    if letter in "SEDFXYL":
        still_open.append(token)
    elif letter in "sedfxyl":
        still_open.pop()


def _closing(token: str) -> str:
    return token[:1] + token[1].lower() + token[2:]


def _trimmed(source: str) -> str:
    source = source.strip()
    while source.startswith(BREAK):
        source = source[len(BREAK) :].lstrip()
    while source.endswith(BREAK):
        source = source[: -len(BREAK)].rstrip()
    return source
