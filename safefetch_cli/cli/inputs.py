"""Where input comes from: lists of URLs and saved pages, in files or on stdin."""

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, BinaryIO

from safefetch_cli.cli import output
from safefetch_cli.errors import InvalidInput
from safefetch_cli.settings import Settings

if TYPE_CHECKING:
    from safefetch_cli.saved import SavedPage

STDIN = "-"
_STDIN_NUMBER = 0


class UrlLists:
    """The URLs of a command line: arguments, of which `-` is a list on stdin, and a list's file."""

    def __init__(self, arguments: Sequence[str], input_file: str | None) -> None:
        if [*arguments, input_file].count(STDIN) > 1:
            raise InvalidInput("stdin can be read once, and is named twice as a list of URLs")
        if input_file is not None and input_file != STDIN:
            _check_list(input_file)
        self._arguments = arguments
        self._input_file = input_file
        self.are_many = input_file is not None or len(arguments) > 1 or STDIN in arguments
        """Whether there are several or a list, however long."""

    @property
    def only(self) -> str | None:
        """The one URL that was given, None where there is none or there are many."""
        return None if self.are_many or not self._arguments else self._arguments[0]

    def total(self) -> int | None:
        """How many there are; None for a list on stdin or in a pipe, of which nobody knows."""
        if self._input_file is None:
            return None if STDIN in self._arguments else len(self._arguments)
        if STDIN in self._arguments or not os.path.isfile(self._input_file):
            return None
        return sum(1 for _ in self)

    def __iter__(self) -> Iterator[str]:
        """All URLs, each when it is needed. Raises InvalidInput for a list that cannot be read."""
        for argument in self._arguments:
            if argument == STDIN:
                yield from _listed(STDIN)
            else:
                yield argument
        if self._input_file is not None:
            yield from _listed(self._input_file)


def saved_page(path: str, base_url: str, settings: Settings) -> "SavedPage":
    """A page from a file, with a byte more than the limit so that it is seen to be longer.

    Raises InvalidInput when the file cannot be read.
    """
    from safefetch_cli.saved import SavedPage, type_of_file

    with _opened(path, f"--from-file: {path!r}", "the page") as stream:
        body = stream.read(settings.max_bytes + 1)
    return SavedPage(body, base_url, type_of_file(path))


def _check_list(path: str) -> None:
    """Refuse a list that is none, before anything is fetched. What is a pipe is read but once."""
    if not os.path.exists(path):
        raise InvalidInput(f"--input-file: {path!r} is not there")
    if os.path.isfile(path) or os.path.isdir(path):
        next(_listed(path))


def _listed(path: str) -> Iterator[str]:
    from safefetch_cli.url_list import read_urls

    label = "the list of URLs on stdin" if path == STDIN else f"--input-file: {path!r}"
    has_one = False
    with _opened(path, label, "a list of URLs") as stream:
        for url in read_urls(stream):
            has_one = True
            yield url
    if not has_one:
        raise InvalidInput(f"{label} has no URL in it")


@contextmanager
def _opened(path: str, label: str, what: str) -> Iterator[BinaryIO]:
    """A file or stdin. Not Python's own stdin: at the exit that waits for whoever reads it."""
    if path == STDIN and sys.stdin is not None and sys.stdin.isatty():
        output.remark(f"reading {what} from the terminal; end with Ctrl-D")
    try:
        with open(_STDIN_NUMBER if path == STDIN else path, "rb", closefd=path != STDIN) as stream:
            yield stream
    except OSError as error:
        reason = error.strerror or os.strerror(error.errno or 0)
        raise InvalidInput(f"{label} cannot be read: {reason}") from None
