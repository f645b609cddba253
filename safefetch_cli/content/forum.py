"""Discussion pages: threads of a forum, questions with answers.

The posts are the content: the body of each, with the name of its writer and its date, in order.
What a forum shows around them (ranks, signatures, buttons, the reply box) is not.
"""

import re
from collections import defaultdict
from collections.abc import Callable
from functools import lru_cache

from safefetch_cli.content.page_map import PageMap, hyphenated

_BODIES = re.compile(
    r"(?<![a-z])(?:(?:post|message|comment|reply|answer|msg|topic|question)s?-*"
    r"(?:body|content|contents|text|message)"
    r"|bb-?wrapper|cooked|s-prose|user-?content|usertext-body|(?:ips-)?(?:type-)?rich-?text"
    r"|comm-?text|lia-message-body-content|post-message-\d+)(?![a-z])"
)
_WRITERS = re.compile(
    r"(?<![a-z])(?:author|user-?name|poster|post-?author|user-?link|member-?name|creator|nick"
    r"|nickname|message-name|hnuser|names)(?![a-z])"
)
_DATES = re.compile(
    r"(?<![a-z])(?:date|post-?date|date-?time|timestamp|posted|time|published|relative-time|age"
    r"|post-?time)(?![a-z])"
)
_ASIDES = re.compile(
    r"(?<![a-z])(?:signature|sig|expand-?link|last-?edit|lastedited|edited|reactions?|reactions-?bar"
    r"|attribution|post-?meta|post-?signature|user-?title|user-?extras?|user-?info|message-?user"
    r"|new-?indicator|source-?jump)(?![a-z])"
)
_HOLDERS = frozenset(
    ["div", "article", "section", "blockquote", "td", "span", "p", "li", "shreddit-comment"]
)
_NAME_TAGS = frozenset(("a", "h3", "h4", "b", "strong", "time"))
_BODY_PROPERTIES = frozenset(("text", "commentText", "articleBody"))
_WRITER_PROPERTIES = frozenset(("author", "name", "creator"))

_LONGEST_NAME = 60
_LONGEST_ASIDE = 400
_SHARE_OF_OPENING = 0.35
_SHARE_OF_INNER = 0.7
_MOST_POSTS = 2_000


def find_posts(page: PageMap, outer: int) -> list[int]:
    """The bodies of the posts, in order.

    Elements that are named alike make a group. The posts are the first group that holds a good
    part of the text, as a thread begins with its opening post; within it, the innermost group.
    """
    groups = _groups(page, outer)
    if not groups:
        return []
    sizes = {key: sum(page.plain(post) for post in posts) for key, posts in groups.items()}
    largest = max(sizes.values())
    best = next(key for key in groups if sizes[key] >= _SHARE_OF_OPENING * largest)
    for key, posts in groups.items():
        if sizes[key] >= _SHARE_OF_INNER * sizes[best] and all(
            any(page.holds(outside, post) for outside in groups[best]) for post in posts[:3]
        ):
            best = key
    return groups[best][:_MOST_POSTS]


def _groups(page: PageMap, outer: int) -> dict[str, list[int]]:
    groups: dict[str, list[int]] = defaultdict(list)
    for number in page.inside(outer):
        if page.tags[number] in _HOLDERS and page.text[number] and (key := _key(page, number)):
            posts = groups[key]
            if not posts or not page.holds(posts[-1], number):
                posts.append(number)
    return groups


def _key(page: PageMap, number: int) -> str:
    element = page.elements[number]
    name = _body_name(page.names(number))
    if (itemprop := element.get("itemprop")) in _BODY_PROPERTIES:
        return f"{itemprop} {name}"
    if element.get("data-role") == "commentContent" or element.get("slot") == "comment":
        return "comment"
    return name


@lru_cache(maxsize=8192)
def _body_name(names: str) -> str:
    found = _BODIES.search(hyphenated(names))
    return re.sub(r"\d+", "", found[0]) if found else ""


def keep_posts(page: PageMap, posts: list[int], title: int) -> int:
    """Mark all but the title, the posts, who wrote them and when; what holds them all."""
    common = posts[0] if len(posts) > 1 else page.parent[posts[0]]
    for post in posts:
        common = page.common(common, post)
        _drop_asides(page, post)
    kept = [*posts, *_about(page, common, posts)]
    if title:
        kept.append(title)
        common = page.common(common, title)
    page.keep_only(common, sorted(set(kept)))
    return common


def _drop_asides(page: PageMap, post: int) -> None:
    for number in page.inside(post):
        if page.text[number] < _LONGEST_ASIDE and _ASIDES.search(hyphenated(page.names(number))):
            page.drop(number)


def _about(page: PageMap, common: int, posts: list[int]) -> list[int]:
    """The first name and the first date beside the body of each post."""
    bodies: dict[int, list[int]] = defaultdict(list)
    for post in posts:
        bodies[_whole_post(page, common, post)].append(post)
    tests = (_is_writer, _is_date)
    found = (_beside(page, whole, inner, test) for whole, inner in bodies.items() for test in tests)
    return [number for number in found if number]


def _whole_post(page: PageMap, common: int, post: int) -> int:
    at = post
    while at != common and page.parent[at] != common:
        at = page.parent[at]
    return at


def _beside(
    page: PageMap, whole: int, bodies: list[int], is_kind: Callable[[PageMap, int], bool]
) -> int:
    for number in page.inside(whole):
        if (
            0 < page.text[number] <= _LONGEST_NAME
            and is_kind(page, number)
            and not any(page.holds(body, number) for body in bodies[:3])
        ):
            return _innermost(page, number)
    return 0


def _innermost(page: PageMap, number: int) -> int:
    """The link, heading or name inside, where there is one."""
    inside = (n for n in page.inside(number) if page.text[n] > 1 and page.tags[n] in _NAME_TAGS)
    return next(inside, number)


def _is_writer(page: PageMap, number: int) -> bool:
    if page.elements[number].get("itemprop") in _WRITER_PROPERTIES:
        return True
    return bool(_WRITERS.search(hyphenated(page.names(number))))


def _is_date(page: PageMap, number: int) -> bool:
    return page.tags[number] == "time" or bool(_DATES.search(hyphenated(page.names(number))))
