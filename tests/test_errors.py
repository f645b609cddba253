"""The table of failures, and that whatever the libraries raise becomes one of them."""

import errno
import inspect
import json
import ssl
from http.client import BadStatusLine, IncompleteRead, LineTooLong, RemoteDisconnected
from types import SimpleNamespace
from typing import Any

import pytest
import requests
import urllib3.exceptions

import safefetch_cli
from safefetch_cli import errors
from safefetch_cli.errors import (
    FAILURES,
    ConnectionFailed,
    HttpError,
    InternalError,
    InvalidResponse,
    PolicyRejected,
    RobotsDisallowed,
    SafefetchError,
    Timeout,
)
from safefetch_cli.net.budget import Budget
from safefetch_cli.net.transport import TRANSPORT_ERRORS, translated
from safefetch_cli.net.urls import parse

TARGET = parse("http://name.example/")

TABLE = [
    ("InvalidInput", "INVALID_INPUT", False, 2),
    ("PolicyRejected", "POLICY_REJECTED", False, 3),
    ("DnsResolutionFailed", "DNS_RESOLUTION_FAILED", True, 4),
    ("ConnectionFailed", "CONNECTION_FAILED", True, 5),
    ("Timeout", "TIMEOUT", True, 6),
    ("RedirectFailed", "REDIRECT_FAILED", False, 7),
    ("InvalidResponse", "INVALID_RESPONSE", False, 8),
    ("ProcessingLimit", "PROCESSING_LIMIT", False, 9),
    ("UnsupportedContentType", "UNSUPPORTED_CONTENT_TYPE", False, 10),
    ("RobotsDisallowed", "ROBOTS_DISALLOWED", False, 11),
    ("RobotsUnavailable", "ROBOTS_UNAVAILABLE", True, 12),
    ("SelectionNotFound", "SELECTION_NOT_FOUND", False, 13),
    ("HttpError", "HTTP_ERROR", False, 22),
    ("InternalError", "INTERNAL_ERROR", False, 1),
]
NEEDED: dict[str, dict[str, Any]] = {
    "PolicyRejected": {"rule": "scheme"},
    "HttpError": {"status": 404, "final_url": "http://name.example/"},
}


def make(name: str) -> SafefetchError:
    error = getattr(errors, name)("It failed.", **NEEDED.get(name, {}))
    assert isinstance(error, SafefetchError)
    return error


@pytest.mark.parametrize(("name", "code", "retryable", "status"), TABLE)
def test_an_error_has_its_row_of_the_table(
    name: str, code: str, retryable: bool, status: int
) -> None:
    error = make(name)
    assert (error.code, error.retryable, error.exit_status) == (code, retryable, status)
    assert (error.message, error.hint, error.hops, str(error)) == (
        "It failed.",
        "",
        (),
        "It failed.",
    )
    assert error.to_dict()["error"] == {
        "code": code,
        "retryable": retryable,
        "message": "It failed.",
    }
    assert json.loads(json.dumps(error.to_dict())) == error.to_dict()


def test_the_table_has_a_row_for_every_error_and_no_other() -> None:
    assert [row.code for row in FAILURES.values()] == [row[1] for row in TABLE]
    assert list(FAILURES) == [row[1] for row in TABLE]
    assert {cls.__name__ for cls in SafefetchError.__subclasses__()} == {row[0] for row in TABLE}
    assert len({row.exit_status for row in FAILURES.values()}) == len(FAILURES)
    assert all(row.when for row in FAILURES.values())


def test_the_tree_in_the_documentation_is_the_tree() -> None:
    drawn = [line.split()[1:] for line in (errors.__doc__ or "").splitlines() if "── " in line]
    assert drawn == [[name, code] for name, code, _, _ in TABLE]


def test_every_error_is_a_public_name() -> None:
    assert {row[0] for row in TABLE} | {"SafefetchError"} <= set(safefetch_cli.__all__)
    for name in safefetch_cli.__all__:
        assert getattr(safefetch_cli, name) is not None
    assert getattr(safefetch_cli, TABLE[0][0]) is errors.InvalidInput
    assert dir(safefetch_cli) == sorted(safefetch_cli.__all__)
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = safefetch_cli.no_such_name


def test_a_certificate_fault_stays() -> None:
    assert ConnectionFailed("x").retryable is True
    assert ConnectionFailed("x", certificate=True).retryable is False


@pytest.mark.parametrize(
    ("status", "retryable"),
    [
        *((400, False), (401, False), (404, False), (408, True), (410, False), (425, True)),
        *((429, True), (451, False), (499, False), (500, True), (503, True), (599, True)),
    ],
)
def test_an_http_error_is_worth_another_try_by_its_status(status: int, retryable: bool) -> None:
    assert HttpError("x", status=status, final_url="").retryable is retryable


def test_an_http_error_tells_what_the_server_said() -> None:
    error = HttpError("x", status=503, final_url="http://a/", retry_after_seconds=7, text="Later.")
    assert error.to_dict() == {
        "status": 503,
        "finalUrl": "http://a/",
        "retryAfterSeconds": 7,
        "text": "Later.",
        "hints": ["http-error"],
        "error": {"code": "HTTP_ERROR", "retryable": True, "message": "x"},
    }


def budget() -> Budget:
    return Budget(60, 1000)


def caused(error: Exception, cause: Exception) -> Exception:
    error.__cause__ = cause
    return error


