"""What the program loads before it is needed: nothing."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from support_cli import HANG_SECONDS, guarded_environment

VERDICT = ["check-url", "http://127.0.0.1/"]
HEAVY = {
    *("requests", "urllib3", "ssl", "http.client", "email", "asyncio", "importlib.metadata"),
    *("lxml", "readability", "bs4", "markdownify", "charset_normalizer", "certifi"),
    *("mcp", "rich", "pydantic", "tomllib"),
}
FACE = {
    *("", ".errors"),
    *(".cli", ".cli.app", ".cli.command_table", ".cli.output", ".cli.style"),
}
JUDGES = {
    *(
        ".access",
        ".choices",
        ".config_place",
        ".lines",
        ".operations",
        ".settings",
        ".setting_values",
    ),
    *(".cli.check_url", ".cli.options", ".cli.records"),
    *(".net", ".net.addresses", ".net.budget", ".net.check", ".net.hosts", ".net.policy"),
    *(".net.urls", ".verdicts"),
}


def loaded(folder: Path, *arguments: str) -> set[str]:
    """The modules that a run loads."""
    ended = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "safefetch_cli", *arguments],
        env=guarded_environment(folder),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=HANG_SECONDS,
    )
    assert ended.returncode in (0, 3)
    lines = re.findall(r"^import time:.*\| +(\S+)$", ended.stderr.decode(), re.MULTILINE)
    return set(lines)


def of_the_program(modules: set[str]) -> set[str]:
    """The program's own modules, without its name."""
    return {
        name.removeprefix("safefetch_cli")
        for name in modules
        if name.partition(".")[0] == "safefetch_cli"
    }


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], VERDICT], ids=" ".join)
def test_help_version_and_a_verdict_load_nothing_heavy(
    tmp_path: Path, arguments: list[str]
) -> None:
    assert loaded(tmp_path, *arguments) & HEAVY == set()


@pytest.mark.parametrize("arguments", [["--help"], ["--version"]], ids=" ".join)
def test_help_and_version_load_the_command_line_alone(tmp_path: Path, arguments: list[str]) -> None:
    assert of_the_program(loaded(tmp_path, *arguments)) == FACE


def test_a_verdict_loads_what_judges_and_nothing_that_connects(tmp_path: Path) -> None:
    assert of_the_program(loaded(tmp_path, *VERDICT)) == FACE | JUDGES


def test_a_plain_page_loads_nothing_for_its_parts_its_data_or_discussions(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("<title>Tides</title><h1>Tides</h1><p>The ferry leaves with the tide.</p>")
    found = loaded(tmp_path, "get", "--from-file", str(page), "-o", str(tmp_path / "page.md"))
    assert "safefetch_cli.content.page" in found
    of_others = ("outline", "paging", "pointer", "front_matter", "embedded_data", "forum", "feed")
    assert found & {f"safefetch_cli.content.{name}" for name in of_others} == set()
    assert found & {"html.entities", "protego", "rich"} == set()


def test_the_package_itself_loads_none_of_its_modules() -> None:
    code = "import sys, safefetch_cli; print([x for x in sys.modules if 'safefetch_cli.' in x])"
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, timeout=HANG_SECONDS, text=True
    )
    assert ended.stdout == "[]\n"
