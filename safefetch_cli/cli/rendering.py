"""Markdown and tables as a terminal shows them, through rich. Never for a pipe unless asked."""

import io
import json
import shutil
import sys
from collections.abc import Iterator, Mapping
from typing import Any, TextIO

from rich.console import Console, RenderableType
from rich.markdown import Markdown
from rich.table import Table
from rich.text import Text

from safefetch_cli.cli import style

MAX_COLUMNS = 100
"""Lines of prose that are longer are hard to read."""

_EMPTY: tuple[Any, ...] = (None, "", [], {})
_VERDICTS = {"allowed": "bold green", "refused": "bold red"}


def rendered_markdown(text: str, stream: TextIO | None) -> str:
    """Markdown for people, coloured as the stream wants it, None being a file.

    It can be no source of markdown any more.
    """
    columns = min(shutil.get_terminal_size().columns, MAX_COLUMNS)
    return _rendered(Markdown(text, hyperlinks=False), columns, stream)


def rendered_table(fields: Mapping[str, Any]) -> str:
    """A row for each field that is known, with a line for each item of a list or an object."""
    table = Table.grid(padding=(0, 2), pad_edge=False)
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in fields.items():
        lines = [] if value in _EMPTY else list(_lines(value))
        if lines:
            table.add_row(Text(name), _cell(lines))
    return _rendered(table, shutil.get_terminal_size().columns, sys.stdout)


def _cell(lines: list[str]) -> Text:
    # A style of the text alone, not of the room to its right.
    return Text().append("\n".join(lines), style=_VERDICTS.get(lines[0], ""))


def _lines(value: Any) -> Iterator[str]:
    """A value as lines of text."""
    if isinstance(value, Mapping):
        for name, one in value.items():
            if one not in _EMPTY:
                yield f"{name}: {_in_line(one)}"
    elif isinstance(value, list):
        yield from map(_in_line, value)
    else:
        yield _in_line(value)


def _in_line(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping) and not any(map(_is_nested, value.values())):
        return "  ".join(_part(name, one) for name, one in value.items() if one not in _EMPTY)
    return json.dumps(value, ensure_ascii=False)


def _is_nested(value: Any) -> bool:
    return isinstance(value, (Mapping, list))


def _part(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return name if value else f"not {name}"
    return str(value)


def _rendered(what: RenderableType, columns: int, seen_on: TextIO | None) -> str:
    is_coloured = style.is_coloured(seen_on)
    stream = io.StringIO()
    console = Console(
        file=stream,
        width=columns,
        force_terminal=is_coloured,
        color_system="standard" if is_coloured else None,
        no_color=not is_coloured,
        legacy_windows=False,
        emoji=False,
        highlight=False,
    )
    console.print(what)
    return "\n".join(line.rstrip() for line in stream.getvalue().split("\n"))
