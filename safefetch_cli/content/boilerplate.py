"""What surrounds the content of a page: told by semantics and by the names authors give it.

Each row of the tables is a reason, with the largest share of the page's plain text an element may
hold and still be taken for boilerplate: the less certain the reason, the smaller the share. What
holds the page's title or its main element is never boilerplate, and code is never looked into.
"""

import re
from collections import Counter, defaultdict
from functools import lru_cache
from typing import NamedTuple

from safefetch_cli.content.data_tables import PARTS
from safefetch_cli.content.late_pattern import late
from safefetch_cli.content.page_map import HEADINGS, LONGEST_NAMES, PageMap, hyphenated

_BY_TAG = {"nav": 0.35, "aside": 0.25, "footer": 0.25, "form": 0.15, "fieldset": 0.15, "menu": 0.2}
_BY_ROLE = {
    "navigation": 0.35,
    "banner": 0.25,
    "contentinfo": 0.35,
    "complementary": 0.25,
    "search": 0.35,
    "dialog": 0.35,
    "alertdialog": 0.35,
    "menu": 0.35,
    "menubar": 0.35,
    "toolbar": 0.35,
    "tooltip": 0.2,
}
_FRAME = r"""
    footer|(?:global|site|page|main|rh)-footer|copyright|cookies?|cookiebar|consent|g[dp][pr]r
    newsletters?|nav|navbar|navigation|nav-?(?:header|footer|box|links?|bar)|menu|mega-?menu
    breadcrumbs?|pagination|skip-?links?|side-?bar|right-?rail|left-?rail
"""
_BESIDE = r"""
    (?<!--)ads?|adsense|adverts?|advertisement|advertising|advertorial|anzeige|sponsors?|sponsored
    promos?|promotion|cross-?sell|upsell|outbrain|taboola|subvert|donate|donation|spenden
    related|related-?posts|jp-relatedposts|recirc|recommended|recommendations?|popular|trending
    most-?read|most-?popular|also-like|more-stories|read-?more|widgets?|widget-area
    share|shares|sharer|sharing|sharebar|sharedaddy|addthis|addtoany|socials?|follow-?us
    printfriendly|masthead|navi|side-?nav|topbar|bottom-?bar|toolbar|sitemap|colophon|pager
    pagenavi|paginator|next-?prev|prev-?next|posts?-nav|back-?to-?top|tag-?cloud|tag-?list
    modal|pop-?up|bulletin|announcements?|notifications?|disqus|subscribe|subscription|sign-?up
    log-?in|loginbox|about-?(?:the-?)?author|(?:article|post)-authors?
    author-?(?:bio|box|card|desc(?:ription)?|profile|image|info|section|tooltip|details)
    editsection|mw-jump|catlinks|printfooter|noprint|headerlink|anchorjs-link
"""
_ABOUT = r"""
    author|by-?author|byline|credits?|date|dateline|datetime|posted|posted-?on|published|pubdate
    time|timestamp|reading-?time|views|ratings?|votes?|feedback|actions|tools?|banner|infobar
    categor(?:y|ies)|keywords|tags?|taxonomy|meta|meta-?data|entry-?meta|post-?meta|post-?info
    article-?info|caption-?credit|disclaimer
"""
_TALK = r"""
    comments?|comment-?list|respond|replies|comentarios|kommentare|commentaires
"""
_NOT_NAMES = re.compile(
    r"\b(?:elementor-(?:widget|pagination|arrows)[\w-]*|widget-wrap\w*|cmp-\w+|overflow-\w+|label-hidden|wp-block-\w+"
    r"|menu-item-type\S*|post-type-\S*|category-\S+|tag-\S+|type-\S+|format-\S+|site-header-\S+"
    r"|(?:main|content|article)-(?:menu|nav|sidebar|header)-\S*)"
)
_NOTE = re.compile(
    r"(?<![a-z])(?:admonition|note|warning|tip|caution|important|callout|hint|footnotes?)(?![a-z])"
)


