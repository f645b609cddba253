"""The clients that people use, from Node: the official SDKs 1.x and 2.x, and the inspector."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from support import node_clients
from support.node_clients import FOLDER, INSPECTOR, SDKS_NEED, TOOLS_NEED, Node
from support.tides import Tides, framed, without_marks
from support_cli import Ended, Program, command, guarded_environment

from safefetch_cli import __version__
from safefetch_cli.server import compat
from safefetch_cli.server.arguments import input_schema
from safefetch_cli.server.schemas import output_schema
from safefetch_cli.server.tools import TOOLS

TOKEN = "0123456789abcdef-token"
FLAGS = ("--allow-local", "--compat")
SERVER = {"name": "safefetch", "title": "safefetch", "version": __version__}
STAMP = {"_meta": {"io.modelcontextprotocol/serverInfo": SERVER}}
"""On every answer of the modern era."""

ERAS = ("legacy", "modern")
SDKS = [("sdk1", "legacy"), ("sdk2", "legacy"), ("sdk2", "modern")]
TRANSPORTS = ("stdio", "http")
TOOL_FAILED, NOT_LET_IN = 5, 3
"""Exit statuses of the inspector."""

needs_sdks = node_clients.need(SDKS_NEED)
needs_inspector = node_clients.need(TOOLS_NEED)


@pytest.fixture(scope="module")
def tides() -> Iterator[Tides]:
    tides = Tides()
    yield tides
    tides.site.close()


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Program:
    folder = tmp_path_factory.mktemp("node")
    return Program(guarded_environment(folder), folder)


@pytest.fixture(scope="module")
def address(shared: Program) -> Iterator[str]:
    """The server over HTTP, for all tests."""
    environment = {"SAFE_FETCH_HTTP_TOKEN": TOKEN, "SAFE_FETCH_RATE_LIMIT_MAX": "10000"}
    with node_clients.served_over_http(shared, FLAGS, environment) as url:
        yield url


def listed_tools() -> list[dict[str, Any]]:
    """The list of tools as a client must see it."""
    reads_only = {
        "readOnlyHint": True,
        "destructiveHint": False,
        "idempotentHint": True,
        "openWorldHint": True,
    }
    own = [
        {
            "name": tool.name,
            "title": tool.title,
            "description": tool.description,
            "inputSchema": input_schema(tool.arguments),
            "outputSchema": output_schema(*tool.results),
            "annotations": reads_only,
        }
        for tool in TOOLS
    ]
    reference = {
        "name": "fetch",
        "description": compat.DESCRIPTION,
        "inputSchema": input_schema(compat.ARGUMENTS),
        "annotations": reads_only,
    }
    return [*own, reference]


def prompt_answer(tides: Tides) -> dict[str, Any]:
    """What the prompt gives for the page."""
    content = {"type": "text", "text": framed(tides.markdown, tides.url)}
    return {
        "description": compat.PROMPT_DESCRIPTION,
        "messages": [{"role": "user", "content": content}],
    }


@needs_sdks
@pytest.mark.parametrize("transport", TRANSPORTS)
@pytest.mark.parametrize(("script", "era"), SDKS)
def test_an_sdk_sees_tools_results_and_failures_as_they_are(
    script: str, era: str, transport: str, shared: Program, tides: Tides, request: Any
) -> None:
    cases = tides.cases()
    where: dict[str, Any] = {
        "command": [*command(), "serve", *FLAGS],
        "environment": shared.environment,
    }
    if transport == "http":
        where = {"url": request.getfixturevalue("address"), "token": TOKEN}
    calls = [
        *(case.call for case in cases),
        {"prompt": "fetch", "arguments": {"url": tides.url}},
        {"tool": "fetch_page", "arguments": {}},
        {"prompt": "read", "arguments": {}},
    ]

    ended = Node(shared, SDKS_NEED).run(
        FOLDER / f"{script}.mjs", given={"era": era, "calls": calls, **where}
    )

    assert (ended.status, ended.stderr) == (0, "")
    seen = json.loads(without_marks(ended.stdout.decode()))
    assert seen["server"] == SERVER
    assert seen["instructions"].startswith("Reads public web pages as markdown. ")
    assert seen["capabilities"] == ["prompts", "tools"]
    assert seen["tools"] == listed_tools()
    stamp = STAMP if era == "modern" else {}
    words = "MCP error -32602: " if script == "sdk1" else ""
    assert seen["answers"] == [
        *({**case.answer, **stamp} for case in cases),
        {**prompt_answer(tides), **stamp},
        {"thrown": {"code": -32602, "message": f"{words}Unknown tool: fetch_page"}},
        {"thrown": {"code": -32602, "message": f"{words}Unknown prompt: read"}},
    ]


@needs_sdks
@pytest.mark.parametrize(("script", "era"), SDKS)
def test_an_sdk_with_a_wrong_token_is_not_let_in(
    script: str, era: str, shared: Program, address: str
) -> None:
    job = {"era": era, "calls": [], "url": address, "token": f"{TOKEN}s"}
    ended = Node(shared, SDKS_NEED).run(FOLDER / f"{script}.mjs", given=job)
    assert (ended.status, ended.stderr) == (0, "")
    assert json.loads(ended.stdout) == {"refused": 401}


class Inspector:
    """The inspector's command line, over either transport and in either era."""

    def __init__(self, program: Program, address: str) -> None:
        self._node = Node(program, TOOLS_NEED)
        variables = [f"{name}={value}" for name, value in program.environment.items()]
        child = [*command(), "serve", *FLAGS]
        flags = [part for one in variables for part in ("-e", one)]
        self._targets = {
            "stdio": [*child, *flags],
            "http": [address, "--transport", "http"],
        }

    def run(
        self, transport: str, era: str, method: str, *arguments: str, token: str = TOKEN
    ) -> Ended:
        target = self._targets[transport]
        if transport == "http":
            target = [*target, "--header", f"Authorization: Bearer {token}"]
        options = ["--protocol-era", era, "--method", method, "--format", "json"]
        return self._node.run(INSPECTOR, "--cli", *target, *options, *arguments)


