"""The rate limit by a clock, and whose request one is, as tables."""

import itertools
from typing import Any

import anyio
import pytest
from httpx2 import ASGITransport, AsyncClient
from starlette.datastructures import Headers
from support.clock import Clock

from safefetch_cli.server.admission import MAX_CLIENTS, RateLimit, admitted, client_network
from safefetch_cli.server_settings import ServerSettings

THIRD = [405, 405, 429]
"""Let in twice, and not the third time."""


def scope_of(client: str) -> dict[str, Any]:
    return {"type": "http", "client": (client, 5000)} if client else {"type": "http"}


def forwarded(*values: str) -> Headers:
    return Headers(raw=[(b"x-forwarded-for", value.encode("latin-1")) for value in values])


@pytest.mark.parametrize(
    ("peer", "proxies", "fields", "client"),
    [
        ("192.0.2.1", 0, (), "192.0.2.1"),
        ("192.0.2.1", 0, ("198.51.100.1",), "192.0.2.1"),
        ("192.0.2.1", 1, (), "192.0.2.1"),
        ("192.0.2.1", 1, ("198.51.100.1",), "198.51.100.1"),
        ("192.0.2.1", 1, ("1.1.1.1, 198.51.100.1",), "198.51.100.1"),
        ("192.0.2.1", 1, ("1.1.1.1", "198.51.100.1"), "198.51.100.1"),
        ("192.0.2.1", 1, ("1.1.1.1 ,\t198.51.100.1 ",), "198.51.100.1"),
        ("192.0.2.1", 2, ("1.1.1.1, 198.51.100.1, 10.0.0.1",), "198.51.100.1"),
        ("192.0.2.1", 2, ("198.51.100.1",), "192.0.2.1"),
        ("192.0.2.1", 1, ("unknown",), "192.0.2.1"),
        ("192.0.2.1", 1, ("198.51.100.1,",), "192.0.2.1"),
        ("192.0.2.1", 1, ("",), "192.0.2.1"),
        ("192.0.2.1", 1, ("198.51.100.1:443",), "198.51.100.1"),
        ("192.0.2.1", 1, ("2001:db8::7",), "2001:db8::/64"),
        ("192.0.2.1", 1, ("[2001:db8::7]",), "2001:db8::/64"),
        ("192.0.2.1", 1, ("[2001:db8::7]:443",), "2001:db8::/64"),
        ("192.0.2.1", 1, ("2001:db8:0:1::7",), "2001:db8:0:1::/64"),
        ("192.0.2.1", 1, ("::ffff:198.51.100.1",), "198.51.100.1"),
        ("192.0.2.1", 1, ("fe80::1%eth0",), "fe80::/64"),
        ("2001:db8::1", 0, (), "2001:db8::/64"),
        ("2001:db8::ffff:ffff:ffff:ffff", 0, (), "2001:db8::/64"),
        ("::ffff:192.0.2.1", 0, (), "192.0.2.1"),
        ("testclient", 0, (), "testclient"),
        ("", 0, (), ""),
        ("", 1, ("198.51.100.1",), "198.51.100.1"),
    ],
)
def test_whose_request_it_is(peer: str, proxies: int, fields: tuple[str, ...], client: str) -> None:
    assert client_network(scope_of(peer), forwarded(*fields), proxies) == client


def waits(limit: RateLimit, clock: Clock, *asked: tuple[float, str]) -> list[str | None]:
    """For each request at a time of a client: how long it must wait, None when it is let in."""
    found = []
    for moment, client in asked:
        clock.now = moment
        refusal = limit(scope_of(client), Headers())
        found.append(refusal.fields["Retry-After"] if refusal and refusal.fields else None)
    return found


def test_a_client_may_ask_so_often_at_once_and_then_one_by_one() -> None:
    clock = Clock()
    limit = RateLimit(3, 30.0, clock=clock)
    at_once = waits(limit, clock, *[(0.0, "a")] * 5)
    assert at_once == [None, None, None, "10", "10"]
    assert waits(limit, clock, (9.5, "a"), (10.0, "a"), (10.0, "a")) == ["1", None, "10"]
    assert waits(limit, clock, (15.0, "a"), (20.0, "a"), (100.0, "a")) == ["5", None, None]
    assert waits(limit, clock, *[(1000.0, "a")] * 4) == [None, None, None, "10"]


