"""A JSON Feed (https://www.jsonfeed.org/version/1.1/) as a feed."""

import json
from typing import Any

from safefetch_cli.content.dates import iso_date
from safefetch_cli.content.feed import MAX_ENTRIES, Entry, Feed, joined, short_line
from safefetch_cli.content.feed_content import Content, text_content

_VERSION = "https://jsonfeed.org/version/"
_CONTENTS = (("content_html", False), ("content_text", True), ("summary", True))


def read_json_feed(text: str, url: str) -> Feed | None:
    """The feed in a JSON text; None when it is none.

    `url` is the feed's own address. Of an entry its HTML counts, or else its text or its summary.
    """
    try:
        feed = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(feed, dict) or not _text(feed, "version").startswith(_VERSION):
        return None
    items = feed.get("items")
    entries = [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []
    site = joined(url, _text(feed, "home_page_url"))
    return Feed(
        title=short_line(_text(feed, "title")),
        description=short_line(_text(feed, "description")),
        lang=_text(feed, "language"),
        url=site,
        entries=tuple(_entry(item, site or url) for item in entries[:MAX_ENTRIES]),
        left_out=max(0, len(entries) - MAX_ENTRIES),
    )


def _entry(item: dict[str, Any], base: str) -> Entry:
    given = _text(item, "date_published") or _text(item, "date_modified")
    url = joined(base, _text(item, "url") or _text(item, "external_url"))
    return Entry(
        title=short_line(_text(item, "title")),
        url=url,
        date=iso_date(given) or given,
        content=_content(item, url or base),
    )


def _content(item: dict[str, Any], base: str) -> Content | None:
    contents = (text_content(_text(item, name), base, plain=plain) for name, plain in _CONTENTS)
    return next((content for content in contents if content), None)


def _text(values: dict[str, Any], name: str) -> str:
    value = values.get(name)
    return value.strip() if isinstance(value, str) else ""
