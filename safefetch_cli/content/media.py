"""What a body is: from its Content-Type, or from its first bytes where that says nothing."""

import re
from dataclasses import dataclass
from email.message import Message

SNIFFED_BYTES = 1445
"""So much is looked at (https://mimesniff.spec.whatwg.org/, the resource header)."""

_BINARY = re.compile(rb"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]")
_HTML = re.compile(
    rb"\s*(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body|title|meta|script|style|table|div"
    rb"|h1|p|article|main|section|a|br|ul|b|font|iframe)\b",
    re.IGNORECASE | re.DOTALL,
)
_MARKS = (b"\xef\xbb\xbf", b"\xfe\xff", b"\xff\xfe")


@dataclass(frozen=True)
class MediaType:
    """A media type: `essence` is type/subtype in lower case, "" when there is none."""

    essence: str
    charset: str


def parse_media_type(content_type: str) -> MediaType:
    """Read a Content-Type field. Of several values the last one counts (Fetch standard)."""
    value = content_type.rpartition(",")[2] if '"' not in content_type else content_type
    message = Message()
    message["Content-Type"] = value.strip()
    essence = value.partition(";")[0].strip().lower()
    valid = re.fullmatch(r"[!#$&^_.+\w-]+/[!#$&^_.+\w-]+", essence) is not None
    return MediaType(essence if valid else "", message.get_content_charset("") or "")


def sniff(data: bytes) -> str:
    """The essence of a body that has no usable type: HTML, plain text, or "" for binary data."""
    head = data[:SNIFFED_BYTES]
    if head.startswith(_MARKS):
        return "text/plain"
    if _BINARY.search(head):
        return ""
    return "text/html" if _HTML.match(head) else "text/plain"
