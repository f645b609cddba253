"""The title without the name of its site, and who wrote a page."""

import pytest

from safefetch_cli.content.metadata import page_metadata
from safefetch_cli.content.parse import parse_html
from safefetch_cli.content.titles import article_title


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Seven ways to boil an egg | The Kitchen", "Seven ways to boil an egg"),
        ("Seven ways to boil an egg - The Kitchen", "Seven ways to boil an egg"),
        ("Seven ways to boil an egg \u2013 The Kitchen", "Seven ways to boil an egg"),
        ("The Kitchen | Seven ways to boil an egg", "Seven ways to boil an egg"),
        ("Kitchen | Seven ways to boil an egg", "Seven ways to boil an egg"),
        ("Kitchen / Seven ways to boil an egg well", "Seven ways to boil an egg well"),
        ("The Kitchen: seven ways to boil an egg", "seven ways to boil an egg"),
        ("Eggs", "Eggs"),
        ("Eggs - Kitchen", "Eggs - Kitchen"),
        ("A well-boiled egg is a fine thing", "A well-boiled egg is a fine thing"),
        ("  Spaces \n in a   title of some length ", "Spaces in a title of some length"),
        ("", ""),
    ],
)
def test_article_title(title: str, expected: str) -> None:
    assert article_title(title, []) == expected


def test_a_heading_that_repeats_the_title_keeps_it_whole() -> None:
    title = "The Kitchen: seven ways to boil an egg"
    assert article_title(title, [title]) == title


def test_the_only_heading_stands_for_a_short_title() -> None:
    assert article_title("Home", ["Seven ways to boil an egg"]) == "Seven ways to boil an egg"


def metadata(head: str, body: str = "<p>Text.</p>", tag: str = "<html>") -> dict[str, str]:
    root = parse_html(f"{tag}<head>{head}</head><body>{body}</body></html>")
    assert root is not None
    return page_metadata(root, "https://site.example/a/b")._asdict()


def test_a_page_that_says_nothing() -> None:
    assert set(metadata("").values()) == {""}


def test_metadata_of_meta_elements() -> None:
    head = """
      <title>Other - Site</title>
      <meta property="og:title" content="Eggs &amp;amp; toast">
      <meta name="author" content="Ann Smith">
      <meta property="og:site_name" content="The Kitchen">
      <meta property="article:published_time" content="2024-05-06">
      <meta property="og:description" content="How to.">
      <link rel="canonical" href="/eggs">
    """
    assert metadata(head, tag="<html lang='en-GB'>") == {
        "title": "Eggs & toast",
        "byline": "Ann Smith",
        "site_name": "The Kitchen",
        "published_at": "2024-05-06",
        "lang": "en-GB",
        "description": "How to.",
        "canonical_url": "https://site.example/eggs",
    }


def test_linked_data_comes_first() -> None:
    head = """
      <meta property="og:title" content="Other"><meta name="author" content="Other">
      <script type="application/ld+json"><![CDATA[
      {"@graph": [{"@type": "WebSite", "name": "Site"},
        {"@type": ["NewsArticle"], "headline": "Eggs", "datePublished": "2024-05-06",
         "author": [{"name": "Ann Smith"}, {"name": "Bob Jones"}],
         "publisher": {"name": "The Kitchen"}}]}
      ]]></script>
    """
    found = metadata(head)
    assert found["title"] == "Eggs"
    assert found["byline"] == "Ann Smith, Bob Jones"
    assert found["site_name"] == "The Kitchen"
    assert found["published_at"] == "2024-05-06"


@pytest.mark.parametrize(
    "data",
    [
        "{",
        "[]",
        "null",
        '"x"',
        "[" * 100_000,
        '{"@type":"Article","headline":5,"author":"x"}',
        "\x00",
    ],
)
def test_linked_data_of_any_shape(data: str) -> None:
    head = f"<title>Eggs</title><script type='application/ld+json'>{data}</script>"
    assert metadata(head)["title"] == "Eggs"


@pytest.mark.parametrize(
    ("body", "byline"),
    [
        ("<a rel='author' href='/ann'>Ann Smith</a>", "Ann Smith"),
        ("<p class='byline'>By Ann Smith</p>", "By Ann Smith"),
        ("<div class='post-author'><b itemprop='name'>Ann</b> 5 min</div>", "Ann"),
        (f"<div class='author-box'>{'x' * 200}</div><i class='author'>Ann</i>", "Ann"),
        ("<p>Nobody</p>", ""),
    ],
)
def test_a_byline_in_sight(body: str, byline: str) -> None:
    assert metadata("", body)["byline"] == byline


def test_an_address_is_no_byline() -> None:
    head = "<meta property='article:author' content='https://social.example/ann'>"
    assert metadata(head)["byline"] == ""


def test_invisible_characters_leave_the_metadata() -> None:
    assert metadata("<title>E\u200bg\u00adgs</title>")["title"] == "Eggs"
