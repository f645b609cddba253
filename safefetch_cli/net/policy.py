"""The rules: which targets and which addresses this program may reach, and what decided.

Nothing switches the rules off. Exceptions are narrow and named: `allow_local`, `allow`, `fake_ip`.
None of them opens link-local, metadata, unspecified, multicast or reserved addresses.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from safefetch_cli.errors import PolicyRejected
from safefetch_cli.net.addresses import Address, Judgement, Network, Opens, judge, unmapped
from safefetch_cli.net.hosts import (
    Exemption,
    matches,
    parse_exemption,
    parse_fake_ip,
    parse_pattern,
)
from safefetch_cli.net.urls import Target

# Names that mean a network of one's own: RFC 6761 and 6762, RFC 8375, ICANN's .internal.
LOCAL_SUFFIXES = ("localhost", "local", "internal", "home.arpa", "localdomain")

# Names of cloud metadata services; no exception opens them.
METADATA_NAMES = (
    "metadata",
    "metadata.goog",
    "metadata.google.internal",
    "metadata.azure.internal",
    "metadata.tencentyun.com",
    "metadata.platformequinix.com",
    "metadata.packet.net",
    "api.metadata.cloud.ibm.com",
    "instance-data",
    "instance-data.ec2.internal",
    "rancher-metadata",
    "rancher-metadata.rancher.internal",
)

# The port blocking of the Fetch standard (https://fetch.spec.whatwg.org/#port-blocking).
BAD_PORTS = frozenset(
    {
        *(1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95),
        *(101, 102, 103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161),
        *(179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563),
        *(587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060),
        *(5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080),
    }
)

_FIELD_NAMES = {field: field for field in ("allow", "fake_ip", "allowlist", "denylist")}


class Refusal(NamedTuple):
    """Why something is refused: the rule, a reason to read, a hint for a person."""

    rule: str
    reason: str
    hint: str = ""
    address_class: str = ""


class Policy(NamedTuple):
    """The rules of one deployment; `build` makes one from what people write."""

    allow_local: bool = False
    allow: tuple[Exemption, ...] = ()
    fake_ip: tuple[Network, ...] = ()
    allowlist: tuple[str, ...] = ()
    denylist: tuple[str, ...] = ()
    allowed_ports: frozenset[int] = frozenset()
    https_only: bool = False
    allow_https_downgrade: bool = False

    @classmethod
    def build(
        cls,
        *,
        allow_local: bool = False,
        allow: Sequence[str] = (),
        fake_ip: Sequence[str] = (),
        allowlist: Sequence[str] = (),
        denylist: Sequence[str] = (),
        allowed_ports: Sequence[int] = (),
        https_only: bool = False,
        allow_https_downgrade: bool = False,
        labels: Mapping[str, str] | None = None,
    ) -> "Policy":
        """Make a policy from text. `labels` maps a field to the name its user knows it by.

        Raises InvalidInput that names the field, the value and the rule.
        """
        label = {**_FIELD_NAMES, **(labels or {})}
        return cls(
            allow_local=allow_local,
            allow=tuple(parse_exemption(text, label["allow"]) for text in allow),
            fake_ip=tuple(parse_fake_ip(text, label["fake_ip"]) for text in fake_ip),
            allowlist=tuple(parse_pattern(text, label["allowlist"]) for text in allowlist),
            denylist=tuple(parse_pattern(text, label["denylist"]) for text in denylist),
            allowed_ports=frozenset(allowed_ports),
            https_only=https_only,
            allow_https_downgrade=allow_https_downgrade,
        )

    def refuse_target(self, target: Target) -> Refusal | None:
        """The first rule that refuses the target by what its URL says, before any look-up."""
        return next(filter(None, (rule(self, target) for rule in _TARGET_RULES)), None)

    def refuse_address(self, address: Address, target: Target) -> Refusal | None:
        """The refusal of one address that the target's host is or leads to, or None."""
        if str(unmapped(address)) in self.denylist:
            return Refusal("denylist", "the denylist names its address")
        judgement = judge(address)
        if judgement.opens is Opens.ALWAYS or self.exempts(address, target):
            return None
        return Refusal(
            "address", judgement.reason, _address_hint(address, judgement), judgement.address_class
        )

    def exempts(self, address: Address, target: Target) -> bool:
        """Whether an exception names this address for this target, public or not."""
        opens = judge(address).opens
        if opens is Opens.NEVER:
            return False
        if any(exemption.holds(address, target) for exemption in self.allow):
            return True
        if self.allow_local and opens is Opens.LOCAL:
            return True
        # Only an answer of DNS is taken for a fake address; a typed one stays what it is.
        from_dns = target.address is None and not _is_local_name(target.name)
        return from_dns and any(unmapped(address) in network for network in self.fake_ip)


