"""Snapshots: in memory and on disk, bounded, private, whole, and never of another policy."""

import hashlib
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from support.clock import Clock

from safefetch_cli.models import Hop, Response
from safefetch_cli.net import urls
from safefetch_cli.net.policy import Policy
from safefetch_cli.net.snapshots import (
    ENTRY_BYTES,
    MAX_BYTES,
    DiskSnapshots,
    MemorySnapshots,
    Snapshots,
    cache_folder,
    fingerprint,
    snapshot_key,
)

KEY, OTHER = "a" * 64, "b" * 64
SECONDS = 300.0


Make = Callable[..., Snapshots]


def answer(body: bytes = b"body\n\x00\xff") -> Response:
    return Response(
        requested_url="http://a.example/#x",
        final_url="http://b.example/",
        status=200,
        reason="OK",
        headers={"content-type": "text/html", "x-name": "\xe9"},
        body=body,
        truncated=False,
        complete=True,
        retry_after_seconds=None,
        hops=(Hop("http://a.example/", "192.0.2.1", 302, "", 0, 5),),
    )


@pytest.fixture(params=["memory", "disk"])
def make(request: pytest.FixtureRequest, tmp_path: Path, clock: Clock) -> Make:
    if request.param == "memory":
        return lambda **more: MemorySnapshots(SECONDS, clock=clock, **more)
    return lambda **more: DiskSnapshots(tmp_path / "kept" / "here", SECONDS, clock=clock, **more)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "kept"


def on_disk(folder: Path, max_bytes: int = MAX_BYTES) -> DiskSnapshots:
    return DiskSnapshots(folder, SECONDS, max_bytes=max_bytes)


def test_what_is_stored_is_loaded(make: Make) -> None:
    store = make()
    assert store.load(KEY) is None
    store.store(KEY, answer())
    assert store.load(KEY) == answer()
    assert store.load(OTHER) is None


def test_the_last_one_counts(make: Make) -> None:
    store = make()
    store.store(KEY, answer(b"old"))
    store.store(KEY, answer(b"new"))
    loaded = store.load(KEY)
    assert loaded is not None
    assert loaded.body == b"new"


def test_what_is_too_old_is_not_loaded(make: Make, clock: Clock) -> None:
    store = make()
    store.store(KEY, answer())
    clock.now += SECONDS - 1
    assert store.load(KEY) is not None
    clock.now += 2
    assert store.load(KEY) is None


def test_what_is_too_large_is_not_stored(make: Make) -> None:
    store = make(max_bytes=5000)
    store.store(KEY, answer(b"x" * 5001))
    assert store.load(KEY) is None


def test_memory_is_bounded_by_bytes_and_the_least_used_goes() -> None:
    store = MemorySnapshots(SECONDS, max_bytes=3 * (ENTRY_BYTES + 100))
    for key in ("a", "b", "c"):
        store.store(key, answer(b"x" * 100))
    assert store.load("a") is not None
    store.store("d", answer(b"x" * 100))
    assert [store.load(key) is not None for key in "abcd"] == [True, False, True, True]


def test_memory_is_bounded_by_entries() -> None:
    store = MemorySnapshots(SECONDS, max_entries=2)
    for key in ("a", "b", "c"):
        store.store(key, answer())
    assert [store.load(key) is not None for key in "abc"] == [False, True, True]


def test_files_are_private(folder: Path) -> None:
    previous = os.umask(0)
    try:
        on_disk(folder).store(KEY, answer())
    finally:
        os.umask(previous)
    assert [path.name for path in folder.iterdir()] == [f"{KEY}.snapshot"]
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE((folder / f"{KEY}.snapshot").stat().st_mode) == 0o600


def test_cookies_are_not_written(folder: Path) -> None:
    response = answer()
    secret = response.changed(headers={**response.headers, "set-cookie": "sid=secret"})
    store = on_disk(folder)
    store.store(KEY, secret)
    assert b"secret" not in (folder / f"{KEY}.snapshot").read_bytes()
    assert store.load(KEY) == response


