"""An element tree to markdown: one walk, the rule of each element at its start and its end."""

import re
from typing import Any, Final

from lxml import etree

from safefetch_cli.content.late_pattern import late
from safefetch_cli.content.parse import parse_html
from safefetch_cli.content.writer import (
    block_rules,
    code_rules,
    formula_rules,
    inline_rules,
    link_rules,
    table_rules,
)
from safefetch_cli.content.writer.destinations import Addresses
from safefetch_cli.content.writer.images import Images
from safefetch_cli.content.writer.state import Begin, End, Writer

_BEGIN: Final[dict[Any, Begin]] = {
    **block_rules.BEGIN,
    **table_rules.BEGIN,
    **inline_rules.BEGIN,
    **code_rules.BEGIN,
    **link_rules.BEGIN,
    **formula_rules.BEGIN,
}
_END: Final[dict[Any, End]] = {
    **block_rules.END,
    **table_rules.END,
    **inline_rules.END,
    **link_rules.END,
}
_EVENTS: Final = ("start", "end", "comment", "pi")
_ASCII_UNWANTED = re.compile("[\x00-\x08\x0b-\x1f\x7f]")
_UNWANTED = late("[\x00-\x08\x0b-\x1f\x7f-\x9f\ufeff\ud800-\udfff]")


def page_to_markdown(html: str, url: str, *, images: Images = "keep") -> str:
    """The whole of a page, or fragment, as markdown. Any text at all will do.

    `url` is the page's own address; links are made absolute against it and the page's base.
    """
    root = parse_html(html)
    return "" if root is None else to_markdown(root, url, images=images)


def to_markdown(root: etree._Element, url: str, *, images: Images = "alt") -> str:
    """An element and all in it as CommonMark with GitHub's extensions.

    The tree is only read, and what follows the element (its tail) is not part of it. `url` is the
    page's own address. The text has no outer white space, no control characters, no byte order
    marks and no lone surrogates; time and memory are linear in the size of the tree.
    """
    text = _converted(root, url, images, unwanted=None)
    if (_ASCII_UNWANTED if text.isascii() else _UNWANTED).search(text):
        # Rare. Signs to be left out are left out first, as they decide what must be escaped.
        text = _converted(root, url, images, unwanted=_UNWANTED)
    return text


def _converted(
    root: etree._Element, url: str, images: Images, *, unwanted: "re.Pattern[str] | None"
) -> str:
    writer = Writer(Addresses.of(root, url), images)
    add = writer.run.pieces.append
    walker = etree.iterwalk(root, events=_EVENTS)
    for event, element in walker:
        if event == "start":
            begin = _BEGIN.get(element.tag)
            if begin is not None and begin(writer, element):
                walker.skip_subtree()
                continue
            text = element.text
        else:
            if event == "end":
                end = _END.get(element.tag)
                if end is not None:
                    end(writer, element)
            text = element.tail if element is not root else None
        if text:
            add(text if unwanted is None else unwanted.sub("", text))
    writer.flush()
    written = "".join(writer.boxes.written)
    return written if unwanted is None else unwanted.sub("", written)
