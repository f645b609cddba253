"""The server in memory, in both eras of the protocol, and as a process."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.slow_site import SlowSite
from support.tools import Tools, served
from support.wire import ERAS
from support_cli import Site, guarded_environment


@pytest.fixture(params=ERAS)
def era(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def tools(era: str) -> Tools:
    return served(era)


@pytest.fixture(scope="module")
def pages() -> Iterator[Site]:
    """A site for the tests of one module."""
    site = Site()
    yield site
    site.close()


@pytest.fixture
def slow_site() -> Iterator[SlowSite]:
    site = SlowSite()
    yield site
    site.close()


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """Of a process that stays on this machine."""
    return guarded_environment(tmp_path)


@pytest.fixture(scope="module")
def module_environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return guarded_environment(tmp_path_factory.mktemp("server"))