def refusal_error(target: Target, refusal: Refusal) -> PolicyRejected:
    """The error that says so. Its message names no address that the URL does not name."""
    if refusal.rule != "address":
        where = f"{target.host}:{target.port}" if refusal.rule == "port" else target.host
        message = f"{where} is refused: {refusal.reason}"
    elif target.address is None:
        message = f"{target.host} leads to a refused address: {refusal.reason}"
    else:
        message = f"{target.host} is refused: {refusal.reason}"
    return PolicyRejected(
        message,
        rule=refusal.rule,
        address_class=refusal.address_class,
        reason=refusal.reason,
        hint=refusal.hint,
    )


def refused_way(host: str, does: str, refusal: Refusal) -> PolicyRejected:
    """The error of a page that leads to what is refused; `does` says how, as "redirects".

    Its message does not name the place: it may be an address inside the network.
    """
    return PolicyRejected(
        f"{host} {does} to a place that is refused: {refusal.reason}",
        rule=refusal.rule,
        address_class=refusal.address_class,
        reason=refusal.reason,
        hint=refusal.hint,
    )


def _is_under(name: str, parents: Sequence[str]) -> bool:
    return any(name == parent or name.endswith("." + parent) for parent in parents)


def _is_local_name(name: str) -> bool:
    return "." not in name or _is_under(name, LOCAL_SUFFIXES)


def _host_rule(policy: Policy, target: Target) -> Refusal | None:
    if target.address is not None:
        return None
    if _is_under(target.name, METADATA_NAMES):
        return Refusal("host", "it names a cloud metadata service")
    if _is_under(target.name, ("onion",)):
        return Refusal("host", "it names a Tor service, which DNS does not know (RFC 7686)")
    if not _is_local_name(target.name) or policy.allow_local:
        return None
    if any(exemption.names(target) for exemption in policy.allow):
        return None
    hint = f"To reach it, name it: --allow {target.name} (or --allow-local for all local networks)."
    return Refusal("host", "it is a name of a local network", hint)


def _https_rule(policy: Policy, target: Target) -> Refusal | None:
    if policy.https_only and target.scheme != "https":
        return Refusal("https-only", "only https is allowed")
    return None


def _port_rule(policy: Policy, target: Target) -> Refusal | None:
    if policy.allowed_ports and target.port not in policy.allowed_ports:
        ports = ", ".join(map(str, sorted(policy.allowed_ports)))
        return Refusal("port", f"only these ports are allowed: {ports}")
    return None


def _denylist_rule(policy: Policy, target: Target) -> Refusal | None:
    if matches(target, policy.denylist):
        return Refusal("denylist", "the denylist names it")
    return None


def _allowlist_rule(policy: Policy, target: Target) -> Refusal | None:
    if policy.allowlist and not matches(target, policy.allowlist):
        return Refusal("allowlist", "the allowlist does not name it")
    return None


def _literal_rule(policy: Policy, target: Target) -> Refusal | None:
    return None if target.address is None else policy.refuse_address(target.address, target)


def _bad_port_rule(_: Policy, target: Target) -> Refusal | None:
    if target.port in BAD_PORTS:
        return Refusal("port", "this port belongs to another protocol than HTTP")
    return None


# In the order in which a refusal is reported.
_TARGET_RULES: tuple[Callable[[Policy, Target], Refusal | None], ...] = (
    _host_rule,
    _https_rule,
    _port_rule,
    _denylist_rule,
    _allowlist_rule,
    _literal_rule,
    _bad_port_rule,
)


def _address_hint(address: Address, judgement: Judgement) -> str:
    met = f"The address is {address} ({judgement.address_class})."
    if judgement.opens is Opens.NEVER:
        return f"{met} No exception opens it."
    local = " or --allow-local" if judgement.opens is Opens.LOCAL else ""
    return f"{met} To reach it, start with --allow {unmapped(address)}{local}."
