"""Cookies that live for one fetch.

Some sites set a cookie with a redirect and loop without it. Nothing is kept after the fetch, and a
cookie goes back only to the host that set it: the Domain attribute is ignored, so no list of public
suffixes is needed (RFC 6265, 5.3, host-only).
"""

import time
from collections.abc import Iterable
from email.utils import parsedate
from typing import NamedTuple

from safefetch_cli.net.urls import Target

MAX_COOKIES = 50
MAX_COOKIE_CHARS = 4096


class _Cookie(NamedTuple):
    value: str
    secure: bool


class Cookies:
    """The cookies of one fetch, by host, path and name."""

    def __init__(self) -> None:
        self._jar: dict[tuple[str, str, str], _Cookie] = {}

    def store(self, target: Target, lines: Iterable[str]) -> None:
        """Take the Set-Cookie lines of an answer from `target`."""
        for line in lines:
            pair, _, attributes = line.partition(";")
            name, equals, value = (part.strip() for part in pair.partition("="))
            if not equals or not name or len(pair) > MAX_COOKIE_CHARS or not pair.isprintable():
                continue
            known = _attributes(attributes)
            path = known.get("path", "")
            key = (target.host, path if path.startswith("/") else _folder(target), name)
            if _is_over(known):
                self._jar.pop(key, None)
            elif len(self._jar) < MAX_COOKIES or key in self._jar:
                self._jar[key] = _Cookie(value, "secure" in known)

    def header(self, target: Target) -> str:
        """The value of the Cookie field for a request to `target`, or "" (RFC 6265, 5.4)."""
        path = target.request_target.partition("?")[0]
        mine = [
            (cookie_path, f"{name}={cookie.value}")
            for (host, cookie_path, name), cookie in self._jar.items()
            if host == target.host
            and _path_matches(path, cookie_path)
            and (target.scheme == "https" or not cookie.secure)
        ]
        mine.sort(key=lambda item: -len(item[0]))
        return "; ".join(pair for _, pair in mine)


def _attributes(text: str) -> dict[str, str]:
    parts = (part.partition("=") for part in text.split(";"))
    return {name.strip().lower(): value.strip() for name, _, value in parts}


def _is_over(attributes: dict[str, str]) -> bool:
    """Whether the cookie is to be removed: its time is over already (RFC 6265, 5.3)."""
    age = attributes.get("max-age", "")
    if age.removeprefix("-").isdecimal():
        return int(age[:12]) <= 0
    expires = parsedate(attributes.get("expires", ""))
    return expires is not None and expires[:6] <= time.gmtime()[:6]


def _folder(target: Target) -> str:
    """The default path (RFC 6265, 5.1.4)."""
    path = target.request_target.partition("?")[0]
    return path.rpartition("/")[0] or "/"


def _path_matches(path: str, cookie_path: str) -> bool:
    return path == cookie_path or path.startswith(cookie_path.removesuffix("/") + "/")
