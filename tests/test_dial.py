"""The last look before a byte is sent: where the connection really leads."""

import pytest
from simulated_network import Connects, LoopbackServer, SimulatedDns

from safefetch_cli.errors import InternalError, PolicyRejected
from safefetch_cli.models import Limits
from safefetch_cli.net.fetch import Fetcher
from safefetch_cli.net.policy import Policy

PUBLIC = "93.184.216.34"
URL = "http://name.example/"


def fetch(*allow: str) -> str:
    """The body of a page at a public address."""
    fetcher = Fetcher(
        Policy.build(allow=allow),
        user_agent="test",
        lookup=SimulatedDns({"name.example": [PUBLIC]}),
    )
    try:
        limits = Limits(seconds=20, max_bytes=1000, max_redirects=0)
        return fetcher.fetch(URL, limits).body.decode()
    finally:
        fetcher.close()


def test_a_public_address_of_this_very_machine_is_refused(
    server: LoopbackServer, connects: Connects
) -> None:
    connects.own_end = (PUBLIC, 50000)
    with pytest.raises(PolicyRejected) as caught:
        fetch()
    assert (caught.value.rule, caught.value.address_class) == ("address", "own")
    assert PUBLIC not in caught.value.message
    assert f"--allow {PUBLIC}" in caught.value.hint
    assert connects.asked == [(PUBLIC, 80)]
    assert server.requests == []


@pytest.mark.parametrize("named", [PUBLIC, "name.example", f"{PUBLIC}:80", "93.184.216.0/24"])
def test_it_is_reached_where_an_exception_names_it(connects: Connects, named: str) -> None:
    connects.own_end = (PUBLIC, 50000)
    assert fetch(named) == "here"


@pytest.mark.parametrize("other_end", ["127.0.0.1", "93.184.216.35", "::1"])
def test_nothing_is_sent_to_another_address_than_the_judged_one(
    server: LoopbackServer, connects: Connects, other_end: str
) -> None:
    connects.other_end = (other_end, 80)
    with pytest.raises(InternalError, match="not lead to the address that was judged"):
        fetch()
    assert server.requests == []
