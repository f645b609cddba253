"""A feed as a page: RSS 0.9 to 2.0, RSS 1.0 (RDF) and Atom (RFC 4287), each entry in full.

Feeds are read as they come: with stray ampersands, entities of HTML, prefixes that nobody declared.
Declarations of a document type are cut off before, so that no entity is ever expanded.
"""

import re
from collections.abc import Iterator
from html import unescape
from typing import Final, NamedTuple
from urllib.parse import urljoin

from lxml import etree

from safefetch_cli.content.clean import clean
from safefetch_cli.content.dates import iso_date
from safefetch_cli.content.feed_content import Content, element_content
from safefetch_cli.content.invisible import remove_invisible
from safefetch_cli.content.media import prolog_end
from safefetch_cli.content.parse import parse_html
from safefetch_cli.content.plain import plain_text
from safefetch_cli.content.visible import visible_line, without_control_references
from safefetch_cli.errors import ProcessingLimit

MAX_ENTRIES: Final = 500
MAX_SUMMARY_CHARS: Final = 300
MAX_TITLE_CHARS: Final = 300
MAX_MARKUP_CHARS: Final = 20_000
"""So much of a title or description is looked at."""

ROOTS: Final = frozenset(("rss", "feed", "RDF"))

_AMPERSAND = re.compile(
    r"(?P<kept><!\[CDATA\[.*?(?:\]\]>|\Z)|<!--.*?(?:-->|\Z)|&(?:amp|lt|gt|quot|apos|\#[0-9]+|\#x[0-9a-f]+);)"
    r"|&(?P<name>[a-z][a-z0-9]*;)?",
    re.IGNORECASE | re.DOTALL,
)
_UNREAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")

_TITLES = ("title",)
_DATES = ("pubDate", "published", "date", "updated", "modified", "issued")
_CONTENTS = ("encoded", "content", "description", "summary")
_ADDRESSES = ("link", "guid", "id", "origLink")


class Entry(NamedTuple):
    """One entry; texts are "" where the feed says nothing. `url` is absolute."""

    title: str
    url: str
    date: str
    content: Content | None

    @property
    def hints(self) -> tuple[str, ...]:
        """What was taken out of the content, in the words of `clean`."""
        return self.content.hints if self.content else ()


class Feed(NamedTuple):
    """A feed: what it says of itself and its first entries."""

    title: str
    description: str
    lang: str
    url: str
    entries: tuple[Entry, ...]
    left_out: int  # entries beyond MAX_ENTRIES


def read_feed(text: str, url: str) -> Feed | None:
    """The feed in an XML text; None when it is none, or too broken to be one. Linear.

    `url` is the feed's own address. Addresses are relative to the nearest xml:base; without one
    those of RSS, which says nothing of it, are relative to the site that the feed is of, and those
    of Atom to the feed. Titles are plain text, cut to their bounds. An entry's content is what it
    gives in full; its summary where that is nothing.
    """
    root = _parsed(text)
    if root is None or _name(root) not in ROOTS:
        return None
    channel = next((child for child in root if _name(child) == "channel"), root)
    found = [child for parent in (root, channel) for child in parent if _is_entry(child)]
    entries = list(dict.fromkeys(found))
    site = joined(url, _address(channel))
    base = url if _name(root) == "feed" else site or url
    return Feed(
        title=_line(channel, _TITLES, MAX_TITLE_CHARS),
        description=_line(channel, ("description", "subtitle", "tagline"), MAX_SUMMARY_CHARS),
        lang=_line(channel, ("language",), 35) or (root.get(_XML + "lang") or ""),
        url=site,
        entries=tuple(_entry(entry, base) for entry in entries[:MAX_ENTRIES]),
        left_out=max(0, len(entries) - MAX_ENTRIES),
    )


def feed_page(feed: Feed) -> etree._Element:
    """A feed as an element tree of HTML: a heading, a line about it, and a section per entry."""
    page = etree.Element("div")
    if feed.title:
        etree.SubElement(page, "h1").text = feed.title
    if feed.description:
        etree.SubElement(page, "p").text = feed.description
    for entry in feed.entries:
        _add_entry(etree.SubElement(page, "section"), entry)
    return page


