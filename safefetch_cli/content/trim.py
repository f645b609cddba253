"""Taking out of the core of an article what is not its text: captions, link blocks, the tail."""

from collections import defaultdict
from itertools import islice

from safefetch_cli.content.candidates import is_contents, is_told_list
from safefetch_cli.content.captions import drop_captions
from safefetch_cli.content.closing import is_appeal, is_closing
from safefetch_cli.content.page_map import HEADINGS, PageMap

_BLOCK_LINES = frozenset(("p", "div", "dt", "li", "summary", "td", "header", "center"))
_INLINE_LINES = frozenset(("span", "strong", "b", "em", "label", "a", "font"))
_APPEALING = frozenset(("p", "div", "li", "span", "h2", "h3", "h4", "h5", "section"))
_LINKS_OF = {
    **dict.fromkeys(("ul", "ol", "dl", "div", "section", "table", "aside", "article"), 0.6),
    **dict.fromkeys(("figure", "nav", "header", "footer"), 0.6),
    **dict.fromkeys(("p", "blockquote"), 0.85),
}
"""Block -> the share of links above which it is a block of links and not of text."""

_SECTIONS = frozenset(("section", "article", "div"))
_SECTION_HEADINGS = HEADINGS - {"h1"}
_MOSTLY_LINKS = 0.5
_LINK_BLOCK_PLAIN = 0.1
_MOST_LINK_BLOCKS = 0.3
_TAIL_SHARE = 0.3
_LONGEST_TAIL = 5_000
_LONGEST_CLOSING = 70
_LONGEST_CLOSING_ITEM = 30
_ENDS = (".", "!", "?", "。")
_APPEAL_LENGTHS = range(10, 401)
_POINTER_LINKS = 0.5
_PROSE = 80
_PARAGRAPHS = 2
_FEWEST_ENTRIES = 3
_ENTRY = 40
_MOST_HEADED = 0.7
_INTRODUCTION = 20
_LONGEST_INTRODUCTION = 1_000


def trim_article(page: PageMap, core: int, data: bytearray) -> list[int]:
    """Mark captions, blocks of links, appeals and the tail of an article inside its core.

    The captions that are marked are given back. `data` tells what is inside a table of data, which
    is left alone.
    """
    if page.links[core] > _MOSTLY_LINKS * page.text[core]:
        return []
    captions = drop_captions(page, core, data)
    _drop_link_blocks(page, core)
    page.settle()
    _drop_tail(page, core, data)
    _drop_appeals(page, core, data)
    page.settle()
    return [caption for caption in captions if page.gone[caption]]


def _drop_link_blocks(page: PageMap, core: int) -> None:
    """Mark the blocks of links; where there are many they are what the page is about."""
    found = _link_blocks(page, core)
    heads = _heads_of_entries(page, found)
    found = [number for number in found if number not in heads]
    if sum(page.text[number] for number in found) <= _MOST_LINK_BLOCKS * page.text[core]:
        introduced = _introduced(page, found)
        found = [n for n in found if n not in introduced and not is_contents(page, n)]
        for number in found:
            page.drop(number)
        for number in _left_headings(page, core, found):
            page.drop(number)


def _heads_of_entries(page: PageMap, blocks: list[int]) -> set[int]:
    """The blocks that head the entries of a list: all text in their parent follows such a link."""
    beside: dict[int, list[int]] = defaultdict(list)
    for block in blocks:
        beside[page.parent[block]].append(block)
    heads: set[int] = set()
    for parent, links in beside.items():
        if len(links) >= _FEWEST_ENTRIES:
            starts = {page.end[link]: link for link in links}
            texts = [child for child in page.children(parent) if page.plain(child) >= _ENTRY]
            headed = [starts[text] for text in texts if text in starts]
            if len(headed) >= max(_FEWEST_ENTRIES, _MOST_HEADED * len(texts)):
                heads.update(headed)
    return heads


def _introduced(page: PageMap, blocks: list[int]) -> set[int]:
    """The lists that the words of their item, or the paragraph before them, introduce."""
    lists = {block for block in blocks if page.tags[block] in ("ul", "ol")}
    found: set[int] = set()
    for parent in {page.parent[block] for block in lists}:
        if page.tags[parent] in ("li", "dd") and page.own(parent):
            found.update(page.children(parent))
            continue
        before = 0
        for child in page.children(parent):
            if child in lists and before and _introduces(page, before):
                found.add(child)
            if page.text[child]:
                before = child
    return found & lists


def _introduces(page: PageMap, number: int) -> bool:
    """Whether a paragraph ends with a colon, and not in such words as end an article."""
    if page.tags[number] not in ("p", "div") or page.text[number] > _LONGEST_INTRODUCTION:
        return False
    words = page.words(number, _LONGEST_INTRODUCTION)
    is_plain = page.plain(number) >= _INTRODUCTION
    return is_plain and words.endswith((":", "\uff1a")) and not is_closing(words, heading=True)


