"""A fetcher with a cache, and what the tests of caches share."""

import threading
from collections.abc import Callable
from typing import Any

from safefetch_cli.models import Limits, Response
from safefetch_cli.net.cache import ResponseCache
from safefetch_cli.net.fetch import Fetcher
from safefetch_cli.net.policy import Policy
from support.clock import Clock
from support.fetching import Names
from support.server import Server

LIMITS = Limits(seconds=5, max_bytes=100_000, max_redirects=5)
TTL = 300.0
NAME = "site.example"
FRESH = b"Cache-Control: max-age=60"


class Cached:
    """A fetcher with a cache, simulated names and a clock."""

    def __init__(self, clock: Clock, **more: Any) -> None:
        self.clock = clock
        self.addresses = {NAME: ["127.0.0.1"]}
        self.names = Names({"*": ["127.0.0.1"], NAME: lambda: self.addresses[NAME]})
        self.cache = ResponseCache(TTL, clock=clock)
        rules = {"allow": ["127.0.0.0/8"], **more}
        self.fetcher = Fetcher(
            Policy.build(**rules), user_agent="test", lookup=self.names, cache=self.cache
        )

    def get(self, server: Server, path: str = "/page", limits: Limits = LIMITS) -> Response:
        return self.fetcher.fetch(server.url(path, host=NAME), limits)


def in_threads(count: int, work: Callable[[int], None]) -> None:
    faults: list[BaseException] = []

    def guarded(number: int) -> None:
        try:
            work(number)
        except BaseException as error:  # noqa: BLE001 - raised again below
            faults.append(error)

    threads = [threading.Thread(target=guarded, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
        assert not thread.is_alive()
    if faults:
        raise faults[0]
