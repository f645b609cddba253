"""Addresses of the web in one spelling (the WHATWG URL standard)."""

import re

import can_ada

from safefetch_cli.content.late_pattern import late
from safefetch_cli.content.writer.destinations import Addresses

MAX_URL_CHARS = 8192
"""A longer address is none: nothing would fetch it."""

_SCHEMES = ("http:", "https:")
_OUTER = "".join(map(chr, range(0x21)))
_ASCII_UNSEEN = re.compile(r"[\x00-\x1f\x7f]")
_UNSEEN = late(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_PATH = re.compile(r"[^?#]*")


def web_address(address: str, addresses: Addresses) -> str:
    """An address of a page, absolute and canonical.

    It is "" for one that is empty, malformed, too long, or that leads elsewhere than to http or
    https: to a script, to data, to a mailbox.
    """
    unseen = _ASCII_UNSEEN if address.isascii() else _UNSEEN
    address = unseen.sub("", address.strip(_OUTER))
    path = _PATH.match(address)
    if path is not None and "\\" in path[0]:  # browsers read it as a slash
        address = path[0].replace("\\", "/") + address[path.end() :]
    absolute = addresses.absolute(address) if 0 < len(address) <= MAX_URL_CHARS else None
    if absolute is None:
        return ""
    try:
        url = can_ada.parse(absolute)
    except ValueError:
        return ""
    canonical = str(url.href)
    is_web = url.protocol in _SCHEMES and url.hostname and len(canonical) <= MAX_URL_CHARS
    return canonical if is_web else ""


def site_of(url: str) -> str:
    """Host and port of an address, without a leading `www.`; default ports are not told."""
    try:
        return str(can_ada.parse(url).host).removeprefix("www.")
    except ValueError:
        return ""
