"""Lists of URLs: lines, comments, bytes that are no text."""

import io
from collections.abc import Iterator

import pytest

from safefetch_cli.url_list import MAX_LINE_BYTES, read_urls


@pytest.mark.parametrize(
    ("data", "urls"),
    [
        (b"", []),
        (b"\n \n\t\n", []),
        (b"http://a/\nhttp://b/", ["http://a/", "http://b/"]),
        (b"http://a/\r\n  http://b/ \r\n", ["http://a/", "http://b/"]),
        (b"# http://a/\n #b\nhttp://c/#d\n", ["http://c/#d"]),
        (b"\xef\xbb\xbfhttp://a/\n", ["http://a/"]),
        (b"\xef\xbb\xbf# comment\nhttp://a/\n", ["http://a/"]),
        ("http://\u65e5\u672c/\n".encode(), ["http://\u65e5\u672c/"]),
        (b"http://\xff/\n", ["http://\ufffd/"]),
        (b"a\0b\n", ["a\0b"]),
    ],
)
def test_each_line_is_a_url_but_blank_ones_and_comments(data: bytes, urls: list[str]) -> None:
    assert list(read_urls(io.BytesIO(data))) == urls


def test_a_file_without_line_ends_is_not_read_at_once() -> None:
    stream = io.BytesIO(b"x" * 10 * MAX_LINE_BYTES)
    urls: Iterator[str] = read_urls(stream)
    assert next(urls) == "x" * MAX_LINE_BYTES
    assert stream.tell() == MAX_LINE_BYTES
