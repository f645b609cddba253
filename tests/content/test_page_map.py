"""The map of a page."""

import pytest

from safefetch_cli.content import page_map
from safefetch_cli.content.page_map import PageMap
from safefetch_cli.content.parse import parse_html


def mapped(body: str) -> PageMap:
    root = parse_html(f"<html><body>{body}</body></html>")
    assert root is not None
    return PageMap(root)


def test_many_elements_of_a_frequent_tag_share_its_string(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_map, "_MANY", 1)
    page = mapped("<table><tr><td>1<td>2</table>")
    cells = [n for n, tag in enumerate(page.tags) if tag == "td"]
    assert [page.elements[n].tag for n in cells] == ["td", "td"]
    assert page.elements[cells[0]].tag is page.elements[cells[1]].tag


def test_lengths_are_counted_again_after_a_mark_and_after_it_was_taken_back() -> None:
    page = mapped("<p>four</p><div><a href='/'>link</a></div>")
    everything = page.checkpoint()
    assert (page.text[1], page.links[1]) == (8, 4)
    page.drop(3)
    page.settle()
    assert (page.text[1], page.links[1]) == (4, 0)
    page.back_to(everything)
    assert (page.text[1], page.links[1]) == (8, 4)
