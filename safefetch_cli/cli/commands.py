"""The commands: each reads its options, calls one operation and hands the result to `show`."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, cast

import typer

from safefetch_cli import lines
from safefetch_cli.cli import options, output, show
from safefetch_cli.errors import FAILURES, HttpError, SafefetchError
from safefetch_cli.operations import Client
from safefetch_cli.settings import Settings


@options.with_settings(options.FETCH_SETTINGS)
def get(
    url: options.Url,
    settings: Settings,
    format: options.OutputFormat = "markdown",  # noqa: A002
    extract: options.Extract = "main",
    images: options.ShowImages = "alt",
    json_pointer: options.JsonPointer = "",
    select: options.Select = "",
    exclude: options.Exclude = None,
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
        with asked(url, verbose), Client.of(settings, snapshots_on_disk=True) as client:
            page = client.get(
                url,
                format=cast(Any, format),
                extract=cast(Any, extract),
                images=cast(Any, images),
                json_pointer=json_pointer,
                select=select,
                exclude=exclude or (),
                frontmatter=frontmatter,
                start_index=first,
                max_chars=window,
            )
    except HttpError as error:
        if fail_with_body and not json:
            output.write(error.text, output_file, force=force)
        raise
    show.page(page, json, quiet, verbose, output_file, force, frame)


@options.with_settings(options.FETCH_SETTINGS)
def outline(
    url: options.Url,
    settings: Settings,
    extract: options.Extract = "main",
    exclude: options.Exclude = None,
    depth: options.Depth = "6",
    json: options.AsJson = False,
    quiet: options.Quiet = False,
    verbose: options.Verbose = 0,
) -> None:
    """List the headings of the page at URL, each with where its section begins and its size."""
    deepest = options.whole_number(depth, "--depth", 1, 6)
    with asked(url, verbose), Client.of(settings, snapshots_on_disk=True) as client:
        found = client.outline(
            url, extract=cast(Any, extract), exclude=exclude or (), depth=deepest or 6
        )
    if not quiet:
        show.hints(found.hints)
    output.write(lines.as_json(found.to_dict()) if json else lines.outline_lines(found), None)


@options.with_settings(options.FETCH_SETTINGS)
def section(
    url: options.Url,
    settings: Settings,
    title: options.Title = "",
    number: options.Number = None,
    extract: options.Extract = "main",
    images: options.ShowImages = "alt",
    exclude: options.Exclude = None,
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
    with asked(url, verbose), Client.of(settings, snapshots_on_disk=True) as client:
        page = client.section(
            url,
            title,
            number=options.whole_number(number, "--number", 1, 1_000_000),
            extract=cast(Any, extract),
            images=cast(Any, images),
            exclude=exclude or (),
            start_index=first,
            max_chars=window,
        )
    if page.selection and page.selection.others and not quiet:
        others = ", ".join(map(repr, page.selection.others[:5]))
        output.note(f"safefetch: note: {page.selection.title!r} was taken; as well match: {others}")
    show.page(page, json, quiet, verbose, output_file, force, frame)


@options.with_settings(options.FETCH_SETTINGS)
def links(
    url: options.Url,
    settings: Settings,
    scope: options.Scope = "all",
    include_anchors: options.IncludeAnchors = False,
    no_deduplicate: options.NoDeduplicate = False,
    limit: options.Limit = "200",
    json: options.AsJson = False,
    verbose: options.Verbose = 0,
) -> None:
    """List the links of the page at URL."""
    most = options.whole_number(limit, "--limit", 1, 2000)
    with asked(url, verbose), Client.of(settings, snapshots_on_disk=True) as client:
        found = client.links(
            url,
            scope=cast(Any, scope),
            include_anchors=include_anchors,
            deduplicate=not no_deduplicate,
            limit=most or 200,
        )
    output.write(lines.as_json(found.to_dict()) if json else lines.link_lines(found), None)


@options.with_settings(options.FETCH_SETTINGS)
def metadata(
    url: options.Url,
    settings: Settings,
    json: options.AsJson = False,
    verbose: options.Verbose = 0,
) -> None:
    """Tell everything about the page at URL but its text."""
    with asked(url, verbose), Client.of(settings, snapshots_on_disk=True) as client:
        facts = client.metadata(url)
    fields = facts.to_dict()
    output.write(lines.as_json(fields) if json else lines.fact_lines(fields), None)


@options.with_settings(options.VERDICT_SETTINGS)
def check_url(
    url: options.Url,
    settings: Settings,
    robots: options.AskRobots = False,
    json: options.AsJson = False,
    verbose: options.Verbose = 0,
) -> None:
    """Say whether URL may be fetched, and which rule decides. Nothing is sent to its site."""
    with asked(url, verbose):
        verdict = Client.of(settings).check_url(url, robots=robots)
    output.write(lines.as_json(verdict.to_dict()) if json else lines.verdict_lines(verdict), None)
    if not verdict.allowed:
        if verdict.hint:
            output.note(f"safefetch: note: {verdict.hint}")
        raise typer.Exit(FAILURES["POLICY_REJECTED"].exit_status)
    if verdict.robots_allowed is False:
        raise typer.Exit(FAILURES["ROBOTS_DISALLOWED"].exit_status)


def _window(start_index: str, max_chars: str | None) -> tuple[int, int | None]:
    first = options.whole_number(start_index, "--start-index", 0, 1_000_000_000)
    return first or 0, options.whole_number(max_chars, "--max-chars", 1, 1_000_000_000)


@contextmanager
def asked(url: str, verbose: int) -> Iterator[None]:
    """Round an operation: a failure is told with the URL and, if wanted, its requests."""
    try:
        yield
    except SafefetchError as error:
        error.requested_url = url
        if verbose:
            output.show_hops(error.hops)
        raise


COMMANDS: dict[str, Callable[..., None]] = {
    "get": get,
    "outline": outline,
    "section": section,
    "links": links,
    "metadata": metadata,
    "check-url": check_url,
}
"""In the order of the help."""
