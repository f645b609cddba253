"""The commands and flags of the program, as it declares them itself."""

from typing import Any, NamedTuple, cast

import typer

from safefetch_cli import server_settings, settings
from safefetch_cli.choices import CHOICES
from safefetch_cli.cli import app, style


class Flag(NamedTuple):
    """One flag of one command."""

    names: tuple[str, ...]  # short and long, and those that take it back
    metavar: str  # what its value is, "" where it takes none
    choices: tuple[str, ...]  # the only values that it takes, () where any may do
    default: str  # what its value is where it is not given, "" where nothing
    help: str

    @property
    def long(self) -> str:
        return next(name for name in self.names if name.startswith("--"))


def flags_of(command: str) -> list[Flag]:
    """The flags of a command, or of the program itself where it is "". Hidden ones are none."""
    root: Any = typer.main.get_command(app._application([command]))
    context = root.make_context("safefetch", [], resilient_parsing=True)
    if command:
        root = root.commands[command]
        context = root.make_context(command, [], parent=context, resilient_parsing=True)
    return [
        _flag(parameter)
        for parameter in root.get_params(context)
        if parameter.param_type_name == "option" and not parameter.hidden
    ]


def _flag(parameter: Any) -> Flag:
    takes_value = not (parameter.is_flag or parameter.count)
    default = parameter.default if takes_value and isinstance(parameter.default, str) else ""
    return Flag(
        names=(*parameter.opts, *parameter.secondary_opts),
        metavar=(parameter.metavar or "VALUE") if takes_value else "",
        choices=_choices(parameter.name) if takes_value else (),
        default=default,
        help=parameter.help or "",
    )


def _choices(name: str) -> tuple[str, ...]:
    """Of an argument of the operations, or of a setting."""
    rules = {row.field: row.read.rule for row in (*settings.TABLE, *server_settings.TABLE)}
    kind, _, words = rules.get(name, "").partition("one of ")
    known = {**CHOICES, "_color": style.CHOICES}
    return known.get(name) or (tuple(words.split(", ")) if words and not kind else ())


COMMANDS: list[str] = list(cast(Any, typer.main.get_command(app._application([]))).commands)
FLAGS: dict[str, list[Flag]] = {name: flags_of(name) for name in ("", *COMMANDS)}
"""Command -> its flags; "" is the program without a command."""


def names_of(command: str) -> set[str]:
    """All names of all flags of a command."""
    return {name for flag in FLAGS[command] for name in flag.names}
