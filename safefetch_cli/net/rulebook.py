"""The robots.txt of each site that was met lately: asked for once, kept for a day (RFC 9309, 2.3).

What brings a file is given by the caller, so that it goes the one guarded way of every request.
"""

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

from cachetools import TTLCache

from safefetch_cli.errors import (
    ConnectionFailed,
    DnsResolutionFailed,
    InvalidResponse,
    PolicyRejected,
    RedirectFailed,
    RobotsDisallowed,
    RobotsUnavailable,
    SafefetchError,
)
from safefetch_cli.models import Limits, Response
from safefetch_cli.net import robots
from safefetch_cli.net.budget import Budget
from safefetch_cli.net.robots import Rules, Ruling
from safefetch_cli.net.urls import Target

PATH = "/robots.txt"
ROBOTS_LIMITS = Limits(
    seconds=0,  # the budget of the page counts
    max_bytes=robots.MAX_BYTES + 1,  # one more, to see that the file is longer
    max_redirects=5,
)
"""More redirects are taken for a file that does not exist (RFC 9309, 2.3.1.2)."""

LIFETIME_SECONDS = 24 * 3600
MAX_KEPT_CHARS = 1024 * 1024
"""Of the rules that are kept; in memory they take about fifty times as many bytes."""

HINT = "To read it all the same, start with --ignore-robots-txt."

Bring = Callable[[str, Budget], Response]
"""URL and budget in, the last response out; raises a SafefetchError that carries its hops."""


_FORBIDDING = frozenset({401, 403})


class _File(NamedTuple):
    """The robots.txt of a site: its rules, and what a strict rulebook needs besides."""

    rules: Rules
    text: str = ""
    forbidding_status: int | None = None


class Rulebook:
    """Which URLs the sites allow to the sender of a User-Agent field. Safe for threads.

    A `strict` one takes the status 401 or 403 of a robots.txt for a no, which the standard takes
    for a yes (RFC 9309, 2.3.1.3), and tells the text of the file with its no.
    """

    def __init__(self, user_agent: str, bring: Bring, *, strict: bool = False) -> None:
        self._user_agent = user_agent
        self._bring = bring
        self._strict = strict
        self._kept: TTLCache[str, _File] = TTLCache(
            MAX_KEPT_CHARS, LIFETIME_SECONDS, time.monotonic, getsizeof=_size
        )
        self._asking: set[str] = set()
        self._changed = threading.Condition()

    def require(self, target: Target, budget: Budget) -> None:
        """Return if the site allows the target.

        Raises RobotsDisallowed, RobotsUnavailable, or what a request to the site itself would.
        """
        if target.request_target.partition("?")[0] == PATH:
            return
        try:
            self._require(target, budget)
        except SafefetchError as error:
            error.robots_url = target.origin + PATH
            raise

    def _require(self, target: Target, budget: Budget) -> None:
        url = target.origin + PATH
        file = self._file(target, budget)
        if file.forbidding_status is not None:
            raise RobotsDisallowed(
                f"{url} answered {file.forbidding_status}, which is taken for a no",
                status=file.forbidding_status,
                hint=HINT,
            )
        ruling = _judged(file, target, budget)
        if not ruling.allowed:
            raise RobotsDisallowed(
                f"{url} does not allow {target.url}",
                refused_url=target.url,
                rule=ruling.rule,
                robots_text=file.text,
                hint=HINT,
            )

    def ruling(self, target: Target, budget: Budget) -> Ruling:
        """What the site says. Raises RobotsUnavailable, or what a request to it would."""
        if target.request_target.partition("?")[0] == PATH:
            return Ruling(allowed=True)
        return _judged(self._file(target, budget), target, budget)

    def _file(self, target: Target, budget: Budget) -> _File:
        """The file of the target's site, kept or asked for; two threads do not ask at once."""
        origin = target.origin
        with self._changed:
            while origin in self._asking and origin not in self._kept:
                self._changed.wait(budget.pause())
            kept = self._kept.get(origin)
            if kept is not None:
                return kept
            self._asking.add(origin)
        try:
            file = self._ask(origin + PATH, budget)
        finally:
            with self._changed:
                self._asking.discard(origin)
                self._changed.notify_all()
        with self._changed, suppress(ValueError):  # too large to keep
            self._kept[origin] = file
        return file

    def _ask(self, url: str, budget: Budget) -> _File:
        try:
            response = self._bring(url, budget)
        except RedirectFailed:
            return _File(Rules(()))
        except InvalidResponse as error:
            told = f"{url}: {error.own_words}"
            raise InvalidResponse(told, says=error.page_words) from error
        except SafefetchError as error:
            if _is_of_the_site(error):
                raise
            raise _unavailable(url, f"{error.own_words} ({error.code})") from error
        if response.status == 429 or response.status >= 500:
            raise _unavailable(url, f"it answered {response.status}")
        if self._strict and response.status in _FORBIDDING:
            return _File(Rules(()), forbidding_status=response.status)
        if not 200 <= response.status < 300:
            return _File(Rules(()))  # there is no such file (2.3.1.3)
        text = response.body.decode("utf-8", "replace") if self._strict else ""
        return _File(robots.read(response.body, self._user_agent), text)


def _judged(file: _File, target: Target, budget: Budget) -> Ruling:
    ruling = file.rules.judge(target.url)
    budget.remaining()
    return ruling


def _size(file: _File) -> int:
    return file.rules.size + len(file.text) + 256


def _is_of_the_site(error: SafefetchError) -> bool:
    """Whether no request to the site can do better than the one for its robots.txt did."""
    if error.hops:
        return False  # it answered, and its redirect led into trouble
    if isinstance(error, ConnectionFailed):
        return not error.dropped
    return isinstance(error, (PolicyRejected, DnsResolutionFailed, InvalidResponse))


def _unavailable(url: str, reason: str) -> RobotsUnavailable:
    return RobotsUnavailable(f"{url} could not be had, so nothing may be read: {reason}", hint=HINT)
