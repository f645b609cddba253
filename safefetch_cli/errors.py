"""Everything that can go wrong, and what it means to people, scripts and models.

    SafefetchError
    ├── InvalidInput             INVALID_INPUT
    ├── PolicyRejected           POLICY_REJECTED
    ├── DnsResolutionFailed      DNS_RESOLUTION_FAILED
    ├── ConnectionFailed         CONNECTION_FAILED
    ├── Timeout                  TIMEOUT
    ├── RedirectFailed           REDIRECT_FAILED
    ├── InvalidResponse          INVALID_RESPONSE
    ├── ProcessingLimit          PROCESSING_LIMIT
    ├── UnsupportedContentType   UNSUPPORTED_CONTENT_TYPE
    ├── RobotsDisallowed         ROBOTS_DISALLOWED
    ├── RobotsUnavailable        ROBOTS_UNAVAILABLE
    ├── SelectionNotFound        SELECTION_NOT_FOUND
    ├── HttpError                HTTP_ERROR
    └── InternalError            INTERNAL_ERROR

An error has two texts. `message` is one sentence that anyone may read, a language model included:
it never says how to open what was refused, nor which internal address a name led to. `hint` is for
the person at the terminal and may say both.
"""

from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

if TYPE_CHECKING:
    from safefetch_cli.models import Hop


class Failure(NamedTuple):
    """One row of the table of failures."""

    code: str
    retryable: bool  # may the same call succeed later?
    exit_status: int
    when: str


_TABLE = (
    Failure("INVALID_INPUT", False, 2, "an argument or setting failed validation"),
    Failure(
        "POLICY_REJECTED", False, 3, "scheme, credentials, host, address, port, list or downgrade"
    ),
    Failure("DNS_RESOLUTION_FAILED", True, 4, "the name did not resolve"),
    Failure("CONNECTION_FAILED", True, 5, "could not connect, TLS failed, or dropped"),
    Failure("TIMEOUT", True, 6, "the deadline passed"),
    Failure("REDIRECT_FAILED", False, 7, "too many redirects, or a missing or invalid Location"),
    Failure("INVALID_RESPONSE", False, 8, "not HTTP, bad framing, bad or unknown compression"),
    Failure("PROCESSING_LIMIT", False, 9, "too large or too complex to read in time or memory"),
    Failure("UNSUPPORTED_CONTENT_TYPE", False, 10, "the content is not text"),
    Failure("ROBOTS_DISALLOWED", False, 11, "the site's robots.txt says no"),
    Failure("ROBOTS_UNAVAILABLE", True, 12, "the site's robots.txt could not be had"),
    Failure("SELECTION_NOT_FOUND", False, 13, "no such section, pointer or selector"),
    Failure("HTTP_ERROR", False, 22, "the server answered with a status of 400 or more"),
    Failure("INTERNAL_ERROR", False, 1, "a bug in safefetch"),
)

FAILURES: dict[str, Failure] = {row.code: row for row in _TABLE}
"""Code -> row, in the order of the documentation. `retryable` is the rule; two errors know better:
a certificate fault is a CONNECTION_FAILED that stays, and an HTTP_ERROR depends on its status."""

RETRYABLE_STATUSES = frozenset({408, 425, 429})
"""HTTP statuses under 500 that are worth another try; all of 500 and above are."""


class SafefetchError(Exception):
    """Base of every error that leaves the program.

    Attributes: `message` (one sentence), `hint` (for a person, or ""), `requested_url` (or ""),
    `hops` (the requests that were answered before it), `retryable`, `exit_status`. Where a message
    quotes the page, `own_words` is the part that does not, and `page_words` is what the page says.
    `robots_url` is the address of the robots.txt where it is about that or came of asking for it.
    """

    code: ClassVar[str]
    requested_url: str = ""
    hops: "tuple[Hop, ...]" = ()
    page_words: str = ""
    robots_url: str = ""

    def __init__(self, message: str, *, hint: str = "", says: str = "") -> None:
        """`says` is what the site said, in a few words, with which the message ends."""
        self.message = f"{message}: {says}" if says else message
        super().__init__(self.message)
        self.own_words = message
        self.page_words = says
        self.hint = hint

    @property
    def retryable(self) -> bool:
        """Whether the same call may succeed later."""
        return FAILURES[self.code].retryable

    @property
    def exit_status(self) -> int:
        """The exit status of a command that ends with this error."""
        return FAILURES[self.code].exit_status

    def to_dict(self) -> dict[str, Any]:
        """The fields of a result that failed, as in `--json`."""
        asked = {"requestedUrl": self.requested_url} if self.requested_url else {}
        error = {"code": self.code, "retryable": self.retryable, "message": self.message}
        return {**asked, "error": error}


class InvalidInput(SafefetchError):
    """An argument or setting failed validation; the message names it, its value and the rule."""

    code = "INVALID_INPUT"


