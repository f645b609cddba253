"""The store of the cache alone: its bounds, what it selects, and threads."""

import pytest
from support.caching import TTL, in_threads
from support.clock import Clock

from safefetch_cli.models import Response
from safefetch_cli.net.cache import ENTRY_BYTES, ResponseCache
from safefetch_cli.net.freshness import Kept


def kept(body: bytes = b"", **headers: str) -> Kept:
    response = Response(
        requested_url="http://a.example/",
        final_url="http://a.example/",
        status=200,
        reason="",
        headers={"cache-control": "max-age=60", **headers},
        body=body,
        truncated=False,
        complete=True,
        retry_after_seconds=None,
        hops=(),
    )
    return Kept(response, {"accept": "text/html"}, Clock().now)


def held(store: ResponseCache, urls: str) -> str:
    return "".join(url for url in urls if store.load(url, {"accept": "text/html"}) is not None)


def test_the_least_used_of_too_many_goes() -> None:
    store = ResponseCache(TTL, max_entries=3)
    for url in "abc":
        store.store(url, kept())
    assert held(store, "a") == "a"
    store.store("d", kept())
    assert held(store, "abcd") == "acd"


def test_the_least_used_of_too_many_bytes_goes() -> None:
    size = ENTRY_BYTES + 500 + len("cache-controlmax-age=60")
    store = ResponseCache(TTL, max_bytes=3 * size)
    for url in "abc":
        store.store(url, kept(b"x" * 500))
    assert held(store, "a") == "a"
    store.store("d", kept(b"x" * 490, name="123456"))
    assert held(store, "abcd") == "acd"
    store.store("e", kept(b"x" * 3 * size))
    assert held(store, "acde") == "acd"
    store.store("a", kept(b"x" * 3 * size))  # what it stood for is over
    assert held(store, "acd") == "cd"


@pytest.mark.parametrize(("entries", "size"), [(0, 10_000), (10, 0)])
def test_a_store_of_nothing(entries: int, size: int) -> None:
    store = ResponseCache(TTL, max_entries=entries, max_bytes=size)
    store.store("a", kept())
    assert held(store, "a") == ""


def test_vary_selects() -> None:
    store = ResponseCache(TTL)
    store.store("a", kept(vary="Accept"))
    assert store.load("a", {"accept": "text/html", "user-agent": "x"}) is not None
    assert store.load("a", {"accept": "text/plain"}) is None
    store.store("b", kept(vary="User-Agent"))
    assert store.load("b", {"accept": "text/html"}) is not None
    assert store.load("b", {"user-agent": "x"}) is None


def test_threads_hammer_the_store() -> None:
    store = ResponseCache(TTL, max_entries=5, max_bytes=20_000)

    def work(number: int) -> None:
        for turn in range(2000):
            url = str((turn * 7 + number) % 9)
            store.store(url, kept(url.encode() * (turn % 300)))
            found = store.load(str(turn % 9), {"accept": "text/html"})
            assert found is None or set(found.response.body) <= {ord(str(turn % 9))}
            if turn % 11 == 0:
                store.forget(url)

    in_threads(8, work)
    assert len(held(store, "012345678")) <= 5
