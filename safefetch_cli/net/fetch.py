"""The one redirect loop: a URL in, a response out.

Every hop starts from scratch: parsed by the same parser, judged by the same rules, looked up and
dialled anew, all on one budget. The body of a redirect is never read.
"""

import time

import requests

from safefetch_cli.errors import (
    InvalidInput,
    PolicyRejected,
    RedirectFailed,
    SafefetchError,
)
from safefetch_cli.models import Hop, Limits, Response
from safefetch_cli.net import body, urls
from safefetch_cli.net.budget import Budget
from safefetch_cli.net.cookies import Cookies
from safefetch_cli.net.policy import Policy
from safefetch_cli.net.resolve import Lookup, system_lookup
from safefetch_cli.net.retry_after import retry_after_seconds
from safefetch_cli.net.robots import Ruling
from safefetch_cli.net.rulebook import ROBOTS_LIMITS, Rulebook
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

_WIRE_OVERHEAD_BYTES = 1024 * 1024  # headers, TLS and framing of all hops


class Fetcher:
    """Fetches URLs under one policy, keeping connections between fetches. Safe for threads.

    With `obey_robots` every hop is asked of its site's robots.txt first; the files are kept.
    """

    def __init__(
        self,
        policy: Policy,
        *,
        user_agent: str,
        ca_file: str = "",
        lookup: Lookup = system_lookup,
        obey_robots: bool = False,
    ) -> None:
        self._policy = policy
        self._user_agent = user_agent
        self._obey_robots = obey_robots
        self._session = GuardedSession(policy, lookup=lookup, ca_file=ca_file)
        self._rulebook = Rulebook(user_agent, self._bring_robots)

    def fetch(self, url: str, limits: Limits, budget: Budget | None = None) -> Response:
        """GET the URL and follow its redirects.

        `budget` is for a caller that wants to `abort` it; by default one is made from the limits.
        A status of 400 or more is a response like any other. Raises a SafefetchError.
        """
        budget = budget or new_budget(limits)
        rulebook = self._rulebook if self._obey_robots else None
        return self._walk(url, limits, budget, rulebook).run()

    def ruling(self, url: str, budget: Budget) -> Ruling:
        """What the robots.txt of the URL's site says to it, whether it is obeyed or not.

        Raises what `fetch` raises, but RobotsDisallowed.
        """
        return self._rulebook.ruling(urls.parse(url), budget)

    def close(self) -> None:
        """Close the kept connections."""
        self._session.close()

    def _bring_robots(self, url: str, budget: Budget) -> Response:
        budget.allow_more(2 * ROBOTS_LIMITS.max_bytes)
        return self._walk(url, ROBOTS_LIMITS, budget, None).run()

    def _walk(self, url: str, limits: Limits, budget: Budget, rulebook: Rulebook | None) -> "_Walk":
        return _Walk(self._session, self._policy, self._user_agent, url, limits, budget, rulebook)


def new_budget(limits: Limits) -> Budget:
    """The budget that belongs to the limits: twice the decoded bytes on the wire, and a margin."""
    return Budget(limits.seconds, 2 * limits.max_bytes + _WIRE_OVERHEAD_BYTES)


