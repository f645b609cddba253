"""Everything that is known about a page, from its elements and from its HTTP fields.

Where several places tell the same, the elements come first, then Open Graph, then Twitter's names,
then JSON-LD.
"""

import re
from collections.abc import Mapping
from html import unescape
from typing import Any, Final

from lxml import etree

from safefetch_cli.content import alternates
from safefetch_cli.content.dates import iso_date
from safefetch_cli.content.linked_data import linked_blocks
from safefetch_cli.content.metadata import (
    article_of,
    authors_of,
    byline_among,
    name_of,
    named_metas,
    text_of,
    visible_byline,
)
from safefetch_cli.content.parse import parse_html
from safefetch_cli.content.seen_text import seen_text
from safefetch_cli.content.visible import without_control_references
from safefetch_cli.content.washing import Washing
from safefetch_cli.content.web_address import web_address
from safefetch_cli.content.writer.destinations import Addresses
from safefetch_cli.facts import Metadata, PageHeading

MAX_BLOCKS: Final = 50
MAX_DIRECTIVES: Final = 50
MAX_HEADINGS: Final = 200
MAX_TITLE_CHARS: Final = 300

# Field -> names of meta elements: elements proper, then Open Graph, then Twitter.
_NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "title": ("dc:title", "dcterm:title", "title", "og:title", "twitter:title"),
    "description": (
        *("description", "dc:description", "dcterm:description"),
        *("og:description", "twitter:description"),
    ),
    "published_at": (
        *("datepublished", "date", "dc:date", "dcterm:created", "parsely-pub-date", "pubdate"),
        "article:published_time",
    ),
    "modified_at": (
        *("datemodified", "last-modified", "dcterm:modified", "revised"),
        *("article:modified_time", "og:updated_time"),
    ),
    "site_name": ("application-name", "og:site_name"),
}
_ICONS: Final = ({"icon"}, {"apple-touch-icon"}, {"apple-touch-icon-precomposed"})
_DIRECTIVE: Final = re.compile(r"[^,\s][^,]*")


def read_metadata(html: str, url: str, headers: Mapping[str, str]) -> Metadata:
    """What is known about a page: its source, its final address and its HTTP fields.

    Texts are cleaned and bounded; a text that tells a model what to do is dropped, with the hint
    `suspicious-metadata-removed`. Raises ProcessingLimit as `parse_html`.
    """
    root = parse_html(without_control_references(html))
    return page_record(etree.Element("html") if root is None else root, url, headers)


def page_record(root: etree._Element, url: str, headers: Mapping[str, str]) -> Metadata:
    """The same for a page that is parsed; the tree is only read."""
    washing = Washing()
    fields = {name.lower(): value for name, value in headers.items()}
    named = named_metas(root)
    article = article_of(root)
    addresses = Addresses.of(root, url)
    own = alternates.named_links(root, addresses)
    links = (*own, *alternates.header_links(fields.get("link", ""), Addresses(url, "")))
    blocks = linked_blocks(root)
    seen = seen_text(root)
    record = Metadata(
        url=url,
        **_texts(root, named, article, fields, washing),
        **_dates(named, article, washing),
        canonical_url=_canonical(links, named, addresses),
        favicon=_favicon(own),
        llms_txt=alternates.site_text(links),
        robots_meta=_directives(named.get("robots", "")),
        robots_header=_directives(fields.get("x-robots-tag", "")),
        open_graph=washing.mapping(_prefixed(named, ("og:", "article:"), "og:")),
        twitter=washing.mapping(_prefixed(named, ("twitter:",), "twitter:")),
        alternates=alternates.translations(links),
        feeds=alternates.feeds(links),
        markdown=alternates.markdown_twins(links),
        json_ld=tuple(map(washing.value, blocks.values[:MAX_BLOCKS])),
        json_ld_malformed=blocks.malformed,
        headings=_headings(seen.headings, washing),
        http_headers=washing.headers(fields),
        word_count=seen.words,
    )
    hints = ("suspicious-metadata-removed",) if washing.suspicious else ()
    return record._replace(hints=hints)


