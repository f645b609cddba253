"""The installed command as a child process, and a site for it to read."""

import contextlib
import os
import signal
import socketserver
import subprocess
import sys
import sysconfig
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import loopback_only

HANG_SECONDS = 30
"""A child that takes longer hangs."""

_KEPT = ("PATH", "HOME", "LANG", "TMPDIR", "SYSTEMROOT", "TEMP", "TMP")


def command() -> list[str]:
    """How the program is started: the installed script, or the module where there is none."""
    script = Path(sysconfig.get_path("scripts"), "safefetch")
    return [str(script)] if script.exists() else [sys.executable, "-m", "safefetch_cli"]


def guarded_environment(folder: Path) -> dict[str, str]:
    """An environment in which Python refuses to leave this machine, as in this process."""
    hook = folder / "python-path"
    hook.mkdir(exist_ok=True)
    source = Path(loopback_only.__file__).read_text(encoding="utf-8")
    (hook / "sitecustomize.py").write_text(source, encoding="utf-8")
    return {
        **{name: os.environ[name] for name in _KEPT if name in os.environ},
        "PYTHONPATH": str(hook),
        "XDG_CACHE_HOME": str(hook / "cache"),
        "XDG_CONFIG_HOME": str(hook / "config"),
        loopback_only.REPORT_VARIABLE: str(folder / "loopback-only.txt"),
    }


def lines_of(report: Path) -> list[str]:
    """What the hook of a child reported: that it was installed, then what it refused."""
    return report.read_text(encoding="utf-8").splitlines() if report.exists() else []


@dataclass(frozen=True)
class Ended:
    """How a run of the program ended."""

    status: int
    stdout: bytes
    stderr: str

    @property
    def error_lines(self) -> list[str]:
        return self.stderr.splitlines()

    def check_failure(self, code: str, *named: str) -> None:
        """One line that says what failed and names these; at most one hint; nothing on stdout."""
        first, *hints = self.error_lines
        assert first.startswith(f"safefetch: {code}: ")
        assert [name for name in named if name not in first] == []
        assert len(hints) <= 1
        assert all(hint.startswith("  ") and hint.strip() for hint in hints)
        assert self.stdout == b""


@dataclass
class Program:
    """The program in a guarded environment; every run checks that it stayed on this machine."""

    environment: dict[str, str]
    folder: Path

    def get(self, *arguments: str, **options: Any) -> Ended:
        """`safefetch get` with loopback opened, which every site of these tests needs."""
        return self.run("get", "--allow-local", *arguments, **options)

    def run(
        self,
        *arguments: str,
        environment: Mapping[str, str] | None = None,
        prefix: Sequence[str] | None = None,
        **options: Any,
    ) -> Ended:
        """Run to the end. `options` are those of subprocess; `prefix` replaces the command."""
        settings: dict[str, Any] = {
            "stdin": subprocess.DEVNULL,
            "stdout": subprocess.PIPE,
            "stderr": subprocess.PIPE,
            "cwd": self.folder,
            "timeout": HANG_SECONDS,
            **options,
        }
        ended = subprocess.run(
            [*(command() if prefix is None else prefix), *arguments],
            env={**self.environment, **(environment or {})},
            **settings,
        )
        self.check()
        return Ended(ended.returncode, ended.stdout or b"", (ended.stderr or b"").decode())

    @contextlib.contextmanager
    def running(
        self,
        *arguments: str,
        environment: Mapping[str, str] | None = None,
        stdin: int = subprocess.DEVNULL,
    ) -> Iterator[subprocess.Popen[bytes]]:
        """The program while it runs; killed if it still does at the end."""
        with _interruptible():
            child = subprocess.Popen(
                [*command(), *arguments],
                env={**self.environment, **(environment or {})},
                cwd=self.folder,
                stdin=stdin,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
        try:
            yield child
        finally:
            child.kill()
            child.communicate(timeout=HANG_SECONDS)
        self.check()

    def check(self) -> None:
        """The hook was there and refused nothing."""
        report = Path(self.environment[loopback_only.REPORT_VARIABLE])
        assert set(lines_of(report)) == {loopback_only.INSTALLED}


@contextlib.contextmanager
def _interruptible() -> Iterator[None]:
    """A shell's background jobs ignore Ctrl-C and so do their children; a person's do not."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@dataclass
class Page:
    """What the site answers for one path."""

    body: bytes = b""
    status: int = 200
    content_type: str = "text/html; charset=utf-8"
    headers: dict[str, str] = field(default_factory=dict)
    held: bool = False  # the answer waits until the site is released


class Site:
    """A loopback site with pages by path. Knows what was asked for."""

    def __init__(self) -> None:
        self.pages: dict[str, Page] = {}
        self.raw: dict[str, bytes] = {}
        self.requests: list[str] = []
        self.request_headers: list[dict[str, str]] = []
        self.arrived = threading.Event()
        self.released = threading.Event()
        self._server = _Server(("127.0.0.1", 0), self._handler())
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))
        self._thread.start()

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    def url(self, path: str = "/") -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    def close(self) -> None:
        self.released.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        site = self

        class Handler(BaseHTTPRequestHandler):
            timeout = HANG_SECONDS

            def do_GET(self) -> None:
                site.requests.append(self.path)
                site.request_headers.append(dict(self.headers.items()))
                site.arrived.set()
                # A client that goes away is what some tests are about.
                with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                    self._answer()

            def _answer(self) -> None:
                if self.path in site.raw:
                    self.wfile.write(site.raw[self.path])
                    return
                page = site.pages.get(self.path, Page(b"<p>No such page.</p>", 404))
                if page.held:
                    site.released.wait(HANG_SECONDS)
                self.send_response(page.status)
                if page.content_type:
                    self.send_header("Content-Type", page.content_type)
                self.send_header("Content-Length", str(len(page.body)))
                for name, value in page.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(page.body)

            def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
                pass

        return Handler


class _Server(socketserver.ThreadingTCPServer):
    """http.server's own asks for the machine's name."""

    allow_reuse_address = True
    daemon_threads = True
    block_on_close = False
