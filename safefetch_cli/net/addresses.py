"""Which addresses may be reached: a table of ranges, each with its class and the reason.

The table is ours because `ipaddress.is_global` changes with the Python version and lets pass what
must be refused (multicast, NAT64 of private addresses, site-local, 168.63.129.16 ...). Ranges are
those of the IANA special-purpose registries; what a registry marks globally reachable is public.
In IPv6 only 2000::/3 (global unicast) is public, so whatever is not listed is refused.

To refuse one more range, add a row.
"""

from enum import Enum
from functools import cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import NamedTuple

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

PUBLIC = "public"


class Opens(Enum):
    """What it takes to reach a range."""

    ALWAYS = "public"
    LOCAL = "--allow-local or --allow"
    NAMED = "--allow"
    NEVER = "nothing opens it"


class Judgement(NamedTuple):
    """What an address is: its class, the reason to refuse it ("" if public), what opens it."""

    address_class: str
    reason: str
    opens: Opens


_TABLE: tuple[tuple[str, str, Opens, str], ...] = (
    # The first row that holds an address decides: single addresses before the ranges around them.
    # IPv4: what no row holds is public.
    ("169.254.169.254/32", "metadata", Opens.NEVER, "cloud instance metadata"),
    ("169.254.169.253/32", "metadata", Opens.NEVER, "AWS name server inside the cloud"),
    ("169.254.169.250/32", "metadata", Opens.NEVER, "Rancher and AWS metadata"),
    ("169.254.169.249/32", "metadata", Opens.NEVER, "AWS infrastructure inside the cloud"),
    ("169.254.169.123/32", "metadata", Opens.NEVER, "AWS time server inside the cloud"),
    ("169.254.170.2/32", "metadata", Opens.NEVER, "AWS container credentials"),
    ("169.254.170.23/32", "metadata", Opens.NEVER, "AWS pod identity credentials"),
    ("169.254.42.42/32", "metadata", Opens.NEVER, "Scaleway instance metadata"),
    ("169.254.0.23/32", "metadata", Opens.NEVER, "Tencent instance metadata"),
    ("100.100.100.200/32", "metadata", Opens.NEVER, "Alibaba instance metadata"),
    ("168.63.129.16/32", "metadata", Opens.NEVER, "Azure wire server"),
    ("192.0.0.192/32", "metadata", Opens.NEVER, "Oracle instance metadata"),
    ("0.0.0.0/32", "unspecified", Opens.NEVER, "the unspecified address means this machine"),
    ("0.0.0.0/8", "this-network", Opens.NEVER, "this network, RFC 791"),
    ("10.0.0.0/8", "private", Opens.LOCAL, "a private network, RFC 1918"),
    ("100.64.0.0/10", "cgnat", Opens.NAMED, "carrier-grade NAT, RFC 6598"),
    ("127.0.0.0/8", "loopback", Opens.LOCAL, "this machine, RFC 1122"),
    ("169.254.0.0/16", "link-local", Opens.NEVER, "link-local, RFC 3927"),
    ("172.16.0.0/12", "private", Opens.LOCAL, "a private network, RFC 1918"),
    ("192.0.0.9/32", PUBLIC, Opens.ALWAYS, ""),  # port control anycast, RFC 7723
    ("192.0.0.10/32", PUBLIC, Opens.ALWAYS, ""),  # TURN anycast, RFC 8155
    ("192.0.0.0/24", "ietf-protocol", Opens.NEVER, "IETF protocol assignments, RFC 6890"),
    ("192.0.2.0/24", "documentation", Opens.NEVER, "documentation, RFC 5737"),
    ("192.88.99.0/24", "6to4-relay", Opens.NEVER, "6to4 relays, RFC 7526"),
    ("192.168.0.0/16", "private", Opens.LOCAL, "a private network, RFC 1918"),
    ("198.18.0.0/15", "benchmarking", Opens.NAMED, "benchmarking, RFC 2544"),
    ("198.51.100.0/24", "documentation", Opens.NEVER, "documentation, RFC 5737"),
    ("203.0.113.0/24", "documentation", Opens.NEVER, "documentation, RFC 5737"),
    ("224.0.0.0/4", "multicast", Opens.NEVER, "multicast, RFC 5771"),
    ("255.255.255.255/32", "broadcast", Opens.NEVER, "broadcast, RFC 919"),
    ("240.0.0.0/4", "reserved", Opens.NEVER, "reserved, RFC 1112"),
    # IPv6: what no row holds is public inside 2000::/3 and reserved outside it.
    ("fd00:ec2::/32", "metadata", Opens.NEVER, "AWS instance metadata and credentials"),
    ("fd20:ce::/64", "metadata", Opens.NEVER, "Google instance metadata"),
    ("fd00:c1::a9fe:a9fe/128", "metadata", Opens.NEVER, "Oracle instance metadata"),
    ("fd00:a9fe:a9fe::/64", "metadata", Opens.NEVER, "Akamai instance metadata"),
    ("fd00:42::42/128", "metadata", Opens.NEVER, "Scaleway instance metadata"),
    ("fe80::a9fe:a9fe/128", "metadata", Opens.NEVER, "OpenStack instance metadata"),
    ("::/128", "unspecified", Opens.NEVER, "the unspecified address means this machine"),
    ("::1/128", "loopback", Opens.LOCAL, "this machine, RFC 4291"),
    ("::/96", "ipv4-compatible", Opens.NEVER, "an embedded IPv4 address, RFC 4291"),
    ("::ffff:0:0:0/96", "ipv4-translated", Opens.NEVER, "an embedded IPv4 address, RFC 7915"),
    ("64:ff9b:1::/48", "nat64-local", Opens.NEVER, "NAT64 for local use, RFC 8215"),
    ("100::/64", "discard", Opens.NEVER, "discard only, RFC 6666"),
    ("100:0:0:1::/64", "dummy", Opens.NEVER, "dummy prefix, RFC 9780"),
    ("2001::/32", "teredo", Opens.NEVER, "Teredo tunnels, RFC 4380"),
    ("2001:1::1/128", PUBLIC, Opens.ALWAYS, ""),  # port control anycast, RFC 7723
    ("2001:1::2/128", PUBLIC, Opens.ALWAYS, ""),  # TURN anycast, RFC 8155
    ("2001:1::3/128", PUBLIC, Opens.ALWAYS, ""),  # DNS-SD anycast, RFC 9665
    ("2001:2::/48", "benchmarking", Opens.NAMED, "benchmarking, RFC 5180"),
    ("2001:3::/32", PUBLIC, Opens.ALWAYS, ""),  # automatic multicast tunnels, RFC 7450
    ("2001:4:112::/48", PUBLIC, Opens.ALWAYS, ""),  # AS112, RFC 7535
    ("2001:10::/28", "orchid", Opens.NEVER, "cryptographic identifiers, RFC 4843"),
    ("2001:20::/28", PUBLIC, Opens.ALWAYS, ""),  # ORCHIDv2, RFC 7343
    ("2001:30::/28", PUBLIC, Opens.ALWAYS, ""),  # drone remote identifiers, RFC 9374
    ("2001::/23", "ietf-protocol", Opens.NEVER, "IETF protocol assignments, RFC 2928"),
    ("2001:db8::/32", "documentation", Opens.NEVER, "documentation, RFC 3849"),
    ("2002::/16", "6to4", Opens.NEVER, "6to4 tunnels, RFC 3056"),
    ("3fff::/20", "documentation", Opens.NEVER, "documentation, RFC 9637"),
    ("5f00::/16", "srv6", Opens.NEVER, "segment routing, RFC 9602"),
    ("fc00::/7", "ula", Opens.LOCAL, "a private network, RFC 4193"),
    ("fe80::/10", "link-local", Opens.NEVER, "link-local, RFC 4291"),
    ("fec0::/10", "site-local", Opens.NEVER, "site-local, RFC 3879"),
    ("ff00::/8", "multicast", Opens.NEVER, "multicast, RFC 4291"),
)


