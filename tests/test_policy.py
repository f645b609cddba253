"""The rules and their exceptions: exactly what each opens, and what nothing opens."""

import pytest

from safefetch_cli.errors import InvalidInput
from safefetch_cli.net.addresses import Opens, judge, parse_address
from safefetch_cli.net.policy import BAD_PORTS, METADATA_NAMES, Policy
from safefetch_cli.net.urls import Target, parse

NAME = "http://name.example/"

NOTHING_OPENS = [
    *("169.254.169.254", "169.254.0.1", "169.254.170.2", "100.100.100.200", "168.63.129.16"),
    *("192.0.0.192", "0.0.0.0", "0.1.2.3", "224.0.0.1", "239.255.255.250", "240.0.0.1"),
    *("255.255.255.255", "192.0.2.1", "198.51.100.1", "203.0.113.1", "192.88.99.1", "192.0.0.1"),
    *("::", "fe80::1", "fec0::1", "ff02::1", "fd00:ec2::254", "fd20:ce::254", "fd00:42::42"),
    *("2001:db8::1", "2002:7f00:1::", "2001::1", "64:ff9b::7f00:1", "64:ff9b:1::1", "::7f00:1"),
    *("::ffff:169.254.169.254", "::ffff:0:127.0.0.1", "5f00::1", "100::1", "4000::1"),
]

EVERYTHING = Policy.build(
    allow_local=True,
    allow=[
        *(
            "name.example",
            "10.0.0.0/8",
            "127.0.0.0/8",
            "100.64.0.0/10",
            "198.18.0.0/15",
            "fc00::/7",
        ),
        *("::1", "192.168.0.0/16", "172.16.0.0/12"),
    ],
    fake_ip=["198.18.0.0/15", "fc00::/7"],
)


def refuses(policy: Policy, address: str, url: str = NAME) -> bool:
    """Whether the policy refuses this address for this URL."""
    found = parse_address(address)
    assert found is not None
    return policy.refuse_address(found, parse(url)) is not None


def rule_of(policy: Policy, url: str) -> str:
    """The rule that refuses the URL before a look-up, "" when none does."""
    refusal = policy.refuse_target(parse(url))
    return "" if refusal is None else refusal.rule


def literal(address: str) -> str:
    return f"http://[{address}]/" if ":" in address else f"http://{address}/"


@pytest.mark.parametrize("address", NOTHING_OPENS)
def test_nothing_opens(address: str) -> None:
    assert refuses(EVERYTHING, address)
    assert rule_of(EVERYTHING, literal(address)) == "address"
    with pytest.raises(InvalidInput, match="no exception opens this range"):
        Policy.build(allow=[address])


@pytest.mark.parametrize(
    "network",
    [
        *("0.0.0.0/0", "::/0", "128.0.0.0/1", "169.254.0.0/16", "168.0.0.0/8", "100.0.0.0/8"),
        *("192.0.0.0/16", "224.0.0.0/4", "2000::/3", "2001::/16", "fe80::/10", "::ffff:0:0/96"),
        *("64:ff9b::/96", "::/96", "f000::/4", "10.0.0.0/7"),
    ],
)
def test_no_exception_names_a_range_that_holds_what_nothing_opens(network: str) -> None:
    with pytest.raises(InvalidInput, match="no exception opens this range"):
        Policy.build(allow=[network])


@pytest.mark.parametrize(
    "address",
    ["127.0.0.1", "10.1.2.3", "172.31.0.1", "192.168.1.1", "::1", "fd12::1", "::ffff:10.0.0.1"],
)
def test_allow_local_opens_loopback_and_private_networks(address: str) -> None:
    assert refuses(Policy(), address)
    assert rule_of(Policy(), literal(address)) == "address"
    assert not refuses(Policy(allow_local=True), address)
    assert rule_of(Policy(allow_local=True), literal(address)) == ""


@pytest.mark.parametrize("address", ["100.64.0.1", "198.18.0.1", "2001:2::1"])
def test_carrier_and_benchmarking_networks_are_opened_by_name_alone(address: str) -> None:
    assert refuses(Policy(allow_local=True), address)
    assert not refuses(Policy.build(allow=[address]), address)


