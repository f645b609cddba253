"""Fields by name: a table on a terminal, plain lines elsewhere, or JSON."""

import sys
from collections.abc import Mapping
from typing import Any

from safefetch_cli import lines
from safefetch_cli.cli import output, style


def write(fields: Mapping[str, Any], plain: str, *, json: bool) -> None:
    """Write the fields of a verdict or of metadata: as a table to a terminal, else in plain lines.

    JSON is the same everywhere.
    """
    if json:
        output.write(lines.as_json(fields))
    elif style.is_terminal(sys.stdout):
        from safefetch_cli.cli.rendering import rendered_table

        output.write(rendered_table(fields))
    else:
        output.write(plain)
