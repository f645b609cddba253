"""The commands for parts of a page: each reads its options and shows what one operation gives."""

from typing import Any, cast

from safefetch_cli import lines
from safefetch_cli.cli import batch_options, options, output, records, show
from safefetch_cli.cli.show import View
from safefetch_cli.cli.sources import source
from safefetch_cli.settings import Settings


@options.with_settings(options.FETCH_SETTINGS)
def outline(
    settings: Settings,
    url: batch_options.UrlOrNone = None,
    extract: options.Extract = "main",
    exclude: options.Exclude = None,
    depth: options.Depth = "6",
    from_file: batch_options.FromFile = None,
    base_url: batch_options.BaseUrl = None,
    json: options.AsJson = False,
    quiet: options.Quiet = False,
    verbose: options.Verbose = 0,
) -> None:
    """List the headings of the page at URL, each with where its section begins and its size."""
    deepest = options.whole_number(depth, "--depth", 1, 6)
    with source(settings, url, from_file, base_url, verbose) as (client, address):
        found = client.outline(
            address, extract=cast(Any, extract), exclude=exclude or (), depth=deepest or 6
        )
    if not quiet:
        show.hints(found.hints)
    output.write(lines.as_json(found.to_dict()) if json else lines.outline_lines(found))


@options.with_settings(options.FETCH_SETTINGS)
def section(
    settings: Settings,
    url: batch_options.UrlOrNone = None,
    title: options.Title = "",
    number: options.Number = None,
    extract: options.Extract = "main",
    images: options.ShowImages = "alt",
    exclude: options.Exclude = None,
    start_index: options.StartIndex = "0",
    max_chars: options.MaxChars = None,
    frame: options.Frame = False,
    from_file: batch_options.FromFile = None,
    base_url: batch_options.BaseUrl = None,
    json: options.AsJson = False,
    output_file: options.Output = None,
    force: options.Force = False,
    quiet: options.Quiet = False,
    verbose: options.Verbose = 0,
) -> None:
    """Print one heading of the page at URL, and all under it."""
    output.check_target(output_file, force=force)
    if from_file is not None and not title:
        title = url or ""
        url = None
    first, window = options.window(start_index, max_chars)
    with source(settings, url, from_file, base_url, verbose) as (client, address):
        page = client.section(
            address,
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
        output.remark(f"{page.selection.title!r} was taken; as well match: {others}")
    view = View(json=json, frame=frame, quiet=quiet, verbose=verbose)
    show.notes(page, view)
    output.write(show.text(page, view), output_file, force=force)


@options.with_settings(options.FETCH_SETTINGS)
def links(
    settings: Settings,
    url: batch_options.UrlOrNone = None,
    scope: options.Scope = "all",
    include_anchors: options.IncludeAnchors = False,
    no_deduplicate: options.NoDeduplicate = False,
    limit: options.Limit = "200",
    from_file: batch_options.FromFile = None,
    base_url: batch_options.BaseUrl = None,
    json: options.AsJson = False,
    verbose: options.Verbose = 0,
) -> None:
    """List the links of the page at URL."""
    most = options.whole_number(limit, "--limit", 1, 2000)
    with source(settings, url, from_file, base_url, verbose) as (client, address):
        found = client.links(
            address,
            scope=cast(Any, scope),
            include_anchors=include_anchors,
            deduplicate=not no_deduplicate,
            limit=most or 200,
        )
    output.write(lines.as_json(found.to_dict()) if json else lines.link_lines(found))


@options.with_settings(options.FETCH_SETTINGS)
def metadata(
    settings: Settings,
    url: batch_options.UrlOrNone = None,
    from_file: batch_options.FromFile = None,
    base_url: batch_options.BaseUrl = None,
    json: options.AsJson = False,
    _color: options.Color = "auto",
    verbose: options.Verbose = 0,
) -> None:
    """Tell everything about the page at URL but its text."""
    with source(settings, url, from_file, base_url, verbose) as (client, address):
        facts = client.metadata(address)
    fields = facts.to_dict()
    records.write(fields, lines.fact_lines(fields), json=json)
