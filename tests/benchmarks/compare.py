"""Compare with what people use today, each measured in the same run.

    pip install '.[test,compare]'
    python tests/benchmarks/compare.py guard      # addresses judged rightly (tests/vectors)
    python tests/benchmarks/compare.py markdown   # pages converted rightly (tests/content)
    python tests/benchmarks/compare.py server     # start, call and memory of an MCP server

All traffic is on loopback. A peer that is not installed is left out, with a notice.
"""

import importlib
import ipaddress
import itertools
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

TESTS = Path(__file__).parents[1]
sys.path.insert(0, str(TESTS))

from support_cases import PAGE, faults_of, markdown_cases  # noqa: E402

PROGRAMS = Path(sys.executable).parent
ROUNDS = 9
PARAGRAPHS = 75


def guard() -> None:
    """How many addresses each judge takes for what they are: public, or not to be reached."""
    vectors = json.loads((TESTS / "vectors" / "address_vectors.json").read_text("utf-8"))
    judges: dict[str, Callable[[str], bool]] = {
        "safefetch": _safefetch_reaches,
        "ipaddress.is_global": lambda text: ipaddress.ip_address(text).is_global,
        "not ipaddress.is_private": lambda text: not ipaddress.ip_address(text).is_private,
    }
    reference = _peer("mcp_server_fetch.server")
    if reference is not None:
        judges["mcp-server-fetch"] = reference._is_public_address
    for name, reaches in judges.items():
        opened = [one for one in vectors if one["expect"] == "refuse" and _said(reaches, one)]
        closed = [one for one in vectors if one["expect"] != "refuse" and not _said(reaches, one)]
        right = len(vectors) - len(opened) - len(closed)
        print(f"{name}: {right} of {len(vectors)}; {len(opened)} let in, {len(closed)} kept out")


def _said(reaches: Callable[[str], bool], vector: dict[str, Any]) -> bool:
    try:
        return bool(reaches(vector["address"]))
    except ValueError:
        return False


def _safefetch_reaches(text: str) -> bool:
    from safefetch_cli.net.addresses import judge, parse_address

    address = parse_address(text)
    return address is not None and not judge(address).reason


def markdown() -> None:
    """How many pages each converter writes as markdown that shows what the page showed."""
    cases = markdown_cases()
    for name, convert in _converters().items():
        right = sum(_is_right(convert, case) for case in cases)
        print(f"{name}: {right} of {len(cases)} = {100 * right / len(cases):.0f} %")


def _converters() -> dict[str, Callable[[str, str], str]]:
    from safefetch_cli.content.markdown import page_to_markdown

    found: dict[str, Callable[[str, str], str]] = {
        "safefetch": lambda html, url: page_to_markdown(html, url, images="keep")
    }
    if (markdownify := _peer("markdownify")) is not None:
        found["markdownify"] = lambda html, _: markdownify.markdownify(html, heading_style="ATX")
    if (html2text := _peer("html2text")) is not None:
        found["html2text"] = lambda html, url: html2text.html2text(html, baseurl=url, bodywidth=0)
    if (trafilatura := _peer("trafilatura")) is not None:
        found["trafilatura"] = lambda html, url: (
            trafilatura.extract(
                html, url=url, output_format="markdown", include_links=True, include_images=True
            )
            or ""
        )
    return found


def _is_right(convert: Callable[[str, str], str], case: dict[str, Any]) -> bool:
    try:
        text = convert(case["html"], case.get("base_url", PAGE))
    except Exception:  # noqa: BLE001 - a peer that fails on a page has not converted it
        return False
    return not faults_of(case, text)


class _Run(NamedTuple):
    """Seconds to the answer of tools/list, and of a first and a later call; the peak in MiB."""

    start: float
    first_call: float
    later_call: float
    peak: float


def server() -> None:
    """A server's start, its calls on a page of 10 KB and its memory, as multiples of its peer."""
    site, url = _site()
    commands = {
        "mcp-server-fetch": [str(PROGRAMS / "mcp-server-fetch"), "--allow-private-ips"],
        "safefetch": [str(PROGRAMS / "safefetch"), "serve", "--compat", "--allow-local"],
    }
    if _peer("mcp_server_fetch.server") is None:
        return
    runs: dict[str, list[_Run]] = {name: [] for name in commands}
    for _ in range(ROUNDS):
        for name, command in commands.items():
            runs[name].append(_serve_once(command, url))
    site.shutdown()
    peer = runs.pop("mcp-server-fetch")
    for name, found in runs.items():
        for field in _Run._fields:
            ours, theirs = (median(getattr(run, field) for run in some) for some in (found, peer))
            print(f"{name} {field.replace('_', ' ')}: {ours / theirs:.2f}x of mcp-server-fetch")


def _serve_once(command: list[str], url: str) -> _Run:
    # Without Node the peer extracts in Python; with it, it would ask the npm registry first.
    environment = {**os.environ, "PATH": str(PROGRAMS)}
    begun = time.monotonic()
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
    ) as process:
        client = {"name": "benchmark", "version": "0"}
        hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client}
        _ask(process, 1, "initialize", hello)
        _send(process, {"jsonrpc": "2.0", "method": "notifications/initialized"})
        _ask(process, 2, "tools/list", {})
        started = time.monotonic()
        times = [started]
        for number in range(4):
            call = {"name": "fetch", "arguments": {"url": f"{url}{number}"}}
            answer = _ask(process, 3 + number, "tools/call", call)
            assert "Paragraph 3 " in answer["result"]["content"][0]["text"]
            times.append(time.monotonic())
        peak = _peak(process.pid)
    calls = [after - before for before, after in itertools.pairwise(times)]
    return _Run(started - begun, calls[0], min(calls[1:]), peak)


def _send(process: "subprocess.Popen[bytes]", message: dict[str, Any]) -> None:
    assert process.stdin is not None
    process.stdin.write(json.dumps(message).encode() + b"\n")
    process.stdin.flush()


def _ask(
    process: "subprocess.Popen[bytes]", number: int, method: str, params: dict[str, Any]
) -> dict[str, Any]:
    _send(process, {"jsonrpc": "2.0", "id": number, "method": method, "params": params})
    assert process.stdout is not None
    for line in process.stdout:
        answer: dict[str, Any] = json.loads(line)
        if answer.get("id") == number:
            return answer
    raise AssertionError(f"no answer to {method}")


def _peak(pid: int) -> float:
    status = Path(f"/proc/{pid}/status")
    if not status.exists():
        return float("nan")
    return int(status.read_text().partition("VmHWM:")[2].split()[0]) / 1024


def _site() -> tuple[ThreadingHTTPServer, str]:
    text = "of a page with some <b>bold</b> words and <a href='/x'>a link</a> in each, as pages do."
    body = "".join(f"<p>Paragraph {number} {text}</p>" for number in range(PARAGRAPHS))
    page = f"<html><head><title>T</title></head><body><article>{body}</article></body></html>"

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            is_page = self.path != "/robots.txt"
            data = page.encode() if is_page else b""
            self.send_response(200 if is_page else 404)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            pass

    site = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=site.serve_forever, daemon=True).start()
    return site, f"http://127.0.0.1:{site.server_port}/page-"


def _peer(module: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError:
        print(f"{module} is not installed, and left out: pip install '.[test,compare]'")
        return None


if __name__ == "__main__":
    measures = {"guard": guard, "markdown": markdown, "server": server}
    for chosen in sys.argv[1:] or measures:
        measures[chosen]()