def _words(rows: str) -> re.Pattern[str]:
    """Any of the words, but not where they say that something has or lacks it."""
    words = "|".join(row.strip() for row in rows.strip().splitlines())
    lead = "".join(
        rf"(?<!{word}-)" for word in ("has", "no", "with", "is", "without", "hide", "show")
    )
    return re.compile(rf"(?<![a-z]){lead}(?:{words})(?![a-z])")


_frame, _beside, _talk, _about = map(_words, (_FRAME, _BESIDE, _TALK, _ABOUT))

_SHARES = {"frame": 0.6, "beside": 0.35, "about": 0.2, "talk": 0.6}
_LONGEST_ABOUT = 160
_LEAST_BESIDE_TALK = 400
_SENTENCE = 20
_FEWEST_ENTRIES = 5

_LEFT_OVER = late(
    r"\W*(?:(?:written|posted|published|updated|veröffentlicht|by|on|in|at|and|von|am|und|par|le|et"
    r"|por|y|el|em|e|di|il|door|op|en|av|af|og|och)\b\W*)+",
    re.IGNORECASE,
)

_NAMED_TAGS = """
    div section ul ol li dl p span table header footer aside nav form figure details h2 h3 h4 h5 h6
    small time article center td address blockquote
"""
_NAMED = frozenset(_NAMED_TAGS.split())
_PHRASES = frozenset(("span", "small", "time", "em", "b", "i", "strong"))
_NOT_LOOKED_INTO = frozenset(("pre", "code", "math", "samp", "kbd", "dt", "h1"))
_ROOTS = frozenset(("html", "body", "main"))
_SECTIONS = HEADINGS | {"section", "dt", "p"}


class Aside(NamedTuple):
    """A name or date beside a text that was marked as gone, and what was gone in it before."""

    number: int
    names: str
    gone_before: bytes


def prune(page: PageMap, data: bytearray, *, is_manual: bool) -> list[Aside]:
    """Mark what is boilerplate; the names and dates among it are given back.

    `data` tells what is inside a table of data. In a manual the ids of headings and sections are
    made of their titles and name nothing.
    """
    judge = _Judge(page, data, _SECTIONS if is_manual else frozenset())
    asides: list[Aside] = []
    number, size = 1, len(page.elements)
    while number < size:
        if page.gone[number] or page.tags[number] in _NOT_LOOKED_INTO:
            number = page.end[number]
        elif page.plain(number) <= judge.share(number) * judge.whole:
            if number not in judge.kept:
                aside = Aside(number, page.names(number), page.marks(number))
                if judge.is_about(number):
                    asides.append(aside)
                page.drop(number)
                number = page.end[number]
            else:
                number += 1
        else:
            number += 1
    page.settle()
    return _without_left_over(page, asides)


def _without_left_over(page: PageMap, asides: list[Aside]) -> list[Aside]:
    """Mark lines of which a name or date was taken, where only what introduced it is left.

    The asides, with such lines in the place of what was taken from them.
    """
    taken: dict[int, list[Aside]] = defaultdict(list)
    for aside in asides:
        if page.tags[aside.number] in _PHRASES:
            taken[page.parent[aside.number]].append(aside)
    left_over = {
        line: _line(page, line, taken[line]) for line in taken if _is_left_over(page, line)
    }
    page.settle()
    kept = [aside for aside in asides if page.parent[aside.number] not in left_over]
    return sorted([*kept, *left_over.values()])


def _is_left_over(page: PageMap, line: int) -> bool:
    if not 0 < page.text[line] <= _SENTENCE:
        return False
    return _LEFT_OVER.fullmatch(page.words(line)) is not None


def _line(page: PageMap, line: int, taken: list[Aside]) -> Aside:
    marks = bytearray(page.marks(line))
    for aside in taken:
        start = aside.number - line
        marks[start : start + len(aside.gone_before)] = aside.gone_before
    page.drop(line)
    return Aside(line, page.names(line), bytes(marks))


