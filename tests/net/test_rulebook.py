"""robots.txt on the way of a fetch: what is asked, of whom, and what its absence means."""

import gzip
import threading
from collections.abc import Mapping
from itertools import pairwise

import pytest
from support.behaviours import by_target, redirect, response
from support.server import Behaviour, Connection, Serve

from safefetch_cli.errors import (
    ConnectionFailed,
    DnsResolutionFailed,
    InvalidResponse,
    PolicyRejected,
    RobotsDisallowed,
    RobotsUnavailable,
    SafefetchError,
)
from safefetch_cli.models import Limits, Response
from safefetch_cli.net.fetch import Fetcher, new_budget
from safefetch_cli.net.robots import MAX_BYTES, Ruling
from safefetch_cli.net.rulebook import HINT

LIMITS = Limits(seconds=5, max_bytes=100_000, max_redirects=5)
PAGE = response(b"the page")
FORBIDDEN = b"User-agent: *\nDisallow: /page\nDisallow: /other # secret words\n"


def site(robots: bytes, pages: Mapping[str, bytes] | None = None) -> Behaviour:
    """A site by whole answers: its robots.txt, /page, and other targets."""
    return by_target({"/robots.txt": robots, "/page": PAGE, **(pages or {})})


def fetched(fetcher: Fetcher, url: str, limits: Limits = LIMITS) -> Response | SafefetchError:
    try:
        return fetcher.fetch(url, limits)
    except SafefetchError as error:
        return error


def test_a_page_that_is_allowed(serve: Serve, fetcher: Fetcher) -> None:
    server = serve(site(response(b"User-agent: *\nDisallow: /private/\n")))
    answer = fetcher.fetch(server.url("/page"), LIMITS)
    assert (answer.body, [hop.url for hop in answer.hops]) == (b"the page", [server.url("/page")])
    assert server.targets == ["/robots.txt", "/page"]


def test_a_page_that_is_not_is_not_asked_for(serve: Serve, fetcher: Fetcher) -> None:
    server = serve(site(response(FORBIDDEN)))
    error = fetched(fetcher, server.url("/page?q=1"))
    assert isinstance(error, RobotsDisallowed)
    rules = server.url("/robots.txt")
    assert error.message == (
        f"{rules} does not allow {server.url('/page?q=1')}: the rule is 'Disallow: /page'"
    )
    assert error.hint == HINT
    assert server.targets == ["/robots.txt"]


def test_a_fetcher_that_does_not_obey_does_not_ask(serve: Serve, fetcher: Fetcher) -> None:
    server = serve(site(response(FORBIDDEN)))
    fetcher._obey_robots = False
    assert fetcher.fetch(server.url("/page"), LIMITS).status == 200
    assert server.targets == ["/page"]


def test_the_file_is_asked_for_once(serve: Serve, fetcher: Fetcher) -> None:
    server = serve(site(response(FORBIDDEN), {"/a": PAGE, "/b": PAGE}))
    for path in ("/a", "/b", "/page"):
        fetched(fetcher, server.url(path))
    assert server.targets == ["/robots.txt", "/a", "/b"]


def test_the_file_can_be_read_itself(serve: Serve, fetcher: Fetcher) -> None:
    server = serve(site(response(b"User-agent: *\nDisallow: /\n")))
    assert fetcher.fetch(server.url("/robots.txt"), LIMITS).body.startswith(b"User-agent")
    assert server.targets == ["/robots.txt"]


@pytest.mark.parametrize("status", [b"400 X", b"401 X", b"403 X", b"404 X", b"410 X", b"451 X"])
def test_no_file_means_no_rules(serve: Serve, fetcher: Fetcher, status: bytes) -> None:
    server = serve(site(response(FORBIDDEN, status=status)))
    assert fetcher.fetch(server.url("/page"), LIMITS).status == 200


@pytest.mark.parametrize("status", [b"429 X", b"500 X", b"502 X", b"503 X", b"599 X"])
def test_a_file_that_cannot_be_had(serve: Serve, fetcher: Fetcher, status: bytes) -> None:
    server = serve(site(response(b"words of the page", status=status)))
    error = fetched(fetcher, server.url("/page"))
    assert isinstance(error, RobotsUnavailable)
    assert error.message == (
        f"{server.url('/robots.txt')} could not be had, so nothing may be read: "
        f"it answered {status[:3].decode()}"
    )
    assert (error.hint, server.targets) == (HINT, ["/robots.txt"])


