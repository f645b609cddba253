"""The identifiers of headings."""

import pytest

from safefetch_cli.content.heading_ids import heading_ids
from safefetch_cli.content.parse import parse_html


def ids_of(body: str) -> list[tuple[str, str]]:
    root = parse_html(f"<html><body>{body}</body></html>")
    assert root is not None
    return list(heading_ids(root))


def test_headings_in_their_order() -> None:
    page = "<h2 id=a>A</h2><section id=b><h3>B</h3></section><h2>C</h2><h2><a name=d></a>D</h2>"
    assert ids_of(page) == [("A", "a"), ("B", "b"), ("D", "d")]


@pytest.mark.parametrize(("inner", "end"), [("h3", "h3"), ("div role=heading", "div")])
def test_a_heading_inside_another_is_a_part_of_it(inner: str, end: str) -> None:
    page = f"<h2 id=a>A <span><div><{inner} id=b>B</{end}></div></span></h2><h2 id=c>C</h2>"
    assert ids_of(page) == [("A B", "a"), ("C", "c")]
