"""Where things go: the result to stdout or a file, all else to stderr, and the exit status.

Text is written as UTF-8 bytes with line feeds whatever the locale, and through no console renderer.
"""

import os
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, BinaryIO

from safefetch_cli.cli import style
from safefetch_cli.errors import HttpError, InvalidInput, SafefetchError

if TYPE_CHECKING:
    from safefetch_cli.models import Hop

EXIT_CLOSED_PIPE = 141  # 128 + SIGPIPE
STDOUT = "-"

_CONTROL = "[\x00-\x1f\x7f-\x9f]"
_MAX_SHOWN_CHARS = 300


class PipeClosed(Exception):
    """Whoever read stdout went away."""


class StdoutLost(InvalidInput):
    """Nothing more can be written to stdout."""


def check_target(path: str | None, *, force: bool) -> None:
    """Refuse an output file that could not be written, before anything is fetched."""
    if path is None or path == STDOUT:
        return
    folder = os.path.dirname(path) or "."
    if not path or os.path.isdir(path) or not os.path.isdir(folder):
        raise InvalidInput(f"--output: {path!r} is not a file in an existing folder")
    if not force and os.path.isfile(path):
        raise exists(path)
    is_device = os.path.exists(path) and not os.path.isfile(path)
    if not os.access(path if is_device else os.path.dirname(os.path.realpath(path)), os.W_OK):
        raise InvalidInput(f"--output: {path!r} cannot be written here")


def as_bytes(text: str) -> bytes:
    """A result in UTF-8; a text that is not empty ends in exactly one line feed."""
    return (text.rstrip("\n") + "\n").encode("utf-8", "replace") if text else b""


def write(text: str, path: str | None = None, *, force: bool = False) -> None:
    """Write a result to stdout or a file."""
    if path is None or path == STDOUT:
        write_stdout(as_bytes(text))
        return
    with file(path, force=force) as stream:
        stream.write(as_bytes(text))


def note(text: str, lead: str = "") -> None:
    """One line on stderr, free of control characters; its lead is coloured on a terminal."""
    if sys.stderr is None:
        return
    text = re.sub(_CONTROL, " ", text)
    if lead:
        text = f"{style.painted(lead, sys.stderr)} {text}"
    with suppress(OSError, ValueError):  # a closed stderr must not change the result
        print(text, file=sys.stderr, flush=True)


def remark(text: str) -> None:
    """A note on stderr about the result."""
    note(text, lead="safefetch: note:")


def report(error: SafefetchError, url: str = "") -> None:
    """An error on stderr: one line, and an indented one where there is more to say.

    `url` is named where there are several, unless the error does.
    """
    named = f"{url}: " if url and url not in error.message else ""
    note(f"{named}{error.message}", lead=f"safefetch: {error.code}:")
    if error.hint:
        note(f"  {error.hint}")
    if isinstance(error, HttpError) and error.text:
        text = " ".join(error.text.split())
        cut = "..." if len(text) > _MAX_SHOWN_CHARS else ""
        note(f"  The page says: {text[:_MAX_SHOWN_CHARS]}{cut}")


def show_hops(hops: "Iterable[Hop]") -> None:
    """The chain of requests, a line each."""
    for hop in hops:
        kind = hop.content_type or "no type"
        note(
            f"* GET {hop.url} from {hop.address}: {hop.status}, {kind}, {hop.bytes} bytes, "
            f"{hop.milliseconds} ms"
        )


def stdout_failed(error: OSError) -> InvalidInput:
    """What it means that stdout cannot be written. Raises PipeClosed when its reader went away."""
    if isinstance(error, BrokenPipeError):
        raise PipeClosed from None
    drop_stdout()
    reason = error.strerror or error
    return StdoutLost(f"the result cannot be written to standard output: {reason}")


def write_stdout(data: bytes) -> None:
    """Write bytes to stdout, at once."""
    if sys.stdout is None:
        raise StdoutLost("standard output is closed, so the result cannot be written")
    rest = memoryview(data)
    try:
        while rest:  # an unbuffered stream may take a part at a time
            rest = rest[sys.stdout.buffer.write(rest) :]
        sys.stdout.buffer.flush()
    except OSError as error:
        raise stdout_failed(error) from None


def drop_stdout() -> None:
    """Let what is still buffered go nowhere, so that the exit does not fail once more."""
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


@contextmanager
def file(
    path: str, *, force: bool, flag: str = "--output", follow_link: bool = True
) -> Iterator[BinaryIO]:
    """A stream that becomes the file at the end. Raises InvalidInput that names the flag."""
    from safefetch_cli.files import whole_file

    try:
        with whole_file(path, replace=force, follow_link=follow_link) as stream:
            yield stream
    except BrokenPipeError:
        raise PipeClosed from None
    except FileExistsError:
        raise exists(path, flag) from None
    except OSError as error:
        raise InvalidInput(f"{flag}: {path!r} cannot be written: {error.strerror}") from None


def exists(path: str, flag: str = "--output") -> InvalidInput:
    """What it means that there is a file already."""
    return InvalidInput(f"{flag}: {path!r} exists; use --force to replace it")
