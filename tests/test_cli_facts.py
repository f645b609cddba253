"""`safefetch links`, `safefetch metadata`, parts by selector, and pages that send a browser on."""

import json

import pytest
from support_cli import Page, Program, Site

PAGE = b"""<!doctype html><html lang="en"><head><title>Harbour</title><base href="/docs/">
<meta name="description" content="About the harbour."><link rel="alternate" type="text/markdown"
href="/page.md"><link rel="alternate" type="application/rss+xml" title="News" href="/feed"></head>
<body><nav><a href="/">Home</a></nav><main><h1>Harbour</h1><p class="lead">The lead, a sentence.</p>
<p>See the <a href="tides" title="Tide tables">tides</a> or <a rel="nofollow"
href="https://other.test/x">elsewhere</a>, <a href="javascript:x()">run</a>,
<a href="/page#top">up</a>, <a href="tides#noon">noon</a>.</p>
<aside>Aside.</aside></main></body></html>"""


@pytest.fixture
def page(site: Site) -> str:
    site.pages["/page"] = Page(PAGE)
    return site.url("/page")


def links(program: Program, page: str, *options: str) -> dict[str, object]:
    ended = program.run("links", "--allow-local", "--json", page, *options)
    assert (ended.status, ended.stderr) == (0, "")
    found: dict[str, object] = json.loads(ended.stdout)
    return found


def test_links_are_absolute_and_classified(program: Program, page: str, site: Site) -> None:
    found = links(program, page)
    assert found["links"] == [
        link(site.url("/"), "Home"),
        link(site.url("/docs/tides"), "tides", title="Tide tables"),
        link("https://other.test/x", "elsewhere", rel="nofollow", internal=False, nofollow=True),
    ]
    assert [feed["url"] for feed in found["feeds"]] == [site.url("/feed")]  # type: ignore[attr-defined]
    assert (found["total"], found["internalTotal"], found["externalTotal"]) == (3, 2, 1)


def link(url: str, text: str, **others: object) -> dict[str, object]:
    fields = {"title": "", "rel": "", "internal": True, "nofollow": False}
    return {"url": url, "text": text, **fields, **others}


