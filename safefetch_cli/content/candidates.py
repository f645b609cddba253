"""The core of a page: readability's choice among its elements, widened to what belongs to it."""

import logging
import re
from collections.abc import Iterator

from readability import Document

from safefetch_cli.content.page_map import HEADINGS, PageMap

# readability logs each page it cannot read; whether a page was read is told by the result.
logging.getLogger("readability").addHandler(logging.NullHandler())

_PARAGRAPHS = frozenset(("p", "pre", "td", "blockquote"))
_LEAVES = frozenset(("div", "section", "dd"))
_BLOCK_TAGS = """
    address article aside blockquote center dd details div dl dt fieldset figure footer form h1 h2
    h3 h4 h5 h6 header li main nav ol p pre section table tbody td tr ul
"""
_BLOCKS = frozenset(_BLOCK_TAGS.split())
_HOLDERS = frozenset(("body", "div", "main", "article", "section", "center", "form"))
_LAYOUT = frozenset(("table", "tbody", "tr", "td"))
_PROSE = frozenset(("p", "pre", "blockquote", "table", "ul", "ol", "dl", "h2", "h3", "h4"))
_CONTENT = re.compile(r"(?<![a-z])(?:article|content|entry|post|story|main|body|text)(?![a-z])")

_LEAST_SCORE = 10.0
_PARAGRAPH = 80
_FEW_LINKS = 0.25
_LEAST_PART = 0.25
_PART_LINKS = 0.3
_PROSE_LINKS = 0.4
_LIST_LINKS = 0.6
_TOLD = 15
_ALIKE = 0.5
_ARTICLE = 100
_MOST_ARTICLES = 2
_NEARLY_ALL = 0.99
_LARGE_CORE = 1_000
_FEWEST_PLACES = 3


class _Scores(Document):  # type: ignore[misc]
    """Readability's scores of the elements, over lengths that are known already."""

    def __init__(self, page: PageMap, outer: int) -> None:
        super().__init__("")
        self._page = page
        self.of: dict[int, float] = {}
        for number in _paragraphs(page, outer):
            if page.text[number] >= self.min_text_length:
                self._add(number)
        for number in self.of:
            self.of[number] *= 1 - page.links[number] / max(page.text[number], 1)

    def _add(self, number: int) -> None:
        page = self._page
        score = 2 + _commas(page, number) + min(page.text[number] / 100, 3)
        parent = page.parent[number]
        for holder, weight in ((parent, 1.0), (page.parent[parent], 0.5)):
            if holder not in self.of:
                self.of[holder] = self.score_node(page.elements[holder])["content_score"]
            self.of[holder] += score * weight


def _paragraphs(page: PageMap, outer: int) -> Iterator[int]:
    """Paragraphs by their tag, and blocks without a block inside."""
    has_block = bytearray(len(page.elements))
    for number in range(page.end[outer] - 1, outer, -1):
        if page.gone[number]:
            continue
        if has_block[number] or page.tags[number] in _BLOCKS:
            has_block[page.parent[number]] = 1
    for number in page.inside(outer):
        tag = page.tags[number]
        if tag in _PARAGRAPHS or (tag in _LEAVES and not has_block[number]):
            yield number


def _commas(page: PageMap, number: int) -> int:
    text = "".join(page.elements[number].itertext())
    return text.count(",") if text.isascii() else sum(map(text.count, ",、\uff0c"))


def choose_core(page: PageMap, outer: int) -> int:
    """The element that readability takes for the article, or its parent if others belong to it."""
    scores = _Scores(page, outer).of
    best = max(scores, key=scores.__getitem__, default=outer)
    if best == outer or not page.holds(outer, best):
        return outer
    threshold = max(_LEAST_SCORE, scores[best] * 0.2)
    parent = page.parent[best]
    siblings = (sibling for sibling in page.children(parent) if sibling != best)
    belongs = any(
        scores.get(sibling, 0.0) >= threshold
        or _is_paragraph(page, sibling)
        or _is_twin(page, best, sibling)
        for sibling in siblings
    )
    return parent if belongs else best


def _is_paragraph(page: PageMap, number: int) -> bool:
    text = page.text[number]
    return page.tags[number] == "p" and text > _PARAGRAPH and page.links[number] < _FEW_LINKS * text


