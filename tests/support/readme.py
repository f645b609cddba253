"""The README's examples, and the site that they are run on."""

import re
from pathlib import Path
from typing import NamedTuple

from support_cli import Page, Site

README = Path(__file__).parents[2] / "README.md"
SHOWN_PORT = "48799"

_FRONT = b"""<!doctype html><html lang="en"><head><title>Tide tables - Harbour office</title>
<meta name="description" content="When the water is high."><meta name="author" content="Ada Pilot">
<link rel="alternate" type="application/rss+xml" href="/feed.xml" title="News"></head><body>
<nav><a href="/">Home</a> <a href="/boats">Boats</a></nav>
<main><h1>Tide tables</h1>
<p>The harbour office publishes its timetable every morning before the first ferry leaves, see
<a href="/today" title="Today's tables">today</a> and the <a href="https://ferries.example/">ferries</a>.</p>
<table><tr><th>Tide</th><th>Time</th></tr><tr><td>high</td><td>06:12</td></tr>
<tr><td>low</td><td>12:31</td></tr></table></main>
<footer>Cookies make this site work.</footer></body></html>"""
_MANUAL = b"""<!doctype html><html lang="en"><head><title>Manual</title></head><body><main>
<h1>Manual</h1><p>How the tables are made, and how a copy of them is kept.</p>
<h2>Install</h2><p>Fetch the archive and unpack it.</p>
<h3>On Windows</h3><p>Use the store.</p>
<h2>Read a table</h2><p>The first column is the tide, the second the time.</p>
</main></body></html>"""


class Example(NamedTuple):
    """A command and what it shows, all in lines."""

    command: str
    shown: tuple[str, ...]


def readme_site() -> Site:
    """The site that the examples are about."""
    site = Site()
    site.pages["/"] = Page(_FRONT)
    site.pages["/manual.html"] = Page(_MANUAL)
    site.pages["/gone"] = Page(b"<p>The tables have moved.</p>", 404)
    return site


def blocks() -> list[list[str]]:
    """The indented blocks of the README, each in its lines without the indent."""
    found: list[list[str]] = [[]]
    for line in README.read_text("utf-8").split("\n"):
        if line.startswith("    "):
            found[-1].append(line[4:])
        elif line or not found[-1]:
            found.append([])
        else:
            found[-1].append("")
    return ["\n".join(block).strip("\n").split("\n") for block in found if block]


def sessions() -> list[list[Example]]:
    """The examples, those of one block together: one shell runs them."""
    return [_examples(block) for block in blocks() if block[0].startswith("$ ")]


def _examples(block: list[str]) -> list[Example]:
    parts = re.split(r"^\$ ", "\n".join(block), flags=re.MULTILINE)[1:]
    return [
        Example(command, tuple(shown.rstrip("\n").split("\n")) if shown.strip() else ())
        for command, _, shown in (part.partition("\n") for part in parts)
    ]
