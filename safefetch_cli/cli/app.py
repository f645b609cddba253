"""The commands: each reads its options, calls one operation and hands the result to `output`."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, cast

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
from safefetch_cli.models import HINTS, Result, Verdict
from safefetch_cli.operations import Client, framed
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
"""

app = typer.Typer(
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


def run() -> int:
    """Run the command line; its exit status."""
    try:
        return _run()
    except output.PipeClosed:
        output.drop_stdout()
        return output.EXIT_CLOSED_PIPE


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
    if "--json" in sys.argv:
        with suppress(SafefetchError):  # a stdout that cannot be written was told already
            output.write(output.as_json(error.to_dict()), None)
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
    images: options.ShowImages = "alt",
    json_pointer: options.JsonPointer = "",
    start_index: options.StartIndex = "0",
    max_chars: options.MaxChars = None,
    frontmatter: options.FrontMatter = False,
    frame: options.Frame = False,
    json: options.AsJson = False,
    output_file: options.Output = None,
    force: options.Force = False,
    fail_with_body: options.FailWithBody = False,
    quiet: options.Quiet = False,
    verbose: options.Verbose = 0,
) -> None:
    """Print the page at URL as markdown."""
    output.check_target(output_file, force=force)
    first, window = _window(start_index, max_chars)
    try:
        with _asked(url, verbose), Client.of(settings) as client:
            page = client.get(
                url,
                format=cast(Any, format),
                extract=cast(Any, extract),
                images=cast(Any, images),
                json_pointer=json_pointer,
                frontmatter=frontmatter,
                start_index=first,
                max_chars=window,
            )
    except HttpError as error:
        if fail_with_body and not json:
            output.write(error.text, output_file, force=force)
        raise
    _show(page, json, quiet, verbose, output_file, force, frame)


@app.command("outline")
@options.with_settings(options.FETCH_SETTINGS)
def _outline(
    url: options.Url,
    settings: Settings,
    extract: options.Extract = "main",
    depth: options.Depth = "6",
    json: options.AsJson = False,
    quiet: options.Quiet = False,
    verbose: options.Verbose = 0,
) -> None:
    """List the headings of the page at URL, each with where its section begins and its size."""
    deepest = options.whole_number(depth, "--depth", 1, 6)
    with _asked(url, verbose), Client.of(settings) as client:
        found = client.outline(url, extract=cast(Any, extract), depth=deepest or 6)
    if not quiet:
        _say_what_is_odd(found.hints, {})
    if json:
        output.write(output.as_json(found.to_dict()), None)
        return
    width = len(str(found.total_chars))
    output.write(
        "\n".join(
            f"{heading.start_index:>{width}}  {heading.chars:>{width}} chars  "
            f"{heading.tokens:>{width}} tokens  {'  ' * (heading.level - 1)}{heading.title}"
            for heading in found.headings
        ),
        None,
    )


@app.command("section")
@options.with_settings(options.FETCH_SETTINGS)
def _section(
    url: options.Url,
    settings: Settings,
    title: options.Title = "",
    number: options.Number = None,
    extract: options.Extract = "main",
    images: options.ShowImages = "alt",
    start_index: options.StartIndex = "0",
    max_chars: options.MaxChars = None,
    frame: options.Frame = False,
    json: options.AsJson = False,
    output_file: options.Output = None,
    force: options.Force = False,
    quiet: options.Quiet = False,
    verbose: options.Verbose = 0,
) -> None:
    """Print one heading of the page at URL, and all under it."""
    output.check_target(output_file, force=force)
    first, window = _window(start_index, max_chars)
    with _asked(url, verbose), Client.of(settings) as client:
        page = client.section(
            url,
            title,
            number=options.whole_number(number, "--number", 1, 1_000_000),
            extract=cast(Any, extract),
            images=cast(Any, images),
            start_index=first,
            max_chars=window,
        )
    if page.selection and page.selection.others and not quiet:
        others = ", ".join(map(repr, page.selection.others[:5]))
        output.note(f"safefetch: note: {page.selection.title!r} was taken; as well match: {others}")
    _show(page, json, quiet, verbose, output_file, force, frame)


def _window(start_index: str, max_chars: str | None) -> tuple[int, int | None]:
    first = options.whole_number(start_index, "--start-index", 0, 1_000_000_000)
    return first or 0, options.whole_number(max_chars, "--max-chars", 1, 1_000_000_000)


@contextmanager
def _asked(url: str, verbose: int) -> Iterator[None]:
    """Round an operation: a failure is told with the URL and, if wanted, its requests."""
    try:
        yield
    except SafefetchError as error:
        error.requested_url = url
        if verbose:
            output.show_hops(error.hops)
        raise


def _show(
    page: Result,
    json: bool,
    quiet: bool,
    verbose: int,
    output_file: str | None,
    force: bool,
    frame: bool,
) -> None:
    if verbose:
        output.show_hops(page.hops)
    if not quiet:
        facts = {"bytes": page.bytes, "status": page.status}
        _say_what_is_odd(page.hints, {hint: more.format(**facts) for hint, more in _MORE.items()})
        if page.refresh_url:
            output.note(
                f"safefetch: note: the page asks to go on to {page.refresh_url}; not followed"
            )
    if frame:
        page = framed(page)
    text = output.as_json(page.to_dict()) if json else page.text
    output.write(text, output_file, force=force)


_MORE = {
    "body-truncated": ", {bytes} bytes; see --max-bytes",
    "hidden-text-removed": "; --format raw has it",
    "no-text": " (status {status})",
}


def _say_what_is_odd(hints: tuple[str, ...], more: dict[str, str]) -> None:
    for hint in hints:
        output.note(f"safefetch: note: {HINTS[hint]}{more.get(hint, '')}")


@app.command("check-url")
@options.with_settings(options.VERDICT_SETTINGS)
def _check_url(url: options.Url, settings: Settings, json: options.AsJson = False) -> None:
    """Say whether URL may be fetched, and which rule decides. Nothing is sent to its site."""
    with _asked(url, 0):
        verdict = Client.of(settings).check_url(url)
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
