"""A server on loopback that does to a connection exactly what a test says.

One thread a server. It accepts, reads and answers as its behaviour tells; all it does is bounded in
time and in bytes, and `stop` ends it at once and waits for its thread.
"""

import select
import socket
import ssl
import struct
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import NoReturn

MAX_SECONDS = 6.0
"""No behaviour lasts longer."""

_MAX_HEAD_BYTES = 64 * 1024


class Gone(Exception):
    """The peer has closed, or the server is to stop: the behaviour is over."""


@dataclass(frozen=True)
class Request:
    """One request as it came."""

    connection: int
    target: str
    fields: dict[str, str]  # lower-case names
    raw: bytes


class Connection:
    """An accepted connection in the hands of a behaviour."""

    def __init__(self, server: "Server", sock: socket.socket, index: int) -> None:
        self.server = server
        self.sock = sock
        self.index = index

    @property
    def tls(self) -> ssl.SSLSocket:
        assert isinstance(self.sock, ssl.SSLSocket)
        return self.sock

    def request(self) -> Request:
        """The next request, noted down by the server."""
        raw = b""
        while b"\r\n\r\n" not in raw:
            data = self.sock.recv(65536)
            if not data or len(raw) > _MAX_HEAD_BYTES:
                raise Gone
            raw += data
        first, *lines = raw.partition(b"\r\n\r\n")[0].decode("latin-1").split("\r\n")
        pairs = (line.partition(":") for line in lines)
        fields = {name.lower(): value.strip() for name, _, value in pairs}
        request = Request(self.index, first.split(" ")[1], fields, raw)
        self.server.requests.append(request)
        return request

    def send(self, *parts: bytes) -> None:
        for part in parts:
            self.sock.sendall(part)
            self.server.sent += len(part)

    def send_raw(self, data: bytes) -> None:
        """Send beneath TLS."""
        socket.socket.sendall(self.sock, data)

    def drip(self, data: bytes, every: float = 0.3) -> None:
        """Send byte by byte, as long as the peer takes them."""
        ends = time.monotonic() + MAX_SECONDS
        for byte in data:
            if time.monotonic() > ends:
                break
            self.send(bytes([byte]))
            self.pause(every)

    def flood(self, data: bytes, at_most: int) -> None:
        """Send the same again and again, `at_most` bytes of it."""
        block = data * max(1, 65536 // len(data))
        ends = time.monotonic() + MAX_SECONDS
        for _ in range(at_most // len(block)):
            if time.monotonic() > ends:
                break
            self.send(block)

    def pause(self, seconds: float = MAX_SECONDS) -> None:
        """Do nothing for so long, or until the server is to stop."""
        if self.server.stopping.wait(seconds):
            raise Gone

    def reset(self) -> None:
        """Close with RST."""
        self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.sock.close()

    def hang_up(self) -> NoReturn:
        raise Gone


Behaviour = Callable[[Connection], object]
"""Called with a new connection; when it returns True the connection is kept and the behaviour
called again once more has come, else the connection is closed."""


class Server:
    """Listens on a loopback address until it is stopped. Read the counts after `stop`."""

    def __init__(
        self,
        behave: Behaviour,
        *,
        tls: ssl.SSLContext | None = None,
        host: str = "127.0.0.1",
        port: int = 0,
    ) -> None:
        self.requests: list[Request] = []
        self.names: list[str | None] = []  # what clients said in SNI
        self.connections = 0
        self.sent = 0
        self.stopping = threading.Event()
        self.fault: BaseException | None = None
        self._behave = behave
        self._tls = tls
        if tls is not None:
            tls.sni_callback = lambda _sock, name, _context: self.names.append(name)
        self._open: dict[socket.socket, Connection] = {}
        self._listener = _listener(host, port)
        self.host, self.port = self._listener.getsockname()[:2]
        self._waker, self._wakened = socket.socketpair()
        self._thread = threading.Thread(target=self._run, name="test server", daemon=True)
        self._thread.start()

    def url(self, path: str = "/", *, host: str = "") -> str:
        """A URL of this server; `host` in place of its address."""
        scheme = "http" if self._tls is None else "https"
        literal = f"[{self.host}]" if ":" in self.host else self.host
        return f"{scheme}://{host or literal}:{self.port}{path}"

    @property
    def targets(self) -> list[str]:
        """The request targets seen so far."""
        return [request.target for request in self.requests]

    def stop(self) -> None:
        """End everything, and raise what went wrong in the behaviour."""
        self.stopping.set()
        self._waker.send(b"x")
        for sock in list(self._open):
            _shut_down(sock)
        self._thread.join(MAX_SECONDS)
        assert not self._thread.is_alive(), "a behaviour did not end"
        for sock in (self._listener, self._waker, self._wakened):
            sock.close()
        if self.fault is not None:
            raise self.fault

    def _run(self) -> None:
        try:
            while not self.stopping.is_set():
                watched = [self._listener, self._wakened, *self._open]
                for sock in select.select(watched, [], [])[0]:
                    if sock is self._listener:
                        self._accept()
                    elif sock in self._open:
                        self._turn(self._open[sock])
            self._count_the_waiting()
        except BaseException as error:  # noqa: BLE001 - raised again by stop
            self.fault = error
        for sock in self._open:
            sock.close()

    def _accept(self) -> None:
        sock = self._listener.accept()[0]
        sock.settimeout(MAX_SECONDS)
        self.connections += 1
        if self._tls is not None:
            sock = self._tls.wrap_socket(sock, server_side=True, do_handshake_on_connect=False)
        connection = Connection(self, sock, self.connections)
        self._open[sock] = connection
        if isinstance(sock, ssl.SSLSocket):
            try:
                sock.do_handshake()
            except OSError:
                self._drop(connection)
                return
        self._turn(connection)

    def _turn(self, connection: Connection) -> None:
        """Let the behaviour act, once for what has come and again for what TLS holds already."""
        while True:
            try:
                keep = self._behave(connection)
            except (OSError, Gone):
                keep = False
            if not keep:
                self._drop(connection)
                return
            if not isinstance(connection.sock, ssl.SSLSocket) or not connection.sock.pending():
                return

    def _drop(self, connection: Connection) -> None:
        del self._open[connection.sock]
        connection.sock.close()

    def _count_the_waiting(self) -> None:
        self._listener.setblocking(False)
        with suppress(OSError):
            while True:
                self._listener.accept()[0].close()
                self.connections += 1


def _listener(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind((host, port))
    listener.listen(64)
    return listener


def _shut_down(sock: socket.socket) -> None:
    with suppress(OSError):
        socket.socket.shutdown(sock, socket.SHUT_RDWR)  # beneath TLS


Serve = Callable[..., Server]
"""What the fixture `serve` is: it starts a server."""


class Blackhole:
    """An address that does not answer: a listener whose queue is full, so that SYNs are dropped."""

    def __init__(self, host: str, port: int = 0) -> None:
        self._listener = socket.socket()
        self._listener.bind((host, port))
        self._listener.listen(0)
        self.port = self._listener.getsockname()[1]
        self._fillers = [socket.socket() for _ in range(4)]
        for filler in self._fillers:
            filler.setblocking(False)
            filler.connect_ex((host, self.port))

    def close(self) -> None:
        for sock in (*self._fillers, self._listener):
            sock.close()


def closed_port(host: str = "127.0.0.1") -> socket.socket:
    """A socket that holds a port on which nobody listens, until it is closed."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    sock = socket.socket(family, socket.SOCK_STREAM)
    sock.bind((host, 0))
    return sock
