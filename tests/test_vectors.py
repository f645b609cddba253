"""The public test vectors (tests/vectors), through the program as it runs."""

import json
from ipaddress import IPv4Address, IPv6Address
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from simulated_network import Connects, LoopbackServer, SimulatedDns, ok

from safefetch_cli.errors import (
    DnsResolutionFailed,
    InvalidInput,
    PolicyRejected,
    RedirectFailed,
    SafefetchError,
)
from safefetch_cli.models import Limits
from safefetch_cli.net import urls
from safefetch_cli.net.addresses import judge, parse_address
from safefetch_cli.net.fetch import Fetcher
from safefetch_cli.net.policy import Policy
from safefetch_cli.operations import Client
from safefetch_cli.settings import from_keywords

Record = dict[str, Any]

FOLDER = Path(__file__).parent / "vectors"


def load(name: str) -> list[Record]:
    records: list[Record] = json.loads((FOLDER / name).read_text(encoding="utf-8"))
    return records


def each(records: list[Record]) -> pytest.MarkDecorator:
    """Run a test once a record, under the record's id."""
    return pytest.mark.parametrize("record", records, ids=[item["id"] for item in records])


URLS = load("url_vectors.json")
ADDRESSES = load("address_vectors.json")
REDIRECTS = load("redirect_vectors.json")
CANONICAL = load("url_canon.json")


def fetch(
    url: str, options: Record, dns: SimulatedDns, server: LoopbackServer
) -> tuple[str, SafefetchError | None]:
    """The final URL, or the error."""
    policy_options = {name: value for name, value in options.items() if name != "max_redirects"}
    limits = Limits(seconds=20, max_bytes=10_000, max_redirects=options.get("max_redirects", 5))
    fetcher = Fetcher(
        Policy.build(**policy_options), user_agent="test", ca_file=server.ca_file, lookup=dns
    )
    try:
        return fetcher.fetch(url, limits).final_url, None
    except SafefetchError as error:
        return "", error
    finally:
        fetcher.close()


def reason_of(error: SafefetchError) -> str:
    """An error in the words of the vectors."""
    if isinstance(error, PolicyRejected):
        return f"address-{error.address_class}" if error.rule == "address" else error.rule
    if isinstance(error, RedirectFailed):
        if "redirects more than" in error.message:
            return "redirect-limit"
        return "redirect-location" if "where to" in error.message else "malformed"
    assert isinstance(error, (InvalidInput, DnsResolutionFailed))
    return "malformed" if isinstance(error, InvalidInput) else "host"


def accepted_reasons(record: Record, main: str, others: str) -> set[str]:
    return {record[main], *record.get(others, ())}


def answers_of(record: Record) -> set[str]:
    """The addresses that a name server gives and the URL does not."""
    answers: set[str] = set()
    for found in (record["dns"] or {}).values():
        for item in found:
            answers |= {item} if isinstance(item, str) else {*item}
    return {item for item in answers if item not in record["url"]}


@each([record for record in URLS if record["expect"] == "allow"])
def test_an_allowed_url_is_fetched_from_the_addresses_that_were_judged(
    record: Record, server: LoopbackServer, connects: Connects
) -> None:
    dns = SimulatedDns(record["dns"])
    _, error = fetch(record["url"], record["options"], dns, server)
    assert error is None
    (request,) = map(urlsplit, server.requests)
    default = urls.DEFAULT_PORTS[request.scheme]
    assert {port for _, port in connects.asked} == {request.port or default}
    if record["dns"] is None:
        assert dns.asked == []
    else:
        (name,) = dns.asked
        answers = record.get("pin", record["dns"][name])
        assert {host for host, _ in connects.asked} <= set(answers)


@each([record for record in URLS if record["expect"] == "refuse"])
def test_a_refused_url_reaches_nothing(
    record: Record, server: LoopbackServer, connects: Connects
) -> None:
    dns = SimulatedDns(record["dns"])
    _, error = fetch(record["url"], record["options"], dns, server)
    assert error is not None
    assert reason_of(error) in accepted_reasons(record, "reason", "alt_reasons")
    assert connects.asked == []
    assert server.requests == []
    assert "--allow" not in error.message
    assert [item for item in answers_of(record) if item in error.message] == []
    # Only a name whose answers had to be judged is looked up, and once.
    was_judged = isinstance(error, DnsResolutionFailed) or (
        record["dns"] is not None and reason_of(error).startswith("address")
    )
    assert len(dns.asked) == was_judged


@each(URLS)
def test_the_verdict_is_what_a_fetch_would_come_to(
    record: Record, server: LoopbackServer, connects: Connects
) -> None:
    dns = SimulatedDns(record["dns"])
    client = Client.of(from_keywords(record["options"]), lookup=dns)
    try:
        verdict = client.check_url(record["url"])
    except (InvalidInput, DnsResolutionFailed) as error:
        assert record["expect"] == "refuse"
        reason = reason_of(error)
    else:
        assert verdict.allowed == (record["expect"] == "allow")
        reason = f"address-{verdict.address_class}" if verdict.rule == "address" else verdict.rule
    assert connects.asked == []
    _, error_of_fetch = fetch(record["url"], record["options"], SimulatedDns(record["dns"]), server)
    assert reason == ("" if error_of_fetch is None else reason_of(error_of_fetch))


@each(ADDRESSES)
def test_an_address_is_judged(record: Record) -> None:
    address = parse_address(record["address"])
    if record["class"] == "invalid":
        assert address is None
        return
    assert address is not None
    assert judge(address).address_class == record["class"]
    name = urls.parse("http://name.example/")
    for policy, expected in (
        (Policy(), record["expect"]),
        (Policy(allow_local=True), record["expect_allow_local"]),
    ):
        refusal = policy.refuse_address(address, name)
        assert (refusal is None) == (expected == "allow")


@each(REDIRECTS)
def test_a_redirect_is_followed_or_refused(
    record: Record, server: LoopbackServer, connects: Connects
) -> None:
    chain = record["chain"]
    answers: dict[str, list[list[str]]] = {}
    for hop in chain:
        for name, found in hop.get("dns", {}).items():
            answers.setdefault(name, []).append(found)
    script = {
        hop["url"]: ok(hop["status"], hop["location"]) for hop in chain if hop["status"] is not None
    }
    server.answer = lambda url: script[url]
    final_url, error = fetch(chain[0]["url"], record["options"], SimulatedDns(answers), server)
    assert server.requests == list(script)
    if record["expect"] == "allow":
        assert error is None
        assert final_url == record["final_url"]
    else:
        assert error is not None
        assert reason_of(error) in accepted_reasons(record, "code", "alt_codes")
        assert [hop.url for hop in error.hops] == list(script)


@each(CANONICAL)
def test_a_url_is_read_as_browsers_read_it_or_refused(record: Record) -> None:
    try:
        target = urls.parse(record["input"])
    except (InvalidInput, PolicyRejected):
        assert record["expect"] == "invalid" or "lenient" in record
        return
    assert record["expect"] == "valid"
    assert target.host == record["expect_host"].strip("[]")
    assert target.port == record["expect_port"]
    assert target.request_target == record["expect_path_query"]


def test_the_addresses_of_the_vectors_are_of_both_families() -> None:
    """The vectors are not empty, and each record has its own id."""
    families = {type(parse_address(record["address"])) for record in ADDRESSES}
    assert {IPv4Address, IPv6Address} <= families
    for records in (URLS, ADDRESSES, REDIRECTS, CANONICAL):
        assert len({record["id"] for record in records}) == len(records) > 70
