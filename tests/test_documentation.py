"""README, help, man page and table of settings tell the same of flags, variables and statuses."""

import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest
from support_cli import HANG_SECONDS, Program
from support_flags import COMMANDS, FLAGS, Flag, names_of

from safefetch_cli import server_settings, settings
from safefetch_cli.config_place import VARIABLE as CONFIG_VARIABLE
from safefetch_cli.errors import FAILURES
from safefetch_cli.server_settings import ServerSettings
from safefetch_cli.setting_values import ports
from safefetch_cli.settings import Setting, Settings, flag_name

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
MAN = (ROOT / "man" / "safefetch.1").read_text("utf-8")
each_command = pytest.mark.parametrize("command", COMMANDS)
TABLE = (*settings.TABLE, *server_settings.TABLE)
DEFAULTS = {**Settings._field_defaults, **ServerSettings._field_defaults}
each_setting = pytest.mark.parametrize("row", TABLE, ids=[row.field for row in TABLE])
each_failure = pytest.mark.parametrize("code", FAILURES)


def section(title: str) -> str:
    """A section of the man page."""
    return re.split(r"^\.Sh ", MAN.partition(f"\n.Sh {title}\n")[2], flags=re.MULTILINE)[0]


def plain(source: str) -> str:
    """The text of mdoc source, in one line."""
    words = re.sub(r"^\.(?!Fl)(?:[A-Z][a-z] )?", "", source, flags=re.MULTILINE)
    return re.sub(r" (?=[;,.])", "", " ".join(re.sub(r"\.?Fl ", "-", words).split()))


def items(source: str) -> dict[str, str]:
    """The tags of a list in mdoc, each with its text."""
    rows = re.split(r"^\.It ", source, flags=re.MULTILINE)[1:]
    return {plain(row.partition("\n")[0]): plain(row.partition("\n")[2]) for row in rows}


@cache
def man_flags() -> dict[str, dict[str, str]]:
    """Command -> the tags of its flags in the man page -> their texts."""
    found: dict[str, dict[str, str]] = {name: {} for name in FLAGS}
    for part in re.split(r"^\.Ss ", section("OPTIONS"), flags=re.MULTILINE)[1:]:
        title, _, source = part.partition("\n")
        for name in commands_of(title):
            found[name].update(items(source))
    return found


def commands_of(title: str) -> list[str]:
    """The commands that a heading names: `Options of get and section`, `of every command but`."""
    words = [word for word in re.findall(r"[a-z-]+", title.lower()) if word in COMMANDS]
    if "without a command" in title:
        return [""]
    return [name for name in COMMANDS if name not in words] if "every command" in title else words


def tag(flag: Flag) -> str:
    """A flag as the man page lists it: the names, short ones first, and its value."""
    names = sorted(flag.names, key=lambda name: (name.startswith("--"), name.startswith("--no-")))
    value = f" {flag.metavar}" if flag.metavar else ""
    return ", ".join(names) + value


def default(row: Setting) -> str:
    """The default of a setting as the documents write it."""
    value = DEFAULTS[row.field]
    if value in ((), ""):
        return "any" if row.read is ports else "empty"
    if row.field == "user_agent":
        return re.sub(r"/[0-9.]+", "/VERSION", value, count=1)
    return str(value).lower() if isinstance(value, bool) else str(value)


def has_flag(row: Setting) -> bool:
    return any(flag_name(row.field) in names_of(command) for command in FLAGS)


@pytest.mark.parametrize("command", FLAGS)
def test_the_man_page_has_the_flags_of_each_command_and_no_others(command: str) -> None:
    listed = {re.sub(r" Ar ", " ", name) for name in man_flags()[command]}
    assert listed == {tag(flag) for flag in FLAGS[command]}


@pytest.mark.parametrize("command", FLAGS)
def test_the_man_page_has_the_defaults_and_choices_of_each_flag(command: str) -> None:
    texts = {re.sub(r" Ar ", " ", name): text for name, text in man_flags()[command].items()}
    for flag in FLAGS[command]:
        told = flag.help.partition("(default ")[2].partition(")")[0] or flag.default
        assert not told or f"default {told}" in texts[tag(flag)]
        assert [choice for choice in flag.choices if choice not in texts[tag(flag)]] == []


