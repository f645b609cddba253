"""Answers of the cache as hops of a fetch: judged again, redirected by, and never shared."""

import pytest
from support.caching import FRESH, LIMITS, NAME, TTL, Cached, in_threads
from support.clock import Clock
from support.pages import Page, Site
from support.server import Serve

from safefetch_cli.errors import (
    DnsResolutionFailed,
    PolicyRejected,
    RedirectFailed,
    SafefetchError,
    Timeout,
)
from safefetch_cli.models import Limits
from safefetch_cli.net.cache import ResponseCache
from safefetch_cli.net.fetch import Fetcher, new_budget
from safefetch_cli.net.policy import Policy


def test_a_hit_is_refused_when_its_name_leads_elsewhere(cached: Cached, serve: Serve) -> None:
    server = serve(Site(page=Page(fields=[FRESH])))
    cached.get(server)
    cached.addresses[NAME] = ["127.0.0.1", "169.254.169.254"]
    with pytest.raises(PolicyRejected) as caught:
        cached.get(server)
    assert (caught.value.rule, caught.value.address_class) == ("address", "metadata")
    cached.addresses[NAME] = ["127.0.0.1"]
    assert cached.get(server).from_cache
    assert cached.names.asked == [NAME] * 3
    assert len(server.requests) == 1


def test_a_hit_whose_name_is_gone(cached: Cached, serve: Serve) -> None:
    server = serve(Site(page=Page(fields=[FRESH])))
    cached.get(server)
    cached.addresses[NAME] = []
    with pytest.raises(DnsResolutionFailed):
        cached.get(server)


def test_a_hit_is_on_the_budget(cached: Cached, serve: Serve) -> None:
    server = serve(Site(page=Page(fields=[FRESH])))
    url = server.url("/page")
    cached.fetcher.fetch(url, LIMITS)
    budget = new_budget(LIMITS)
    budget.abort()
    with pytest.raises(Timeout):
        cached.fetcher.fetch(url, LIMITS, budget)


def test_a_hop_may_be_a_hit(cached: Cached, serve: Serve) -> None:
    start = Page(status=b"302 Found", fields=[b"Location: /page"])
    server = serve(Site(start=start, page=Page(fields=[FRESH])))
    cached.get(server)
    answer = cached.get(server, "/start")
    assert (answer.body, answer.from_cache) == (b"first", True)
    assert [(hop.status, hop.address) for hop in answer.hops] == [(302, "127.0.0.1"), (200, "")]
    assert answer.requested_url.endswith("/start")
    assert answer.final_url.endswith("/page")
    assert server.targets == ["/page", "/start"]


def test_a_hit_behind_a_redirect_is_judged(cached: Cached, serve: Serve) -> None:
    start = Page(status=b"302 Found")
    server = serve(Site(start=start, page=Page(fields=[FRESH])))
    start.fields = [b"Location: " + server.url("/page", host=NAME).encode()]
    url = server.url("/start")
    cached.fetcher.fetch(url, LIMITS)
    cached.addresses[NAME] = ["10.0.0.1"]
    with pytest.raises(PolicyRejected) as caught:
        cached.fetcher.fetch(url, LIMITS)
    assert [hop.url for hop in caught.value.hops] == [url]


@pytest.mark.parametrize(
    ("status", "fields", "kept"),
    [
        (b"301 Moved", [FRESH], True),
        (b"308 Moved", [FRESH], True),
        (b"301 Moved", [FRESH, b"Location: /page"], False),  # the same place twice
        (b"301 Moved", [FRESH, b"Set-Cookie: a=b"], False),
        (b"301 Moved", [], False),
        (b"302 Found", [FRESH], False),
        (b"307 Found", [FRESH], False),
    ],
)
def test_which_redirects_are_kept(
    cached: Cached, serve: Serve, status: bytes, fields: list[bytes], kept: bool
) -> None:
    start = Page(b"", status, [b"Location: /page", *fields])
    server = serve(Site(start=start, page=Page()))
    bodies = [cached.get(server, "/start").body for _ in range(2)]
    if kept:
        assert server.targets == ["/start", "/page", "/page"]
    else:
        assert server.targets == ["/start", "/page"] * 2
    assert bodies == [b"first", b"first"]


