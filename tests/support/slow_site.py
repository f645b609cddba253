"""A loopback site whose answers take their time, and that knows when a client goes away."""

import contextlib
import select
import socket
import socketserver
import threading
import time
from http.server import BaseHTTPRequestHandler
from typing import Any

HANG_SECONDS = 20
SLOW_SECONDS = 0.03
PIECE = b"<p>" + b"word " * 400 + b"</p>\n"


class SlowSite:
    """Answers /fast/... at once and /slow/... a little later; the text names the path.

    /held/... waits until `released` is set, or the client is gone. /long comes piece by piece until
    `enough` is set. There is neither robots.txt nor /missing/....
    """

    def __init__(self) -> None:
        self.released = threading.Event()
        self.enough = threading.Event()
        self.gone = threading.Event()  # the client of a held answer went away
        self._held = threading.Semaphore(0)
        self._server = _Server(("127.0.0.1", 0), type("Handler", (_Handler,), {"site": self}))
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))
        self._thread.start()

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}{path}"

    def wait_for_held(self, count: int = 1) -> None:
        """Wait until so many more requests are held."""
        for _ in range(count):
            assert self._held.acquire(timeout=HANG_SECONDS)

    def close(self) -> None:
        self.released.set()
        self.enough.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def hold(self, connection: socket.socket) -> bool:
        """Wait for the release; False when the client goes before."""
        self._held.release()
        until = time.monotonic() + HANG_SECONDS
        while not self.released.wait(0.005) and time.monotonic() < until:
            if select.select([connection], [], [], 0)[0]:
                self.gone.set()
                return False
        return True


class _Handler(BaseHTTPRequestHandler):
    timeout = HANG_SECONDS
    site: SlowSite

    def do_GET(self) -> None:
        answer = {
            "robots.txt": self._missing,
            "missing": self._missing,
            "long": self._long,
            "slow": self._slow,
        }
        kind = self.path.split("/")[1]
        with contextlib.suppress(OSError):
            if kind != "held" or self.site.hold(self.connection):
                answer.get(kind, self._page)()

    def _missing(self) -> None:
        self.send_error(404)

    def _slow(self) -> None:
        time.sleep(SLOW_SECONDS)
        self._page()

    def _page(self) -> None:
        body = f"<p>This is {self.path} itself.</p>".encode()
        self._head(("Content-Length", str(len(body))))
        self.wfile.write(body)

    def _long(self) -> None:
        self._head()
        while not self.site.enough.wait(SLOW_SECONDS):
            self.wfile.write(PIECE)

    def _head(self, *fields: tuple[str, str]) -> None:
        self.send_response(200)
        for name, value in (("Content-Type", "text/html; charset=utf-8"), *fields):
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        pass


class _Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128
