"""From settings to a server that runs."""

from safefetch_cli.server.log import Log
from safefetch_cli.server.service import Service
from safefetch_cli.server_settings import ServerSettings
from safefetch_cli.settings import Settings


def serve(settings: Settings, server: ServerSettings, *, verbose: bool = False) -> None:
    """Serve until the client goes away, or over HTTP until a signal comes.

    With `verbose` the log has a line for each call. Raises InvalidInput before anything is served.
    """
    log = Log(server.log_format, quiet=not verbose)
    service = Service(
        settings,
        with_compat=server.compat_tool,
        only=server.tools,
        log=log,
    )
    if server.transport == "stdio":
        from safefetch_cli.server.stdio import serve_stdio

        serve_stdio(service.server())
    else:
        from safefetch_cli.server.http import serve_http

        serve_http(service.server(), server, settings.timeout_ms / 1000, log)
