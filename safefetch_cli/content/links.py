"""The links of a page: absolute, classified, each once."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, Literal

from lxml import etree

from safefetch_cli.content.alternates import feeds, named_links
from safefetch_cli.content.hidden import hidden_text
from safefetch_cli.content.instructions import looks_like_instructions
from safefetch_cli.content.invisible import remove_invisible
from safefetch_cli.content.parse import parse_html
from safefetch_cli.content.visible import visible_line, without_control_references
from safefetch_cli.content.web_address import site_of, web_address
from safefetch_cli.content.writer.destinations import Addresses
from safefetch_cli.errors import InvalidInput
from safefetch_cli.facts import Link, Links

Scope = Literal["all", "internal", "external"]

SCOPES: Final = ("all", "internal", "external")
MAX_LIMIT: Final = 2000
MAX_TEXT_CHARS: Final = 500
"""So much of the text of a link, and of its title, is told."""

_NO_TEXT: Final = frozenset(("script", "style", "template", "noscript"))
_LINKS: Final = frozenset(("a", "area"))
_INLINE_TAGS: Final = """
    a abbr acronym b bdi bdo big cite code del dfn em font i ins kbd label mark nobr q s samp small
    span strike strong sub sup time tt u var wbr
"""
_INLINE: Final = frozenset(_INLINE_TAGS.split())
_IN_SCOPE: Final = {"all": (True, False), "internal": (True,), "external": (False,)}


@dataclass
class _Anchor:
    """A link while it is read."""

    element: etree._Element
    hidden: bool
    words: list[str] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)  # of its images, and what of it is not seen

    @property
    def text(self) -> str:
        """Its words; for want of them its label, which is not seen."""
        words = _cleaned("".join(self.words), unseen=self.hidden)
        label = self.element.get("aria-label") or self.element.get("alt") or ""
        return words or _cleaned(" ".join(self.labels) or label, unseen=True)


def read_links(
    html: str,
    url: str,
    *,
    scope: Scope = "all",
    include_anchors: bool = False,
    deduplicate: bool = True,
    limit: int = 200,
) -> Links:
    """The links of a page's source, as `page_links`. Raises ProcessingLimit as `parse_html`."""
    root = parse_html(without_control_references(html))
    return page_links(
        etree.Element("html") if root is None else root,
        url,
        scope=scope,
        include_anchors=include_anchors,
        deduplicate=deduplicate,
        limit=limit,
    )


def page_links(
    root: etree._Element,
    url: str,
    *,
    scope: Scope = "all",
    include_anchors: bool = False,
    deduplicate: bool = True,
    limit: int = 200,
) -> Links:
    """The links of a page in document order; `url` is its final address.

    Only addresses of http and https are links: no scripts, data or mailboxes. A link is internal
    when its host, but for a leading `www.`, and its port are the page's; the default ports of http
    and https count as the same. Links to a part of the page itself are left out unless
    `include_anchors`. With `deduplicate` an address counts once, whatever its fragment, and the
    first link to it that has a text stands for it. At most `limit` links (1 to 2000) are listed;
    the counts are those before the limit. Raises InvalidInput for an argument out of range.
    """
    if scope not in SCOPES:
        raise InvalidInput(f"scope: {scope!r} is not one of {', '.join(SCOPES)}")
    if not 1 <= limit <= MAX_LIMIT:
        raise InvalidInput(f"limit: {limit} is not a number from 1 to {MAX_LIMIT}")
    addresses = Addresses.of(root, url)
    here = web_address(url, addresses).partition("#")[0]
    found = _links(root, addresses, here, include_anchors=include_anchors)
    if deduplicate:
        found = _distinct(found, here)
    scoped = [link for link in found if link.internal in _IN_SCOPE[scope]]
    internal = sum(link.internal for link in found)
    return Links(
        url=url,
        links=tuple(scoped[:limit]),
        feeds=feeds(named_links(root, addresses)),
        total=len(scoped),
        internal_total=internal,
        external_total=len(found) - internal,
    )


def _links(
    root: etree._Element, addresses: Addresses, here: str, *, include_anchors: bool
) -> list[Link]:
    site = site_of(here)
    found: list[Link] = []
    for anchor in _anchors(root):
        address = web_address(anchor.element.get("href") or "", addresses)
        page, _, fragment = address.partition("#")
        leads_here = page == here and "#" in (anchor.element.get("href") or "")
        if address and not (leads_here and not (include_anchors and fragment)):
            found.append(_link(anchor, address, site))
    return found


def _link(anchor: _Anchor, address: str, site: str) -> Link:
    rel = " ".join(visible_line((anchor.element.get("rel") or "")[:MAX_TEXT_CHARS]).lower().split())
    return Link(
        url=address,
        text=anchor.text,
        title=_cleaned(anchor.element.get("title") or "", unseen=True),
        rel=rel,
        internal=site_of(address) == site,
        nofollow="nofollow" in rel.split(),
    )


def _cleaned(text: str, *, unseen: bool) -> str:
    """The text in one line; "" where it is not seen and looks like instructions."""
    text = remove_invisible(visible_line(text[: 4 * MAX_TEXT_CHARS])).strip()
    if unseen and looks_like_instructions(text):
        return ""
    return text[:MAX_TEXT_CHARS].rstrip()


def _distinct(found: Iterable[Link], here: str) -> list[Link]:
    by_address: dict[str, Link] = {}
    for link in found:
        page = link.url.partition("#")[0]
        key = link.url if page == here else page  # parts of this page are told apart
        if key not in by_address or (link.text and not by_address[key].text):
            by_address[key] = link
    return list(by_address.values())


def _anchors(root: etree._Element) -> list[_Anchor]:
    """The links in document order. Text belongs to the innermost link around it."""
    unseen = hidden_text(root)
    hidden, silent = set(unseen.whole), set(unseen.own)
    depth = 0  # of hidden elements
    found: list[_Anchor] = []
    path: list[_Anchor] = []
    walker = etree.iterwalk(root, events=("start", "end"))
    for event, element in walker:
        if event == "start":
            depth += element in hidden
            if element.tag in _NO_TEXT:
                walker.skip_subtree()
                continue
            if element.tag in _LINKS and element.get("href") is not None:
                path.append(_Anchor(element, depth > 0))
                found.append(path[-1])
            _enter(path, element, seen=not depth and element not in silent)
            continue
        depth -= element in hidden
        if path and path[-1].element is element:
            path.pop()
        is_seen = not depth and element.getparent() not in silent
        _add(path, f" {element.tail or ''}" if _is_block(element) else element.tail, seen=is_seen)
    return found


def _enter(path: list[_Anchor], element: etree._Element, *, seen: bool) -> None:
    if path and element.tag == "img":
        path[-1].labels.append(element.get("alt") or "")
    _add(path, f" {element.text or ''}" if _is_block(element) else element.text, seen=seen)


def _add(path: list[_Anchor], text: str | None, *, seen: bool) -> None:
    if path and text:
        (path[-1].words if seen or path[-1].hidden else path[-1].labels).append(text)


def _is_block(element: etree._Element) -> bool:
    return element.tag not in _INLINE