@each_command
def test_the_man_page_and_the_help_have_each_command(command: str, program: Program) -> None:
    assert f".Cm {command}\n" in section("SYNOPSIS")
    assert f"Cm {command}" in items(section("COMMANDS"))
    help_text = program.run(command, "--help").stdout.decode()
    assert [
        name for name in names_of(command) if not re.search(rf"(?<![\w-]){name}\b", help_text)
    ] == []


@pytest.mark.parametrize("command", FLAGS)
def test_the_readme_has_the_flags_of_each_command(command: str) -> None:
    told = set(re.findall(r"`(-{1,2}[a-zA-Z][a-z-]*)", README))
    assert names_of(command) - told == set()


def test_the_documents_have_no_flag_that_does_not_exist() -> None:
    known = {name for command in FLAGS for name in names_of(command)}
    known |= {"--proxy-url", "--allow-private-ips"}  # of mcp-server-fetch, to compare with
    ours = [*re.findall(r"`(--[a-z-]+)", README), *re.findall(r"Fl -([a-z][a-z-]+)", MAN)]
    assert {"--" + name.removeprefix("--") for name in ours} - known == set()


@each_setting
def test_the_man_page_has_each_variable_with_its_default_and_flag(row: Setting) -> None:
    text = items(section("ENVIRONMENT"))[f"Ev {row.variable}"]
    assert f"default {default(row)}" in text
    assert not has_flag(row) or re.search(rf"\bas {flag_name(row.field)}\b", text, re.IGNORECASE)


@each_setting
def test_the_readme_has_each_variable_with_its_default_and_flag(row: Setting) -> None:
    tables = [line for line in README.splitlines() if line.count(" | ") > 1]  # of settings
    (line,) = (line for line in tables if f"`{row.variable}`" in line)
    assert not has_flag(row) or f"`{flag_name(row.field)}" in line
    value = "10 s" if row.field == "timeout_ms" else default(row)
    if value not in ("empty", "false"):  # nothing is open, and no list has anything in it
        assert re.search(rf"(?<![\w.]){re.escape(value)}(?!\w)", line)


@pytest.mark.parametrize("field", ["timeout_ms", "max_bytes", "max_redirects"])
def test_the_help_tells_the_default_of_a_limit(field: str) -> None:
    value = DEFAULTS[field] // (1000 if field == "timeout_ms" else 1)
    told = [flag.help for flag in FLAGS["get"] if flag.long == flag_name(field)]
    assert len(told) == 1
    assert f"(default {value})" in told[0]


def test_the_documents_have_the_variables_of_the_program_and_no_others(program: Program) -> None:
    known = {CONFIG_VARIABLE, *(row.variable for row in TABLE if not row.bare_variable)}
    assert set(re.findall(r"SAFE_FETCH_[A-Z_]*[A-Z]", README)) == known
    assert set(re.findall(r"SAFE_FETCH_[A-Z_]*[A-Z]", MAN)) == known
    help_text = program.run("--help").stdout.decode()
    assert set(re.findall(r"SAFE_FETCH_[A-Z_]*[A-Z]", help_text)) <= known


@each_failure
def test_each_code_is_told_with_its_status_and_meaning(code: str, program: Program) -> None:
    failure = FAILURES[code]
    listed = items(section("EXIT STATUS"))[str(failure.exit_status)]
    assert listed.removesuffix(".") == f"{code}: {failure.when}"
    help_text = program.run("--help").stdout.decode()
    assert re.search(rf"^ +{failure.exit_status}  {code}: {failure.when}$", help_text, re.MULTILINE)


def test_each_exit_status_is_told(program: Program) -> None:
    expected = {0, 130, 141, *(failure.exit_status for failure in FAILURES.values())}
    assert {int(status) for status in items(section("EXIT STATUS"))} == expected
    help_text = program.run("--help").stdout.decode().partition("Exit statuses:")[2]
    assert {
        int(status) for status in re.findall(r"^ +(\d+)  ", help_text, re.MULTILINE)
    } == expected
    assert re.search(r"^130 is .* 141 ", README, re.MULTILINE)


@pytest.mark.skipif(
    not shutil.which("mandoc"), reason="mandoc is not installed: the man page is not checked"
)
def test_the_man_page_has_no_fault() -> None:
    ended = subprocess.run(
        ["mandoc", "-T", "lint", "-W", "style", str(ROOT / "man" / "safefetch.1")],
        capture_output=True,
        text=True,
        timeout=HANG_SECONDS,
    )
    assert (ended.returncode, ended.stdout) == (0, "")
