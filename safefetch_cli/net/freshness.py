"""What HTTP says about keeping an answer: may it, how long, for which requests (RFC 9111).

For a private cache: `private` answers may be kept and `s-maxage` does not count. Nothing is
guessed: without max-age or Expires an answer is stale at once and asked for again under its
validators. Only whole answers of status 200 or 203 are kept, and permanent redirects, never errors.
"""

import re
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import NamedTuple

from safefetch_cli.models import Response

STORABLE_STATUSES = frozenset({200, 203, 301, 308})
PERMANENT_REDIRECTS = frozenset({301, 308})
MAX_AGE_SECONDS = 2**31
"""A larger number means this one (RFC 9111, 1.2.2)."""

# Directive names are tokens; an argument is a token or a quoted string (5.2).
_DIRECTIVE = re.compile(r"""([\w!#$%&'*+.^`|~-]+)(?:[ \t]*=[ \t]*("(?:[^"\\]|\\.)*"|[^\s,"]*))?""")
# They belong to the body as it was sent, which a 304 does not bring (3.2).
_OF_THE_BODY = frozenset(
    {"content-encoding", "content-length", "content-range", "content-type", "transfer-encoding"}
)


class Kept(NamedTuple):
    """An answer with the request that brought it and when it came, in seconds since the epoch."""

    response: Response
    request_headers: Mapping[str, str]  # lower-case names
    came_at: float


def may_keep(response: Response) -> bool:
    """Whether an answer may be kept and is of any use then (RFC 9111, 3).

    A redirect that sets a cookie leads nowhere without it, and cookies live for one fetch.
    """
    return (
        response.status in STORABLE_STATUSES
        and not (response.status in PERMANENT_REDIRECTS and "set-cookie" in response.headers)
        and response.complete
        and not response.truncated
        and "no-store" not in _directives(response.headers)
        and "*" not in _varied(response.headers)
        and (lifetime(response.headers) > 0 or bool(validators(response.headers)))
    )


def lifetime(headers: Mapping[str, str]) -> float:
    """For how many seconds since it was made an answer is fresh (4.2.1); 0 when nothing says."""
    directives = _directives(headers)
    if "no-cache" in directives:
        return 0
    if "max-age" in directives:
        return min(map(_seconds, directives["max-age"]))  # of several the shortest
    expires, made = _date(headers.get("expires", "")), _date(headers.get("date", ""))
    return max(0.0, expires - made) if expires is not None and made is not None else 0


def is_fresh(kept: Kept, now: float, at_most: float) -> bool:
    """Whether an answer may be used without asking, kept for `at_most` seconds (4.2)."""
    resident = now - kept.came_at
    if not 0 <= resident < at_most:
        return False
    headers = kept.response.headers
    made = _date(headers.get("date", ""))
    apparent = max(0.0, kept.came_at - made) if made is not None else 0.0
    age = max(apparent, _seconds(headers.get("age", ""))) + resident
    return age < lifetime(headers)


def answers(kept: Kept, request_headers: Mapping[str, str]) -> bool:
    """Whether the answer is for requests with these headers, by its Vary (4.1)."""
    return all(
        _normal(kept.request_headers.get(name, "")) == _normal(request_headers.get(name, ""))
        for name in _varied(kept.response.headers)
    )


def validators(headers: Mapping[str, str]) -> dict[str, str]:
    """The conditions under which to ask whether an answer still holds (4.3.1); empty for none."""
    conditions = {
        "If-None-Match": headers.get("etag", ""),
        "If-Modified-Since": headers.get("last-modified", ""),
    }
    # A value folded over lines cannot be sent; http.client leaves the fold in.
    return {name: value for name, value in conditions.items() if value and value.isprintable()}


def confirms(headers: Mapping[str, str], kept: Kept) -> bool:
    """Whether a 304 with these headers speaks of this answer, by its entity tag (4.3.4)."""
    told, known = headers.get("etag", ""), kept.response.headers.get("etag", "")
    return not told or not known or told.removeprefix("W/") == known.removeprefix("W/")


def renewed(kept: Kept, headers: Mapping[str, str], now: float) -> Kept:
    """The answer after a 304 with these headers (lower-case names) that came now (4.3.4)."""
    new = {name: value for name, value in headers.items() if name not in _OF_THE_BODY}
    response = kept.response.changed(headers={**kept.response.headers, **new})
    return Kept(response, kept.request_headers, now)


def _directives(headers: Mapping[str, str]) -> dict[str, list[str]]:
    """The arguments of each directive of Cache-Control, lower-case."""
    found: dict[str, list[str]] = {}
    for name, argument in _DIRECTIVE.findall(headers.get("cache-control", "").lower()):
        found.setdefault(name, []).append(argument.strip('"'))
    return found


def _varied(headers: Mapping[str, str]) -> set[str]:
    names = headers.get("vary", "").lower().split(",")
    return {name.strip() for name in names if name.strip()}


def _seconds(text: str) -> float:
    """A number of seconds; 0 for what is none, so that the answer is stale (4.2.1)."""
    text = text.strip()
    return min(int(text[:12]), MAX_AGE_SECONDS) if text.isascii() and text.isdecimal() else 0


def _date(text: str) -> float | None:
    try:
        return parsedate_to_datetime(text).timestamp()
    except (ValueError, OverflowError):
        return None


def _normal(value: str) -> str:
    return ",".join(part.strip() for part in value.split(","))
