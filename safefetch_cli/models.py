"""The frozen values that pass between the rooms of the program.

They are named tuples, always made with keywords: to define a frozen dataclass takes fifty times as
long, and these load at every start of the command.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple


class Limits(NamedTuple):
    """What one operation may use, all its redirects included."""

    seconds: float  # from the call to the answer
    max_bytes: int  # of the decoded body; the rest is cut off
    max_redirects: int


class Hop(NamedTuple):
    """One request and the answer it got."""

    url: str
    address: str  # the address that was dialled
    status: int
    content_type: str
    bytes: int  # of the decoded body; 0 for a redirect, whose body is not read
    milliseconds: int

    def to_dict(self) -> dict[str, Any]:
        """As in the field `redirects` of a result."""
        return {"url": self.url, "status": self.status}


class Response(NamedTuple):
    """What the network brought: the last answer and the way to it."""

    requested_url: str
    final_url: str
    status: int
    reason: str
    headers: Mapping[str, str]  # lower-case names; a repeated field is joined with ", "
    body: bytes  # decoded from its content coding
    truncated: bool  # the body was cut at the limit
    complete: bool  # False when the connection ended and nothing told that the body did
    retry_after_seconds: int | None  # what the server asks for
    hops: tuple[Hop, ...]


class Document(NamedTuple):
    """What the content pipeline made of a body."""

    text: str
    extraction: str  # main, fallback-full, full or none
    charset: str
    title: str = ""
    refresh_url: str = ""  # where the page asks a browser to go on to
    hints: tuple[str, ...] = ()


class Result(NamedTuple):
    """A page that was read.

    `hints` are stable words: body-truncated (cut at max_bytes), body-incomplete (the connection
    ended early), extraction-fallback (no main part was found, the whole page is given), no-text
    (the page has none).
    """

    text: str
    status: int
    requested_url: str
    final_url: str
    content_type: str
    charset: str
    bytes: int  # of the decoded body
    truncated: bool
    total_chars: int  # code points of the whole text
    extraction: str
    start_index: int = 0
    next_start_index: int | None = None
    title: str | None = None
    refresh_url: str | None = None  # where the page asks a browser to go on to; never followed
    hints: tuple[str, ...] = ()
    redirects: tuple[Hop, ...] = ()
    hops: tuple[Hop, ...] = ()  # the redirects and the last answer

    def to_dict(self) -> dict[str, Any]:
        """The object that `--json` prints."""
        return {
            "text": self.text,
            "status": self.status,
            "requestedUrl": self.requested_url,
            "finalUrl": self.final_url,
            "redirects": [hop.to_dict() for hop in self.redirects],
            "contentType": self.content_type,
            "charset": self.charset,
            "bytes": self.bytes,
            "truncated": self.truncated,
            "totalChars": self.total_chars,
            "startIndex": self.start_index,
            "nextStartIndex": self.next_start_index,
            "extraction": self.extraction,
            "title": self.title,
            "refreshUrl": self.refresh_url,
            "hints": list(self.hints),
        }


class JudgedAnswer(NamedTuple):
    """One address of a host and what the guard thinks of it."""

    address: str
    address_class: str
    allowed: bool

    def to_dict(self) -> dict[str, Any]:
        """As in the field `addresses` of a verdict."""
        return {"address": self.address, "class": self.address_class, "allowed": self.allowed}


class Verdict(NamedTuple):
    """What the guard says to a URL, and which rule decided."""

    url: str  # canonical
    allowed: bool
    rule: str = ""  # of a refusal: scheme, userinfo, host, https-only, port, denylist, ...
    address_class: str = ""  # of a refusal by the rule "address"
    reason: str = ""  # of a refusal, in a few words
    hint: str = ""  # for a person: what would open it
    addresses: tuple[JudgedAnswer, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The object that `check-url --json` prints."""
        refusal = {
            "code": "POLICY_REJECTED",
            "rule": self.rule,
            "class": self.address_class or None,
            "reason": self.reason,
        }
        return {
            "url": self.url,
            "verdict": "allowed" if self.allowed else "refused",
            **({} if self.allowed else refusal),
            "addresses": [answer.to_dict() for answer in self.addresses],
        }
