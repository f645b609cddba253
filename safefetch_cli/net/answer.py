"""The head of an answer: bounded, robust, and clear about where the body ends.

http.client reads the status line and the fields; this keeps it within limits, skips interim answers
and refuses framing that two readers could take in two ways (RFC 9112).
"""

import re
from http.client import HTTPResponse
from typing import Any, BinaryIO, cast

from safefetch_cli.errors import InvalidResponse, ProcessingLimit

MAX_HEADER_BYTES = 256 * 1024
"""Of one answer, its interim answers included; http.client adds 100 fields and 64 KiB a line."""

MAX_INTERIM_ANSWERS = 8

_FIELD_LINE = re.compile(rb"[!-9;-~]+:|[ \t]")


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


class Answer(HTTPResponse):
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
            raise InvalidResponse("the transfer coding is not supported", says=repr(named[:80]))
        lengths = ",".join(self.headers.get_all("Content-Length", []))
        if not codings and len({length.strip() for length in lengths.split(",")}) > 1:
            raise InvalidResponse("the answer has several lengths", says=repr(lengths[:80]))