def _texts(
    root: etree._Element,
    named: Mapping[str, str],
    article: dict[str, Any],
    fields: Mapping[str, str],
    washing: Washing,
) -> dict[str, Any]:
    """The plain texts: of the places that tell a field, the first that is left when cleaned."""
    xml_lang = root.get("xml:lang")
    places: dict[str, tuple[str | None, ...]] = {
        "title": (
            root.findtext("head/title") or root.findtext(".//title"),
            *_given(named, "title"),
            text_of(article.get("headline")),
            text_of(article.get("name")),
        ),
        "description": (*_given(named, "description"), text_of(article.get("description"))),
        "byline": (
            byline_among(dict(named)),
            named.get("twitter:creator"),
            authors_of(article),
            visible_byline(root),
        ),
        "site_name": (*_given(named, "site_name"), name_of(article.get("publisher"))),
        "lang": (
            *(root.get("lang"), xml_lang, _equivalent(root, "content-language")),
            fields.get("content-language"),
            named.get("og:locale", "").replace("_", "-"),
            text_of(article.get("inLanguage")),
        ),
    }
    limits = {"description": 1000, "lang": 35}
    return {
        field: next(
            (
                text
                for given in texts
                if given
                and (text := washing.text(unescape(given), limits.get(field, MAX_TITLE_CHARS)))
            ),
            "",
        )
        for field, texts in places.items()
    }


def _dates(named: Mapping[str, str], article: dict[str, Any], washing: Washing) -> dict[str, Any]:
    """Of each date the first that can be read, or else what is given first."""
    dates: dict[str, Any] = {}
    for field, key in (("published", "datePublished"), ("modified", "dateModified")):
        places = (*_given(named, f"{field}_at"), text_of(article.get(key)))
        texts = [text for given in places if (text := washing.text(given, 100))]
        best = next((text for text in texts if iso_date(text)), next(iter(texts), ""))
        dates |= {f"{field}_at": iso_date(best), f"{field}_given": best}
    return dates


def _given(named: Mapping[str, str], field: str) -> list[str]:
    return [named[name] for name in _NAMES[field] if name in named]


def _equivalent(root: etree._Element, name: str) -> str:
    """The content of the meta element that stands for a field of HTTP."""
    metas = (meta for meta in root.iter("meta") if meta.get("content"))
    found = (meta for meta in metas if (meta.get("http-equiv") or "").strip().lower() == name)
    return next((meta.get("content") or "" for meta in found), "")


def _canonical(
    links: tuple[alternates.NamedLink, ...], named: Mapping[str, str], addresses: Addresses
) -> str:
    canonical = (link.target.url for link in links if "canonical" in link.rel)
    return next(canonical, "") or web_address(named.get("og:url", ""), addresses)


def _favicon(links: tuple[alternates.NamedLink, ...]) -> str:
    icons = (link.target.url for rel in _ICONS for link in links if rel <= link.rel)
    return next(icons, "")


def _directives(text: str) -> tuple[str, ...]:
    words = (match[0].strip().lower() for match in _DIRECTIVE.finditer(text[:4096]))
    return tuple(dict.fromkeys(Washing().text(word, 200) for word in words))[:MAX_DIRECTIVES]


def _prefixed(
    named: Mapping[str, str], prefixes: tuple[str, ...], left_out: str
) -> list[tuple[str, str]]:
    return [
        (name.removeprefix(left_out), value)
        for name, value in named.items()
        if name.startswith(prefixes)
    ]


def _headings(found: tuple[PageHeading, ...], washing: Washing) -> tuple[PageHeading, ...]:
    washed = (
        heading._replace(text=text, id=washing.text(heading.id, 200))
        for heading in found[:MAX_HEADINGS]
        if (text := washing.text(heading.text, MAX_TITLE_CHARS))
    )
    return tuple(washed)
