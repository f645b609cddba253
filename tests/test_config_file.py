"""The configuration file: between environment and defaults; faults are told with their line."""

import os
import stat
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from support_cli import Ended, Program

from safefetch_cli import config_file, server_settings
from safefetch_cli.cli.effective import show_settings
from safefetch_cli.config_file import ConfigFile
from safefetch_cli.config_place import find_file, usual_path
from safefetch_cli.errors import InvalidInput
from safefetch_cli.setting_values import header_text
from safefetch_cli.settings import (
    SERVER_KEYS,
    TABLE,
    Setting,
    Settings,
    load,
    read_table,
)

NOBODY = 65534


def read(text: str) -> Settings:
    """The settings of a file of this text alone."""
    return load({}, {}, config_file.parse(text.encode(), "/folder/c.toml"))


def fault(text: str) -> str:
    with pytest.raises(InvalidInput) as caught:
        read(text)
    return caught.value.message


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("allow_local = true", True),
        ('allow = ["10.0.0.1", "::1"]', ("10.0.0.1", "::1")),
        ('fake_ip = ["198.18.0.0/15"]', ("198.18.0.0/15",)),
        ('allowlist = ["a.example", "*.b.example"]', ("a.example", "*.b.example")),
        ('denylist = ["a.example c.example"]', ("a.example", "c.example")),
        ('allowed_ports = [80, "443"]', (80, 443)),
        ('allowed_ports = ["any"]', ()),
        ("https_only = true", True),
        ("allow_https_downgrade = true", True),
        ('max_bytes = "5m"', 5_000_000),
        ("max_bytes = 1_000", 1_000),
        ("timeout_ms = 600_000", 600_000),
        ("max_redirects = 0", 0),
        ('user_agent = "me/1"', "me/1"),
        (f"ca_file = {__file__!r}", __file__),
        ('robots = "ignore"', "ignore"),
        ("cache_ttl_ms = 1", 1),
        ("cache_max_entries = 2", 2),
        ('cache_max_bytes = "3k"', 3_000),
        ("snapshot_ttl_ms = 0", 0),
        ("max_concurrent = 5", 5),
        ("max_per_host = 6", 6),
    ],
)
def test_a_key_is_read(line: str, value: object) -> None:
    field = line.partition(" ")[0]
    settings = read(line)
    assert getattr(settings, field) == value
    assert settings.labels == {field: f"/folder/c.toml:1: {field}"}


def test_every_setting_can_be_a_key() -> None:
    rows = test_a_key_is_read.pytestmark[0].args[1]  # type: ignore[attr-defined]
    assert {line.partition(" ")[0] for line, _ in rows} == {row.field for row in TABLE}


