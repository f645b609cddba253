"""Text hidden by the page's own style sheets."""

import time

import pytest

from safefetch_cli.content.clean import clean
from safefetch_cli.content.parse import parse_html


def left(style: str, body: str, head: str = "") -> str:
    """What is left of the body under the style sheet."""
    root = parse_html(f"<head>{head}<style>{style}</style></head><body><p>Seen.</p>{body}</body>")
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
        "".join(f"*:not(.a{n}){{display:none}}" for n in range(5_000)),
        "".join(f"@media (min-width:{n}px){{.x{{display:none}}}}" for n in range(10_000)),
        "".join(f".x{{color:#{n:06x};background:#{n:06x}}}" for n in range(5_000)),
        ".x{" + "".join(f"--a{n}:var(--a{n + 1});" for n in range(3_000)) + "display:var(--a0)}",
        ".x{" + "& &{" * 30 + "display:none",
        ",".join(f".c{n}" for n in range(800)) + "{" + "&," * 500_000 + "&{display:none}}",
        ",".join(f".c{n}" for n in range(50_000)) + "{" + "&{display:none}" * 50_000 + "}",
        "".join(
            f":has(> p ~ i):not(:has(b)) > :nth-child({n}n){{opacity:0}}" for n in range(9_000)
        ),
        "".join(f"[class*=x{n}] [title^=a]{{opacity:0}}" for n in range(20_000)),
        "".join(f".x{{--a{n}:var(--a{n + 1});left:var(--a{n})}}" for n in range(20_000)),
        "p," + "[a=" * 50_000 + "{display:none}",
        ":not(" * 300 + "a" + ")" * 300 + "{display:none}",
        ".x{background:" + "(" * 40_000 + "}",
        ".x{width:calc(" + "1px+" * 40_000 + "1px);overflow:hidden}",
        "a-->" * 600_000,
        ("@layer " + "a" * 200 + "{") * 4_000,
        ",".join([".x"] * 2_000) + "{display:none;" + "color:red;" * 5_000 + "}",
    ],
)
def test_hostile_styles_take_bounded_time(style: str) -> None:
    body = "<div class='x'>" * 150 + "text" + "<p class='x'>a</p>" * 500
    start = time.process_time()
    left(style, body)
    assert time.process_time() - start < 3


@pytest.mark.parametrize("name", ["x\U0001f600", "x\u200dy", "\U0001f600"])
def test_names_of_any_letters_and_signs_are_whole(name: str) -> None:
    assert left(f".{name}{{display:none}}", f"<p class='{name}'>Hidden.</p>") == "Seen."


@pytest.mark.parametrize(
    "style",
    [
        "@layer Na{.x{display:block}} @layer Nb{.x{display:none}}",
        "@layer Nb{.x{display:none}} @layer N{.y{color:red}}",
        ".x{display:none} @layer N{.x{display:block}}",
        "@layer a.N,b;@layer b{.x{display:none}} @layer a{@layer N{.x{display:block}}}",
    ],
)
def test_layers_of_long_names_are_told_apart(style: str) -> None:
    style = style.replace("N", "n" * 300)
    assert left(style, "<p class='x'>Hidden.</p>") == "Seen."


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


