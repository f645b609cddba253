"""From a target to the addresses that may be dialled. The only look-up of names.

Every address that a name has is judged; one that is refused refuses the name, since whoever
controls the name chose it. The look-up is the system's own (hosts file, VPN, split DNS), in a
daemon thread: a dead name server holds neither the deadline nor the end of the process.
"""

import socket
import threading
from collections.abc import Callable, Sequence
from ipaddress import IPv4Address
from itertools import zip_longest
from typing import Any, NamedTuple

from safefetch_cli.errors import DnsResolutionFailed, InternalError
from safefetch_cli.net.addresses import Address, parse_address
from safefetch_cli.net.budget import Budget
from safefetch_cli.net.policy import Policy, refusal_error
from safefetch_cli.net.urls import Target

MAX_DIALLED = 8
"""At most so many addresses of a name are tried; all are judged."""

AddressInfo = tuple[int, int, int, str, tuple[Any, ...]]
Lookup = Callable[[str, int], Sequence[AddressInfo]]
"""What `socket.getaddrinfo` is: host and port in, answers out; OSError when there are none."""

_lookup_slots = threading.BoundedSemaphore(32)


class JudgedAddress(NamedTuple):
    """An address that the policy lets pass, and nothing else can be dialled."""

    family: int
    address: str
    port: int
    exempt: bool  # an exception of the policy names it

    @property
    def socket_address(self) -> tuple[str, int] | tuple[str, int, int, int]:
        """As `connect` takes it."""
        if self.family == socket.AF_INET:
            return (self.address, self.port)
        return (self.address, self.port, 0, 0)


def system_lookup(host: str, port: int) -> Sequence[AddressInfo]:
    """The system's own look-up."""
    return socket.getaddrinfo(host, port, 0, socket.SOCK_STREAM)


def resolve(
    target: Target, policy: Policy, budget: Budget, lookup: Lookup
) -> tuple[JudgedAddress, ...]:
    """The addresses to dial, in the order to try them.

    Raises PolicyRejected, DnsResolutionFailed or Timeout.
    """
    refusal = policy.refuse_target(target)
    if refusal is not None:
        raise refusal_error(target, refusal)
    answers = find(target, budget, lookup)
    for address in answers:
        refusal = policy.refuse_address(address, target)
        if refusal is not None:
            raise refusal_error(target, refusal)
    return tuple(
        JudgedAddress(
            family=socket.AF_INET if isinstance(address, IPv4Address) else socket.AF_INET6,
            address=str(address).partition("%")[0],
            port=target.port,
            exempt=policy.exempts(address, target),
        )
        for address in _interleaved(answers)[:MAX_DIALLED]
    )


def find(target: Target, budget: Budget, lookup: Lookup) -> tuple[Address, ...]:
    """All addresses of the target's host, unjudged, each once. A literal address is not looked up.

    Raises DnsResolutionFailed or Timeout.
    """
    if target.address is not None:
        return (target.address,)
    infos = _look_up(target, budget, lookup)
    found = [address for address in map(_address_of, infos) if address is not None]
    addresses = tuple(dict.fromkeys(found))
    if not addresses:
        raise DnsResolutionFailed(f"{target.name} has no address")
    return addresses


def _look_up(target: Target, budget: Budget, lookup: Lookup) -> Sequence[AddressInfo]:
    answer: list[Sequence[AddressInfo] | OSError | ValueError] = []
    done = threading.Event()
    while not _lookup_slots.acquire(timeout=budget.pause()):
        pass

    def work() -> None:
        try:
            answer.append(lookup(target.host, target.port))
        except (OSError, ValueError) as error:  # UnicodeError is a ValueError
            answer.append(error)
        finally:
            _lookup_slots.release()
            done.set()

    threading.Thread(target=work, name=f"look-up of {target.host}", daemon=True).start()
    while not done.wait(budget.pause()):
        pass
    if not answer:
        raise InternalError(f"the look-up of {target.name} ended without an answer")
    result = answer[0]
    if isinstance(result, (OSError, ValueError)):
        reason = result.strerror if isinstance(result, OSError) else str(result)
        raise DnsResolutionFailed(f"{target.name} did not resolve: {reason or result}")
    return result


def _address_of(info: AddressInfo) -> Address | None:
    family, _, _, _, socket_address = info
    if family == socket.AF_INET:
        return parse_address(socket_address[0])
    if family != socket.AF_INET6:
        return None
    text = str(socket_address[0])
    scope = socket_address[3] if len(socket_address) > 3 else 0
    return parse_address(f"{text}%{scope}" if scope and "%" not in text else text)


def _interleaved(addresses: Sequence[Address]) -> list[Address]:
    """Families by turns, the first answer's first (RFC 8305, section 4)."""
    first = [address for address in addresses if address.version == addresses[0].version]
    other = [address for address in addresses if address.version != addresses[0].version]
    return [address for pair in zip_longest(first, other) for address in pair if address]
