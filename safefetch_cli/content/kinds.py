"""What kind of page this is: told by its address, its metadata and its structure."""

import re
from urllib.parse import urlsplit

from lxml import etree

from safefetch_cli.content.late_pattern import late
from safefetch_cli.content.linked_data import has_type
from safefetch_cli.content.page_map import HEADINGS, PageMap

_MANUAL_GENERATORS = late(
    r"sphinx|mkdocs|docusaurus|doxygen|mdbook|rustdoc|javadoc|jsdoc|gitbook|docbook|asciidoc"
    r"|vuepress|vitepress|docutils|gtk-?doc|qdoc|haddock|texinfo|makeinfo|pdoc|yard|typedoc|docfx"
    r"|antora|starlight|nextra|madcap|readthedocs|epydoc|man2html|groff|erl_docgen"
    r"|help ?& ?manual|robohelp|slate|redoc|mintlify|mediawiki|dokuwiki|moinmoin|twiki|confluence",
    re.IGNORECASE,
)
_MANUAL_HOSTS = re.compile(
    r"^(?:docs?|developers?|devdocs|documentation|man|manpages)\d?\.|\.readthedocs\.", re.IGNORECASE
)
_HELP_HOSTS = re.compile(
    r"^(?:api|help|support|learn|manual|wiki|kb)\d?\.|\.github\.io$", re.IGNORECASE
)
_MANUAL_PATHS = re.compile(
    r"/(?:docs?|documentation|reference|manual|manpages?|api|apidocs?|sdk|developers?|javadoc"
    r"|tutorial|handbook|guides?|help|kb|learn|wiki)(?:[/.-]|$)",
    re.IGNORECASE,
)
_CODE = frozenset(("pre", "code", "kbd", "samp", "tt"))
_ENOUGH_SIGNS = 2

_FORUM_TYPES = frozenset(("DiscussionForumPosting", "QAPage", "Conversation"))
_FORUM_GENERATORS = late(
    r"phpbb|vbulletin|discourse|xenforo|mybb|simple machines|smf|invision|nodebb|flarum|vanilla"
    r"|fluxbb|punbb|woltlab|burning board",
    re.IGNORECASE,
)
_FORUM_HOSTS = re.compile(
    r"^(?:community|communities|discuss|discussions?|discourse|talk|bbs|answers|ask)\d?\."
    r"|forum|stackexchange|board",
    re.IGNORECASE,
)
_FORUM_PATHS = re.compile(
    r"/(?:threads?|topics?|viewtopic|showthread|showtopic|questions?|discussions?|forums?|t|bbs"
    r"|messageboard|boards?|r/[^/]+/comments|ubbthreads|thread-\d+\S*|topic-\d+\S*)(?:[/.?]|$)"
    r"|[?&](?:topic|thread|t|tid)=\d",
    re.IGNORECASE,
)


def is_documentation(page: PageMap, url: str) -> bool:
    """Whether the page is technical documentation: all of its main part is content."""
    if _generated_by(page.elements[0], _MANUAL_GENERATORS):
        return True
    host, path = _place(url)
    signs = 2 * bool(_MANUAL_HOSTS.search(host)) + bool(_HELP_HOSTS.search(host))
    signs += bool(_MANUAL_PATHS.search(path))
    return signs >= _ENOUGH_SIGNS or signs + _structure_signs(page) >= _ENOUGH_SIGNS


def is_discussion(page: PageMap, url: str) -> bool:
    """Whether the page says it is a discussion: a thread of a forum, a question with answers."""
    host, path = _place(url)
    if _FORUM_HOSTS.search(host) or _FORUM_PATHS.search(path):
        return True
    root = page.elements[0]
    if has_type(root, _FORUM_TYPES) or _generated_by(root, _FORUM_GENERATORS):
        return True
    return any(str(value).rsplit("/", 1)[-1] in _FORUM_TYPES for value in _ITEM_TYPES(root))


_ITEM_TYPES = etree.XPath("//@itemtype", smart_strings=False)


def _generated_by(root: etree._Element, programs: re.Pattern[str]) -> bool:
    return any(
        programs.search(meta.get("content") or "")
        for meta in root.iter("meta")
        if (meta.get("name") or "").lower() == "generator"
    )


def _place(url: str) -> tuple[str, str]:
    try:
        parts = urlsplit(url)
        return parts.hostname or "", f"{parts.path}?{parts.query}"
    except ValueError:
        return "", ""


def _structure_signs(page: PageMap) -> int:
    """Much code, headings that link to themselves, terms that can be linked to."""
    code = sum(tag in _CODE for tag in page.tags)
    anchors = sum(_is_anchor(page, number) for number, tag in enumerate(page.tags) if tag == "a")
    terms = sum(
        page.elements[number].get("id") is not None
        for number, tag in enumerate(page.tags)
        if tag == "dt"
    )
    return (code >= 5) + (code >= 25) + (anchors >= 3) + (terms >= 3)


def _is_anchor(page: PageMap, number: int) -> bool:
    if page.tags[page.parent[number]] not in HEADINGS:
        return False
    return (page.elements[number].get("href") or "").startswith("#")
