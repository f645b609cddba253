"""Whatever the page, there is an answer, in time that grows with its size."""

import time

import pytest

from safefetch_cli.content.clean import clean
from safefetch_cli.content.extract import extract
from safefetch_cli.content.metadata import page_metadata
from safefetch_cli.content.parse import parse_html

HEAD = "<html><head><title>t</title></head><body>"


def read(page: str, url: str = "https://site.example/threads/1") -> str:
    root = parse_html(page)
    if root is None:
        return ""
    page_metadata(root, url)
    clean(root)
    found = extract(root, url, whole=False)
    return "".join(found.tree.itertext())


WORDS = "Some words, and some more, that are read. "

SHAPES = {
    "deep divs": "<div class='content'>" * 3_000 + WORDS,
    "deep divs with text": f"<div class='content'>{WORDS}" * 3_000,
    "links in tabs": "<div class='panel' hidden>x</div>"
    + "<div class='tab'>" * 200
    + "<a href='#x'>y</a>" * 20_000
    + f"<p>{WORDS}</p>",
    "many controls": "<div class='panel' hidden>x</div>"
    + "<b data-target='a' aria-controls='b' data-tab='c'>x</b><a role='tab' href='#x'>y</a>"
    * 20_000
    + f"<p>{WORDS}</p>",
    "many names for screen readers": "".join(f"<i class='vh n{n}'>x</i>" for n in range(20_000))
    + f"<p>{WORDS}</p>",
    "deep hidden": "<div hidden>" * 1_500 + WORDS + "</div>" * 1_500 + f"<p>{WORDS}</p>",
    "deep panels": "<div class='tab-pane' style='display:none'>a" * 1_500 + f"<p>{WORDS}</p>",
    "deep lists": "<ul><li>" * 1_000 + WORDS,
    "deep tables": "<table><tr><td>" * 600 + WORDS,
    "deep inline": "<b><i><span class='caption'>" * 600 + WORDS,
    "many paragraphs": f"<p>{WORDS}</p>" * 30_000,
    "many tails": "<i hidden>x</i>tail " * 30_000,
    "many headings": f"<h1>a</h1><p>{WORDS}</p>" * 10_000,
    "many articles": f"<article><p>{WORDS}</p></article>" * 10_000,
    "many posts": f"<div class='post-body'>{WORDS}</div>" * 10_000,
    "many links": "<a href='/x'>link</a> " * 30_000,
    "many closings": f"<h3>Related</h3><p>{WORDS}</p>" * 5_000,
    "many styles": "<p style='display:none'>x</p>" * 10_000 + f"<p>{WORDS}</p>",
    "many different styles": "".join(f"<p style='opacity:0.{n}'>x</p>" for n in range(5_000)),
    "a large table": "<table>"
    "<tr>" + "<td>cell</td>" * 10 + "</tr>" + ("<tr>" + "<td>cell</td>" * 10 + "</tr>") * 4_000,
    "many slides": "".join(f"<div class='s{n} slide' hidden>t</div>" for n in range(20_000))
    + f"<p>{WORDS}</p>",
    "many formulas": "<p class=tab hidden><math>x</math></p>" * 20_000 + f"<p>{WORDS}</p>",
    "many rules and notes for screen readers": "<style>"
    + "a{b:c}" * 80_000
    + "</style>"
    + "<span class='sr-only'>aaa</span>" * 15_000
    + f"<p>{WORDS}</p>",
    "many animations": "<style>"
    + "".join(f"@keyframes k{n}{{to{{opacity:1}}}}" for n in range(15_000))
    + "</style>"
    + "".join(f"<i style='opacity:0;animation:k{n} 1s forwards'>t</i>" for n in range(8_000))
    + f"<p>{WORDS}</p>",
    "one long word": "x" * 2_000_000,
    "one long instruction": "<p hidden>" + "ignore all " * 100_000 + f"</p><p>{WORDS}</p>",
    "a long class": f"<div class='{'share-' * 50_000}'>{WORDS}</div>",
}


@pytest.mark.parametrize("shape", SHAPES)
def test_hostile_shapes(shape: str) -> None:
    start = time.process_time()
    assert read(HEAD + SHAPES[shape]).strip()
    assert time.process_time() - start < 3


@pytest.mark.parametrize(
    "page",
    [
        "",
        "\x00",
        "\ufffd\ud800",
        "<",
        "</",
        "<!doctype html>",
        "<html>",
        "<html lang>",
        "<body",
        "<frameset><frame src='a'></frameset>",
        "<title>t",
        "<table><td>x",
        "<p style>x",
        "<p style='{'>x",
        "<p class>x<p id>y",
        "<a href='http://[x'>x</a>",
        "<base href='http://[x'><p>x",
        "<svg><p>x",
        "<math><mtext><p>x",
        "<template><p>x</p></template>y",
        "<!--<p>x</p>-->y",
        "<![CDATA[x]]>",
        "<?php x ?>y",
        "<x-y z>w</x-y>",
        "<p>\x01\x02\x1b[31m</p>",
    ],
)
def test_odd_input(page: str) -> None:
    for url in ("", "x", "https://[", "hard::name", "https://site.example/"):
        assert isinstance(read(page, url), str)


def test_text_below_the_deepest_level_is_kept() -> None:
    assert "the end" in read(HEAD + "<div>" * 20_000 + f"{WORDS}the end")
