"""What is done with tables: those that hold data, and those that only place blocks."""

from typing import Final

from lxml import etree

from safefetch_cli.content.long_tables import FOLDED, SEPARATOR
from safefetch_cli.content.writer.block_rules import begin_code
from safefetch_cli.content.writer.inline import written_cell
from safefetch_cli.content.writer.layout import is_gutter, is_layout, is_listing
from safefetch_cli.content.writer.state import Begin, End, Writer
from safefetch_cli.content.writer.tables import Table
from safefetch_cli.content.writer.tokens import BREAK

_PLAIN_CELL: Final = etree.Element("td")


def _begin_table(writer: Writer, element: etree._Element) -> bool:
    writer.border()
    pre = _closed_pre(element)
    if pre is not None:
        writer.tables.append(None)
        return begin_code(writer, element, pre)
    is_table = not writer.flat and not is_layout(element)
    writer.tables.append(Table() if is_table else None)
    return is_listing(element) and begin_code(writer, element)


def _closed_pre(table: etree._Element) -> etree._Element | None:
    """The preformatted element round a table, which the parser closed ahead of it; else None."""
    before = table.getprevious()
    if before is None or before.tag != "pre" or len(before) or (before.text or "").strip():
        return None
    is_apart = (before.tail or "").strip() or next(table.iter("th", "caption"), None) is not None
    return None if is_apart else before


def _end_table(writer: Writer, _: etree._Element) -> None:
    writer.border()
    table = writer.tables.pop()
    if table is None:
        return
    table.end_row(in_head=False)
    text = table.markdown()
    if text:
        writer.boxes.write("table", text)


def _end_row(writer: Writer, element: etree._Element) -> None:
    table = _open_table(writer)
    if table is None or table.depth:
        writer.border()
        return
    parent = element.getparent()
    table.end_row(in_head=parent is not None and parent.tag == "thead")


def _begin_cell(writer: Writer, element: etree._Element) -> bool:
    table = _open_table(writer)
    if table is None:
        _part_cells(writer)
        return is_gutter(element)
    table.depth += 1
    writer.border()
    if table.depth == 1:
        table.flat_outside = writer.flat  # a heading round a cell is one line too
    writer.flat = BREAK
    return False


def _end_cell(writer: Writer, element: etree._Element) -> None:
    table = _open_table(writer)
    if table is None:
        _part_cells(writer)
        return
    table.depth -= 1
    if table.depth:
        writer.add(" ")
        return
    writer.flat = table.flat_outside
    table.add_cell(element, written_cell(*writer.run.take()))


def _begin_folded(writer: Writer, element: etree._Element) -> bool:
    """Write cells that are folded into one element, each as if it stood there by itself."""
    for text in (element.text or "").split(SEPARATOR):
        _begin_cell(writer, _PLAIN_CELL)
        writer.add(text)
        _end_cell(writer, _PLAIN_CELL)
    return True


def _begin_row(writer: Writer, _: etree._Element) -> bool:
    writer.border()
    return False


def _open_table(writer: Writer) -> Table | None:
    """The table that is being read; None in one that is not written as a table."""
    return writer.tables[-1] if writer.tables else None


def _part_cells(writer: Writer) -> None:
    """Keep cells apart that are not written as cells."""
    if writer.flat:
        writer.add(" ")
    else:
        writer.flush()


BEGIN: Final[dict[str, Begin]] = {
    "table": _begin_table,
    "tr": _begin_row,
    **dict.fromkeys(("td", "th"), _begin_cell),
    FOLDED: _begin_folded,
}
"""The rules for the starts of tables and their parts, by tag."""

END: Final[dict[str, End]] = {
    "table": _end_table,
    "tr": _end_row,
    **dict.fromkeys(("td", "th"), _end_cell),
}
"""The rules for their ends."""
