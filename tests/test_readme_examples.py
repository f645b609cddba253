"""Every command that the README shows does what it shows."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.readme import SHOWN_PORT, Example, blocks, readme_site, sessions
from support_cli import HANG_SECONDS, Program, Site, command

pytestmark = pytest.mark.skipif(shutil.which("bash") is None, reason="the examples are for a shell")

_NEXT = "\x1e"  # a sign that no example shows
SESSIONS = sessions()


@pytest.fixture(scope="module")
def harbour() -> Iterator[Site]:
    site = readme_site()
    yield site
    site.close()


def here(text: str, site: Site) -> str:
    """The text of the README with the port of this site in place of the one it shows."""
    return text.replace(SHOWN_PORT, str(site.port))


@pytest.mark.parametrize("session", SESSIONS, ids=[session[0].command for session in SESSIONS])
def test_an_example_shows_what_the_commands_show(
    session: list[Example], harbour: Site, program: Program
) -> None:
    assert len(str(harbour.port)) == 5, "the sizes that an outline shows are those of such a port"
    status = f'status=$?; printf "{_NEXT}"; (exit $status)'
    script = "\n".join(f"{here(example.command, harbour)}\n{status}" for example in session)
    path = os.pathsep.join((sysconfig.get_path("scripts"), program.environment["PATH"]))
    ended = subprocess.run(
        ["bash", "-c", script],
        env={**program.environment, "PATH": path},
        cwd=program.folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=HANG_SECONDS,
    )
    shown = [part.rstrip("\n") for part in ended.stdout.decode().split(_NEXT)[:-1]]
    assert shown == [here("\n".join(example.shown), harbour) for example in session]
    program.check()


def test_the_examples_are_there() -> None:
    words = " ".join(example.command for session in SESSIONS for example in session)
    for name in ("get", "outline", "section", "links", "metadata", "check-url"):
        assert f"safefetch {name} " in words


def test_the_python_program_runs(harbour: Site, program: Program) -> None:
    source = next("\n".join(block) for block in blocks() if block[0].startswith("from safefetch"))
    ended = program.run("-c", here(source, harbour), prefix=[sys.executable])
    assert (ended.status, ended.stderr) == (0, "")
    title, chars = ended.stdout.decode().rsplit(" ", 1)
    assert title == "Tide tables" or title.startswith("Tide tables")
    assert int(chars) > 100


def test_the_configuration_of_a_client_starts_the_server(program: Program) -> None:
    source = next("\n".join(block) for block in blocks() if block[0] == "{")
    server = json.loads(source)["mcpServers"]["safefetch"]
    assert [server["command"], *server["args"]] == ["uvx", "safefetch-cli", "serve"]
    hello = {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "readme", "version": "0"},
    }
    message = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}
    ended = program.run(*server["args"][1:], stdin=None, input=json.dumps(message).encode() + b"\n")
    assert ended.status == 0
    assert json.loads(ended.stdout)["result"]["serverInfo"]["name"] == "safefetch"


def test_the_script_is_started_as_the_package_index_would() -> None:
    script = Path(command()[0])
    assert script.name == "safefetch"
    assert script.with_name("safefetch-cli").exists()
