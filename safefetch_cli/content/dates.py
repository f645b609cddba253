"""Dates as pages write them, in ISO 8601."""

import re
from datetime import UTC, date, datetime

MAX_CHARS = 100
"""A longer text is no date."""

_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()  # noqa: SIM905 - reads better
_MONTH = "(?P<month>(?:" + "|".join(_MONTHS) + ")[a-z]*)"
_DAY = r"(?P<day>[0-9]{1,2})(?:st|nd|rd|th)?"
_YEAR = "(?P<year>[0-9]{4})"
_SECONDS = re.compile(r"[0-9]{10}(?:[0-9]{3})?", re.ASCII)  # or milliseconds, since 1970
_SPACED = re.compile(
    r"(?P<day>[0-9]{4}-[0-9]{2}-[0-9]{2})[ tT]+(?P<time>[0-9]{1,2}:[0-9:.,]+)\s*"
    r"(?P<zone>[zZ]|UTC|GMT|[+-][0-9]{2}:?[0-9]{2})?"
)
_MAIL = re.compile(
    r"(?:[a-z]{3,9},?\s+)?[0-9]{1,2}[\s-][a-z]{3,9}[\s-][0-9]{2,4}\s.*[0-9]", re.IGNORECASE
)
_WORDS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?:[a-z]+,?\s+)?{_MONTH}\.?\s+{_DAY},?\s+{_YEAR}",
        rf"(?:[a-z]+,?\s+)?{_DAY}\.?\s+(?:of\s+)?{_MONTH}\.?,?\s+{_YEAR}",
    )
)
_NUMBERS = re.compile(r"(?P<year>[0-9]{4})[-/.](?P<month>[0-9]{1,2})[-/.](?P<day>[0-9]{1,2})")
_MONTH_OF_YEAR = re.compile(r"[0-9]{4}(?:-(?:0[1-9]|1[0-2]))?")


def iso_date(given: str) -> str:
    """A date, or date and time, in ISO 8601; "" for what is none or may be read two ways.

    Read are ISO 8601, RFC 5322, seconds or milliseconds since 1970, English names of months, and
    year/month/day. What is not given stays away: a date has no time, a time without zone has none.
    """
    text = " ".join(given.split())
    if not text or len(text) > MAX_CHARS:
        return ""
    for read in (_from_seconds, _from_iso, _from_mail, _from_words, _from_numbers):
        try:
            found = read(text)
        except (ValueError, OverflowError, IndexError):
            continue
        if found:
            return found
    return ""


def _written(moment: datetime) -> str:
    return moment.isoformat().replace("+00:00", "Z")


def _from_seconds(text: str) -> str:
    if not _SECONDS.fullmatch(text):
        return ""
    return _written(datetime.fromtimestamp(int(text[:10]), UTC))


def _from_iso(text: str) -> str:
    if _MONTH_OF_YEAR.fullmatch(text):
        return text
    if match := _SPACED.fullmatch(text):
        zone = match["zone"] or ""
        zone = "+00:00" if zone.upper() in ("Z", "UTC", "GMT") else zone
        time = match["time"].zfill(5) if match["time"][1] != ":" else f"0{match['time']}"
        return _written(datetime.fromisoformat(f"{match['day']}T{time}{zone}"))
    moment = datetime.fromisoformat(text)
    return moment.date().isoformat() if "T" not in text.upper() else _written(moment)


def _from_mail(text: str) -> str:
    if not _MAIL.match(text):
        return ""
    from email.utils import parsedate_to_datetime

    return _written(parsedate_to_datetime(text))


def _from_words(text: str) -> str:
    match = next((match for pattern in _WORDS if (match := pattern.fullmatch(text))), None)
    if match is None:
        return ""
    month = _MONTHS.index(match["month"][:3].lower()) + 1
    return date(int(match["year"]), month, int(match["day"])).isoformat()


def _from_numbers(text: str) -> str:
    match = _NUMBERS.fullmatch(text)
    if match is None:
        return ""
    return date(int(match["year"]), int(match["month"]), int(match["day"])).isoformat()