def test_a_failure_is_not_kept(serve: Serve, fetcher: Fetcher) -> None:
    answers = {"/robots.txt": response(b"", status=b"503 X"), "/page": PAGE}
    server = serve(by_target(answers))
    assert isinstance(fetched(fetcher, server.url("/page")), RobotsUnavailable)
    answers["/robots.txt"] = response(b"")
    assert fetcher.fetch(server.url("/page"), LIMITS).status == 200


def test_a_file_that_does_not_come_in_time(serve: Serve, fetcher: Fetcher) -> None:
    def silent(connection: Connection) -> None:
        connection.request()
        connection.pause()

    server = serve(silent)
    error = fetched(fetcher, server.url("/page"), LIMITS._replace(seconds=0.3))
    assert isinstance(error, RobotsUnavailable)
    assert "within 0.3 seconds (TIMEOUT)" in error.message
    assert server.targets == ["/robots.txt"]


def test_a_dropped_connection(serve: Serve, fetcher: Fetcher) -> None:
    def drop(connection: Connection) -> None:
        connection.request()
        connection.reset()

    error = fetched(fetcher, serve(drop).url("/page"))
    assert isinstance(error, RobotsUnavailable)
    assert error.message.endswith("127.0.0.1 dropped the connection (CONNECTION_FAILED)")


def test_a_compressed_file_is_cut_like_another(serve: Serve, fetcher: Fetcher) -> None:
    robots = FORBIDDEN + b"#" * 50_000_000
    bomb = response(gzip.compress(robots, 1), b"Content-Encoding: gzip")
    assert isinstance(fetched(fetcher, serve(site(bomb)).url("/page")), RobotsDisallowed)


def test_a_site_that_is_refused_says_so(fetcher: Fetcher) -> None:
    assert isinstance(fetched(fetcher, "http://inner.example/"), PolicyRejected)
    assert isinstance(fetched(fetcher, "http://10.0.0.1/"), PolicyRejected)


def test_a_site_that_cannot_be_reached_says_so(serve: Serve, fetcher: Fetcher) -> None:
    from support.server import closed_port

    with closed_port() as sock:
        url = f"http://127.0.0.1:{sock.getsockname()[1]}/"
        assert isinstance(fetched(fetcher, url), ConnectionFailed)
    server = serve(lambda connection: connection.send(b"SSH-2.0-OpenSSH_9.2p1\r\n"))
    error = fetched(fetcher, server.url("/page"))
    assert isinstance(error, InvalidResponse)
    assert error.message.startswith(server.url("/robots.txt"))


def test_a_site_without_an_address_says_so() -> None:
    from support.fetching import Names

    from safefetch_cli.net.policy import Policy

    fetcher = Fetcher(Policy(), user_agent="x", lookup=Names({}), obey_robots=True)
    assert isinstance(fetched(fetcher, "http://nowhere.example/"), DnsResolutionFailed)
    fetcher.close()


def _chain(length: int, last: bytes) -> dict[str, bytes]:
    """Redirects from /robots.txt over /r1, /r2 ... to the last answer."""
    paths = ["/robots.txt", *(f"/r{number}" for number in range(1, length + 1))]
    steps = {here: redirect(to.encode()) for here, to in pairwise(paths)}
    return {**steps, paths[-1]: last}


@pytest.mark.parametrize("length", [1, 5])
def test_the_file_behind_redirects(serve: Serve, fetcher: Fetcher, length: int) -> None:
    server = serve(site(b"", _chain(length, response(FORBIDDEN))))
    assert isinstance(fetched(fetcher, server.url("/page")), RobotsDisallowed)
    assert len(server.targets) == length + 1


def test_more_redirects_than_five_mean_no_file(serve: Serve, fetcher: Fetcher) -> None:
    server = serve(site(b"", _chain(6, response(FORBIDDEN))))
    assert fetcher.fetch(server.url("/page"), LIMITS).status == 200


