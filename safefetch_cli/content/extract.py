"""A page to its main part.

The order of judgement: what is boilerplate by its nature goes first; then the kind of page decides.
A discussion keeps its posts; documentation keeps all of its main part; of anything else readability
chooses the core, which is widened to what belongs to it and freed of what does not. A result that
lost too much is replaced by a better one, at last by the whole page.
"""

from dataclasses import dataclass

from lxml import etree

from safefetch_cli.content.boilerplate import prune
from safefetch_cli.content.candidates import choose_core, narrow, refine, roomier, widen
from safefetch_cli.content.forum import find_posts, is_discussion, keep_posts
from safefetch_cli.content.kinds import is_article, is_documentation
from safefetch_cli.content.lead import add_lead, drop_above_title, drop_dateline
from safefetch_cli.content.linked_data import linked_data
from safefetch_cli.content.page_map import PageMap
from safefetch_cli.content.trim import trim_article

_SHORT_PAGE = 3_000
_FEW_LINKS = 0.5
_SHORT_MAIN = 200
_LEAST_SHARE = 0.2
_LEAST_POSTS = 0.1
import os

SM = float(os.environ.get("SM", ".25"))
SH = float(os.environ.get("SH", ".4"))


@dataclass(frozen=True)
class Extracted:
    """The part of a page that is its content, in the page's own tree; None when it has no text.

    `extraction` tells how it was found:
    main - one part of the page was recognised as its content;
    main-merged - the content stood in several parts, which were brought together (the posts of a
    discussion, a lead and its article);
    fallback-full - no part was convincing, this is the page without its evident boilerplate;
    full - the whole page: asked for, or a page so plain that nothing in it is boilerplate;
    none - the page has no text.
    """

    tree: etree._Element | None
    extraction: str


def extract(root: etree._Element, url: str, *, whole: bool) -> Extracted:
    """The main part of a cleaned page, or all of it when `whole`.

    The tree is changed: what does not belong to the result is cut out of it. `url` is the page's
    own, evidence for what kind of page it is.
    """
    page = PageMap(root)
    body = next((number for number, tag in enumerate(page.tags) if tag == "body"), 0)
    if not page.text[body]:
        return _last_resort(page, body)
    if whole:
        return Extracted(page.cut_marked(body), "full")
    everything = bytes(page.gone)
    data = linked_data(root)
    found = _discussion(page, body, url, data) or _main_part(page, body, url, everything, data)
    return found if found is not None else _pruned(page, body, everything)


def _last_resort(page: PageMap, body: int) -> Extracted:
    page.gone[:] = bytes(len(page.gone))
    for number, tag in enumerate(page.tags):
        if tag in _NEVER_TEXT:
            page.drop(number)
    page.settle()
    if not page.text[body]:
        return Extracted(None, "none")
    return Extracted(page.cut_marked(body), "fallback-full")


_NEVER_TEXT = frozenset(("script", "style", "template", "head", "iframe", "object", "svg"))


def _discussion(page: PageMap, body: int, url: str, data) -> Extracted | None:
    if not is_discussion(page, url, data):
        return None
    posts = find_posts(page, body)
    if sum(page.plain(post) for post in posts) <= _LEAST_POSTS * page.plain(body):
        return None
    common = keep_posts(page, posts, _title(page, body))
    return Extracted(page.cut_marked(common), "main-merged")


def _title(page: PageMap, body: int) -> int:
    titles = (n for n in page.inside(body) if page.tags[n] == "h1" and page.text[n] > 2)
    return next(titles, 0)


def _main_part(page: PageMap, body: int, url: str, everything: bytes, data) -> Extracted | None:
    is_manual = is_documentation(page, url)
    prune(page, titles=not is_manual)
    if bytes(page.gone) == everything and _is_plain(page, body):
        return Extracted(page.cut_marked(body), "full")
    pruned = bytes(page.gone)
    whole = page.plain(body)
    core = narrow(page, body) if is_manual else _core(page, body, is_article(page, data))
    result = core if is_manual else _article(page, core, body)
    kept = page.plain(result)
    if kept >= min(_SHORT_MAIN, whole) and kept >= _LEAST_SHARE * whole:
        return Extracted(page.cut_marked(result), "main" if result == core else "main-merged")
    page.gone[:] = pruned
    page.settle()
    return None


def _is_plain(page: PageMap, body: int) -> bool:
    return page.text[body] < _SHORT_PAGE and page.links[body] < _FEW_LINKS * page.text[body]


def _core(page: PageMap, body: int, one_article: bool) -> int:
    first = choose_core(page, body)
    core = widen(page, first, body)
    small, share = (0.25, 0.4) if one_article else (SM, SH)
    if page.plain(core) < small * page.plain(body):
        return roomier(page, core, body, share)
    if first != core:
        refine(page, first, core)
    return core


def _article(page: PageMap, core: int, body: int) -> int:
    trim_article(page, core)
    result = add_lead(page, core, body)
    drop_above_title(page, result)
    drop_dateline(page, result)
    return result


def _pruned(page: PageMap, body: int, everything: bytes) -> Extracted:
    if not page.text[body]:
        page.gone[:] = everything
        page.settle()
    return Extracted(page.cut_marked(body), "fallback-full")
