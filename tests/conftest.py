"""For every test: nothing leaves this machine."""

import os
from collections.abc import Iterator
from pathlib import Path

import loopback_only
import pytest
from hypothesis import settings
from simulated_network import Connects, LoopbackServer
from support.server import Behaviour, Serve, Server
from support_cli import Program, Site, guarded_environment

loopback_only.install()

settings.register_profile("repeatable", derandomize=True)
settings.load_profile("repeatable")

# Settings of whoever runs the tests must not change what they find.
for _name in [name for name in os.environ if name.startswith("SAFE_FETCH_")]:
    del os.environ[_name]


@pytest.fixture(autouse=True)
def _stays_on_this_machine() -> Iterator[None]:
    """Fail a test that tried to leave, even when the program swallowed the refusal."""
    loopback_only.violations.clear()
    yield
    assert loopback_only.violations == []


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """The installed command, kept to this machine too."""
    return Program(guarded_environment(tmp_path), tmp_path)


@pytest.fixture
def site() -> Iterator[Site]:
    site = Site()
    yield site
    site.close()


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Start a server with a behaviour; it is stopped after the test."""
    servers: list[Server] = []

    def start(behave: Behaviour) -> Server:
        servers.append(Server(behave))
        return servers[-1]

    yield start
    for server in servers:
        if not server.stopping.is_set():
            server.stop()


@pytest.fixture(scope="session")
def shared_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LoopbackServer]:
    server = LoopbackServer(tmp_path_factory.mktemp("authority"))
    yield server
    server.close()


@pytest.fixture
def server(shared_server: LoopbackServer) -> LoopbackServer:
    shared_server.reset()
    return shared_server


@pytest.fixture
def connects(server: LoopbackServer, monkeypatch: pytest.MonkeyPatch) -> Connects:
    return Connects(monkeypatch, server)
