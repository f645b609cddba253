"""Files of their own for pages: names, places, what is replaced."""

import json
import os
from pathlib import Path

import pytest
from support_cli import Page, Program, Site

from safefetch_cli import InvalidInput
from safefetch_cli.cli.places import Place


@pytest.fixture
def pages(site: Site) -> Site:
    """A site with pages at some paths."""
    for path in ("/", "/docs/intro.html", "/docs/", "/A", "/a", "/a?q=1", "/con", "/x.json"):
        site.pages[path] = Page(f"at {path}".encode(), content_type="text/plain")
    return site


def files(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in sorted(folder.iterdir())}


def test_each_page_has_a_file_named_from_its_url(program: Program, pages: Site) -> None:
    urls = [pages.url(path) for path in ("/", "/docs/intro.html", "/docs/", "/a?q=1")]
    ended = program.get("--output-dir", "new/folder", *urls)
    assert (ended.status, ended.stdout, ended.stderr) == (0, b"", "")
    host = f"127.0.0.1_{pages.port}"
    assert files(program.folder / "new" / "folder") == {
        f"{host}.md": "at /\n",
        f"{host}_a_q-1.md": "at /a?q=1\n",
        f"{host}_docs.md": "at /docs/\n",
        f"{host}_docs_intro.md": "at /docs/intro.html\n",
    }


def test_names_that_differ_in_capitals_alone_are_numbered_in_order(
    program: Program, pages: Site
) -> None:
    urls = [pages.url(path) for path in ("/a", "/missing", "/A", "/a")]
    assert program.get("--output-dir", "out", *urls).status == 22
    host = f"127.0.0.1_{pages.port}"
    assert files(program.folder / "out") == {
        f"{host}_A-2.md": "at /A\n",
        f"{host}_a-3.md": "at /a\n",
        f"{host}_a.md": "at /a\n",
    }


@pytest.mark.parametrize(
    ("flags", "name"),
    [
        ([], "x.json.md"),
        (["--format", "raw"], "x.json"),
        (["--format", "text"], "x.json.txt"),
        (["--json"], "x.json.json"),
    ],
)
def test_the_extension_is_that_of_the_form(
    program: Program, pages: Site, flags: list[str], name: str
) -> None:
    assert program.get("-O", *flags, pages.url("/x.json")).status == 0
    assert (program.folder / name).exists()


def test_remote_names_are_the_last_part_of_the_path(program: Program, pages: Site) -> None:
    urls = [pages.url(path) for path in ("/docs/intro.html", "/docs/", "/con", "/")]
    assert program.get("-O", "--output-dir", "out", *urls).status == 0
    names = ["_con.md", "docs.md", "intro.md", f"127.0.0.1_{pages.port}.md"]
    assert sorted(files(program.folder / "out")) == sorted(names)


def test_one_page_may_have_such_a_file_too(program: Program, pages: Site) -> None:
    ended = program.get("-O", pages.url("/docs/intro.html"))
    assert (ended.status, ended.stdout) == (0, b"")
    assert (program.folder / "intro.md").read_text() == "at /docs/intro.html\n"


def test_a_file_that_is_there_is_kept_and_its_page_not_fetched(
    program: Program, pages: Site
) -> None:
    (program.folder / "a.md").write_text("mine")
    ended = program.get("-O", "--ignore-robots-txt", pages.url("/a"), pages.url("/docs/"))
    assert ended.status == 2
    assert "'a.md' exists" in ended.stderr
    assert pages.requests == ["/docs/"]
    assert (program.folder / "a.md").read_text() == "mine"
    assert program.get("-O", "-f", pages.url("/a")).status == 0
    assert (program.folder / "a.md").read_text() == "at /a\n"


def test_one_file_that_is_there_is_kept_too(program: Program, pages: Site) -> None:
    (program.folder / "a.md").write_text("mine")
    program.get("-O", pages.url("/a")).check_failure("INVALID_INPUT", "--remote-name", "a.md")
    assert pages.requests == []


@pytest.mark.parametrize("count", [1, 2])
def test_nothing_leaves_the_folder_through_a_link(
    program: Program, pages: Site, count: int
) -> None:
    outside, folder = program.folder / "outside", program.folder / "out"
    outside.write_text("mine")
    folder.mkdir()
    (folder / "a.md").symlink_to(outside)
    program.get("-O", "-f", "--output-dir", "out", *[pages.url("/a")] * count)
    assert outside.read_text() == "mine"
    assert (folder / "a.md").read_text() == "at /a\n"


def test_paths_in_a_url_lead_nowhere(program: Program, pages: Site) -> None:
    for path in ("/..%2F..%2Fup", "/%2Fetc%2Fup", "/..%5Cup", "/C:%5Cup", "/a%00b", "/~up"):
        pages.pages[path] = Page(b"there", content_type="text/plain")
    urls = [pages.url(path) for path in pages.pages if "up" in path or "%" in path]
    before = set(os.listdir(program.folder))
    assert program.get("-O", "--output-dir", "out", *urls).status == 0
    assert len(files(program.folder / "out")) == len(urls)
    assert set(os.listdir(program.folder)) - before <= {"out", "loopback-only.txt"}


def test_a_failure_writes_no_file_and_is_an_object_on_stdout(program: Program, pages: Site) -> None:
    ended = program.get("--json", "--output-dir", "out", pages.url("/a"), pages.url("/missing"))
    (line,) = ended.stdout.decode().splitlines()
    assert json.loads(line)["error"]["code"] == "HTTP_ERROR"
    assert list(files(program.folder / "out")) == [f"127.0.0.1_{pages.port}_a.json"]


def test_a_file_that_cannot_be_written_fails_alone(program: Program, pages: Site) -> None:
    (program.folder / "out" / "a.md").mkdir(parents=True)
    ended = program.get("-O", "-f", "--output-dir", "out", pages.url("/a"), pages.url("/con"))
    assert ended.status == 2
    assert "a.md" in ended.stderr
    assert (program.folder / "out" / "_con.md").read_text() == "at /con\n"


@pytest.mark.parametrize("arguments", [("page.md", None, False), (None, "out", False)])
def test_a_folder_that_is_closed_is_told_before_anything_is_fetched(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str | None, str | None, bool],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(InvalidInput, match=r"^--output(-dir)?: .* written"):
        Place(*arguments, False, ".md").prepare()