HIDING += """
    position:absolute;left:9999px | position:absolute;right:9999px | position:absolute;right:-600px
    position:absolute;inset:0 0 0 -9999px | position:fixed;inset-inline-start:-200vw
    position:absolute;left:calc(-1*9999px) | position:absolute;left:min(-9999px,0px)
    position:absolute;left:50%;margin-left:-9999px | position:fixed;top:300vh
    transform:translateX(-9999px) | transform:translate3d(-5000px,0,0) | translate:-9999px 0
    transform:translate(-200vw,0) | transform:matrix(1,0,0,1,-9999,0)
    transform:scale(0.001) | transform:scale(1,0) | transform:scaleY(0) | scale:0 | scale:1 0
    transform:rotateX(90deg) | transform:rotateY(.25turn) | rotate:x 90deg
    transform:matrix(0,0,0,0,0,0) | transform:matrix(1,0,0,0,0,0) | zoom:0.001
    opacity:-1 | opacity:1e-9 | opacity:0% | opacity:0.01 | opacity:calc(1 - 1)
    opacity:0;opacity:bogus | opacity:0;opacity:none | filter:opacity(0) | filter:opacity(1%)
    block-size:0;overflow:hidden | inline-size:0;overflow:hidden | height:0;overflow:auto
    height:calc(1px - 1px);overflow:hidden | max-block-size:0;overflow:clip
    width:0;overflow-x:hidden | line-height:0;overflow:hidden
    clip-path:circle(0) | clip-path:circle(0% at 50% 50%) | clip-path:ellipse(0 0)
    clip-path:ellipse(50% 0) | clip-path:inset(100%) | clip-path:inset(0 100% 0 0)
    clip-path:polygon(0 0,0 0,0 0) | clip-path:polygon(0 0,100% 0,50% 0)
    clip-path:inset(50% round 2px) | -webkit-clip-path:inset(50%) | clip-path:xywh(0 0 0 0)
    clip:rect(0 0 0 0);position:fixed | clip-path:rect(0 0 0 0)
    text-indent:-999em | text-indent:calc(-1*9999px) | text-indent:-9999px;padding-left:20px
    text-indent:100%;white-space:nowrap;overflow:hidden
    font-size:1px | font-size:0.01em | font-size:.5pt | font-size:3% | font:1px/1 serif
    content-visibility:hidden | display:none;display:bogus | margin-top:-9999px
    color:#fff | color:white | color:#fefefe | color:#f8f8f8 | color:rgba(0,0,0,.02)
    color:hsl(0 0% 100%) | background:#000 | background-color:black | color:#111;background:#111
    -webkit-text-fill-color:#fff | background:linear-gradient(red,blue);color:transparent
    color:red;background:currentcolor | color:rgb(255 255 255 / .5)
"""
SHOWING += """
    position:absolute;left:-100%;transform:translateX(100%) | position:absolute;top:9999px
    position:absolute;left:9999px;margin-left:-9999px | left:-9999px | position:sticky;top:-100px
    text-indent:-9999px;padding-left:9999px | text-indent:-20px | text-indent:100%
    opacity:bogus | opacity:0;opacity:1 | opacity:var(--nope) | filter:opacity(.5)
    transform:rotate(90deg) | transform:scale(-1,1) | transform:translate(-50%,-50%)
    transform:matrix(1,0,0,1,0,0) | transform:rotateY(180deg) | transform:none | zoom:1
    clip-path:circle(50%) | clip-path:polygon(0 0,100% 0,100% 100%) | clip-path:inset(10%)
    clip-path:none | clip:rect(0,0,0,0) | clip:auto;position:absolute
    font-size:12px | font-size:.75rem | font-size:small | font-size:80% | font:700 12px/1 a
    height:0;overflow:visible | height:1em;overflow:hidden | width:0 | line-height:0
    max-height:0;padding:20px;overflow:hidden | height:auto;overflow:hidden
    color:#fff;background:#000 | color:#fff;background:url(x.png) | color:#767676
    color:#fff;background-image:linear-gradient(#000,#333) | color:#fff;background:#333 url(x.png)
    color:transparent;text-shadow:0 0 2px #000 | color:inherit | background:transparent
    color:#eee;background:#fff | visibility:visible | content-visibility:auto | display:contents
"""


def declarations(table: str) -> list[str]:
    return [one.strip() for line in table.split("\n") for one in line.split(" | ") if one.strip()]


@pytest.mark.parametrize("declared", declarations(HIDING))
def test_what_these_declarations_hide_goes(declared: str) -> None:
    assert left("", f'<p style="{declared}">Gone.</p>') == "Seen."
    assert left(f".x{{{declared}}}", '<p class="x">Gone.</p>') == "Seen."


@pytest.mark.parametrize("declared", declarations(SHOWING))
def test_what_these_declarations_show_stays(declared: str) -> None:
    assert left("", f'<p style="{declared}">Stays.</p>') == "Seen. Stays."
    assert left(f".x{{{declared}}}", '<p class="x">Stays.</p>') == "Seen. Stays."


