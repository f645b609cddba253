"""What the tools answer: the objects of `--json`, and a site's text in its frame alone."""

import json
import sys
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from mcp import Client
from support.framed import FRAME, inside, outside, unframed
from support.tools import Tools, served, text_of
from support_cli import Page, Site

from safefetch_cli.cli.app import run
from safefetch_cli.server.service import Service
from safefetch_cli.settings import Settings

PAGE = b"""<!DOCTYPE html>
<html lang="en"><head><title>The harbour</title>
<meta name="description" content="Of ferries">
<link rel="alternate" type="application/rss+xml" title="News" href="/feed">
</head><body><main>
<h1>The harbour</h1>
<p>The office publishes its timetable <a href="/table">every morning</a> before the first ferry.</p>
<h2 id="ferries">Ferries</h2>
<p>Visitors arrive early, and <a href="https://other.example/x" rel="nofollow">others</a> late.</p>
<pre><code>first  07:00
second 08:30
</code></pre>
<h2>Tickets</h2>
<ul><li>A ticket is sold at the gate.</li><li>Children travel free.</li></ul>
</main></body></html>
"""
JSON = b'{"ports": [{"name": "north", "depth": 12}, {"name": "south", "depth": 9}]}\n'

COMMANDS: list[tuple[str, dict[str, Any], list[str]]] = [
    ("fetch_url", {}, ["get"]),
    ("fetch_url", {"max_chars": 90}, ["get", "--max-chars", "90"]),
    ("fetch_url", {"format": "text"}, ["get", "--format", "text"]),
    ("fetch_url", {"format": "raw"}, ["get", "--format", "raw"]),
    ("fetch_url", {"extract": "full"}, ["get", "--extract", "full"]),
    ("fetch_url", {"select": "pre"}, ["get", "--select", "pre"]),
    ("fetch_url", {"exclude": ["ul", "pre"]}, ["get", "--exclude", "ul", "--exclude", "pre"]),
    ("fetch_url", {"section": "Ferries"}, ["section", "Ferries"]),
    ("fetch_url", {"outline": True}, ["outline"]),
    ("outline", {}, ["outline"]),
    ("section", {"title": "#ferries"}, ["section", "#ferries"]),
    ("section", {"title": "tick", "max_chars": 40}, ["section", "tick", "--max-chars", "40"]),
    ("check_url", {}, ["check-url"]),
    ("check_url", {"robots": True}, ["check-url", "--robots"]),
    ("extract_links", {}, ["links"]),
    (
        "extract_links",
        {"scope": "external", "limit": 1},
        ["links", "--scope", "external", "--limit", "1"],
    ),
    ("extract_metadata", {}, ["metadata"]),
]


def whole(body: bytes, content_type: str = "text/html; charset=utf-8") -> bytes:
    """An answer without a date, which is the same each time."""
    head = f"HTTP/1.1 200 OK\r\nContent-Type: {content_type}\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


@pytest.fixture(scope="module")
def harbour(pages: Site) -> Site:
    pages.raw["/page"] = whole(PAGE)
    pages.raw["/json"] = whole(JSON, "application/json")
    pages.pages["/robots.txt"] = Page(b"User-agent: *\nDisallow: /no\n", content_type="text/plain")
    return pages


@pytest.mark.parametrize(
    ("tool", "arguments", "words"), COMMANDS, ids=[f"{one[0]} {one[1]}" for one in COMMANDS]
)
def test_an_object_is_that_of_the_command_line(
    harbour: Site,
    monkeypatch: pytest.MonkeyPatch,
    capfdbinary: pytest.CaptureFixture[bytes],
    era: str,
    tool: str,
    arguments: dict[str, Any],
    words: list[str],
) -> None:
    url = harbour.url("/page")
    command, *rest = words
    monkeypatch.setenv("SAFE_FETCH_SNAPSHOT_TTL_MS", "0")
    monkeypatch.setattr(sys, "argv", ["safefetch", command, "--allow-local", "--json", url, *rest])
    assert run() == 0
    tools = served(era, Settings(allow_local=True, snapshot_ttl_ms=0))
    found = tools.result(tool, url=url, **arguments)
    if "text" in found:
        assert FRAME.fullmatch(found["text"])
        found["text"] = unframed(found["text"])
    assert found == json.loads(capfdbinary.readouterr().out)


def test_the_text_of_a_page_stands_in_a_frame(harbour: Site, tools: Tools) -> None:
    result = tools("fetch_url", url=harbour.url("/page"))
    assert result.structured_content is not None
    framed = result.structured_content["text"]
    assert text_of(result) == framed
    found = FRAME.fullmatch(framed)
    assert found is not None
    assert found["url"] == harbour.url("/page")
    assert found["text"].startswith("# The harbour\n\nThe office publishes its timetable ")


def test_each_answer_has_a_fresh_identifier(harbour: Site, tools: Tools) -> None:
    identifiers = set()
    for _ in range(5):
        found = FRAME.fullmatch(text_of(tools("fetch_url", url=harbour.url("/page"))))
        assert found is not None
        identifiers.add(found["id"])
    assert len(identifiers) == 5


@pytest.mark.parametrize("tool", ["outline", "extract_links", "extract_metadata"])
def test_what_a_site_wrote_stands_in_the_frame_of_the_text(
    harbour: Site, tools: Tools, tool: str
) -> None:
    text = text_of(tools(tool, url=harbour.url("/page")))
    assert outside(text) == ""
    assert "harbour" in inside(text) or "every morning" in inside(text)


