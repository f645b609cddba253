"""The completions offer what the program takes, asked in the shells themselves."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from support_flags import COMMANDS, FLAGS, names_of
from support_shells import COMPLETIONS, SHELLS, here, is_there

Ask = Callable[..., list[set[str]]]
FILES = {"bash": "safefetch.bash", "zsh": "_safefetch", "fish": "safefetch.fish"}
A_FILE, A_FOLDER = {"FILE"}, {"DIR"}


@pytest.fixture(params=list(SHELLS))
def ask(request: pytest.FixtureRequest, tmp_path: Path) -> Ask:
    """What the shell offers for each of these lines, in a folder with a file and a folder."""
    shell = request.param
    if not is_there(shell):
        pytest.skip(f"{shell} is not installed, so its completion is not tried")
    (here(tmp_path) / "page one.html").touch()
    (here(tmp_path) / "folder").mkdir()

    def offers(*lines: str) -> list[set[str]]:
        found = SHELLS[shell](lines, tmp_path)
        return [{word.replace("\\", "") for word in offer} for offer in found]

    return offers


def lines_of(metavars: set[str]) -> list[str]:
    """For each flag with such a value, the line at which it is wanted."""
    return [
        f"safefetch {command} {name} "
        for command in COMMANDS
        for flag in FLAGS[command]
        for name in flag.names
        if flag.metavar in metavars
    ]


def test_the_flags_of_each_command_are_offered_and_no_others(ask: Ask) -> None:
    found = ask(*(f"safefetch {command} -".replace("  ", " ") for command in FLAGS))
    assert dict(zip(FLAGS, found, strict=True)) == {name: names_of(name) for name in FLAGS}


def test_the_commands_are_offered(ask: Ask) -> None:
    assert ask("safefetch ", "safefetch che", "safefetch-cli ") == [
        *(set(COMMANDS), {"check-url"}, set(COMMANDS)),
    ]


def test_the_choices_of_a_flag_are_offered(ask: Ask) -> None:
    expected = {
        f"safefetch {command} {flag.long}{sign}": set(flag.choices)
        for command in COMMANDS
        for flag in FLAGS[command]
        if flag.choices
        for sign in " ="
    }
    assert dict(zip(expected, ask(*expected), strict=True)) == expected
    assert len(expected) > 8


def test_files_are_offered_where_one_is_named(ask: Ask) -> None:
    lines = lines_of(A_FILE)
    found = ask(*lines)
    assert [
        line for line, offer in zip(lines, found, strict=True) if "page one.html" not in offer
    ] == []
    assert len(lines) > 8


def test_folders_are_offered_where_one_is_named(ask: Ask) -> None:
    lines = ["safefetch get --output ", *lines_of(A_FOLDER)]
    found = ask(*lines)
    assert [line for line, offer in zip(lines, found, strict=True) if "folder" not in offer] == []


def test_other_values_and_addresses_are_left_to_the_user(ask: Ask) -> None:
    lines = [
        f"safefetch {command} {flag.long} "
        for command in COMMANDS
        for flag in FLAGS[command]
        if flag.metavar not in {"", *A_FILE, *A_FOLDER} and not flag.choices
    ]
    lines += [f"safefetch {command} " for command in COMMANDS if command != "serve"]
    expected = {line: set() if "--depth" not in line else set("123456") for line in lines}
    assert dict(zip(lines, ask(*lines), strict=True)) == expected


def test_flags_are_offered_after_an_address_but_not_after_two_dashes(ask: Ask) -> None:
    assert ask(
        "safefetch get https://example.com/ --fra",
        "safefetch-cli outline --dep",
        "safefetch get -- --fra",
    ) == [{"--frame"}, {"--depth"}, set()]


@pytest.mark.parametrize("name", FILES.values())
def test_a_completion_names_every_flag(name: str) -> None:
    """Also where the shell is missing."""
    text = (COMPLETIONS / name).read_text("utf-8")
    named = re.findall(r"(?<![\w-])-(?:-[a-z][a-z-]+|[a-zA-Z](?!\w))", text)
    if name.endswith("fish"):
        named = [
            f"-{'-' * (kind == 'l')}{flag}" for kind, flag in re.findall(r" -([sl]) (\S+)", text)
        ]
    expected = {flag for command in FLAGS for flag in names_of(command)}
    assert expected - set(named) == set()
