"""From judged addresses to a connected socket that spends a budget. The only connect."""

import errno
import os
import selectors
import socket
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from safefetch_cli.errors import ConnectionFailed, InternalError, PolicyRejected
from safefetch_cli.net.addresses import parse_address
from safefetch_cli.net.budget import Budget
from safefetch_cli.net.resolve import JudgedAddress

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer, WriteableBuffer

STAGGER_SECONDS = 0.25
"""After so long without an answer the next address is tried beside the others (RFC 8305)."""

_CONNECTING = frozenset(
    {0, errno.EINPROGRESS, errno.EWOULDBLOCK, getattr(errno, "WSAEWOULDBLOCK", errno.EWOULDBLOCK)}
)
_T = TypeVar("_T")


class BudgetSocket(socket.socket):
    """A socket whose every receive and send is given the time that is left, and counted.

    The caller's `settimeout` means nothing to it: the budget decides.
    """

    judged: JudgedAddress | None = None
    _budget: Budget | None = None

    def spend(self, budget: Budget) -> None:
        """From now on use this budget."""
        self._budget = budget
        budget.interrupt_with(self.interrupt)

    def interrupt(self) -> None:
        """End a receive or send that another thread waits in."""
        with suppress(OSError):
            self.shutdown(socket.SHUT_RDWR)

    def recv(self, bufsize: int, flags: int = 0, /) -> bytes:
        data = self._timed(partial(super().recv, bufsize, flags))
        self._charged(len(data))
        return data

    def recv_into(self, buffer: "WriteableBuffer", nbytes: int = 0, flags: int = 0) -> int:
        received = self._timed(partial(super().recv_into, buffer, nbytes, flags))
        self._charged(received)
        return received

    def sendall(self, data: "ReadableBuffer", flags: int = 0, /) -> None:
        self._timed(partial(super().sendall, data, flags))

    def settimeout(self, value: float | None, /) -> None:
        """Ignored: the budget sets the time before every call."""

    def _timed(self, call: Callable[[], _T]) -> _T:
        if self._budget is None:
            raise InternalError("a socket was used without a budget")
        super().settimeout(self._budget.remaining())
        try:
            result = call()
        except TimeoutError:
            self._budget.remaining()  # says how the time ended
            raise
        return result

    def _charged(self, received: int) -> None:
        if self._budget is None:
            raise InternalError("a socket was used without a budget")
        if received == 0:
            self._budget.remaining()  # an aborted receive looks like the end of the stream
        self._budget.charge(received)


def dial(host: str, addresses: Sequence[JudgedAddress], budget: Budget) -> BudgetSocket:
    """Connect to the first address that answers, trying them staggered.

    `host` is for messages. Raises ConnectionFailed when none answers, Timeout at the deadline, and
    PolicyRejected when the address turns out to be this very machine's and no exception names it.
    """
    race = _Race(addresses, budget)
    try:
        sock = race.run()
    finally:
        race.close_losers()
    if sock is None:
        raise ConnectionFailed(f"could not connect to {host}: {race.last_error}")
    try:
        _check_peer(sock, host)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sock.spend(budget)
    except BaseException:
        sock.close()
        raise
    return sock


class _Race:
    """Staggered connects in one thread; the first one up wins."""

    def __init__(self, addresses: Sequence[JudgedAddress], budget: Budget) -> None:
        self.last_error = "there is no address to connect to"
        self._waiting = list(addresses)
        self._budget = budget
        self._running: set[BudgetSocket] = set()
        self._next_start = 0.0
        self._selector = selectors.DefaultSelector()

    def run(self) -> BudgetSocket | None:
        """The connected socket, or None when every address failed."""
        while self._waiting or self._running:
            if self._waiting and (time.monotonic() >= self._next_start or not self._running):
                self._start(self._waiting.pop(0))
            until_next = self._next_start - time.monotonic() if self._waiting else None
            for key, _ in self._selector.select(self._budget.pause(until_next)):
                sock = key.fileobj
                if isinstance(sock, BudgetSocket) and self._is_up(sock):
                    return sock
        return None

    def close_losers(self) -> None:
        """Close what still tries to connect."""
        self._selector.close()
        for sock in self._running:
            sock.close()

    def _start(self, address: JudgedAddress) -> None:
        self._next_start = time.monotonic() + STAGGER_SECONDS
        try:
            sock = BudgetSocket(address.family, socket.SOCK_STREAM)
        except OSError as error:  # no IPv6 on this machine, or no free descriptor
            self._lost(error.errno or 0)
            return
        sock.judged = address
        sock.setblocking(False)
        failure = sock.connect_ex(address.socket_address)
        if failure not in _CONNECTING:
            sock.close()
            self._lost(failure)
            return
        self._running.add(sock)
        self._selector.register(sock, selectors.EVENT_WRITE)

    def _is_up(self, sock: BudgetSocket) -> bool:
        self._selector.unregister(sock)
        self._running.discard(sock)
        failure = sock.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
        if failure:
            sock.close()
            self._lost(failure)
        return not failure

    def _lost(self, failure: int) -> None:
        self.last_error = os.strerror(failure).lower() if failure else "no socket could be made"
        self._next_start = 0.0


def _check_peer(sock: BudgetSocket, host: str) -> None:
    """The other end must be the judged address, and this machine only if an exception says so."""
    judged = sock.judged
    peer = parse_address(sock.getpeername()[0].partition("%")[0])
    if judged is None or peer != parse_address(judged.address):
        raise InternalError("the connection does not lead to the address that was judged")
    own = parse_address(sock.getsockname()[0].partition("%")[0])
    if own == peer and not judged.exempt:
        raise PolicyRejected(
            f"{host} leads to a refused address: it is this machine's own",
            rule="address",
            address_class="own",
            reason="this machine's own address",
            hint=f"The address is {peer}. To reach it, start with --allow {peer}.",
        )
