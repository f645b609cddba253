"""Many calls at once: nobody waits for another's page, and no answer is lost or mixed up."""

from collections.abc import Iterator
from typing import Any

import anyio
import pytest
from mcp import Client, MCPError
from support.framed import unframed
from support.slow_site import SlowSite
from support.tools import served, text_of
from support.wire import HttpServer, Wire, stopping

from safefetch_cli.server.calls import THREADS_PER_REQUEST
from safefetch_cli.settings import Settings

CALLS = 300
AT_ONCE = 16
MEBIBYTE = 1024 * 1024


async def probe(client: Client) -> None:
    """A request that no tool is needed for, in both eras."""
    with pytest.raises(MCPError, match="Unknown tool"):
        await client.session.call_tool("no_such_tool", {})


def test_a_request_is_answered_while_all_threads_are_busy(slow_site: SlowSite, era: str) -> None:
    tools = served(era, Settings(allow_local=True, max_concurrent=1))
    done: list[str] = []

    async def call(client: Client, number: int) -> None:
        result = await client.call_tool("fetch_url", {"url": slow_site.url(f"/held/{number}")})
        done.append(unframed(text_of(result)))

    async def session(client: Client) -> None:
        await client.list_tools()
        async with anyio.create_task_group() as group:
            for number in range(THREADS_PER_REQUEST * 3):
                group.start_soon(call, client, number)
            await anyio.to_thread.run_sync(slow_site.wait_for_held)
            await probe(client)
            assert done == []
            slow_site.released.set()

    tools.ask(session)
    assert sorted(done) == sorted(f"This is /held/{number} itself." for number in range(12))


@pytest.fixture(scope="module")
def many_environment(module_environment: dict[str, str]) -> dict[str, str]:
    return {
        **module_environment,
        "SAFE_FETCH_MAX_PER_HOST": str(AT_ONCE),
        "SAFE_FETCH_RATE_LIMIT_MAX": "100000",
        "SAFE_FETCH_ALLOW_LOCAL": "true",
    }


def paths(count: int = CALLS) -> Iterator[tuple[int, str]]:
    """Fast and slow ones in turn; every tenth is not there."""
    kinds = ("fast", "slow", "fast", "slow", "fast", "slow", "fast", "slow", "fast", "missing")
    return ((number, f"/{kinds[number % 10]}/{number}") for number in range(count))


def expected(path: str) -> str:
    return "HTTP_ERROR" if "missing" in path else f"This is {path} itself."


def outcome(structured: dict[str, Any]) -> str:
    """The text of a page, or the code of a failure."""
    error = structured.get("error")
    return str(error["code"]) if error else unframed(structured["text"])


def test_many_calls_over_stdio(
    many_environment: dict[str, str], slow_site: SlowSite, era: str
) -> None:
    with stopping(Wire(many_environment)) as wire:
        wire.start(era)
        _ask_all(wire, slow_site, 60)
        before = wire.memory()
        assert _ask_all(wire, slow_site, CALLS) == {path: expected(path) for _, path in paths()}
        assert wire.memory() - before < 20 * MEBIBYTE


def _ask_all(wire: Wire, site: SlowSite, count: int) -> dict[str, str]:
    """The outcome by path; so many calls are on their way at once."""
    asked: dict[int, str] = {}
    found: dict[str, str] = {}
    rest = paths(count)

    def send_next() -> None:
        for _, path in rest:
            asked[wire.call("fetch_url", url=site.url(path))] = path
            return

    for _ in range(AT_ONCE):
        send_next()
    while asked:
        message = wire.receive()
        found[asked.pop(message["id"])] = outcome(message["result"]["structuredContent"])
        send_next()
    return found


def test_many_calls_over_http(many_environment: dict[str, str], slow_site: SlowSite) -> None:
    with stopping(HttpServer(many_environment)) as server:
        anyio.run(_ask_over_http, server, slow_site, 60)
        before = server.memory()
        found = anyio.run(_ask_over_http, server, slow_site, CALLS)
        assert found == {path: expected(path) for _, path in paths()}
        assert server.memory() - before < 20 * MEBIBYTE


async def _ask_over_http(server: HttpServer, site: SlowSite, count: int) -> dict[str, str]:
    """Half of the calls by a client of each era, both at once."""
    found: dict[str, str] = {}
    rest = paths(count)

    async def work(client: Client) -> None:
        for _, path in rest:
            result = await client.call_tool("fetch_url", {"url": site.url(path)})
            assert result.structured_content is not None
            found[path] = outcome(result.structured_content)

    async with (
        Client(server.url, mode="legacy") as legacy,
        Client(server.url, mode="auto") as modern,
        anyio.create_task_group() as group,
    ):
        for _ in range(AT_ONCE // 2):
            group.start_soon(work, legacy)
            group.start_soon(work, modern)
    return found
