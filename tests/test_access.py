"""What clients share: the places where pages are converted."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from support.behaviours import by_target, response
from support.server import Server

from safefetch_cli.access import CONVERSIONS_OF_HOST, Access
from safefetch_cli.errors import Timeout
from safefetch_cli.models import Response
from safefetch_cli.settings import Settings
from safefetch_cli.watch import Watch

PAGE = response(b"here", b"Content-Type: text/plain")


@pytest.fixture
def url() -> Iterator[str]:
    server = Server(by_target({"/a": PAGE}))
    yield server.url("/a")
    server.stop()


class Conversions:
    """Conversions that go on until they are released."""

    def __init__(self) -> None:
        self.begun = threading.Semaphore(0)
        self.release = threading.Event()

    def __call__(self, _: Response) -> str:
        self.begun.release()
        assert self.release.wait(30)
        return "done"


def access(timeout_ms: int = 30_000) -> Access:
    settings = Settings(allow_local=True, robots="ignore", timeout_ms=timeout_ms, max_per_host=16)
    return Access(settings)


def test_few_pages_of_one_host_are_converted_at_once(url: str) -> None:
    """Whichever client they are of; the others have their turn later."""
    own, work = access(), Conversions()
    sibling = own.sibling(own._settings, strict_robots=False)
    with ThreadPoolExecutor(8) as pool:
        asked = [
            pool.submit(one.watched_by(Watch()).bring, url, work)
            for one in (own, sibling)
            for _ in range(CONVERSIONS_OF_HOST)
        ]
        for _ in range(CONVERSIONS_OF_HOST):
            assert work.begun.acquire(timeout=30)
        assert not work.begun.acquire(timeout=0.1)
        work.release.set()
        assert [one.result(30) for one in asked] == ["done"] * len(asked)


def test_who_waits_for_the_conversion_waits_to_the_deadline(url: str) -> None:
    own, work = access(), Conversions()
    hasty = access(timeout_ms=300)
    hasty._converting = own._converting
    with ThreadPoolExecutor(8) as pool:
        asked = [pool.submit(own.bring, url, work) for _ in range(CONVERSIONS_OF_HOST)]
        for _ in asked:
            assert work.begun.acquire(timeout=30)
        with pytest.raises(Timeout):
            hasty.bring(url, work)
        work.release.set()
        assert [one.result(30) for one in asked] == ["done"] * len(asked)
