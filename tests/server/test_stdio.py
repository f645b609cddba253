"""The server on its standard streams: nothing but messages, whatever comes in, and a quick end."""

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from support.framed import unframed
from support.slow_site import SlowSite
from support.tools import text_of
from support.wire import ERAS, Wire, stopping
from support_cli import HANG_SECONDS, Page, Site, command

PRINTS = """
import os, subprocess, sys
from safefetch_cli import operations
from safefetch_cli.__main__ import main

fetch = operations.Client.get

def get(*arguments, **options):
    print("stray print")
    sys.stdout.write("stray write")
    os.write(1, b"stray bytes\\n")
    subprocess.run([sys.executable, "-S", "-c", "print('stray child'); print(input())"])
    return fetch(*arguments, **options)

operations.Client.get = get
main()
"""
MANY_BYTES = 5 * 1024 * 1024
SIGNALS = [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]


@pytest.fixture(scope="module", params=ERAS)
def wire(module_environment: dict[str, str], request: pytest.FixtureRequest) -> Iterator[Wire]:
    """One session for many tests, each of which leaves it as it was."""
    with stopping(Wire(module_environment, "--allow-local")) as wire:
        yield wire.start(request.param)


def structured(answer: Mapping[str, Any]) -> dict[str, Any]:
    return dict(answer["result"]["structuredContent"])


def error_of(message: Mapping[str, Any]) -> tuple[Any, int]:
    assert "id" in message
    return message["id"], message["error"]["code"]


def test_the_official_client_over_stdio(
    environment: dict[str, str], site: Site, era: str, tmp_path: Path
) -> None:
    site.pages["/"] = Page("<title>Größe</title><p>Grüße 🌍</p>".encode())
    program, *words = command()
    words += ["serve", "--allow-local", "--compat"]
    parameters = StdioServerParameters(command=program, args=words, env=environment)

    async def session() -> tuple[Any, ...]:
        with (tmp_path / "errors.txt").open("w") as log:
            async with Client(stdio_client(parameters, log), mode=era) as client:
                tools = await client.list_tools()
                page = await client.call_tool("fetch_url", {"url": site.url()})
                prompt = await client.get_prompt("fetch", {"url": site.url()})
                return tools, page, prompt, client.protocol_version

    tools, page, prompt, version = anyio.run(session)
    assert len(tools.tools) == 7
    assert unframed(text_of(page)) == "Grüße 🌍"
    assert page.structured_content["title"] == "Größe"
    assert unframed(prompt.messages[0].content.text) == "Grüße 🌍"
    assert version == ("2025-11-25" if era == "legacy" else "2026-07-28")
    assert (tmp_path / "errors.txt").read_text() == ""


def test_stray_output_of_a_tool_is_kept_off_the_wire(
    environment: dict[str, str], site: Site, era: str
) -> None:
    site.pages["/"] = Page(b"<p>The page.</p>")
    noisy = [sys.executable, "-c", PRINTS]
    with stopping(Wire(environment, "--allow-local", prefix=noisy)) as wire:
        wire.start(era)
        answer = wire.ask("tools/call", {"name": "fetch_url", "arguments": {"url": site.url()}})
        assert unframed(structured(answer)["text"]) == "The page."
        wire.close_input()
        assert wire.rest() == []
        assert wire.ended() == 0
        for words in ("stray print", "stray write", "stray bytes", "stray child", "EOFError"):
            assert words in wire.stderr


@pytest.mark.parametrize(
    "locale",
    [
        {"PYTHONIOENCODING": "cp1252"},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    ],
    ids=["cp1252", "C"],
)
def test_any_locale_speaks_utf_8(
    environment: dict[str, str], site: Site, locale: dict[str, str]
) -> None:
    site.pages["/"] = Page("<h1>Größe</h1><p>日本 🌍</p>".encode())
    with stopping(Wire({**environment, **locale}, "--allow-local")) as wire:
        wire.start("legacy")
        answer = wire.ask(
            "tools/call", {"name": "section", "arguments": {"url": site.url(), "title": "größe"}}
        )
        assert unframed(structured(answer)["text"]) == "# Größe\n\n日本 🌍"