def test_an_open_folder_of_ours_is_closed(folder: Path) -> None:
    folder.mkdir()
    folder.chmod(0o777)
    on_disk(folder).store(KEY, answer())
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_the_oldest_files_go_first(folder: Path) -> None:
    store = on_disk(folder, max_bytes=8000)
    for number, key in enumerate("abc"):
        store.store(key * 64, answer(b"x" * 2000))
        path = folder / f"{key * 64}.snapshot"
        os.utime(path, (path.stat().st_atime, path.stat().st_mtime - 10 + number))
    store.store("d" * 64, answer(b"x" * 2000))
    assert [store.load(key * 64) is not None for key in "abcd"] == [False, True, True, True]
    assert sum(path.stat().st_size for path in folder.iterdir()) <= 8000


def test_what_is_too_old_and_what_was_abandoned_is_removed(folder: Path) -> None:
    store = on_disk(folder)
    store.store(KEY, answer())
    abandoned, young, foreign = folder / ".new-x", folder / ".new-y", folder / "notes.txt"
    for path in (abandoned, young, foreign):
        path.write_bytes(b"x")
    for path in (folder / f"{KEY}.snapshot", abandoned, foreign):
        os.utime(path, (0, 0))
    store.store(OTHER, answer())
    assert {path.name for path in folder.iterdir()} == {f"{OTHER}.snapshot", ".new-y", "notes.txt"}


def _cut(data: bytes) -> bytes:
    return data[:-3]


def _flip(data: bytes) -> bytes:
    return data[:-1] + bytes([data[-1] ^ 1])


@pytest.mark.parametrize(
    "damage", [_cut, _flip, lambda _: b"", lambda data: data + b"x", lambda _: b"{}\n" * 40]
)
def test_a_damaged_file_is_removed(folder: Path, damage: Callable[[bytes], bytes]) -> None:
    store = on_disk(folder)
    store.store(KEY, answer())
    path = folder / f"{KEY}.snapshot"
    path.write_bytes(damage(path.read_bytes()))
    assert store.load(KEY) is None
    assert not path.exists()


def test_a_link_is_not_followed(folder: Path, tmp_path: Path) -> None:
    store = on_disk(folder)
    store.store(KEY, answer())
    real = tmp_path / "elsewhere"
    path = folder / f"{KEY}.snapshot"
    path.rename(real)
    path.symlink_to(real)
    before = real.read_bytes()
    assert store.load(KEY) is None
    store.store(KEY, answer(b"new"))
    assert real.read_bytes() == before
    assert not path.is_symlink()


def test_a_folder_that_is_a_link_is_not_used(folder: Path, tmp_path: Path) -> None:
    real = tmp_path / "elsewhere"
    real.mkdir()
    folder.symlink_to(real)
    store = on_disk(folder)
    store.store(KEY, answer())
    assert store.load(KEY) is None
    assert list(real.iterdir()) == []


def test_a_pipe_and_a_folder_in_place_of_a_file(folder: Path) -> None:
    folder.mkdir(mode=0o700)
    os.mkfifo(folder / f"{KEY}.snapshot")
    (folder / f"{OTHER}.snapshot").mkdir()
    assert on_disk(folder).load(KEY) is None
    assert on_disk(folder).load(OTHER) is None


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    store = on_disk(tmp_path / "file" / "kept")
    store.store(KEY, answer())
    assert store.load(KEY) is None


@pytest.mark.parametrize("key", ["", "../" + "a" * 61, "A" * 64, "a" * 63, "a" * 64 + "\n"])
def test_a_key_is_no_path(folder: Path, key: str) -> None:
    with pytest.raises(ValueError, match="64 hexadecimal digits"):
        on_disk(folder).load(key)


