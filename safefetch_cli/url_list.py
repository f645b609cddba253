"""A list of URLs, one a line, read as it is needed."""

from collections.abc import Iterator
from typing import BinaryIO

MAX_LINE_BYTES = 65_536
"""A longer line is no URL; it is cut into pieces of this size, which are none either."""

_MARK = b"\xef\xbb\xbf"


def read_urls(stream: BinaryIO) -> Iterator[str]:
    """The URLs of a list in UTF-8. Blank lines and those that begin with `#` are no URLs.

    A line is given out as soon as it has come; what is not UTF-8 in it is replaced, so that it is
    refused as a URL. Raises OSError.
    """
    is_first = True
    while line := stream.readline(MAX_LINE_BYTES):
        if is_first:
            line = line.removeprefix(_MARK)
            is_first = False
        url = line.decode("utf-8", "replace").strip()
        if url and not url.startswith("#"):
            yield url
