"""What a body is: from its Content-Type, or from its first bytes where that says nothing."""

import re
from typing import NamedTuple

from safefetch_cli.content.decode import looks_like_utf16
from safefetch_cli.content.late_pattern import late

SNIFFED_BYTES = 1445
"""So much is looked at (https://mimesniff.spec.whatwg.org/, the resource header)."""

_BINARY = re.compile(rb"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]")
_HTML = late(
    rb"<(?:!doctype\s+html|html|head|body|title|meta|script|style|table|div"
    rb"|h1|p|article|main|section|a|br|ul|b|font|iframe)\b",
    re.IGNORECASE | re.DOTALL,
)
_FEED = re.compile(r"<(?:[\w-]+:)?(?:rss|feed|RDF)\b")
_PROLOG = re.compile(
    r"(?:[\s\ufeff]++|<!--.*?-->|<\?.*?\?>|<!DOCTYPE[^\[>]*+(?:>|\[.*?\]\s*+>))*+", re.DOTALL
)
_TAG = re.compile(r"<[a-zA-Z!/?]")
_ISO_2022_ESCAPE = b"\x1b"
_MARKS = (b"\xef\xbb\xbf", b"\xfe\xff", b"\xff\xfe")


class MediaType(NamedTuple):
    """A media type: `essence` is type/subtype in lower case, "" when there is none."""

    essence: str
    charset: str


def parse_media_type(content_type: str) -> MediaType:
    """Read a Content-Type field. Of several values the last one counts (Fetch standard)."""
    value = content_type.rpartition(",")[2] if '"' not in content_type else content_type
    essence, *parameters = value.split(";")
    essence = essence.strip().lower()
    pairs = (parameter.partition("=") for parameter in parameters)
    named = (
        text.strip().strip("\"'") for name, _, text in pairs if name.strip().lower() == "charset"
    )
    is_valid = re.fullmatch(r"[!#$&^_.+a-z0-9-]+/[!#$&^_.+a-z0-9-]+", essence) is not None
    return MediaType(essence if is_valid else "", next(named, "").lower())


def sniff(data: bytes) -> str:
    """The essence of a body that has no usable type: HTML, plain text, or "" for binary data."""
    head = data[:SNIFFED_BYTES]
    if head.startswith(_MARKS):
        return "text/plain"
    if looks_like_utf16(data):
        head = head.replace(b"\0", b"")
    if _BINARY.search(head.replace(_ISO_2022_ESCAPE, b"")):
        return ""
    start = _after_comments(head.decode("latin-1")).encode("latin-1")
    return "text/html" if _HTML.match(start) else "text/plain"


def correct(essence: str, text: str) -> str:
    """What a text that is labelled HTML really is: JSON, plain text, a feed, or indeed HTML."""
    if essence != "text/html":
        return essence
    start = text[:SNIFFED_BYTES].lstrip()
    if start[:1] in ("{", "[") and _is_json(text):
        return "application/json"
    if is_feed(text):
        return "application/xml"
    return essence if _TAG.search(text) else "text/plain"


def is_feed(text: str) -> bool:
    """Whether the first element of a text is that of a feed: RSS, RDF or Atom."""
    return bool(_FEED.match(text, prolog_end(text)))


def prolog_end(text: str) -> int:
    """Where the first element of an XML text begins, after declarations and comments. Linear."""
    match = _PROLOG.match(text)
    return match.end() if match else 0


def _after_comments(text: str) -> str:
    """The text from its first markup on that is no comment and no XML declaration."""
    text = text.lstrip()
    while text.startswith(("<!--", "<?")):
        closing = "-->" if text.startswith("<!--") else ">"
        end = text.find(closing, 2)
        text = text[end + len(closing) :].lstrip() if end >= 0 else ""
    return text


def _is_json(text: str) -> bool:
    import json

    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True
