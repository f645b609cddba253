"""The captions of pictures: no part of an article's text, but what its pictures show."""

import re
from itertools import islice

from safefetch_cli.content.page_map import HEADINGS, PageMap

_CAPTIONED = frozenset(("div", "p", "span", "small", "em", "strong", "dd", "h2", "section"))
_NAME = re.compile(
    r"(?<!no[-_])(?<!has[-_])(?<!with[-_])(?<!without[-_])"
    r"(?:(?<![A-Za-z])caption|Caption)(?:s|ed)?(?![a-z])"
    r"|(?<![a-z])(?:bildunterschrift|bildtext|image-?credit|photo-?credit|legende?)(?![a-z])"
)
_FRAMES = frozenset(("div", "td", "a", "center"))
_TEXT_TAGS = HEADINGS | {"p", "li", "dt", "dd", "pre", "table", "blockquote"}
_NO_PICTURES = frozenset(("pre", "table", "math", "blockquote"))
_LARGEST_FIGURE = 100
_LONGEST_FRAME = 160
_FIGURE_TEXT = 40
_LONGEST_CAPTION = 600
_PICTURE_STORY = 0.4
_LONG_TEXT = 8_000


def drop_captions(page: PageMap, core: int, data: bytearray) -> list[int]:
    """Mark the captions inside, which are given back; a story told in captions keeps them.

    So does a long text: its pictures illustrate it, and their captions are read with it, where the
    picture of a short one only decorates. There they are given back and not marked. `data` tells
    what is inside a table of data: there it is no caption.
    """
    captions = [
        number for number in page.inside(core) if not data[number] and _is_caption(page, number)
    ]
    told = sum(page.plain(number) for number in captions if page.tags[number] == "figcaption")
    if told > _PICTURE_STORY * page.plain(core):
        captions = [number for number in captions if page.tags[number] != "figcaption"]
    if page.plain(core) < _LONG_TEXT:
        for number in captions:
            page.drop(number)
    return captions


def tell_pictures(page: PageMap, captions: list[int]) -> None:
    """Give the caption of each picture that stands alone in its figure to the picture.

    It becomes the text that stands for the picture where there is none, or one that only begins
    the caption; else the picture's title.
    """
    for caption in captions:
        told = page.elements[caption]
        words = " ".join("".join(told.itertext()).split())[:_LONGEST_CAPTION]
        picture = _picture_of(page, caption)
        if not picture or not words or told.find(".//img") is not None:
            continue
        image = page.elements[picture]
        alternative = " ".join((image.get("alt") or "").split())
        if words.startswith(alternative):
            image.set("alt", words)
        elif words not in alternative and not image.get("title"):
            image.set("title", words)


def _picture_of(page: PageMap, caption: int) -> int:
    """The only picture that is left in the figure of a caption, or beside it; 0 for none."""
    above = page.parent[caption]
    figures = (up for up in page.ancestors(caption) if page.tags[up] == "figure")
    inside = islice(page.inside(next(figures, above)), _LARGEST_FIGURE)
    pictures = [number for number in inside if page.tags[number] == "img"]
    return pictures[0] if len(pictures) == 1 else 0


def _is_caption(page: PageMap, number: int) -> bool:
    tag = page.tags[number]
    if tag == "figcaption":
        return _is_of_picture(page, page.parent[number], number)
    if tag in _FRAMES and 0 < page.text[number] <= _LONGEST_FRAME and not page.links[number]:
        return _shows_picture(page, number)
    return (
        tag in _CAPTIONED
        and 0 < page.text[number] <= _LONGEST_CAPTION
        and bool(_NAME.search(page.names(number)))
    )


def _is_of_picture(page: PageMap, figure: int, caption: int) -> bool:
    """Whether a figure holds little but its caption, and no code, table or formula."""
    if page.text[figure] - page.text[caption] >= _FIGURE_TEXT:
        return False
    inside = islice(page.inside(figure), _LARGEST_FIGURE)
    return not any(page.tags[inner] in _NO_PICTURES for inner in inside)


def _shows_picture(page: PageMap, number: int) -> bool:
    """Whether a block is a picture with a few words and no paragraph."""
    tags = {page.tags[inner] for inner in page.inside(number)}
    return bool(tags & {"img", "picture"}) and not tags & _TEXT_TAGS
