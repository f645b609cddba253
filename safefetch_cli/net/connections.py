"""urllib3's connections and pools, made to dial judged addresses and to spend a budget.

A connection cannot be made without judged addresses, nor used without an exchange. It keeps the
name of its host, so the Host field, SNI and the certificate check are by name.
"""

import ssl
from collections import namedtuple
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial
from http.client import RemoteDisconnected
from typing import Any, NoReturn, cast

from urllib3 import PoolManager
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.poolmanager import PoolKey, _default_key_normalizer
from urllib3.util import Timeout as Urllib3Timeout
from urllib3.util.ssltransport import SSLTransport

from safefetch_cli.errors import ConnectionFailed, InternalError
from safefetch_cli.net.answer import Answer
from safefetch_cli.net.budget import Budget
from safefetch_cli.net.dial import BudgetSocket, dial
from safefetch_cli.net.resolve import JudgedAddress


class Exchange(Urllib3Timeout):
    """One request under a budget. It travels through requests and urllib3 as their timeout."""

    def __init__(self, budget: Budget, request_target: str) -> None:
        super().__init__()
        self.budget = budget
        self.request_target = request_target

    def clone(self) -> "Exchange":
        """Itself: the budget is one for the whole fetch."""
        return self

    def start_connect(self) -> float:
        return 0.0

    @property
    def connect_timeout(self) -> float:
        return self.budget.remaining()

    @property
    def read_timeout(self) -> float:
        return self.budget.remaining()


@dataclass(frozen=True)
class Dialable:
    """The judged addresses of a host; equal when they are the same set, in whatever order."""

    in_order: tuple[JudgedAddress, ...] = field(compare=False)
    members: frozenset[JudgedAddress]


class TlsSocket(SSLTransport):
    """TLS over memory, on a budget socket: every record passes the budget."""

    cut_off = False
    """Whether the stream ended without the TLS notice that it was meant to."""

    def _wrap_ssl_read(self, len: int, buffer: bytearray | None = None) -> int | bytes:  # noqa: A002
        try:
            return self._ssl_io_loop(self.sslobj.read, len, buffer)
        except ssl.SSLError as error:
            if error.errno != ssl.SSL_ERROR_EOF:
                raise
            self.cut_off = True
            return 0

    @property
    def holds_unread(self) -> bool:
        """Whether something came that no answer took."""
        return bool(self.incoming.pending or self.sslobj.pending())


class _Dialling:
    """Mixed into urllib3's connections: they dial only what was judged."""

    host: str
    sock: Any

    judged: JudgedAddress | None = None
    """The address connected to last. It stays known when the answer has closed the connection."""

    tls: "TlsSocket | None" = None
    """The TLS stream of that connection."""

    def __init__(self, *args: Any, dialable: Dialable | None = None, **kwargs: Any) -> None:
        if dialable is None:
            raise InternalError("a connection was made without judged addresses")
        super().__init__(*args, **kwargs)
        self._dialable = dialable
        self._budget: Budget | None = None

    def take(self, exchange: Any) -> None:
        """Use the budget of this exchange from now on."""
        if not isinstance(exchange, Exchange):
            raise InternalError("a connection was used without a budget")
        if isinstance(self.sock, TlsSocket) and self.sock.holds_unread:
            self.close()
        self._budget = exchange.budget
        if self.sock is not None:
            self._raw_socket.spend(exchange.budget)

    @property
    def _raw_socket(self) -> BudgetSocket:
        sock = self.sock.socket if isinstance(self.sock, TlsSocket) else self.sock
        return cast(BudgetSocket, sock)

    def _dialled(self) -> BudgetSocket:
        if self._budget is None:
            raise InternalError("a connection was opened without a budget")
        sock = dial(self.host, self._dialable.in_order, self._budget)
        self.judged = sock.judged
        return sock

    def _new_conn(self) -> NoReturn:
        raise InternalError("urllib3's own dialler was asked for")

    def close(self) -> None:
        super().close()  # type: ignore[misc]


class PlainConnection(_Dialling, HTTPConnection):
    """http to a judged address."""

    response_class = Answer

    def connect(self) -> None:
        self.sock = self._dialled()


class TlsConnection(_Dialling, HTTPSConnection):
    """https to a judged address, verified by name."""

    response_class = Answer

    def connect(self) -> None:
        sock = self._dialled()
        try:
            if self.ssl_context is None:
                raise InternalError("a TLS connection was made without a context")
            self.tls = TlsSocket(sock, self.ssl_context, server_hostname=self.host)
        except ssl.SSLCertVerificationError as error:
            sock.close()
            raise ConnectionFailed(
                f"the certificate of {self.host} is not trusted: {error.verify_message}",
                certificate=True,
            ) from None
        except (OSError, ssl.SSLError) as error:
            sock.close()
            raise ConnectionFailed(f"TLS with {self.host} failed: {tls_reason(error)}") from None
        except BaseException:
            sock.close()
            raise
        self.sock = cast(Any, self.tls)
        self.is_verified = True


class _Pooling:
    """Mixed into urllib3's pools: the one place where a connection meets a request."""

    def _make_request(self, conn: Any, method: str, url: str, **kwargs: Any) -> Any:
        exchange = kwargs["timeout"]
        conn.take(exchange)
        was_open = conn.sock is not None
        # The request target as the parser made it; urllib3 would write its escapes anew.
        send = partial(
            super()._make_request,  # type: ignore[misc]
            conn,
            method,
            exchange.request_target,
            **kwargs,
        )
        try:
            return send()
        except (RemoteDisconnected, BrokenPipeError, ConnectionResetError):
            if not was_open:
                raise
        conn.close()  # a kept connection that the server had given up: once more, on a new one
        return send()


class PlainPool(_Pooling, HTTPConnectionPool):  # type: ignore[misc]
    """Kept http connections to one host at one set of judged addresses."""

    ConnectionCls = PlainConnection


class TlsPool(_Pooling, HTTPSConnectionPool):  # type: ignore[misc]
    """Kept https connections to one host at one set of judged addresses."""

    ConnectionCls = TlsConnection


_Key = namedtuple("_Key", (*PoolKey._fields, "key_dialable"))  # type: ignore[misc] # noqa: PYI024


class Pools(PoolManager):
    """All pools. Two sets of judged addresses never share a connection."""

    def __init__(self, num_pools: int = 10, **kwargs: Any) -> None:
        super().__init__(num_pools, **kwargs)
        self.pool_classes_by_scheme = {"http": PlainPool, "https": TlsPool}
        self.key_fn_by_scheme = dict.fromkeys(
            ("http", "https"), cast(Any, partial(_default_key_normalizer, cast(Any, _Key)))
        )


def dialable(addresses: Iterable[JudgedAddress]) -> Dialable:
    """The judged addresses as a pool's key takes them."""
    in_order = tuple(addresses)
    return Dialable(in_order, frozenset(in_order))


def tls_reason(error: Exception) -> str:
    """What went wrong in TLS, in OpenSSL's words without its file names."""
    reason = getattr(error, "reason", None) or getattr(error, "strerror", None) or str(error)
    return str(reason).replace("_", " ").lower()
