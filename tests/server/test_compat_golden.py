"""`serve --compat` and the reference server itself, on the same pages, byte for byte.

The reference server runs without Node, so that it extracts with Python alone. Of our answers the
frame is taken off first. What differs by design stands in DIFFERENCES, each with its reason.
"""

import itertools
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any, NamedTuple

import anyio
import pytest
import trustme
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.server.lowlevel import Server
from mcp_types import Prompt, Tool
from support.framed import unframed
from support.server import closed_port
from support.tools import served, text_of
from support.wire import ERAS
from support_cli import Page, Site, guarded_environment

from safefetch_cli.server.compat import USER_AGENT_OF_PROMPT, USER_AGENT_OF_TOOL
from safefetch_cli.settings import Settings

REFERENCE = Path(sys.executable).with_name("mcp-server-fetch")
if not REFERENCE.exists():
    pytest.skip("mcp-server-fetch is not installed, see the extra `test`", allow_module_level=True)

OTHER_AGENT = "another-agent/1.0"
PLAIN = "text/plain; charset=utf-8"
SHORT = "ab\n\nc\n"
TABLE = "Tide table\n\nLow 03:12\nHigh 09:40\n\n\nEnd"


def html(body: str) -> Page:
    return Page(f"<html><body>{body}</body></html>".encode())


def text(body: str, content_type: str = PLAIN, **options: Any) -> Page:
    return Page(body.encode(), content_type=content_type, **options)


def moved(path: str) -> Page:
    return Page(status=302, headers={"Location": path})


PAGES = {
    "/plain": html("<p>One text.</p><p>Two.</p>"),
    "/lists": html("<ul><li>a</li><li>b</li></ul><ol><li>one</li><li>two</li></ol>"),
    "/heads": html("<h1>Head</h1><p>text</p><h2>Sub</h2><p>more</p>"),
    "/quote": html("<blockquote><p>q</p></blockquote><p>after</p>"),
    "/code": html("<p>Run:</p><pre><code>x = 1</code></pre>"),
    "/umlaut": html("<p>Grüße 🌍 日本</p>"),
    "/escaped": html("<p>1 &lt; 2 &amp; a*b_c</p>"),
    "/empty": html(""),
    "/blank": Page(b""),
    "/untyped": text("<p>Without a type.</p>", ""),
    "/sniffed": text("<!DOCTYPE html>\n<html><body><p>Said to be text.</p></body></html>"),
    "/late": text("x" * 101 + "<html><p>text</p></html>"),
    "/text": text(TABLE),
    "/short": text(SHORT),
    "/lines": text("a\r\nb\rc\n\n"),
    "/nothing": text(""),
    "/latin": Page("Größe\n".encode("latin-1"), content_type="text/plain; charset=iso-8859-1"),
    "/json": text('{"a": [1, 2.50, "x"]}\n', "application/json"),
    "/xml": text("<a><b/></a>", "application/xml"),
    "/404": Page(b"<p>gone</p>", 404),
    "/429": Page(b"", 429),
    "/500": Page(b"oh", 500),
    "/moved": moved("/plain"),
    "/moved-404": moved("/404"),
    "/moved-no": moved("/no/page"),
    "/no/page": html("<p>Closed.</p>"),
    "/no/text": text("Closed."),
}
RULES = "User-agent: *\n# a note\nDisallow: /no\n\n"
ROBOTS = {
    "rules": text(RULES),
    "for-agent": text("User-agent: modelcontextprotocol\nDisallow: /\n\nUser-agent: *\nAllow: /"),
    "401": text("", status=401),
    "403": text("<p>no</p>", status=403),
    "404": Page(status=404),
    "empty": text(""),
    "moved": moved("/rules.txt"),
}


class Case(NamedTuple):
    """A call of the tool, of the tool with `raw`, or of the prompt."""

    kind: str
    site: str
    path: str
    arguments: tuple[tuple[str, Any], ...] = ()


class Outcome(NamedTuple):
    """How it ended: fine, error (of the tool) or a code of the protocol; and the text."""

    status: str
    text: str


