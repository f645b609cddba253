"""What is seen of a result: its text, notes on what is odd, lines of an outline or verdict."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from safefetch_cli.cli import output
from safefetch_cli.operations import framed

if TYPE_CHECKING:
    from safefetch_cli.facts import Link, Links
    from safefetch_cli.models import Outline, Result
    from safefetch_cli.verdicts import Verdict

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
    text = output.as_json(result.to_dict()) if json else result.text
    output.write(text, output_file, force=force)


def hints(found: tuple[str, ...], more: Mapping[str, str] | None = None) -> None:
    """A note on stderr for each hint, with what a person may want to know besides."""
    from safefetch_cli.models import HINTS

    for hint in found:
        output.note(f"safefetch: note: {HINTS[hint]}{(more or {}).get(hint, '')}")


def outline_lines(outline: "Outline") -> str:
    """A line for each heading: where its section begins, its size, its title by level."""
    width = len(str(outline.total_chars))
    return "\n".join(
        f"{heading.start_index:>{width}}  {heading.chars:>{width}} chars  "
        f"{heading.tokens:>{width}} tokens  {'  ' * (heading.level - 1)}{heading.title}"
        for heading in outline.headings
    )


def link_lines(links: "Links") -> str:
    """A line for each link: its address, and the text that a reader of the page sees."""
    return "\n".join(f"{link.url}  {link.text}".rstrip() for link in (*links.links, *_feeds(links)))


def _feeds(links: "Links") -> "tuple[Link, ...]":
    from safefetch_cli.facts import Link

    return tuple(Link(feed.url, f"(feed) {feed.title}".rstrip()) for feed in links.feeds)


def fact_lines(fields: Mapping[str, Any]) -> str:
    """A line for each fact that is known; a list or an object of facts is JSON."""
    known = {name: value for name, value in fields.items() if value not in (None, "", [], {})}
    return "\n".join(
        f"{name}: {value if isinstance(value, str) else output.as_json(value)}"
        for name, value in known.items()
    )


def verdict_lines(verdict: "Verdict") -> str:
    """The verdict in its first word, then the rule that decided and each address."""
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
    if verdict.robots_allowed is not None:
        says = "allowed" if verdict.robots_allowed else "disallowed"
        lines.append(
            f"  robots.txt: {says}" + (f" ({verdict.robots_rule})" * bool(verdict.robots_rule))
        )
    return "\n".join(lines)
