"""The commands. The module of one is loaded only when it is called."""

from collections.abc import Callable
from typing import NamedTuple


class Command(NamedTuple):
    """A command: what it does, in a sentence, and what loads it."""

    meaning: str
    load: Callable[[], Callable[..., None]]


def _get() -> Callable[..., None]:
    from safefetch_cli.cli.get import get

    return get


def _outline() -> Callable[..., None]:
    from safefetch_cli.cli.commands import outline

    return outline


def _section() -> Callable[..., None]:
    from safefetch_cli.cli.commands import section

    return section


def _links() -> Callable[..., None]:
    from safefetch_cli.cli.commands import links

    return links


def _metadata() -> Callable[..., None]:
    from safefetch_cli.cli.commands import metadata

    return metadata


def _check_url() -> Callable[..., None]:
    from safefetch_cli.cli.check_url import check_url

    return check_url


def _serve() -> Callable[..., None]:
    from safefetch_cli.cli.serve import serve

    return serve


COMMANDS = {
    "get": Command("Print the page at URL as markdown, or many pages in the order of URLs.", _get),
    "outline": Command(
        "List the headings of the page at URL, each with where its section begins and its size.",
        _outline,
    ),
    "section": Command("Print one heading of the page at URL, and all under it.", _section),
    "links": Command("List the links of the page at URL.", _links),
    "metadata": Command("Tell everything about the page at URL but its text.", _metadata),
    "check-url": Command(
        "Say whether URL may be fetched, and which rule decides. Nothing is sent to its site.",
        _check_url,
    ),
    "serve": Command(
        "Serve the operations as tools for language models (MCP), over stdio or HTTP.", _serve
    ),
}
"""In the order of the help."""
