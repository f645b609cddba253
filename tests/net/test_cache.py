"""The cache of a fetcher: what is asked for again and what is not (RFC 9111)."""

from email.utils import formatdate

import pytest
from support.caching import FRESH, TTL, Cached
from support.clock import Clock
from support.pages import Page, Site
from support.server import Serve

from safefetch_cli.errors import ConnectionFailed
from safefetch_cli.models import Limits

STALE = b"Cache-Control: no-cache"


def modified(seconds: float = 0) -> bytes:
    return formatdate(1_600_000_000 + seconds, usegmt=True).encode()


def expires(clock: Clock, seconds: float) -> list[bytes]:
    dates = (formatdate(clock.now + more, usegmt=True).encode() for more in (0, seconds))
    return [name + date for name, date in zip((b"Date: ", b"Expires: "), dates, strict=True)]


def test_a_fresh_answer_is_not_asked_for_again(cached: Cached, serve: Serve) -> None:
    page = Page(fields=[FRESH, b"Content-Type: text/plain"])
    server = serve(Site(page=page))
    first = cached.get(server)
    page.body = b"second"
    cached.clock.now += 59
    again = cached.get(server)
    assert server.targets == ["/page"]
    assert (first.from_cache, again.from_cache) == (False, True)
    assert again.body == b"first"
    assert again.changed(from_cache=False, hops=()) == first.changed(hops=())
    (hop,) = again.hops
    assert (hop.url, hop.address, hop.status, hop.bytes) == (first.final_url, "", 200, 5)
    assert hop.content_type == "text/plain"
    cached.clock.now += 1
    assert cached.get(server).body == b"second"


def test_freshness_by_expires(cached: Cached, serve: Serve, clock: Clock) -> None:
    server = serve(Site(page=Page(fields=expires(clock, 100))))
    for later, requests in [(0, 1), (99, 1), (1, 2)]:
        clock.now += later
        cached.get(server)
        assert len(server.requests) == requests


def test_nothing_is_used_unasked_longer_than_the_setting(cached: Cached, serve: Serve) -> None:
    server = serve(Site(page=Page(fields=[b"Cache-Control: max-age=99999"])))
    cached.get(server)
    cached.clock.now += TTL - 1
    assert cached.get(server).from_cache
    cached.clock.now += 1
    assert not cached.get(server).from_cache


@pytest.mark.parametrize(
    "fields",
    [
        [],
        [b"Cache-Control: no-store, max-age=60"],
        [FRESH, b"Cache-Control: no-store"],
        [FRESH, b"Vary: *"],
        [b"Cache-Control: max-age=0"],
        [b"Cache-Control: s-maxage=60"],
    ],
)
def test_what_is_asked_for_each_time(cached: Cached, serve: Serve, fields: list[bytes]) -> None:
    server = serve(Site(page=Page(fields=fields)))
    assert [cached.get(server).from_cache for _ in range(2)] == [False, False]
    assert len(server.requests) == 2


@pytest.mark.parametrize(
    "fields",
    [
        [b"Cache-Control: private, max-age=60"],
        [FRESH, b"Vary: Accept-Encoding, User-Agent, Accept, Cookie"],
        [FRESH, b"Set-Cookie: a=b"],
    ],
)
def test_what_is_kept(cached: Cached, serve: Serve, fields: list[bytes]) -> None:
    server = serve(Site(page=Page(fields=fields)))
    assert [cached.get(server).from_cache for _ in range(2)] == [False, True]


def test_what_no_store_replaces_is_gone(cached: Cached, serve: Serve) -> None:
    page = Page(fields=[STALE], etag=b'"1"')
    server = serve(Site(page=page))
    cached.get(server)
    page.fields, page.etag = [b"Cache-Control: no-store"], b'"2"'
    cached.get(server)
    cached.get(server)
    assert ["if-none-match" in request.fields for request in server.requests] == [
        *(False, True, False),
    ]


