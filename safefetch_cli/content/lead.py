"""The head of an article: the title, the lead between it and the core, dates and bylines."""

import re

from safefetch_cli.content.late_pattern import late
from safefetch_cli.content.page_map import HEADINGS, PageMap

_LEAD_LENGTHS = range(60, 1_501)
_LEAD_LINKS = 0.3
_LEAD_TAGS = frozenset(("p", "div", "span", "strong", "h2", "h3", "em", "li", "b", "section"))
_BYLINE = late(
    r"^\W*(?:by|von|par|por|di|foto|photo|bild|quelle|source|published|updated|posted"
    r"|veröffentlicht|stand)\b",
    re.IGNORECASE,
)
_DATE_TAGS = frozenset(("p", "div", "span", "time", "li", "small", "em", "dd", "ul"))
_SHOWN = frozenset(("img", "picture", "video", "audio", "iframe", "object", "embed", "input"))
_LONGEST_DATE = 120
_LONGEST_TIMED = 200
_LEAST_DIGITS = 5
_DIGITS_SHARE = 0.12
_PARAGRAPH = 80
_ABOVE_TITLE = 0.2
_TITLE_SHARE = 0.4


def add_lead(page: PageMap, core: int, outer: int) -> int:
    """The core together with its title and lead, where they stand ahead of it.

    The number of what holds them all; what else it holds is marked as gone.
    """
    title = _title_before(page, core, outer)
    kept = _lead(page, title + 1 if title else _start(page, core), core)
    if title:
        kept.insert(0, title)
    if not kept:
        return core
    common = page.common(kept[0], core)
    page.keep_only(common, [*kept, core])
    return common


def drop_above_title(page: PageMap, core: int) -> None:
    """Mark what stands above the title in the core, where it is little."""
    title = _title(page, core)
    if not title:
        return
    above = [
        number
        for number in page.inside(core)
        if number < title
        and not page.holds(number, title)
        and page.holds(page.parent[number], title)
    ]
    if sum(page.text[number] for number in above) < _ABOVE_TITLE * page.text[core]:
        for number in above:
            page.drop(number)
        page.settle()


def _title(page: PageMap, core: int) -> int:
    """The heading of the core that is the page's title, or else its only h1; 0 for none.

    The only h1 comes first; else it must stand ahead of the first paragraph.
    """
    wanted = " ".join(str(page.elements[0].findtext("head/title") or "").split()).lower()
    titles = [number for number in page.inside(core) if page.tags[number] == "h1"]
    only = titles[0] if len(titles) == 1 and page.text[titles[0]] > 2 else 0
    if only and _is_in_title(page, only, wanted):
        return only
    for number in page.inside(core):
        if page.tags[number] in HEADINGS and _is_in_title(page, number, wanted):
            return number
        if page.tags[number] == "p" and page.plain(number) >= _PARAGRAPH:
            break
    return only


def _is_in_title(page: PageMap, heading: int, title: str) -> bool:
    """Whether the title of the page names this, and little else."""
    if not 0 < page.text[heading] <= len(title):
        return False
    words = page.words(heading).lower()
    return len(words) >= max(_TITLE_SHARE * len(title), 3) and words in title


def drop_leading_rules(page: PageMap, core: int) -> None:
    """Mark the rules ahead of all else that is seen: they part nothing from nothing.

    Ahead of a text in markdown such a rule would be read as the begin of front matter.
    """
    if page.own(core):
        return
    for number in page.inside(core):
        if page.tags[number] == "hr":
            page.drop(number)
        elif page.own(number) or page.tags[number] in _SHOWN:
            break
    page.settle()


def drop_dateline(page: PageMap, core: int, data: bytearray) -> None:
    """Mark bylines and dates that stand ahead of the first paragraph.

    `data` tells what is inside a table of data, which is left alone.
    """
    for number in page.inside(core):
        if data[number]:
            continue
        text = page.text[number]
        if text >= _PARAGRAPH and page.tags[number] in ("p", "li", "pre", "td"):
            if _is_timed(page, number):
                page.drop(number)
                continue
            break
        if 0 < text <= _LONGEST_DATE and page.tags[number] in _DATE_TAGS:
            words = page.words(number, _LONGEST_DATE)
            if page.tags[number] == "time" or _BYLINE.match(words) or _is_date(words):
                page.drop(number)
    page.settle()


def _is_timed(page: PageMap, line: int) -> bool:
    """Whether a line longer than others is a date, in an element that says so."""
    if page.text[line] > _LONGEST_TIMED or "time" not in page.tags[line : page.end[line]]:
        return False
    return _is_date(page.words(line, _LONGEST_TIMED))


def _is_date(words: str) -> bool:
    digits = sum(map(str.isdigit, words))
    return digits >= _LEAST_DIGITS and digits > _DIGITS_SHARE * len(words)


def _title_before(page: PageMap, core: int, outer: int) -> int:
    """The last h1 ahead of a core that has none; 0 for none."""
    if any(page.tags[number] == "h1" for number in page.inside(core)):
        return 0
    titles = (
        number
        for number in range(core - 1, outer, -1)
        if page.tags[number] == "h1" and not page.gone[number] and page.text[number] > 2
    )
    return next(titles, 0)


def _start(page: PageMap, core: int) -> int:
    """Where a lead without a title may begin: in the nearest article or main element."""
    holders = (up for up in page.ancestors(core) if page.tags[up] in ("article", "main"))
    return next(holders, core - 1) + 1


def _lead(page: PageMap, start: int, core: int) -> list[int]:
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
    if page.tags[number] not in _LEAD_TAGS or text not in _LEAD_LENGTHS:
        return False
    if page.links[number] > _LEAD_LINKS * text:
        return False
    is_wrapper = any(
        page.text[child] > 0.6 * text and page.tags[child] in _LEAD_TAGS
        for child in page.children(number)
    )
    return not is_wrapper and not _BYLINE.match(page.words(number))
