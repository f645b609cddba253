"""The server on a port: official clients, progress, and how calls and the process end."""

import json
import signal
import socket
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from support.framed import unframed
from support.raw_http import read, request
from support.slow_site import SlowSite
from support.tools import text_of
from support.wire import ENVELOPE, ERAS, MODERN, HttpServer, stopping
from support_cli import HANG_SECONDS, Page, Site, command

TOKEN = "a-token-of-the-test"


@pytest.fixture(scope="module")
def server(module_environment: dict[str, str]) -> Iterator[HttpServer]:
    environment = {**module_environment, "SAFE_FETCH_RATE_LIMIT_MAX": "100000"}
    environment["SAFE_FETCH_HTTP_TOKEN"] = TOKEN
    with stopping(HttpServer(environment, "--allow-local", "--compat")) as server:
        yield server


def call_of(era: str, url: str, port: int) -> bytes:
    """A call of fetch_url as this era sends it."""
    params: dict[str, Any] = {"name": "fetch_url", "arguments": {"url": url}}
    fields = [
        ("Host", f"127.0.0.1:{port}"),
        ("Authorization", f"Bearer {TOKEN}"),
        ("Content-Type", "application/json"),
        ("Accept", "application/json, text/event-stream"),
    ]
    if era == "auto":
        params["_meta"] = ENVELOPE
        fields += [("MCP-Protocol-Version", MODERN), ("Mcp-Method", "tools/call")]
        fields += [("Mcp-Name", "fetch_url")]
    sent = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    return request("POST", "/mcp", fields, json.dumps(sent).encode())


def test_the_official_client_over_http(server: HttpServer, site: Site, era: str) -> None:
    site.pages["/"] = Page("<title>Größe</title><p>Grüße 🌍</p>".encode())

    async def session() -> tuple[Any, ...]:
        fields = {"Authorization": f"Bearer {TOKEN}"}
        async with (
            httpx2.AsyncClient(headers=fields) as http,
            Client(streamable_http_client(server.url, http_client=http), mode=era) as client,
        ):
            tools = await client.list_tools()
            page = await client.call_tool("fetch_url", {"url": site.url()})
            missing = await client.call_tool("fetch_url", {"url": site.url("/missing")})
            prompt = await client.get_prompt("fetch", {"url": site.url()})
            return tools, page, missing, prompt

    tools, page, missing, prompt = anyio.run(session)
    assert len(tools.tools) == 7
    assert unframed(text_of(page)) == "Grüße 🌍"
    assert page.structured_content["title"] == "Größe"
    assert missing.structured_content["error"]["code"] == "HTTP_ERROR"
    assert unframed(prompt.messages[0].content.text) == "Grüße 🌍"


def test_a_long_download_reports_its_progress(
    server: HttpServer, slow_site: SlowSite, era: str
) -> None:
    reports: list[tuple[float, float | None]] = []

    async def heard(progress: float, total: float | None, message: str | None) -> None:
        reports.append((progress, total))
        if len(reports) == 2:
            slow_site.enough.set()

    async def session() -> str:
        fields = {"Authorization": f"Bearer {TOKEN}"}
        async with (
            httpx2.AsyncClient(headers=fields) as http,
            Client(streamable_http_client(server.url, http_client=http), mode=era) as client,
        ):
            given = {"url": slow_site.url("/long"), "max_chars": 10}
            return text_of(await client.call_tool("fetch_url", given, progress_callback=heard))

    assert unframed(anyio.run(session)).startswith("word word")
    done = [received for received, _ in reports]
    assert len(done) >= 2
    assert done == sorted(set(done))
    assert done[0] > 0


def test_a_client_that_goes_away_ends_the_request_to_the_site(
    server: HttpServer, slow_site: SlowSite, era: str
) -> None:
    with socket.create_connection(("127.0.0.1", server.port), HANG_SECONDS) as sock:
        sock.sendall(call_of(era, slow_site.url("/held/1"), server.port))
        slow_site.wait_for_held()
        assert not slow_site.gone.is_set()
    assert slow_site.gone.wait(2)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=["TERM", "INT"])
def test_a_signal_lets_answers_finish(
    environment: dict[str, str], slow_site: SlowSite, number: signal.Signals
) -> None:
    """In both eras; meanwhile nobody else is let in."""
    environment = {**environment, "SAFE_FETCH_HTTP_TOKEN": TOKEN}
    with stopping(HttpServer(environment, "--allow-local")) as server:
        waiting = []
        for era in ERAS:
            sock = socket.create_connection(("127.0.0.1", server.port), HANG_SECONDS)
            sock.sendall(call_of(era, slow_site.url(f"/held/{era}"), server.port))
            waiting.append(sock)
        slow_site.wait_for_held(len(ERAS))
        server.process.send_signal(number)
        _wait_until_closed(server.port)
        slow_site.released.set()
        for era, sock in zip(ERAS, waiting, strict=True):
            with sock:
                reply = read(sock, "POST")
            assert reply.status == 200
            assert f"This is /held/{era} itself." in reply.body.decode()
        assert server.process.wait(HANG_SECONDS) in (-number, 128 + number)
        assert server.stderr.splitlines() == [f"safefetch: listening on {server.url}"]


def _wait_until_closed(port: int) -> None:
    for _ in range(1000):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            return
        threading.Event().wait(0.01)
    raise AssertionError("it still listens")


def started(environment: dict[str, str], *arguments: str, **variables: str) -> tuple[int, str]:
    """Exit status and stderr of a server that does not start."""
    ended = subprocess.run(
        [*command(), "serve", "--http", *arguments],
        env={**environment, **variables},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=HANG_SECONDS,
    )
    assert ended.stdout == ""
    return ended.returncode, ended.stderr


def test_a_port_in_use(server: HttpServer, environment: dict[str, str]) -> None:
    status, stderr = started(environment, "--port", str(server.port))
    assert status == 2
    assert stderr == (
        f"safefetch: INVALID_INPUT: PORT: 127.0.0.1 port {server.port} cannot be listened on: "
        "[Errno 98] Address already in use\n"
    )


def test_a_short_token_stops_the_start_and_is_not_shown(
    environment: dict[str, str], tmp_path: Path
) -> None:
    status, stderr = started(environment, SAFE_FETCH_HTTP_TOKEN="sesame")
    assert status == 2
    assert stderr == (
        "safefetch: INVALID_INPUT: SAFE_FETCH_HTTP_TOKEN: a token has at least 16 printable ASCII "
        "characters\n"
    )
    (tmp_path / "token").write_text("sesame\n")
    status, stderr = started(environment, "--http-token-file", str(tmp_path / "token"))
    assert status == 2
    assert "sesame" not in stderr


def test_all_the_network_without_a_token_stops_the_start(environment: dict[str, str]) -> None:
    status, stderr = started(environment, HOST="0.0.0.0")
    assert status == 2
    assert stderr.splitlines()[0] == (
        "safefetch: INVALID_INPUT: HOST: '0.0.0.0' is not a loopback address, and no token is set: "
        "anyone who reaches it could use the server"
    )
