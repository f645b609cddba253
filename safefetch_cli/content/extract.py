"""A page to its main part.

The order of judgement: what is boilerplate by its nature goes first; then the kind of page decides.
A discussion keeps its posts; documentation keeps all of its main part; of anything else readability
chooses the core, which is widened to what belongs to it and freed of what does not. A result that
lost too much is replaced by a better one, at last by the whole page.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

from lxml import etree

from safefetch_cli.content.boilerplate import prune, restore_repeated
from safefetch_cli.content.candidates import choose_core, narrow, refine, roomier, widen
from safefetch_cli.content.captions import tell_pictures
from safefetch_cli.content.data_tables import in_data_tables
from safefetch_cli.content.instructions import looks_like_instructions
from safefetch_cli.content.kinds import is_discussion, is_documentation
from safefetch_cli.content.lead import add_lead, drop_above_title, drop_dateline, drop_leading_rules
from safefetch_cli.content.page_map import PageMap, cut
from safefetch_cli.content.trim import trim_article

_SHORT_PAGE = 3_000
_FEW_LINKS = 0.5
_SHORT_MAIN = 200
_LEAST_SHARE = 0.2
_LEAST_POSTS = 0.1
_SMALL_CORE = 0.25
_ROOMIER = 0.6
_LONG_NOTE = 80
_ON_SCRIPTS = re.compile(r"script|browser|enable|cookie|activate|</?\w", re.IGNORECASE)
_UNSEEN_TAGS = (
    "canvas datalist frame frameset head iframe noframes noscript script style svg template"
)
_UNSEEN = frozenset(_UNSEEN_TAGS.split())


class Extracted(NamedTuple):
    """The part of a page that is its content, in the page's own tree.

    `extraction` tells how it was found:
    main - one part of the page was recognised as its content;
    main-merged - the content stood in several parts, which were brought together: the posts of a
    discussion, a title and a lead with their article;
    fallback-full - no part was convincing, this is the page without its evident boilerplate;
    full - the whole page: it was asked for, it is a snippet without a head, or it is so plain that
    nothing in it is boilerplate.
    """

    tree: etree._Element
    extraction: str


def extract(root: etree._Element, url: str, *, whole: bool) -> Extracted:
    """The main part of a cleaned page, or all of it when `whole`.

    The tree is changed: what does not belong to the result is cut out of it. `url` is the page's
    own address, which is evidence for the kind of page it is.
    """
    if whole or root.find("head") is None:
        return _whole(root)
    page = _mapped(root)
    body = _body(page)
    if not page.text[body]:
        return _whole(root)
    everything = page.checkpoint()
    main = _discussion(page, body, url) or _main_part(page, body, url)
    if main is not None:
        return main
    if not page.text[body]:
        page.back_to(everything)
    return _cut(page, body, "fallback-full")


def _mapped(root: etree._Element) -> PageMap:
    """The page as a reader sees it, with what is there for readers without scripts and is text."""
    page = PageMap(root)
    notes = _notes(root, lambda: page.plain(_body(page)))
    for note in notes:
        note.tag = "div"
    return PageMap(root) if notes else page


def _notes(root: etree._Element, size: Callable[[], int]) -> list[etree._Element]:
    """What is there for readers without scripts, and is text of the page.

    That is what is more than all other text, the size of which is asked for, and what is so long
    that it is more than a request to switch on scripts.
    """
    texts = {part: " ".join("".join(part.itertext()).split()) for part in root.iter("noscript")}
    if not any(texts.values()):
        return []
    notes = {part for part, text in texts.items() if _is_note(text)}
    largest = max(texts, key=lambda part: len(texts[part]))
    if len(texts[largest]) > size():
        notes.add(largest)
    return [part for part in notes if not looks_like_instructions(texts[part])]


def _is_note(text: str) -> bool:
    return len(text) >= _LONG_NOTE and not _ON_SCRIPTS.search(text)


def _whole(root: etree._Element) -> Extracted:
    """All that a reader sees, with what is there for readers without scripts and is text."""
    body = next(root.iter("body"), root)
    for note in _notes(body, lambda: _shown(body)):
        note.tag = "div"
    cut(body, [element for element in body.iter(*_UNSEEN) if not _is_picture(element)])
    # Without any text it may still show something: a picture, a rule.
    return Extracted(body, "full")


def _shown(body: etree._Element) -> int:
    """The characters of text that readers with scripts see."""
    size = 0
    walker = etree.iterwalk(body, events=("start", "end"))
    for event, element in walker:
        if event == "start" and element.tag in _UNSEEN:
            walker.skip_subtree()
            continue
        text = element.text if event == "start" else element.tail
        if text and (event == "start" or element is not body):
            size += len(text.strip())
    return size


def _has_text(element: etree._Element) -> bool:
    return any(not text.isspace() for text in element.itertext())


def _is_picture(element: etree._Element) -> bool:
    """Whether this is the picture of readers without scripts, and no text of theirs."""
    return element.tag == "noscript" and not _has_text(element)


def _cut(page: PageMap, part: int, extraction: str) -> Extracted:
    drop_leading_rules(page, part)
    return Extracted(page.cut_marked(part), extraction)


def _body(page: PageMap) -> int:
    return next((number for number, tag in enumerate(page.tags) if tag == "body"), 0)


def _discussion(page: PageMap, body: int, url: str) -> Extracted | None:
    if not is_discussion(page, url):
        return None
    from safefetch_cli.content.forum import find_posts, keep_posts

    posts = find_posts(page, body)
    if sum(page.plain(post) for post in posts) <= _LEAST_POSTS * page.plain(body):
        return None
    titles = (n for n in page.inside(body) if page.tags[n] == "h1" and page.text[n] > 2)
    common = keep_posts(page, posts, next(titles, 0))
    return _cut(page, common, "main-merged")


def _main_part(page: PageMap, body: int, url: str) -> Extracted | None:
    everything = page.checkpoint()
    is_manual = is_documentation(page, url)
    data = in_data_tables(page)
    asides = prune(page, data, is_manual=is_manual)
    pruned = page.checkpoint()
    if pruned == everything and _is_plain(page, body):
        return Extracted(page.cut_marked(body), "full")
    if not page.text[body]:
        return None
    size = page.plain if page.plain(body) >= _SHORT_MAIN else page.text.__getitem__
    least = max(min(_SHORT_MAIN, size(body)), _LEAST_SHARE * size(body))
    core = narrow(page, body) if is_manual else _core(page, body)
    untrimmed = page.checkpoint()
    captions = [] if is_manual else trim_article(page, core, data)
    result = core if is_manual else _article(page, core, body, data)
    if size(result) >= least:
        tell_pictures(page, captions)
        restore_repeated(page, result, asides)
        return _cut(page, result, "main" if result == core else "main-merged")
    page.back_to(untrimmed)
    if size(core) >= least:
        return _cut(page, core, "main")
    page.back_to(pruned)
    return None


def _is_plain(page: PageMap, body: int) -> bool:
    return page.text[body] < _SHORT_PAGE and page.links[body] < _FEW_LINKS * page.text[body]


def _core(page: PageMap, body: int) -> int:
    first = choose_core(page, body)
    core = widen(page, first, body)
    if page.plain(core) < _SMALL_CORE * page.plain(body):
        return roomier(page, core, body, _ROOMIER)
    if first != core:
        refine(page, first, core)
    return core


def _article(page: PageMap, core: int, body: int, data: bytearray) -> int:
    """The core with its title and lead, without what stands above its text."""
    result = add_lead(page, core, body)
    drop_above_title(page, result)
    drop_dateline(page, result, data)
    return result
