"""Other forms of a page that it names, in its link elements and in the Link field (RFC 8288)."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from lxml import etree

from safefetch_cli.content.invisible import remove_invisible
from safefetch_cli.content.late_pattern import late
from safefetch_cli.content.visible import visible_line
from safefetch_cli.content.web_address import web_address
from safefetch_cli.content.writer.destinations import Addresses
from safefetch_cli.facts import Alternate

MAX_ALTERNATES = 200
MAX_TITLE_CHARS = 300
MAX_FIELD_CHARS = 16_384
"""So much of a Link field is read."""

FEED_TYPES = frozenset(
    ("application/rss+xml", "application/atom+xml", "application/rdf+xml", "application/feed+json")
)
MARKDOWN_TYPES = frozenset(("text/markdown", "text/x-markdown"))

_PARAMETER = late(
    r"""\s*+;\s*+(?P<name>[\w*-]++)
        (?:\s*+=\s*+(?:"(?P<quoted>(?:[^"\\]|\\.)*+)"|(?P<plain>[^\s",;]*+)))?+""",
    re.VERBOSE,
)
_LINK = late(
    r"""<(?P<href>[^<>]*+)>(?P<parameters>
        (?:\s*+;\s*+[\w*-]++(?:\s*+=\s*+(?:"(?:[^"\\]|\\.)*+"|[^\s",;]*+))?+)*+)""",
    re.VERBOSE,
)


class NamedLink(NamedTuple):
    """A link that is not in the text: `rel` holds its words in lower case."""

    rel: frozenset[str]
    target: Alternate


def named_links(root: etree._Element, addresses: Addresses) -> tuple[NamedLink, ...]:
    """The link elements of a page that lead to the web, in their order."""
    found = (_of_element(link, addresses) for link in root.iter("link"))
    return tuple(link for link in found if link is not None)


def _of_element(link: etree._Element, addresses: Addresses) -> NamedLink | None:
    return _named(link.get("rel"), link.get("href"), dict(link.items()), addresses)


def header_links(field: str, addresses: Addresses) -> tuple[NamedLink, ...]:
    """The links of a Link field; what is not well formed is skipped."""
    found = []
    if not field:
        return ()
    for match in _LINK.finditer(field[:MAX_FIELD_CHARS]):
        parameters: dict[str, str] = {}
        for one in _PARAMETER.finditer(match["parameters"]):
            value = re.sub(r"\\(.)", r"\1", one["quoted"] or "") or one["plain"] or ""
            parameters.setdefault(one["name"].lower(), value)
        found.append(_named(parameters.get("rel"), match["href"], parameters, addresses))
    return tuple(link for link in found if link is not None)


def feeds(links: tuple[NamedLink, ...]) -> tuple[Alternate, ...]:
    """The feeds among the links: `alternate` with the type of a feed."""
    return _distinct(link.target for link in _alternates(links) if link.target.type in FEED_TYPES)


def markdown_twins(links: tuple[NamedLink, ...]) -> tuple[Alternate, ...]:
    """The page itself as markdown."""
    twins = (link.target for link in _alternates(links) if link.target.type in MARKDOWN_TYPES)
    return _distinct(twins)


def translations(links: tuple[NamedLink, ...]) -> tuple[Alternate, ...]:
    """The page in other languages, and for other regions."""
    return _distinct(link.target for link in _alternates(links) if link.target.lang)


def site_text(links: tuple[NamedLink, ...]) -> str:
    """The address of the site's llms.txt, "" when none is named."""
    named = (
        link.target.url
        for link in links
        if link.rel & {"llms", "llms-txt", "llms.txt"} or link.target.url.endswith("/llms.txt")
    )
    return next(named, "")


def offers(links: tuple[NamedLink, ...]) -> tuple[str, ...]:
    """What the site has for language models, as stable words: markdown-twin, llms-txt."""
    flags = {"markdown-twin": bool(markdown_twins(links)), "llms-txt": bool(site_text(links))}
    return tuple(hint for hint, is_set in flags.items() if is_set)


def page_offers(root: etree._Element, addresses: Addresses) -> tuple[str, ...]:
    """The same of a page's link elements, most of which offer nothing and are not read."""
    found = (_of_element(link, addresses) for link in root.iter("link") if _may_offer(link))
    return offers(tuple(link for link in found if link is not None))


def _may_offer(link: etree._Element) -> bool:
    rel, href = (link.get("rel") or "").lower(), link.get("href") or ""
    return "alternate" in rel or "llms" in rel or "llms.txt" in href


def _alternates(links: tuple[NamedLink, ...]) -> Iterator[NamedLink]:
    return (link for link in links if "alternate" in link.rel and "stylesheet" not in link.rel)


def _distinct(found: Iterator[Alternate]) -> tuple[Alternate, ...]:
    by_url: dict[tuple[str, str], Alternate] = {}
    for alternate in found:
        by_url.setdefault((alternate.url, alternate.lang), alternate)
    return tuple(by_url.values())[:MAX_ALTERNATES]


def _named(
    rel: str | None, href: str | None, attributes: dict[str, str], addresses: Addresses
) -> NamedLink | None:
    url = web_address(href or "", addresses)
    if not url or not rel:
        return None
    target = Alternate(
        url=url,
        type=_line(attributes.get("type")).partition(";")[0].strip().lower(),
        title=_line(attributes.get("title")),
        lang=_line(attributes.get("hreflang")),
    )
    return NamedLink(frozenset(rel.lower().split()), target)


def _line(text: str | None) -> str:
    return remove_invisible(visible_line((text or "")[:MAX_TITLE_CHARS])).strip()
