"""What is seen of a page: its text, and notes on what is odd."""

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from safefetch_cli import lines
from safefetch_cli.cli import output
from safefetch_cli.errors import InvalidInput
from safefetch_cli.framing import framed

if TYPE_CHECKING:
    from safefetch_cli.models import Result

_MORE = {
    "body-truncated": ", {bytes} bytes; see --max-bytes",
    "hidden-text-removed": "; --format raw has it",
    "no-text": " (status {status})",
}


class View(NamedTuple):
    """How much is shown of a page, and in what form."""

    json: bool = False
    frame: bool = False
    pretty: bool = False
    fail_with_body: bool = False
    quiet: bool = False
    verbose: int = 0
    in_file: bool = False

    def check(self, form: str, *, frontmatter: bool) -> None:
        """Raise InvalidInput where only markdown can be rendered."""
        if self.pretty and (self.json or form != "markdown"):
            raise InvalidInput("--pretty: it renders markdown, and not --json or another --format")
        if self.pretty and frontmatter:
            raise InvalidInput("--pretty: it renders markdown, and --frontmatter gives YAML")


def text(result: "Result", view: View) -> str:
    """The page as it is written."""
    if view.pretty:
        from safefetch_cli.cli.rendering import rendered_markdown

        rendered = rendered_markdown(result.text, None if view.in_file else sys.stdout)
        result = result._replace(text=rendered.rstrip("\n"))
    if view.frame:
        result = framed(result)
    return lines.as_json(result.to_dict()) if view.json else result.text


def notes(result: "Result", view: View, url: str = "") -> None:
    """What there is to say about a page, on stderr; `url` is named where there are several."""
    if view.verbose:
        output.show_hops(result.hops)
    if view.quiet:
        return
    facts = {"bytes": result.bytes, "status": result.status}
    hints(result.hints, {hint: more.format(**facts) for hint, more in _MORE.items()}, url)
    if result.next_start_index is not None:
        first, following = result.start_index, result.next_start_index
        note(
            f"these are characters {first} to {following} of {result.total_chars}; "
            f"go on with --start-index {following}",
            url,
        )
    if result.refresh_url:
        note(f"the page asks to go on to {result.refresh_url}; not followed", url)


def hints(found: tuple[str, ...], more: Mapping[str, str] | None = None, url: str = "") -> None:
    """A note on stderr for each hint, with what a person may want to know besides."""
    from safefetch_cli.models import HINTS

    for hint in found:
        note(f"{HINTS[hint]}{(more or {}).get(hint, '')}", url)


def note(text: str, url: str = "") -> None:
    """A note on stderr, about this URL where there are several."""
    output.remark(f"{url}: {text}" if url else text)