def test_a_kept_redirect_still_counts_and_is_still_judged(cached: Cached, serve: Serve) -> None:
    start = Page(b"", b"301 Moved", [FRESH, b"Location: /page"])
    server = serve(Site(start=start, page=Page(fields=[FRESH])))
    assert not cached.get(server, "/start").from_cache
    assert cached.get(server, "/start").from_cache
    assert len(server.requests) == 2
    none = Limits(seconds=5, max_bytes=1000, max_redirects=0)
    with pytest.raises(RedirectFailed):
        cached.get(server, "/start", none)
    start.fields[1] = b"Location: /start"
    cached.clock.now += 60
    for _ in range(2):
        with pytest.raises(RedirectFailed, match="circle"):
            cached.get(server, "/start")


def test_a_redirect_to_two_places_is_not_kept(cached: Cached, serve: Serve) -> None:
    start = Page(b"", b"301 Moved", [FRESH, b"Location: /a", b"Location: /b"])
    server = serve(Site(start=start))
    for _ in range(2):
        with pytest.raises(RedirectFailed, match="2 places"):
            cached.get(server, "/start")
    assert len(server.requests) == 2


def test_what_a_cookie_brought_is_not_kept(cached: Cached, serve: Serve) -> None:
    start = Page(status=b"302 Found", fields=[b"Location: /page", b"Set-Cookie: a=b; Path=/"])
    server = serve(Site(start=start, page=Page(fields=[FRESH])))
    assert not cached.get(server, "/start").from_cache
    assert not cached.get(server, "/page").from_cache
    assert not cached.get(server, "/start").from_cache
    assert [request.fields.get("cookie") for request in server.requests if "page" in request.target]
    assert cached.get(server, "/page").from_cache


def test_a_cookie_that_comes_with_a_304_counts(cached: Cached, serve: Serve) -> None:
    fields = [b"Location: /page", b"Cache-Control: no-cache"]
    start = Page(b"", b"301 Moved", fields, etag=b'"1"', on_304=[b"Set-Cookie: a=b; Path=/"])
    server = serve(Site(start=start, page=Page()))
    for _ in range(2):
        assert cached.get(server, "/start").body == b"first"
    cookies = [request.fields.get("cookie") for request in server.requests]
    assert cookies == [None, None, None, "a=b"]


def test_fetchers_share_nothing(cached: Cached, serve: Serve, clock: Clock) -> None:
    server = serve(Site(page=Page(fields=[FRESH])))
    cached.get(server)
    other = Cached(clock, denylist=[NAME])
    with pytest.raises(PolicyRejected):
        other.get(server)
    third = Cached(clock)
    assert not third.get(server).from_cache
    third.fetcher.close()


def test_the_sites_rules_are_asked_before_a_hit(serve: Serve, clock: Clock) -> None:
    robots = Page(b"User-agent: *\nDisallow: /x", fields=[FRESH])
    server = serve(Site(page=Page(fields=[FRESH]), **{"robots.txt": robots}))
    fetcher = Fetcher(
        Policy.build(allow=["127.0.0.0/8"]),
        user_agent="test",
        obey_robots=True,
        cache=ResponseCache(TTL, clock=clock),
    )
    answers = [fetcher.fetch(server.url("/page"), LIMITS) for _ in range(2)]
    assert [answer.from_cache for answer in answers] == [False, True]
    assert server.targets == ["/robots.txt", "/page"]
    fetcher.close()


def test_an_error_carries_the_hops_of_a_hit(cached: Cached, serve: Serve) -> None:
    start = Page(b"", b"301 Moved", [FRESH, b"Location: http://10.0.0.1/"])
    server = serve(Site(start=start))
    for _ in range(2):
        with pytest.raises(SafefetchError) as caught:
            cached.get(server, "/start")
        assert [hop.status for hop in caught.value.hops] == [301]
    assert len(server.requests) == 1


def test_threads_share_a_fetcher(cached: Cached, serve: Serve) -> None:
    pages = {f"p{number}": Page(b"%d" % number, fields=[FRESH]) for number in range(4)}
    server = serve(Site(**pages))

    def work(number: int) -> None:
        for turn in range(20):
            which = (turn + number) % 4
            assert cached.get(server, f"/p{which}").body == b"%d" % which

    in_threads(6, work)
    assert len(server.requests) <= 24  # at worst each thread asks for each page once
