"""How hosts and networks are named in settings: `host`, `*.domain`, an address, a CIDR range."""

from collections.abc import Sequence
from ipaddress import ip_network
from typing import NamedTuple

from safefetch_cli.errors import InvalidInput, PolicyRejected
from safefetch_cli.net import urls
from safefetch_cli.net.addresses import Address, Network, openable, parse_address, unmapped
from safefetch_cli.net.urls import Target

_FAKE_IP_RANGES = ("198.18.0.0/15", "fc00::/7")


class Exemption(NamedTuple):
    """One `--allow`: a host name or a network, on one port or all of them."""

    host: str
    network: Network | None
    port: int | None

    def names(self, target: Target) -> bool:
        """Whether it names the target's host, as a name."""
        return self.network is None and self.host == target.name and self._covers_port(target)

    def holds(self, address: Address, target: Target) -> bool:
        """Whether it opens this address for this target."""
        if self.network is None:
            return self.names(target)
        return unmapped(address) in self.network and self._covers_port(target)

    def _covers_port(self, target: Target) -> bool:
        return self.port in (None, target.port)


def matches(target: Target, patterns: Sequence[str]) -> bool:
    """Whether one of the patterns (from `parse_pattern`) names the target's host."""
    host = _comparable(target.name)
    return any(
        host.endswith(pattern[1:]) if pattern.startswith("*.") else host == pattern
        for pattern in patterns
    )


def _comparable(host: str) -> str:
    address = parse_address(host)
    return host.removesuffix(".") if address is None else str(unmapped(address))


def parse_pattern(text: str, label: str) -> str:
    """Read `host` or `*.domain` (any depth, not the domain itself) into its canonical form.

    Raises InvalidInput that names `label`, the value and the rule.
    """
    wildcard = "*." if text.startswith("*.") else ""
    try:
        host = _comparable(urls.parse_host(text.removeprefix("*.")))
    except (InvalidInput, PolicyRejected):
        host = ""
    if not host or (wildcard and parse_address(host) is not None):
        raise InvalidInput(f"{label}: {text!r} is neither a host nor *.domain")
    return wildcard + host


def parse_exemption(text: str, label: str) -> Exemption:
    """Read a host, an address or a CIDR range, each with an optional `:port`.

    Raises InvalidInput that names `label`, the value and the rule.
    """
    host, port = _split_port(text)
    network = _network(host)
    if network is None:
        try:
            name = urls.parse_host(host).removesuffix(".")
        except (InvalidInput, PolicyRejected):
            name = ""
        if not name or "/" in host or port == 0:
            raise InvalidInput(
                f"{label}: {text!r} is not a host, an address or a CIDR range, with an optional "
                ":port from 1 to 65535"
            )
        network = _network(name)  # an address in another spelling
        if network is None:
            return Exemption(name, None, port)
    if port == 0 or not openable(network):
        rule = "a port is 1 to 65535" if port == 0 else "no exception opens this range"
        raise InvalidInput(f"{label}: {text!r}: {rule}")
    return Exemption("", network, port)


def _split_port(text: str) -> tuple[str, int | None]:
    """Split off `:port`. An IPv6 address with a port stands in brackets. Port 0 means a bad one."""
    if text.startswith("[") and "]" in text:
        host, _, rest = text[1:].partition("]")
        colon, port = rest[:1], rest[1:]
        if not rest:
            return host, None
    elif text.count(":") == 1:
        host, colon, port = text.partition(":")
    else:
        return text, None
    good = (
        colon == ":"
        and port.isascii()
        and port.isdecimal()
        and len(port) <= 9
        and int(port) <= 65535
    )
    return host, int(port) if good else 0


def _network(text: str) -> Network | None:
    try:
        network = ip_network(text)
    except ValueError:
        return None
    if network.version == 6 and network.prefixlen == 128:
        inner = unmapped(network.network_address)
        return ip_network(str(inner)) if inner.version == 4 else network
    return network


def parse_fake_ip(text: str, label: str) -> Network:
    """Read a CIDR range that a local proxy may answer from.

    Raises InvalidInput when it does not lie within the ranges that such proxies use.
    """
    network = _network(text)
    if network is None or not any(
        network.version == outer.version and network.subnet_of(outer)  # type: ignore[arg-type]
        for outer in map(ip_network, _FAKE_IP_RANGES)
    ):
        ranges = " or ".join(_FAKE_IP_RANGES)
        raise InvalidInput(f"{label}: {text!r} is not a CIDR range within {ranges}")
    return network
