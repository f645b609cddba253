"""Fixtures of the fault matrix: servers that misbehave, and fetchers that must cope."""

import ssl
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from support.fetching import Guard, Guarded, Names
from support.server import Behaviour, Serve, Server
from support.tls import Authority

from safefetch_cli.net import dial
from safefetch_cli.net.policy import Policy

LOOPBACK = ("127.0.0.0/8", "::1")


@pytest.fixture(scope="session")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    """The authority that every fetcher here trusts."""
    return Authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Start a server; it is stopped after the test if not before."""
    servers: list[Server] = []

    def start(behave: Behaviour, *, tls: ssl.SSLContext | None = None, **where: Any) -> Server:
        servers.append(Server(behave, tls=tls, **where))
        return servers[-1]

    yield start
    for server in servers:
        if not server.stopping.is_set():
            server.stop()


@pytest.fixture
def guard(authority: Authority) -> Iterator[Guard]:
    """Make a fetcher; by default it may go to loopback, where every name leads."""
    made: list[Guarded] = []

    def make(allow: Sequence[str] = LOOPBACK, names: Names | None = None) -> Guarded:
        names = names or Names({"*": ["127.0.0.1"]})
        made.append(Guarded(Policy.build(allow=allow), names, authority.file))
        return made[-1]

    yield make
    for guarded in made:
        guarded.close()


@pytest.fixture
def dialled(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """The socket addresses that were dialled."""
    tried: list[tuple[Any, ...]] = []
    connect_ex = dial.BudgetSocket.connect_ex

    def noted(sock: dial.BudgetSocket, address: tuple[Any, ...]) -> int:
        tried.append(address)
        return connect_ex(sock, address)

    monkeypatch.setattr(dial.BudgetSocket, "connect_ex", noted)
    return tried
