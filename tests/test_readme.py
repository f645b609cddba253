"""The tables of the README are those of the program."""

import re
from pathlib import Path

import pytest

from safefetch_cli.errors import FAILURES
from safefetch_cli.models import HINTS

README = (Path(__file__).parents[1] / "README.md").read_text("utf-8")


def test_every_hint_is_in_the_readme_with_its_words() -> None:
    rows = dict(re.findall(r"^\| `([a-z-]+)` \| (.+) \|$", README, re.MULTILINE))
    assert {hint: rows.get(hint) for hint in HINTS} == HINTS


def test_every_code_is_in_the_readme_with_its_exit_status() -> None:
    rows = re.findall(r"^\| ([A-Z_]+) \| .+? \| (\d+) \|", README, re.MULTILINE)
    assert {code: int(status) for code, status in rows} == {
        code: failure.exit_status for code, failure in FAILURES.items()
    }


@pytest.mark.parametrize("command", ["get", "outline", "section", "links", "metadata", "check-url"])
def test_every_command_is_in_the_readme(command: str) -> None:
    assert f"`safefetch {command} URL" in README
