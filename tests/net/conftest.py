"""Fixtures: servers on loopback, and fetchers that may reach them."""

from collections.abc import Iterator

import pytest
from support.caching import Cached
from support.clock import Clock
from support.fetching import Names
from support.server import Behaviour, Serve, Server

from safefetch_cli.net.fetch import Fetcher
from safefetch_cli.net.policy import Policy

USER_AGENT = "safefetch/1.0 (+https://example.com/)"


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


@pytest.fixture
def fetcher() -> Iterator[Fetcher]:
    """A fetcher that obeys robots.txt; every name leads to loopback, and only that is open."""
    names = Names({"*": ["127.0.0.1"], "inner.example": ["10.0.0.1"]})
    made = Fetcher(
        Policy.build(allow=["127.0.0.0/8"]), user_agent=USER_AGENT, lookup=names, obey_robots=True
    )
    yield made
    made.close()


@pytest.fixture
def clock() -> Clock:
    """A clock that the test moves."""
    return Clock()


@pytest.fixture
def cached(clock: Clock) -> Iterator[Cached]:
    """A fetcher with a cache; every name leads to loopback, and only that is open."""
    made = Cached(clock)
    yield made
    made.fetcher.close()