def test_the_settings_of_the_server_are_keys_that_other_commands_pass_over() -> None:
    assert {row.field for row in server_settings.TABLE} == SERVER_KEYS
    file = config_file.parse(b'port = 8080\nhttp_token = "0123456789abcdef"\n', "c.toml")
    assert load({}, {}, file) == Settings()
    served = server_settings.load_server({"transport": "http"}, {}, file)
    assert (served.port, served.http_token) == (8080, ("0123456789abcdef",))
    assert served.labels["port"] == "c.toml:1: port"


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('allow_local = "true"', "'true' is not true or false"),
        ("https_only = 1", "1 is not true or false"),
        ('allow = "10.0.0.1"', "'10.0.0.1' is not a list"),
        ("allow = [1]", "[1] is not a list"),
        ('allow = [["10.0.0.1"]]', "[['10.0.0.1']] is not a list"),
        ("allowlist = []", "[] is not a list with something in it"),
        ('denylist = [" , "]', "' , ' is not a list with something in it"),
        ("allowed_ports = [0]", "'0' is not a whole number from 1 to 65535"),
        ("allowed_ports = 80", "80 is not a list of whole numbers from 1 to 65535"),
        ("allowed_ports = [true]", "is not a list"),
        ('timeout_ms = "10"', "'10' is not a whole number from 1 to 600000"),
        ("timeout_ms = 10.0", "10.0 is not a whole number from 1 to 600000"),
        ("timeout_ms = 1979-05-27", "is not a whole number from 1 to 600000"),
        ("max_redirects = true", "true is not a whole number from 0 to 20"),
        ("max_redirects = -1", "-1 is not a whole number from 0 to 20"),
        ("max_redirects = 21", "21 is not a whole number from 0 to 20"),
        (f"max_redirects = 0x{'f' * 9000}", "the number is not a whole number from 0 to 20"),
        ('max_bytes = "5x"', "'5x' is not a number of bytes from 1 to 1000000000"),
        ("max_bytes = 0", "0 is not a number of bytes from 1 to 1000000000"),
        ("max_bytes = {k = 5}", "{'k': 5} is not a number of bytes"),
        ('user_agent = ""', "'' is not 1 to 512 printable ASCII characters"),
        ("user_agent = 5", "5 is not 1 to 512 printable"),
        ('robots = "maybe"', "'maybe' is not one of respect, ignore"),
        ('ca_file = "/missing.pem"', "'/missing.pem' is not a file that can be read"),
        ("ca_file = 5", "5 is not a file that can be read"),
    ],
)
def test_a_value_of_the_wrong_type_or_range_is_refused(line: str, told: str) -> None:
    field = line.partition(" ")[0]
    message = fault(f"# a comment\n\n{line}\n")
    assert message.startswith(f"/folder/c.toml:3: {field}: ")
    assert told in message


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("max_byte = 1", 1),
        ('user_agent = "a"\nmax_byte = 1', 2),
        ('user_agent = "a"\r\nmax_byte = 1\r\n', 2),
        ("\ufeffmax_byte = 1", 1),
        ("allow = [\n  '10.0.0.1', # max_byte = 1\n]\n  'max_byte' = 1", 4),
        ('user_agent = """\\\nmax_byte = 1\n"""\n"max_byte"=1', 4),
        ('user_agent = """a""""" # "\nmax_byte = 1', 2),
        ("user_agent = '''\n[max_byte]\n''''\nmax_byte.a = 1", 4),
        ('user_agent = "\\"["\nmax_byte = 1', 2),
        ("# [\n\n[max_byte]\nmax_bytes = 1", 3),
        ("# ]\n\n[[ max_byte ]]\na = 1", 3),
    ],
)
def test_an_unknown_key_is_refused_with_its_line(text: str, line: int) -> None:
    with pytest.raises(InvalidInput) as caught:
        read(text)
    assert caught.value.message.startswith(f"/folder/c.toml:{line}: max_byte: there is no such")
    assert caught.value.hint == "Did you mean max_bytes?"


def test_a_key_whose_line_cannot_be_told_is_told_with_the_file() -> None:
    assert fault('"max\\u005fbyte" = 1').startswith("/folder/c.toml: max_byte: ")


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"max_bytes", "/folder/c.toml: the file is not TOML: "),
        (b"a = 1\nmax_bytes = five\n", "/folder/c.toml:2: the file is not TOML: Invalid value"),
        (b"max_bytes = 1\nmax_bytes = 2\n", "/folder/c.toml:2: the file is not TOML: "),
        (b"a = 1\nb = '\xff'\n", "/folder/c.toml:2: the file is not UTF-8"),
        (b"max_bytes = " + b"9" * 9000, "/folder/c.toml: the file is not TOML: "),
        (b"allow = " + b"[" * 100_000, "/folder/c.toml"),
    ],
    ids=range(6),
)
def test_a_file_that_is_not_toml_is_refused(data: bytes, told: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        config_file.parse(data, "/folder/c.toml")
    assert caught.value.message.startswith(told)
    assert "(at " not in caught.value.message.replace("(at end of document)", "")


def test_a_flag_wins_over_a_variable_and_that_over_the_file() -> None:
    file = ConfigFile("c.toml", {"max_redirects": 1, "max_bytes": 2, "timeout_ms": 3}, {})
    environment = {"SAFE_FETCH_MAX_REDIRECTS": "4", "SAFE_FETCH_MAX_BYTES": "5"}
    settings = load({"max_redirects": "6"}, environment, file)
    assert (settings.max_redirects, settings.max_bytes, settings.timeout_ms) == (6, 5, 3)
    assert settings.labels == {
        "max_redirects": "--max-redirects",
        "max_bytes": "SAFE_FETCH_MAX_BYTES",
        "timeout_ms": "c.toml: timeout_ms",
    }


def test_a_path_is_one_of_the_folder_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "c.toml").write_text('ca_file = "mine.pem"')
    (tmp_path / "mine.pem").touch()
    file = config_file.read(str(tmp_path / "c.toml"), "--config")
    assert load({}, {}, file).ca_file == str(tmp_path / "mine.pem")


