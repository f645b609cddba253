"""Fixtures: fetchers that may reach servers on loopback."""

from collections.abc import Iterator

import pytest
from support.caching import Cached
from support.clock import Clock
from support.fetching import Names

from safefetch_cli.net.fetch import Fetcher
from safefetch_cli.net.policy import Policy

USER_AGENT = "safefetch/1.0 (+https://example.com/)"


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