class _Walk:
    """The state of one fetch on its way from hop to hop."""

    def __init__(
        self,
        session: GuardedSession,
        policy: Policy,
        user_agent: str,
        url: str,
        limits: Limits,
        budget: Budget,
        rulebook: Rulebook | None,
    ) -> None:
        self._rulebook = rulebook
        self._session = session
        self._policy = policy
        self._user_agent = user_agent
        self._url = url
        self._limits = limits
        self._budget = budget
        self._cookies = Cookies()
        self._hops: list[Hop] = []
        self._seen: set[tuple[str, str]] = set()

    def run(self) -> Response:
        """The last response. An error carries the hops that were made."""
        try:
            target = urls.parse(self._url)
            while True:
                if self._rulebook is not None:
                    self._rulebook.require(target, self._budget)
                answer = self._request(target)
                if isinstance(answer, Response):
                    return answer
                target = self._next(target, answer)
        except SafefetchError as error:
            error.hops = tuple(self._hops)
            raise
        finally:
            self._budget.interrupt_with(None)  # its connection may serve another fetch from now on

    def _request(self, target: Target) -> Response | str:
        """The final response, or the location that a redirect names."""
        started = time.monotonic()
        cookie = self._cookies.header(target)
        if (target.url, cookie) in self._seen:
            raise RedirectFailed(f"{target.url} redirects in a circle")
        self._seen.add((target.url, cookie))
        response = self._session.get_once(target, self._headers(cookie), self._budget)
        try:
            address, tls = peer_address(response), tls_socket(response)
            headers = raw_answer(response).headers
            self._cookies.store(target, headers.getlist("set-cookie"))
            is_redirect = response.status_code in REDIRECTS
            read = body.Body(b"") if is_redirect else self._read(response, target)
        finally:
            response.close()
        self._hops.append(
            Hop(
                url=target.url,
                address=address,
                status=response.status_code,
                content_type=headers.get("content-type", ""),
                bytes=len(read.data),
                milliseconds=round((time.monotonic() - started) * 1000),
            )
        )
        if is_redirect:
            return _location(target, headers.getlist("location"))
        return Response(
            requested_url=self._url,
            final_url=target.url,
            status=response.status_code,
            reason=response.reason or "",
            headers={name.lower(): value for name, value in headers.itermerged()},
            body=read.data,
            truncated=read.truncated,
            retry_after_seconds=retry_after_seconds(headers.get("retry-after", "")),
            complete=tls is None or not tls.cut_off,
            hops=tuple(self._hops),
        )

    def _next(self, base: Target, location: str) -> Target:
        """The target of a redirect. Raises RedirectFailed or PolicyRejected."""
        if len(self._hops) > self._limits.max_redirects:
            raise RedirectFailed(
                f"{self._hops[0].url} redirects more than {self._limits.max_redirects} times"
            )
        text = urls.join(base, location)
        try:
            target = urls.parse(text)
            refusal = self._policy.refuse_target(target)
        except InvalidInput as error:
            raise RedirectFailed(
                f"{base.host} redirects to what is not a URL that can be fetched",
                hint=error.message,
            ) from None
        except PolicyRejected as error:
            raise _refused_redirect(base, error.rule, error.message, "", "") from None
        if refusal is not None:
            hint = f"The redirect leads to {target.url}. {refusal.hint}".rstrip()
            raise _refused_redirect(base, refusal.rule, refusal.reason, refusal.address_class, hint)
        is_downgrade = base.scheme == "https" and target.scheme == "http"
        if is_downgrade and not self._policy.allow_https_downgrade:
            hint = "To follow it, start with --allow-https-downgrade."
            raise _refused_redirect(base, "downgrade", "it leads from https to http", "", hint)
        return target

    def _headers(self, cookie: str) -> dict[str, str]:
        headers = {
            "User-Agent": self._user_agent,
            "Accept": ACCEPT,
            "Accept-Encoding": body.ACCEPT_ENCODING,
        }
        return {**headers, "Cookie": cookie} if cookie else headers

    def _read(self, response: requests.Response, target: Target) -> body.Body:
        is_error = response.status_code >= 400
        cap = MAX_ERROR_BYTES if is_error else self._limits.max_bytes
        try:
            return body.read(raw_answer(response), self._budget, min(cap, self._limits.max_bytes))
        except (*TRANSPORT_ERRORS, ValueError, SafefetchError) as error:  # ValueError: http.client
            if is_error:
                return body.Body(b"")  # the status is the news; its page is not worth another one
            raise translated(error, target, self._budget) from None


def _location(target: Target, values: list[str]) -> str:
    """The one value of Location; the same value twice is one."""
    distinct = set(values)
    if not distinct:
        raise RedirectFailed(f"{target.url} redirects without saying where to: no Location")
    if len(distinct) > 1:
        raise RedirectFailed(f"{target.url} redirects to {len(distinct)} places at once")
    return distinct.pop()


def _refused_redirect(
    base: Target, rule: str, reason: str, address_class: str, hint: str
) -> PolicyRejected:
    # The message names no target: it may be an address inside the network.
    return PolicyRejected(
        f"{base.host} redirects to a place that is refused: {reason}",
        rule=rule,
        address_class=address_class,
        reason=reason,
        hint=hint,
    )
