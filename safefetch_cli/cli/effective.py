"""The settings of a run and where each came from, as `-vv` shows them."""

import json
import os
import sys
from collections.abc import Iterable
from typing import Any

from safefetch_cli.cli import output
from safefetch_cli.config_file import ConfigFile
from safefetch_cli.config_place import usual_path
from safefetch_cli.settings import Setting


def show_settings(rows: Iterable[Setting], settings: Any, file: ConfigFile | None) -> None:
    """Tell on stderr which configuration file was read, and each of these settings."""
    usual = usual_path(sys.platform, os.environ)
    none = f"none; there is no {usual}" if usual else "none"
    output.note(f"* configuration file: {file.path if file else none}")
    show_rows(rows, settings)


def show_rows(rows: Iterable[Setting], settings: Any) -> None:
    """Tell each of these settings on stderr, as the configuration file would have it.

    `settings` has the fields of the rows, and `labels` of those that were given.
    """
    for row in rows:
        label = settings.labels.get(row.field, "default")
        source = label.removesuffix(f": {row.field}")
        output.note(f"* {row.field} = {_shown(row, getattr(settings, row.field))}  # {source}")


def _shown(row: Setting, value: Any) -> str:
    if row.form == "secret":
        return "(set)" if value else "(not set)"
    return json.dumps(value, ensure_ascii=False)
