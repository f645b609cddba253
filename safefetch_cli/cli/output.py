"""Where things go: the result to stdout or a file, all else to stderr, and the exit status.

Text is written as UTF-8 bytes with line feeds whatever the locale, and through no console renderer.
"""

import os
import re
import sys
from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING

from safefetch_cli.errors import HttpError, InvalidInput, SafefetchError

if TYPE_CHECKING:
    from safefetch_cli.models import Hop

EXIT_CLOSED_PIPE = 141  # 128 + SIGPIPE
STDOUT = "-"

_CONTROL = "[\x00-\x1f\x7f-\x9f]"
_MAX_SHOWN_CHARS = 300


class PipeClosed(Exception):
    """Whoever read stdout went away."""


def check_target(path: str | None, *, force: bool) -> None:
    """Refuse an output file that could not be written, before anything is fetched."""
    if path is None or path == STDOUT:
        return
    folder = os.path.dirname(path) or "."
    if not path or os.path.isdir(path) or not os.path.isdir(folder):
        raise InvalidInput(f"--output: {path!r} is not a file in an existing folder")
    if not force and os.path.isfile(path):
        raise _exists(path)


def write(text: str, path: str | None, *, force: bool = False) -> None:
    """Write a result; a text that is not empty ends in exactly one line feed."""
    data = (text.rstrip("\n") + "\n").encode("utf-8", "replace") if text else b""
    if path is None or path == STDOUT:
        _write_stdout(data)
    else:
        _write_file(data, path, force=force)


def note(text: str) -> None:
    """One line on stderr, free of control characters."""
    if sys.stderr is None:
        return
    with suppress(OSError, ValueError):  # a closed stderr must not change the result
        print(re.sub(_CONTROL, " ", text), file=sys.stderr, flush=True)


def report(error: SafefetchError) -> None:
    """An error on stderr: one line, and an indented one where there is more to say."""
    note(f"safefetch: {error.code}: {error.message}")
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
    return InvalidInput(f"the result cannot be written to standard output: {reason}")


def _write_stdout(data: bytes) -> None:
    if sys.stdout is None:
        raise InvalidInput("standard output is closed, so the result cannot be written")
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


def _write_file(data: bytes, path: str, *, force: bool) -> None:
    try:
        if os.path.exists(path) and not os.path.isfile(path):  # a device or a named pipe
            with open(path, "wb") as stream:
                stream.write(data)
        else:
            _replace(data, path, force=force)
    except BrokenPipeError:
        raise PipeClosed from None
    except OSError as error:
        raise InvalidInput(f"--output: {path!r} cannot be written: {error.strerror}") from None


def _replace(data: bytes, path: str, *, force: bool) -> None:
    """Write beside the target, then rename: the target is there whole or not at all."""
    import tempfile

    path = os.path.realpath(path)  # a link stays a link, to the new file
    handle, temporary = tempfile.mkstemp(prefix=".safefetch-", dir=os.path.dirname(path))
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(temporary, _mode(path))
        if force:
            os.replace(temporary, path)
        else:
            _rename_to_new(temporary, path)
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(temporary)
        raise


def _rename_to_new(temporary: str, path: str) -> None:
    try:
        os.link(temporary, path)  # fails where a file has come meanwhile; a rename would replace it
    except FileExistsError:
        raise _exists(path) from None
    except OSError:  # a file system without links
        if os.path.exists(path):
            raise _exists(path) from None
        os.replace(temporary, path)
    else:
        os.unlink(temporary)


def _mode(path: str) -> int:
    """The mode of the file that is replaced, or what the umask gives to a new one."""
    try:
        return os.stat(path).st_mode & 0o7777
    except FileNotFoundError:
        mask = os.umask(0o077)
        os.umask(mask)
        return 0o666 & ~mask


def _exists(path: str) -> InvalidInput:
    return InvalidInput(f"--output: {path!r} exists; use --force to replace it")
