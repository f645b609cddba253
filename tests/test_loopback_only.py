"""The audit hook that keeps every other test on this machine."""

import socket
import sys
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import loopback_only
import pytest
from support_cli import Program, lines_of

PUBLIC = "93.184.216.34"
SWALLOWED = f"""
import contextlib, socket
with contextlib.suppress(BaseException):
    socket.socket().connect(("{PUBLIC}", 80))
"""


@pytest.fixture
def refused() -> Iterator[list[str]]:
    """What the hook refused in this test, which expects it to."""
    yield loopback_only.violations
    loopback_only.violations.clear()


@pytest.fixture
def sock() -> Iterator[socket.socket]:
    with socket.socket() as sock:
        sock.setblocking(False)
        yield sock


@pytest.fixture
def datagram() -> Iterator[socket.socket]:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        yield sock


def run_as(module: str, source: str, **names: Any) -> None:
    """Run source code as if it stood in that module."""
    space = types.ModuleType(module).__dict__
    space.update(names)
    exec(source, space)


@pytest.mark.parametrize("address", [PUBLIC, "169.254.169.254", "0.0.0.0", "192.168.1.1"])
def test_no_connection_leaves_this_machine(
    sock: socket.socket, refused: list[str], address: str
) -> None:
    for connect in (sock.connect, sock.connect_ex):
        with pytest.raises(loopback_only.LeavesMachine, match="would leave this machine"):
            connect((address, 80))
    assert len(refused) == 2


def test_no_datagram_leaves_this_machine(datagram: socket.socket, refused: list[str]) -> None:
    with pytest.raises(loopback_only.LeavesMachine):
        datagram.sendto(b"x", (PUBLIC, 53))
    with pytest.raises(loopback_only.LeavesMachine):
        datagram.sendmsg([b"x"], [], 0, (PUBLIC, 53))
    assert len(refused) == 2


@pytest.mark.parametrize(
    "look_up",
    [
        lambda: socket.getaddrinfo("example.com", 80),
        lambda: socket.getaddrinfo(b"example.com", 80),
        lambda: socket.getaddrinfo(PUBLIC, 80),
        lambda: socket.gethostbyname("example.com"),
        lambda: socket.gethostbyaddr("127.0.0.1"),
        lambda: socket.getnameinfo(("127.0.0.1", 80), 0),
    ],
    ids=["name", "bytes", "address", "gethostbyname", "gethostbyaddr", "getnameinfo"],
)
def test_no_name_server_is_asked(look_up: Callable[[], object], refused: list[str]) -> None:
    with pytest.raises(loopback_only.LeavesMachine, match="name server"):
        look_up()
    assert len(refused) == 1


@pytest.mark.parametrize("name", ["nothing.invalid", "nothing.invalid.", b"nothing.invalid"])
def test_names_under_invalid_do_not_exist(name: str | bytes) -> None:
    with pytest.raises(socket.gaierror) as caught:
        socket.getaddrinfo(name, 80)
    assert caught.value.errno == socket.EAI_NONAME


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "::1", None])
def test_loopback_may_be_looked_up(host: str | None) -> None:
    flags = 0 if host == "localhost" else socket.AI_NUMERICHOST
    assert socket.getaddrinfo(host, 80, 0, socket.SOCK_STREAM, 0, flags)


def test_loopback_may_be_connected_to(sock: socket.socket) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        sock.connect_ex(server.getsockname())


@pytest.mark.skipif(sys.platform == "win32", reason="there are no Unix sockets")
def test_a_unix_socket_may_be_connected_to(tmp_path: Path) -> None:
    path = str(tmp_path / "s")
    with socket.socket(socket.AF_UNIX) as server, socket.socket(socket.AF_UNIX) as client:
        server.bind(path)
        server.listen()
        client.connect(path)


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("safefetch_cli.net.fetch", "sock.connect_ex(('127.0.0.1', 9))"),
        ("safefetch_cli.net.resolve", "sock.connect_ex(('127.0.0.1', 9))"),
        ("safefetch_cli.net.dial", "socket.getaddrinfo('localhost', 9)"),
        ("safefetch_cli.cli.app", "socket.getaddrinfo('localhost', 9)"),
    ],
)
def test_the_program_may_use_the_network_in_one_module_only(
    module: str, source: str, sock: socket.socket, refused: list[str]
) -> None:
    with pytest.raises(loopback_only.LeavesMachine, match=f"came from {module}"):
        run_as(module, source, sock=sock, socket=socket)
    assert len(refused) == 1


def test_the_dialler_may_connect_and_the_resolver_may_look_up(sock: socket.socket) -> None:
    loopback_only.product_calls.clear()
    with socket.create_server(("127.0.0.1", 0)) as server:
        run_as(loopback_only.DIALLER, "sock.connect_ex(a)", sock=sock, a=server.getsockname())
    run_as(loopback_only.RESOLVER, "socket.getaddrinfo('127.0.0.1', 9)", socket=socket)
    assert loopback_only.product_calls == {
        ("socket.connect", loopback_only.DIALLER),
        ("socket.getaddrinfo", loopback_only.RESOLVER),
    }


@pytest.mark.parametrize(
    ("source", "named"),
    [
        (f"import socket; socket.create_connection(('{PUBLIC}', 80))", "getaddrinfo"),
        (f"import socket; socket.socket().connect(('{PUBLIC}', 80))", "connect"),
        ("import socket; socket.getaddrinfo('example.com', 80)", "example.com"),
        (SWALLOWED, "connect"),
    ],
    ids=["connection", "connect", "look-up", "swallowed"],
)
def test_a_child_process_is_kept_here_too(program: Program, source: str, named: str) -> None:
    with pytest.raises(AssertionError):
        program.run(prefix=[sys.executable, "-c", source])
    installed, refusal = lines_of(Path(program.environment[loopback_only.REPORT_VARIABLE]))
    assert installed == loopback_only.INSTALLED
    assert named in refusal
