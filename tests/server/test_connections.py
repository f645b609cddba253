"""Slow clients over HTTP: none keeps a connection, and those that are quick are not ended."""

import contextlib
import socket
import threading
import time
from collections.abc import Iterator

import pytest
import uvicorn
from starlette.types import Receive, Scope, Send
from support_cli import HANG_SECONDS

from safefetch_cli.server import connections
from safefetch_cli.server.connections import TimedConnection

SHORT = 0.2
LARGE = b"x" * 64 * 1024 * 1024
"""More than the system keeps for a client that does not read."""

HEAD = b"POST / HTTP/1.1\r\nHost: x\r\n"


class Application:
    """Reads the body and answers; remembers how each request ended."""

    def __init__(self) -> None:
        self.answer = b"done"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        more = True
        while more:
            event = await receive()
            if event["type"] == "http.disconnect":
                return
            more = event.get("more_body", False)
        length = str(len(self.answer)).encode()
        start = {"type": "http.response.start", "status": 200}
        await send({**start, "headers": [(b"content-length", length)]})
        await send({"type": "http.response.body", "body": self.answer})


class Served:
    def __init__(self) -> None:
        self.app = Application()
        config = uvicorn.Config(
            self.app, http=TimedConnection, lifespan="off", log_config=None, ws="none"
        )
        self.server = uvicorn.Server(config)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._thread = threading.Thread(target=self.server.run, args=([self._listener],))
        self._thread.start()

    @contextlib.contextmanager
    def client(self, *sent: bytes) -> Iterator[socket.socket]:
        with socket.create_connection(("127.0.0.1", self.port), HANG_SECONDS) as sock:
            for data in sent:
                sock.sendall(data)
            yield sock

    def wait_for(self, count: int) -> None:
        """Until there are so many connections."""
        until = time.monotonic() + HANG_SECONDS
        while len(self.server.server_state.connections) != count:
            assert time.monotonic() < until
            time.sleep(0.01)

    def stop(self) -> None:
        self.server.should_exit = True
        self._thread.join(HANG_SECONDS)
        assert not self._thread.is_alive()
        self._listener.close()


@pytest.fixture
def served() -> Iterator[Served]:
    served = Served()
    yield served
    served.stop()


def is_ended(sock: socket.socket) -> bool:
    """Whether the server ends the connection without an answer."""
    try:
        return sock.recv(1) == b""
    except ConnectionResetError:
        return True


@pytest.mark.parametrize(
    "sent",
    [b"", b"P", HEAD, HEAD + b"Content-Length: 5\r\n\r\nab"],
    ids=["nothing", "one byte", "half a head", "half a body"],
)
def test_half_a_request(served: Served, monkeypatch: pytest.MonkeyPatch, sent: bytes) -> None:
    monkeypatch.setattr(connections, "REQUEST_SECONDS", SHORT)
    with served.client(sent) as sock:
        assert is_ended(sock)


def test_a_byte_now_and_then_wins_no_time(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "REQUEST_SECONDS", SHORT)
    with served.client(HEAD) as sock:
        sock.settimeout(SHORT / 10)
        for _ in range(1000):
            with contextlib.suppress(TimeoutError):
                assert is_ended(sock)
                return
            with contextlib.suppress(OSError):  # ended in between
                sock.sendall(b"X")
    raise AssertionError("it is not ended")


def test_a_second_request_that_stays_half(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "REQUEST_SECONDS", SHORT)
    with served.client(HEAD + b"Content-Length: 2\r\n\r\nab") as sock:
        received = b""
        while not received.endswith(b"done"):
            received += sock.recv(1000)
        sock.sendall(HEAD)
        assert is_ended(sock)


def test_an_answer_that_nobody_takes(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "ANSWER_SECONDS", SHORT)
    served.app.answer = LARGE
    with served.client(HEAD + b"Content-Length: 0\r\n\r\n") as sock:
        served.wait_for(1)
        served.wait_for(0)  # it is ended, not taken
        received = 0
        with contextlib.suppress(ConnectionResetError):
            while data := sock.recv(1 << 20):
                received += len(data)
        assert received < len(LARGE)


def test_one_who_takes_all_gets_all(served: Served) -> None:
    served.app.answer = LARGE
    with served.client(HEAD + b"Content-Length: 0\r\nConnection: close\r\n\r\n") as sock:
        received = b"".join(iter(lambda: sock.recv(1 << 20), b""))
    assert received.endswith(b"\r\n\r\n" + LARGE)


def test_the_end_of_the_server_waits_for_no_half_request(served: Served) -> None:
    with served.client(HEAD + b"Content-Length: 5\r\n\r\nab") as body, served.client(HEAD) as head:
        served.wait_for(2)
        served.stop()
        assert is_ended(body)
        assert is_ended(head)
