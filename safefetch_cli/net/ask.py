"""One request to one URL, and its answer read within the limits. It follows no redirect."""

import time
from collections.abc import Mapping
from typing import NamedTuple, Protocol

import requests

from safefetch_cli.errors import SafefetchError
from safefetch_cli.models import Hop, Limits, Response
from safefetch_cli.net import body
from safefetch_cli.net.budget import Budget
from safefetch_cli.net.gate import Gate
from safefetch_cli.net.retry_after import retry_after_seconds
from safefetch_cli.net.transport import (
    TRANSPORT_ERRORS,
    GuardedSession,
    peer_address,
    raw_answer,
    tls_socket,
    translated,
)
from safefetch_cli.net.urls import Target

REDIRECTS = frozenset({301, 302, 303, 307, 308})
MAX_ERROR_BYTES = 64 * 1024
"""So much of the body of an HTTP error is read, for its text."""

ACCEPT = "text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.9, */*;q=0.5"


class Answer(NamedTuple):
    """What came of one request."""

    response: Response  # its only hop is this request
    cookies: tuple[str, ...] = ()  # the Set-Cookie lines
    locations: frozenset[str] = frozenset()  # of a redirect; the same value twice is one


class Ask(Protocol):
    """GET a target, with a Cookie field unless it is "". Raises a SafefetchError."""

    def ask(self, target: Target, cookie: str, limits: Limits, budget: Budget) -> Answer:
        """The answer, whatever its status. The body of a redirect is not read."""


class Asker:
    """Asks the network, as one sender. Safe for threads."""

    def __init__(self, session: GuardedSession, user_agent: str, gate: Gate) -> None:
        self._session = session
        self._gate = gate
        self.fields = {
            "User-Agent": user_agent,
            "Accept": ACCEPT,
            "Accept-Encoding": body.ACCEPT_ENCODING,
        }
        """The fields of every request."""

    def ask(
        self,
        target: Target,
        cookie: str,
        limits: Limits,
        budget: Budget,
        conditions: Mapping[str, str] | None = None,
    ) -> Answer:
        """GET the target; `conditions` are the fields of a conditional request."""
        fields = {**self.fields, **(conditions or {}), **({"Cookie": cookie} if cookie else {})}
        with self._gate.entered(target.host, budget):
            return self._ask(target, fields, limits, budget)

    def _ask(
        self, target: Target, fields: Mapping[str, str], limits: Limits, budget: Budget
    ) -> Answer:
        started = time.monotonic()
        response = self._session.get_once(target, fields, budget)
        try:
            address, tls = peer_address(response), tls_socket(response)
            is_redirect = response.status_code in REDIRECTS
            read = body.Body(b"") if is_redirect else _read(response, target, limits, budget)
        finally:
            response.close()
        headers = raw_answer(response).headers
        hop = Hop(
            url=target.url,
            address=address,
            status=response.status_code,
            content_type=headers.get("content-type", ""),
            bytes=len(read.data),
            milliseconds=round((time.monotonic() - started) * 1000),
        )
        return Answer(
            _response(response, read, hop, complete=tls is None or not tls.cut_off),
            tuple(headers.getlist("set-cookie")),
            frozenset(headers.getlist("location") if is_redirect else ()),
        )


def _response(answer: requests.Response, read: body.Body, hop: Hop, *, complete: bool) -> Response:
    headers = raw_answer(answer).headers
    return Response(
        requested_url=hop.url,
        final_url=hop.url,
        status=answer.status_code,
        reason=answer.reason or "",
        headers={name.lower(): value for name, value in headers.itermerged()},
        body=read.data,
        truncated=read.truncated,
        retry_after_seconds=retry_after_seconds(headers.get("retry-after", "")),
        complete=complete,
        hops=(hop,),
    )


def _read(response: requests.Response, target: Target, limits: Limits, budget: Budget) -> body.Body:
    is_error = response.status_code >= 400
    cap = min(MAX_ERROR_BYTES, limits.max_bytes) if is_error else limits.max_bytes
    try:
        return body.read(raw_answer(response), budget, cap)
    except (*TRANSPORT_ERRORS, ValueError, SafefetchError) as error:  # ValueError: http.client
        if is_error:
            return body.Body(b"")  # the status is the news; its page is not worth another one
        raise translated(error, target, budget) from None
