"""What an installation brings: two commands, the manual page and the completions."""

import sys
import tomllib
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

import pytest
from support_cli import Program

import safefetch_cli

ROOT = Path(__file__).parents[1]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
SHARED = PYPROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["shared-data"]


@pytest.fixture
def installed() -> Distribution:
    try:
        return distribution("safefetch-cli")
    except PackageNotFoundError:
        pytest.skip("the distribution is not installed, so what it brings is not checked")


def test_both_names_start_the_program(installed: Distribution) -> None:
    scripts = {entry.name: entry.value for entry in installed.entry_points}
    assert scripts == dict.fromkeys(("safefetch", "safefetch-cli"), "safefetch_cli.__main__:main")
    assert installed.version == safefetch_cli.__version__


def test_the_manual_and_the_completions_are_installed(installed: Distribution) -> None:
    files = [file for file in installed.files or () if "share" in file.parts]
    there = {"/".join(file.parts[file.parts.index("share") :]): file for file in files}
    assert set(there) == set(SHARED.values())
    assert [name for name, file in there.items() if not Path(str(file.locate())).is_file()] == []


def test_every_page_and_completion_has_its_place() -> None:
    sources = {
        str(path.relative_to(ROOT).as_posix())
        for folder in ("man", "completions")
        for path in (ROOT / folder).iterdir()
    }
    assert set(SHARED) == sources


def test_the_module_is_the_command(program: Program) -> None:
    ended = program.run("--version", prefix=[sys.executable, "-m", "safefetch_cli"])
    assert (ended.status, ended.stdout) == (0, f"safefetch {safefetch_cli.__version__}\n".encode())