@pytest.mark.parametrize(
    ("platform", "environment", "path"),
    [
        ("linux", {"HOME": "/h"}, "/h/.config/safefetch/config.toml"),
        ("linux", {"HOME": "/h", "XDG_CONFIG_HOME": "/x"}, "/x/safefetch/config.toml"),
        ("linux", {"HOME": "/h", "XDG_CONFIG_HOME": "x"}, "/h/.config/safefetch/config.toml"),
        ("linux", {"HOME": "h", "XDG_CONFIG_HOME": "."}, ""),
        ("darwin", {"HOME": "/h"}, "/h/Library/Application Support/safefetch/config.toml"),
        ("win32", {"HOME": "/h", "APPDATA": "/a"}, "/a/safefetch/config.toml"),
        ("win32", {"HOME": "/h", "APPDATA": "a"}, ""),
        ("win32", {"HOME": "/h"}, ""),
    ],
)
def test_the_usual_place(platform: str, environment: dict[str, str], path: str) -> None:
    assert usual_path(platform, environment) == path


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """The user's own file; its text is for the tests to change."""
    path = tmp_path / "python-path" / "config" / "safefetch" / "config.toml"
    path.parent.mkdir(parents=True, mode=0o700)
    path.touch(mode=0o600)
    return path


def refused_privately(program: Program, **options: Any) -> Ended:
    """A run that tells whether the loopback address was opened."""
    return program.run("check-url", "http://127.0.0.1/", **options)


def test_the_users_own_file_is_read(program: Program, own: Path) -> None:
    own.write_text("allow_local = true\n")
    assert refused_privately(program).status == 0


def test_another_file_is_read_in_its_place(program: Program, own: Path) -> None:
    own.write_text("allow_local = true\n")
    other, third = program.folder / "other.toml", program.folder / "third.toml"
    other.write_text("allow_local = false\n")
    third.write_text("allow_local = true\n")
    variable = {"SAFE_FETCH_CONFIG": str(other)}
    assert refused_privately(program, environment=variable).status == 3
    ended = program.run(
        "check-url", "http://127.0.0.1/", "--config", str(third), environment=variable
    )
    assert ended.status == 0
    assert refused_privately(program, environment={"SAFE_FETCH_CONFIG": " "}).status == 0


def test_nothing_is_read_from_the_working_directory(program: Program) -> None:
    for name in ("config.toml", "safefetch.toml", ".safefetch.toml", "safefetch/config.toml"):
        path = program.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("allow_local = true\n")
    (program.folder / ".env").write_text("SAFE_FETCH_ALLOW_LOCAL=true\n")
    for environment in ({}, {"XDG_CONFIG_HOME": "."}, {"XDG_CONFIG_HOME": ""}):
        assert refused_privately(program, environment=environment).status == 3


@pytest.mark.parametrize("named_by", ["--config", "SAFE_FETCH_CONFIG"])
@pytest.mark.parametrize(("name", "reason"), [("none.toml", "No such file"), (".", "directory")])
def test_a_named_file_that_cannot_be_read_is_refused(
    program: Program, named_by: str, name: str, reason: str
) -> None:
    is_flag = named_by.startswith("-")
    ended = program.run(
        *("check-url", "http://127.0.0.1/", *([named_by, name] if is_flag else [])),
        environment={} if is_flag else {named_by: name},
    )
    assert ended.status == 2
    ended.check_failure("INVALID_INPUT", f"{named_by}: ", f"'{name}'", reason)


def test_a_file_larger_than_any_configuration_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "c.toml"
    path.write_bytes(b"#" * (config_file.MAX_BYTES + 1))
    with pytest.raises(InvalidInput, match="larger than 1000000 bytes"):
        config_file.read(str(path), "--config")


@pytest.mark.parametrize("name", ["get", "outline", "section", "links", "metadata", "check-url"])
def test_a_fault_is_told_by_every_command(program: Program, name: str) -> None:
    (program.folder / "c.toml").write_text("\nmax_redirects = 21\n")
    ended = program.run(name, "http://127.0.0.1/", "--config", "c.toml")
    assert ended.status == 2
    ended.check_failure("INVALID_INPUT", "c.toml:2: max_redirects: ", "21", "from 0 to 20")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
