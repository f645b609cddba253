"""What clients hear of the server: its tools, their schemas, its own words."""

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from mcp import Client, MCPError
from mcp_types import Tool
from support.tools import Tools, served

from safefetch_cli import __version__
from safefetch_cli.errors import InvalidInput
from safefetch_cli.server.service import INSTRUCTIONS, Service
from safefetch_cli.settings import Settings

NAMES = ["fetch_url", "outline", "section", "check_url", "extract_links", "extract_metadata"]
MAX_LISTED_CHARS = 10_000
"""Of compact JSON: at 4.33 characters a token of cl100k, as measured, about 2,300 tokens."""


def listed(tools: Tools) -> list[Tool]:
    return tools.ask(lambda client: client.list_tools()).tools


def as_sent(tool: Tool) -> dict[str, Any]:
    return tool.model_dump(mode="json", by_alias=True, exclude_none=True)


def test_the_tools_in_their_order(tools: Tools) -> None:
    assert [tool.name for tool in listed(tools)] == NAMES


@pytest.mark.parametrize("with_compat", [False, True])
def test_the_list_is_short(era: str, with_compat: bool) -> None:
    sent = [as_sent(tool) for tool in listed(served(era, with_compat=with_compat))]
    text = json.dumps({"tools": sent}, separators=(",", ":"), ensure_ascii=False)
    assert len(text) <= MAX_LISTED_CHARS


def test_each_tool_is_described_and_only_reads(era: str) -> None:
    for tool in listed(served(era, with_compat=True)):
        sent = as_sent(tool)
        assert tool.description
        assert tool.title or tool.name == "fetch"
        assert sent["annotations"] == {
            "readOnlyHint": True,
            "destructiveHint": False,
            "idempotentHint": True,
            "openWorldHint": True,
        }


def test_the_schemas_are_valid_strict_and_without_formats(era: str) -> None:
    for tool in listed(served(era, with_compat=True)):
        Draft202012Validator.check_schema(tool.input_schema)
        assert tool.input_schema["type"] == "object"
        assert tool.input_schema["additionalProperties"] is False
        assert '"format": "' not in json.dumps([tool.input_schema, tool.output_schema])
        if tool.output_schema is not None:
            Draft202012Validator.check_schema(tool.output_schema)
            assert tool.output_schema["type"] == "object"


def test_the_tool_of_the_reference_server_comes_last_and_promises_no_object(era: str) -> None:
    *others, fetch = listed(served(era, with_compat=True))
    assert [tool.name for tool in others] == NAMES
    assert fetch.name == "fetch"
    assert fetch.output_schema is None
    assert fetch.description == (
        "Fetches a URL from the internet and optionally extracts its contents as markdown."
    )


def test_fewer_tools_are_served_in_the_order_that_is_asked_for(era: str) -> None:
    tools = served(era, only=("section", "fetch_url"))
    assert [tool.name for tool in listed(tools)] == ["section", "fetch_url"]
    with pytest.raises(MCPError, match="Unknown tool: outline"):
        tools("outline", url="http://127.0.0.1/")


def test_a_tool_that_does_not_exist_cannot_be_chosen() -> None:
    with pytest.raises(
        InvalidInput, match=r"^--tools: 'fetch' is not one of fetch_url, "
    ) as caught:
        Service(Settings(), only=("fetch",))
    assert caught.value.hint == "The tool fetch is served with --compat."


def test_an_unknown_tool_is_an_error_of_the_protocol(tools: Tools) -> None:
    with pytest.raises(MCPError) as caught:
        tools("no_such_tool", url="x")
    assert caught.value.error.code == -32602
    assert caught.value.error.message == "Unknown tool: no_such_tool"


def test_the_server_says_who_it_is(tools: Tools) -> None:
    async def said(client: Client) -> tuple[Any, ...]:
        return client.server_info, client.instructions, client.server_capabilities

    info, instructions, can = tools.ask(said)
    assert (info.name, info.title, info.version) == ("safefetch", "safefetch", __version__)
    assert instructions == INSTRUCTIONS
    assert can.prompts is None
    assert can.tools is not None


def test_the_prompt_is_listed_with_the_tool_of_the_reference_server(era: str) -> None:
    tools = served(era, with_compat=True)
    (prompt,) = tools.ask(lambda client: client.list_prompts()).prompts
    assert prompt.name == "fetch"
    assert prompt.description == "Fetch a URL and extract its contents as markdown"
    (argument,) = list(prompt.arguments or ())
    assert (argument.name, argument.description, argument.required) == ("url", "URL to fetch", True)
