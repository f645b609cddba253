"""The entry of the MCP registry says what the distribution and its settings are."""

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from safefetch_cli import __version__, server_settings, settings

ROOT = Path(__file__).parents[1]
ENTRY = json.loads((ROOT / "server.json").read_text("utf-8"))
PACKAGES = ENTRY["packages"]
ROWS = {row.variable: row for row in (*settings.TABLE, *server_settings.TABLE)}
DEFAULTS = {**server_settings.ServerSettings()._asdict(), **settings.Settings()._asdict()}
SECRETS = {"SAFE_FETCH_HTTP_TOKEN"}
VARIABLES = [
    pytest.param(variable, id=f"{package['transport']['type']}-{variable['name']}")
    for package in PACKAGES
    for variable in package["environmentVariables"]
]


def test_version_and_package_are_those_of_the_distribution() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert ENTRY["version"] == __version__
    assert {package["version"] for package in PACKAGES} == {__version__}
    assert {package["identifier"] for package in PACKAGES} == {project["name"]}
    assert project["name"] in project["scripts"]  # what uvx runs


def test_the_readme_names_the_entry_so_that_the_registry_believes_it() -> None:
    assert f"<!-- mcp-name: {ENTRY['name']} -->" in (ROOT / "README.md").read_text("utf-8")


def test_the_registry_takes_the_description() -> None:
    assert 0 < len(ENTRY["description"]) <= 100


def test_the_packages_start_both_transports() -> None:
    started = {
        package["transport"]["type"]: [part["value"] for part in package["packageArguments"]]
        for package in PACKAGES
    }
    assert started == {"stdio": ["serve"], "streamable-http": ["serve", "--http"]}


@pytest.mark.parametrize("variable", VARIABLES)
def test_a_variable_is_a_setting_with_its_meaning_and_default(variable: dict[str, Any]) -> None:
    row = ROWS[variable["name"]]
    assert variable["description"] == row.meaning[0].upper() + row.meaning[1:]
    if "default" in variable:
        assert row.read(variable["default"], row.variable) == DEFAULTS[row.field]
    for example in (*variable.get("choices", ()), *filter(None, [variable.get("placeholder")])):
        row.read(example, row.variable)
    assert variable.get("isSecret", False) == (variable["name"] in SECRETS)
