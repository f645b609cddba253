"""Files that are there whole or not at all."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO


@contextmanager
def whole_file(path: str, *, replace: bool, follow_link: bool = True) -> Iterator[BinaryIO]:
    """A stream whose content becomes the file at the end, all at once; nothing if that fails.

    It is written beside the target and renamed. A device or a named pipe is written to as it is.
    With `follow_link` a symbolic link stays one, to the new file; without, the link is what is
    replaced. Raises FileExistsError where there is something and `replace` is not set, and OSError.
    """
    if follow_link and os.path.exists(path) and not os.path.isfile(path):
        with open(path, "wb") as stream:
            yield stream
        return
    path = os.path.realpath(path) if follow_link else os.path.abspath(path)
    handle, temporary = tempfile.mkstemp(prefix=".safefetch-", dir=os.path.dirname(path))
    try:
        with os.fdopen(handle, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(temporary, _mode(path))
        if replace:
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
        raise
    except OSError:  # a file system without links
        if os.path.lexists(path):
            raise FileExistsError(path) from None
        os.replace(temporary, path)
    else:
        os.unlink(temporary)


def _mode(path: str) -> int:
    """The mode of the file that is replaced, or what the umask gives to a new one."""
    if os.path.isfile(path) and not os.path.islink(path):
        return os.stat(path).st_mode & 0o7777
    mask = os.umask(0o077)
    os.umask(mask)
    return 0o666 & ~mask
