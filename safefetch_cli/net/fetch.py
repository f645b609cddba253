"""The one redirect loop: a URL in, a response out.

Every hop starts from scratch: parsed by the same parser, judged by the same rules, looked up and
dialled anew, all on one budget. The body of a redirect is never read.
"""

from safefetch_cli.errors import (
    InvalidInput,
    PolicyRejected,
    RedirectFailed,
    SafefetchError,
)
from safefetch_cli.models import Hop, Limits, Response
from safefetch_cli.net import urls
from safefetch_cli.net.ask import REDIRECTS, Ask, Asker
from safefetch_cli.net.budget import Budget, Report, no_report
from safefetch_cli.net.cache import CachingAsker, ResponseCache
from safefetch_cli.net.cookies import Cookies
from safefetch_cli.net.gate import Gate
from safefetch_cli.net.policy import Policy, Refusal, refused_way
from safefetch_cli.net.resolve import Lookup, resolve, system_lookup
from safefetch_cli.net.robots import Ruling
from safefetch_cli.net.rulebook import ROBOTS_LIMITS, Rulebook
from safefetch_cli.net.snapshots import Snapshots, snapshot_key
from safefetch_cli.net.transport import GuardedSession
from safefetch_cli.net.urls import Target

_WIRE_OVERHEAD_BYTES = 1024 * 1024  # headers, TLS and framing of all hops


class Fetcher:
    """Fetches URLs under one policy, keeping connections between fetches. Safe for threads.

    With `obey_robots` every hop is asked of its site's robots.txt first; the files are kept, and
    read as `strict_robots` says (see Rulebook). A `cache` must be given to no other fetcher; a
    `gate` may be, for one limit on what is on its way.
    """

    def __init__(
        self,
        policy: Policy,
        *,
        user_agent: str,
        ca_file: str = "",
        lookup: Lookup = system_lookup,
        obey_robots: bool = False,
        strict_robots: bool = False,
        cache: ResponseCache | None = None,
        gate: Gate | None = None,
    ) -> None:
        self._policy = policy
        self._lookup = lookup
        self._session = GuardedSession(policy, lookup=lookup, ca_file=ca_file)
        self._asker = Asker(self._session, user_agent, gate or Gate(16, 4))
        self._caching = (
            self._asker if cache is None else CachingAsker(self._asker, cache, self._judge)
        )
        self._rulebook = Rulebook(user_agent, self._bring_robots, strict=strict_robots)
        self._obey_robots = obey_robots
        self._user_agent = user_agent
        self._ca_file = ca_file

    def fetch(self, url: str, limits: Limits, budget: Budget | None = None) -> Response:
        """GET the URL and follow its redirects.

        `budget` is for a caller that wants to `abort` it; by default one is made from the limits.
        A status of 400 or more is a response like any other. Raises a SafefetchError.
        """
        budget = budget or new_budget(limits)
        rulebook = self._rulebook if self._obey_robots else None
        return _Walk(self._caching, self._policy, url, limits, budget, rulebook).run()

    def fetch_snapshot(
        self, url: str, limits: Limits, budget: Budget, snapshots: Snapshots, *, anew: bool = False
    ) -> Response:
        """The version of the page that an earlier call saw, or else what `fetch` brings.

        With `anew` it is fetched in any case. What was fetched is stored, unless its status is 400
        or more. The way to a snapshot is judged again, hop by hop, but its robots.txt is not asked
        again. Raises what `fetch` raises.
        """
        key = self._snapshot_key(url, limits)
        kept = None if anew else snapshots.load(key)
        if kept is not None:
            self._judge_way(url, kept, budget)
            return kept.changed(requested_url=url, from_cache=False, from_snapshot=True)
        response = self.fetch(url, limits, budget)
        if response.status < 400:
            snapshots.store(key, response)
        return response

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
        with budget.unreported():
            # Past the cache: the rulebook keeps the files itself.
            return _Walk(self._asker, self._policy, url, ROBOTS_LIMITS, budget, None).run()

    def _snapshot_key(self, url: str, limits: Limits) -> str:
        bounds = (limits.max_bytes, limits.max_redirects)
        target, trust = urls.parse(url), (self._ca_file, self._obey_robots)
        return snapshot_key(target, self._policy, self._user_agent, *bounds, *trust)

    def _judge_way(self, url: str, response: Response, budget: Budget) -> None:
        """Judge every host on the way to an answer, as a fetch would now."""
        targets = [urls.parse(text) for text in (url, *(hop.url for hop in response.hops))]
        for target in {target.origin: target for target in targets}.values():
            self._judge(target, budget)

    def _judge(self, target: Target, budget: Budget) -> None:
        """Raise what a request would when the target may not be reached now."""
        budget.remaining()
        resolve(target, self._policy, budget, self._lookup)


def new_budget(
    limits: Limits, report: Report = no_report, *, spent: float = 0.0, patient: bool = False
) -> Budget:
    """The budget that belongs to the limits: twice the decoded bytes on the wire, and a margin.

    So many seconds of it were `spent` before.
    """
    wire_bytes = 2 * limits.max_bytes + _WIRE_OVERHEAD_BYTES
    return Budget(limits.seconds, wire_bytes, report, spent=spent, patient=patient)


class _Walk:
    """The state of one fetch on its way from hop to hop."""

    def __init__(
        self,
        asker: Ask,
        policy: Policy,
        url: str,
        limits: Limits,
        budget: Budget,
        rulebook: Rulebook | None,
    ) -> None:
        self._asker = asker
        self._policy = policy
        self._url = url
        self._limits = limits
        self._budget = budget
        self._rulebook = rulebook
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
        cookie = self._cookies.header(target)
        if (target.url, cookie) in self._seen:
            raise RedirectFailed(f"{self._hops[0].url} redirects in a circle")
        self._seen.add((target.url, cookie))
        answer = self._asker.ask(target, cookie, self._limits, self._budget)
        self._cookies.store(target, answer.cookies)
        self._hops += answer.response.hops
        if answer.response.status in REDIRECTS:
            return _location(target, answer.locations)
        return answer.response.changed(requested_url=self._url, hops=tuple(self._hops))

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
            refusal = Refusal(error.rule, error.message)
            raise refused_way(base.host, "redirects", refusal) from None
        if refusal is not None:
            hint = f"The redirect leads to {target.url}. {refusal.hint}".rstrip()
            told = Refusal(refusal.rule, refusal.reason, hint, refusal.address_class)
            raise refused_way(base.host, "redirects", told)
        is_downgrade = base.scheme == "https" and target.scheme == "http"
        if is_downgrade and not self._policy.allow_https_downgrade:
            hint = "To follow it, start with --allow-https-downgrade."
            refusal = Refusal("downgrade", "it leads from https to http", hint)
            raise refused_way(base.host, "redirects", refusal)
        return target


def _location(target: Target, values: frozenset[str]) -> str:
    """The one value of Location."""
    if not values:
        raise RedirectFailed(f"{target.host} redirects without saying where to: no Location")
    if len(values) > 1:
        raise RedirectFailed(f"{target.host} redirects to {len(values)} places at once")
    return next(iter(values))
