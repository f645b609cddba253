"""What a command reads: a URL through the guard, or a page that was saved."""

from collections.abc import Iterator
from contextlib import contextmanager

from safefetch_cli.cli import output
from safefetch_cli.errors import InvalidInput, SafefetchError
from safefetch_cli.operations import Client
from safefetch_cli.settings import Settings


@contextmanager
def source(
    settings: Settings,
    url: str | None,
    from_file: str | None,
    base_url: str | None,
    verbose: int,
) -> Iterator[tuple[Client, str]]:
    """A client, and the URL to ask it for. A failure is told with the URL.

    Raises InvalidInput where neither a URL nor a file is given, or both are.
    """
    if from_file is None:
        with (
            asked(_given(url, base_url), verbose) as asked_url,
            Client.of(settings, snapshots_on_disk=True) as client,
        ):
            yield client, asked_url
    else:
        if url is not None:
            raise InvalidInput(f"--from-file: it takes the place of a URL, and {url!r} is given")
        with asked(base_url or "", verbose) as asked_url:
            yield saved(settings, from_file, asked_url), asked_url


def saved(settings: Settings, from_file: str, base_url: str) -> Client:
    """A client that reads this file and uses no network."""
    from safefetch_cli.cli.inputs import saved_page

    return Client.of_saved(saved_page(from_file, base_url, settings), settings)


@contextmanager
def asked(url: str, verbose: int) -> Iterator[str]:
    """Round an operation: a failure is told with the URL and, if wanted, its requests."""
    try:
        yield url
    except SafefetchError as error:
        error.requested_url = url
        if verbose:
            output.show_hops(error.hops)
        raise


def _given(url: str | None, base_url: str | None) -> str:
    if base_url is not None:
        raise InvalidInput("--base-url: it goes with --from-file")
    if url is None:
        raise InvalidInput("Missing argument 'URL'.", hint="See safefetch --help.")
    return url
