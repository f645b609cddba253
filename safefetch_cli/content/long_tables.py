"""Long tables, kept small: cells of nothing but text that stand side by side become one element.

In the tree an element takes some hundred bytes beside its characters. So the tree of a table takes
seventeen times the size of the page, and with all its cells folded a third of that.
"""

import re
from typing import Final

from lxml import etree

FOLDED: Final = "FOLDED-CELLS"
"""The tag of cells that are folded; the parser of HTML makes no name in capitals."""

SEPARATOR: Final = "\t"
"""Stands between the texts of folded cells, which have blanks for all other white space."""

LEAST_CHARS: Final = 1_000_000
LEAST_CELLS: Final = 10_000
"""A page with less is not worth it."""

KEPT_ROWS: Final = 200
"""The first rows of a table, which tell what kind of table it is, stay as they are."""

_WHITE_SPACE = str.maketrans("\t\n\r\f", "    ")
_STYLE = re.compile(r"<style\b[^>]*+>(?:[^<]++|<(?!/style))*+", re.IGNORECASE)
# What a selector must have to select a cell without attributes: its name, a star, or a pseudo-class
# that stands alone; or signs that may stand for them.
_SELECTS_CELLS = re.compile(r"\btd\b|[*\\&]|(?<![\w\]):-]):(?!:|root\b)", re.IGNORECASE)


def may_be_folded(page: str) -> bool:
    """Whether cells of the page may be folded: it is long, and no style is for cells alone."""
    return (
        len(page) >= LEAST_CHARS
        and page.count("<td") + page.count("<TD") >= LEAST_CELLS
        and not any(_SELECTS_CELLS.search(style[0]) for style in _STYLE.finditer(page))
    )


class RowFolder:
    """Folds the rows of tables as they are read."""

    def __init__(self) -> None:
        self._around: etree._Element | None = None
        self._count = 0

    def fold(self, row: etree._Element) -> None:
        """Fold the cells of a row that was read to its end; the first rows beside it stay."""
        around = row.getparent()
        self._count = self._count + 1 if around is self._around else 0
        self._around = around
        if self._count < KEPT_ROWS:
            return
        cells: list[etree._Element] = []
        for child in [*row, None]:
            if child is not None and _is_plain(child):
                cells.append(child)
                continue
            if len(cells) > 1:
                _join(row, cells)
            cells = []


def _is_plain(cell: etree._Element) -> bool:
    """Whether a cell has no attribute, no element inside, and no text beside it."""
    if cell.tag != "td" or len(cell) or cell.attrib:
        return False
    return not cell.tail or not cell.tail.strip()


def _join(row: etree._Element, cells: list[etree._Element]) -> None:
    folded = cells[0]
    folded.text = SEPARATOR.join((cell.text or "").translate(_WHITE_SPACE) for cell in cells)
    folded.tag = FOLDED
    for cell in cells[1:]:
        row.remove(cell)