def test_lines_that_are_no_messages_are_answered(wire: Wire) -> None:
    """The session goes on after each."""
    parse, request = (None, -32700), (None, -32600)
    for line, expected in (
        (b"{bad json}\n", parse),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "tools/list"\n', parse),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "a"} {"jsonrpc": "2.0"}\n', parse),
        (b"[" * 100_000 + b"\n", parse),
        (b'"\\ud800"\n', parse),
        (b'[{"jsonrpc": "2.0", "id": 1, "method": "ping"}]\n', request),
        (b"[]\n", request),
        (b'{"id": 1, "method": "ping"}\n', request),
        (b'{"jsonrpc": "1.0", "id": 1, "method": "ping"}\n', request),
        *(
            (b'{"jsonrpc": "2.0", "id": %b, "method": "ping"}\n' % number, request)
            for number in (b"null", b"true", b"1.5", b"{}", b"[1]")
        ),
        (b'{"jsonrpc": "2.0", "id": 1, "method": 5}\n', request),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": [1]}\n', request),
        (b"5\n", request),
        (b"null\n", request),
    ):
        wire.send_line(line)
        assert error_of(wire.receive()) == expected, line[:80]
    assert wire.ask("tools/list", {})["result"]["tools"]


def test_lines_as_other_systems_write_them(wire: Wire) -> None:
    number = 900
    meta = json.dumps(wire.meta)
    for before, after in (
        (b"", b"\r\n"),
        (b"\xef\xbb\xbf", b"\n"),
        (b"  ", b" \t\n"),
        (b"\n\r\n", b"\n"),
    ):
        number += 1
        line = (
            f'{{"jsonrpc":"2.0","id":{number},"method":"tools/list","params":{{"_meta":{meta}}}}}'
        )
        wire.send_line(before + line.encode() + after)
        answer = wire.receive()
        assert answer["id"] == number
        assert "result" in answer


def test_a_line_that_is_too_long_is_answered_and_the_session_goes_on(wire: Wire) -> None:
    long = b'{"jsonrpc":"2.0","id":7,"method":"ping","params":{"x":"' + b"x" * MANY_BYTES + b'"}}\n'
    before = wire.memory()
    wire.send_line(long * 3)
    for _ in range(3):
        message = wire.receive()
        assert error_of(message) == (None, -32600)
        assert message["error"]["message"] == "a line has more than 4194304 bytes"
    assert wire.ask("tools/list", {})["result"]["tools"]
    assert wire.memory() - before < 4 * MANY_BYTES


def test_requests_that_cannot_be_answered_are_errors(wire: Wire) -> None:
    assert wire.ask("no/such/method", {})["error"]["code"] == -32601
    assert wire.ask("tools/call", {"name": "nope", "arguments": {}})["error"]["code"] == -32602
    assert wire.ask("tools/call", {"arguments": {}})["error"]["code"] == -32602
    assert wire.ask("tools/call", {"name": "outline", "arguments": [1]})["error"]["code"] == -32602


def seconds_to_end(wire: Wire) -> float:
    began = time.monotonic()
    wire.close_input()
    assert wire.ended() == 0
    return time.monotonic() - began


def test_the_end_of_the_input_ends_the_process_and_its_sockets(
    environment: dict[str, str], slow_site: SlowSite
) -> None:
    """With a call in work it takes hardly longer than without."""
    for era in ERAS:
        with stopping(Wire(environment, "--allow-local")) as idle:
            idle.start(era)
            idle_seconds = seconds_to_end(idle)
        with stopping(Wire(environment, "--allow-local")) as busy:
            busy.start(era)
            busy.call("fetch_url", url=slow_site.url("/held/1"))
            slow_site.wait_for_held()
            slow_site.gone.clear()
            assert seconds_to_end(busy) < idle_seconds + 1
            assert slow_site.gone.wait(1)
            assert busy.stderr == ""


@pytest.mark.parametrize(("number", "status"), SIGNALS, ids=["INT", "TERM", "HUP"])
def test_a_signal_ends_the_process_at_once(
    environment: dict[str, str], slow_site: SlowSite, number: signal.Signals, status: int
) -> None:
    with stopping(Wire(environment, "--allow-local")) as wire:
        wire.start("legacy")
        if number != signal.SIGHUP:
            wire.call("fetch_url", url=slow_site.url("/held/1"))
            slow_site.wait_for_held()
        wire.process.send_signal(number)
        assert wire.ended() == status
        assert wire.stderr == ""
        assert wire.rest() == []


