"""The core of a page: readability's choice among the elements, widened to what belongs to it."""

import logging
import re
from collections.abc import Iterator

from lxml import etree
from readability import Document

from safefetch_cli.content.page_map import PageMap

logging.getLogger("readability").addHandler(logging.NullHandler())

_PARAGRAPHS = frozenset(("p", "pre", "td", "blockquote"))
_BLOCKS = frozenset(
    "address article aside blockquote center dd details div dl dt fieldset figure footer form "
    "h1 h2 h3 h4 h5 h6 header li main nav ol p pre section table tbody td tr ul".split()
)
_HOLDERS = frozenset("body div main article section center form table tbody tr td".split())
_CONTENT_NAMES = re.compile(
    r"(?<![a-z])(?:article|content|entry|post|story|main|body|text)(?![a-z])"
)


class _Chooser(Document):  # type: ignore[misc]
    """Readability's scores over a page whose lengths are known already."""

    def __init__(self, page: PageMap) -> None:
        super().__init__("")
        self.page = page

    def best(self, outer: int) -> tuple[int, dict[int, float]]:
        """The number of the best element, or of the outermost; and the scores."""
        scores = self._scores(outer)
        if not scores:
            return outer, scores
        return max(scores, key=scores.__getitem__), scores

    def _scores(self, outer: int) -> dict[int, float]:
        page = self.page
        scores: dict[int, float] = {}
        for number in self._paragraphs(outer):
            length = page.text[number]
            if length < self.min_text_length:
                continue
            commas = _commas(page, number)
            score = 1 + commas + min(length / 100, 3)
            parent = page.parent[number]
            for node, weight in ((parent, 1.0), (page.parent[parent], 0.5)):
                if node not in scores:
                    scores[node] = self.score_node(page.elements[node])["content_score"]
                scores[node] += score * weight
        for number in scores:
            density = page.links[number] / max(page.text[number], 1)
            scores[number] *= 1 - density
        return scores

    def _paragraphs(self, outer: int) -> Iterator[int]:
        page = self.page
        has_block = bytearray(len(page.elements))
        inner = list(page.inside(outer))
        for number in reversed(inner):
            tag = page.tags[number]
            if tag in _BLOCKS or has_block[number]:
                has_block[page.parent[number]] = 1
        for number in inner:
            tag = page.tags[number]
            if tag in _PARAGRAPHS or (tag in ("div", "section", "dd") and not has_block[number]):
                yield number


def _commas(page: PageMap, number: int) -> int:
    element = page.elements[number]
    return (
        sum(text.count(",") + text.count("、") + text.count("，") for text in element.itertext())
        + 1
    )


def choose_core(page: PageMap, outer: int) -> int:
    """The number of the element that holds the main text."""
    chooser = _Chooser(page)
    best, scores = chooser.best(outer)
    if best == outer or not page.holds(outer, best):
        return outer
    return _with_siblings(page, best, scores)


def _with_siblings(page: PageMap, best: int, scores: dict[int, float]) -> int:
    threshold = max(10.0, scores[best] * 0.2)
    parent = page.parent[best]
    for sibling in page.children(parent):
        if sibling == best:
            continue
        if scores.get(sibling, 0.0) >= threshold or _is_twin(page, best, sibling):
            return parent
        if (
            page.tags[sibling] == "p"
            and page.text[sibling] > 80
            and page.links[sibling] < 0.25 * page.text[sibling]
        ):
            return parent
    return best


def _is_twin(page: PageMap, best: int, sibling: int) -> bool:
    """Whether the sibling is a further part of the same kind: same tag, same class, much text."""
    names = page.elements[best].get("class")
    return (
        bool(names)
        and page.tags[sibling] == page.tags[best]
        and page.elements[sibling].get("class") == names
        and page.plain(sibling) >= 0.25 * page.plain(best)
        and page.links[sibling] < 0.3 * page.text[sibling]
    )


def widen(page: PageMap, core: int, outer: int) -> int:
    """The core, or an ancestor that adds more plain text than links."""
    best = core
    for ancestor in page.ancestors(core):
        if not page.holds(outer, ancestor) or page.tags[ancestor] in ("html",):
            break
        more_plain = page.plain(ancestor) - page.plain(best)
        more_links = page.links[ancestor] - page.links[best]
        if (
            _is_container(page, ancestor)
            and more_plain > more_links
            and not _many_articles(page, ancestor)
        ):
            best = ancestor
    return best


def narrow(page: PageMap, outer: int, share: float = 0.99) -> int:
    """The innermost element that still holds that share of the plain text."""
    whole = page.plain(outer)
    if not whole:
        return outer
    while True:
        inner = next((n for n in page.children(outer) if page.plain(n) >= share * whole), 0)
        if not inner or page.tags[inner] not in _HOLDERS:
            return outer
        outer = inner


def roomier(page: PageMap, core: int, outer: int, share: float) -> int:
    """The nearest ancestor of a small core that holds a good part of the page's text."""
    whole = page.plain(outer)
    if page.plain(core) >= 1000 and page.plain(core) > 0.5 * share * whole:
        return core
    for ancestor in page.ancestors(core):
        if ancestor <= outer:
            break
        if page.plain(ancestor) >= share * whole:
            return ancestor
    return outer


def _is_container(page: PageMap, number: int) -> bool:
    element = page.elements[number]
    tag = page.tags[number]
    if tag in ("article", "main") or element.get("role") == "main":
        return True
    if "articleBody" in (element.get("itemprop") or ""):
        return True
    names = f"{element.get('class') or ''} {element.get('id') or ''}".lower().replace("_", "-")
    return bool(_CONTENT_NAMES.search(names))


def _many_articles(page: PageMap, number: int) -> bool:
    articles = [n for n in page.inside(number) if page.tags[n] == "article" and page.text[n] > 100]
    outermost = 0
    until = 0
    for n in articles:
        if n >= until:
            outermost += 1
            until = page.end[n]
    return outermost > 2


def refine(page: PageMap, first: int, core: int) -> None:
    """Mark what stands beside the first choice inside the widened core and is not prose."""
    need = 0.25 * page.plain(first)
    at = first
    while at != core:
        parent = page.parent[at]
        for sibling in list(page.children(parent)):
            if sibling > at and not _is_prose(page, sibling, need):
                page.drop(sibling)
        at = parent
    page.settle()


def _is_prose(page: PageMap, number: int, need: float) -> bool:
    text = page.text[number]
    if not text:
        return True
    if page.links[number] > 0.4 * text:
        return False
    tag = page.tags[number]
    if tag in ("p", "pre", "blockquote", "table", "ul", "ol", "dl", "h2", "h3", "h4"):
        return True
    return page.plain(number) >= need
