"""What surrounds the content of a page: told by semantics and by the names authors give it.

Each row names a reason and the largest share of the page's plain text an element may hold and
still be taken for boilerplate: the less certain the reason, the smaller the share.
"""

import re
from functools import lru_cache

from safefetch_cli.content.page_map import PageMap

_BY_TAG = {"nav": 0.35, "aside": 0.25, "footer": 0.25, "form": 0.15, "menu": 0.2, "dialog": 0.35}
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

_SURELY = (
    "footer|cookie|cookies|cookiebar|consent|gdpr|gprd|copyright|newsletter|newsletters|nav|navbar|navigation"
    "|menu|mega-?menu|breadcrumb|breadcrumbs|sidebar|side-?bar|pagination|skip-?links?|right-?rail|left-?rail|nav-?(?:header|footer|box|links?|bar)|(?:global|site|page|main|rh)-footer"
)
_SURE = (
    "addthis|addtoany|(?<!--)ads?|adsense|advert|adverts|advertisement|advertising|advertorial|anzeige"
    "|breadcrumb|breadcrumbs|consent|cookie|cookies|cookiebar|disqus|footer|gdpr|masthead"
    "|mega-?menu|menu|modal|nav|navbar|navi|navigation|newsletter|newsletters|outbrain|pager"
    "|pagenavi|pagination|paginator|popup|pop-up|promo|promos|promotion|recirc|recommended"
    "|recommendation|recommendations|related|share|sharebar|sharedaddy|sharer|sharing|shares"
    "|sidebar|side-?bar|sidenav|skip-?link|skip-?links|social|socials|sponsor|sponsored|sponsors"
    "|subscribe|subscription|taboola|topbar|trending|widget|widgets|signup|sign-up"
    "|most-?read|most-?popular|popular|also-like|more-stories|read-?more|next-?prev|prev-?next"
    "|post-nav|posts-nav|tag-?cloud|tag-?list|printfriendly|cross-?sell|upsell|follow-?us"
    "|author-?bio|author-?card|author-?description|author-?profile|author-?image|donation|donate|spenden|subvert|author-?box|about-?author|author-?info|bottom-?bar|widget-area|toolbar|jp-relatedposts"
    "|relatedposts|editsection|mw-jump|catlinks|printfooter|noprint|headerlink|anchorjs-link"
    "|bulletin|announcement|announcements|notification|notifications|login|log-in|loginbox|back-?to-?top|sitemap|copyright|colophon"
)
_MAYBE = (
    "banner|actions|author|byline|categories|category|credit|credits|date|dateline|datetime"
    "|disclaimer|entry-?meta|feedback|keywords|meta|metadata|posted|posted-?on|post-?meta|published"
    "|pubdate|rating|ratings|reading-?time|tags|tag|taxonomy|time|timestamp|tool|tools|views"
    "|vote|votes|infobar|meta-?data|by-?author|article-?info|post-?info|caption-?credit"
)
_TALK = "comments?|comment-?list|commentlist|respond|replies|comentarios|kommentare|commentaires"

_LEAD = r"(?<![a-z])(?<!has-)(?<!no-)(?<!with-)(?<!is-)(?<!without-)(?<!hide-)(?<!show-)"
_surely = re.compile(rf"{_LEAD}(?:{_SURELY})(?![a-z])")
_sure = re.compile(rf"{_LEAD}(?:{_SURE})(?![a-z])")
_maybe = re.compile(rf"{_LEAD}(?:{_MAYBE})(?![a-z])")
_talk = re.compile(rf"{_LEAD}(?:{_TALK})(?![a-z])")
_NOT_NAMES = re.compile(
    r"\b(?:elementor-widget[\w-]*|widget-wrap\w*|cmp-\w+|overflow-\w+|label-hidden|wp-block-\w+"
    r"|menu-item-type\S*|post-type-\S*|category-\S+|tag-\S+|type-\S+|format-\S+|site-header-\S+"
    r"|\S*(?:main|content|article)-(?:menu|nav|sidebar|header)-\S*)"
)
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_NOTE = re.compile(
    r"(?<![a-z])(?:admonition|note|warning|tip|caution|important|callout|hint|footnotes?)(?![a-z])"
)

