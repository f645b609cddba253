"""Another try for what may go better the next time, within one deadline."""

from collections.abc import Callable
from typing import Protocol, TypeVar

from safefetch_cli.errors import HttpError, SafefetchError

FIRST_WAIT_SECONDS = 0.5
LONGEST_WAIT_SECONDS = 30.0
"""Of the waits that no server asked for; each is twice the one before."""

_T = TypeVar("_T")


class Deadline(Protocol):
    """The time that all tries have together."""

    @property
    def left(self) -> float:
        """Seconds left, 0 or less when there are none."""

    def sleep(self, seconds: float) -> None:
        """Wait so long. Raises Timeout when the operation is cancelled meanwhile."""


def with_retries(attempt: Callable[[], _T], retries: int, deadline: Deadline) -> _T:
    """The result of the first attempt that succeeds, of at most `retries` after the first.

    Only after an error that is retryable is another made, after the time that the server asked for
    (Retry-After) or a growing one of our own; none when it does not fit before the deadline. Raises
    the error of the last attempt.
    """
    failures = 0
    while True:
        try:
            return attempt()
        except SafefetchError as error:
            seconds = wait_before_retry(error, failures)
            if not error.retryable or failures >= retries or seconds >= deadline.left:
                raise
        failures += 1
        deadline.sleep(seconds)


def wait_before_retry(error: SafefetchError, failures: int) -> float:
    """Seconds to wait after an error that so many others went before."""
    if isinstance(error, HttpError) and error.retry_after_seconds is not None:
        return float(error.retry_after_seconds)
    return min(FIRST_WAIT_SECONDS * 2.0 ** min(failures, 16), LONGEST_WAIT_SECONDS)