def joined(base: str, address: str) -> str:
    """An address in a feed as an absolute one; "" for none."""
    try:
        return urljoin(base, address) if address else ""
    except ValueError:  # brackets that hold no IPv6 address
        return address


def short_line(text: str, limit: int = MAX_TITLE_CHARS) -> str:
    """A text in one line without invisible characters, cut at a word to `limit` characters."""
    line = remove_invisible(visible_line(text)).strip()
    if len(line) <= limit:
        return line
    return f"{line[:limit].rpartition(' ')[0] or line[:limit]}\u2026"


_XML = "{http://www.w3.org/XML/1998/namespace}"


def _add_entry(section: etree._Element, entry: Entry) -> None:
    heading = etree.SubElement(section, "h2")
    title = etree.SubElement(heading, "a", href=entry.url) if entry.url else heading
    title.text = entry.title or entry.url or "(no title)"
    if entry.date:
        etree.SubElement(section, "p").text = entry.date
    if entry.content:
        section.append(entry.content.tree)


def _parsed(text: str) -> etree._Element | None:
    source = _UNREAL.sub("", without_control_references(text[prolog_end(text) :]))
    parser = etree.XMLParser(
        encoding="utf-8",
        recover=True,
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    data = _AMPERSAND.sub(_reference, source).strip().encode("utf-8")
    try:
        return etree.fromstring(data, parser) if data else None
    except etree.XMLSyntaxError:
        return None


def _reference(match: re.Match[str]) -> str:
    """A reference that XML knows, or what stands for another: a character, or the sign itself."""
    if match["kept"]:
        return match["kept"]
    name = match["name"] or ""
    character = unescape(f"&{name}") if name else ""
    return character if len(character) == 1 else f"&amp;{name}"


def _name(element: etree._Element) -> str:
    """The name without its namespace or prefix, "" of what is no element."""
    tag = element.tag
    return re.split("[}:]", tag)[-1] if isinstance(tag, str) else ""


def _is_entry(element: etree._Element) -> bool:
    return _name(element) in ("item", "entry")


def _entry(element: etree._Element, base: str) -> Entry:
    given = _line(element, _DATES, 100)
    contents = (
        element_content(child, _base(child, base)) for child in _children(element, _CONTENTS)
    )
    return Entry(
        title=_line(element, _TITLES, MAX_TITLE_CHARS),
        url=joined(_base(element, base), _address(element)),
        date=iso_date(given) or given,
        content=next((content for content in contents if content), None),
    )


def _base(element: etree._Element, base: str) -> str:
    """What the addresses in an element are relative to."""
    return joined(base, element.base or "") or base


def _children(element: etree._Element, names: tuple[str, ...]) -> Iterator[etree._Element]:
    """The children of these names; those of the first name come first."""
    for name in names:
        for child in element:
            # Media and iTunes have titles of their own, which are another thing's.
            if _name(child) == name and not _is_foreign(child):
                yield child


def _is_foreign(element: etree._Element) -> bool:
    tag = str(element.tag)
    return "search.yahoo.com/mrss" in tag or tag.startswith(("media:", "itunes:"))


def _line(element: etree._Element, names: tuple[str, ...], limit: int) -> str:
    """The first of the children that has a text, as plain text in one line."""
    lines = (_plain(child) for child in _children(element, names))
    return short_line(next((line for line in lines if line), ""), limit)


def _plain(element: etree._Element) -> str:
    text = (" " if len(element) else "").join(element.itertext()).strip()[:MAX_MARKUP_CHARS]
    if "<" not in text and "&" not in text:
        return visible_line(text)
    try:
        root = parse_html(without_control_references(text))
    except ProcessingLimit:
        return ""
    if root is None:
        return ""
    clean(root)
    return visible_line(plain_text(root))


def _address(element: etree._Element) -> str:
    """Where an entry leads: its link to the web page, or an identifier that is an address."""
    for child in _children(element, _ADDRESSES):
        rel = child.get("rel") or "alternate"
        address = (child.get("href") or child.text or "").strip()
        is_link = _name(child) in ("link", "origLink")
        if rel == "alternate" and (address if is_link else address.startswith("http")):
            return address
    return ""
