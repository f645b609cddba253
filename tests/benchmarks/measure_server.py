"""Measure the server on its standard streams, against itself at rest and the reference server.

    python tests/benchmarks/measure_server.py ping       # under 300 calls, to idle
    python tests/benchmarks/measure_server.py reference  # start, calls, memory, to the other

All traffic is on loopback. The reference server is that of the extra `test`, without Node.
"""

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median
from typing import Any

BIN = Path(sys.executable).parent
OWN = [str(BIN / "safefetch"), "serve", "--compat", "--allow-local"]
REFERENCE = [str(BIN / "mcp-server-fetch"), "--allow-private-ips"]
ROUNDS = 7
CALLS = 300
AT_ONCE = 16
SLOW_SECONDS = 0.05
PAGE = (
    b"<html><body><h1>Head</h1>" + b"<p>Words of a page that is long.</p>" * 280 + b"</body></html>"
)


class Peer:
    """A server on its standard streams, of the era 2025-11-25."""

    def __init__(self, command: list[str], **environment: str) -> None:
        with tempfile.TemporaryDirectory() as empty:
            self.process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={"PATH": empty, "HOME": os.environ["HOME"], **environment},
            )
        self._requests = 0
        client = {"name": "benchmark", "version": "0"}
        self.ask(
            "initialize",
            {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client},
        )
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, message: dict[str, Any]) -> None:
        if self.process.stdin is not None:
            self.process.stdin.write(json.dumps(message).encode() + b"\n")
            self.process.stdin.flush()

    def request(self, method: str, params: dict[str, Any]) -> int:
        self._requests += 1
        self.send({"jsonrpc": "2.0", "id": self._requests, "method": method, "params": params})
        return self._requests

    def receive(self) -> dict[str, Any]:
        line = self.process.stdout.readline() if self.process.stdout is not None else b""
        return dict(json.loads(line))

    def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        number = self.request(method, params)
        message = self.receive()
        while message.get("id") != number:
            message = self.receive()
        return message

    def memory(self, name: str = "VmRSS") -> float:
        """MiB at present, or with VmHWM at the most."""
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        return int(status.partition(f"{name}:")[2].split()[0]) / 1024

    def close(self) -> None:
        self.process.kill()
        self.process.communicate()


def ping() -> None:
    """How long a ping takes at rest, and while 300 calls are made, 16 at once."""
    site, base = _site()
    peer = Peer(OWN, SAFE_FETCH_MAX_PER_HOST=str(AT_ONCE))
    try:
        idle = sorted(_timed(lambda: peer.ask("ping", {})) for _ in range(50))
        _under_load(peer, base, 60)
        before = peer.memory()
        busy = _under_load(peer, base, CALLS)
        print(f"ping idle: median {median(idle):.1f} ms, at most {idle[-1]:.1f} ms")
        print(f"ping busy: median {median(busy):.1f} ms, at most {max(busy):.1f} ms ({len(busy)})")
        print(f"memory after, less before: {peer.memory() - before:+.1f} MiB")
    finally:
        peer.close()
        site.shutdown()


def _under_load(peer: Peer, base: str, count: int) -> list[float]:
    """Milliseconds of the pings, of which one is always on its way."""
    sent = 0
    waiting: set[int] = set()
    taken = []
    asked, began = peer.request("ping", {}), time.perf_counter()
    while sent < count or waiting:
        while sent < count and len(waiting) < AT_ONCE:
            url = f"{base}/{'slow' if sent % 2 else 'fast'}/{sent}"
            given = {"name": "fetch_url", "arguments": {"url": url}}
            waiting.add(peer.request("tools/call", given))
            sent += 1
        number = peer.receive()["id"]
        if number == asked:
            taken.append((time.perf_counter() - began) * 1000)
            asked, began = peer.request("ping", {}), time.perf_counter()
        waiting.discard(number)
    return taken


def reference() -> None:
    """Start to tools/list, a call of `fetch`, and peak memory; rounds interleaved."""
    site, base = _site()
    found: dict[str, dict[str, list[float]]] = {}
    try:
        for _ in range(ROUNDS):
            for name, command in (("own", OWN), ("reference", REFERENCE)):
                for what, value in _round(command, base).items():
                    found.setdefault(what, {}).setdefault(name, []).append(value)
    finally:
        site.shutdown()
    for what, by_name in found.items():
        own, other = min(by_name["own"]), min(by_name["reference"])
        print(f"{what}: {own:.1f}, reference {other:.1f} = {own / other:.3f}x")


def _round(command: list[str], base: str) -> dict[str, float]:
    began = time.perf_counter()
    peer = Peer(command)
    try:
        peer.ask("tools/list", {})
        started = (time.perf_counter() - began) * 1000
        given = {"name": "fetch", "arguments": {"url": f"{base}/fast/1"}}
        first = _timed(lambda: peer.ask("tools/call", given))
        calls = [_timed(lambda: peer.ask("tools/call", given)) for _ in range(10)]
        return {
            "start to tools/list, ms": started,
            "first call, ms": first,
            "call, ms": median(calls),
            "peak memory, MiB": peer.memory("VmHWM"),
        }
    finally:
        peer.close()


def _timed(work: Any) -> float:
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1000


class _Page(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        if self.path.startswith("/slow"):
            time.sleep(SLOW_SECONDS)
        self.send_response(404 if self.path == "/robots.txt" else 200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(PAGE)))
        self.end_headers()
        self.wfile.write(PAGE)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        pass


def _site() -> tuple[ThreadingHTTPServer, str]:
    site = ThreadingHTTPServer(("127.0.0.1", 0), _Page)
    threading.Thread(target=site.serve_forever, args=(0.02,), daemon=True).start()
    return site, f"http://127.0.0.1:{site.server_port}"


if __name__ == "__main__":
    measures = {"ping": ping, "reference": reference}
    for name in sys.argv[1:] or measures:
        measures[name]()
