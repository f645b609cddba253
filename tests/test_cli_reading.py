"""Reading part of a page: outline, section, pointer, parts, and the site's robots.txt."""

import json

import pytest
from support_cli import Page, Program, Site

MANUAL = b"""<!doctype html><html lang="en"><head><title>Manual</title>
<meta name="author" content="Ada Pilot"></head><body><main><h1 id="top">Manual</h1>
<p>An introduction, long enough to be read by somebody who wants to know.</p>
<h2 id="install">Install</h2><p>Use <code>pip</code>.</p><h3>On Windows</h3><p>Use the store.</p>
<h2 id="run">Install &amp; run <a href="#run">#</a></h2><p>Run it with care.</p>
<pre><code>x = 1

y = 2</code></pre><h2>Remove</h2><p>Delete it.</p></main></body></html>"""


@pytest.fixture
def manual(site: Site) -> str:
    site.pages["/manual"] = Page(MANUAL)
    return site.url("/manual")


def run(program: Program, command: str, *arguments: str) -> str:
    ended = program.run(command, "--allow-local", *arguments)
    assert (ended.status, ended.stderr) == (0, "")
    return ended.stdout.decode()


def test_every_offset_of_the_outline_lands_on_its_heading(program: Program, manual: str) -> None:
    outline = json.loads(run(program, "outline", manual, "--json"))
    assert [(row["level"], row["title"], row["id"]) for row in outline["headings"]] == [
        (1, "Manual", "top"),
        (2, "Install", "install"),
        (3, "On Windows", ""),
        (2, "Install & run", "run"),
        (2, "Remove", ""),
    ]
    text = run(program, "get", manual).removesuffix("\n")
    assert outline["totalChars"] == len(text)
    for row in outline["headings"]:
        assert text[row["start_index"] :].startswith("#" * row["level"] + " " + row["title"])
        part = run(program, "get", manual, "--start-index", str(row["start_index"]))
        assert part.removesuffix("\n") == text[row["start_index"] :]


def test_the_outline_is_a_list_for_people(program: Program, manual: str) -> None:
    lines = run(program, "outline", manual, "--depth", "2").splitlines()
    assert [line.split("tokens  ")[1] for line in lines] == [
        "Manual",
        "  Install",
        "  Install & run",
        "  Remove",
    ]