class _Row(NamedTuple):
    network: Network
    low: int
    high: int
    judgement: Judgement


def _row(cidr: str, address_class: str, opens: Opens, reason: str) -> _Row:
    network = ip_network(cidr)
    low, high = int(network.network_address), int(network.broadcast_address)
    return _Row(network, low, high, Judgement(address_class, reason, opens))


@cache
def _rows(version: int) -> tuple[_Row, ...]:
    """The rows of IPv4 or IPv6, made when they are needed first."""
    return tuple(_row(*row) for row in _TABLE if (":" in row[0]) == (version == 6))


_IS_PUBLIC = Judgement(PUBLIC, "", Opens.ALWAYS)
_RESERVED = Judgement("reserved", "not global unicast, RFC 4291", Opens.NEVER)
_ZONED = Judgement("zone", "an address with a zone belongs to one link, RFC 4007", Opens.NEVER)
_GLOBAL_UNICAST = ip_network("2000::/3")
_NAT64_PREFIX = int(ip_network("64:ff9b::/96").network_address) >> 32
_ISATAP_INTERFACES = frozenset({0x00005EFE, 0x02005EFE})  # RFC 5214, section 6.1


def parse_address(text: str) -> Address | None:
    """The address that `text` spells in full, or None. No short, octal or hexadecimal IPv4."""
    try:
        return ip_address(text)
    except ValueError:
        return None


