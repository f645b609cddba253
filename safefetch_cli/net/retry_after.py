"""How long a server asks to wait."""

import math
import time
from email.utils import mktime_tz, parsedate_tz

MAX_SECONDS = 366 * 24 * 3600
"""Longer than a year is as good as never."""


def retry_after_seconds(value: str) -> int | None:
    """Seconds to wait by a Retry-After field, a number or a date (RFC 9110, 10.2.3).

    From 0 to MAX_SECONDS; None when the field is missing or neither.
    """
    value = value.strip()
    if value.isascii() and value.isdecimal():
        return min(int(value[:12]), MAX_SECONDS)
    date = parsedate_tz(value)
    if date is None:
        return None
    try:
        seconds = math.ceil(mktime_tz(date) - time.time())
    except (ValueError, OverflowError):
        return None
    return min(max(seconds, 0), MAX_SECONDS)