class PolicyRejected(SafefetchError):
    """The guard refused.

    `rule` is the rule that decided: scheme, userinfo, host, https-only, port, denylist, allowlist,
    address or downgrade. `address_class` is the class of the refused address (for the rule
    `address`, else ""), and `reason` says why in a few words.
    """

    code = "POLICY_REJECTED"

    def __init__(
        self, message: str, *, rule: str, address_class: str = "", reason: str = "", hint: str = ""
    ) -> None:
        super().__init__(message, hint=hint)
        self.rule = rule
        self.address_class = address_class
        self.reason = reason


class DnsResolutionFailed(SafefetchError):
    """The name did not resolve to an address."""

    code = "DNS_RESOLUTION_FAILED"


class ConnectionFailed(SafefetchError):
    """No connection, a TLS fault, or a connection dropped before the answer (`dropped`)."""

    code = "CONNECTION_FAILED"

    def __init__(
        self, message: str, *, certificate: bool = False, dropped: bool = False, hint: str = ""
    ) -> None:
        super().__init__(message, hint=hint)
        self.certificate = certificate
        self.dropped = dropped

    @property
    def retryable(self) -> bool:
        """A bad certificate stays bad; everything else may pass."""
        return not self.certificate


class Timeout(SafefetchError):
    """The deadline of the whole operation passed."""

    code = "TIMEOUT"


class RedirectFailed(SafefetchError):
    """Too many redirects, or a redirect without a usable Location."""

    code = "REDIRECT_FAILED"


class InvalidResponse(SafefetchError):
    """The answer is not HTTP, is badly framed or badly compressed."""

    code = "INVALID_RESPONSE"


class ProcessingLimit(SafefetchError):
    """Too large or too complex to read within the limits."""

    code = "PROCESSING_LIMIT"


class UnsupportedContentType(SafefetchError):
    """The content is not text."""

    code = "UNSUPPORTED_CONTENT_TYPE"


class RobotsDisallowed(SafefetchError):
    """The site's robots.txt does not allow this URL.

    `status` is the HTTP status of that file where this alone forbids, else None; `page_words` is
    its text, where that was kept, else its line that decided. `refused_url` is the canonical URL
    that it does not allow, which a redirect may have led to.
    """

    code = "ROBOTS_DISALLOWED"

    def __init__(
        self,
        message: str,
        *,
        status: int | None = None,
        refused_url: str = "",
        rule: str = "",
        robots_text: str = "",
        hint: str = "",
    ) -> None:
        super().__init__(f"{message}: the rule is {rule!r}" if rule else message, hint=hint)
        self.status = status
        self.refused_url = refused_url
        self.own_words = message
        self.page_words = robots_text or rule


class RobotsUnavailable(SafefetchError):
    """The site's robots.txt could not be had, so nothing may be fetched."""

    code = "ROBOTS_UNAVAILABLE"


class SelectionNotFound(SafefetchError):
    """The page has no such section, pointer or selector; `there_is` may say what it has instead."""

    code = "SELECTION_NOT_FOUND"

    def __init__(self, message: str, *, there_is: str = "", hint: str = "") -> None:
        super().__init__(f"{message}; {there_is}" if there_is else message, hint=hint)
        self.own_words = message
        self.page_words = there_is


class HttpError(SafefetchError):
    """The server answered with a status of 400 or more.

    `status` is the HTTP status, `retry_after_seconds` what the server asked for (None when it did
    not), `text` up to 2,000 characters of the readable text of the error page, `final_url` the URL
    that answered, `hints` the words that `hints` of a page may have, http-error the first.
    """

    code = "HTTP_ERROR"

    def __init__(
        self,
        message: str,
        *,
        status: int,
        final_url: str,
        retry_after_seconds: int | None = None,
        text: str = "",
        hints: tuple[str, ...] = ("http-error",),
        own_words: str = "",
    ) -> None:
        super().__init__(message)
        self.own_words = own_words or message
        self.status = status
        self.final_url = final_url
        self.retry_after_seconds = retry_after_seconds
        self.text = self.page_words = text
        self.hints = hints

    @property
    def retryable(self) -> bool:
        """408, 425, 429 and 5xx may pass; the rest will not."""
        return self.status in RETRYABLE_STATUSES or self.status >= 500

    def to_dict(self) -> dict[str, Any]:
        """The error with the status, what the server asked for, the text of its page and hints."""
        return {
            "status": self.status,
            "finalUrl": self.final_url,
            "retryAfterSeconds": self.retry_after_seconds,
            "text": self.text,
            "hints": list(self.hints),
            **super().to_dict(),
        }


class InternalError(SafefetchError):
    """A bug in safefetch. `message` has the details, which may quote anything; `own_words` none."""

    code = "INTERNAL_ERROR"

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.own_words = "an internal error"