@pytest.mark.parametrize(
    ("target", "url", "address", "opens"),
    [
        ("10.0.0.5", NAME, "10.0.0.5", True),
        ("10.0.0.5", NAME, "10.0.0.6", False),
        ("10.0.0.5", NAME, "::ffff:10.0.0.5", True),
        ("::ffff:10.0.0.5", NAME, "10.0.0.5", True),
        ("0xa000005", NAME, "10.0.0.5", True),
        ("10.0.0.0/24", NAME, "10.0.0.255", True),
        ("10.0.0.0/24", NAME, "10.0.1.0", False),
        ("10.0.0.5:8080", "http://name.example:8080/", "10.0.0.5", True),
        ("10.0.0.5:8080", NAME, "10.0.0.5", False),
        ("10.0.0.0/24:8080", "http://name.example:8080/", "10.0.0.9", True),
        ("[fd00::5]", NAME, "fd00::5", True),
        ("fd00::5", NAME, "fd00::5", True),
        ("fd00::/8", NAME, "fd12::1", True),
        ("fd00::/8", NAME, "fd00:ec2::254", False),
        ("[fd00::5]:8080", "http://name.example:8080/", "fd00::5", True),
        ("[fd00::5]:8080", NAME, "fd00::5", False),
        ("name.example", NAME, "10.0.0.5", True),
        ("NAME.example.", NAME, "10.0.0.5", True),
        ("name.example", "http://name.example./", "10.0.0.5", True),
        ("name.example", "http://www.name.example/", "10.0.0.5", False),
        ("name.example", "http://10.0.0.5/", "10.0.0.5", False),
        ("name.example:8080", NAME, "10.0.0.5", False),
        ("name.example", NAME, "169.254.169.254", False),
    ],
)
def test_allow_opens_what_it_names(target: str, url: str, address: str, opens: bool) -> None:
    assert refuses(Policy.build(allow=[target]), address, url) is not opens


@pytest.mark.parametrize(
    ("url", "address", "opens"),
    [
        (NAME, "198.18.3.4", True),
        (NAME, "10.0.0.1", False),
        ("http://198.18.3.4/", "198.18.3.4", False),
        ("http://printer.local/", "198.18.3.4", False),
    ],
)
def test_a_fake_ip_range_is_for_the_answers_of_public_names(
    url: str, address: str, opens: bool
) -> None:
    assert refuses(Policy.build(fake_ip=["198.18.0.0/15"]), address, url) is not opens


LOCAL_NAMES = [
    *("localhost", "a.localhost", "printer.local", "db.internal", "nas.home.arpa", "x.localdomain"),
    *("intranet", "LOCALHOST", "localhost."),
]


@pytest.mark.parametrize("name", LOCAL_NAMES)
def test_a_name_of_a_local_network_is_refused_unless_local_is_open(name: str) -> None:
    url = f"http://{name}/"
    assert rule_of(Policy(), url) == "host"
    assert rule_of(Policy(allow_local=True), url) == ""
    assert rule_of(Policy.build(allow=[name]), url) == ""
    assert rule_of(Policy.build(allow=[f"{name}:81"]), url) == "host"


@pytest.mark.parametrize(
    "name", [*METADATA_NAMES, "x.metadata.google.internal", "x.onion", "onion"]
)
def test_nothing_opens_the_name(name: str) -> None:
    policy = Policy.build(allow_local=True, allow=[name])
    assert rule_of(policy, f"http://{name}/") == "host"
    assert rule_of(policy, f"http://{name.upper()}./") == "host"


@pytest.mark.parametrize(
    "name", ["localhost.example", "mylocalhost.example", "internal.example", "x.notlocal"]
)
def test_a_public_name_that_looks_local_is_public(name: str) -> None:
    assert rule_of(Policy(), f"http://{name}/") == ""


@pytest.mark.parametrize(
    ("pattern", "url", "matches"),
    [
        ("name.example", NAME, True),
        ("NAME.Example.", NAME, True),
        ("name.example", "http://name.example.:81/", True),
        ("name.example", "http://www.name.example/", False),
        ("*.name.example", "http://www.name.example/", True),
        ("*.name.example", "http://a.b.name.example/", True),
        ("*.name.example", NAME, False),
        ("*.name.example", "http://othername.example/", False),
        ("m\u00fcnchen.example", "http://xn--mnchen-3ya.example/", True),
        ("8.8.8.8", "http://0x08080808/", True),
        ("8.8.8.8", "http://[::ffff:8.8.8.8]/", True),
        ("2606:4700::1111", "http://[2606:4700:0::1111]/", True),
    ],
)
def test_a_list_compares_hosts_in_canonical_form(pattern: str, url: str, matches: bool) -> None:
    assert rule_of(Policy.build(denylist=[pattern]), url) == ("denylist" if matches else "")
    assert rule_of(Policy.build(allowlist=[pattern]), url) == ("" if matches else "allowlist")


def test_the_denylist_wins_and_the_allowlist_opens_no_address() -> None:
    both = Policy.build(denylist=["name.example"], allowlist=["name.example"])
    assert rule_of(both, NAME) == "denylist"
    apart = Policy.build(denylist=["name.example"], allowlist=["other.example"])
    assert rule_of(apart, NAME) == "denylist"
    listed = Policy.build(allowlist=["10.0.0.1", "localhost", "name.example"])
    assert rule_of(listed, "http://10.0.0.1/") == "address"
    assert rule_of(listed, "http://localhost/") == "host"
    assert refuses(listed, "10.0.0.1")


