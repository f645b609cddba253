"""What the environment and stock ways of requests may not change (rows N)."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import loopback_only
import pytest
from requests.adapters import HTTPAdapter
from support.behaviours import answer, response
from support.fetching import OK, Guard, Names
from support.server import Serve
from support.tls import Authority

from safefetch_cli.errors import InternalError
from safefetch_cli.net import urls
from safefetch_cli.net.budget import Budget
from safefetch_cli.net.policy import Policy
from safefetch_cli.net.transport import GuardedAdapter, GuardedSession

SITE = "site.example"
PROXIES = {
    "N1-http": ("HTTP_PROXY", "http"),
    "N1-https": ("HTTPS_PROXY", "http"),
    "N1-all-http": ("ALL_PROXY", "http"),
    "N1-all-socks": ("ALL_PROXY", "socks5h"),
}


@pytest.mark.parametrize("tls", [False, True], ids=["to-http", "to-https"])
@pytest.mark.parametrize(("variable", "scheme"), PROXIES.values(), ids=PROXIES)
def test_a_proxy_of_the_environment_is_not_used(
    serve: Serve,
    guard: Guard,
    authority: Authority,
    monkeypatch: pytest.MonkeyPatch,
    variable: str,
    scheme: str,
    tls: bool,
) -> None:
    proxy = serve(answer(response(b"from the proxy")))
    server = serve(answer(response(b"direct")), tls=authority.context(SITE) if tls else None)
    for name in (variable, variable.lower()):
        monkeypatch.setenv(name, f"{scheme}://127.0.0.1:{proxy.port}")
    attempt = guard().fetch(server.url(host=SITE))
    proxy.stop()
    assert (attempt.code, attempt.body, proxy.connections) == (OK, b"direct", 0)


def test_n2_netrc_is_not_read(
    serve: Serve, guard: Guard, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    netrc = tmp_path / ".netrc"
    netrc.write_text(f"machine {SITE} login me password secret\n")
    netrc.chmod(0o600)
    monkeypatch.setenv("NETRC", str(netrc))
    monkeypatch.setenv("HOME", str(tmp_path))
    server = serve(answer(response()))
    assert guard().fetch(server.url(host=SITE)).code == OK
    policy = Policy.build(allow=["127.0.0.1"])
    with GuardedSession(policy, lookup=Names({SITE: ["127.0.0.1"]})) as session:
        session.get(server.url(host=SITE), timeout=Budget(5.0, wire_bytes=10_000))  # type: ignore[arg-type]
    assert [request.fields.get("authorization") for request in server.requests] == [None, None]


@pytest.mark.parametrize(
    "variable",
    [
        pytest.param("REQUESTS_CA_BUNDLE", id="N3-ca-bundle"),
        pytest.param("CURL_CA_BUNDLE", id="N3-curl-ca-bundle"),
        pytest.param("SSLKEYLOGFILE", id="N3-key-log"),
    ],
)
def test_n3_tls_does_not_listen_to_the_environment(
    serve: Serve,
    guard: Guard,
    authority: Authority,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    variable: str,
) -> None:
    file = tmp_path / "file"
    if variable != "SSLKEYLOGFILE":
        file.touch()
    context = authority.context(SITE)
    monkeypatch.setenv(variable, str(file))
    server = serve(answer(response()), tls=context)
    assert guard().fetch(server.url(host=SITE)).code == OK
    assert not file.exists() or file.read_bytes() == b""
    assert file.exists() == (variable != "SSLKEYLOGFILE")


Way = Callable[[GuardedSession, str], Any]


def _adapter(session: GuardedSession) -> GuardedAdapter:
    adapter = session.get_adapter("http://")
    assert isinstance(adapter, GuardedAdapter)
    return adapter


WAYS_ROUND: dict[str, Way] = {
    "N4-get": lambda session, url: session.get(url),
    "N4-get-with-timeout": lambda session, url: session.get(url, timeout=3),
    "N4-mount": lambda session, url: session.mount(url, HTTPAdapter()),
    "N4-pool-manager": lambda session, url: _adapter(session).poolmanager.request("GET", url),
    "N4-connection": lambda session, url: (
        _adapter(session).poolmanager.connection_from_url(url).urlopen("GET", url, retries=False)
    ),
    "N4-proxy-manager": lambda session, url: _adapter(session).proxy_manager_for(url),
}


@pytest.mark.parametrize("way", WAYS_ROUND.values(), ids=WAYS_ROUND)
def test_a_way_round_the_guard_is_closed(serve: Serve, dialled: list[Any], way: Way) -> None:
    server = serve(answer(response()))
    policy = Policy.build(allow=["127.0.0.1"])
    with GuardedSession(policy, lookup=Names({})) as session, pytest.raises(InternalError):
        way(session, server.url())
    server.stop()
    assert (server.connections, dialled) == (0, [])


def test_n5_one_module_connects_and_one_looks_names_up(serve: Serve) -> None:
    """In every other test too: the hook refuses what comes from elsewhere."""
    server = serve(answer(response()))
    loopback_only.product_calls.clear()
    target = urls.parse(server.url(host="localhost"))
    with GuardedSession(Policy.build(allow_local=True)) as session:
        session.get_once(target, {}, Budget(5.0, wire_bytes=1_000_000)).close()
    assert loopback_only.product_calls == {
        ("socket.getaddrinfo", "safefetch_cli.net.resolve"),
        ("socket.connect", "safefetch_cli.net.dial"),
    }
