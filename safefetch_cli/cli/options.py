"""Every flag and argument of the command line, each declared once.

Values are text here; `settings` checks them, so that a flag, a variable and a keyword are refused
in the same words.
"""

import os
from collections.abc import Callable
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import Annotated, Any

import typer

from safefetch_cli.cli import style
from safefetch_cli.config_place import find_file
from safefetch_cli.errors import InvalidInput
from safefetch_cli.settings import TABLE, load, seconds_to_ms


def _option(*names: str, help: str, metavar: str | None = None, count: bool = False) -> Any:  # noqa: A002
    return typer.Option(*names, help=help, metavar=metavar, count=count, show_default=False)


Url = Annotated[str, typer.Argument(metavar="URL", help="An http or https URL.")]

OutputFormat = Annotated[
    str,
    typer.Option("--format", metavar="FORMAT", help="markdown, raw (the decoded source) or text."),
]
Extract = Annotated[
    str, typer.Option("--extract", metavar="PART", help="main (the main part) or full (the page).")
]
ShowImages = Annotated[
    str,
    typer.Option(
        "--images", metavar="HOW", help="alt ([Image: its text]) or keep (as markdown images)."
    ),
]
Title = Annotated[
    str,
    typer.Argument(
        metavar="[TITLE]", help="The heading, or a part of it; by default the URL's #fragment."
    ),
]
Number = Annotated[
    str | None, _option("--number", metavar="N", help="Take the N-th heading of the outline.")
]
Depth = Annotated[
    str, typer.Option("--depth", metavar="N", help="Leave out headings below this level, 1 to 6.")
]
JsonPointer = Annotated[
    str,
    typer.Option(
        "--json-pointer",
        metavar="POINTER",
        show_default=False,
        help="Take one value of a JSON document, as /items/0/name (RFC 6901).",
    ),
]
StartIndex = Annotated[
    str,
    typer.Option(
        "--start-index", metavar="N", help="Begin at this character; see nextStartIndex of --json."
    ),
]
MaxChars = Annotated[
    str | None,
    _option("--max-chars", metavar="N", help="Give at most so many characters, whole blocks."),
]
Select = Annotated[
    str,
    typer.Option(
        "--select", metavar="CSS", show_default=False, help="Take only these elements of the page."
    ),
]
Exclude = Annotated[
    list[str] | None,
    _option("--exclude", metavar="CSS", help="Leave these elements out. Repeatable."),
]
Scope = Annotated[
    str, typer.Option("--scope", metavar="SCOPE", help="all, internal (same host) or external.")
]
IncludeAnchors = Annotated[
    bool, _option("--include-anchors", help="List links to parts of the page itself too.")
]
NoDeduplicate = Annotated[
    bool, _option("--no-deduplicate", help="List an address as often as the page links to it.")
]
Limit = Annotated[str, typer.Option("--limit", metavar="N", help="At most so many, 1 to 2000.")]
FrontMatter = Annotated[
    bool, _option("--frontmatter", help="Put title, author, date, site and URL before the text.")
]
Frame = Annotated[
    bool, _option("--frame", help="Put marks round the text that say it is somebody else's.")
]
AskRobots = Annotated[
    bool, _option("--robots", help="Ask the site's robots.txt too; this one request is sent.")
]
AsJson = Annotated[bool, _option("--json", help="Print a JSON object on a line, of a failure too.")]
Output = Annotated[
    str | None, _option("--output", "-o", metavar="FILE", help="Write there, all or nothing.")
]
Force = Annotated[bool, _option("--force", "-f", help="Let files be replaced.")]
FailWithBody = Annotated[
    bool, _option("--fail-with-body", help="Print the text of an HTTP error page, and fail.")
]
Quiet = Annotated[bool, _option("--quiet", "-q", help="No notes on stderr; errors stay.")]
Verbose = Annotated[
    int,
    _option("--verbose", "-v", count=True, help="Show each request; -vv: each setting as well."),
]
Color = Annotated[
    str,
    typer.Option("--color", metavar="WHEN", callback=style.checked, help="auto, always or never."),
]

