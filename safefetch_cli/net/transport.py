"""The guarded requests session: the only one, and every stock way round the guard is closed."""

import ssl
from collections.abc import Mapping
from functools import cached_property
from http.client import HTTPException
from typing import Any, NoReturn

import requests
from requests.adapters import HTTPAdapter
from requests.cookies import RequestsCookieJar
from requests.exceptions import ConnectTimeout, ReadTimeout
from requests.structures import CaseInsensitiveDict
from urllib3 import HTTPResponse
from urllib3 import exceptions as urllib3_errors

from safefetch_cli.errors import (
    ConnectionFailed,
    InternalError,
    InvalidResponse,
    SafefetchError,
    Timeout,
)
from safefetch_cli.net import urls
from safefetch_cli.net.budget import Budget
from safefetch_cli.net.connections import Exchange, Pools, TlsSocket, dialable, tls_reason
from safefetch_cli.net.policy import Policy
from safefetch_cli.net.resolve import Lookup, resolve, system_lookup
from safefetch_cli.net.tls import trusting_context
from safefetch_cli.net.urls import Target


class GuardedAdapter(HTTPAdapter):
    """Sends a prepared GET to the judged addresses of its URL, within the budget given as timeout.

    Proxies, `verify`, `cert` and everything else of the environment are ignored.
    """

    def __init__(self, policy: Policy, lookup: Lookup, ca_file: str) -> None:
        self._policy = policy
        self._lookup = lookup
        self._ca_file = ca_file
        super().__init__()

    def init_poolmanager(
        self, connections: int, maxsize: int, block: bool = False, **_: Any
    ) -> None:
        """Make the guarded pools in place of requests' own."""
        self.poolmanager = Pools(num_pools=connections, maxsize=maxsize, block=block)

    def send(
        self,
        request: requests.PreparedRequest,
        stream: bool = True,
        timeout: Any = None,
        verify: Any = True,
        cert: Any = None,
        proxies: Any = None,
    ) -> requests.Response:
        """Send the request. `timeout` must be a Budget; its URL must be canonical."""
        if not isinstance(timeout, Budget):
            raise InternalError("a request was sent without a budget")
        target = urls.parse(request.url or "")
        if target.url != request.url:
            raise InternalError("a request was sent to a URL that is not canonical")
        judged = dialable(resolve(target, self._policy, timeout, self._lookup))
        tls = {"ssl_context": self._tls} if target.scheme == "https" else {}
        pool = self.poolmanager.connection_from_host(
            target.host, target.port, target.scheme, pool_kwargs={"dialable": judged, **tls}
        )
        answer = pool.urlopen(
            "GET",
            target.request_target,
            headers={name: str(value) for name, value in request.headers.items()},
            timeout=Exchange(timeout, target.request_target),
            retries=False,
            redirect=False,
            assert_same_host=False,
            preload_content=False,
            decode_content=False,
        )
        return _response(request, answer)

    def get_connection_with_tls_context(self, *_: Any, **__: Any) -> NoReturn:
        """Closed: it would make a connection that nobody judged."""
        raise InternalError("requests' own connections were asked for")

    get_connection = get_connection_with_tls_context
    proxy_manager_for = get_connection_with_tls_context

    @cached_property
    def _tls(self) -> ssl.SSLContext:
        return trusting_context(self._ca_file)


def _response(request: requests.PreparedRequest, answer: Any) -> requests.Response:
    """As requests builds it, but for cookies: to read them takes time and may print warnings."""
    response = requests.Response()
    response.status_code = answer.status
    response.headers = CaseInsensitiveDict(answer.headers)
    response.raw = answer
    response.reason = answer.reason
    response.url = request.url or ""
    response.request = request
    return response


class _NoCookies(RequestsCookieJar):
    """Takes no cookies, whatever an answer says; those of one fetch are kept in `cookies`."""

    def extract_cookies(self, response: Any, request: Any) -> None:
        """Nothing is read."""


