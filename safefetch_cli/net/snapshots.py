"""Answers that are kept for a while, so that all reading of one page sees one version of it.

A store gives back what was stored under a key for as long as it is fresh. It judges nothing:
whoever uses an answer has its URL judged again first, since a name may lead elsewhere by now. The
key binds an answer to what it was fetched under, the policy and the sender among it. This is no
cache of HTTP but a memory of what was seen, like a browser's history, so the freshness of an answer
and `no-store` do not count (RFC 9111, 6); it is short.
"""

import hashlib
import json
import os
import re
import stat
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

from cachetools import TTLCache

from safefetch_cli.models import Hop, Response
from safefetch_cli.net.policy import Policy
from safefetch_cli.net.urls import Target

MAX_ENTRIES = 100
MAX_BYTES = 20_000_000
ENTRY_BYTES = 1024
"""What an answer costs besides its body, about."""

_FORMAT = 1
_SUFFIX = ".snapshot"
_NEW_PREFIX = ".new-"
_ABANDONED_SECONDS = 3600
_KEY = re.compile("[0-9a-f]{64}")
_WRONG_KINDS = (ValueError, TypeError, KeyError, AttributeError, ArithmeticError)
_CHECKSUM_BYTES = hashlib.sha256().digest_size


class Snapshots(Protocol):
    """A store of answers. Safe for threads; raises nothing when it cannot store or load."""

    def load(self, key: str) -> Response | None:
        """The answer stored under a key, None when there is none or it is too old."""

    def store(self, key: str, response: Response) -> None:
        """Keep an answer in place of the one before; older ones may go for it."""


def snapshot_key(target: Target, policy: Policy, user_agent: str, *limits: object) -> str:
    """The key of an answer: 64 hexadecimal digits.

    `limits` are further things that shaped it, such as the byte it was cut at. The fragment of the
    target is none of them.
    """
    parts = [_FORMAT, target.url, fingerprint(policy), user_agent, *map(str, limits)]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def fingerprint(policy: Policy) -> str:
    """A text that is the same for the same rules, in every process."""
    return json.dumps(policy._asdict(), default=_listed, sort_keys=True)


def _listed(value: object) -> object:
    return sorted(value) if isinstance(value, frozenset) else str(value)


