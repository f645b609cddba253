"""The tools of a server in memory, called through the official client."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import anyio
from mcp import Client, MCPError
from mcp.server.lowlevel import Server
from mcp_types import CallToolResult, GetPromptResult, TextContent

from safefetch_cli.server.service import Service
from safefetch_cli.settings import Settings

T = TypeVar("T")


@dataclass
class Tools:
    """The tools of a server in memory, through the official client."""

    server: Server[Any]
    era: str

    def __call__(self, tool: str, **arguments: Any) -> CallToolResult:
        return self.ask(lambda client: client.call_tool(tool, arguments))

    def prompt(self, name: str, arguments: dict[str, str]) -> GetPromptResult:
        return self.ask(lambda client: client.get_prompt(name, arguments))

    def ask(self, work: Callable[[Client], Awaitable[T]]) -> T:
        """What a client gets to know. Raises MCPError for an error of the protocol."""

        async def outcome() -> T | MCPError:
            async with Client(self.server, mode=self.era) as client:
                try:
                    return await work(client)
                except MCPError as error:
                    return error  # raised in here a group of errors would come of it

        found = anyio.run(outcome)
        if isinstance(found, MCPError):
            raise found
        return found

    def result(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The object of a call that works."""
        result = self(tool, **arguments)
        assert not result.is_error, text_of(result)
        assert isinstance(result.structured_content, dict)
        return result.structured_content

    def failure(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The object of a call that fails."""
        result = self(tool, **arguments)
        assert result.is_error
        assert isinstance(result.structured_content, dict)
        return result.structured_content


def text_of(result: CallToolResult) -> str:
    """The one text of a result."""
    (block,) = result.content
    assert isinstance(block, TextContent)
    return block.text


def served(era: str, settings: Settings | None = None, **options: Any) -> Tools:
    """Tools with these settings; by default loopback is open."""
    service = Service(settings or Settings(allow_local=True), **options)
    return Tools(service.server(), era)