def test_the_redirects_of_the_page_do_not_bound_those_of_the_file(
    serve: Serve, fetcher: Fetcher
) -> None:
    server = serve(site(b"", _chain(5, response(FORBIDDEN))))
    error = fetched(fetcher, server.url("/page"), LIMITS._replace(max_redirects=0))
    assert isinstance(error, RobotsDisallowed)


def test_the_file_behind_a_redirect_to_another_site(serve: Serve, fetcher: Fetcher) -> None:
    other = serve(by_target({"/rules": response(FORBIDDEN)}))
    server = serve(site(redirect(other.url("/rules").encode())))
    error = fetched(fetcher, server.url("/page"))
    assert isinstance(error, RobotsDisallowed)
    assert server.url("/robots.txt") in error.message
    assert other.targets == ["/rules"]  # and not its own robots.txt


@pytest.mark.parametrize(
    "location", [b"http://10.0.0.1/robots.txt", b"http://inner.example/", b"file:///etc/passwd"]
)
def test_a_file_behind_a_redirect_that_is_refused(
    serve: Serve, fetcher: Fetcher, location: bytes
) -> None:
    server = serve(site(redirect(location)))
    error = fetched(fetcher, server.url("/page"))
    assert isinstance(error, RobotsUnavailable)
    assert error.message.endswith("(POLICY_REJECTED)")
    assert "10.0.0.1" not in error.message


def test_each_hop_is_asked_of_its_own_site(serve: Serve, fetcher: Fetcher) -> None:
    other = serve(site(response(FORBIDDEN)))
    server = serve(site(response(b""), {"/go": redirect(other.url("/page").encode())}))
    error = fetched(fetcher, server.url("/go"))
    assert isinstance(error, RobotsDisallowed)
    assert other.url("/robots.txt") in error.message
    assert [hop.url for hop in error.hops] == [server.url("/go")]
    assert (server.targets, other.targets) == (["/robots.txt", "/go"], ["/robots.txt"])


def test_a_redirect_is_no_way_around_the_rules(serve: Serve, fetcher: Fetcher) -> None:
    server = serve(site(response(FORBIDDEN), {"/go": redirect(b"/page")}))
    assert isinstance(fetched(fetcher, server.url("/go")), RobotsDisallowed)
    assert server.targets == ["/robots.txt", "/go"]


def test_another_port_is_another_site(serve: Serve, fetcher: Fetcher) -> None:
    closed, open_to_all = serve(site(response(FORBIDDEN))), serve(site(response(b"")))
    assert isinstance(fetched(fetcher, closed.url("/page")), RobotsDisallowed)
    assert fetcher.fetch(open_to_all.url("/page"), LIMITS).status == 200


def test_a_long_file_does_not_use_up_the_budget_of_a_small_page(
    serve: Serve, fetcher: Fetcher
) -> None:
    body = b"User-agent: *\nDisallow: /page\n" + b"#" * (2 * MAX_BYTES)
    server = serve(site(response(body), {"/other": PAGE}))
    limits = LIMITS._replace(max_bytes=10)
    assert fetcher.fetch(server.url("/other"), limits).body == b"the page"
    assert isinstance(fetched(fetcher, server.url("/page"), limits), RobotsDisallowed)


def test_the_ruling_alone(serve: Serve, fetcher: Fetcher) -> None:
    server = serve(site(response(FORBIDDEN)))
    budget = new_budget(LIMITS)
    assert fetcher.ruling(server.url("/page"), budget) == Ruling(False, "Disallow: /page")
    assert fetcher.ruling(server.url("/"), budget) == Ruling(True)
    assert server.targets == ["/robots.txt"]


def test_two_threads_ask_once(serve: Serve, fetcher: Fetcher) -> None:
    both_wait = threading.Barrier(2)

    def behave(connection: Connection) -> bool:
        target = connection.request().target
        connection.send(response(b"") if target == "/robots.txt" else PAGE)
        return True

    server = serve(behave)
    statuses: list[int] = []

    def read() -> None:
        both_wait.wait(5)
        statuses.append(fetcher.fetch(server.url("/page"), LIMITS).status)

    threads = [threading.Thread(target=read) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert statuses == [200, 200]
    assert sorted(server.targets) == ["/page", "/page", "/robots.txt"]
