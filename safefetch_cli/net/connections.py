"""urllib3's connections and pools, made to dial judged addresses and to spend a budget.

A connection cannot be made without judged addresses, nor used without an exchange. It keeps the
name of its host, so the Host field, SNI and the certificate check are by name.
"""

import re
import ssl
from collections import namedtuple
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial
from http.client import HTTPResponse, RemoteDisconnected
from typing import Any, BinaryIO, NoReturn, cast

from urllib3 import PoolManager
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.poolmanager import PoolKey, _default_key_normalizer
from urllib3.util import Timeout as Urllib3Timeout
from urllib3.util.ssltransport import SSLTransport

from safefetch_cli.errors import ConnectionFailed, InternalError, InvalidResponse, ProcessingLimit
from safefetch_cli.net.budget import Budget
from safefetch_cli.net.dial import BudgetSocket, dial
from safefetch_cli.net.resolve import JudgedAddress

MAX_HEADER_BYTES = 256 * 1024
"""Of one answer, its interim answers included; http.client adds 100 fields and 64 KiB a line."""

MAX_INTERIM_ANSWERS = 8

_FIELD_LINE = re.compile(rb"[!-9;-~]+:|[ \t]")


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


class _HeadReader:
    """Reads the lines of an answer's head: counted, never past a cut, and only real fields."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._bytes = 0
        self.in_fields = False

    def readline(self, limit: int = -1) -> bytes:
        line = self._next(limit)
        while self.in_fields and line.strip() and not _FIELD_LINE.match(line):
            line = self._next(limit)  # not a field (RFC 9112, 5); the rest still counts
        return line

    def close(self) -> None:
        self._stream.close()

    def flush(self) -> None:
        self._stream.flush()

    def _next(self, limit: int) -> bytes:
        try:
            line = self._stream.readline(limit)
        except ConnectionResetError:
            if not self._bytes:
                raise
            line = b""
        if not line and self._bytes:
            raise InvalidResponse("the connection ended inside the header of the answer")
        self._bytes += len(line)
        if self._bytes > MAX_HEADER_BYTES:
            raise ProcessingLimit(f"the answer's header is larger than {MAX_HEADER_BYTES} bytes")
        return _one_line(line) if b"\r" in line[:-2] else line


def _one_line(line: bytes) -> bytes:
    """The line with NUL for every CR in it, where the library would start a new field.

    CR and NUL are invalid alike (RFC 9110, 5.5), and NUL stays where it is.
    """
    text = line.rstrip(b"\r\n")
    return text.replace(b"\r", b"\0") + (b"\r\n" if line.endswith(b"\n") else line[len(text) :])


class _Answer(HTTPResponse):
    """http.client's response, with a bounded head, interim answers skipped and framing checked."""

    _head: _HeadReader

    def begin(self) -> None:
        stream = self.fp
        self._head = _HeadReader(stream)
        self.fp = cast(Any, self._head)
        try:
            super().begin()
        finally:
            if self.fp is not None:
                self.fp = stream
        self._check_framing()

    def _read_status(self) -> tuple[str, int, str]:
        for _ in range(MAX_INTERIM_ANSWERS + 1):
            self._head.in_fields = False
            version, status, reason = super()._read_status()  # type: ignore[misc]
            self._head.in_fields = True
            if status == 101 or not 100 <= status < 200:
                return version, status, reason
            while self.fp.readline(65537).strip():
                pass
        raise InvalidResponse(f"the server sent more than {MAX_INTERIM_ANSWERS} interim answers")

    def _check_framing(self) -> None:
        """Refuse what leaves it open where the body ends (RFC 9112, 6.1 and 6.3)."""
        if self.status == 101:
            raise InvalidResponse("the server switched to another protocol, unasked")
        codings = self.headers.get_all("Transfer-Encoding", [])
        if codings and [coding.strip().lower() for coding in codings] != ["chunked"]:
            named = ", ".join(codings)
            raise InvalidResponse(f"the transfer coding {named[:80]!r} is not supported")
        lengths = ",".join(self.headers.get_all("Content-Length", []))
        if not codings and len({length.strip() for length in lengths.split(",")}) > 1:
            raise InvalidResponse(f"the answer has several lengths: {lengths[:80]!r}")


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

    def __init__(self, *args: Any, dialable: Dialable, **kwargs: Any) -> None:
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

    response_class = _Answer

    def connect(self) -> None:
        self.sock = self._dialled()


class TlsConnection(_Dialling, HTTPSConnection):
    """https to a judged address, verified by name."""

    response_class = _Answer

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
