"""A body within bounds: read in steps, decoded in steps, cut at the cap.

The libraries' own decoders are safe for memory but not for the clock (empty members and frames cost
seconds a megabyte), so gzip and deflate are decoded here, one coding only (RFC 9110, 8.4).
"""

import zlib
from collections.abc import Callable, Iterator
from typing import NamedTuple

from urllib3 import HTTPResponse

from safefetch_cli.errors import InvalidResponse, ProcessingLimit
from safefetch_cli.net.budget import Budget

READ_BYTES = 16 * 1024
DECODED_BYTES = 64 * 1024
MAX_GZIP_MEMBERS = 1000
MAX_EXPANSION = 100
BOMB_BYTES = 1_000_000
"""A body of so many bytes that grew more than so many times and passes the cap is a bomb."""

ACCEPT_ENCODING = "gzip, deflate"

# Tokens that servers send although the body is not compressed.
_NOT_A_CODING = frozenset({"", "identity", "none", "utf-8", "utf8", "binary", "8bit"})


class Body(NamedTuple):
    """A decoded body, and whether it was cut at the cap."""

    data: bytes
    truncated: bool = False


class _Gzip:
    """gzip members one after another (RFC 1952); what follows the last one is ignored."""

    def __init__(self) -> None:
        self._members = 0
        self._inflater: zlib._Decompress | None = None
        self._is_over = False

    def feed(self, data: bytes) -> Iterator[bytes]:
        while data and not self._is_over:
            if self._inflater is None:
                data = self._next_member(data)
                if self._inflater is None:
                    return
            yield from _inflated(self._inflater, data)
            data = b""
            if self._inflater.eof:
                data = self._inflater.unused_data
                self._inflater = None

    @property
    def unread(self) -> int:
        return len(self._inflater.unconsumed_tail) if self._inflater else 0

    def finish(self) -> None:
        if self._inflater is not None:
            raise InvalidResponse("the gzip data of the answer is cut off")

    def _next_member(self, data: bytes) -> bytes:
        if self._members and not data.startswith(b"\x1f"):
            self._is_over = True
            return b""
        self._members += 1
        if self._members > MAX_GZIP_MEMBERS:
            raise InvalidResponse(f"the gzip data has more than {MAX_GZIP_MEMBERS} members")
        self._inflater = zlib.decompressobj(16 + zlib.MAX_WBITS)
        return data


class _Deflate:
    """The zlib format, or bare deflate, which some servers send in its name (RFC 9110, 8.4.1.2)."""

    def __init__(self) -> None:
        self._inflater: zlib._Decompress | None = None
        self._start = b""

    def feed(self, data: bytes) -> Iterator[bytes]:
        if self._inflater is None:
            data = self._start = self._start + data
            if len(data) < 2:
                return  # two bytes tell the formats apart
            self._inflater = zlib.decompressobj(zlib.MAX_WBITS * (1 if _is_zlib(data) else -1))
        if not self._inflater.eof:
            yield from _inflated(self._inflater, data)

    @property
    def unread(self) -> int:
        return len(self._inflater.unconsumed_tail) if self._inflater else 0

    def finish(self) -> None:
        if self._start and (self._inflater is None or not self._inflater.eof):
            raise InvalidResponse("the deflate data of the answer is cut off")


def _is_zlib(data: bytes) -> bool:
    """Whether the first two bytes are a zlib header (RFC 1950, 2.2)."""
    return data[0] & 0x0F == 8 and int.from_bytes(data[:2], "big") % 31 == 0


def _inflated(inflater: "zlib._Decompress", data: bytes) -> Iterator[bytes]:
    """Feed all of `data`; what comes out, in bounded pieces."""
    while True:
        piece = inflater.decompress(data, DECODED_BYTES)
        yield piece
        data = inflater.unconsumed_tail
        if inflater.eof or (not data and len(piece) < DECODED_BYTES):
            return


class _Identity:
    """No compression."""

    unread = 0

    def feed(self, data: bytes) -> Iterator[bytes]:
        yield data

    def finish(self) -> None:
        pass


_DECODERS: dict[str, Callable[[], _Gzip | _Deflate | _Identity]] = {
    "gzip": _Gzip,
    "x-gzip": _Gzip,
    "deflate": _Deflate,
}


def read(answer: HTTPResponse, budget: Budget, max_bytes: int) -> Body:
    """Read and decode the body, at most `max_bytes` of it.

    Raises InvalidResponse for a coding that is not known, stacked, corrupt or cut off, and
    ProcessingLimit for a decompression bomb; else what the connection raises.
    """
    decoder = _decoder(answer.headers.get("Content-Encoding", ""))
    body = bytearray()
    received, total = 0, _length(answer)
    try:
        for data in answer.stream(READ_BYTES, decode_content=False):
            received += len(data)
            budget.report(received, total)
            for piece in decoder.feed(data):
                budget.remaining()
                body += piece
                if len(body) > max_bytes:
                    _refuse_bomb(len(body), received - decoder.unread)
                    return Body(bytes(body[:max_bytes]), truncated=True)
    except zlib.error:
        raise InvalidResponse("the compressed data of the answer is corrupt") from None
    decoder.finish()
    return Body(bytes(body))


def _length(answer: HTTPResponse) -> int | None:
    """The bytes that will come, where the server says."""
    text = answer.headers.get("Content-Length", "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 19 else None


def _decoder(content_encoding: str) -> _Gzip | _Deflate | _Identity:
    tokens = [token.strip().lower() for token in content_encoding.split(",")]
    codings = [token for token in tokens if token not in _NOT_A_CODING]
    if not codings:
        return _Identity()
    if len(codings) > 1 or codings[0] not in _DECODERS:
        raise InvalidResponse(
            f"the content coding is not one of {ACCEPT_ENCODING}, which were asked for",
            says=repr(content_encoding[:80]),
        )
    return _DECODERS[codings[0]]()


def _refuse_bomb(size: int, received: int) -> None:
    if size >= BOMB_BYTES and size > MAX_EXPANSION * received:
        raise ProcessingLimit(
            f"{received} compressed bytes became more than {size} bytes: a decompression bomb"
        )
