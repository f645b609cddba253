"""Saved pages go the way of fetched ones, and nothing goes out."""

import json
from collections.abc import Mapping

import pytest
from support_cli import Page, Program, Site

from safefetch_cli import Client, InvalidInput, ProcessingLimit, UnsupportedContentType
from safefetch_cli.saved import SavedPage, type_of_file
from safefetch_cli.settings import Settings

PAGE = (
    b"<html lang=en><head><title>On tests</title><meta name=author content=Ada></head><body>"
    b"<nav>Home</nav><article><h1>On tests</h1>"
    + b"<p>A paragraph that is long enough to be <a href='/part'>the main part</a>.</p>" * 8
    + b"<h2>Second</h2><p>More of it.</p></article></body></html>"
)
BASE = "http://saved.example/dir/page.html"


@pytest.fixture
def file(program: Program) -> str:
    (program.folder / "page.html").write_bytes(PAGE)
    return "page.html"


def test_the_page_is_the_one_that_would_be_fetched(program: Program, site: Site, file: str) -> None:
    """Every command says of the file what it says of the site, but for what only a site knows."""
    site.pages["/page"] = Page(PAGE, content_type="text/html")
    for words in (["get"], ["outline"], ["section"], ["links"]):
        more = ["Second"] if words == ["section"] else []
        fetched = program.run(*words, "--allow-local", "--no-snapshot", site.url("/page"), *more)
        saved = program.run(*words, "--from-file", file, "--base-url", site.url("/page"), *more)
        assert fetched.status == saved.status == 0
        assert fetched.stdout == saved.stdout != b""


def test_the_object_of_a_saved_page_is_that_of_a_fetched_one(
    program: Program, site: Site, file: str
) -> None:
    site.pages["/page"] = Page(PAGE, content_type="text/html")
    fetched = json.loads(program.get("--json", site.url("/page")).stdout)
    arguments = ("get", "--json", "--from-file", file, "--base-url", site.url("/page"))
    assert json.loads(program.run(*arguments).stdout) == fetched


def test_the_metadata_of_a_saved_page_is_told(program: Program, file: str) -> None:
    ended = program.run("metadata", "--json", "--from-file", file, "--base-url", BASE)
    found = json.loads(ended.stdout)
    assert (found["url"], found["title"], found["byline"]) == (BASE, "On tests", "Ada")


def test_a_page_comes_from_stdin(program: Program) -> None:
    arguments = ("get", "--from-file", "-", "--base-url", BASE, "--extract", "full")
    ended = program.run(*arguments, stdin=None, input=b"<p>See <a href=x>that</a>.")
    assert (ended.status, ended.stdout) == (0, b"See [that](http://saved.example/dir/x).\n")


def test_without_a_base_links_stay_as_they_are(program: Program) -> None:
    data = b"<p>See <a href=x>that</a> and <a href='#y'>this</a>."
    ended = program.run("get", "--from-file", "-", "--extract", "full", stdin=None, input=data)
    assert ended.stdout == b"See [that](x) and [this](#y).\n"


def test_no_name_is_looked_up_and_no_policy_asked(program: Program, file: str) -> None:
    """The guard of these tests reports each look-up of a name; an internal base is no matter."""
    for base in ("http://nothing.invalid/", "http://169.254.169.254/"):
        assert program.run("get", "--from-file", file, "--base-url", base).status == 0


def test_a_refresh_of_a_saved_page_is_not_followed(program: Program, site: Site) -> None:
    data = f"<meta http-equiv=refresh content='0;url={site.url()}'>".encode()
    arguments = ("get", "--allow-local", "--from-file", "-", "--base-url", site.url("/x"))
    ended = program.run(*arguments, stdin=None, input=data)
    assert (ended.status, ended.stdout) == (0, b"")
    assert site.requests == []


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["get", "--from-file", "page.html", "--base-url", "file:///x"], "base URL"),
        (["get", "--from-file", "page.html", "--base-url", "x.example"], "base URL"),
        (["get", "--from-file", "."], "--from-file"),
        (["get", "--from-file", "page.html", "-i", "page.html"], "--from-file"),
        (["links", "--from-file", "page.html", "http://x.example/"], "--from-file"),
        (["outline", "--base-url", "http://x.example/", "http://x.example/"], "--base-url"),
        (["section", "--from-file", "page.html"], "section"),
    ],
    ids=" ".join,
)
def test_what_cannot_be_meant_is_said(
    program: Program, file: str, arguments: list[str], named: str
) -> None:
    ended = program.run(*arguments)
    assert ended.status == 2
    ended.check_failure("INVALID_INPUT", named)


def test_remote_name_is_that_of_the_base(program: Program, file: str) -> None:
    assert program.run("get", "--from-file", file, "--base-url", BASE, "-O").status == 0
    assert (program.folder / "page.md").exists()


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("page.html", ""),
        ("x/page.MD", "text/markdown"),
        ("data.json", "application/json"),
        ("feed.rss", "application/rss+xml"),
        ("table.csv", "text/csv"),
        ("server.log", "text/plain"),
        ("deploy.yml", "application/yaml"),
        ("-", ""),
        ("page", ""),
    ],
)
def test_a_name_may_tell_the_type(path: str, kind: str) -> None:
    assert type_of_file(path) == kind


def read(body: bytes, content_type: str = "", **settings: int) -> Mapping[str, object]:
    page = SavedPage(body, BASE, content_type)
    return Client.of_saved(page, Settings(**settings)).get(BASE).to_dict()  # type: ignore[arg-type]


def test_bytes_without_a_type_are_a_page_or_what_they_look_like() -> None:
    assert read(b"<li>one")["text"] == "- one"
    assert read(b'{"a": 1}')["text"] == '{"a": 1}'
    assert read(b"just words")["text"] == "just words"
    assert read("<p>\u00e9".encode("utf-16"))["text"] == "\u00e9"
    with pytest.raises(UnsupportedContentType):
        read(b"\x89PNG\r\n\x1a\n\0\0")


def test_the_limits_hold() -> None:
    found = read(b"0123456789", "text/plain", max_bytes=4)
    assert (found["text"], found["truncated"]) == ("0123", True)
    assert found["hints"] == ["body-truncated"]
    with pytest.raises(ProcessingLimit):
        read(b"<p>word</p>" * 200_000, timeout_ms=1)


@pytest.mark.parametrize("url", ["ftp://x/", "x", "http://user@x/"])
def test_a_base_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(InvalidInput, match="base URL"):
        Client.of_saved(SavedPage(b"", url))


@pytest.mark.parametrize("name", ["t.csv", "t.tsv", "t.yaml", "t.log", "t.toml"])
def test_text_that_is_no_markup_comes_as_it_is(program: Program, name: str) -> None:
    text = b'a,b\n1 < 2,"<b>x"\n  <i>y\n'
    (program.folder / name).write_bytes(text)
    ended = program.run("get", "--from-file", name)
    assert (ended.status, ended.stdout) == (0, text)