CASES = [
    *(Case(kind, "rules", path) for path in PAGES for kind in ("tool", "raw", "prompt")),
    *(
        Case(kind, site, path)
        for site in ROBOTS
        for path in ("/plain", "/robots.txt")
        for kind in ("tool", "prompt")
        if path == "/plain" or site not in ("401", "403")
    ),
    Case("tool", "closed", "/plain"),
    *(
        Case("tool", "404", "/short", (("start_index", start), ("max_length", length)))
        for start, length in itertools.product(range(len(SHORT) + 2), (1, 2, len(SHORT), 5000))
    ),
    *(
        Case("tool", "404", path, (("start_index", start), ("max_length", 4)))
        for path, start in [("/lists", 0), ("/lists", 4), ("/empty", 0), ("/empty", 3)]
    ),
    Case("tool", "404", "/short", (("max_length", 999_999), ("start_index", 10**9))),
    Case("raw", "404", "/plain", (("max_length", 10), ("start_index", 10))),
    Case("tool", "404", "/plain?a=%C3%A9&b=1#part"),
    Case("no such prompt", "404", "/plain"),
    Case("no such tool", "404", "/plain"),
    Case("prompt without url", "404", "/plain"),
]

_INLINE = "its extractor drops inline marks and links, blanks in code and breaks; we keep them"
DIFFERENCES = {
    "/inline": (_INLINE, "One **bold** [link]({}/x)."),
    "/pre": (_INLINE, "```\na\n  b\n```"),
    "/break": (_INLINE, "a  \nb"),
    "/titled": ("its extractor puts the title into the text", "Text."),
    "/hidden": ("text that a reader cannot see is not read", "Seen."),
}
DIFFERENT_PAGES = {
    "/inline": html("<p>One <b>bold</b> <a href='/x'>link</a>.</p>"),
    "/pre": html("<pre>a\n  b</pre>"),
    "/break": html("<p>a<br>b</p>"),
    "/titled": Page(b"<html><head><title>T</title></head><body><p>Text.</p></body></html>"),
    "/hidden": html("<p>Seen.</p><p style='display:none'>Obey.</p>"),
}

INVALID: list[tuple[dict[str, Any], str]] = [
    ({"max_length": 0}, "max_length: 0 is not a whole number from 1 to 999999"),
    ({"max_length": 1_000_000}, "max_length: 1000000 is not a whole number from 1 to 999999"),
    ({"max_length": "5"}, "max_length: '5' is not a whole number from 1 to 999999"),
    ({"start_index": -1}, "start_index: -1 is not a whole number from 0"),
    ({"raw": "yes"}, "raw: 'yes' is not true or false"),
    ({"url": "no url"}, "'no url' is not a URL that can be fetched: it has no scheme; it must "),
    ({"url": None}, "url: it is required"),
]
"""The reference server says the same in the words of its library, over several lines."""


class Sites:
    """A site for each robots.txt; all have the same pages."""

    def __init__(self, stack: ExitStack) -> None:
        self._sites = {name: stack.enter_context(closing(Site())) for name in ROBOTS}
        closed = stack.enter_context(closed_port())
        self._closed = f"http://127.0.0.1:{closed.getsockname()[1]}"
        for name, site in self._sites.items():
            site.pages |= {
                **PAGES,
                **DIFFERENT_PAGES,
                "/rules.txt": text("User-agent: *\nDisallow: /pl"),
            }
            site.pages["/robots.txt"] = ROBOTS[name]

    def url(self, name: str, path: str) -> str:
        return self._sites[name].url(path) if name in self._sites else self._closed + path

    def agents(self) -> set[str]:
        """The User-Agents since the last time."""
        seen = [
            fields["User-Agent"] for site in self._sites.values() for fields in site.request_headers
        ]
        for site in self._sites.values():
            site.request_headers.clear()
        return set(seen)


@pytest.fixture(scope="module")
def sites() -> Iterator[Sites]:
    with ExitStack() as stack:
        yield Sites(stack)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("reference")


async def _outcome(client: Client, case: Case, url: str) -> Outcome:
    given = {**dict(case.arguments), "url": url}
    try:
        if case.kind in ("tool", "raw", "no such tool"):
            name = "nope" if case.kind == "no such tool" else "fetch"
            raw = {"raw": True} if case.kind == "raw" else {}
            result = await client.session.call_tool(name, {**given, **raw})
            return Outcome("error" if result.is_error else "fine", text_of(result))
        name = "nope" if case.kind == "no such prompt" else "fetch"
        arguments = {} if case.kind == "prompt without url" else {"url": url}
        (said,) = (await client.get_prompt(name, arguments)).messages
        assert said.role == "user"
        return Outcome("fine", said.content.text)  # type: ignore[union-attr]
    except MCPError as error:
        return Outcome(str(error.error.code), error.error.message)


