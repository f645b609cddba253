"""A network in which every address exists, on loopback: DNS by table, each connect recorded.

The program's own code runs whole. Two things are put in place of the world: the look-up function,
and the address that a socket really connects to.
"""

import contextlib
import socket
import ssl
import threading
import weakref
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
import trustme

from safefetch_cli.net.dial import BudgetSocket
from safefetch_cli.net.resolve import AddressInfo

HANG_SECONDS = 10
OTHER_END = ("192.0.2.1", 50000)
"""What a simulated connection calls its own end, so that it is not the machine's own address."""

TLS_HANDSHAKE = b"\x16"

Answers = Sequence[str] | Sequence[Sequence[str]]


class SimulatedDns:
    """Answers by name: one list of addresses, or a list of lists for one look-up after another."""

    def __init__(self, answers: Mapping[str, Answers] | None = None) -> None:
        self.asked: list[str] = []
        self._answers = {name: _successive(found) for name, found in (answers or {}).items()}

    def __call__(self, host: str, port: int) -> Sequence[AddressInfo]:
        """Stand in for the look-up; a name that is not in the table does not exist."""
        name = host.removesuffix(".")
        earlier = self.asked.count(name)
        self.asked.append(name)
        answers = self._answers.get(name, [[]])
        found = answers[min(earlier, len(answers) - 1)]
        if not found:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return [_info(address, port) for address in found]


def _successive(found: Answers) -> list[list[str]]:
    lists = [list(item) for item in found if not isinstance(item, str)]
    return lists or [[item for item in found if isinstance(item, str)]]


def _info(address: str, port: int) -> AddressInfo:
    if ":" in address:
        return (socket.AF_INET6, socket.SOCK_STREAM, 6, "", (address, port, 0, 0))
    return (socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port))


class Connects:
    """Every connect of the program leads to the server; where it was to lead is recorded."""

    def __init__(self, patch: pytest.MonkeyPatch, server: "LoopbackServer") -> None:
        self.asked: list[tuple[str, int]] = []
        self.own_end = OTHER_END
        self.other_end: tuple[str, int] | None = None  # by default the address that was asked for
        asked, to = self.asked, server.address
        peers: weakref.WeakKeyDictionary[socket.socket, Any] = weakref.WeakKeyDictionary()

        def initialised(sock: socket.socket, _: int, kind: int) -> None:
            socket.socket.__init__(sock, socket.AF_INET, kind)

        def connect_ex(sock: socket.socket, address: Any) -> int:
            peers[sock] = address
            asked.append(address[:2])
            server.dialled = address[0]
            return socket.socket.connect_ex(sock, to)

        def getpeername(sock: socket.socket) -> tuple[str, int]:
            return peers[sock] if self.other_end is None else self.other_end

        patch.setattr(BudgetSocket, "__init__", initialised)
        patch.setattr(BudgetSocket, "connect_ex", connect_ex)
        patch.setattr(BudgetSocket, "getpeername", getpeername)
        patch.setattr(BudgetSocket, "getsockname", lambda _: self.own_end)


class LoopbackServer:
    """Answers http and https on one port; `answer` makes an answer from the URL asked for."""

    def __init__(self, folder: Path) -> None:
        self.requests: list[str] = []
        self.answer: Callable[[str], bytes] = lambda _: ok()
        self.dialled = ""
        self._authority = trustme.CA()
        self.ca_file = str(folder / "ca.pem")
        self._authority.cert_pem.write_to_path(self.ca_file)
        self._contexts: dict[str, ssl.SSLContext] = {}
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=100)
        self.address: tuple[str, int] = self._listener.getsockname()
        self._thread = threading.Thread(target=self._accept)
        self._thread.start()

    def reset(self) -> None:
        """Forget what earlier tests asked for."""
        self.requests.clear()
        self.answer = lambda _: ok()

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join()

    def _accept(self) -> None:
        while True:
            try:
                sock, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(sock,), daemon=True).start()

    def _serve(self, sock: socket.socket) -> None:
        sock.settimeout(HANG_SECONDS)
        with sock, contextlib.suppress(OSError):
            if sock.recv(1, socket.MSG_PEEK) == TLS_HANDSHAKE:
                # A literal address sends no name: it is the one that was dialled last.
                context = self._context(self.dialled)
                context.sni_callback = self._choose
                with context.wrap_socket(sock, server_side=True) as tls:
                    self._exchange(tls, "https")
            else:
                self._exchange(sock, "http")

    def _exchange(self, sock: socket.socket, scheme: str) -> None:
        head = b""
        while b"\r\n\r\n" not in head:
            data = sock.recv(65536)
            if not data:
                return
            head += data
        lines = head.decode("latin-1").split("\r\n")
        _, target, _ = lines[0].split(" ")
        fields = dict(line.split(": ", 1) for line in lines[1:] if line)
        url = f"{scheme}://{fields['Host']}{target}"
        self.requests.append(url)
        sock.sendall(self.answer(url))

    def _choose(self, sock: ssl.SSLObject, name: str | None, _: ssl.SSLContext) -> None:
        if name is not None:
            sock.context = self._context(name)

    def _context(self, name: str) -> ssl.SSLContext:
        if name not in self._contexts:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self._authority.issue_cert(name).configure_cert(context)
            self._contexts[name] = context
        return self._contexts[name]


def ok(status: int = 200, location: str | None = None) -> bytes:
    """A whole answer."""
    to = "" if location is None else f"Location: {location}\r\n"
    head = f"HTTP/1.1 {status} X\r\nContent-Type: text/plain\r\n{to}"
    body = b"" if status in (204, 304) else b"here"
    return f"{head}Content-Length: {len(body)}\r\nConnection: close\r\n\r\n".encode() + body
