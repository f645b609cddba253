"""The command `get`: one page, or many."""

import sys
from typing import TYPE_CHECKING, Any, Unpack, cast

import typer

from safefetch_cli.choices import MAX_JOBS, MAX_RETRIES, Reading, check_reading
from safefetch_cli.cli import batch_options, inputs, options, show, style
from safefetch_cli.cli.places import Place, extension
from safefetch_cli.cli.show import View
from safefetch_cli.cli.sources import source
from safefetch_cli.errors import HttpError, InvalidInput
from safefetch_cli.operations import Client
from safefetch_cli.settings import Settings

if TYPE_CHECKING:
    from safefetch_cli.models import Result


@options.with_settings(options.FETCH_SETTINGS)
def get(
    settings: Settings,
    urls: batch_options.Urls = None,
    input_file: batch_options.InputFile = None,
    jobs: batch_options.Jobs = "4",
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
    output_dir: batch_options.OutputDir = None,
    remote_name: batch_options.RemoteName = False,
    force: options.Force = False,
    retry: batch_options.Retry = "0",
    from_file: batch_options.FromFile = None,
    base_url: batch_options.BaseUrl = None,
    pretty: batch_options.Pretty = False,
    fail_with_body: options.FailWithBody = False,
    _color: options.Color = "auto",
    quiet: options.Quiet = False,
    verbose: options.Verbose = 0,
) -> None:
    """Print the page at URL as markdown, or the pages at many in their order."""
    place = Place(output_file, output_dir, remote_name, force, extension(format, json=json))
    view = View(json, frame, pretty, fail_with_body, quiet, verbose, not place.is_stdout)
    view.check(format, frontmatter=frontmatter)
    reading = _reading(format, extract, images, start_index, max_chars, retry)
    reading["json_pointer"], reading["frontmatter"] = json_pointer, frontmatter
    reading["select"], reading["exclude"] = select, exclude or ()
    check_reading(reading)
    at_once = options.whole_number(jobs, "--jobs", 1, MAX_JOBS) or 1
    lists = inputs.UrlLists(urls or (), input_file)
    if lists.are_many:
        _refuse_saved(from_file, base_url)
        _get_many(settings, lists, at_once, reading, view, place)
        return
    with source(settings, lists.only, from_file, base_url, verbose) as (client, url):
        _get_one(client, url, reading, view, place, online=from_file is None)


def _refuse_saved(from_file: str | None, base_url: str | None) -> None:
    """Raise InvalidInput for what goes with a saved page, and not with many URLs."""
    if from_file is not None:
        raise InvalidInput("--from-file: it takes the place of all URLs")
    if base_url is not None:
        raise InvalidInput("--base-url: it goes with --from-file")


def _get_one(
    client: Client, url: str, reading: Reading, view: View, place: Place, *, online: bool
) -> None:
    place.prepare()
    path = place.path(url)
    place.check(path)
    is_watched = online and not view.quiet and style.is_terminal(sys.stderr)
    try:
        page = (_watched_get if is_watched else Client.get)(client, url, **reading)
    except HttpError as error:
        if view.fail_with_body and not view.json:
            place.write(error.text, path)
        raise
    show.notes(page, view)
    place.write(show.text(page, view), path)


def _watched_get(client: Client, url: str, **reading: Unpack[Reading]) -> "Result":
    from safefetch_cli.cli import progress

    with progress.of_download() as watch:
        return client.watched_by(watch).get(url, **reading)


def _get_many(
    settings: Settings,
    lists: inputs.UrlLists,
    jobs: int,
    reading: Reading,
    view: View,
    place: Place,
) -> None:
    from safefetch_cli.cli.many import get_many

    # Only a part of a page is read from a snapshot; and to keep those of many takes long.
    keeps = bool(reading["start_index"] or reading["json_pointer"])
    settings = settings if keeps else settings._replace(snapshot_ttl_ms=0)
    with Client.of(settings, snapshots_on_disk=True) as client:
        place.prepare()
        status = get_many(client, lists, jobs, reading, view, place)
    if status:
        raise typer.Exit(status)


def _reading(
    form: str, extract: str, images: str, start_index: str, max_chars: str | None, retry: str
) -> Reading:
    first, window = options.window(start_index, max_chars)
    return {
        "format": cast(Any, form),
        "extract": cast(Any, extract),
        "images": cast(Any, images),
        "start_index": first,
        "max_chars": window,
        "retries": options.whole_number(retry, "--retry", 0, MAX_RETRIES) or 0,
    }
