"""Data tables: rows as they come, spans counted, widths known at the end."""

import re
from itertools import repeat
from typing import Final

from lxml import etree

FILLERS_PER_CELL: Final = 10
"""How many empty cells, for each cell of the page, spans and short rows may add to a table."""

_MAX_SPAN: Final = 1000
_ALIGNMENT = re.compile(r"text-align\s*:\s*(left|right|center)", re.IGNORECASE)
_RULES: Final = {"left": ":---", "right": "---:", "center": ":---:", "": "---"}


class Table:
    """A table that is being read. Each row is written as it ends, so few objects are held.

    `depth` counts the cells that are open: above 1 a cell lies inside a cell. `flat_outside` is
    what the writer's `flat` was round the cell.
    """

    def __init__(self) -> None:
        self.depth = 0
        self.flat_outside = ""
        self._rows: list[str] = []
        self._widths: list[int] = []
        self._row: list[str] = []
        self._gap = 0
        self._below: dict[int, int] = {}
        self._next_below: dict[int, int] = {}
        self._fillers = 100
        self._alignments: list[str] = []
        self._heads = True
        self._has_header = False

    def add_cell(self, element: etree._Element, text: str) -> None:
        """Add a finished cell to the row."""
        self._fillers += FILLERS_PER_CELL
        self._skip_spanned()
        self._fill_gap()
        if not self._rows:
            self._heads = self._heads and element.tag == "th"
            self._alignments.extend(repeat("", len(self._row) - len(self._alignments)))
            self._alignments.append(_alignment(element))
        column = len(self._row)
        self._row.append(text)
        span, rows = element.get("colspan"), element.get("rowspan")
        columns = _span(span) if span else 1
        self._gap = columns - 1
        if rows and _span(rows) > 1:
            for spanned in range(column, min(column + columns, column + self._fillers)):
                self._next_below[spanned] = _span(rows) - 1

    def end_row(self, *, in_head: bool) -> None:
        """Finish the row; one without text is left out."""
        if self._row:
            if not self._rows:
                self._has_header = in_head or self._heads
            if any(self._row):
                self._rows.append(" | ".join(self._row))
                self._widths.append(len(self._row))
            elif not self._rows:
                self._heads = True
                self._alignments.clear()
        self._row.clear()
        self._gap = 0
        self._age_spans()

    def markdown(self) -> str:
        """The table; "" when it has no cell with text."""
        if not self._rows:
            return ""
        width = max(self._widths)
        pads = width * len(self._rows) - sum(self._widths) <= self._fillers
        lines = [
            f"| {row}{' | ' * (width - cells) if pads and cells < width else ''} |"
            for row, cells in zip(self._rows, self._widths, strict=True)
        ]
        self._rows.clear()
        names = [*self._alignments, *repeat("", width)][:width]
        rule = f"| {' | '.join(_RULES[name] for name in names)} |"
        if self._has_header:
            lines.insert(1, rule)
            missing = 0 if pads else width - self._widths[0]
            lines[0] += "  |" * missing
        else:
            lines.insert(0, f"|{'  |' * width}\n{rule}")
        return "\n".join(lines)

    def _skip_spanned(self) -> None:
        """Empty cells where cells of the rows above reach down into this one."""
        while self._below and not self._gap and self._fillers > 0:
            if len(self._row) not in self._below:
                return
            self._row.append("")
            self._fillers -= 1

    def _fill_gap(self) -> None:
        """Empty cells for the columns the cell before spans; only now, as more cells follow."""
        count = min(self._gap, self._fillers)
        self._row.extend(repeat("", count))
        self._fillers -= count
        self._gap = 0
        self._skip_spanned()

    def _age_spans(self) -> None:
        if not self._below and not self._next_below:
            return
        if self._fillers <= 0:
            self._below.clear()
        left = {column: rows - 1 for column, rows in self._below.items() if rows > 1}
        self._fillers -= len(left)
        self._below = left | self._next_below
        self._next_below = {}


def _span(text: str) -> int:
    text = text.strip()
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 9 else 1
    return min(max(number, 1), _MAX_SPAN)


def _alignment(element: etree._Element) -> str:
    align = element.get("align", "").strip().lower()
    style = element.get("style")
    if not align and style:
        match = _ALIGNMENT.search(style)
        align = match[1].lower() if match else ""
    return align if align in _RULES else ""
