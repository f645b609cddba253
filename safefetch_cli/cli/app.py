"""The command line: arguments in, one command, an exit status."""

import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Annotated

import typer

from safefetch_cli import __version__
from safefetch_cli.cli import output
from safefetch_cli.cli.command_table import COMMANDS
from safefetch_cli.errors import (
    FAILURES,
    InternalError,
    InvalidInput,
    SafefetchError,
)

_EXIT_STATUSES = "\n".join(
    f"  {row.exit_status:>3}  {row.code}: {row.when}"
    for row in sorted(FAILURES.values(), key=lambda row: row.exit_status)
)
_HELP = """\
Turn a web address into clean markdown, through a guard that never reaches an internal network.

\b
Examples:
  safefetch get https://example.com/
  safefetch get https://example.com/ -o page.md
  safefetch outline https://example.com/
  safefetch section https://example.com/ "More information"
  safefetch check-url http://169.254.169.254/
"""
_EPILOG = f"""\
\b
Exit statuses:
    0  success
{_EXIT_STATUSES}
  130  interrupted
  141  the reader of stdout went away

Every option of the guard and the limits has an environment variable: SAFE_FETCH_ and its name,
as in SAFE_FETCH_ALLOW_LOCAL=true, SAFE_FETCH_MAX_BYTES=1000000, SAFE_FETCH_TIMEOUT_MS=5000.
A file may hold them as max_bytes = 1000000: --config FILE, SAFE_FETCH_CONFIG, or
$XDG_CONFIG_HOME/safefetch/config.toml.
"""


def run() -> int:
    """Run the command line; its exit status."""
    try:
        return _run()
    except output.PipeClosed:
        output.drop_stdout()
        return output.EXIT_CLOSED_PIPE


def _run() -> int:
    try:
        command = typer.main.get_command(_application(sys.argv[1:]))
        # Not through the library's own main: on Windows it would expand %NAME% in a URL, and send
        # what the variable holds to the site; and it takes a closed pipe for a failure.
        with command.make_context("safefetch", sys.argv[1:]) as context:
            command.invoke(context)
    except typer.Exit as ended:
        return ended.exit_code
    except typer.TyperException as error:
        return _fail(InvalidInput(error.format_message(), hint=_hint(sys.argv[1:])))
    except SafefetchError as error:
        return _fail(error)
    except output.PipeClosed:
        raise
    except OSError as error:
        return _fail(output.stdout_failed(error))
    except Exception as error:  # noqa: BLE001 - a bug: said in one line, with no traceback
        hint = "This is a bug in safefetch; with -vv it says where."
        return _fail(InternalError(f"{type(error).__name__}: {error}", hint=hint))
    return 0


def _hint(arguments: Sequence[str]) -> str:
    """What may help who called the program wrongly."""
    called = _called(arguments)
    if called.startswith(("http://", "https://")):
        return f"To read a page: safefetch get {called}"
    return f"See safefetch {called} --help." if called in COMMANDS else "See safefetch --help."


def _fail(error: SafefetchError) -> int:
    if isinstance(error, InternalError) and "-vv" in sys.argv:
        import traceback

        traceback.print_exc()
    output.report(error)
    if "--json" in sys.argv:
        from safefetch_cli import lines

        with suppress(SafefetchError):  # a stdout that cannot be written was told already
            output.write(lines.as_json(error.to_dict()))
    return error.exit_status


_Version = Annotated[
    bool,
    typer.Option("--version", "-V", show_default=False, help="Show the version and exit."),
]


def _root(context: typer.Context, version: _Version = False) -> None:
    if context.invoked_subcommand is None and not version:
        if sys.stderr is not None:
            print(context.get_help(), file=sys.stderr)
        raise typer.Exit(FAILURES["INVALID_INPUT"].exit_status)
    if version:
        output.write(f"safefetch {__version__}")
        raise typer.Exit


def _application(arguments: Sequence[str]) -> typer.Typer:
    """The command line for these arguments.

    Only the command that is called gets its flags: to declare those of all takes longer than to
    load the library.
    """
    app = typer.Typer(
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    )
    app.callback(invoke_without_command=True, help=_HELP, epilog=_EPILOG)(_root)
    called = _called(arguments)
    for name, command in COMMANDS.items():
        run = command.load() if name == called else _not_called
        app.command(name, help=command.meaning)(run)
    return app


def _called(arguments: Sequence[str]) -> str:
    """The word that names the command."""
    return next((word for word in arguments if not word.startswith("-")), "")


def _not_called() -> None:
    """Stands for a command in the list of commands."""
