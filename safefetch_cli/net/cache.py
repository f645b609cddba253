"""The cache of HTTP (RFC 9111): answers in memory, used again while they are fresh or confirmed.

An answer that is kept is no way round the guard: before it is used its URL is judged like that of
any request, a new look-up of its name included. What may be kept and how long is in `freshness`.
"""

import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress

from cachetools import LRUCache

from safefetch_cli.models import Hop, Limits
from safefetch_cli.net.ask import REDIRECTS, Answer, Asker
from safefetch_cli.net.budget import Budget
from safefetch_cli.net.freshness import (
    Kept,
    answers,
    confirms,
    is_fresh,
    may_keep,
    renewed,
    validators,
)
from safefetch_cli.net.urls import Target

MAX_ENTRIES = 100
MAX_BYTES = 20_000_000
ENTRY_BYTES = 1024
"""What an answer costs besides its body and its headers, about."""

NOT_MODIFIED = 304

Judge = Callable[[Target, Budget], object]
"""Returns when the target may be reached now, else raises a SafefetchError."""


class ResponseCache:
    """One answer for each URL, the least recently used ones removed first. Safe for threads.

    Bounded by entries and by bytes (of bodies, headers and some for each). An answer is used
    without asking for `seconds` at most, however long it is fresh. `clock` gives seconds since the
    epoch. It belongs to one fetcher: its keys tell nothing of a policy or a sender.
    """

    def __init__(
        self,
        seconds: float,
        *,
        max_entries: int = MAX_ENTRIES,
        max_bytes: int = MAX_BYTES,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._seconds = seconds
        self._max_entries = max_entries
        self._kept: LRUCache[str, Kept] = LRUCache(max_bytes, getsizeof=_size)
        self._lock = threading.Lock()
        self.clock = clock

    def load(self, url: str, request_headers: Mapping[str, str]) -> Kept | None:
        """The answer to such a request (lower-case names), fresh or stale, or None."""
        with self._lock:
            kept = self._kept.get(url)
        return kept if kept is not None and answers(kept, request_headers) else None

    def store(self, url: str, kept: Kept) -> None:
        """Put an answer in place of the one before, which goes in any case."""
        with self._lock:
            self._kept.pop(url, None)
            if self._max_entries < 1 or not may_keep(kept.response):
                return
            while len(self._kept) >= self._max_entries:
                self._kept.popitem()
            with suppress(ValueError):  # larger than all that may be kept
                self._kept[url] = kept

    def forget(self, url: str) -> None:
        """Remove the answer of a URL."""
        with self._lock:
            self._kept.pop(url, None)

    def is_fresh(self, kept: Kept) -> bool:
        """Whether an answer may be used without asking."""
        return is_fresh(kept, self.clock(), self._seconds)


class CachingAsker:
    """Asks the network only for what the cache cannot answer. Safe for threads.

    A request with a cookie goes past the cache: cookies live for one fetch, so what they bring
    belongs to that fetch.
    """

    def __init__(self, asker: Asker, cache: ResponseCache, judge: Judge) -> None:
        self._asker = asker
        self._cache = cache
        self._judge = judge
        self._fields = {name.lower(): value for name, value in asker.fields.items()}

    def ask(self, target: Target, cookie: str, limits: Limits, budget: Budget) -> Answer:
        """The kept answer, or the network's. Raises a SafefetchError."""
        if cookie:
            return self._asker.ask(target, cookie, limits, budget)
        kept = self._cache.load(target.url, self._fields)
        if kept is None or not self._cache.is_fresh(kept):
            return self._ask_network(target, limits, budget, kept)
        started = time.monotonic()
        self._judge(target, budget)
        milliseconds = round((time.monotonic() - started) * 1000)
        return _again(kept, limits, Answer(kept.response), "", milliseconds)

    def _ask_network(
        self, target: Target, limits: Limits, budget: Budget, stale: Kept | None
    ) -> Answer:
        asked_at = self._cache.clock()  # age runs from here: the answer may be long on its way
        conditions = validators(stale.response.headers) if stale is not None else {}
        answer = self._asker.ask(target, "", limits, budget, conditions)
        if stale is None or answer.response.status != NOT_MODIFIED:
            self._keep(target, answer, asked_at)
            return answer
        headers = answer.response.headers
        if not confirms(headers, stale):
            self._cache.forget(target.url)
            return self._ask_network(target, limits, budget, None)
        kept = renewed(stale, headers, asked_at)
        self._cache.store(target.url, kept)
        (hop,) = answer.response.hops
        return _again(kept, limits, answer, hop.address, hop.milliseconds)

    def _keep(self, target: Target, answer: Answer, asked_at: float) -> None:
        response = answer.response
        location = response.headers.get("location", "")
        if response.status in REDIRECTS and answer.locations != {location}:
            self._cache.forget(target.url)  # it names no place or several
        elif response.status < 500:  # the site's trouble of a moment says nothing of the page
            self._cache.store(target.url, Kept(response, self._fields, asked_at))


def _size(kept: Kept) -> int:
    headers = sum(len(name) + len(value) for name, value in kept.response.headers.items())
    return len(kept.response.body) + headers + ENTRY_BYTES


def _again(kept: Kept, limits: Limits, answer: Answer, address: str, milliseconds: int) -> Answer:
    """The kept answer as one to this request, and with the cookies of the answer that came now."""
    response = kept.response
    body = response.body[: limits.max_bytes]
    hop = Hop(
        url=response.final_url,
        address=address,
        status=response.status,
        content_type=response.headers.get("content-type", ""),
        bytes=len(body),
        milliseconds=milliseconds,
    )
    is_cut = len(body) < len(response.body)
    fields = {"body": body, "truncated": is_cut, "hops": (hop,), "from_cache": True}
    is_redirect = response.status in REDIRECTS
    locations = frozenset({response.headers["location"]} if is_redirect else ())
    return Answer(response.changed(**fields), answer.cookies, locations)
