"""One fetch: what it asked, how it ended and how long it took."""

import socket
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from safefetch_cli.errors import SafefetchError
from safefetch_cli.models import Limits, Response
from safefetch_cli.net.budget import Budget
from safefetch_cli.net.fetch import Fetcher
from safefetch_cli.net.policy import Policy

OK = "OK"
MAX_BYTES = 5_000_000
DEADLINE = 1.0
LATEST = DEADLINE + 0.3
"""A fetch with this deadline has ended by then, on a busy machine too."""

Answers = Sequence[str] | BaseException | Callable[[], Sequence[Any]]


class Names:
    """DNS as a test tells it: name -> addresses, an error to raise, or a function to call.

    The name "*" stands for all others. `asked` has the look-ups that were made.
    """

    def __init__(self, table: Mapping[str, Answers]) -> None:
        self._table = dict(table)
        self.asked: list[str] = []

    def __call__(self, host: str, port: int) -> Sequence[Any]:
        self.asked.append(host)
        answers = self._table.get(host, self._table.get("*", socket.gaierror(-2, "not known")))
        if isinstance(answers, BaseException):
            raise answers
        found = answers() if callable(answers) else answers
        return [info(item, port) if isinstance(item, str) else item for item in found]


def info(address: str, port: int) -> tuple[Any, ...]:
    """One answer of getaddrinfo."""
    if ":" in address:
        return (socket.AF_INET6, socket.SOCK_STREAM, 6, "", (address, port, 0, 0))
    return (socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port))


@dataclass(frozen=True)
class Attempt:
    """How a fetch ended: OK with a response, or the code of an error."""

    code: str
    seconds: float
    answer: Response | None = None
    error: SafefetchError | None = None

    @property
    def response(self) -> Response:
        assert self.answer is not None, f"{self.code}: {self.error}"
        return self.answer

    @property
    def body(self) -> bytes:
        return self.response.body

    @property
    def rule(self) -> str:
        """The rule of a refusal."""
        return str(getattr(self.error, "rule", ""))

    @property
    def urls(self) -> list[str]:
        """What was requested, hop by hop."""
        hops = self.answer.hops if self.answer else self.error.hops if self.error else ()
        return [hop.url for hop in hops]


class Guarded:
    """A fetcher under a policy and simulated DNS."""

    def __init__(self, policy: Policy, names: Names, ca_file: str = "") -> None:
        self.names = names
        self.fetcher = Fetcher(policy, user_agent="test", ca_file=ca_file, lookup=names)

    def fetch(
        self,
        url: str,
        *,
        seconds: float = 5.0,
        max_bytes: int = MAX_BYTES,
        max_redirects: int = 5,
        budget: Budget | None = None,
    ) -> Attempt:
        limits = Limits(seconds=seconds, max_bytes=max_bytes, max_redirects=max_redirects)
        started = time.monotonic()
        try:
            response = self.fetcher.fetch(url, limits, budget)
        except SafefetchError as error:
            return Attempt(error.code, time.monotonic() - started, error=error)
        return Attempt(OK, time.monotonic() - started, answer=response)

    def close(self) -> None:
        self.fetcher.close()


Guard = Callable[..., Guarded]
"""What the fixture `guard` is: it makes a fetcher, by default one that may go to loopback."""