UNDER_RULES = [
    (".w{color:#fff}.b{background:#fff}", "<div class=b><p class=w>{}</p></div>"),
    (".w{color:#fff}", "<div class=w><p>{}</p></div>"),
    ("body{background:#222}p{color:#eee}.w{color:#222}", "<div class=w><b>{}</b></div>"),
    ("p{color:#333}.x{background:#333}", "<p class=x>{}</p>"),
    ("", "<font color=white>{}</font>"),
    ("", "<table bgcolor=red><tr><td><font color=FF0000>{}</font></td></tr></table>"),
    (".a{position:absolute}.b{left:-9999px}", "<p class='a b'>{}</p>"),
    (".a{overflow:hidden}.b{height:0}", "<p class='a b'>{}</p>"),
    (":root{--h:none}.a{display:var(--h)}", "<p class=a>{}</p>"),
    (".a{--x:9999px}.a b{position:absolute;left:calc(var(--x)*-1)}", "<p class=a><b>{}</b></p>"),
    (".a{display:var(--nope,none)}", "<p class=a>{}</p>"),
    (".a{--c:#fff;--d:var(--c);color:var(--d)}", "<p class=a>{}</p>"),
    (".a{--b:#000;background:var(--b)}", "<p class=a>{}</p>"),
    (":is(.a,.b) p{display:none}", "<div class=b><p>{}</p></div>"),
    (":is(.a,:bogus) p{display:none}", "<div class=a><p>{}</p></div>"),
    (".a:not(.b):not(:hover){display:none}", "<p class=a>{}</p>"),
    (".a:has(i){display:none}", "<p class=a><i>{}</i></p>"),
    ("h2 + p{display:none}", "<h2></h2><p>{}</p>"),
    ("h2 ~ p{display:none}", "<h2></h2><div></div><p>{}</p>"),
    ("p:nth-child(2){display:none}", "<p>{}</p>"),
    ("[data-x=ABC i]{display:none}", "<p data-x=abc>{}</p>"),
    (r".\31 0{display:none}", "<p class=10>{}</p>"),
    (".o{ .i{display:none} }", "<div class=o><p class=i>{}</p></div>"),
    (".o{ color:red; &.i{display:none} }", "<p class='o i'>{}</p>"),
    (".i{ .o &{display:none} }", "<div class=o><p class=i>{}</p></div>"),
    (".o{ @media screen{display:none} }", "<p class=o>{}</p>"),
    ("@scope (.o){.i{display:none}}", "<div class=o><p class=i>{}</p></div>"),
    (".x{display:none}@media print{.x{display:block}}", "<p class=x>{}</p>"),
    (".x{display:none}@media (max-width:100px){.x{display:block}}", "<p class=x>{}</p>"),
    ("@media (min-width:1000px) and (not (hover:none)){.x{display:none}}", "<p class=x>{}</p>"),
    ("@media not print{.x{display:none}}", "<p class=x>{}</p>"),
    ("@media (400px<=width<=1400px){.x{display:none}}", "<p class=x>{}</p>"),
    ("@layer a{.x{display:block}}@layer b{.x{display:none}}", "<p class=x>{}</p>"),
    ("@layer b,a;@layer a{.x{display:none}}@layer b{.x{display:block}}", "<p class=x>{}</p>"),
    ("@layer a{#x{display:block}}.x{display:none}", "<p class=x id=x>{}</p>"),
    ("@layer a{.x{display:none!important}}.x{display:block!important}", "<p class=x>{}</p>"),
    ("<!-- .x{display:none} -->", "<p class=x>{}</p>"),
    (".x{display:none}.x{display:bogus}", "<p class=x style='display:bogus'>{}</p>"),
    (".x{opacity:0;animation:none}", "<p class=x>{}</p>"),
    ("@keyframes k{to{opacity:0}}.x{opacity:0;animation:k 1s both}", "<p class=x>{}</p>"),
    ("@keyframes k{to{opacity:1}}.x{opacity:0;animation:k 1s}", "<p class=x>{}</p>"),
    (".x{opacity:0}.x:hover{opacity:1}", "<p class=x>{}</p>"),
    (".x{opacity:0}.x.open{opacity:1}", "<p class=x>{}</p>"),
    (".v{visibility:hidden}", "<div class=v>{}<b>{}</b></div>"),
    (".f{font-size:0}b{font-size:2em}", "<div class=f>{}<b>{}</b></div>"),
]
NOT_UNDER_RULES = [
    ("@keyframes k{to{opacity:1}}.x{opacity:0;animation:k 1s forwards}", "<p class=x>{}</p>"),
    ("@keyframes k{to{top:0}}.x{opacity:0;animation:k 1s both}", "<p class=x>{}</p>"),
    (".reveal{opacity:0}.reveal.visible{opacity:1}", "<p class=reveal>{}</p>"),
    (".fade-in{transform:scale(0)}.fade-in.on{opacity:1}", "<p class=fade-in>{}</p>"),
    ("[data-aos^=fade]{opacity:0}", "<p data-aos=fade-up>{}</p>"),
    (".v{visibility:hidden}.s{visibility:visible}", "<div class=v>gone<b class=s>{}</b></div>"),
    (".f{font-size:0}.s{font-size:16px}", "<div class=f>gone<b class=s>{}</b></div>"),
    ("", "<div style='font-size:0'><span style='font-size:1rem'>{}</span></div>"),
    ("@supports not (display:grid){.x{display:none}}", "<p class=x>{}</p>"),
    (".x:bogus,.y,.x{display:none}", "<p class=x>{}</p>"),
    (".x::before{display:none}.x:focus{display:none}", "<p class=x>{}</p>"),
    (".d{background:#000}.w{color:#fff}", "<div class=d><p class=w>{}</p></div>"),
    (".w{color:#fff}", "<div class=w><p style='background:#222'>{}</p></div>"),
    (".w{color:#fff}", "<div style='background:url(a.jpg)'><p class=w>{}</p></div>"),
    (".w{color:#fff}", "<div class=w><a href=/x>{}</a></div>"),
    ("@import 'a.css';.w{color:#fff}", "<div class=w>{}</div>"),
    (":where(#i){display:none}p{display:block}", "<p id=i>{}</p>"),
    (".x{display:none}.x.x{display:block}.x{display:none}", "<p class=x>{}</p>"),
    (".x{display:none;&{display:block}}", "<p class=x>{}</p>"),
    ("@media (prefers-color-scheme:dark){.x{display:none}}", "<p class=x>{}</p>"),
    ("@media screen and (max-width:80em) and (bogus){.x{display:none}}", "<p class=x>{}</p>"),
    ("@starting-style{.x{opacity:0}}", "<p class=x>{}</p>"),
    (".x{background:url(data:a;b{}.x{display:none})}", "<p class=x>{}</p>"),
]