@pytest.mark.parametrize(
    ("path", "arguments"),
    [
        ("/page", {}),
        ("/page", {"format": "raw"}),
        ("/page", {"extract": "full", "format": "text"}),
        ("/page", {"section": "Ferries"}),
        ("/json", {}),
    ],
)
@pytest.mark.parametrize("max_chars", [17, 100])
def test_parts_make_up_the_whole(
    harbour: Site, tools: Tools, path: str, arguments: dict[str, Any], max_chars: int
) -> None:
    given = {**arguments, "url": harbour.url(path)}

    async def read_in_parts(client: Client) -> list[str]:
        at: int | None = 0
        parts: list[str] = []
        while at is not None:
            window = {"max_chars": max_chars, "start_index": at}
            result = await client.call_tool("fetch_url", {**given, **window})
            assert result.structured_content is not None
            parts.append(unframed(result.structured_content["text"]))
            assert unframed(text_of(result)).startswith(parts[-1])
            at = result.structured_content["nextStartIndex"]
        return parts

    whole_text = unframed(tools.result("fetch_url", **given)["text"])
    parts = tools.ask(read_in_parts)
    assert "".join(parts) == whole_text
    assert {0 < len(part) <= max_chars for part in parts} == {True}


def test_a_part_says_how_to_go_on(harbour: Site, tools: Tools) -> None:
    total = tools.result("fetch_url", url=harbour.url("/page"))["totalChars"]
    first = tools("fetch_url", url=harbour.url("/page"), max_chars=90)
    assert first.structured_content is not None
    following = first.structured_content["nextStartIndex"]
    said = outside(text_of(first))
    assert said.endswith(
        f"There is more: call again with start_index={following} (of {total} characters).\n"
    )
    end = tools("fetch_url", url=harbour.url("/page"), start_index=total)
    assert outside(text_of(end)) == f"There is no more: the text has {total} characters.\n"
    past = tools.failure("fetch_url", url=harbour.url("/page"), start_index=total + 1)["error"]
    assert past["message"] == (
        f"start_index: {total + 1} is not from 0 to {total}, the length of the text"
    )


def test_the_outline_leads_to_sections(harbour: Site, tools: Tools) -> None:
    outline = tools.result("outline", url=harbour.url("/page"))
    text = unframed(tools.result("fetch_url", url=harbour.url("/page"))["text"])
    assert [heading["title"] for heading in outline["headings"]] == [
        "The harbour",
        "Ferries",
        "Tickets",
    ]
    for heading in outline["headings"]:
        found = tools.result("section", url=harbour.url("/page"), title=heading["title"])
        start = heading["start_index"]
        part = text[start : start + heading["chars"]]
        assert unframed(found["text"]).rstrip() == part.rstrip()
    by_fragment = tools.result("section", url=harbour.url("/page") + "#ferries")
    assert unframed(by_fragment["text"]).startswith("## Ferries\n")


def test_one_value_of_json(harbour: Site, tools: Tools) -> None:
    found = tools.result("fetch_url", url=harbour.url("/json"), json_pointer="/ports/1/name")
    assert unframed(found["text"]) == "south"
    assert found["selection"]["value"] == "/ports/1/name"


def test_elements_are_chosen_and_left_out(harbour: Site, tools: Tools) -> None:
    chosen = tools.result("fetch_url", url=harbour.url("/page"), select="li:last-child")
    assert unframed(chosen["text"]) == "- Children travel free."
    left = tools.result("fetch_url", url=harbour.url("/page"), exclude=["h1, h2", "p", "pre"])
    assert unframed(left["text"]) == "- A ticket is sold at the gate.\n- Children travel free."


def test_links_that_are_left_out_are_counted(harbour: Site, tools: Tools) -> None:
    said = text_of(tools("extract_links", url=harbour.url("/page"), limit=1))
    assert outside(said) == "Note: 1 more links are not listed; the limit is in the way.\n"


def test_the_rule_of_a_robots_file_stands_in_a_frame(harbour: Site, tools: Tools) -> None:
    url = harbour.url("/no")
    result = tools("check_url", url=url, robots=True)
    assert result.structured_content is not None
    assert result.structured_content["robots"] == {"allowed": False, "rule": "Disallow: /no"}
    assert inside(text_of(result)) == "Disallow: /no"
    assert outside(text_of(result)) == (
        f"allowed {url}\n  address: 127.0.0.1 (loopback, allowed)\n  robots.txt: disallowed\n"
    )


def test_every_result_keeps_to_the_schema_of_its_tool(harbour: Site, era: str) -> None:
    service = Service(Settings(allow_local=True))
    tools = Tools(service.server(), era)
    schemas = {
        tool.name: Draft202012Validator(tool.output_schema or False)
        for tool in tools.ask(lambda client: client.list_tools()).tools
    }
    for tool, arguments, _ in COMMANDS:
        schemas[tool].validate(tools.result(tool, url=harbour.url("/page"), **arguments))
    refused = tools.result("check_url", url="http://0.0.0.0/")
    assert refused["verdict"] == "refused"
    schemas["check_url"].validate(refused)
    for schema in schemas.values():
        assert not schema.is_valid({})
        assert not schema.is_valid([])
        assert not schema.is_valid({"error": "text"})
