"""Discussion pages: threads of a forum, questions with answers.

The posts are the content: the body of each, with the name of its writer and its date, in order.
What a forum shows around them (ranks, signatures, buttons, the reply box) is not.
"""

import re
from collections import defaultdict
from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit

from safefetch_cli.content.linked_data import types
from safefetch_cli.content.page_map import PageMap

_TYPES = frozenset(("DiscussionForumPosting", "QAPage", "Conversation"))
_HOSTS = re.compile(
    r"^(?:forums?|community|communities|discuss|discussions?|discourse|boards?|talk|bbs|answers|ask)\d?\.|forum|stackexchange|board",
    re.IGNORECASE,
)
_PLACES = re.compile(
    r"/(?:threads?|topics?|viewtopic|showthread|showtopic|questions?|discussions?|forums?|messageboard|boards?"
    r"|t|r/[^/]+/comments|ubbthreads|bbs|thread-\d+\S*|topic-\d+\S*)(?:[/.?]|$)|[?&](?:topic|thread|t|tid)=\d",
    re.IGNORECASE,
)
_GENERATORS = re.compile(
    r"phpbb|vbulletin|discourse|xenforo|mybb|simple machines|invision|nodebb|flarum|vanilla|fluxbb|punbb|smf|woltlab|burning board",
    re.IGNORECASE,
)
_BODIES = re.compile(
    r"(?<![a-z])(?:(?:post|message|comment|reply|answer|msg|topic|question)s?-*(?:body|content|contents|text|message)"
    r"|bb-?wrapper|cooked|s-prose|user-?content|usertext-body|(?:ips-)?(?:type-)?rich-?text|commtext|comm-?text"
    r"|lia-message-body-content|post-message-\d+)(?![a-z])"
)
_WRITERS = re.compile(
    r"(?<![a-z])(?:author|user-?name|poster|post-?author|user-?link|member-?name|creator|nick|nickname|message-name|hnuser|names)(?![a-z])"
)
_DATES = re.compile(
    r"(?<![a-z])(?:date|post-?date|date-?time|timestamp|posted|time|published|relative-time|age|post-?time)(?![a-z])"
)
_ASIDES = re.compile(
    r"(?<![a-z])(?:signature|sig|expand-?link|last-?edit|lastedited|edited|reactions?|reactions-?bar|attribution"
    r"|post-?meta|post-?signature|user-?title|user-?extras?|user-?info|message-?user|new-?indicator|source-?jump)(?![a-z])"
)
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_HOLDERS = frozenset("div article section blockquote td span p li shreddit-comment".split())
_LONGEST_NAME = 60
_SHARE_OF_OPENING = 0.35


def is_discussion(page: PageMap, url: str, data: list[dict[str, Any]]) -> bool:
    """Whether the page says it is a discussion: by its address, its generator or its data."""
    if any(types(node) & _TYPES for node in data):
        return True
    try:
        parts = urlsplit(url)
        host, place = parts.hostname or "", f"{parts.path}?{parts.query}"
    except ValueError:
        host = place = ""
    if _HOSTS.search(host) or _PLACES.search(place):
        return True
    root = page.elements[0]
    for meta in root.iter("meta"):
        if (meta.get("name") or "").lower() == "generator" and _GENERATORS.search(
            meta.get("content") or ""
        ):
            return True
    return any(value.rsplit("/", 1)[-1] in _TYPES for value in map(str, root.xpath("//@itemtype")))


def find_posts(page: PageMap, outer: int) -> list[int]:
    """The bodies of the posts, in order."""
    groups: dict[str, list[int]] = defaultdict(list)
    for number in page.inside(outer):
        if page.tags[number] in _HOLDERS and page.text[number]:
            key = _key(page, number)
            if key and not (groups[key] and page.holds(groups[key][-1], number)):
                groups[key].append(number)
    if not groups:
        return []
    sizes = {key: sum(page.plain(n) for n in posts) for key, posts in groups.items()}
    largest = max(sizes.values())
    best = next(key for key in groups if sizes[key] >= _SHARE_OF_OPENING * largest)
    for key, posts in groups.items():
        if sizes[key] >= 0.7 * sizes[best] and all(
            any(page.holds(outside, post) for outside in groups[best]) for post in posts[:3]
        ):
            best = key
    return groups[best]


def _key(page: PageMap, number: int) -> str:
    element = page.elements[number]
    itemprop = element.get("itemprop")
    if itemprop in ("text", "commentText", "articleBody"):
        return f"{itemprop} {_body_name(page.names(number))}"
    if element.get("data-role") == "commentContent" or element.get("slot") == "comment":
        return "comment"
    return _body_name(page.names(number))


@lru_cache(maxsize=8192)
def _body_name(names: str) -> str:
    found = _BODIES.search(_words(names))
    return re.sub(r"\d+", "", found[0]) if found else ""


def keep_posts(page: PageMap, posts: list[int], title: int) -> int:
    """Mark all but the posts, who wrote them and when; the number of what holds them."""
    kept: list[int] = list(posts)
    common = posts[0]
    for post in posts:
        common = page.common(common, post)
    if len(posts) == 1:
        common = page.parent[common]
    for whole in dict.fromkeys(_whole_post(page, common, post) for post in posts):
        kept.extend(_about(page, whole, posts))
    if title and not page.holds(common, title):
        common = page.common(common, title)
    if title:
        kept.append(title)
    for post in posts:
        for number in page.inside(post):
            if page.text[number] < 400 and _ASIDES.search(_words(page.names(number))):
                page.drop(number)
    keep_only(page, common, sorted(kept))
    return common


def _whole_post(page: PageMap, common: int, post: int) -> int:
    at = post
    while page.parent[at] != common and at != common:
        at = page.parent[at]
    return at


def _about(page: PageMap, whole: int, posts: list[int]) -> list[int]:
    bodies = [post for post in posts if page.holds(whole, post)]
    found: list[int] = []
    for is_kind in (_is_writer, _is_date):
        for number in page.inside(whole):
            if any(page.holds(body, number) for body in bodies[:3]):
                continue
            if 0 < page.text[number] <= _LONGEST_NAME and is_kind(page, number):
                found.append(_innermost(page, number))
                break
    return found


def _innermost(page: PageMap, number: int) -> int:
    """The link, heading or name inside, where there is one."""
    return next(
        (
            n
            for n in page.inside(number)
            if page.text[n] > 1 and page.tags[n] in ("a", "h3", "h4", "b", "strong", "time")
        ),
        number,
    )


def _words(names: str) -> str:
    return _CAMEL.sub("-", names).lower().replace("_", "-")


def _is_writer(page: PageMap, number: int) -> bool:
    element = page.elements[number]
    if element.get("itemprop") in ("author", "name", "creator"):
        return True
    return bool(_WRITERS.search(_words(page.names(number))))


def _is_date(page: PageMap, number: int) -> bool:
    if page.tags[number] == "time":
        return True
    return bool(_DATES.search(_words(page.names(number))))


def keep_only(page: PageMap, common: int, kept: list[int]) -> None:
    """Mark all inside `common` that is neither kept nor holds what is kept."""
    number, end, at = common + 1, page.end[common], 0
    while number < end:
        while at < len(kept) and page.end[kept[at]] <= number:
            at += 1
        if at == len(kept) or not page.holds(number, kept[at]):
            page.drop(number)
            number = page.end[number]
        elif number == kept[at]:
            number = page.end[number]
        else:
            number += 1
    page.settle()
