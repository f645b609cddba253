"""What a page tells about itself: title, writer, site, language, date, description, address."""

import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple
from urllib.parse import urljoin

from lxml import etree

from safefetch_cli.content.attribute_values import attribute_values
from safefetch_cli.content.heading_ids import outer_headings
from safefetch_cli.content.invisible import remove_invisible
from safefetch_cli.content.linked_data import linked_data, types
from safefetch_cli.content.short_text import begin_of_text
from safefetch_cli.content.titles import article_title
from safefetch_cli.content.visible import visible_line

_ARTICLES = frozenset(
    [
        "Article",
        "AdvertiserContentArticle",
        "NewsArticle",
        "AnalysisNewsArticle",
        "AskPublicNewsArticle",
        "BackgroundNewsArticle",
        "OpinionNewsArticle",
        "ReportageNewsArticle",
        "ReviewNewsArticle",
        "Report",
        "SatiricalArticle",
        "ScholarlyArticle",
        "MedicalScholarlyArticle",
        "SocialMediaPosting",
        "BlogPosting",
        "LiveBlogPosting",
        "DiscussionForumPosting",
        "TechArticle",
        "APIReference",
    ]
)
_META = {
    "title": (
        "dc:title", "dcterm:title", "og:title", "weibo:article:title", "weibo:webpage:title",
        "title", "twitter:title", "parsely-title",
    ),
    "byline": ("dc:creator", "dcterm:creator", "author", "parsely-author", "article:author"),
    "site_name": ("og:site_name",),
    "published_at": (
        "article:published_time", "parsely-pub-date", "datepublished", "dc:date", "date",
    ),
    "description": ("dc:description", "og:description", "description", "twitter:description"),
}  # fmt: skip
_SPELLINGS = re.compile(r"^(?:og:(?=article:))?(dc|dcterm|og|twitter|article)s?[.:]")
_BYLINES = ("byline", "author", "dateline", "writtenby")
_LONGEST_BYLINE = 100
_LARGEST_BYLINE = 200  # elements


class PageMetadata(NamedTuple):
    """What the page says; each field is "" where it says nothing."""

    title: str = ""
    byline: str = ""
    site_name: str = ""
    published_at: str = ""
    lang: str = ""
    description: str = ""
    canonical_url: str = ""


def page_metadata(root: etree._Element, url: str) -> PageMetadata:
    """The metadata of a page, before anything is taken out of it; `url` is its own address."""
    named = named_metas(root)
    data = article_of(root)
    title = " ".join((root.findtext("head/title") or root.findtext(".//title") or "").split())
    site = _tidy(name_of(data.get("publisher")) or _first(named, "site_name"))
    title = _tidy(_headline(data, title) or _first(named, "title") or _title(root, title))
    return PageMetadata(
        title=title,
        byline=_tidy(authors_of(data) or byline_among(named) or visible_byline(root)),
        site_name=site,
        published_at=_tidy(text_of(data.get("datePublished")) or _first(named, "published_at")),
        lang=_tidy(root.get("lang") or root.get("xml:lang") or ""),
        description=_tidy(text_of(data.get("description")) or _first(named, "description")),
        canonical_url=_canonical(root, url),
    )


def _tidy(text: str) -> str:
    if "&" in text:
        from html import unescape  # takes long to load; few texts hold a reference twice escaped

        text = unescape(text)
    return remove_invisible(visible_line(text))


def named_metas(root: etree._Element) -> dict[str, str]:
    """The named meta elements; of a name that is repeated the first with content."""
    found: dict[str, str] = {}
    for attribute in ("property", "name", "itemprop"):
        for meta in root.iter("meta"):
            content = (meta.get("content") or "").strip()
            for name in (meta.get(attribute) or "").lower().split() if content else ():
                found.setdefault(_SPELLINGS.sub(r"\1:", name), content)
    return found


def _first(named: dict[str, str], field: str) -> str:
    return next((named[name] for name in _META[field] if name in named), "")


def article_of(root: etree._Element) -> dict[str, Any]:
    """The first article among the JSON-LD objects of a page, {} when there is none."""
    nodes = linked_data(root)
    return next((node for node in nodes if types(node) & _ARTICLES), {})


def _headline(data: dict[str, Any], title: str) -> str:
    """The headline or the name of the article: where both are given, the one the title repeats."""
    name, headline = text_of(data.get("name")), text_of(data.get("headline"))
    if name and headline and name != headline:
        return name if _alike(name, title) and not _alike(headline, title) else headline
    return name or headline


def _alike(one: str, other: str) -> bool:
    words = set(one.lower().split())
    return bool(words) and len(words & set(other.lower().split())) > 0.75 * len(words)


def authors_of(data: dict[str, Any]) -> str:
    """The names of the authors of a JSON-LD object."""
    author = data.get("author")
    listed = author if isinstance(author, list) else [author]
    names = (name_of(one) for one in listed if isinstance(one, dict))
    return ", ".join(dict.fromkeys(name for name in names if name))


def name_of(value: Any) -> str:
    """The name of a JSON-LD object, "" of anything else."""
    return text_of(value.get("name")) if isinstance(value, dict) else ""


def text_of(value: Any) -> str:
    """The value when it is a text, else ""."""
    return value.strip() if isinstance(value, str) else ""


def byline_among(named: dict[str, str]) -> str:
    """The writer that meta elements name; an address of a profile is no name."""
    names = (named[name] for name in _META["byline"] if name in named)
    return next((name for name in names if not name.startswith(("http:", "https:"))), "")


def visible_byline(root: etree._Element) -> str:
    """The writer by what a page shows in an element that is marked so."""
    marks = {name: _marking_values(root, name) for name in _MARKING}
    marks = {name: values for name, values in marks.items() if values}
    for element in root.iterfind("body//*") if marks else ():
        if not any(element.get(name) in values for name, values in marks.items()):
            continue
        begin, is_whole = begin_of_text(element, _LARGEST_BYLINE)
        text = _tidy(begin) if is_whole else ""
        if 0 < len(text) < _LONGEST_BYLINE:
            return _named_inside(element) or text
    return ""


def _marking_values(root: etree._Element, name: str) -> set[str]:
    """The values of an attribute on a page that mark the writer."""
    values, marks = attribute_values(root, name), _MARKING[name]
    return set(filter(marks, values)) if _names_writer("\n".join(values)) else set()


def _names_writer(name: str) -> bool:
    name = name.lower()
    return any(word in name for word in _BYLINES)


_MARKING: dict[str, Callable[[str], bool]] = {
    "class": _names_writer,
    "id": _names_writer,
    "rel": lambda value: value == "author",
    "itemprop": lambda value: "author" in value,
}


def _named_inside(element: etree._Element) -> str:
    named = next((one for one in element.iter() if one.get("itemprop") == "name"), None)
    return "" if named is None else _tidy("".join(named.itertext()))


def _title(root: etree._Element, title: str) -> str:
    return article_title(title, list(_headings(root)))


def _headings(root: etree._Element) -> Iterator[str]:
    for heading in outer_headings(root, "h1", "h2"):
        yield "".join(heading.itertext())


def _canonical(root: etree._Element, url: str) -> str:
    for link in root.iter("link"):
        if "canonical" in (link.get("rel") or "").lower().split() and link.get("href"):
            try:
                return urljoin(url, (link.get("href") or "").strip())
            except ValueError:
                return ""
    return ""
