"""Many URLs: what came of each, in their order."""

from collections.abc import Callable, Generator, Iterable
from typing import Any, NamedTuple

from safefetch_cli.errors import InternalError, SafefetchError
from safefetch_cli.models import Result
from safefetch_cli.ordered import in_order
from safefetch_cli.watch import Watch


class Outcome(NamedTuple):
    """What came of one URL of many: a result, or else an error."""

    url: str  # as it was given
    result: Result | None = None
    error: SafefetchError | None = None

    def to_dict(self) -> dict[str, Any]:
        """The object that `--json` prints for it."""
        if self.error is not None:
            return self.error.to_dict()
        return {} if self.result is None else self.result.to_dict()


def outcomes(
    urls: Iterable[str], get: Callable[[str, Watch], Result], jobs: int
) -> Generator[Outcome, None, None]:
    """What comes of each URL, in their order, `jobs` at once. An error of one ends no other."""

    def outcome(url: str, watch: Watch) -> Outcome:
        try:
            return Outcome(url, result=get(url, watch))
        except SafefetchError as error:
            return _failed(url, error)
        except Exception as error:  # noqa: BLE001 - a bug that one page shows
            return _failed(url, InternalError(f"{type(error).__name__}: {error}"))

    return in_order(urls, outcome, jobs)


def _failed(url: str, error: SafefetchError) -> Outcome:
    error.requested_url = url
    return Outcome(url, error=error)