@pytest.fixture
def inspector(shared: Program, address: str) -> Inspector:
    return Inspector(shared, address)


@needs_inspector
@pytest.mark.parametrize("transport", TRANSPORTS)
@pytest.mark.parametrize("era", ERAS)
def test_the_inspector_finds_the_schemas_portable(
    era: str, transport: str, inspector: Inspector
) -> None:
    ended = inspector.run(transport, era, "tools/list", "--strict")
    assert (ended.status, ended.stderr) == (0, "")
    assert json.loads(ended.stdout)["result"]["tools"] == listed_tools()


@needs_inspector
@pytest.mark.parametrize("era", ERAS)
def test_the_inspector_shows_a_page(era: str, inspector: Inspector, tides: Tides) -> None:
    ended = inspector.run("http", era, "tools/call", *tool("fetch_url", tides.url))
    assert (ended.status, ended.stderr) == (0, "")
    stamp = STAMP if era == "modern" else {}
    shown = json.loads(without_marks(ended.stdout.decode()))
    assert shown == {"result": {**tides.page.answer, **stamp}}


@needs_inspector
@pytest.mark.parametrize("era", ERAS)
def test_the_inspector_shows_a_failure(era: str, inspector: Inspector, tides: Tides) -> None:
    ended = inspector.run("http", era, "tools/call", *tool("fetch_url", tides.gone))
    assert ended.status == TOOL_FAILED
    assert json.loads(ended.stderr)["error"]["code"] == "tool_is_error"
    stamp = STAMP if era == "modern" else {}
    shown = json.loads(without_marks(ended.stdout.decode()))
    assert shown == {"result": {**tides.http_error.answer, **stamp}}


@needs_inspector
@pytest.mark.parametrize("era", ERAS)
def test_many_calls_at_once_all_succeed(era: str, inspector: Inspector, tides: Tides) -> None:
    load = ("--load", "--load-concurrency", "16", "--load-requests", "100")
    ended = inspector.run("http", era, "tools/call", *tool("outline", tides.url), *load)
    assert ended.status == 0
    result = json.loads(ended.stdout)["result"]
    counts = {name: result[name] for name in ("requests", "ok", "toolErrors", "errors")}
    assert counts == {"requests": 100, "ok": 100, "toolErrors": 0, "errors": 0}


@needs_inspector
def test_the_inspector_with_a_wrong_token_is_not_let_in(inspector: Inspector) -> None:
    ended = inspector.run("http", "legacy", "tools/list", token=f"{TOKEN}s")
    assert (ended.status, ended.stdout) == (NOT_LET_IN, b"")
    assert json.loads(ended.stderr)["error"]["code"] == "auth_required"


def tool(name: str, url: str) -> tuple[str, ...]:
    return ("--tool-name", name, "--tool-arg", f"url={url}")