def _is_twin(page: PageMap, best: int, sibling: int) -> bool:
    """Whether the sibling is a further part of the same kind: same tag, same class, much text."""
    names = page.elements[best].get("class")
    is_alike = bool(names) and page.elements[sibling].get("class") == names
    return (
        page.tags[sibling] == page.tags[best]
        and (is_alike or page.tags[best] in ("article", "section"))
        and page.plain(sibling) >= _LEAST_PART * page.plain(best)
        and page.links[sibling] < _PART_LINKS * page.text[sibling]
    )


def widen(page: PageMap, core: int, outer: int) -> int:
    """The core, or the widest container of content that adds more plain text than links."""
    best = core
    for ancestor in page.ancestors(core):
        if ancestor < outer:
            break
        plain = page.plain(ancestor) - page.plain(best)
        links = page.links[ancestor] - page.links[best]
        if plain > links and _is_container(page, ancestor) and not _is_listing(page, ancestor):
            best = ancestor
    return best


def _is_container(page: PageMap, number: int) -> bool:
    element = page.elements[number]
    return (
        page.tags[number] in ("article", "main")
        or element.get("role") == "main"
        or "articleBody" in (element.get("itemprop") or "")
        or bool(_CONTENT.search(page.names(number).lower().replace("_", "-")))
    )


def _is_listing(page: PageMap, number: int) -> bool:
    """Whether several articles stand side by side in it."""
    count = until = 0
    for inner in page.inside(number):
        if inner >= until and page.tags[inner] == "article" and page.text[inner] > _ARTICLE:
            count += 1
            until = page.end[inner]
    return count > _MOST_ARTICLES


def is_told_list(page: PageMap, number: int) -> bool:
    """Whether this is a list whose items say something beside their links."""
    if page.tags[number] not in ("ul", "ol"):
        return False
    items = sum(page.tags[child] == "li" for child in page.children(number))
    return page.plain(number) >= _TOLD * items > 0


def refine(page: PageMap, first: int, core: int) -> None:
    """Mark what follows the first choice inside the widened core and is not prose."""
    least = _LEAST_PART * page.plain(first)
    while first != core:
        parent = page.parent[first]
        names = page.elements[first].get("class")
        stays = goes_on = False
        for sibling in reversed([child for child in page.children(parent) if child > first]):
            is_alike = bool(names) and page.elements[sibling].get("class") == names
            # A heading that is a link stays with the text it heads.
            enough = least * (_ALIKE if is_alike else 1)
            if is_alike and goes_on:
                enough = min(enough, _PARAGRAPH)
            stays = (stays and page.tags[sibling] in HEADINGS) or _is_prose(page, sibling, enough)
            goes_on = goes_on or (stays and is_alike)
            if not stays:
                page.drop(sibling)
        first = parent
    page.settle()


def _is_prose(page: PageMap, number: int, least: float) -> bool:
    text = page.text[number]
    links = _LIST_LINKS if page.tags[number] in ("ul", "ol", "dl") else _PROSE_LINKS
    if page.links[number] > links * text:
        return is_told_list(page, number) or is_contents(page, number)
    return not text or page.tags[number] in _PROSE or page.plain(number) >= least


def is_contents(page: PageMap, number: int) -> bool:
    """Whether this is a table of contents: its links lead to several places in the page itself."""
    links = (inner for inner in page.inside(number) if page.tags[inner] == "a")
    targets = {page.elements[link].get("href", "") for link in links} - {""}
    return len(targets) >= _FEWEST_PLACES and all(
        target.startswith("#") and len(target) > 1 for target in targets
    )


def narrow(page: PageMap, outer: int) -> int:
    """The innermost holder of all the plain text but a trace."""
    least = _NEARLY_ALL * page.plain(outer)
    while least:
        inner = next((child for child in page.children(outer) if page.plain(child) >= least), 0)
        if not inner or page.tags[inner] not in _HOLDERS | _LAYOUT:
            break
        outer = inner
    return outer


def roomier(page: PageMap, core: int, outer: int, share: float) -> int:
    """For a core that is small in its page: the nearest ancestor that holds `share` of the text."""
    whole = page.plain(outer)
    if page.plain(core) >= _LARGE_CORE and page.plain(core) > share / 2 * whole:
        return core
    ancestors = (up for up in page.ancestors(core) if up > outer)
    return next((up for up in ancestors if page.plain(up) >= share * whole), outer)
