"""Which tables are no tables: they only place blocks side by side, or numbers beside code."""

from collections.abc import Container, Iterator
from itertools import islice
from typing import Final

from lxml import etree

from safefetch_cli.content.writer.chrome import is_line_number

_BLOCKS: Final = frozenset(
    ("table", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "form", "section", "article", "pre",
     "blockquote", "hr", "main", "nav", "header", "footer")
)  # fmt: skip
_WRAPPERS: Final = frozenset(("div", "center", "font", "p", "span", "form"))
_NEVER_IN_DATA: Final = frozenset(("table", "h1", "h2", "h3"))
_CODE: Final = frozenset(("pre",))
_FEW_COLUMNS: Final = 2
_LONG_CODE: Final = 3
_ROWS_LOOKED_AT: Final = 50
_CHILDREN_LOOKED_AT: Final = 20


def is_layout(table: etree._Element) -> bool:
    """Whether the cells of a table are to be read one after another, as blocks."""
    if table.get("role") in ("presentation", "none"):
        return True
    rows = _first_rows(table)
    cells = [cell for row in rows for cell in row]
    if any(is_gutter(cell) for cell in cells):
        return True
    if max(map(len, rows), default=0) <= _FEW_COLUMNS and any(map(_holds_long_code, cells)):
        return True  # a cell has one line, and the lines of code are worth more than two columns
    if _is_told_to_be_data(table, cells):
        return False
    if all(len(row) <= 1 for row in rows):
        return any(_holds_blocks(cell) for cell in cells)
    return any(_holds(cell, _NEVER_IN_DATA) for cell in cells)


def is_listing(table: etree._Element) -> bool:
    """Whether a table is code with a row for each line and one or two cells for its number."""
    rows = _first_rows(table)
    return bool(rows) and all(
        2 <= len(row) <= 3 and all(map(is_line_number, row[:-1])) and not _holds(row[-1], _CODE)
        for row in rows
    )


def is_gutter(cell: etree._Element) -> bool:
    """Whether a cell only numbers the lines of the code beside it."""
    if is_line_number(cell):
        return True
    if not _holds(cell, _CODE):
        return False
    numbers = "".join(cell.itertext()).split()
    if len(numbers) < 2 or not all(number.isdecimal() for number in numbers[:_ROWS_LOOKED_AT]):
        return False
    first = int(numbers[0][:9])
    return all(int(n[:9]) == first + i for i, n in enumerate(numbers[:_ROWS_LOOKED_AT]))


def _first_rows(table: etree._Element) -> list[list[etree._Element]]:
    rows = (list(row.iterchildren("td", "th")) for row in islice(_rows(table), _ROWS_LOOKED_AT))
    return [row for row in rows if row]


def _rows(table: etree._Element) -> Iterator[etree._Element]:
    for child in table.iterchildren("tr", "tbody", "thead", "tfoot"):
        if child.tag == "tr":
            yield child
        else:
            yield from child.iterchildren("tr")


def _is_told_to_be_data(table: etree._Element, cells: list[etree._Element]) -> bool:
    heads = next(table.iterchildren("caption", "thead"), None) is not None
    return heads or any(cell.tag == "th" for cell in cells)


def _holds_blocks(cell: etree._Element) -> bool:
    several = sum(1 for _ in islice(cell.iterchildren("p", "div"), 2)) == 2
    return several or _holds(cell, _BLOCKS)


def _holds_long_code(cell: etree._Element) -> bool:
    """Whether a cell has preformatted text of several lines."""
    found = islice(cell.iter("pre"), _CHILDREN_LOOKED_AT)
    return any("".join(pre.itertext()).strip().count("\n") + 1 >= _LONG_CODE for pre in found)


def _holds(cell: etree._Element, tags: Container[str]) -> bool:
    """Whether a cell has such an element, itself or in one wrapper."""
    for child in islice(cell, _CHILDREN_LOOKED_AT):
        if child.tag in tags:
            return True
        if child.tag in _WRAPPERS and any(
            inner.tag in tags for inner in islice(child, _CHILDREN_LOOKED_AT)
        ):
            return True
    return False
