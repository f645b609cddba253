"""The command `serve`: apart from the others, as its many flags take time to declare."""

import gc
import os
from collections.abc import Callable
from typing import Annotated

import typer

from safefetch_cli.cli import options
from safefetch_cli.cli.effective import show_rows
from safefetch_cli.config_file import ConfigFile
from safefetch_cli.errors import InvalidInput
from safefetch_cli.server_settings import TABLE, load_server
from safefetch_cli.settings import Settings

Compat = Annotated[
    bool | None,
    typer.Option(
        "--compat/--no-compat",
        show_default=False,
        help="Serve the tool and the prompt `fetch` of mcp-server-fetch too.",
    ),
]
Tools = Annotated[
    list[str] | None,
    typer.Option("--tools", metavar="NAME", help="Serve only these tools. Repeatable, or a list."),
]
Http = Annotated[
    bool | None,
    typer.Option("--http", show_default=False, help="Serve over HTTP in place of stdio."),
]
Host = Annotated[
    str | None,
    typer.Option("--host", metavar="ADDRESS", help="Listen on this address (default 127.0.0.1)."),
]
Port = Annotated[
    str | None, typer.Option("--port", metavar="N", help="Listen on this port (default 3000).")
]
TokenFile = Annotated[
    str | None,
    typer.Option(
        "--http-token-file", metavar="FILE", help="Answer only who sends the bearer token in it."
    ),
]
AllowedHosts = Annotated[
    list[str] | None,
    typer.Option(
        "--allowed-hosts",
        metavar="HOST",
        help="Names of the server in the Host field, each with optional :port. Repeatable.",
    ),
]
AllowedOrigins = Annotated[
    list[str] | None,
    typer.Option(
        "--allowed-origins",
        metavar="ORIGIN",
        help="Web pages that may use the server, as https://app.example. Repeatable.",
    ),
]
TrustProxy = Annotated[
    str | None,
    typer.Option("--trust-proxy", metavar="N", help="The exact number of proxies in front."),
]
LogFormat = Annotated[
    str | None, typer.Option("--log-format", metavar="FORMAT", help="text or json.")
]
ProxyUrl = Annotated[str | None, typer.Option("--proxy-url", metavar="URL", hidden=True)]


@options.with_settings(options.FETCH_SETTINGS)
def serve(
    settings: Settings,
    file: ConfigFile | None,
    compat: Compat = None,
    tools: Tools = None,
    http: Http = None,
    host: Host = None,
    port: Port = None,
    http_token_file: TokenFile = None,
    allowed_hosts: AllowedHosts = None,
    allowed_origins: AllowedOrigins = None,
    trust_proxy: TrustProxy = None,
    log_format: LogFormat = None,
    proxy_url: ProxyUrl = None,
    verbose: options.Verbose = 0,
) -> None:
    """Serve the operations as MCP tools."""
    if proxy_url is not None:
        raise InvalidInput(f"--proxy-url: {proxy_url!r} cannot be used: proxies are not supported")
    given = {
        "compat_tool": compat,
        "tools": tools,
        "transport": "http" if http else None,
        "host": host,
        "port": port,
        "http_token_file": http_token_file,
        "allowed_hosts": allowed_hosts,
        "allowed_origins": allowed_origins,
        "trust_proxy": trust_proxy,
        "log_format": log_format,
    }
    server_settings = load_server(given, os.environ, file)
    if verbose > 1:
        show_rows(TABLE, server_settings)
    _server()(settings, server_settings, verbose=verbose > 0)


def _server() -> Callable[..., None]:
    """Load the server.

    Its library makes very many objects that stay; to search them for garbage, now and at every
    later turn, would take a fifth of the time to start.
    """
    gc.disable()
    from safefetch_cli.server.run import serve as run

    gc.freeze()
    gc.enable()
    return run