POOL: Any = "pool"


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (TimeoutError("timed out"), Timeout),
        (caused(urllib3.exceptions.ReadTimeoutError(POOL, "/", "x"), TimeoutError()), Timeout),
        (urllib3.exceptions.ProtocolError("x", TimeoutError()), Timeout),
        (requests.ConnectionError(urllib3.exceptions.ProtocolError("x", TimeoutError())), Timeout),
        (ConnectionResetError(errno.ECONNRESET, "reset"), ConnectionFailed),
        (BrokenPipeError(errno.EPIPE, "pipe"), ConnectionFailed),
        (urllib3.exceptions.ProtocolError("x", RemoteDisconnected("no answer")), ConnectionFailed),
        (requests.ConnectionError(ConnectionAbortedError(errno.ECONNABORTED)), ConnectionFailed),
        (OSError(errno.EHOSTUNREACH, "no route"), ConnectionFailed),
        (ssl.SSLError(1, "[SSL: WRONG_VERSION_NUMBER] wrong"), ConnectionFailed),
        (urllib3.exceptions.SSLError(ssl.SSLError(1, "x")), ConnectionFailed),
        (BadStatusLine("220 mail"), InvalidResponse),
        (LineTooLong("header line"), InvalidResponse),
        (urllib3.exceptions.ProtocolError("x", BadStatusLine("?")), InvalidResponse),
        (urllib3.exceptions.ProtocolError("x", IncompleteRead(b"ab", 5)), InvalidResponse),
        (urllib3.exceptions.InvalidHeader("two lengths"), InvalidResponse),
        (requests.exceptions.ChunkedEncodingError("x"), InvalidResponse),
    ],
    ids=lambda value: "" if isinstance(value, type) else repr(value)[:60],
)
def test_what_a_library_raises_is_told_by_its_innermost_cause(
    error: Exception, expected: type[SafefetchError]
) -> None:
    assert type(translated(error, TARGET, budget())) is expected


def test_an_error_of_ours_inside_a_library_s_is_that_error() -> None:
    inner = PolicyRejected("no", rule="address")
    assert translated(urllib3.exceptions.ProtocolError("x", inner), TARGET, budget()) is inner
    assert translated(caused(requests.ConnectionError("x"), inner), TARGET, budget()) is inner


def test_past_the_deadline_every_error_is_a_timeout() -> None:
    with pytest.raises(Timeout):
        translated(BadStatusLine("x"), TARGET, Budget(0, 1000))


def test_errors_that_cause_each_other_are_no_endless_matter() -> None:
    first, second = OSError("first"), OSError("second")
    first.__cause__, second.__cause__ = second, first
    assert type(translated(first, TARGET, budget())) is InvalidResponse


LIBRARY_ERRORS = [
    cls
    for module in (urllib3.exceptions, requests.exceptions)
    for cls in vars(module).values()
    if inspect.isclass(cls)
    and issubclass(cls, Exception)
    and not issubclass(cls, Warning)
    and cls.__module__ == module.__name__
]
VALUES: dict[str, Any] = {
    "response": SimpleNamespace(tell=lambda: 0, length_remaining=1),
    "partial": 1,
    "expected": 2,
    "length": b"5",
    "defects": [],
    "reason": OSError("x"),
    "error": OSError("x"),
}


def instance(cls: type[Exception]) -> Exception:
    """An error as the library might make it."""
    if cls is requests.exceptions.JSONDecodeError:
        return cls("x\ny", "document", 0)
    if cls.__init__ in (Exception.__init__, OSError.__init__, ValueError.__init__):
        return cls("x\ny")
    parameters = [*inspect.signature(cls.__init__).parameters.values()][1:]
    needed = [item for item in parameters if item.kind is item.POSITIONAL_OR_KEYWORD]
    return cls(*(VALUES.get(item.name, "x\ny") for item in needed) if needed else ("x\ny",))


@pytest.mark.parametrize("cls", LIBRARY_ERRORS, ids=lambda cls: f"{cls.__module__}.{cls.__name__}")
def test_every_error_of_the_libraries_becomes_one_of_ours(cls: type[Exception]) -> None:
    if not issubclass(cls, TRANSPORT_ERRORS):
        assert cls is urllib3.exceptions.ProxySchemeUnsupported  # there is no proxy
        return
    error = translated(instance(cls), TARGET, budget())
    assert isinstance(error, (ConnectionFailed, InvalidResponse, Timeout))
    assert error.message.isascii()
    assert "\n" not in error.message
    assert TARGET.host in error.message


def test_what_a_site_says_ends_the_message_and_stands_apart() -> None:
    error = InvalidResponse("the coding is not known", says="'x'")
    assert error.message == str(error) == "the coding is not known: 'x'"
    assert (error.own_words, error.page_words) == ("the coding is not known", "'x'")
    plain = InvalidResponse("it failed")
    assert (plain.message, plain.own_words, plain.page_words) == ("it failed", "it failed", "")


def test_a_rule_of_a_robots_file_stands_apart() -> None:
    error = RobotsDisallowed("no", refused_url="http://a.example/x", rule="Disallow: /x")
    assert error.message == "no: the rule is 'Disallow: /x'"
    assert (error.own_words, error.page_words) == ("no", "Disallow: /x")
    kept = RobotsDisallowed("no", rule="Disallow: /x", robots_text="User-agent: *")
    assert kept.page_words == "User-agent: *"


def test_a_bug_has_no_words_of_its_own_but_that_it_is_one() -> None:
    error = InternalError("ValueError: secret")
    assert (error.message, error.own_words) == ("ValueError: secret", "an internal error")