@pytest.mark.parametrize("what", ["the file", "its folder", "the folder of its target"])
def test_an_own_file_that_others_may_write_is_refused(
    own: Path, tmp_path: Path, what: str, mode: int
) -> None:
    target = own
    if what == "the folder of its target":
        target = tmp_path / "elsewhere" / "c.toml"
        target.parent.mkdir()
        own.unlink()
        own.symlink_to(target)
        target.touch()
    place = target if what == "the file" else target.parent
    place.chmod(mode | stat.S_IXUSR)
    environment = {"XDG_CONFIG_HOME": str(own.parents[1])}
    with pytest.raises(InvalidInput, match=f"other users may write to {place}$") as caught:
        find_file(None, environment)
    assert str(own) in caught.value.message
    assert find_file(str(own), environment) is not None  # whoever names it vouches for it
    place.chmod(0o1777 if place.is_dir() else 0o644)  # as /tmp: nobody replaces it
    assert find_file(None, environment) is not None


@pytest.mark.skipif(os.name == "nt" or os.geteuid() != 0, reason="only root gives files away")
def test_an_own_file_of_another_user_is_refused(own: Path) -> None:
    os.chown(own, NOBODY, NOBODY)
    with pytest.raises(InvalidInput, match="other users may write"):
        find_file(None, {"XDG_CONFIG_HOME": str(own.parents[1])})


@pytest.mark.skipif(os.name == "nt", reason="Windows lets few users make links")
@pytest.mark.parametrize("target", ["nowhere.toml", "config.toml"])
def test_an_own_file_that_leads_nowhere_is_refused(
    program: Program, own: Path, target: str
) -> None:
    """What it was to close must not stay open."""
    own.unlink()
    own.symlink_to(target)
    ended = refused_privately(program)
    assert ended.status == 2
    ended.check_failure("INVALID_INPUT", f"the configuration file: '{own}' cannot be read: ")


def test_an_own_file_that_is_a_folder_is_told_by_its_name(program: Program, own: Path) -> None:
    own.unlink()
    own.mkdir()
    own.chmod(0o700)
    ended = refused_privately(program)
    assert ended.status == 2
    ended.check_failure("INVALID_INPUT", f"the configuration file: '{own}' cannot be read: Is a")


def test_where_there_is_no_usual_place_none_is_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("safefetch_cli.cli.effective.usual_path", lambda *_: "")
    show_settings([], SimpleNamespace(labels={}), None)
    assert capsys.readouterr().err == "* configuration file: none\n"


def test_vv_tells_each_setting_and_what_gave_it(program: Program) -> None:
    (program.folder / "c.toml").write_text('\nmax_bytes = "5k"\nallow = ["10.0.0.1"]\n')
    ended = program.run(
        *("check-url", "http://127.0.0.1/", "-vv", "--config", "c.toml", "--https-only"),
        environment={"SAFE_FETCH_MAX_REDIRECTS": "3"},
    )
    first, *lines = (line for line in ended.error_lines if line.startswith("* "))
    assert first == "* configuration file: c.toml"
    assert [line.split()[1] for line in lines] == [row.field for row in TABLE]
    assert {
        "* allow_local = false  # default",
        '* allow = ["10.0.0.1"]  # c.toml:3',
        "* max_bytes = 5000  # c.toml:2",
        "* max_redirects = 3  # SAFE_FETCH_MAX_REDIRECTS",
        "* https_only = true  # --https-only",
        '* robots = "respect"  # default',
    } <= set(lines)
    assert ended.stdout.startswith(b"refused http://127.0.0.1/")


def test_vv_tells_where_a_file_would_be_looked_for(program: Program, own: Path) -> None:
    own.unlink()
    ended = program.run("check-url", "http://127.0.0.1/", "-vv")
    assert ended.error_lines[0] == f"* configuration file: none; there is no {own}"
    assert program.run("check-url", "http://127.0.0.1/", "-v").stderr.count("* ") == 0


def test_a_secret_is_never_shown(capsys: pytest.CaptureFixture[str]) -> None:
    kept = SimpleNamespace(token="hush-hush", other="", labels={"token": "c.toml:1: token"})
    rows = [Setting(name, header_text, "a secret", form="secret") for name in ("token", "other")]
    show_settings(rows, kept, None)
    told = capsys.readouterr().err.splitlines()[1:]
    assert told == ["* token = (set)  # c.toml:1", "* other = (not set)  # default"]
    file = ConfigFile("c.toml", {"token": ["hush-hush"]}, {"token": 1})
    with pytest.raises(InvalidInput, match=r"^c\.toml:1: token: ") as caught:
        read_table(rows, {}, {}, file)
    assert caught.value.message.endswith(": the value is not 1 to 512 printable ASCII characters")
