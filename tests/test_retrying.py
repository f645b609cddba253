"""Other tries: for what, how often, after how long."""

import pytest

from safefetch_cli.errors import (
    ConnectionFailed,
    HttpError,
    InvalidInput,
    PolicyRejected,
    SafefetchError,
    Timeout,
)
from safefetch_cli.retrying import with_retries


class Deadline:
    """Time that passes only in sleep."""

    def __init__(self, left: float) -> None:
        self.left = left
        self.slept: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.left -= seconds


class Attempts:
    """Raises these, one after another, then succeeds."""

    def __init__(self, *errors: SafefetchError) -> None:
        self.errors = list(errors)
        self.made = 0

    def __call__(self) -> str:
        self.made += 1
        if self.errors:
            raise self.errors.pop(0)
        return "done"


def http(status: int, retry_after: int | None = None) -> HttpError:
    return HttpError("", status=status, final_url="", retry_after_seconds=retry_after)


def dropped() -> ConnectionFailed:
    return ConnectionFailed("dropped")


def test_a_success_is_not_repeated() -> None:
    attempts, deadline = Attempts(), Deadline(10)
    assert with_retries(attempts, 5, deadline) == "done"
    assert (attempts.made, deadline.slept) == (1, [])


def test_each_wait_is_twice_the_one_before_up_to_half_a_minute() -> None:
    attempts, deadline = Attempts(*(dropped() for _ in range(9))), Deadline(1000)
    assert with_retries(attempts, 10, deadline) == "done"
    assert deadline.slept == [0.5, 1, 2, 4, 8, 16, 30, 30, 30]


@pytest.mark.parametrize("retries", [0, 1, 3])
def test_the_last_error_is_raised_when_all_fail(retries: int) -> None:
    errors = [dropped() for _ in range(10)]
    attempts = Attempts(*errors)
    with pytest.raises(ConnectionFailed) as caught:
        with_retries(attempts, retries, Deadline(1000))
    assert caught.value is errors[retries]
    assert attempts.made == retries + 1


@pytest.mark.parametrize(
    "error",
    [
        InvalidInput(""),
        PolicyRejected("", rule="host"),
        ConnectionFailed("", certificate=True),
        http(404),
        http(403, 1),
    ],
    ids=lambda error: type(error).__name__,
)
def test_what_will_not_pass_is_not_tried_again(error: SafefetchError) -> None:
    attempts = Attempts(error)
    with pytest.raises(type(error)):
        with_retries(attempts, 5, Deadline(1000))
    assert attempts.made == 1


@pytest.mark.parametrize("status", [408, 425, 429, 500, 503, 599])
@pytest.mark.parametrize("seconds", [0, 7])
def test_the_server_says_how_long_to_wait(status: int, seconds: int) -> None:
    deadline = Deadline(10)
    assert with_retries(Attempts(http(status, seconds)), 1, deadline) == "done"
    assert deadline.slept == [seconds]


def test_no_try_is_made_that_does_not_fit_before_the_deadline() -> None:
    attempts, deadline = Attempts(http(503, 10)), Deadline(10)
    with pytest.raises(HttpError):
        with_retries(attempts, 5, deadline)
    assert (attempts.made, deadline.slept) == (1, [])


def test_one_deadline_holds_for_all_tries() -> None:
    attempts, deadline = Attempts(*(http(503, 4) for _ in range(9))), Deadline(10)
    with pytest.raises(HttpError):
        with_retries(attempts, 9, deadline)
    assert (attempts.made, deadline.slept) == (3, [4, 4])


def test_a_deadline_that_passed_leaves_no_other_try() -> None:
    attempts = Attempts(Timeout(""))
    with pytest.raises(Timeout):
        with_retries(attempts, 5, Deadline(0))
    assert attempts.made == 1