HAMMER = """
import sys
from pathlib import Path
from test_snapshots import answer
from safefetch_cli.net.snapshots import DiskSnapshots

store = DiskSnapshots(Path(sys.argv[1]), 300, max_bytes=2_000_000)
seen = 0
sys.stdin.readline()
for turn in range(int(sys.argv[3])):
    key = f"{turn % 5:064x}"
    store.store(key, answer(sys.argv[2].encode() * (1 + turn * 997 % 300_000)))
    loaded = store.load(f"{(turn + 2) % 5:064x}")
    if loaded is not None:
        assert set(loaded.body) in ({ord("x")}, {ord("y")}), "a torn read"
        seen += 1
print(seen)
"""


def test_two_processes_hammer_the_store(folder: Path) -> None:
    here = Path(__file__).parent
    paths = os.pathsep.join([str(here), str(here.parent), os.environ.get("PYTHONPATH", "")])
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", HAMMER, str(folder), letter, "300"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": paths},
        )
        for letter in "xy"
    ]
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    for process in processes:
        out, errors = process.communicate(timeout=60)
        assert (process.returncode, errors) == (0, "")
        assert int(out) > 0
    kept = list(folder.iterdir())
    assert all(path.suffix == ".snapshot" for path in kept)
    assert sum(path.stat().st_size for path in kept) <= 2_000_000


def key_of(url: str = "http://a.example/", agent: str = "x", **rules: object) -> str:
    return snapshot_key(urls.parse(url), Policy.build(**rules), agent)  # type: ignore[arg-type]


def test_a_key_is_of_url_policy_and_sender() -> None:
    assert key_of() == key_of("HTTP://A.example:80/#fragment")
    assert len(key_of()) == 64
    others = [
        key_of("http://a.example/?q"),
        key_of("https://a.example/"),
        key_of(agent="y"),
        key_of(allow_local=True),
        key_of(allow=["10.0.0.0/8"]),
        key_of(allow=["10.0.0.0/8:80"]),
        key_of(denylist=["b.example"]),
        key_of(allowlist=["a.example"]),
        key_of(allowed_ports=[80, 443]),
        snapshot_key(urls.parse("http://a.example/"), Policy(), "x", 1000),
    ]
    assert len({key_of(), *others}) == len(others) + 1


def test_a_fingerprint_is_the_same_in_every_process() -> None:
    rules = "allowed_ports=[80, 443, 8080, 3000], allow=['10.0.0.0/8:80', 'a.example']"
    script = (
        "from safefetch_cli.net.snapshots import fingerprint\n"
        "from safefetch_cli.net.policy import Policy\n"
        f"print(fingerprint(Policy.build({rules})))"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(found) == 1
    assert fingerprint(Policy.build(allowed_ports=[443, 80])) == fingerprint(
        Policy.build(allowed_ports=[80, 443])
    )


@pytest.mark.parametrize(
    ("platform", "environment", "expected"),
    [
        ("linux", {}, "/home/u/.cache/safefetch"),
        ("linux", {"XDG_CACHE_HOME": "/x"}, "/x/safefetch"),
        ("linux", {"XDG_CACHE_HOME": "relative"}, "/home/u/.cache/safefetch"),
        ("linux", {"XDG_CACHE_HOME": ""}, "/home/u/.cache/safefetch"),
        ("darwin", {"XDG_CACHE_HOME": "/x"}, "/home/u/Library/Caches/safefetch"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/safefetch/Cache"),
        ("win32", {}, "/home/u/AppData/Local/safefetch/Cache"),
    ],
)
def test_where_the_cache_is(platform: str, environment: dict[str, str], expected: str) -> None:
    assert cache_folder(platform, environment, Path("/home/u")) == Path(expected)


@pytest.mark.parametrize(
    "head",
    [b"[" * 100_000, b"null", b'{"format": 1, "stored": 0, "response": 7}', b'{"format": 2}'],
    ids=["deep", "null", "number", "other version"],
)
def test_a_file_that_holds_something_else_is_removed(tmp_path: Path, head: bytes) -> None:
    store = DiskSnapshots(tmp_path, SECONDS)
    rest = head + b"\nbody"
    path = tmp_path / f"{KEY}.snapshot"
    path.write_bytes(hashlib.sha256(rest).digest() + rest)
    assert store.load(KEY) is None
    assert not path.exists()
