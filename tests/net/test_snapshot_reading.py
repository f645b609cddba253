"""Reading one version of a page in several calls: through the guard, in memory and on disk."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from support.caching import FRESH, LIMITS, NAME
from support.clock import Clock
from support.fetching import Names
from support.pages import Page, Site
from support.server import Serve, Server

from safefetch_cli.errors import DnsResolutionFailed, InvalidInput, PolicyRejected, Timeout
from safefetch_cli.models import Limits, Response
from safefetch_cli.net.cache import ResponseCache
from safefetch_cli.net.fetch import Fetcher, new_budget
from safefetch_cli.net.policy import Policy
from safefetch_cli.net.snapshots import DiskSnapshots, MemorySnapshots, Snapshots

SECONDS = 300.0


class Reader:
    """A fetcher and a store; `addresses` is what the name leads to."""

    def __init__(self, snapshots: Snapshots, **more: Any) -> None:
        self.addresses = {NAME: ["127.0.0.1"]}
        names = Names({"*": ["127.0.0.1"], NAME: lambda: self.addresses[NAME]})
        rules = {"allow": ["127.0.0.0/8"], **more.pop("rules", {})}
        senders = {"user_agent": "test", **more}
        self.fetcher = Fetcher(Policy.build(**rules), lookup=names, **senders)
        self.snapshots = snapshots

    def read(self, url: str, limits: Limits = LIMITS, *, anew: bool = False) -> Response:
        budget = new_budget(limits)
        return self.fetcher.fetch_snapshot(url, limits, budget, self.snapshots, anew=anew)


Read = Callable[..., Reader]


@pytest.fixture(params=["memory", "disk"])
def snapshots(request: pytest.FixtureRequest, tmp_path: Path, clock: Clock) -> Snapshots:
    if request.param == "memory":
        return MemorySnapshots(SECONDS, clock=clock)
    return DiskSnapshots(tmp_path / "kept", SECONDS, clock=clock)


@pytest.fixture
def reader(snapshots: Snapshots) -> Iterator[Read]:
    """Make a fetcher that shares the store with the others of the test."""
    made: list[Reader] = []

    def make(**more: Any) -> Reader:
        made.append(Reader(snapshots, **more))
        return made[-1]

    yield make
    for each in made:
        each.fetcher.close()


def url_of(server: Server, path: str = "/page") -> str:
    return server.url(path, host=NAME)


def test_later_calls_read_what_the_first_one_saw(reader: Read, serve: Serve, clock: Clock) -> None:
    page = Page(fields=[b"Content-Type: text/html; charset=utf-8", b"Cache-Control: no-store"])
    server = serve(Site(page=page))
    one, url = reader(), url_of(server)
    first = one.read(url)
    page.body = b"second"
    again = one.read(url)
    assert (first.body, first.from_snapshot) == (b"first", False)
    assert again == first.changed(from_snapshot=True)
    assert reader().read(url).body == b"first"  # another fetcher of the same rules
    assert len(server.requests) == 1
    clock.now += SECONDS + 1
    assert (one.read(url).body, len(server.requests)) == (b"second", 2)


def test_a_page_can_be_fetched_anew(reader: Read, serve: Serve) -> None:
    page = Page()
    server = serve(Site(page=page))
    one, url = reader(), url_of(server)
    one.read(url, anew=True)
    page.body = b"second"
    anew = one.read(url, anew=True)
    assert (anew.body, anew.from_snapshot) == (b"second", False)
    assert one.read(url).body == b"second"
    assert len(server.requests) == 2


def test_the_url_is_told_as_it_was_asked_for(reader: Read, serve: Serve) -> None:
    server = serve(Site(page=Page()))
    one, url = reader(), url_of(server)
    one.read(url)
    other = url.replace(NAME, NAME.upper()) + "#part"
    answer = one.read(other)
    assert (answer.from_snapshot, answer.requested_url, answer.final_url) == (True, other, url)


@pytest.mark.parametrize(
    "changes",
    [
        {"rules": {"allow_local": True}},
        {"rules": {"denylist": ["b.example"]}},
        {"rules": {"allow": ["127.0.0.1"]}},
        {"rules": {"allowlist": [NAME]}},
        {"user_agent": "other"},
    ],
    ids=str,
)
def test_a_snapshot_never_crosses_changed_rules(
    reader: Read, serve: Serve, changes: dict[str, Any]
) -> None:
    server = serve(Site(page=Page()))
    reader().read(url_of(server))
    assert not reader(**changes).read(url_of(server)).from_snapshot
    assert len(server.requests) == 2


def test_a_snapshot_that_robots_did_not_allow(reader: Read, serve: Serve) -> None:
    robots = Page(b"User-agent: *\nDisallow: /x")
    server = serve(Site(page=Page(), **{"robots.txt": robots}))
    url = url_of(server)
    reader().read(url)
    obedient = reader(obey_robots=True)
    assert not obedient.read(url).from_snapshot
    assert server.targets == ["/page", "/robots.txt", "/page"]
    robots.body = b"User-agent: *\nDisallow: /"
    assert reader(obey_robots=True).read(url).from_snapshot  # allowed when it was fetched
    assert len(server.requests) == 3


@pytest.mark.parametrize("changes", [{"max_bytes": 3}, {"max_redirects": 0}], ids=str)
def test_a_snapshot_is_of_its_limits(reader: Read, serve: Serve, changes: dict[str, int]) -> None:
    server = serve(Site(page=Page()))
    one = reader()
    one.read(url_of(server))
    other = LIMITS._replace(**changes)
    assert not one.read(url_of(server), other).from_snapshot
    again = one.read(url_of(server), other)
    assert again.from_snapshot
    assert again.truncated is ("max_bytes" in changes)


@pytest.mark.parametrize(
    ("addresses", "error"),
    [
        (["10.0.0.1"], PolicyRejected),
        (["127.0.0.1", "169.254.169.254"], PolicyRejected),
        ([], DnsResolutionFailed),
    ],
)
def test_a_snapshot_is_judged_again(
    reader: Read, serve: Serve, addresses: list[str], error: type[Exception]
) -> None:
    server = serve(Site(page=Page()))
    one, url = reader(), url_of(server)
    one.read(url)
    one.addresses[NAME] = addresses
    with pytest.raises(error):
        one.read(url)
    one.addresses[NAME] = ["127.0.0.1"]
    assert one.read(url).from_snapshot


def test_every_host_on_the_way_is_judged_again(reader: Read, serve: Serve) -> None:
    start = Page(status=b"302 Found")
    server = serve(Site(start=start, page=Page()))
    start.fields = [b"Location: " + url_of(server).encode()]
    one = reader()
    url = server.url("/start")
    first = one.read(url)
    again = one.read(url)
    assert again == first.changed(from_snapshot=True)
    assert [hop.status for hop in again.hops] == [302, 200]
    one.addresses[NAME] = ["10.0.0.1"]
    with pytest.raises(PolicyRejected):
        one.read(url)
    assert len(server.requests) == 2


def test_a_snapshot_is_on_the_budget(reader: Read, serve: Serve) -> None:
    server = serve(Site(page=Page()))
    one = reader()
    one.read(server.url("/page"))
    budget = new_budget(LIMITS)
    budget.abort()
    with pytest.raises(Timeout):
        one.fetcher.fetch_snapshot(server.url("/page"), LIMITS, budget, one.snapshots)


@pytest.mark.parametrize("status", [b"404 Not Found", b"503 Busy"])
def test_an_error_is_no_snapshot(reader: Read, serve: Serve, status: bytes) -> None:
    page = Page(status=status)
    server = serve(Site(page=page))
    one = reader()
    one.read(url_of(server))
    page.status = b"200 OK"
    answer = one.read(url_of(server))
    assert (answer.status, answer.from_snapshot) == (200, False)


def test_what_is_no_url_is_said(reader: Read) -> None:
    with pytest.raises(InvalidInput):
        reader().read("http://")


def test_with_the_cache_too(reader: Read, serve: Serve, clock: Clock) -> None:
    page = Page(fields=[FRESH])
    server = serve(Site(page=page))
    one, url = reader(cache=ResponseCache(SECONDS, clock=clock)), url_of(server)
    ways = [one.read(url), one.read(url), one.read(url, anew=True), one.read(url)]
    assert [(answer.from_cache, answer.from_snapshot) for answer in ways] == [
        *((False, False), (False, True), (True, False), (False, True)),
    ]
    assert len(server.requests) == 1


@pytest.mark.parametrize("damage", [lambda _: b"", lambda data: data[:-1], lambda _: b"x" * 99])
def test_a_damaged_snapshot_is_fetched_again(
    tmp_path: Path, serve: Serve, damage: Callable[[bytes], bytes]
) -> None:
    page = Page()
    server = serve(Site(page=page))
    one = Reader(DiskSnapshots(tmp_path / "kept", SECONDS))
    one.read(url_of(server))
    (path,) = (tmp_path / "kept").iterdir()
    path.write_bytes(damage(path.read_bytes()))
    page.body = b"second"
    assert (one.read(url_of(server)).body, one.read(url_of(server)).from_snapshot) == (
        *(b"second", True),
    )
    one.fetcher.close()


READ = """
import sys
from pathlib import Path
from safefetch_cli.models import Limits
from safefetch_cli.net.fetch import Fetcher, new_budget
from safefetch_cli.net.policy import Policy
from safefetch_cli.net.snapshots import DiskSnapshots

url, folder, denied = sys.argv[1:]
limits = Limits(seconds=5, max_bytes=100_000, max_redirects=5)
policy = Policy.build(allow=["127.0.0.0/8"], denylist=denied.split())
fetcher = Fetcher(policy, user_agent="test")
store = DiskSnapshots(Path(folder), 300)
answer = fetcher.fetch_snapshot(url, limits, new_budget(limits), store)
fetcher.close()
print(answer.body.decode(), answer.from_snapshot)
"""


def test_one_process_reads_what_another_saw(tmp_path: Path, serve: Serve) -> None:
    page = Page()
    server = serve(Site(page=page))

    def read(denied: str = "") -> str:
        done = subprocess.run(
            [sys.executable, "-c", READ, server.url("/page"), str(tmp_path / "kept"), denied],
            env=dict(os.environ),
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout.strip()

    assert read() == "first False"
    page.body = b"second"
    assert read() == "first True"
    assert read("b.example") == "second False"
    assert len(server.requests) == 2