class MemorySnapshots:
    """Answers in memory, the least recently used ones removed first.

    Bounded by entries, bytes (of bodies and some for each) and age in seconds.
    """

    def __init__(
        self,
        seconds: float,
        *,
        max_entries: int = MAX_ENTRIES,
        max_bytes: int = MAX_BYTES,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._max_entries = max_entries
        self._kept: TTLCache[str, Response] = TTLCache(max_bytes, seconds, clock, getsizeof=_size)
        self._lock = threading.Lock()

    def load(self, key: str) -> Response | None:
        with self._lock:
            return self._kept.get(key)

    def store(self, key: str, response: Response) -> None:
        with self._lock:
            self._kept.pop(key, None)
            while len(self._kept) >= self._max_entries:
                self._kept.popitem()
            with suppress(ValueError):  # larger than all that may be kept
                self._kept[key] = response


def _size(response: Response) -> int:
    return len(response.body) + ENTRY_BYTES


class DiskSnapshots:
    """Answers in files of one folder, so that one command sees what another fetched.

    Only the user can read them (files 0600 in a folder 0700). A file appears whole or not at all
    and carries a checksum, so several processes may use the folder; what cannot be read is removed.
    A folder or a file that is a symbolic link, or that is another user's, is not used. The oldest
    files go when all are larger than `max_bytes`. `clock` gives seconds since the epoch.
    """

    def __init__(
        self,
        folder: Path,
        seconds: float,
        *,
        max_bytes: int = MAX_BYTES,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._folder = folder
        self._seconds = seconds
        self._max_bytes = max_bytes
        self._clock = clock

    def load(self, key: str) -> Response | None:
        path = self._path(key)
        with suppress(OSError):
            if not _is_private(self._folder):
                return None
            data = _read(path, self._max_bytes)
            try:
                stored, response = _unpacked(data)
            except (*_WRONG_KINDS, RecursionError):
                path.unlink()
                return None
            return response if 0 <= self._clock() - stored <= self._seconds else None
        return None

    def store(self, key: str, response: Response) -> None:
        path = self._path(key)
        data = _packed(self._clock(), response)
        if len(data) > self._max_bytes:
            return
        with suppress(OSError):
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if _is_private(self._folder):
                _write(path, data)
                self._prune()

    def _path(self, key: str) -> Path:
        if not _KEY.fullmatch(key):
            raise ValueError("the key of a snapshot is 64 hexadecimal digits")
        return self._folder / (key + _SUFFIX)

    def _prune(self) -> None:
        """Remove what is too old, then the oldest until the rest is small enough."""
        left = self._max_bytes
        now = time.time()  # files bear the time of the system
        for changed, size, path in sorted(_files(self._folder), reverse=True):
            age = now - changed
            is_new = path.name.startswith(_NEW_PREFIX)
            left -= size
            if age > _ABANDONED_SECONDS if is_new else (left < 0 or age > self._seconds):
                with suppress(OSError):  # another process was faster
                    path.unlink()


def cache_folder(platform: str, environment: Mapping[str, str], home: Path) -> Path:
    """Where the system keeps a user's caches, for this program.

    `platform` is `sys.platform`. $XDG_CACHE_HOME or ~/.cache (XDG Base Directory Specification, by
    which a relative path does not count), ~/Library/Caches on macOS, %LOCALAPPDATA% on Windows.
    """
    if platform == "win32":
        local = environment.get("LOCALAPPDATA", "")
        return (Path(local) if local else home / "AppData" / "Local") / "safefetch" / "Cache"
    if platform == "darwin":
        return home / "Library" / "Caches" / "safefetch"
    given = Path(environment.get("XDG_CACHE_HOME", ""))
    return (given if given.is_absolute() else home / ".cache") / "safefetch"


def _is_private(folder: Path) -> bool:
    """Whether the folder is one, is ours, and lets nobody else in; ours is closed if it must be."""
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or not _is_ours(found):
        return False
    if os.name == "posix" and found.st_mode & 0o077:
        folder.chmod(0o700)
    return True


def _is_ours(found: os.stat_result) -> bool:
    return os.name != "posix" or found.st_uid == os.geteuid()


def _read(path: Path, max_bytes: int) -> bytes:
    """The bytes of a regular file. Raises OSError; never waits, as for a pipe."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    handle = os.open(path, flags | getattr(os, "O_BINARY", 0))
    try:
        found = os.fstat(handle)
        if not stat.S_ISREG(found.st_mode) or not _is_ours(found):
            raise OSError("not a file of ours")
        with open(handle, "rb", closefd=False) as file:
            return file.read(max_bytes + 1)
    finally:
        os.close(handle)


def _write(path: Path, data: bytes) -> None:
    """Put a file in its place in one step."""
    handle, name = tempfile.mkstemp(prefix=_NEW_PREFIX, dir=path.parent)
    try:
        with open(handle, "wb") as file:
            file.write(data)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def _files(folder: Path) -> list[tuple[float, int, Path]]:
    """When each file of ours was written, its size and its path."""
    found = []
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(_SUFFIX) or entry.name.startswith(_NEW_PREFIX):
                with suppress(OSError):
                    status = entry.stat(follow_symlinks=False)
                    found.append((status.st_mtime, status.st_size, Path(entry.path)))
    return found


def _packed(stored: float, response: Response) -> bytes:
    """Checksum, a line of JSON with all but the body, the body."""
    fields: dict[str, Any] = response._asdict()
    del fields["body"]
    # Cookies are somebody's secrets; they are of no use after the fetch, and never written.
    fields["headers"] = {n: value for n, value in response.headers.items() if n != "set-cookie"}
    fields["hops"] = [hop._asdict() for hop in response.hops]
    head = json.dumps({"format": _FORMAT, "stored": stored, "response": fields}).encode()
    rest = head + b"\n" + response.body
    return hashlib.sha256(rest).digest() + rest


def _unpacked(data: bytes) -> tuple[float, Response]:
    """When it was stored, and the answer. Raises what the wrong kind of value raises."""
    checksum, rest = data[:_CHECKSUM_BYTES], data[_CHECKSUM_BYTES:]
    if hashlib.sha256(rest).digest() != checksum:
        raise ValueError("the file is not whole")
    head, _, body = rest.partition(b"\n")
    content = json.loads(head)
    if content["format"] != _FORMAT:
        raise ValueError("another version of the program wrote it")
    fields = content["response"]
    fields["hops"] = tuple(Hop(**hop) for hop in fields["hops"])
    return float(content["stored"]), Response(**fields, body=body)
