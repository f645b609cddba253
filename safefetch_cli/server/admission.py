"""Which HTTP requests reach the server: each rule is an ASGI application round the next one.

The order is that of `admitted`: Host, Origin, CORS, rate, token, method. What is refused is
answered with the status of the rule and a JSON-RPC error, before its body is read.
"""

import hashlib
import hmac
import math
import time
from collections.abc import Callable, Collection
from ipaddress import IPv6Address, ip_address, ip_network
from typing import NamedTuple

from cachetools import LRUCache
from starlette.datastructures import Headers
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from safefetch_cli.server_settings import ServerSettings

PATH = "/mcp"
HEALTH_PATH = "/healthz"

MAX_CLIENTS = 10_000
"""So many clients are remembered by the rate limit, the latest ones."""

_PORT_OF_HTTP = 80  # which a client leaves out
_LOOPBACK_NAMES = ("127.0.0.1", "localhost", "[::1]")
_CORS_FIELDS = ("Authorization", "Content-Type", "Mcp-Method", "Mcp-Name", "Mcp-Protocol-Version")
_CORS_SHOWN = ("Retry-After", "WWW-Authenticate")
_CORS_SECONDS = 600
_SERVER_ERROR = -32000  # JSON-RPC 2.0, 5.1: defined by the implementation


class Refusal(NamedTuple):
    """The answer to a request that is not let in."""

    status: int
    message: str
    fields: dict[str, str] | None = None
    code: int = _SERVER_ERROR

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        error = {"code": self.code, "message": self.message}
        content = {"jsonrpc": "2.0", "id": None, "error": error}
        answer = JSONResponse(content, self.status, headers=self.fields)
        await answer(scope, receive, send)


Rule = Callable[[Scope, Headers], Refusal | None]
"""None for a request that may go on."""