@pytest.mark.parametrize(("style", "body"), UNDER_RULES)
def test_what_rules_hide_together_goes(style: str, body: str) -> None:
    assert left(style, body.format("gone", "gone")) == "Seen."


@pytest.mark.parametrize(("style", "body"), NOT_UNDER_RULES)
def test_what_rules_show_stays(style: str, body: str) -> None:
    assert left(style, body.format("kept")) == "Seen. kept"


@pytest.mark.parametrize(
    "sheet",
    [
        "<style type=text/less>{}</style>",
        "<style media=print>{}</style>",
        "<style media='not screen'>{}</style>",
        "<style media='(max-width:600px)'>{}</style>",
        "<style disabled>{}</style>",
        "<template><style>{}</style></template>",
        "<noscript><style>{}</style></noscript>",
    ],
)
def test_sheets_that_do_not_apply_are_not_read(sheet: str) -> None:
    assert left("", "<b>kept</b>", sheet.format("b{display:none}")) == "Seen. kept"


@pytest.mark.parametrize("sheet", ["<style type='text/css' media=' Screen '>{}</style>"])
def test_sheets_that_apply_are_read(sheet: str) -> None:
    assert left("", "<b>gone</b>", sheet.format("b{display:none}")) == "Seen."


LINK = "<link rel=stylesheet href=/a.css>"


@pytest.mark.parametrize(
    ("body", "kept"),
    [
        ("<div class=hero><p style='color:#fff'>White.</p></div>", "Seen. White."),
        ("<p class=hero style='color:#fff'>White.</p>", "Seen. White."),
        ("<p class=hero style='color:#fff;background:#fff'>White.</p>", "Seen."),
        ("<div style='background:#fff'><p style='color:#fff'>White.</p></div>", "Seen."),
        ("<p style='opacity:0;animation:k 1s'>White.</p>", "Seen. White."),
    ],
)
def test_styles_of_another_address_may_give_other_colours(body: str, kept: str) -> None:
    assert left("", body, LINK) == kept


def test_text_is_not_gone_for_the_colour_of_all_of_a_page() -> None:
    assert left("body{color:#fff}", "<p>White.</p>") == "Seen. White."