_NAMED = frozenset(
    "div section ul ol li dl p span table header footer aside nav form figure details h2 h3 h4 h5"
    " h6 small time article center td address blockquote".split()
)
_PHRASES = frozenset(("span", "small", "time", "em", "b", "i", "strong"))
_TITLED = frozenset(("h2", "h3", "h4", "h5", "h6", "section", "dt", "p"))
_WHOLE = frozenset(("html", "body", "main"))
_CODE = frozenset(("pre", "code", "math", "samp", "kbd", "dt", "h1"))


@lru_cache(maxsize=8192)
def _named(names: str) -> str:
    words = _NOT_NAMES.sub(" ", _CAMEL.sub("-", names).lower().replace("_", "-"))
    if _NOTE.search(words):
        return ""
    if _surely.search(words):
        return "surely"
    if _sure.search(words):
        return "sure"
    if _talk.search(words):
        return "talk"
    return "maybe" if _maybe.search(words) else ""


def names_of(page: PageMap, number: int) -> str:
    """The class and id of an element as one string."""
    element = page.elements[number]
    return f"{element.get('class') or ''} {element.get('id') or ''}"


def prune(page: PageMap, *, talk: bool = True, titles: bool = True) -> None:
    """Mark what is boilerplate; comments too, where `talk` is set and much else is left."""
    whole = page.plain(0)
    has_heading = _heading_holders(page)
    anonymous = frozenset() if titles else _TITLED
    talk_share = 0.6 if talk else 0.0
    number, size = 1, len(page.elements)
    while number < size:
        if page.gone[number]:
            number = page.end[number]
            continue
        tag = page.tags[number]
        if tag in _CODE:
            number = page.end[number]
            continue
        if _is_boilerplate(page, number, whole, has_heading, talk_share, anonymous):
            page.drop(number)
            number = page.end[number]
        else:
            number += 1
    page.settle()


def _heading_holders(page: PageMap) -> set[int]:
    holders: set[int] = set()
    for number, tag in enumerate(page.tags):
        if (tag == "h1" or tag == "main") and not page.gone[number]:
            holders.add(number)
            holders.update(page.ancestors(number))
    return holders


def _is_boilerplate(
    page: PageMap,
    number: int,
    whole: int,
    has_heading: set[int],
    talk_share: float,
    anonymous: frozenset[str],
) -> bool:
    tag = page.tags[number]
    if tag in _WHOLE:
        return False
    element = page.elements[number]
    attributes = element.attrib
    if "-" in tag and _surely.search(tag):
        return _small(page, number, whole, 0.6, has_heading)
    share = _BY_TAG.get(tag, 0.0)
    if not attributes:
        return share > 0 and _small(page, number, whole, share, has_heading)
    role = attributes.get("role")
    if role:
        share = max(share, _BY_ROLE.get(role, 0.0))
    if tag in _PHRASES and page.own(page.parent[number]) > 20:
        return False  # a part of a sentence
    if tag in _NAMED and ("class" in attributes or "id" in attributes):
        names = attributes.get("class") or ""
        if tag not in anonymous:
            names = f"{names} {attributes.get('id') or ''}"
        verdict = _named(names)
        if verdict == "surely":
            share = 0.6
        elif verdict == "sure":
            if page.elements[number].find(".//blockquote") is None:
                share = max(share, 0.35)
        elif verdict == "talk":
            rest = whole - page.plain(number)
            if talk_share and rest >= 400:
                share = max(share, talk_share)
        elif verdict == "maybe" and _is_short(page, number):
            share = max(share, 0.2)
        elif not verdict and tag == "aside" and _NOTE.search(names.lower()):
            return False
    return share > 0 and _small(page, number, whole, share, has_heading)


def _small(page: PageMap, number: int, whole: int, share: float, has_heading: set[int]) -> bool:
    return number not in has_heading and page.plain(number) <= share * whole


def _is_short(page: PageMap, number: int) -> bool:
    return page.text[number] <= 160