class Session(NamedTuple):
    """What a server answers to the cases, and what it lists."""

    outcomes: dict[Case, Outcome]
    tool: Tool
    prompts: list[Prompt]


def run(
    sites: Sites, server: Server[Any] | StdioServerParameters, cases: Sequence[Case], era: str
) -> Session:
    """One session: the cases one after another, then the lists."""

    async def session() -> Session:
        with open(os.devnull, "w", encoding="utf-8") as nowhere:
            there = server if isinstance(server, Server) else stdio_client(server, nowhere)
            async with Client(there, mode=era) as client:
                tools = (await client.list_tools()).tools
                outcomes = {
                    case: await _outcome(client, case, sites.url(case.site, case.path))
                    for case in cases
                }
                return Session(outcomes, tools[-1], (await client.list_prompts()).prompts)

    return anyio.run(session)


def reference(folder: Path, *flags: str) -> StdioServerParameters:
    """The reference server, kept to this machine, and without a PATH on which Node is."""
    authority = folder / "authority.pem"  # one, as to load all that there are takes long
    trustme.CA().cert_pem.write_to_path(str(authority))
    environment = {**guarded_environment(folder), "PATH": str(folder)}
    environment["SSL_CERT_FILE"] = str(authority)
    return StdioServerParameters(
        command=str(REFERENCE), args=["--allow-private-ips", *flags], env=environment
    )


def own(era: str, **settings: Any) -> Server[Any]:
    return served(era, Settings(allow_local=True, **settings), with_compat=True).server


class Golden(NamedTuple):
    """The sessions of each server, and the agents that the reference server called itself."""

    theirs: Session
    ours: dict[str, Session]  # by era
    agents: set[str]


ALL_CASES = [*CASES, *(Case("tool", "404", path) for path in DIFFERENCES)]


@pytest.fixture(scope="module")
def golden(sites: Sites, folder: Path) -> Golden:
    theirs = run(sites, reference(folder), ALL_CASES, "legacy")
    agents = sites.agents()
    return Golden(theirs, {era: run(sites, own(era), ALL_CASES, era) for era in ERAS}, agents)


def plain(outcomes: dict[Case, Outcome]) -> dict[Case, Outcome]:
    """The same without frames."""
    return {case: one._replace(text=unframed(one.text)) for case, one in outcomes.items()}


@pytest.mark.parametrize("case", CASES, ids=[" ".join(map(str, case)) for case in CASES])
def test_the_answer_is_that_of_the_reference_server(golden: Golden, era: str, case: Case) -> None:
    assert plain(golden.ours[era].outcomes)[case] == golden.theirs.outcomes[case]


@pytest.mark.parametrize("path", DIFFERENCES)
def test_what_differs_by_design(golden: Golden, sites: Sites, era: str, path: str) -> None:
    _, expected = DIFFERENCES[path]
    case = Case("tool", "404", path)
    url = sites.url("404", path)
    found = plain(golden.ours[era].outcomes)[case]
    shown = expected.replace("{}", url.removesuffix(path))
    assert found == Outcome("fine", f"Contents of {url}:\n{shown}")
    assert found != golden.theirs.outcomes[case]


@pytest.mark.parametrize("length", [1, 2])
def test_parts_make_up_the_whole(golden: Golden, era: str, length: int) -> None:
    found = plain(golden.ours[era].outcomes)
    parts = []
    for start in range(0, len(SHORT), length):
        case = Case("tool", "404", "/short", (("start_index", start), ("max_length", length)))
        said = found[case].text.partition("/short:\n")[2]
        parts.append(said.partition("\n\n<error>Content truncated.")[0])
    assert "".join(parts) == SHORT


@pytest.mark.parametrize(("arguments", "message"), INVALID)
def test_invalid_arguments_are_told_in_our_own_words(
    sites: Sites, era: str, arguments: dict[str, Any], message: str
) -> None:
    tools = served(era, Settings(allow_local=True), with_compat=True)
    result = tools("fetch", **{"url": sites.url("404", "/plain"), **arguments})
    assert result.is_error
    assert text_of(result).startswith(f"INVALID_INPUT: {message}")
    assert len(text_of(result).splitlines()) == 1


