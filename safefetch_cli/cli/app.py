"""The commands: each reads its options, calls one operation and hands the result to `output`."""

import sys
from typing import Any, NoReturn, cast

import typer

from safefetch_cli import __version__
from safefetch_cli.cli import options, output
from safefetch_cli.errors import (
    FAILURES,
    HttpError,
    InternalError,
    InvalidInput,
    SafefetchError,
)
from safefetch_cli.models import Result, Verdict
from safefetch_cli.operations import Client
from safefetch_cli.settings import Settings

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
"""

app = typer.Typer(
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


def main() -> NoReturn:
    """Run the command line and exit with its status."""
    try:
        status = _run()
    except output.PipeClosed:
        output.leave_closed_pipe()
    except KeyboardInterrupt:
        status = output.EXIT_INTERRUPTED
    sys.exit(status)


def _run() -> int:
    command = typer.main.get_command(app)
    try:
        # Not through the library's own main: on Windows it would expand %NAME% in a URL, and send
        # what the variable holds to the site; and it takes a closed pipe for a failure.
        with command.make_context("safefetch", sys.argv[1:]) as context:
            command.invoke(context)
    except typer.Exit as ended:
        return ended.exit_code
    except typer.TyperException as error:
        return _fail(InvalidInput(error.format_message(), hint="See safefetch --help."))
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


def _fail(error: SafefetchError) -> int:
    if isinstance(error, InternalError) and "-vv" in sys.argv:
        import traceback

        traceback.print_exc()
    output.report(error)
    return error.exit_status


@app.callback(invoke_without_command=True, help=_HELP, epilog=_EPILOG)
def _root(context: typer.Context, version: options.Version = False) -> None:
    if context.invoked_subcommand is None and not version:
        print(context.get_help(), file=sys.stderr)
        raise typer.Exit(FAILURES["INVALID_INPUT"].exit_status)
    if version:
        output.write(f"safefetch {__version__}", None)
        raise typer.Exit


@app.command("get")
@options.with_settings(options.FETCH_SETTINGS)
def _get(
    url: options.Url,
    settings: Settings,
    format: options.OutputFormat = "markdown",  # noqa: A002
    extract: options.Extract = "main",
    json: options.AsJson = False,
    output_file: options.Output = None,
    force: options.Force = False,
    fail_with_body: options.FailWithBody = False,
    quiet: options.Quiet = False,
    verbose: options.Verbose = 0,
) -> None:
    """Print the page at URL as markdown."""
    output.check_target(output_file, force=force)
    try:
        with Client.of(settings) as client:
            page = client.get(url, format=cast(Any, format), extract=cast(Any, extract))
    except SafefetchError as error:
        if verbose:
            output.show_hops(error.hops)
        if json:
            output.write(output.as_json({"requestedUrl": url, **error.to_dict()}), None)
        elif fail_with_body and isinstance(error, HttpError):
            output.write(error.text, None)
        raise
    if verbose:
        output.show_hops(page.hops)
    if not quiet:
        _say_what_is_odd(page)
    text = output.as_json(page.to_dict()) if json else page.text
    output.write(text, output_file, force=force)


def _say_what_is_odd(page: Result) -> None:
    notes = {
        "body-truncated": f"the page was cut after {page.bytes} bytes; see --max-bytes",
        "body-incomplete": "the connection ended early; the page may not be whole",
        "extraction-fallback": "no main part was found; this is the whole page",
        "no-text": f"the page has no text (status {page.status})",
    }
    for hint in page.hints:
        output.note(f"safefetch: note: {notes[hint]}")
    if page.refresh_url:
        output.note(f"safefetch: note: the page asks to go on to {page.refresh_url}; not followed")


@app.command("check-url")
@options.with_settings(options.VERDICT_SETTINGS)
def _check_url(url: options.Url, settings: Settings, json: options.AsJson = False) -> None:
    """Say whether URL may be fetched, and which rule decides. Nothing is sent to its site."""
    try:
        verdict = Client.of(settings).check_url(url)
    except SafefetchError as error:
        if json:
            output.write(output.as_json({"url": url, **error.to_dict()}), None)
        raise
    output.write(output.as_json(verdict.to_dict()) if json else _as_lines(verdict), None)
    if not verdict.allowed:
        if verdict.hint:
            output.note(f"safefetch: note: {verdict.hint}")
        raise typer.Exit(FAILURES["POLICY_REJECTED"].exit_status)


def _as_lines(verdict: Verdict) -> str:
    if verdict.allowed:
        lines = [f"allowed {verdict.url}"]
    else:
        decided = f"  rule: {verdict.rule}"
        if verdict.address_class:
            decided += f" ({verdict.address_class})"
        lines = [f"refused {verdict.url}", "  code: POLICY_REJECTED", decided]
        lines.append(f"  reason: {verdict.reason}")
    for answer in verdict.addresses:
        judged = "allowed" if answer.allowed else "refused"
        lines.append(f"  address: {answer.address} ({answer.address_class}, {judged})")
    return "\n".join(lines)