def unmapped(address: Address) -> Address:
    """The IPv4 address inside `::ffff:0:0/96` (RFC 4291, 2.5.5.2), any other address as it is."""
    inner = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return address if inner is None else inner


def judge(address: Address) -> Judgement:
    """Class, reason and what opens it, for one address.

    An address that carries an IPv4 address (mapped, NAT64, ISATAP) is judged by that one.
    """
    address = unmapped(address)
    if isinstance(address, IPv4Address):
        return _first(_rows(4), int(address)) or _IS_PUBLIC
    judgement = _carried(address) or _first(_rows(6), int(address))
    if judgement is None:
        judgement = _IS_PUBLIC if address in _GLOBAL_UNICAST else _RESERVED
    if address.scope_id is not None and judgement.opens is Opens.ALWAYS:
        return _ZONED
    return judgement


def openable(network: Network) -> bool:
    """Whether an exception may name this network.

    It may when the network lies within one range that an exception opens, or is public throughout.
    """
    rows = _rows(network.version)
    low, high = int(network.network_address), int(network.broadcast_address)
    held = next((row for row in rows if row.low <= low and high <= row.high), None)
    if held is not None:
        return held.judgement.opens is not Opens.NEVER
    if network.version == 6 and not (
        network.network_address in _GLOBAL_UNICAST and network.prefixlen >= 3
    ):
        return False
    return not any(row.low <= high and low <= row.high for row in rows)


def _first(rows: tuple[_Row, ...], value: int) -> Judgement | None:
    return next((row.judgement for row in rows if row.low <= value <= row.high), None)


def _carried(address: IPv6Address) -> Judgement | None:
    """The judgement on an IPv4 address inside NAT64 (RFC 6052) or ISATAP (RFC 5214), if any."""
    value = int(address)
    if value >> 32 == _NAT64_PREFIX:
        carrier = "nat64"
    elif (value >> 32) & 0xFFFFFFFF in _ISATAP_INTERFACES and address in _GLOBAL_UNICAST:
        carrier = "isatap"
    else:
        return None
    inner = judge(IPv4Address(value & 0xFFFFFFFF))
    if inner.opens is not Opens.ALWAYS:
        reason = f"carries an IPv4 address that is refused: {inner.reason}"
        return Judgement(carrier, reason, Opens.NEVER)
    # NAT64 of a public address is public; an ISATAP address must pass the IPv6 rows as well.
    return _IS_PUBLIC if carrier == "nat64" else None