def test_ports_are_restricted_and_those_of_other_protocols_refused_always() -> None:
    web = Policy.build(allowed_ports=[80, 443])
    assert rule_of(web, NAME) == rule_of(web, "https://name.example/") == ""
    assert rule_of(web, "http://name.example:8080/") == "port"
    assert rule_of(Policy(), "http://name.example:8080/") == ""
    listed = Policy.build(allowed_ports=sorted(BAD_PORTS), allow=["name.example"])
    assert {rule_of(listed, f"http://name.example:{port}/") for port in BAD_PORTS} == {"port"}
    assert {22, 25, 6000, 10080} <= BAD_PORTS


def test_https_only_refuses_http() -> None:
    assert rule_of(Policy(https_only=True), NAME) == "https-only"
    assert rule_of(Policy(https_only=True), "https://name.example/") == ""


def test_the_first_rule_that_refuses_is_reported() -> None:
    policy = Policy.build(https_only=True, allowed_ports=[443], denylist=["localhost"])
    assert rule_of(policy, "http://localhost:22/") == "host"
    assert rule_of(policy, "http://10.0.0.1:22/") == "https-only"
    assert rule_of(policy, "https://10.0.0.1:22/") == "port"
    assert rule_of(Policy(), "https://10.0.0.1:22/") == "address"


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"allow": ["a b"]}, ["allow", "'a b'", "CIDR"]),
        ({"allow": ["10.0.0.1/8"]}, ["allow", "'10.0.0.1/8'"]),
        ({"allow": ["x.example:99999"]}, ["allow", "'x.example:99999'", "65535"]),
        ({"allow": ["10.0.0.1:x"]}, ["allow", "'10.0.0.1:x'", "65535"]),
        ({"allow": ["[::1]x"]}, ["allow", "'[::1]x'"]),
        ({"allow": ["user@x.example"]}, ["allow", "'user@x.example'"]),
        ({"allow": ["*.example"]}, ["allow", "'*.example'"]),
        ({"fake_ip": ["198.18.0.1/15"]}, ["fake_ip", "'198.18.0.1/15'", "198.18.0.0/15"]),
        ({"fake_ip": ["::/0"]}, ["fake_ip", "'::/0'", "fc00::/7"]),
        ({"fake_ip": ["name.example"]}, ["fake_ip", "'name.example'", "CIDR"]),
        ({"allowlist": ["*"]}, ["allowlist", "'*'", "*.domain"]),
        ({"allowlist": ["a.*.example"]}, ["allowlist", "'a.*.example'", "*.domain"]),
        ({"denylist": ["x.example/path"]}, ["denylist", "'x.example/path'", "*.domain"]),
        ({"denylist": ["x.example:80"]}, ["denylist", "'x.example:80'", "*.domain"]),
    ],
    ids=lambda value: str(value) if isinstance(value, dict) else "",
)
def test_a_bad_value_is_named_with_its_rule(
    options: dict[str, list[str]], named: list[str]
) -> None:
    with pytest.raises(InvalidInput) as caught:
        Policy.build(**options)  # type: ignore[arg-type]
    assert [text for text in named if text not in caught.value.message] == []
    (field,) = options
    with pytest.raises(InvalidInput, match=r"^--the-flag: "):
        Policy.build(**options, labels={field: "--the-flag"})  # type: ignore[arg-type]


def test_a_hint_tells_a_person_what_opens_and_only_what_does() -> None:
    def hint(url: str) -> str:
        refusal = Policy().refuse_target(parse(url))
        assert refusal is not None
        return refusal.hint

    assert "--allow 10.0.0.1 or --allow-local" in hint("http://10.0.0.1/")
    assert "--allow 100.64.0.1." in hint("http://100.64.0.1/")
    assert "--allow" not in hint("http://169.254.169.254/")
    assert "--allow localhost" in hint("http://localhost/")
    assert "--allow" not in hint("http://metadata.google.internal/")


def test_what_a_hint_recommends_works() -> None:
    for address in ("10.0.0.1", "::1", "::ffff:10.0.0.1", "100.64.0.1"):
        found = parse_address(address)
        assert found is not None
        assert judge(found).opens in (Opens.LOCAL, Opens.NAMED)
        target: Target = parse(literal(address))
        refusal = Policy().refuse_address(found, target)
        assert refusal is not None
        named = refusal.hint.partition("--allow ")[2].split()[0].rstrip(".")
        assert Policy.build(allow=[named]).refuse_address(found, target) is None
