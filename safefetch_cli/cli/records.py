"""Fields by name: a table on a terminal, plain lines elsewhere, or JSON."""

import sys
from collections.abc import Mapping
from typing import Any

from safefetch_cli import lines
from safefetch_cli.cli import output, style

MIN_TABLE_COLUMNS = 40
"""In a narrower terminal the values of a table would have no room."""


def write(fields: Mapping[str, Any], plain: str, *, json: bool) -> None:
    """Write the fields of a verdict or of metadata: as a table to a terminal, else in plain lines.

    JSON is the same everywhere.
    """
    if json:
        output.write(lines.as_json(fields))
    elif style.is_terminal(sys.stdout) and _has_room():
        from safefetch_cli.cli.rendering import rendered_table

        output.write(rendered_table(fields))
    else:
        output.write(plain)


def _has_room() -> bool:
    from shutil import get_terminal_size

    return get_terminal_size().columns >= MIN_TABLE_COLUMNS