def test_clients_are_counted_apart_and_what_is_refused_does_not_count() -> None:
    clock = Clock()
    limit = RateLimit(1, 10.0, clock=clock)
    assert waits(limit, clock, (0, "a"), (0, "b"), (0, "a"), (5, "b")) == [None, None, "10", "5"]
    assert waits(limit, clock, *[(9.0, "a")] * 100) == ["1"] * 100
    assert waits(limit, clock, (10, "a"), (10, "b")) == [None, None]


def test_over_a_long_time_the_rate_is_kept() -> None:
    clock = Clock()
    limit = RateLimit(7, 3.0, clock=clock)
    asked = [(number / 100, "a") for number in range(10_000)]
    assert waits(limit, clock, *asked).count(None) in range(7 + 232, 7 + 235)


def test_only_so_many_clients_are_remembered() -> None:
    limit = RateLimit(1, 10.0, clock=Clock())
    for number in range(MAX_CLIENTS + 500):
        limit(scope_of(f"client-{number}"), Headers())
    assert len(limit._busy_until) == MAX_CLIENTS
    assert limit(scope_of(f"client-{MAX_CLIENTS + 499}"), Headers()) is not None


@pytest.mark.parametrize(
    ("proxies", "fields", "statuses"),
    [
        (0, ["192.0.2.1", "192.0.2.2", "192.0.2.3"], THIRD),
        (1, ["192.0.2.1", "9.9.9.9, 192.0.2.1", "8.8.8.8, 192.0.2.1"], THIRD),
        (1, ["192.0.2.1", "192.0.2.2", "192.0.2.3"], [405, 405, 405]),
        (1, ["", "", ""], THIRD),
        (2, ["192.0.2.1, 10.0.0.1", "192.0.2.1, 10.0.0.2", "192.0.2.1, 10.0.0.1"], THIRD),
        (2, ["9.9.9.9, 192.0.2.1, ::1", "192.0.2.1, ::1", "8.8.8.8, 192.0.2.1, ::1"], THIRD),
        (1, ["2001:db8::1", "2001:db8::2", "2001:db8::3", "2001:db8:0:1::1"], [405, 405, 429, 405]),
    ],
)
def test_forged_fields_evade_no_limit(proxies: int, fields: list[str], statuses: list[int]) -> None:
    """A GET, which is answered with 405 as often as it is let in."""
    settings = ServerSettings(trust_proxy=proxies, rate_limit_max=2, rate_limit_window_ms=10**7)

    async def nothing(*_: Any) -> None:
        raise AssertionError

    async def ask() -> list[int]:
        transport = ASGITransport(app=admitted(nothing, settings, 3000))
        async with AsyncClient(transport=transport, base_url="http://localhost:3000") as client:
            sent = [{"X-Forwarded-For": field} if field else {} for field in fields]
            return [(await client.get("/mcp", headers=one)).status_code for one in sent]

    assert anyio.run(ask) == statuses


@pytest.mark.parametrize(("port", "status"), [(80, 405), (3000, 421)])
def test_the_port_of_http_is_left_out_by_clients(port: int, status: int) -> None:
    async def ask() -> set[int]:
        app = admitted(lambda *_: anyio.sleep(0), ServerSettings(), port)
        found = set()
        for host, origin in itertools.product(("localhost", "127.0.0.1"), ("", "http://localhost")):
            fields = {"Host": host, **({"Origin": origin} if origin else {})}
            async with AsyncClient(transport=ASGITransport(app=app)) as client:
                answer = await client.get("http://localhost/mcp", headers=fields)
                found.add(answer.status_code)
        return found

    assert anyio.run(ask) == {status}


@pytest.mark.parametrize(
    ("address", "host", "status"),
    [
        ("127.0.0.2", "127.0.0.2:5", 405),
        ("127.0.0.2", "127.0.0.1:5", 405),
        ("127.0.0.2", "127.0.0.2:6", 421),
        ("2001:db8::7", "[2001:db8::7]:5", 405),
        ("0.0.0.0", "0.0.0.0:5", 421),
        ("::", "[::]:5", 421),
    ],
)
def test_the_address_that_is_listened_on_is_a_host(address: str, host: str, status: int) -> None:
    app = admitted(_unasked, ServerSettings(host=address), 5)

    async def main() -> int:
        async with AsyncClient(transport=ASGITransport(app=app), base_url="http://x") as client:
            return (await client.get("/mcp", headers={"Host": host})).status_code

    assert anyio.run(main) == status


async def _unasked(*_: object) -> None:
    raise AssertionError
