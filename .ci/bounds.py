"""Write what the environments of the packaging check need.

    python .ci/bounds.py pyproject.toml FOLDER

FOLDER/lowest.txt pins each dependency to the oldest version that is allowed; FOLDER/tests.txt lists
what the tests need to run.
"""

import re
import sys
import tomllib
from pathlib import Path

_CHECKERS = re.compile(r"mypy|ruff|types-")
_BOUND = re.compile(r"([\w.-]+)>=([\w.]+)[^;]*(;.*)?")


def main(pyproject: str, folder: str) -> None:
    """Write both files."""
    project = tomllib.loads(Path(pyproject).read_text("utf-8"))["project"]
    bounds = [_BOUND.fullmatch(line) for line in project["dependencies"]]
    lowest = [f"{bound[1]}=={bound[2]}{bound[3] or ''}" for bound in bounds if bound]
    if len(lowest) != len(bounds):
        raise SystemExit("a dependency has no lower bound")
    tests = [line for line in project["optional-dependencies"]["test"] if not _CHECKERS.match(line)]
    Path(folder, "lowest.txt").write_text("\n".join(lowest) + "\n", "utf-8")
    Path(folder, "tests.txt").write_text("\n".join(tests) + "\n", "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
