"""Which tables are no tables: they only place blocks side by side, or numbers beside code."""

from collections.abc import Iterator
from itertools import islice
from typing import Final

from lxml import etree

from safefetch_cli.content.markdown.chrome import is_line_number

_BLOCKS: Final = frozenset(
    ("table", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "form", "section", "article", "pre",
     "blockquote", "hr", "main", "nav", "header", "footer")
)  # fmt: skip
_WRAPPERS: Final = frozenset(("div", "center", "font", "p", "span", "form"))
_ROWS_LOOKED_AT = 50


def is_layout(table: etree._Element) -> bool:
    """Whether the cells of a table are to be read one after another, as blocks."""
    if table.get("role") in ("presentation", "none"):
        return True
    cells_of_rows = [list(row) for row in islice(_rows(table), _ROWS_LOOKED_AT)]
    cells = [cell for row in cells_of_rows for cell in row]
    if any(is_gutter(cell) for cell in cells):
        return True
    if any(cell.tag == "th" for cell in cells) or next(table.iterchildren("caption", "thead"), None) is not None:
        return False
    if all(len(row) <= 1 for row in cells_of_rows):
        return any(_holds_block(cell) for cell in cells)
    return any(_holds(cell, ("table", "h1", "h2", "h3")) for cell in cells)


def _rows(table: etree._Element) -> Iterator[etree._Element]:
    for child in table.iterchildren("tr", "tbody", "thead", "tfoot"):
        if child.tag == "tr":
            yield child
        else:
            yield from child.iterchildren("tr")


def is_gutter(cell: etree._Element) -> bool:
    """Whether a cell only numbers the lines of the code beside it."""
    return is_line_number(cell)


def _holds_block(cell: etree._Element) -> bool:
    return _holds(cell, _BLOCKS) or sum(1 for _ in islice(cell.iterchildren("p", "div"), 2)) == 2


def _holds(cell: etree._Element, tags: "frozenset[str] | tuple[str, ...]") -> bool:
    """Whether a cell has such an element, itself or in one wrapper."""
    for child in islice(cell, 20):
        if child.tag in tags:
            return True
        if child.tag in _WRAPPERS and any(inner.tag in tags for inner in islice(child, 20)):
            return True
    return False
