"""What kind of page this is, told by its structure."""

import re
from typing import Any
from urllib.parse import urlsplit

from safefetch_cli.content.linked_data import types
from safefetch_cli.content.page_map import PageMap

_GENERATORS = re.compile(
    r"sphinx|mkdocs|docusaurus|doxygen|mdbook|rustdoc|javadoc|jsdoc|gitbook|docbook|asciidoc|vuepress|vitepress"
    r"|docutils|gtk-?doc|qdoc|haddock|texinfo|makeinfo|pdoc|yard|typedoc|docfx|antora|starlight|nextra"
    r"|madcap|readthedocs|epydoc|man2html|groff|erl_docgen|help ?& ?manual|robohelp|slate|redoc|mintlify|mediawiki|dokuwiki|moinmoin|twiki|confluence",
    re.IGNORECASE,
)
_PLACES = re.compile(
    r"/(?:docs?|documentation|reference|manual|manpages?|api|apidocs?|sdk|developers?|javadoc|tutorial|handbook|guides?|help|kb|learn|wiki)(?:[/.-]|$)",
    re.IGNORECASE,
)
_SURE_HOSTS = re.compile(
    r"^(?:docs?|developers?|devdocs|documentation|man|manpages)\d?\.|\.readthedocs\.", re.IGNORECASE
)
_HOSTS = re.compile(
    r"^(?:docs?|developers?|devdocs|api|help|support|learn|manual|wiki|kb|man|documentation)\d?\.|\.readthedocs\.|\.github\.io$",
    re.IGNORECASE,
)
_ARTICLES = frozenset(
    (
        "Article",
        "NewsArticle",
        "BlogPosting",
        "Report",
        "ReportageNewsArticle",
        "OpinionNewsArticle",
        "ReviewNewsArticle",
        "AnalysisNewsArticle",
        "ScholarlyArticle",
        "LiveBlogPosting",
        "Recipe",
        "Review",
    )
)
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))


def is_documentation(page: PageMap, url: str) -> bool:
    """Whether the page is technical documentation: all of its main part is content."""
    root = page.elements[0]
    for meta in root.iter("meta"):
        if (meta.get("name") or "").lower() == "generator" and _GENERATORS.search(
            meta.get("content") or ""
        ):
            return True
    signs = _place_signs(url) + _structure_signs(page)
    return signs >= 2


def _place_signs(url: str) -> int:
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
    except ValueError:
        return 0
    return (
        2 * int(bool(_SURE_HOSTS.search(host)))
        + int(bool(_HOSTS.search(host)))
        + int(bool(_PLACES.search(parts.path)))
    )


def _structure_signs(page: PageMap) -> int:
    code = anchors = terms = 0
    for number, tag in enumerate(page.tags):
        if tag in ("pre", "code", "kbd", "samp", "tt"):
            code += 1
        elif tag == "a":
            href = page.elements[number].get("href") or ""
            if href.startswith("#") and page.tags[page.parent[number]] in _HEADINGS:
                anchors += 1
        elif tag == "dt" and page.elements[number].get("id"):
            terms += 1
    return int(code >= 5) + int(code >= 25) + int(anchors >= 3) + int(terms >= 3)


def is_article(page: PageMap, data: list[dict[str, Any]]) -> bool:
    """Whether the page says it is one article: by its metadata, its data or its markup."""
    if any(types(node) & _ARTICLES for node in data):
        return True
    root = page.elements[0]
    for meta in root.iter("meta"):
        name = (meta.get("property") or meta.get("name") or "").lower()
        if name == "og:type" and (meta.get("content") or "").lower() == "article":
            return True
        if name.startswith("article:"):
            return True
    if any("articleBody" in str(value) for value in root.xpath("//@itemprop")):
        return True
    return sum(tag == "article" for tag in page.tags) == 1