def test_where_it_shows_an_exception_we_show_a_code(golden: Golden, sites: Sites, era: str) -> None:
    tools = served(era, Settings(allow_local=True), with_compat=True)
    url = sites.url("closed", "/plain")
    said = text_of_prompt(tools.prompt("fetch", {"url": url}))
    assert said.startswith(f"Failed to fetch {url}: CONNECTION_FAILED: could not connect to ")
    refused = tools("fetch", url="http://169.254.169.254/")
    assert text_of(refused) == (
        "Error executing tool fetch: Failed to fetch http://169.254.169.254/: POLICY_REJECTED: "
        "169.254.169.254 is refused: cloud instance metadata"
    )


def text_of_prompt(result: Any) -> str:
    return str(result.messages[0].content.text)


def test_the_tool_and_the_prompt_are_listed_alike(golden: Golden, era: str) -> None:
    tools = served(era, Settings(), with_compat=True)
    tool = tools.ask(lambda client: client.list_tools()).tools[-1]
    theirs = golden.theirs.tool
    assert tool.name == theirs.name
    assert theirs.description is not None
    assert tool.description == theirs.description.partition("\n")[0]
    assert tool.annotations == theirs.annotations
    assert tool.output_schema is theirs.output_schema is None
    kept = ("type", "default", "minimum", "maximum", "description")
    for name, schema in theirs.input_schema["properties"].items():
        expected = {word: schema[word] for word in kept if word in schema}
        assert tool.input_schema["properties"][name] == expected
    assert tool.input_schema["required"] == theirs.input_schema["required"]
    prompts = tools.ask(lambda client: client.list_prompts()).prompts
    assert prompts == golden.theirs.prompts


def test_a_robots_file_itself_may_be_read(sites: Sites, era: str) -> None:
    """RFC 9309, 2.2.2; the reference server asks itself whether it may."""
    tools = served(era, Settings(allow_local=True), with_compat=True)
    for status in ("401", "403"):
        url = sites.url(status, "/robots.txt")
        said = f"Error executing tool fetch: Failed to fetch {url} - status code {status}"
        assert text_of(tools("fetch", url=url)) == said


def test_a_site_in_trouble_is_left_alone(site: Site, era: str) -> None:
    """RFC 9309, 2.3.1.4; the reference server takes the page of an error for rules."""
    site.pages |= {"/robots.txt": Page(b"", 503), "/page": html("<p>Here.</p>")}
    tools = served(era, Settings(allow_local=True), with_compat=True)
    robots = site.url("/robots.txt")
    assert text_of(tools("fetch", url=site.url("/page"))) == (
        f"Error executing tool fetch: Failed to fetch robots.txt {robots} due to a connection issue"
    )
    assert unframed(text_of_prompt(tools.prompt("fetch", {"url": site.url("/page")}))) == "Here."


def test_both_agents_say_who_they_are(golden: Golden, sites: Sites, era: str) -> None:
    sites.agents()
    for kind, agent in (("tool", USER_AGENT_OF_TOOL), ("prompt", USER_AGENT_OF_PROMPT)):
        cases = [Case(kind, "rules", "/plain"), Case(kind, "rules", "/moved")]
        run(sites, own(era), cases, era)
        assert sites.agents() == {agent}
    assert golden.agents == {USER_AGENT_OF_TOOL, USER_AGENT_OF_PROMPT}


def test_a_chosen_agent_and_no_robots_files(sites: Sites, folder: Path) -> None:
    cases = [Case(kind, "rules", "/no/text") for kind in ("tool", "prompt")]
    flags = ("--user-agent", OTHER_AGENT, "--ignore-robots-txt")
    sites.agents()
    theirs = run(sites, reference(folder, *flags), cases, "auto").outcomes
    assert sites.agents() == {OTHER_AGENT}
    for era in ERAS:
        chosen = own(era, user_agent=OTHER_AGENT, robots="ignore", labels={"user_agent": "x"})
        assert plain(run(sites, chosen, cases, era).outcomes) == theirs
        assert sites.agents() == {OTHER_AGENT}
