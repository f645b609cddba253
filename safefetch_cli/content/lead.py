"""The lead of an article: what stands between its title and its core."""

import re

from safefetch_cli.content.page_map import PageMap

_HEADINGS = ("h1", "h2", "h3")
_SHORTEST = 60
_BYLINE = re.compile(
    r"^\W*(?:by|von|par|por|di|foto|photo|bild|quelle|source|published|updated|posted|veröffentlicht|stand)\b",
    re.IGNORECASE,
)
_PROSE = 80
_LINES_OF_HEAD = frozenset(("p", "div", "span", "time", "li", "small", "em", "dd", "ul"))
_LEAVES = frozenset(("p", "div", "span", "strong", "h2", "h3", "em", "li", "b", "section"))


def add_lead(page: PageMap, core: int, outer: int) -> int:
    """The common element of the core and what leads to it; all else in it marked as gone."""
    title = _title_before(page, core, outer)
    kept = _lead_of(page, title + 1 if title else _start(page, core, outer), core)
    if title:
        kept.insert(0, title)
    if not kept:
        return core
    common = page.common(kept[0], core)
    _keep_only(page, common, [*kept, core])
    return common


def drop_above_title(page: PageMap, core: int) -> None:
    """Mark what stands above the only h1 of the core, where it is little."""
    titles = [number for number in page.inside(core) if page.tags[number] == "h1"]
    if len(titles) != 1 or page.text[titles[0]] < 3:
        return
    title = titles[0]
    above = [
        number for number in page.inside(core) if number < title and not page.holds(number, title)
    ]
    outermost = [number for number in above if page.holds(page.parent[number], title)]
    if sum(page.text[number] for number in outermost) < 0.2 * page.text[core]:
        for number in outermost:
            page.drop(number)
        page.settle()


def _title_before(page: PageMap, core: int, outer: int) -> int:
    """The last h1 before the core, if the core has none; 0 for none."""
    if any(page.tags[number] == "h1" for number in page.inside(core)):
        return 0
    titles = [
        number
        for number in range(outer, core)
        if page.tags[number] == "h1" and not page.gone[number] and page.text[number] > 2
    ]
    return titles[-1] if titles else 0


def _start(page: PageMap, core: int, outer: int) -> int:
    """Without a title: the start of the nearest semantic container of the core."""
    for ancestor in page.ancestors(core):
        if page.tags[ancestor] in ("article", "main"):
            return ancestor + 1
    return core


def _lead_of(page: PageMap, start: int, core: int) -> list[int]:
    found: list[int] = []
    number = start
    while number < core:
        if page.gone[number]:
            number = page.end[number]
        elif page.holds(number, core) or not _is_lead(page, number):
            number += 1
        else:
            found.append(number)
            number = page.end[number]
    return found


def _is_lead(page: PageMap, number: int) -> bool:
    text = page.text[number]
    if page.tags[number] not in _LEAVES or not _SHORTEST <= text <= 1500:
        return False
    if page.links[number] > 0.3 * text:
        return False
    own = page.words(number, 1600)
    if any(
        page.text[child] > 0.6 * text and page.tags[child] in _LEAVES
        for child in page.children(number)
    ):
        return False
    return not _BYLINE.match(own)


def _keep_only(page: PageMap, common: int, kept: list[int]) -> None:
    """Mark all inside `common` that is neither kept nor holds what is kept."""
    number, end = common + 1, page.end[common]
    waiting = sorted(kept)
    while number < end:
        while waiting and page.end[waiting[0]] <= number:
            waiting.pop(0)
        if not waiting or not (page.holds(number, waiting[0]) or number == waiting[0]):
            page.drop(number)
            number = page.end[number]
        elif number == waiting[0]:
            number = page.end[number]
        else:
            number += 1
    page.settle()


def drop_dateline(page: PageMap, core: int) -> None:
    """Mark bylines and dates that stand ahead of the first paragraph."""
    for number in page.inside(core):
        text = page.text[number]
        if text >= _PROSE and page.tags[number] in ("p", "li", "pre", "td"):
            break
        if 0 < text <= 120 and page.tags[number] in _LINES_OF_HEAD and _is_dateline(page, number):
            page.drop(number)
    page.settle()


def _is_dateline(page: PageMap, number: int) -> bool:
    words = page.words(number, 130)
    digits = sum(character.isdigit() for character in words)
    return (
        bool(_BYLINE.match(words))
        or page.tags[number] == "time"
        or (digits >= 5 and digits > 0.12 * len(words))
    )
