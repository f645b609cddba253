"""Addresses that a page sets for itself: its base, and where it asks a browser to go on to."""

import re
from urllib.parse import urljoin

from lxml import etree

from safefetch_cli.content.late_pattern import late

MAX_DELAY_SECONDS = 30
"""A later refresh is for who stays, such as the end of a session, and no way to go on."""

_REFRESH = late(
    r"\s*(?P<seconds>\d*)(?:\.\d*)?\s*[;,]?\s*(?:url\s*=)?\s*[\"']?(?P<url>[^\"'>]+)",
    re.IGNORECASE,
)


def base_of(root: etree._Element, url: str) -> str:
    """What the page's links are relative to: its base element, or its own address."""
    base = next((element for element in root.iter("base") if element.get("href")), None)
    try:
        return url if base is None else urljoin(url, (base.get("href") or "").strip())
    except ValueError:
        return url


def refresh_of(root: etree._Element, base: str) -> str:
    """The address of the page's first meta refresh, absolute; "" when there is none."""
    for meta in root.iter("meta"):
        if (meta.get("http-equiv") or "").strip().lower() == "refresh":
            return refresh_target(meta.get("content") or "", base)
    return ""


def refresh_target(value: str, base: str) -> str:
    """The URL in a Refresh field or a meta refresh, absolute.

    "" when there is none, or none within MAX_DELAY_SECONDS.
    """
    match = _REFRESH.match(value) if re.search("[;,]", value) else None
    if match is None or len(match["seconds"]) > 9:
        return ""
    if int(match["seconds"] or 0) > MAX_DELAY_SECONDS:
        return ""
    target: str = match["url"]
    try:
        return urljoin(base, target.strip())
    except ValueError:
        return ""