_SETTINGS: dict[str, tuple[Any, Any]] = {
    "timeout": (
        str,
        _option(
            "--timeout",
            metavar="SECONDS",
            help="Deadline of the whole operation, 0.001 to 600 (default 10).",
        ),
    ),
    "max_bytes": (
        str,
        _option(
            "--max-bytes",
            metavar="N",
            help="Cut the decoded body there, 1 to 1000000000, with an optional k, m or g "
            "(default 5000000).",
        ),
    ),
    "max_redirects": (
        str,
        _option(
            "--max-redirects", metavar="N", help="Follow at most so many, 0 to 20 (default 5)."
        ),
    ),
    "user_agent": (
        str,
        _option("--user-agent", metavar="TEXT", help="Send this as the User-Agent."),
    ),
    "ca_file": (
        str,
        _option(
            "--ca-file",
            metavar="FILE",
            help="Trust the certificate authorities in this PEM file too.",
        ),
    ),
    "robots": (
        bool,
        _option("--ignore-robots-txt", help="Do not ask a site's robots.txt."),
    ),
    "snapshot_ttl_ms": (
        bool,
        _option("--no-snapshot", help="Neither read nor keep a snapshot of the page."),
    ),
    "allow_local": (
        bool,
        _option(
            "--allow-local/--no-allow-local",
            help="Open loopback and private networks (RFC 1918, RFC 4193).",
        ),
    ),
    "allow": (
        list[str],
        _option(
            "--allow",
            metavar="TARGET",
            help="Open one host, address or CIDR range, with an optional :port. Repeatable.",
        ),
    ),
    "fake_ip": (
        list[str],
        _option(
            "--fake-ip",
            metavar="CIDR",
            help="Accept DNS answers in this range, as a local proxy makes them up (Clash, Surge, "
            "sing-box). Repeatable.",
        ),
    ),
    "allowlist": (
        list[str],
        _option(
            "--allowlist",
            metavar="HOST",
            help="Reach only these hosts: host or *.domain. Repeatable.",
        ),
    ),
    "denylist": (
        list[str],
        _option(
            "--denylist",
            metavar="HOST",
            help="Never reach these hosts: host or *.domain. Repeatable.",
        ),
    ),
    "allowed_ports": (
        list[str],
        _option(
            "--allowed-ports", metavar="PORT", help="Reach only these ports. Repeatable, or a list."
        ),
    ),
    "https_only": (
        bool,
        _option("--https-only/--no-https-only", help="Refuse plain http."),
    ),
    "allow_https_downgrade": (
        bool,
        _option(
            "--allow-https-downgrade/--no-allow-https-downgrade",
            help="Follow redirects from https to http.",
        ),
    ),
    "config": (str, _option("--config", metavar="FILE", help="Read settings from this file.")),
}
"""The flags of the settings, in the order of the help."""

_GUARD = ("allow_local", "allow", "fake_ip", "allowlist", "denylist", "allowed_ports", "https_only")
VERDICT_SETTINGS = ("timeout", *_GUARD, "config")
"""The settings that a verdict depends on."""

FETCH_SETTINGS = tuple(_SETTINGS)
"""All settings of a fetch."""


def whole_number(text: str | None, name: str, low: int, high: int) -> int | None:
    """A flag's whole number, None when it was not given. Raises InvalidInput that names it."""
    if text is None:
        return None
    number = int(text) if text.isascii() and text.isdecimal() and len(text) < 16 else -1
    if not low <= number <= high:
        raise InvalidInput(f"{name}: {text!r} is not a whole number from {low} to {high}")
    return number


def window(start_index: str, max_chars: str | None) -> tuple[int, int | None]:
    """Where a part of a text begins, and how long it may be. Raises InvalidInput."""
    first = whole_number(start_index, "--start-index", 0, 1_000_000_000)
    return first or 0, whole_number(max_chars, "--max-chars", 1, 1_000_000_000)


def with_settings(names: tuple[str, ...]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command the flags of these settings; it is called with what they come to.

    The command's own parameter `settings` takes the place of all the flags; one called `file` is
    the configuration file, or None, for a command with settings of its own.
    """

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        parameters = signature(command).parameters

        @wraps(command)
        def run(**arguments: Any) -> None:
            given = {name: arguments.pop(name) for name in names}
            file = find_file(given.pop("config"), os.environ)
            settings = load(_as_settings(given), os.environ, file)
            if arguments.get("verbose", 0) > 1:
                from safefetch_cli.cli.effective import show_settings

                show_settings(TABLE, settings, file)
            if "file" in parameters:
                arguments["file"] = file
            command(**arguments, settings=settings)

        own = [item for item in parameters.values() if item.name not in ("settings", "file")]
        flags = [
            Parameter(name, Parameter.KEYWORD_ONLY, default=None, annotation=_annotation(name))
            for name in names
        ]
        own = [item.replace(kind=Parameter.KEYWORD_ONLY) for item in own]
        run.__signature__ = Signature([*own, *flags])  # type: ignore[attr-defined]
        return run

    return decorate


def _annotation(name: str) -> Any:
    kind, option = _SETTINGS[name]
    return Annotated[kind | None, option]


def _as_settings(given: dict[str, Any]) -> dict[str, Any]:
    """What flags said, under the names of settings."""
    seconds = given.pop("timeout", None)
    if seconds is not None:
        given["timeout_ms"] = seconds_to_ms(seconds)
    if given.pop("snapshot_ttl_ms", None):
        given["snapshot_ttl_ms"] = 0
    if given.pop("robots", None):
        given["robots"] = "ignore"
    return given
