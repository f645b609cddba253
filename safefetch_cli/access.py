"""From settings to responses: the policy, the one fetcher, what is kept, and the deadline."""

import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from copy import copy
from functools import cached_property
from typing import TYPE_CHECKING, Self, TypeVar

from safefetch_cli.errors import InternalError, InvalidInput, SafefetchError
from safefetch_cli.settings import Settings

if TYPE_CHECKING:
    from safefetch_cli.models import Limits, Response
    from safefetch_cli.net.budget import Budget
    from safefetch_cli.net.fetch import Fetcher
    from safefetch_cli.net.gate import Gate
    from safefetch_cli.net.policy import Policy
    from safefetch_cli.net.resolve import Lookup
    from safefetch_cli.net.snapshots import Snapshots
    from safefetch_cli.watch import Watch

CONVERSION_FLOOR_SECONDS = 0.1
"""Conversion gets what the download left of the deadline, and at least so much."""

CONVERSIONS_AT_ONCE = 8
CONVERSIONS_OF_HOST = 2
"""More would not be done sooner, as one step of Python runs at a time, and each takes memory."""

_T = TypeVar("_T")


class Access:
    """What one client reaches the network with. May be used from several threads."""

    is_offline = False

    def __init__(
        self,
        settings: Settings,
        lookup: "Lookup | None" = None,
        *,
        keeps_on_disk: bool = False,
        strict_robots: bool = False,
    ) -> None:
        self._settings = settings
        self._keeps_on_disk = keeps_on_disk
        self._strict_robots = strict_robots
        self.lookup = lookup
        self._watch: Watch | None = None
        self._is_one_of_many = False
        self._made_fetcher: Fetcher | None = None
        self._making = threading.Lock()
        _ = self.policy  # a setting that cannot be used is told before anything is fetched

    def sibling(self, settings: Settings, *, strict_robots: bool) -> "Access":
        """Access with other settings, under the same limit of requests on their way."""
        made = Access(settings, self.lookup, strict_robots=strict_robots)
        made._gate, made._converting = self._gate, self._converting
        return made

    def watched_by(self, watch: "Watch", max_bytes: int | None = None) -> Self:
        """The same access for one operation, which the watch follows.

        `max_bytes` lowers the setting for it. Raises InvalidInput for what would raise it.
        """
        # Made now, so that all have the same.
        _ = self.fetcher, self._snapshots, self._desk, self._converting
        watched = copy(self)
        watched._watch = watch
        if max_bytes is not None:
            most = self._settings.max_bytes
            if not 1 <= max_bytes <= most:
                raise InvalidInput(f"max_bytes: {max_bytes} is not from 1 to {most}")
            watched._settings = self._settings._replace(max_bytes=max_bytes)
        return watched

    def one_of_many(self, watch: "Watch") -> Self:
        """The same access for one operation of many at once, which the watch follows.

        It may wait for the others before its time runs.
        """
        access = self.watched_by(watch)
        access._is_one_of_many = True
        return access

    def bring(
        self,
        url: str,
        work: "Callable[[Response], _T]",
        *,
        anew: bool = False,
        budget: "Budget | None" = None,
        redirects_spent: int = 0,
    ) -> _T:
        """Fetch a URL, `anew` or from a snapshot, and do the work on it, all before the deadline.

        An operation of two fetches has one `budget` for both, and counts its redirects. Raises a
        SafefetchError and nothing else: HttpError for a status of 400 or more.
        """
        from safefetch_cli.results import http_error
        from safefetch_cli.time_limit import within

        budget = budget or self.new_budget()
        response = self._fetch(url, budget, anew, redirects_spent)
        try:
            with self._turn_to_convert(response.final_url, budget):
                seconds = max(budget.left, CONVERSION_FLOOR_SECONDS)
                if response.status >= 400:
                    raise http_error(response, seconds, self._watch)
                return within(seconds, lambda: work(response), self._watch)
        except SafefetchError as error:
            error.hops = response.hops
            raise
        except Exception as error:
            raise InternalError(f"{type(error).__name__}: {error}") from error

    @property
    def limits(self) -> "Limits":
        """What one operation may use."""
        return self._settings.limits

    def new_budget(self) -> "Budget":
        """The budget of an operation: its deadline, and what may come over the wire."""
        from safefetch_cli.net.fetch import new_budget

        if self._watch is None:
            return new_budget(self.limits)
        watch = self._watch
        return self._followed(
            new_budget(
                self.limits,
                watch.report,
                spent=watch.spent_seconds,
                patient=self._is_one_of_many,
            )
        )

    def look_up_budget(self) -> "Budget":
        """The budget of an operation that only looks a name up."""
        from safefetch_cli.net.budget import Budget

        spent = 0.0 if self._watch is None else self._watch.spent_seconds
        return self._followed(Budget(self._settings.timeout_ms / 1000, wire_bytes=0, spent=spent))

    def _fetch(self, url: str, budget: "Budget", anew: bool, redirects_spent: int) -> "Response":
        limits = self.limits
        limits = limits._replace(max_redirects=limits.max_redirects - redirects_spent)
        if self._snapshots is None:
            return self.fetcher.fetch(url, limits, budget)
        return self.fetcher.fetch_snapshot(url, limits, budget, self._snapshots, anew=anew)

    def _turn_to_convert(self, url: str, budget: "Budget") -> AbstractContextManager[None]:
        """Of many, one page is converted at a time: together each would take longer, none less."""
        from safefetch_cli.net import urls

        if self._is_one_of_many:
            return self._desk.entered("", budget)
        return self._converting.entered(urls.parse(url).host, budget)

    def _followed(self, budget: "Budget") -> "Budget":
        if self._watch is not None:
            self._watch.follow(budget)
        return budget

    def close(self) -> None:
        """Close the kept connections."""
        if self._made_fetcher is not None:
            self._made_fetcher.close()

    @cached_property
    def policy(self) -> "Policy":
        """The rules that the settings make. Raises InvalidInput."""
        from safefetch_cli.net.policy import Policy

        settings = self._settings
        return Policy.build(
            allow_local=settings.allow_local,
            allow=settings.allow,
            fake_ip=settings.fake_ip,
            allowlist=settings.allowlist,
            denylist=settings.denylist,
            allowed_ports=settings.allowed_ports,
            https_only=settings.https_only,
            allow_https_downgrade=settings.allow_https_downgrade,
            labels=settings.labels,
        )

    @property
    def fetcher(self) -> "Fetcher":
        """The one fetcher, made on first use."""
        from safefetch_cli.net.fetch import Fetcher
        from safefetch_cli.net.resolve import system_lookup
        from safefetch_cli.stores import new_cache

        with self._making:  # two threads may come here first
            if self._made_fetcher is None:
                self._made_fetcher = Fetcher(
                    self.policy,
                    user_agent=self._settings.user_agent,
                    ca_file=self._settings.ca_file,
                    lookup=self.lookup or system_lookup,
                    obey_robots=self._settings.robots == "respect",
                    strict_robots=self._strict_robots,
                    cache=new_cache(self._settings),
                    gate=self._gate,
                )
            return self._made_fetcher

    @cached_property
    def _gate(self) -> "Gate":
        from safefetch_cli.net.gate import Gate

        return Gate(self._settings.max_concurrent, self._settings.max_per_host)

    @cached_property
    def _desk(self) -> "Gate":
        """Where those of a batch wait whose page is to be converted."""
        from safefetch_cli.net.gate import Gate

        return Gate(max_concurrent=1, max_per_host=1)

    @cached_property
    def _converting(self) -> "Gate":
        """Where those wait whose page is to be converted, and who are not of a batch."""
        from safefetch_cli.net.gate import Gate

        return Gate(CONVERSIONS_AT_ONCE, CONVERSIONS_OF_HOST)

    @cached_property
    def _snapshots(self) -> "Snapshots | None":
        from safefetch_cli.stores import new_snapshots

        return new_snapshots(self._settings, on_disk=self._keeps_on_disk)
