"""The flags for many URLs, for where results go, and for pages that were saved."""

from typing import Annotated

import typer

Urls = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="URL...",
        show_default=False,
        help="One URL or more, http or https; - is a list of them on stdin.",
    ),
]
InputFile = Annotated[
    str | None,
    typer.Option(
        "--input-file",
        "-i",
        metavar="FILE",
        show_default=False,
        help="Read URLs from FILE, one a line, # for comments; - is stdin.",
    ),
]
Jobs = Annotated[
    str,
    typer.Option("--jobs", "-j", metavar="N", help="Fetch so many at once, 1 to 64."),
]
OutputDir = Annotated[
    str | None,
    typer.Option(
        "--output-dir",
        metavar="DIR",
        show_default=False,
        help="Write each page to a file in DIR, named from its URL.",
    ),
]
RemoteName = Annotated[
    bool,
    typer.Option(
        "--remote-name",
        "-O",
        show_default=False,
        help="Write each page to a file named from the last part of its URL.",
    ),
]
Retry = Annotated[
    str,
    typer.Option(
        "--retry",
        metavar="N",
        help="Try again so often, 0 to 10, after an error that may pass; all within --timeout.",
    ),
]
Pretty = Annotated[
    bool,
    typer.Option("--pretty", show_default=False, help="Render the markdown for a terminal."),
]
UrlOrNone = Annotated[
    str | None, typer.Argument(metavar="URL", show_default=False, help="An http or https URL.")
]
FromFile = Annotated[
    str | None,
    typer.Option(
        "--from-file",
        metavar="FILE",
        show_default=False,
        help="Read a saved page instead, without any network; - is stdin.",
    ),
]
BaseUrl = Annotated[
    str | None,
    typer.Option(
        "--base-url",
        metavar="URL",
        show_default=False,
        help="Where the saved page was, for its links.",
    ),
]