def restore_repeated(page: PageMap, core: int, asides: list[Aside]) -> None:
    """Take back what was marked of names and dates that stand with each entry of a list.

    What is named alike and stands often in what is left is no byline of one article.
    """
    left = [
        aside
        for aside in asides
        if page.holds(core, aside.number)
        and not page.gone[page.parent[aside.number]]
        and not page.is_linked(aside.number)
    ]
    counts = Counter(aside.names for aside in left)
    for aside in left:
        if counts[aside.names] >= _FEWEST_ENTRIES:
            page.mark(aside.number, aside.gone_before)
    page.settle()


class _Judge:
    """What the elements of one page are suspected of."""

    def __init__(self, page: PageMap, data: bytearray, without_id: frozenset[str]) -> None:
        self.page = page
        self.whole = page.plain(0)
        self.kept = _title_holders(page)
        self._without_id = without_id
        self._data = data

    def share(self, number: int) -> float:
        """The share of the page's plain text this may hold as boilerplate; -1 for no suspicion."""
        tag = self.page.tags[number]
        if tag in _ROOTS:
            return -1.0
        attributes = self.page.elements[number].attrib
        share = _BY_TAG.get(tag, -1.0)
        if "-" in tag and _frame.search(tag):
            return _SHARES["frame"]
        if not attributes:
            return share
        if role := attributes.get("role"):
            share = max(share, _BY_ROLE.get(role, -1.0))
        if not self._is_named(number, tag):
            return share
        kind = self._kind(number)
        if kind == "note":
            return -1.0
        return max(share, self._named_share(number, kind)) if kind else share

    def _is_named(self, number: int, tag: str) -> bool:
        """Whether names tell of what an element is, not of a word or the column of a table."""
        if tag not in _NAMED or (tag in _PHRASES and self._is_in_sentence(number)):
            return False
        return not (self._data[number] and tag in PARTS)

    def is_about(self, number: int) -> bool:
        """Whether this is a name, a date or the like beside a text."""
        return self._kind(number) == "about"

    def _kind(self, number: int) -> str:
        attributes = self.page.elements[number].attrib
        names = (attributes.get("class") or "")[:LONGEST_NAMES]
        tag = self.page.tags[number]
        is_title = tag in _PHRASES and self.page.tags[self.page.parent[number]] in HEADINGS
        if tag not in self._without_id and not is_title:
            names = f"{names} {(attributes.get('id') or '')[:LONGEST_NAMES]}"
        is_author = tag not in _PHRASES and attributes.get("itemprop") == "author"
        return _kind(names) or ("about" if is_author else "")

    def _is_in_sentence(self, number: int) -> bool:
        return self.page.own(self.page.parent[number]) > _SENTENCE

    def _quotes(self, number: int) -> bool:
        if self.page.tags[number] == "blockquote":
            return True
        return self.page.elements[number].find(".//blockquote") is not None

    def _named_share(self, number: int, kind: str) -> float:
        page = self.page
        is_doubtful = (
            (kind == "about" and page.text[number] > _LONGEST_ABOUT)
            or (kind == "talk" and self.whole - page.plain(number) < _LEAST_BESIDE_TALK)
            or (kind == "beside" and self._quotes(number))
        )
        return -1.0 if is_doubtful else _SHARES[kind]


@lru_cache(maxsize=8192)
def _kind(names: str) -> str:
    """What the names say an element is: frame, beside, talk, about or note; "" for nothing."""
    if not names or names == " ":
        return ""
    words = _NOT_NAMES.sub(" ", hyphenated(names))
    kinds = {"note": _NOTE, "frame": _frame, "beside": _beside, "talk": _talk, "about": _about}
    return next((kind for kind, pattern in kinds.items() if pattern.search(words)), "")


def _title_holders(page: PageMap) -> set[int]:
    """The elements that are or hold an h1 or the main element."""
    holders: set[int] = set()
    for number, tag in enumerate(page.tags):
        if tag in ("h1", "main") and not page.gone[number]:
            holders.add(number)
            holders.update(page.ancestors(number))
    return holders
