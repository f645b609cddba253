"""The tables of a page that hold data: what stands in their cells is no line of an article."""

from itertools import islice

from safefetch_cli.content.page_map import PageMap

PARTS = frozenset(("caption", "colgroup", "tbody", "td", "tfoot", "th", "thead", "tr"))
"""What a table is made of."""

_CELLS = ("td", "th")
_TELLING = frozenset(("th", "thead", "caption"))
_FEWEST_ROWS = 5
_FEWEST_COLUMNS = 3
_LOOKED_AT = 100


def in_data_tables(page: PageMap) -> bytearray:
    """For each element of the page, whether it is inside a table of data.

    That is a table which tells so by a head or caption, or whose first rows are a grid: five or
    more, of the same three or more cells. Any other may only place the parts of a page.
    """
    inside = bytearray(len(page.elements))
    for number, tag in enumerate(page.tags):
        if tag == "table" and not inside[number] and _is_data(page, number):
            start, end = number + 1, page.end[number]
            inside[start:end] = b"\1" * (end - start)
    return inside


def _is_data(page: PageMap, table: int) -> bool:
    start = range(table + 1, min(page.end[table], table + 1 + _LOOKED_AT))
    own = [number for number in start if _table_of(page, number) == table]
    return any(page.tags[number] in _TELLING for number in own) or _is_grid(page, own)


def _table_of(page: PageMap, number: int) -> int:
    return next(up for up in page.ancestors(number) if page.tags[up] == "table")


def _is_grid(page: PageMap, own: list[int]) -> bool:
    rows = islice((number for number in own if page.tags[number] == "tr"), _FEWEST_ROWS)
    columns = [sum(page.tags[cell] in _CELLS for cell in page.children(row)) for row in rows]
    return len(columns) == _FEWEST_ROWS and len(set(columns)) == 1 and columns[0] >= _FEWEST_COLUMNS
