"""What is seen of a result: its text, and notes on what is odd."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from safefetch_cli import lines
from safefetch_cli.cli import output
from safefetch_cli.operations import framed

if TYPE_CHECKING:
    from safefetch_cli.models import Result

_MORE = {
    "body-truncated": ", {bytes} bytes; see --max-bytes",
    "hidden-text-removed": "; --format raw has it",
    "no-text": " (status {status})",
}


def page(
    result: "Result",
    json: bool,
    quiet: bool,
    verbose: int,
    output_file: str | None,
    force: bool,
    frame: bool,
) -> None:
    """Write a page to stdout or the file, and what there is to say about it to stderr."""
    if verbose:
        output.show_hops(result.hops)
    if not quiet:
        facts = {"bytes": result.bytes, "status": result.status}
        hints(result.hints, {hint: more.format(**facts) for hint, more in _MORE.items()})
        if result.refresh_url:
            output.note(
                f"safefetch: note: the page asks to go on to {result.refresh_url}; not followed"
            )
    if frame:
        result = framed(result)
    text = lines.as_json(result.to_dict()) if json else result.text
    output.write(text, output_file, force=force)


def hints(found: tuple[str, ...], more: Mapping[str, str] | None = None) -> None:
    """A note on stderr for each hint, with what a person may want to know besides."""
    from safefetch_cli.models import HINTS

    for hint in found:
        output.note(f"safefetch: note: {HINTS[hint]}{(more or {}).get(hint, '')}")