def _is_running_text(page: PageMap, number: int) -> bool:
    """Whether a paragraph of links goes with the text around it.

    It ends as a sentence does, outside of its links, or it is a remark in brackets.
    """
    if page.tags[number] != "p":
        return False
    element = page.elements[number]
    end = (element[-1].tail if len(element) else element.text) or ""
    if end.rstrip().endswith(_ENDS):
        return True
    words = page.words(number, page.text[number])
    return words.startswith("(") and words.endswith(")")


def _left_headings(page: PageMap, core: int, blocks: list[int]) -> list[int]:
    """The headings right before the blocks that are links themselves."""
    starts = {(page.parent[block], block) for block in blocks}
    return [
        number
        for number in page.inside(core)
        if page.tags[number] in _SECTION_HEADINGS
        and (page.parent[number], page.end[number]) in starts
        and page.links[number] == page.text[number]
    ]


def _link_blocks(page: PageMap, core: int) -> list[int]:
    found: list[int] = []
    most_plain = _LINK_BLOCK_PLAIN * page.plain(core)
    number, end = core + 1, page.end[core]
    while number < end:
        text, share = page.text[number], _LINKS_OF.get(page.tags[number], 1.0)
        if page.gone[number] or page.tags[number] in ("pre", "table") or _heads(page, number):
            number = page.end[number]
        elif (
            text
            and page.links[number] > share * text
            and page.plain(number) <= most_plain
            and not is_told_list(page, number)
            and not _is_running_text(page, number)
        ):
            found.append(number)
            number = page.end[number]
        else:
            number += 1
    return found


def _heads(page: PageMap, header: int) -> bool:
    """Whether this is a header that holds the heading of what follows it in its section."""
    if page.tags[header] != "header":
        return False
    section, until = page.parent[header], page.end[header]
    if page.tags[section] not in _SECTIONS or until == page.end[section]:
        return False
    return any(page.tags[inner] in _SECTION_HEADINGS for inner in range(header, until))


def _drop_tail(page: PageMap, core: int, data: bytearray) -> None:
    """Mark all from a closing line on where little follows; else the closing line alone."""
    total = page.plain(core)
    most = min(_TAIL_SHARE * total, _LONGEST_TAIL)
    before = page.plain_before(core)
    number, end = core + 1, page.end[core]
    while number < end:
        if page.gone[number]:
            number = page.end[number]
        elif data[number] or not _is_closing(page, number):
            number += 1
        elif total - before[number - core] > most or _goes_on(page, core, number):
            page.drop(number)
            number = page.end[number]
        else:
            while number < end:
                page.drop(number)
                number = page.end[number]


def _is_closing(page: PageMap, number: int) -> bool:
    tag = page.tags[number]
    if not 2 <= page.text[number] <= _LONGEST_CLOSING:
        return False
    if tag in HEADINGS:
        return is_closing(page.words(number, 80), heading=True)
    if tag == "li" and not page.links[number] and page.text[number] > _LONGEST_CLOSING_ITEM:
        return False  # an item that is a sentence
    if tag in _INLINE_LINES and page.text[page.parent[number]] > page.text[number] + 3:
        return False  # a part of a line
    return (tag in _BLOCK_LINES or tag in _INLINE_LINES) and is_closing(
        page.words(number, 80), heading=False
    )


def _goes_on(page: PageMap, core: int, number: int) -> bool:
    """Whether the article goes on after a closing line that is no heading.

    Two or more paragraphs of prose follow beside the line, or a further part of the article beside
    the part that ends with it.
    """
    if page.tags[number] in HEADINGS:
        return False
    while page.end[number] == page.end[page.parent[number]] and page.parent[number] != core:
        number = page.parent[number]
    prose = (beside for beside in page.following(number) if _is_prose(page, beside, "p", _PROSE))
    if len(list(islice(prose, _PARAGRAPHS))) == _PARAGRAPHS:
        return True
    parts = (part for part in (number, page.parent[number]) if part != core)
    return any(_has_further_part(page, part) for part in parts)


def _has_further_part(page: PageMap, part: int) -> bool:
    names = page.elements[part].get("class")
    return bool(names) and any(
        page.elements[beside].get("class") == names
        and _is_prose(page, beside, page.tags[part], _PARAGRAPHS * _PROSE)
        for beside in page.following(part)
    )


def _is_prose(page: PageMap, number: int, tag: str, least: int) -> bool:
    return (
        page.tags[number] == tag
        and page.plain(number) >= least
        and page.links[number] < _TAIL_SHARE * page.text[number]
    )


def _drop_appeals(page: PageMap, core: int, data: bytearray) -> None:
    for number in page.inside(core):
        if data[number] or page.tags[number] not in _APPEALING:
            continue
        if page.text[number] in _APPEAL_LENGTHS:
            words = page.words(number)
            if is_appeal(words) or _is_pointer(page, number, words):
                page.drop(number)


def _is_pointer(page: PageMap, number: int, words: str) -> bool:
    """Whether a line is mostly a link, after such words as end an article."""
    is_linked = page.links[number] >= _POINTER_LINKS * page.text[number]
    return is_linked and page.tags[number] not in HEADINGS and is_closing(words, heading=False)