@pytest.mark.parametrize(
    ("page", "condition"),
    [
        (Page(fields=[STALE], etag=b'"1"'), ("if-none-match", '"1"')),
        (Page(fields=[STALE], etag=b'W/"1"'), ("if-none-match", 'W/"1"')),
        (Page(last_modified=modified()), ("if-modified-since", modified().decode())),
    ],
    ids=["strong tag", "weak tag", "date"],
)
def test_a_stale_answer_is_confirmed(
    cached: Cached, serve: Serve, page: Page, condition: tuple[str, str]
) -> None:
    server = serve(Site(page=page))
    first, again = cached.get(server), cached.get(server)
    name, value = condition
    assert [request.fields.get(name) for request in server.requests] == [None, value]
    assert (again.status, again.body, again.from_cache) == (200, b"first", True)
    assert first.headers.items() <= again.headers.items()
    (hop,) = again.hops
    assert (hop.address, hop.status) == ("127.0.0.1", 200)
    page.body, page.etag = b"second", b'"2"' if page.etag else b""
    page.last_modified = modified(60) if page.last_modified else b""
    changed = cached.get(server)
    assert (changed.body, changed.from_cache) == (b"second", False)
    assert cached.get(server).body == b"second"


def test_a_304_renews_the_time(cached: Cached, serve: Serve) -> None:
    page = Page(fields=[FRESH], etag=b'"1"', on_304=[b"Cache-Control: max-age=100", b"X-New: 1"])
    server = serve(Site(page=page))
    for later, requests in [(0, 1), (60, 2), (99, 2), (1, 3)]:
        cached.clock.now += later
        cached.get(server)
        assert len(server.requests) == requests
    answer = cached.get(server)
    assert answer.headers["x-new"] == "1"
    assert answer.body == b"first"


def test_a_304_that_forbids_keeping(cached: Cached, serve: Serve) -> None:
    page = Page(fields=[STALE], etag=b'"1"', on_304=[b"Cache-Control: no-store"])
    server = serve(Site(page=page))
    assert [cached.get(server).body for _ in range(3)] == [b"first"] * 3
    assert [request.fields.get("if-none-match") for request in server.requests] == [
        *(None, '"1"', None),
    ]


def test_a_304_for_another_version_is_not_believed(cached: Cached, serve: Serve) -> None:
    page = Page(fields=[STALE], etag=b'"1"', on_304=[b'ETag: "9"'])
    server = serve(Site(page=page))
    cached.get(server)
    again = cached.get(server)
    assert (again.body, again.from_cache) == (b"first", False)
    assert len(server.requests) == 3


@pytest.mark.parametrize("status", [b"404 Not Found", b"410 Gone", b"429 Slow", b"503 Busy"])
def test_errors_are_not_kept(cached: Cached, serve: Serve, status: bytes) -> None:
    server = serve(Site(page=Page(status=status, fields=[FRESH], etag=b'"1"')))
    assert not cached.get(server).from_cache
    server_says = cached.get(server)
    assert not server_says.from_cache
    assert all("if-none-match" not in request.fields for request in server.requests)


def test_an_error_is_told_though_a_stale_answer_is_kept(cached: Cached, serve: Serve) -> None:
    page = Page(fields=[FRESH], etag=b'"1"')
    server = serve(Site(page=page))
    cached.get(server)
    cached.clock.now += 60
    page.status, page.etag = b"503 Busy", b'"2"'
    assert cached.get(server).status == 503
    page.status, page.etag = b"200 OK", b'"1"'
    assert cached.get(server).from_cache  # the trouble is over, the page is the same
    server.stop()
    cached.clock.now += 60
    with pytest.raises(ConnectionFailed):
        cached.get(server)


def test_what_was_cut_is_not_kept_and_what_is_kept_is_cut(cached: Cached, serve: Serve) -> None:
    server = serve(Site(page=Page(b"x" * 1000, fields=[FRESH])))
    small = Limits(seconds=5, max_bytes=100, max_redirects=5)
    assert cached.get(server, limits=small).truncated
    whole = cached.get(server)
    assert (len(whole.body), whole.truncated, whole.from_cache) == (1000, False, False)
    cut = cached.get(server, limits=small)
    assert (len(cut.body), cut.truncated, cut.from_cache) == (100, True, True)
    assert cut.hops[0].bytes == 100
