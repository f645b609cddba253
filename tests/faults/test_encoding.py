"""Content codings that are cut, corrupt, unknown, stacked or bombs (rows E)."""

import gzip
import zlib

import pytest
from support.behaviours import answer, in_turn, response
from support.fetching import OK, Guard
from support.memory import MEBIBYTE, growth_of_fetch
from support.server import Behaviour, Serve

TEXT = b"hello, world " * 50
GZIPPED = gzip.compress(TEXT)
EMPTY_MEMBER = gzip.compress(b"")
EMPTY_BLOCK = b"\x00\x00\x00\xff\xff"  # stored, of no bytes, and not the last one
GZIP_HEAD = GZIPPED[:10]
ZLIB_HEAD = b"\x78\x9c"


def raw_deflated(data: bytes) -> bytes:
    compressor = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return compressor.compress(data) + compressor.flush()


def encoded(body: bytes, *codings: bytes) -> Behaviour:
    """An answer with these Content-Encoding fields."""
    return answer(response(body, *(b"Content-Encoding: " + coding for coding in codings)))


def with_bad_checksum(data: bytes) -> bytes:
    return data[:-8] + bytes([data[-8] ^ 1]) + data[-7:]


GOOD: dict[str, tuple[Behaviour, bytes]] = {
    "E1-gzip": (encoded(GZIPPED, b"gzip"), TEXT),
    "E1-x-gzip": (encoded(GZIPPED, b"x-gzip"), TEXT),
    "E1-upper-case": (encoded(GZIPPED, b"GZIP"), TEXT),
    "E1-zlib-deflate": (encoded(zlib.compress(TEXT), b"deflate"), TEXT),
    "E1-raw-deflate": (encoded(raw_deflated(TEXT), b"deflate"), TEXT),
    "E1-identity": (encoded(TEXT, b"identity"), TEXT),
    "E4-two-members": (encoded(GZIPPED + GZIPPED, b"gzip"), TEXT * 2),
    "E4-trailing-garbage": (encoded(GZIPPED + b"\0\0garbage", b"gzip"), TEXT),
    "E10-gzip-empty": (encoded(b"", b"gzip"), b""),
    "E10-deflate-empty": (encoded(b"", b"deflate"), b""),
}


@pytest.mark.parametrize(("behave", "body"), GOOD.values(), ids=GOOD)
def test_a_body_that_can_be_decoded(
    serve: Serve, guard: Guard, behave: Behaviour, body: bytes
) -> None:
    server = serve(behave)
    attempt = guard().fetch(server.url())
    assert (attempt.code, attempt.body) == (OK, body)
    assert not attempt.response.truncated
    assert server.requests[0].fields["accept-encoding"] == "gzip, deflate"


REFUSED = {
    "E2-gzip-cut": encoded(GZIPPED[:-12], b"gzip"),
    "E2-gzip-cut-in-the-checksum": encoded(GZIPPED[:-2], b"gzip"),
    "E2-deflate-cut": encoded(zlib.compress(TEXT)[:-6], b"deflate"),
    "E3-gzip-corrupt": encoded(GZIPPED[:20] + b"\xff" * 20 + GZIPPED[40:], b"gzip"),
    "E3-bad-checksum": encoded(with_bad_checksum(GZIPPED), b"gzip"),
    "E3-plain-called-gzip": encoded(TEXT, b"gzip"),
    "E5-br": encoded(TEXT, b"br"),
    "E5-zstd": encoded(TEXT, b"zstd"),
    "E5-unknown": encoded(TEXT, b"foo"),
    "E5-stacked": encoded(gzip.compress(GZIPPED), b"gzip, gzip"),
    "E5-twice": encoded(gzip.compress(GZIPPED), b"gzip", b"gzip"),
    "E6-1001-empty-members": encoded(EMPTY_MEMBER * 1001, b"gzip"),
}


@pytest.mark.parametrize("behave", REFUSED.values(), ids=REFUSED)
def test_a_body_that_cannot_be_decoded(serve: Serve, guard: Guard, behave: Behaviour) -> None:
    server = serve(behave)
    attempt = guard().fetch(server.url())
    server.stop()
    assert (attempt.code, server.targets) == ("INVALID_RESPONSE", ["/"])


def test_e6_a_thousand_members_are_read(serve: Serve, guard: Guard) -> None:
    server = serve(encoded(EMPTY_MEMBER * 999 + GZIPPED, b"gzip"))
    assert guard().fetch(server.url()).body == TEXT


def test_e7_megabytes_of_empty_members(serve: Serve, guard: Guard) -> None:
    server = serve(encoded(EMPTY_MEMBER * (4_000_000 // len(EMPTY_MEMBER)), b"gzip"))
    attempt = guard().fetch(server.url())
    assert attempt.code == "INVALID_RESPONSE"
    assert attempt.seconds < 0.5


NO_OUTPUT = {
    "E9-gzip": encoded(GZIP_HEAD + EMPTY_BLOCK * 800_000, b"gzip"),
    "E9-zlib": encoded(ZLIB_HEAD + EMPTY_BLOCK * 800_000, b"deflate"),
    "E9-raw": encoded(EMPTY_BLOCK * 800_000, b"deflate"),
}


@pytest.mark.parametrize("behave", NO_OUTPUT.values(), ids=NO_OUTPUT)
def test_e9_compressed_data_that_yields_nothing(
    serve: Serve, guard: Guard, behave: Behaviour
) -> None:
    server = serve(behave)
    attempt = guard().fetch(server.url(), seconds=2.0)
    assert attempt.code == "INVALID_RESPONSE"  # read to its end, where it is cut off
    assert attempt.seconds < 2.0


def zeros(gigabytes: int) -> bytes:
    """Raw deflate data of so many gigabytes of zeros, without an end."""
    compressor = zlib.compressobj(level=9, wbits=-zlib.MAX_WBITS)
    block = compressor.compress(bytes(1_000_000)) + compressor.flush(zlib.Z_FULL_FLUSH)
    return block * 1000 * gigabytes


@pytest.mark.parametrize(
    ("head", "coding"),
    [
        pytest.param(GZIP_HEAD, b"gzip", id="E8-gzip"),
        pytest.param(ZLIB_HEAD, b"deflate", id="E8-deflate"),
    ],
)
def test_e8_a_bomb_of_ten_gigabytes(serve: Serve, head: bytes, coding: bytes) -> None:
    server = serve(in_turn(answer(response()), encoded(head + zeros(10), coding)))
    growth = growth_of_fetch(server.url())
    assert growth.code == "PROCESSING_LIMIT"
    assert growth.bytes < 30 * MEBIBYTE


def test_e8_what_expands_far_and_is_small_is_no_bomb(serve: Serve, guard: Guard) -> None:
    server = serve(encoded(gzip.compress(bytes(4_000_000)), b"gzip"))
    attempt = guard().fetch(server.url())
    assert (attempt.code, attempt.body) == (OK, bytes(4_000_000))


def test_e8_a_compressed_page_over_the_cap_is_cut(serve: Serve, guard: Guard) -> None:
    text = b"".join(b"%d squared is %d\n" % (number, number**2) for number in range(10_000))
    server = serve(encoded(gzip.compress(text), b"gzip"))
    attempt = guard().fetch(server.url(), max_bytes=100_000)
    assert (attempt.code, attempt.body) == (OK, text[:100_000])
    assert attempt.response.truncated