@pytest.mark.parametrize(
    ("options", "count", "total"),
    [
        (["--scope", "internal"], 2, 2),
        (["--scope", "external"], 1, 1),
        (["--limit", "1"], 1, 3),
        (["--no-deduplicate"], 4, 4),
        (["--include-anchors"], 4, 4),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_links_of_a_kind(
    program: Program, page: str, options: list[str], count: int, total: int
) -> None:
    found = links(program, page, *options)
    assert (len(found["links"]), found["total"]) == (count, total)  # type: ignore[arg-type]


def test_links_for_people_are_lines(program: Program, page: str, site: Site) -> None:
    lines = program.run("links", "--allow-local", page).stdout.decode().splitlines()
    assert lines[1] == f"{site.url('/docs/tides')}  tides"
    assert lines[-1] == f"{site.url('/feed')}  (feed) News"


def test_metadata_is_everything_but_the_text(program: Program, page: str, site: Site) -> None:
    facts = json.loads(program.run("metadata", "--allow-local", "--json", page).stdout)
    assert (facts["title"], facts["description"]) == ("Harbour", "About the harbour.")
    assert (facts["status"], facts["charset"], facts["lang"]) == (200, "utf-8", "en")
    assert facts["markdown"][0]["url"] == site.url("/page.md")
    assert facts["headings"] == [{"level": 1, "text": "Harbour", "id": None}]
    lines = program.run("metadata", "--allow-local", page).stdout.decode().splitlines()
    assert "title: Harbour" in lines


def test_selected_elements_alone(program: Program, page: str) -> None:
    ended = program.get(page, "--select", "p.lead, aside")
    assert ended.stdout == b"The lead, a sentence.\n\nAside.\n"


def test_excluded_elements_are_left_out(program: Program, page: str) -> None:
    text = program.get(page, "--extract", "full", "--exclude", "nav", "--exclude", "aside").stdout
    assert b"The lead" in text
    assert b"Home" not in text
    assert b"Aside" not in text


@pytest.mark.parametrize(
    ("selector", "code", "status"),
    [("h2[", "INVALID_INPUT", 2), ("article", "SELECTION_NOT_FOUND", 13)],
)
def test_a_selector_that_selects_nothing(
    program: Program, page: str, selector: str, code: str, status: int
) -> None:
    ended = program.get(page, "--select", selector)
    assert ended.status == status
    ended.check_failure(code, selector)


def test_an_empty_page_that_sends_a_browser_on_is_followed(program: Program, site: Site) -> None:
    site.pages["/"] = Page(b'<meta http-equiv="refresh" content="0; url=/next">')
    site.pages["/next"] = Page(b"<h1>Arrived</h1>")
    result = json.loads(program.get("--json", site.url()).stdout)
    assert (result["text"], result["finalUrl"]) == ("# Arrived", site.url("/next"))
    assert (result["requestedUrl"], result["hints"]) == (site.url(), ["meta-refresh"])
    assert [hop["url"] for hop in result["redirects"]] == [site.url()]


@pytest.mark.parametrize(
    ("target", "status"),
    [
        ("http://169.254.169.254/", 3),
        ("file:///etc/passwd", 0),
        ("javascript:x()", 0),
        ("//[", 0),
    ],
)
def test_an_empty_page_leads_nowhere_that_is_refused(
    program: Program, site: Site, target: str, status: int
) -> None:
    site.pages["/"] = Page(f'<meta http-equiv="refresh" content="0; url={target}">'.encode())
    ended = program.get(site.url())
    assert (ended.status, ended.stdout) == (status, b"")
    assert site.requests == ["/robots.txt", "/"]
    assert "Traceback" not in ended.stderr


def test_two_empty_pages_that_send_each_other_on_end(program: Program, site: Site) -> None:
    site.pages["/"] = Page(b'<meta http-equiv="refresh" content="0; url=/b">')
    site.pages["/b"] = Page(b'<meta http-equiv="refresh" content="0; url=/">')
    assert program.get(site.url()).status == 0
    assert site.requests == ["/robots.txt", "/", "/b"]


def test_lines_of_metadata_hold_json_values(program: Program, page: str) -> None:
    ended = program.run("metadata", "--allow-local", page)
    assert (ended.status, ended.stderr) == (0, "")
    lines = ended.stdout.decode().splitlines()
    assert "title: Harbour" in lines
    assert "truncated: false" in lines
    assert "status: 200" in lines


def test_a_refresh_counts_as_a_redirect(program: Program, site: Site) -> None:
    site.pages["/"] = Page(b'<meta http-equiv="refresh" content="0; url=/one">')
    site.pages["/one"] = Page(status=302, headers={"Location": "/two"})
    site.pages["/two"] = Page(b"<h1>Arrived</h1>")
    ended = program.get("--max-redirects", "1", site.url())
    assert ended.status == 7
    ended.check_failure("REDIRECT_FAILED", "redirect")
    assert program.get("--max-redirects", "2", site.url()).stdout == b"# Arrived\n"


@pytest.mark.parametrize("target", ["http://us er@x/", "http://:80/", "http://[::1/"])
def test_a_refresh_to_no_url_is_not_followed(program: Program, site: Site, target: str) -> None:
    site.pages["/"] = Page(f'<meta http-equiv="refresh" content="0; url={target}">'.encode())
    ended = program.get(site.url())
    assert (ended.status, ended.stdout) == (0, b"")
    assert "no text" in ended.stderr


@pytest.mark.parametrize("delay", ["31", "300", "9999999999"])
def test_a_refresh_for_who_stays_is_none(program: Program, site: Site, delay: str) -> None:
    content = f"{delay}; url=/logged-out"
    site.pages["/"] = Page(f'<meta http-equiv="refresh" content="{content}">'.encode())
    found = json.loads(program.get("--json", site.url()).stdout)
    assert (found["finalUrl"], found["refreshUrl"]) == (site.url(), None)
