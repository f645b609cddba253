"""How much memory a fetch takes: it is made in a process of its own, which measures itself."""

import json
import subprocess
import sys
from typing import NamedTuple

import pytest

MEBIBYTE = 1024 * 1024

_PROGRAM = """
import json, sys
from pathlib import Path
from safefetch_cli.errors import SafefetchError
from safefetch_cli.models import Limits
from safefetch_cli.net.fetch import Fetcher
from safefetch_cli.net.policy import Policy

def status(field):
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(field + ":"))

fetcher = Fetcher(Policy.build(allow=["127.0.0.1"]), user_agent="test")
limits = Limits(seconds=20.0, max_bytes=5_000_000, max_redirects=0)
fetcher.fetch(sys.argv[1] + "small", limits)
before = status("VmRSS")
Path("/proc/self/clear_refs").write_text("5")  # the peak starts anew
try:
    fetcher.fetch(sys.argv[1], limits)
    code = "OK"
except SafefetchError as error:
    code = error.code
print(json.dumps([code, (status("VmHWM") - before) * 1024]))
"""


class Growth(NamedTuple):
    """How a fetch ended, and how far the memory in use rose while it lasted."""

    code: str
    bytes: int


def growth_of_fetch(base_url: str) -> Growth:
    """Fetch the URL, which ends in a slash, after `small` beneath it, which warms up."""
    if not sys.platform.startswith("linux"):
        pytest.skip("memory is measured by /proc")
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM, base_url], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    return Growth(*json.loads(done.stdout))
