"""The command `check-url`: a verdict, and quickly."""

import typer

from safefetch_cli import lines
from safefetch_cli.cli import options, output, records
from safefetch_cli.errors import FAILURES, SafefetchError
from safefetch_cli.operations import Client
from safefetch_cli.settings import Settings


@options.with_settings(options.VERDICT_SETTINGS)
def check_url(
    url: options.Url,
    settings: Settings,
    robots: options.AskRobots = False,
    json: options.AsJson = False,
    verbose: options.Verbose = 0,
    _color: options.Color = "auto",
) -> None:
    """Say whether URL may be fetched, and which rule decides. Nothing is sent to its site."""
    try:
        verdict = Client.of(settings).check_url(url, robots=robots)
    except SafefetchError as error:
        error.requested_url = url
        if verbose:
            output.show_hops(error.hops)
        raise
    records.write(verdict.to_dict(), lines.verdict_lines(verdict), json=json)
    if not verdict.allowed:
        if verdict.hint:
            output.remark(verdict.hint)
        raise typer.Exit(FAILURES["POLICY_REJECTED"].exit_status)
    if verdict.robots_allowed is False:
        raise typer.Exit(FAILURES["ROBOTS_DISALLOWED"].exit_status)
