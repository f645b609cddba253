"""The official conformance suite, over HTTP, for both eras of the protocol.

Many of its scenarios ask for tools, prompts and resources of a server that was made for the suite.
So the scenarios that apply to any server must succeed in full, and whatever fails in the others
must say that what it asks for is not there.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from support import node_clients
from support.node_clients import CONFORMANCE, TOOLS_NEED, Node
from support_cli import Program, guarded_environment

pytestmark = node_clients.need(TOOLS_NEED)

VERSIONS = ("2025-11-25", "2026-07-28")
APPLICABLE = {
    "2025-11-25": {
        *("server-initialize", "ping", "tools-list", "prompts-list", "dns-rebinding-protection"),
    },
    "2026-07-28": {
        *("tools-list", "prompts-list", "dns-rebinding-protection", "http-header-validation"),
        *("server-sse-multiple-streams", "input-required-result-unsupported-methods"),
        "input-required-result-validate-input",
    },
}
"""The scenarios that ask for nothing but a server with tools and prompts."""

NOT_THERE = [
    (r"", r"Unknown (tool|prompt): test_"),
    (r"", r"Not testable: server (does not list|exposes no) "),
    (r"completion-|logging|tools-call-with-logging|resources-|caching", r"Method not found"),
    (r"json-schema-2020-12", r"Tool 'json_schema_2020_12_tool' not found"),
    # These follow from a tool that is not there.
    (r"input-required-result-multi-round", r"Expected InputRequiredResult"),
    (r"input-required-result-tampered-state", r"could not get initial InputRequiredResult"),
]
"""In which scenarios a check may fail, and with which words."""


class Check(NamedTuple):
    """One check of a scenario, and how it went."""

    scenario: str
    name: str
    status: str
    message: str

    @property
    def is_of_what_is_not_there(self) -> bool:
        return any(
            re.match(scenario, self.scenario) and re.search(words, self.message)
            for scenario, words in NOT_THERE
        )


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Program:
    folder = tmp_path_factory.mktemp("conformance")
    return Program(guarded_environment(folder), folder)


@pytest.fixture(scope="module")
def address(shared: Program) -> Iterator[str]:
    environment = {"SAFE_FETCH_RATE_LIMIT_MAX": "100000"}
    with node_clients.served_over_http(shared, ["--compat"], environment) as url:
        yield url


@pytest.fixture(scope="module", params=VERSIONS)
def checks(request: Any, shared: Program, address: str) -> tuple[str, list[Check]]:
    """A version of the protocol, and all checks of the suite for it."""
    version = str(request.param)
    folder = shared.folder / version
    Node(shared, TOOLS_NEED).run(
        *(CONFORMANCE, "server", "--url", address, "--suite", "all"),
        *("--spec-version", version, "--output-dir", str(folder)),
    )
    return version, [check for file in folder.glob("*/checks.json") for check in _read(file)]


def _read(file: Path) -> list[Check]:
    scenario = re.sub(r"^server-|-\d{4}-\d\d-\d\dT[\d-]+Z$", "", file.parent.name)
    return [
        Check(scenario, one["id"], one["status"], one.get("errorMessage") or "")
        for one in json.loads(file.read_text("utf-8"))
    ]


def test_the_scenarios_that_apply_succeed(checks: tuple[str, list[Check]]) -> None:
    version, all_checks = checks
    applicable = [one for one in all_checks if one.scenario in APPLICABLE[version]]
    assert {one.scenario for one in applicable} == APPLICABLE[version]
    assert [one for one in applicable if one.status not in ("SUCCESS", "INFO")] == []


def test_what_fails_is_of_what_the_server_has_not(checks: tuple[str, list[Check]]) -> None:
    failed = [one for one in checks[1] if one.status == "FAILURE"]
    assert [one for one in failed if not one.is_of_what_is_not_there] == []


def test_every_message_has_the_shape_that_its_version_prescribes(
    checks: tuple[str, list[Check]],
) -> None:
    shapes = [one.status for one in checks[1] if one.name == "wire-schema-valid"]
    assert set(shapes) == {"SUCCESS"}
