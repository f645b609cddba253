"""Folding the plain cells of long tables changes the memory that a page takes, and nothing else."""

import pytest

from safefetch_cli.content import long_tables
from safefetch_cli.content.long_tables import FOLDED, may_be_folded
from safefetch_cli.content.page import read_html
from safefetch_cli.content.parse import parse_html

URL = "https://data.example/"
ROWS = 12


@pytest.fixture(autouse=True)
def _small_pages_are_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long_tables, "LEAST_CHARS", 0)
    monkeypatch.setattr(long_tables, "LEAST_CELLS", 1)
    monkeypatch.setattr(long_tables, "KEPT_ROWS", 2)


def table(row: str, *, head: str = "<tr><th>a<th>b<th>c</tr>", around: str = "{}") -> str:
    rows = "".join(f"<tr>{row.replace('N', str(number))}</tr>\n" for number in range(ROWS))
    return around.format(f"<h1>Data</h1><table>{head}{rows}</table><p>The end.</p>")


PAGES = {
    "plain": table("<td>N</td><td>x</td><td>y</td>"),
    "implied ends": table("<td>N<td>x<td>y"),
    "empty cells": table("<td></td><td> </td><td>N</td>"),
    "signs": table("<td>a|N</td><td>*b*</td><td>[c](d) &lt;e&gt; 1*2*3</td>"),
    "white space": table("<td> N\n\t x </td><td>a&nbsp;b</td><td>a\tb</td>"),
    "links between": table("<td>N</td><td>x</td><td><a href='/N'>y</a></td><td>z</td><td>u</td>"),
    "spans": table("<td rowspan=2>N</td><td>x</td><td>y</td>"),
    "heads of rows": table("<th>N</th><td>x</td><td>y</td>"),
    "classes": table("<td class=n>N</td><td>x</td><td>y</td>"),
    "bodies": table("<td>N<td>x<td>y", head="<thead><tr><th>a<th>b<th>c</thead><tbody>"),
    "nested": table("<td>N<td>x<td><table><tr><td>i<td>j</table><td>k<td>l"),
    "layout": table("<td>N<td>x", head="<tr><td><h2>Part</h2></td><td><p>a<p>b</td></tr>"),
    "in a heading": table("<td>N<td>x", around="<h2>{}</h2>"),
    "beside text": table("<td>N</td> lost <td>x</td><td>y</td>"),
    "in a page": table(
        "<td>N<td>x<td>y", around="<html><head><title>T</title></head><body><main>{}</main>"
    ),
    "too deep": table("<td>N<td>x<td>y", around="<div>" * 3000 + "{}"),
}


@pytest.mark.parametrize("extract", ["main", "full"])
@pytest.mark.parametrize("name", PAGES)
def test_a_folded_page_reads_the_same(
    name: str, extract: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    folded = read_html(PAGES[name], URL, extract=extract)  # type: ignore[arg-type]
    monkeypatch.setattr(long_tables, "LEAST_CELLS", 1_000_000)
    assert folded == read_html(PAGES[name], URL, extract=extract)  # type: ignore[arg-type]


def test_rows_after_the_first_are_folded() -> None:
    root = parse_html(PAGES["plain"], folded=True)
    assert root is not None
    kept = 1  # beside the row of heads
    folded = [cells.text for cells in root.iter(FOLDED)]
    assert folded == [f"{number}\tx\ty" for number in range(kept, ROWS)]
    assert len(list(root.iter("td"))) == 3 * kept


def test_a_cell_with_an_attribute_stays() -> None:
    root = parse_html(PAGES["classes"], folded=True)
    assert root is not None
    assert [cell.text for cell in root.iter("td")][:5] == ["0", "x", "y", "1", "2"]


@pytest.mark.parametrize(
    ("css", "may_be"),
    [
        ("", True),
        ("tr.old{display:none} .data{color:red} a:hover{color:red}", True),
        ("td{color:white}", False),
        ("TABLE > TR TD{color:white}", False),
        ("tr > :nth-child(2){display:none}", False),
        ("tr :not(.shown){display:none}", False),
        (":root{--x:1} tr:nth-child(even){color:red} p::after{content:''}", True),
        ("tr :read-only{display:none}", False),
        (":defined{display:none}", False),
        ("tr > *{display:none}", False),
        (r"\74 d{display:none}", False),
    ],
)
def test_styles_for_cells_alone_keep_the_cells(css: str, may_be: bool) -> None:
    page = f"<html><head><style>{css}</style></head><body>{PAGES['plain']}"
    assert may_be_folded(page) is may_be


@pytest.mark.parametrize("selector", ["td", "tr > :nth-child(2)", "tr :not(th)", "tr td + *"])
def test_a_hidden_cell_of_a_long_table_is_hidden(selector: str) -> None:
    page = table("<td>N</td><td>secret</td><td>y</td>")
    style = f"<style>{selector}{{display:none}}</style>"
    text = read_html(f"<html><head>{style}</head><body>{page}", URL).text
    assert "secret" not in text
    assert "The end." in text


def test_a_selection_sees_every_cell() -> None:
    root = parse_html(PAGES["plain"])
    assert root is not None
    assert next(root.iter(FOLDED), None) is None
