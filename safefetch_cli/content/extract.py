"""HTML to its main part."""

from dataclasses import dataclass

from lxml import etree

from safefetch_cli.content.boilerplate import prune
from safefetch_cli.content.candidates import choose_core, narrow, refine, roomier, widen
from safefetch_cli.content.linked_data import linked_data
from safefetch_cli.content.page_map import PageMap
from safefetch_cli.content.trim import trim_article
from safefetch_cli.content.forum import find_posts, is_discussion, keep_posts
from safefetch_cli.content.kinds import is_documentation
from safefetch_cli.content.lead import add_lead, drop_dateline, drop_above_title


@dataclass(frozen=True)
class Extracted:
    tree: etree._Element | None
    extraction: str


def extract(root: etree._Element, url: str, *, whole: bool) -> Extracted:
    page = PageMap(root)
    body = next((n for n, t in enumerate(page.tags) if t == "body"), 0)
    data = linked_data(root)
    if is_discussion(page, url, data):
        posts = find_posts(page, body)
        if posts and sum(page.plain(n) for n in posts) > 0.1 * page.plain(body):
            title = next((n for n in page.inside(body) if page.tags[n] == "h1" and page.text[n] > 2), 0)
            common = keep_posts(page, posts, title)
            return Extracted(page.cut_marked(common), "forum")
    docs = is_documentation(page, url)
    prune(page)
    if docs:
        core = narrow(page, body)
    else:
        first = choose_core(page, body)
        core = widen(page, first, body)
        if page.plain(core) < 0.25 * page.plain(body):
            core = roomier(page, core, body)
        elif first != core:
            refine(page, first, core)
    if not docs:
        trim_article(page, core)
        core = add_lead(page, core, body)
        drop_above_title(page, core)
        drop_dateline(page, core)
    tree = page.cut_marked(core)
    return Extracted(tree, "docs" if docs else "main")