@pytest.mark.parametrize(
    ("wanted", "begins"),
    [
        (["Install"], "## Install\n"),
        (["on windows"], "### On Windows\n"),
        (["run"], "## Install & run\n"),
        (["#install"], "## Install\n"),
        (["--number", "5"], "## Remove\n"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_section_ends_where_the_next_begins(
    program: Program, manual: str, wanted: list[str], begins: str
) -> None:
    text = run(program, "section", manual, *wanted)
    assert text.startswith(begins)
    assert text.count("\n## ") == 0


def test_the_fragment_of_the_url_names_the_section(program: Program, manual: str) -> None:
    assert run(program, "section", manual + "#run").startswith("## Install & run\n")


def test_several_sections_that_match_are_told(program: Program, manual: str) -> None:
    ended = program.run("section", "--allow-local", manual, "Inst")
    assert ended.stdout.startswith(b"## Install\n")
    assert "'Install & run'" in ended.stderr


def test_a_section_that_is_not_there(program: Program, manual: str) -> None:
    ended = program.run("section", "--allow-local", manual, "Uninstall")
    assert ended.status == 13
    ended.check_failure("SELECTION_NOT_FOUND", "Install")


def test_the_parts_of_a_page_are_the_page(program: Program, manual: str) -> None:
    whole = run(program, "get", manual).removesuffix("\n")
    parts: list[str] = []
    start: int | None = 0
    while start is not None:
        options = ("--json", "--max-chars", "60", "--start-index", str(start))
        ended = program.run("get", "--allow-local", "-q", manual, *options)
        part = json.loads(ended.stdout)
        assert part["startIndex"] == start
        parts.append(part["text"])
        start = part["nextStartIndex"]
    assert len(parts) > 3
    assert "".join(parts) == whole


def test_outline_and_section_read_what_was_fetched_once(
    program: Program, manual: str, site: Site
) -> None:
    assert json.loads(run(program, "outline", manual, "--json"))["fromSnapshot"] is False
    site.pages["/manual"] = Page(b"<h1>Quite another page</h1>")
    assert run(program, "section", manual, "Remove").startswith("## Remove")
    result = json.loads(run(program, "section", manual, "Install", "--json"))
    assert result["fromSnapshot"] is True
    assert site.requests.count("/manual") == 1


def test_a_page_from_its_start_is_fetched_anew(program: Program, manual: str, site: Site) -> None:
    run(program, "outline", manual)
    site.pages["/manual"] = Page(b"<h1>Quite another page</h1>")
    assert run(program, "get", manual) == "# Quite another page\n"
    assert run(program, "get", "-q", manual, "--start-index", "2") == "Quite another page\n"


def test_without_snapshots_every_command_fetches(program: Program, manual: str, site: Site) -> None:
    run(program, "outline", manual, "--no-snapshot")
    run(program, "section", manual, "Remove", "--no-snapshot")
    run(program, "section", manual, "Remove")
    assert site.requests.count("/manual") == 3


def test_a_snapshot_does_not_outlive_a_stricter_guard(program: Program, manual: str) -> None:
    run(program, "outline", manual)
    ended = program.run("section", manual, "Remove")
    ended.check_failure("POLICY_REJECTED", "127.0.0.1")


def test_a_pointer_takes_one_value(program: Program, site: Site) -> None:
    site.pages["/d"] = Page(b'{"a": {"b": [1, 2.50, "x y"]}}', content_type="application/ld+json")
    url = site.url("/d")
    assert run(program, "get", url, "--json-pointer", "/a/b/1") == "2.50\n"
    assert run(program, "get", url, "--json-pointer", "/a/b/2") == "x y\n"
    ended = program.run("get", "--allow-local", url, "--json-pointer", "/a/c/1")
    assert ended.status == 13
    ended.check_failure("SELECTION_NOT_FOUND", "'/a'")


def test_what_the_page_says_of_itself_before_its_text(program: Program, manual: str) -> None:
    text = run(program, "get", manual, "--frontmatter")
    assert text.startswith('---\ntitle: "Manual"\nauthor: "Ada Pilot"\nlanguage: "en"\nurl: ')


def test_the_frame_is_round_the_whole_text(program: Program, manual: str) -> None:
    lines = run(program, "get", manual, "--frame").splitlines()
    (opening,) = (line for line in lines if line.startswith("<<<external-content "))
    assert lines[-1] == opening.replace("<<<", "<<<end-")


def test_robots_txt_is_obeyed_unless_told_otherwise(
    program: Program, manual: str, site: Site
) -> None:
    site.pages["/robots.txt"] = Page(b"User-agent: *\nDisallow: /man", content_type="text/plain")
    ended = program.run("get", "--allow-local", manual)
    assert ended.status == 11
    ended.check_failure("ROBOTS_DISALLOWED", "/robots.txt")
    assert site.requests == ["/robots.txt"]
    assert "# Manual" in run(program, "get", manual, "--ignore-robots-txt")


@pytest.mark.parametrize(
    ("command", "option", "value"),
    [
        ("get", "--start-index", "-1"),
        ("get", "--max-chars", "0"),
        ("get", "--max-chars", "x"),
        ("section", "--number", "0"),
        ("outline", "--depth", "7"),
    ],
)
def test_a_number_out_of_range_is_named(
    program: Program, site: Site, command: str, option: str, value: str
) -> None:
    ended = program.run(command, "--allow-local", site.url(), f"{option}={value}")
    assert ended.status == 2
    ended.check_failure("INVALID_INPUT", option, value)
    assert site.requests == []


def test_a_challenge_is_told_from_a_page(program: Program, site: Site) -> None:
    site.pages["/wall"] = Page(
        b"<title>Un momento</title><p>.</p>", 403, headers={"CF-Mitigated": "challenge"}
    )
    ended = program.run("get", "--allow-local", "--json", site.url("/wall"))
    assert ended.status == 22
    said = json.loads(ended.stdout)
    assert (said["status"], said["error"]["code"]) == (403, "HTTP_ERROR")
    assert said["hints"] == ["http-error", "login-or-challenge"]


def test_the_link_field_of_an_answer_offers_markdown(program: Program, site: Site) -> None:
    twin = '</page.md>; rel="alternate"; type="text/markdown"'
    site.pages["/page"] = Page(b"<p>One.</p>", headers={"Link": twin})
    found = json.loads(run(program, "get", "--json", "--quiet", site.url("/page")))
    assert (found["text"], found["hints"]) == ("One.", ["markdown-twin"])


@pytest.mark.parametrize(
    "command",
    [["outline"], ["section", "--number", "3"], ["get", "--start-index", "5", "--max-chars", "20"]],
)
def test_what_is_made_of_a_text_counts_for_the_deadline(
    program: Program, site: Site, command: list[str]
) -> None:
    site.pages["/long.md"] = Page(b"# a\n" * 1_200_000, content_type="text/markdown")
    name, *options = command
    ended = program.run(name, "--allow-local", "--timeout", "0.5", site.url("/long.md"), *options)
    assert (ended.status, ended.stdout) == (9, b"")


def test_a_value_of_json_has_no_control_characters(program: Program, site: Site) -> None:
    body = json.dumps({"a": "\0\x1b[31mred\x9b"}).encode()
    site.pages["/data"] = Page(body, content_type="application/json")
    assert run(program, "get", "--json-pointer", "/a", site.url("/data")) == "[31mred\n"


def test_a_part_is_said_to_be_one_and_how_to_go_on(program: Program, manual: str) -> None:
    ended = program.get(manual, "--max-chars", "40")
    following = len(ended.stdout.decode()) + 1  # the line feed between the parts
    total = len(run(program, "get", manual)) - 1
    assert ended.stderr == (
        f"safefetch: note: these are characters 0 to {following} of {total}; "
        f"go on with --start-index {following}\n"
    )
    assert program.get(manual, "--max-chars", "40", "--quiet").stderr == ""
    rest = program.get(manual, "--start-index", str(following))
    assert (rest.status, rest.stderr) == (0, "")


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["https://site.example/"], "To read a page: safefetch get https://site.example/"),
        (["get", "--hlep"], "See safefetch get --help."),
        (["gett"], "See safefetch --help."),
    ],
)
def test_a_wrong_call_is_told_where_to_look(
    program: Program, arguments: list[str], hint: str
) -> None:
    ended = program.run(*arguments)
    assert (ended.status, ended.error_lines[-1]) == (2, f"  {hint}")
