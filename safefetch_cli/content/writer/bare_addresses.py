r"""Addresses in the text: renderers link them as far as the next blank, backslashes and all.

So nothing is escaped inside one, as a backslash would become a part of the address. One that has a
sign in it that must be escaped, or that markup follows, ends with angles: `<https://e.org/>\*`.
"""

import re

from safefetch_cli.content.late_pattern import late
from safefetch_cli.content.writer.tokens import ADDRESS_END, ADDRESS_START

_LINK = r"\0L\d+\0.*?\0l\d+\0"  # what is linked already is not linked again
_BEGIN = r"(?<![a-zA-Z0-9.+-])"
_CALM = r"(?:[^\s<>\0`\\*\[\]^|\"{}~&]|~(?!~)|&(?!#?\w+;))+"
_CLOSABLE = late(rf"{_LINK}|{_BEGIN}https?://{_CALM}(?=(?P<more>[^ ])?)", re.DOTALL)
_ADDRESS = late(rf"{_LINK}|{_BEGIN}(?P<address>(?:https?://|www\.)[^\s<\0]+)", re.DOTALL)
_LAST_SIGNS = "?!.,:;'\")"


def closed_addresses(text: str) -> str:
    """Put angles, as tokens, round the addresses in a text with tokens that need them."""
    return _CLOSABLE.sub(_closed, text)


def address_spans(text: str) -> list[tuple[int, int]]:
    """Where in a text, with tokens, the addresses stand that renderers will link."""
    return [match.span() for match in _ADDRESS.finditer(text) if match["address"]]


def _closed(match: re.Match[str]) -> str:
    if not match["more"]:
        return match[0]
    kept = match[0].rstrip(_LAST_SIGNS)
    return f"{ADDRESS_START}{kept}{ADDRESS_END}{match[0][len(kept) :]}"
