"""Text hidden by the page's own style sheets."""

import time

import pytest

from safefetch_cli.content.clean import clean
from safefetch_cli.content.parse import parse_html


def left(style: str, body: str) -> str:
    """What is left of the body under the style sheet."""
    root = parse_html(f"<head><style>{style}</style></head><body><p>Seen.</p>{body}</body>")
    assert root is not None
    clean(root)
    return " ".join(" ".join(root.find("body").itertext()).split())  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "style",
    [
        ".x{display:none}",
        "#i { display : none }",
        "p.x{visibility:hidden}",
        "div p.x{opacity:0}",
        "div > p.x { font-size: 0 }",
        "[data-k] {display:none}",
        "p[data-k='v'],a{display:none}",
        "div p:not(.shown){display:none}",
        ".a,.x,.b{position:absolute;left:-9999px}",
        "@media screen { .x{display:none} }",
        "@supports (display:grid) { .x{display:none} }",
        "/* .x{display:block} */ .x{display:none} /* } */",
        "@import 'a.css'; .x{display:none}",
        ".x{content:'}';display:none}",
        ".x{display:block} .x{display:none}",
        ".x{display:none!important} #i{display:block}",
        ".x{color:red}.x{text-indent:-999em}",
        r".a\:b{display:none}",
        ".x{display:none;",
    ],
)
def test_hidden_by_a_rule(style: str) -> None:
    body = "<div><p id='i' class='x a:b' data-k='v'>secret</p></div>"
    assert left(style, body) == "Seen."


@pytest.mark.parametrize(
    "style",
    [
        ".y{display:none}",
        "p.x.y{display:none}",
        "section p{display:none}",
        "body > p.x{display:none}",
        ".x:hover{display:none}",
        ".x::before{display:none}",
        "h1 + .x{display:none}",
        "h1, .x:bogus{display:none}",
        "@media print{.x{display:none}}",
        "@media (max-width:600px){.x{display:none}}",
        ".x{display:none} .x{display:block}",
        ".x{display:none} #i{display:block}",
        "p.x{display:flex} .x{display:none} div p.x{display:block}",
        ".x{display:none} @media (min-width:600px){.x{display:block}}",
        "@keyframes k{from{opacity:0}to{opacity:1}} .x{animation:k}",
        "@font-face{font-family:x;src:url(x)}",
        "} } .x{display:none}",
    ],
)
def test_not_hidden_by_a_rule(style: str) -> None:
    body = "<div><p id='i' class='x' data-k='v'>kept</p></div>"
    assert left(style, body) == "Seen. kept"


def test_the_style_attribute_outweighs_a_rule() -> None:
    assert left(".x{display:none}", "<p class='x' style='display:block'>kept</p>") == "Seen. kept"
    body = "<p class='x' style='display:block'>secret</p>"
    assert left(".x{display:none!important}", body) == "Seen."


def test_a_size_of_zero_is_for_the_text_of_the_element_itself() -> None:
    style = ".row{font-size:0}.cell{font-size:16px}"
    assert left(style, "<div class='row'><div class='cell'>kept</div></div>") == "Seen. kept"
    assert left(style, "<div class='row'>secret</div>") == "Seen."


def test_a_style_for_print_is_not_read() -> None:
    root = parse_html("<style media='print'>p{display:none}</style><p>kept</p>")
    assert root is not None
    clean(root)
    assert "".join(root.itertext()) == "kept"


@pytest.mark.parametrize(
    "style",
    [
        ".x{display:none}" * 20_000,
        "{" * 100_000,
        "a{" * 50_000 + "display:none",
        "/*" * 100_000,
        ".a " * 50_000 + "{display:none}",
        ",".join(f".c{n}" for n in range(50_000)) + "{display:none}",
        "".join(f".c{n} .x{{display:none}}" for n in range(10_000)),
    ],
)
def test_hostile_styles_take_bounded_time(style: str) -> None:
    body = "<div class='x'>" * 150 + "text" + "<p class='x'>a</p>" * 500
    start = time.process_time()
    left(style, body)
    assert time.process_time() - start < 3


HIDING = """
    color:rgba(0,0,0,0) | color:#0000 | color:#00000000 | color:rgb(0 0 0 / 0) | color:transparent
    -webkit-text-fill-color:rgba(0,0,0,0) | color:hsla(0,0%,0%,0) | font:0/0 a
    position:relative;left:-9999px | position:absolute;left:-1e5px | position:absolute;left:-200cm
    position:absolute;left:-99in | height:0;padding:0;overflow:hidden
"""
SHOWING = """
    max-width:0;overflow:hidden;text-overflow:ellipsis;width:100% | color:rgb(0,0,0) | color:#000
    height:0;padding-bottom:56%;overflow:hidden | height:0;min-height:100px;overflow:hidden
    background:linear-gradient(red,blue);-webkit-background-clip:text;color:transparent
    color:#fff0f0 | color:rgba(0,0,0,.5) | font:10px/1 a | font:bold 16px/0 x
    position:relative;left:-20px | height:0;padding:0
"""


def declarations(table: str) -> list[str]:
    return [one.strip() for line in table.strip().splitlines() for one in line.split(" | ")]


@pytest.mark.parametrize("declared", declarations(HIDING))
def test_what_these_declarations_hide_goes(declared: str) -> None:
    assert left("", f'<p style="{declared}">Gone.</p>') == "Seen."
    assert left(f".x{{{declared}}}", '<p class="x">Gone.</p>') == "Seen."


@pytest.mark.parametrize("declared", declarations(SHOWING))
def test_what_these_declarations_show_stays(declared: str) -> None:
    assert left("", f'<p style="{declared}">Stays.</p>') == "Seen. Stays."
    assert left(f".x{{{declared}}}", '<p class="x">Stays.</p>') == "Seen. Stays."
