"""A JSON Feed reads as its entries."""

import json
from typing import Any

import pytest
from support.reading import document_of

from safefetch_cli.models import Document

URL = "http://harbour.test/feeds/feed.json"


def get(body: str, content_type: str = "application/feed+json") -> Document:
    return document_of(body, content_type, URL)


def feed(*items: Any, **fields: Any) -> str:
    version = "https://jsonfeed.org/version/1.1"
    return json.dumps({"version": version, "title": "News", **fields, "items": list(items)})


def test_a_feed_with_its_entries() -> None:
    first = {
        "title": "Ferry *seven*",
        "url": "/n/1",
        "date_published": "2026-03-02T08:00:00Z",
        "content_html": "<p>Back <a href='map'>here</a>.</p><pre>a\n  b</pre>",
        "content_text": "no",
    }
    second = {"id": "2", "content_text": "1 <b> 2\n\nEnd", "summary": "no"}
    third = {"external_url": "http://a.test/", "summary": "Short"}
    document = get(
        feed(first, second, third, "x", description="Notices", language="en", home_page_url="/")
    )
    assert document.text == (
        "# News\n\nNotices\n\n"
        "## [Ferry \\*seven\\*](http://harbour.test/n/1)\n\n2026-03-02T08:00:00Z\n\n"
        "Back [here](http://harbour.test/n/map).\n\n```\na\n  b\n```\n\n"
        "## (no title)\n\n1 \\<b> 2\n\nEnd\n\n"
        "## <http://a.test/>\n\nShort"
    )
    assert (document.title, document.description, document.lang, document.hints) == (
        *("News", "Notices", "en"),
        (),
    )


def test_entries_are_bounded_and_it_is_told() -> None:
    document = get(feed(*({"title": "t"} for _ in range(600))))
    assert (document.text.count("## t"), document.hints) == (500, ("entries-left-out",))


@pytest.mark.parametrize(
    "body",
    ['{"a": 1}', "[1]", "{", "[" * 100_000, '{"version": "https://jsonfeed.org.evil.test/"}'],
)
def test_other_json_stays_as_it_is(body: str) -> None:
    assert get(body).text == body


def test_a_feed_that_is_labelled_json_stays_as_it_is() -> None:
    assert get(feed(), "application/json").text == feed()


@pytest.mark.parametrize("items", [None, {}, "x", 1])
def test_a_feed_without_entries(items: Any) -> None:
    body = json.dumps({"version": "https://jsonfeed.org/version/1", "title": 3, "items": items})
    assert (get(body).text, get(body).hints) == ("", ("no-text",))