class GuardedSession(requests.Session):
    """A requests session with one adapter, no environment, no cookies and no redirects of its own.

    `lookup` is the seam through which tests simulate DNS; its answers are judged like any other.
    """

    def __init__(
        self, policy: Policy, *, lookup: Lookup = system_lookup, ca_file: str = ""
    ) -> None:
        super().__init__()
        self.trust_env = False
        self.cookies = _NoCookies()
        adapter = GuardedAdapter(policy, lookup, ca_file)
        self.adapters.clear()
        self.adapters.update({"http://": adapter, "https://": adapter})
        self._is_sealed = True

    def mount(self, prefix: str, adapter: Any) -> None:
        """Closed once the session is made: a longer prefix would win over the guard."""
        if getattr(self, "_is_sealed", False):
            raise InternalError("an adapter was mounted on the guarded session")
        super().mount(prefix, adapter)

    def get_redirect_target(self, resp: requests.Response) -> None:
        """None: else requests would read the whole body of a redirect, and follow it."""

    def get_once(
        self, target: Target, headers: Mapping[str, str], budget: Budget
    ) -> requests.Response:
        """One GET, its body unread.

        Raises a SafefetchError, whatever happens below.
        """
        request = requests.PreparedRequest()
        request.method = "GET"
        request.url = target.url
        request.headers = CaseInsensitiveDict(headers)
        try:
            return self.send(request, timeout=budget, stream=True, allow_redirects=False)
        except TRANSPORT_ERRORS as error:
            raise translated(error, target, budget) from error


TRANSPORT_ERRORS = (
    OSError,
    HTTPException,
    urllib3_errors.HTTPError,
    requests.RequestException,
)
"""All that requests, urllib3, http.client and ssl raise."""


TIMEOUTS = (TimeoutError, urllib3_errors.TimeoutError, ReadTimeout, ConnectTimeout)


def translated(error: Exception, target: Target, budget: Budget) -> SafefetchError:
    """The error of ours that one of the libraries means, found by its innermost cause."""
    budget.remaining()  # past the deadline every other error is a consequence
    causes = list(_causes(error))
    for cause in causes:
        if isinstance(cause, SafefetchError):
            return cause
        if isinstance(cause, TIMEOUTS):
            return Timeout(f"{target.host} did not answer in time")
        if isinstance(cause, ssl.SSLError):
            return ConnectionFailed(f"TLS with {target.host} failed: {tls_reason(cause)}")
        if isinstance(cause, ConnectionError):  # a connection that ended without an answer too
            return ConnectionFailed(f"{target.host} dropped the connection", dropped=True)
    if any(isinstance(cause, OSError) and cause.errno for cause in causes):
        return ConnectionFailed(f"the connection to {target.host} failed: {_short(causes[0])}")
    told = f"the answer of {target.host} is not valid HTTP"
    return InvalidResponse(told, says=_short(causes[0]))


def _causes(error: Exception) -> list[BaseException]:
    """The error and what it wraps, innermost first."""
    found: list[BaseException] = []
    todo: list[object] = [error]
    while todo:
        item = todo.pop()
        if isinstance(item, BaseException) and item not in found:
            found.append(item)
            todo += [*item.args, item.__cause__]
    return found[::-1]


def _short(error: BaseException) -> str:
    text = f"{type(error).__name__} {error}".replace("\n", " ")
    return ascii(text)[1:-1][:200]


def peer_address(response: requests.Response) -> str:
    """The address that answered, before its body is read."""
    connection = getattr(response.raw, "connection", None)
    judged = getattr(connection, "judged", None)
    return judged.address if judged is not None else ""


def tls_socket(response: requests.Response) -> TlsSocket | None:
    """The TLS stream that the body comes from, before it is read."""
    connection = getattr(response.raw, "connection", None)
    tls = getattr(connection, "tls", None)
    return tls if isinstance(tls, TlsSocket) else None


def raw_answer(response: requests.Response) -> HTTPResponse:
    """urllib3's response below, whose body is still undecoded."""
    if not isinstance(response.raw, HTTPResponse):
        raise InternalError("the response did not come through the guarded session")
    return response.raw