@pytest.mark.parametrize(("number", "status"), SIGNALS[:2], ids=["INT", "TERM"])
def test_a_signal_ends_an_idle_process(
    environment: dict[str, str], number: signal.Signals, status: int
) -> None:
    with stopping(Wire(environment)) as wire:
        wire.start("auto")
        wire.process.send_signal(number)
        assert wire.ended() == status


def test_a_client_that_listens_no_more_ends_the_process(environment: dict[str, str]) -> None:
    # Not by the driver of the other tests, which listens all the time.
    with subprocess.Popen(
        [*command(), "serve"],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as child:
        assert child.stdout is not None
        child.stdout.close()
        ping = b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n'
        _, stderr = child.communicate(ping * 2, timeout=HANG_SECONDS)
        assert (child.returncode, stderr) == (0, b"")


@pytest.mark.parametrize("closed", ["<&-", ">&-"])
def test_a_closed_stream_is_told(environment: dict[str, str], closed: str) -> None:
    ended = subprocess.run(
        ["sh", "-c", f'exec "$0" "$@" {closed}', *command(), "serve"],
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        timeout=HANG_SECONDS,
    )
    assert (ended.returncode, ended.stderr) == (
        2,
        "safefetch: INVALID_INPUT: standard input or output is closed; a client speaks over both\n",
    )


def test_a_cancelled_call_closes_its_socket_and_gets_no_answer(
    wire: Wire, slow_site: SlowSite
) -> None:
    number = wire.call("fetch_url", url=slow_site.url("/held/1"))
    slow_site.wait_for_held()
    wire.send(
        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": number}}
    )
    assert slow_site.gone.wait(2)
    assert wire.ask("tools/list", {})["result"]["tools"]


def test_the_log_has_a_line_for_each_call(environment: dict[str, str], site: Site) -> None:
    site.pages["/secret"] = Page(b"<p>Here.</p>")
    with stopping(Wire(environment, "--allow-local", "-v")) as wire:
        wire.start("legacy")
        wire.ask("tools/call", {"name": "fetch_url", "arguments": {"url": site.url("/secret?k=1")}})
        wire.ask("tools/call", {"name": "outline", "arguments": {"url": site.url("/secret")}})
        wire.ask("tools/call", {"name": "outline", "arguments": {"url": 5}})
        log = [line.rpartition(" ms=")[0] for line in wire.stderr.splitlines()]
    origin = site.url("").removesuffix("/")
    assert log == [
        f"safefetch: call tool=fetch_url origin={origin} outcome=HTTP_ERROR",
        f"safefetch: call tool=outline origin={origin} outcome=ok",
        "safefetch: call tool=outline origin=? outcome=INVALID_INPUT",
    ]


def test_the_log_as_json(environment: dict[str, str], site: Site) -> None:
    site.pages["/"] = Page(b"<p>Here.</p>")
    with stopping(Wire(environment, "--allow-local", "-v", "--log-format", "json")) as wire:
        wire.start("auto")
        wire.ask("tools/call", {"name": "fetch_url", "arguments": {"url": site.url()}})
        (line,) = wire.stderr.splitlines()
    entry = json.loads(line)
    assert {"time", "ms"} <= entry.keys()
    assert entry["event"] == "call"
    assert (entry["tool"], entry["outcome"]) == ("fetch_url", "ok")
    assert entry["origin"] == site.url("").removesuffix("/")


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--proxy-url", "http://127.0.0.1:1"], ["--proxy-url", "not supported"]),
        (["--tools", "fetch_url,nope"], ["--tools", "'nope'"]),
        (["--log-format", "xml"], ["--log-format", "'xml'", "text, json"]),
        (["--port", "99999", "--http"], ["--port", "'99999'"]),
        (["--timeout", "0"], ["--timeout", "'0'"]),
    ],
    ids=" ".join,
)
def test_a_setting_that_cannot_be_used_stops_the_start(
    environment: dict[str, str], tmp_path: Path, arguments: list[str], named: list[str]
) -> None:
    ended = subprocess.run(
        [*command(), "serve", *arguments],
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    first, *hints = ended.stderr.splitlines()
    assert ended.returncode == 2
    assert ended.stdout == ""
    assert first.startswith("safefetch: INVALID_INPUT: ")
    assert [name for name in named if name not in first] == []
    assert len(hints) <= 1