class Door:
    """An application behind one rule. Health checks pass all doors."""

    def __init__(self, app: ASGIApp, rule: Rule) -> None:
        self._app = app
        self._rule = rule

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with the refusal, or let the application answer."""
        is_request = scope["type"] == "http" and scope["path"] != HEALTH_PATH
        refusal = self._rule(scope, Headers(scope=scope)) if is_request else None
        await (refusal or self._app)(scope, receive, send)


def admitted(app: ASGIApp, settings: ServerSettings, port: int) -> ASGIApp:
    """The application behind all rules; `port` is the one that it is reached at."""
    names = {*_LOOPBACK_NAMES, *_own_names(settings.host)}
    hosts = {f"{name}:{port}" for name in names}
    if port == _PORT_OF_HTTP:
        hosts.update(names)
    origins = {f"http://{host}" for host in hosts} | {
        origin.lower().removesuffix("/") for origin in settings.allowed_origins
    }
    inner: ASGIApp = Door(app, only_post)
    if settings.http_token:
        inner = Door(inner, Tokens(settings.http_token))
    inner = Door(inner, RateLimit.of(settings))
    inner = CORSMiddleware(
        inner,
        allow_origins=sorted(origins),
        allow_methods=["POST"],
        allow_headers=_CORS_FIELDS,
        expose_headers=_CORS_SHOWN,
        max_age=_CORS_SECONDS,
    )
    inner = Door(inner, Origins(origins))
    return Door(inner, Hosts({*hosts, *map(str.lower, settings.allowed_hosts)}))


def _own_names(host: str) -> list[str]:
    """The address that is listened on as the Host field has it, unless it stands for all.

    It is safe to answer to: a name that was rebound to it is still another name.
    """
    if ip_address(host).is_unspecified:
        return []
    return [f"[{host}]" if ":" in host else host]


class Hosts:
    """Only requests that name the server by an allowed host: against DNS rebinding.

    An allowed host without a port may be named with any.
    """

    def __init__(self, allowed: Collection[str]) -> None:
        self._allowed = frozenset(allowed)

    def __call__(self, _: Scope, headers: Headers) -> Refusal | None:
        """421 for another host, for none, or for two."""
        named = headers.getlist("host")
        host = named[0].lower() if len(named) == 1 else ""
        name, colon, port = host.rpartition(":")
        is_bare = colon != "" and port.isascii() and port.isdecimal() and name in self._allowed
        if host and (host in self._allowed or is_bare):
            return None
        return Refusal(421, "The Host is not one of this server's")


class Origins:
    """Only requests of programs, and of web pages that are allowed."""

    def __init__(self, allowed: Collection[str]) -> None:
        self._allowed = frozenset(allowed)

    def __call__(self, _: Scope, headers: Headers) -> Refusal | None:
        """403 for another origin."""
        origins = headers.getlist("origin")
        if not origins or (len(origins) == 1 and origins[0].lower() in self._allowed):
            return None
        return Refusal(403, "The Origin is not allowed")


class Tokens:
    """Only requests with one of the bearer tokens (RFC 6750), compared in constant time."""

    def __init__(self, tokens: Collection[str]) -> None:
        self._digests = [_digest(token) for token in tokens]

    def __call__(self, _: Scope, headers: Headers) -> Refusal | None:
        """401 for no token, a wrong one, or two."""
        given = headers.getlist("authorization")
        scheme, _blank, token = (given[0] if len(given) == 1 else "").partition(" ")
        digest = _digest(token.strip())
        matches = [hmac.compare_digest(digest, one) for one in self._digests]
        if scheme.lower() == "bearer" and any(matches):
            return None
        return Refusal(401, "A bearer token is needed", {"WWW-Authenticate": "Bearer"})


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "replace")).digest()


class RateLimit:
    """So many requests of one client in a window, and as many at once (a token bucket).

    `proxies` is the exact number of proxies in front that add to X-Forwarded-For. `clock` gives
    seconds.
    """

    def __init__(
        self,
        most: int,
        seconds: float,
        *,
        proxies: int = 0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._most = most
        self._each = seconds / most
        self._proxies = proxies
        self._clock = clock
        # Client -> when its last request will be forgotten.
        self._busy_until: LRUCache[str, float] = LRUCache(MAX_CLIENTS)

    @classmethod
    def of(cls, settings: ServerSettings) -> "RateLimit":
        """The limit that the settings say."""
        seconds = settings.rate_limit_window_ms / 1000
        return cls(settings.rate_limit_max, seconds, proxies=settings.trust_proxy)

    def __call__(self, scope: Scope, headers: Headers) -> Refusal | None:
        """429 with Retry-After for a client that asks too often."""
        client = client_network(scope, headers, self._proxies)
        now = self._clock()
        busy_until = max(self._busy_until.get(client, now), now) + self._each
        wait = busy_until - now - self._most * self._each
        if wait > self._each * 1e-6:  # more than what rounding makes
            seconds = str(math.ceil(wait))
            return Refusal(429, "Too many requests; wait", {"Retry-After": seconds})
        self._busy_until[client] = busy_until
        return None


def client_network(scope: Scope, headers: Headers, proxies: int) -> str:
    """Whose request this is: an IPv4 address, or the /64 network of an IPv6 one.

    Behind proxies each adds the address that it was asked from, so the client's is that many from
    the right; what stands before it the client may have made up. Where the field is shorter, or
    holds no address there, the peer counts.
    """
    peer = scope["client"][0] if scope.get("client") else ""
    forwarded = ",".join(headers.getlist("x-forwarded-for")).split(",")
    named = forwarded[-proxies].strip() if 0 < proxies <= len(forwarded) else ""
    return _network(named) or _network(peer) or peer


def _network(text: str) -> str:
    """The address in a text, which may have brackets and a port; "" when there is none."""
    if text.count(":") == 1 or text.startswith("["):
        text = text.rpartition(":")[0] if not text.endswith("]") else text
    try:
        address = ip_address(text.strip("[]"))
    except ValueError:
        return ""
    if isinstance(address, IPv6Address):
        inner = address.ipv4_mapped
        return str(inner or ip_network((int(address) >> 64 << 64, 64)))
    return str(address)


def only_post(scope: Scope, _: Headers) -> Refusal | None:
    """405 for what would wait for ever: the server has no stream of its own to open or close."""
    if scope["path"] != PATH or scope["method"] == "POST":
        return None
    return Refusal(405, "Only POST is answered here", {"Allow": "POST"})