def test_a_picture_in_text_that_is_not_seen_stays() -> None:
    root = parse_html("<p>Seen.</p><p style='font-size:0'>gone<img src=a></p>")
    assert root is not None
    clean(root)
    assert root.find(".//img") is not None
    assert "".join(root.itertext()).split() == ["Seen."]


def test_rules_without_number_do_not_bring_hidden_text_back() -> None:
    many = "".join(f".x:not(.a{n}):not([b{n}]){{opacity:0}}" for n in range(2500))
    body = "<p class=x>a</p>" * 2500 + "<p class=y>b</p>"
    assert left(f"{many}.y{{display:none}}", body) == "Seen."


@pytest.mark.parametrize(
    ("style", "text"),
    [
        (".x{color:rgb(999 999 999)}", "Seen."),
        (".x{color:rgb(1e999 1e999 1e999)}", "Seen."),
        (".x{color:color(srgb 9 9 9)}", "Seen."),
        (".x{color:rgb(-9 -9 -9)}", "Seen. text"),
        (".x{color:color(srgb none none none)}", "Seen. text"),
    ],
)
def test_a_colour_beyond_the_bounds_is_the_nearest_within(style: str, text: str) -> None:
    assert left(style, "<p class=x>text</p>") == text


@pytest.mark.parametrize(
    "style",
    [
        "".join(f".q{n}{{color:red}}" for n in range(30_000)) + ".x{display:none}",
        ".x," + ",".join(f".q{n}" for n in range(2_000)) + "{display:none}",
        ".x" + "".join(f":not(.q{n})" for n in range(200)) + "{display:none}",
        ".x" + "".join(f":not(.q{n})" for n in range(2_000)) + "{display:none}",
        ":is(" * 12 + ".x" + ")" * 12 + "{display:none}",
        "@media screen{" * 40 + ".x{display:none}" + "}" * 40,
    ],
)
def test_padding_does_not_keep_a_rule_from_being_read(style: str) -> None:
    assert left(style, "<p class=x>secret</p><p>kept</p>") == "Seen. kept"


def test_what_is_beyond_reading_shows_nothing_and_hides_what_has_its_names() -> None:
    long = "".join(f":not(.q{n})" for n in range(1_200))
    assert left(f".x{{display:none}} .x{long}{{display:block}}", "<p class=x>secret</p>") == "Seen."
    assert left(f".x{long}{{display:none}}", "<p class=y>kept</p>") == "Seen. kept"
    assert left(f".x{long}{{color:red}}", "<p class=x>kept</p>") == "Seen. kept"


@pytest.mark.parametrize(
    ("colour", "is_seen"),
    [
        ("oklch(1 0 0)", False),
        ("oklch(100% 0 none)", False),
        ("oklab(1 0 0)", False),
        ("lab(100 0 0)", False),
        ("lch(99.5% 0 0)", False),
        ("color(display-p3 1 1 1)", False),
        ("light-dark(white, black)", False),
        ("light-dark(rgb(255, 255, 255), #000)", False),
        ("oklch(0 0 0)", True),
        ("oklch(0.627 0.257 29)", True),
        ("oklab(0.5 0.1 -0.1)", True),
        ("lab(54 80 70)", True),
        ("lch(50% 100 40)", True),
        ("color(display-p3 0 0 1)", True),
        ("light-dark(black, white)", True),
    ],
)
def test_ink_of_any_colour_space(colour: str, is_seen: bool) -> None:
    expected = "Seen. text" if is_seen else "Seen."
    assert left(f".x{{color:{colour}}}", "<p class=x>text</p>") == expected


@pytest.mark.parametrize(
    ("selector", "is_seen"),
    [
        ("*|p.x", False),
        ("*|*.x", False),
        (".x:dir(ltr)", False),
        (".x:dir(rtl)", True),
        (".x:lang(en)", False),
        (".x:lang('EN')", False),
        ("p:lang(en-GB).x", False),
        (".x:lang(de)", True),
        ("i:lang(en)", True),
        ("*|i.x", True),
    ],
)
def test_selectors_that_style_sheets_have(selector: str, is_seen: bool) -> None:
    body = "<div lang=en-GB><p class=x>text</p></div>"
    assert left(f"{selector}{{display:none}}", body) == ("Seen. text" if is_seen else "Seen.")
