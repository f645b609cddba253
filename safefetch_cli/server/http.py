"""The server over Streamable HTTP: stateless, so that any replica answers any request."""

import logging
from typing import Any

import uvicorn
from mcp.server.lowlevel import Server
from mcp.server.transport_security import TransportSecuritySettings
from sse_starlette.sse import AppStatus
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route
from starlette.types import ASGIApp

from safefetch_cli.errors import InvalidInput
from safefetch_cli.server.admission import HEALTH_PATH, PATH, admitted
from safefetch_cli.server.bodies import MAX_REQUEST_BYTES, OnlyMessages
from safefetch_cli.server.connections import TimedConnection
from safefetch_cli.server.log import Log
from safefetch_cli.server_settings import ServerSettings

MAX_CONNECTIONS = 512
"""More are answered with 503."""


def http_app(server: Server[Any], settings: ServerSettings, port: int) -> ASGIApp:
    """The ASGI application, to be reached at this port."""
    app = server.streamable_http_app(
        streamable_http_path=PATH,
        stateless_http=True,
        json_response=False,  # else neither progress nor the end of a connection comes through
        max_request_body_size=MAX_REQUEST_BYTES,
        # Host and Origin are judged before, by `admission`.
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
        custom_starlette_routes=[Route(HEALTH_PATH, _health, methods=["GET", "HEAD"])],
    )
    # A redirect to the path without its last slash would lead from https to http behind a proxy.
    app.router.redirect_slashes = False
    return admitted(OnlyMessages(app), settings, port)


async def _health(_: Request) -> JSONResponse:
    return JSONResponse({"status": "ok"})


def serve_http(server: Server[Any], settings: ServerSettings, seconds: float, log: Log) -> None:
    """Listen and answer until SIGINT or SIGTERM; then answers in work get `seconds` to finish.

    Raises InvalidInput when the address cannot be listened on.
    """
    # Else it would cut answers that are on their way.
    AppStatus.disable_automatic_graceful_drain()  # type: ignore[no-untyped-call]
    faults = _Faults()
    logging.getLogger("uvicorn.error").addHandler(faults)
    config = uvicorn.Config(
        app="",  # known once the port is
        host=settings.host,
        port=settings.port,
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,  # the rate limit reads them, by the number of proxies
        limit_concurrency=MAX_CONNECTIONS,
        http=TimedConnection,
        ws="none",
        timeout_graceful_shutdown=round(seconds) + 1,
    )
    try:
        listener = config.bind_socket()
        listener.listen()  # so that whoever reads the line below may come at once
    except (SystemExit, OSError):
        where = f"{settings.host} port {settings.port}"
        raise InvalidInput(f"PORT: {where} cannot be listened on: {faults.last}") from None
    faults.log = log
    port = listener.getsockname()[1]
    config.app = http_app(server, settings, port)
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    log.problem(f"listening on http://{host}:{port}{PATH}")
    uvicorn.Server(config).run(sockets=[listener])


class _Faults(logging.Handler):
    """What the HTTP server complains of, in our log; of what clients do wrong only if asked."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.log: Log | None = None
        self.last = ""

    def emit(self, record: logging.LogRecord) -> None:
        """Remember it, and write it down."""
        self.last = record.getMessage()
        if self.log is not None:
            write = self.log.problem if record.levelno >= logging.ERROR else self.log.event
            write("http", text=self.last)
