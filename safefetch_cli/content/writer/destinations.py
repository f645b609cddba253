"""Where links and images lead: absolute, safe, and written so that markdown reads them whole."""

import re
from typing import Final, NamedTuple, Self
from urllib.parse import urljoin, urlsplit

from lxml import etree

from safefetch_cli.content.late_pattern import late
from safefetch_cli.content.writer.escaping import escape_references

UNSAFE_SCHEMES: Final = frozenset(("javascript", "vbscript", "data"))
"""Links with these are shown as text only."""

_SCHEME = re.compile(r"([a-zA-Z][a-zA-Z0-9+.-]*):")
_OUTER = "".join(map(chr, range(0x21)))  # what browsers cut off a URL: C0 controls and the space
_INNER = re.compile("[\t\n\r]")  # and what they leave out of one
_NOT_IN_ASCII_DESTINATION = re.compile(r"[\x00-\x20\x7f<>\\]")
_NOT_IN_DESTINATION = late(r"[\x00-\x20\x7f-\x9f<>\\\ufeff\ud800-\udfff]")
_TITLE_ESCAPES = re.compile(r'"|\\(?=[!-/:-@\[-`{-~]|\Z)')
_UNSEEN = late("[\x00-\x1f\x7f-\x9f\ufeff]")
_PLAIN_PATH = re.compile(r"/(?!/)(?!.*(?:/\.|\\))")
_MAILBOX = re.compile(r"[\w.+-]+@\w[\w-]*(?:\.\w[\w-]*)+", re.ASCII)
_ABSOLUTE = re.compile(r"https?://", re.IGNORECASE)


class Addresses(NamedTuple):
    """Makes the addresses of one page absolute."""

    base: str
    origin: str

    @classmethod
    def of(cls, root: etree._Element, url: str) -> Self:
        """The addresses of the page at `url`, with the base element of the page `root` is in."""
        base = url
        element = next(root.getroottree().iter("base"), None)
        if element is not None:
            base = _joined(url, _cleaned(element.get("href", "")), otherwise=url)
            if _scheme(base) in UNSAFE_SCHEMES:
                base = url
        parts = _split(base)
        return cls(base, f"{parts[0]}://{parts[1]}" if parts[0] and parts[1] else "")

    def absolute(self, address: str) -> str | None:
        """An address of the page as an absolute one; None where following it is unsafe."""
        address = _cleaned(address)
        if _ABSOLUTE.match(address):
            return address
        if _scheme(address) in UNSAFE_SCHEMES:
            return None
        if address[:1] == "#":
            return self.base.partition("#")[0] + address
        if self.origin and _PLAIN_PATH.match(address):
            return self.origin + address
        return _joined(self.base, address, otherwise=address)


def destination(address: str) -> str:
    """An address as the destination of a link; between angles where parentheses do not pair."""
    unfit = _NOT_IN_ASCII_DESTINATION if address.isascii() else _NOT_IN_DESTINATION
    address = unfit.sub(_percent_encoded, address)
    if "&" in address:
        address = escape_references(address, "&amp;")
    if not address or (("(" in address or ")" in address) and not _pairs(address)):
        return f"<{address}>"
    return address


def with_title(address: str, title: str | None) -> str:
    """What stands in the parentheses of a link or image; the title is left out when empty."""
    written = " ".join(_UNSEEN.sub(" ", title).split()) if title else ""
    if not written:
        return destination(address)
    written = escape_references(_TITLE_ESCAPES.sub(r"\\\g<0>", written), r"\&")
    return f'{destination(address)} "{written}"'


def autolink(address: str, text: str) -> str | None:
    """`<address>` where a link's text is its address, or the mailbox it leads to; else None."""
    if text == address and _SCHEME.match(address) and not _NOT_IN_DESTINATION.search(address):
        return f"<{address}>" if len(address.partition(":")[0]) > 1 else None
    if address == f"mailto:{text}" and _MAILBOX.fullmatch(text):
        return f"<{text}>"
    return None


def _cleaned(address: str) -> str:
    return _INNER.sub("", address.strip(_OUTER))


def _scheme(address: str) -> str:
    match = _SCHEME.match(address)
    return match[1].lower() if match else ""


def _split(url: str) -> tuple[str, str]:
    try:
        return urlsplit(url)[:2]
    except ValueError:
        return "", ""


def _joined(base: str, address: str, *, otherwise: str) -> str:
    try:
        return urljoin(base, address)
    except ValueError:  # brackets that hold no IPv6 address
        return otherwise


def _percent_encoded(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match[0].encode("utf-8", "replace"))


def _pairs(address: str) -> bool:
    """Whether parentheses pair, and not more deeply than every renderer allows."""
    depth = 0
    for sign in address:
        depth += (sign == "(") - (sign == ")")
        if not 0 <= depth <= 8:
            return False
    return not depth
