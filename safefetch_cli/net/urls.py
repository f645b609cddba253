"""The one URL parser: text in, one canonical target out, or a clear refusal.

Parsing is by the WHATWG URL standard (https://url.spec.whatwg.org/), done by ada, the engine of
several browsers' URL classes, after a grammar that refuses what parsers are known to read
differently. From here on only the parsed values are used: for the look-up, the connection, TLS,
the Host header and the base of redirects.
"""

import re
from typing import NamedTuple
from urllib.parse import urljoin

import can_ada

from safefetch_cli.errors import InvalidInput, PolicyRejected, RedirectFailed
from safefetch_cli.net.addresses import Address, parse_address

MAX_URL_CHARS = 8192
DEFAULT_PORTS = {"http": 80, "https": 443}

_ASCII_WHITE_SPACE = " \t\n\f\r"
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f]")
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.\-]*):")
_AUTHORITY = re.compile(r"[^/?#]*")
# Letters, digits, hyphen and the underscore that real names have; labels and length of RFC 1035.
_NAME = re.compile(r"(?=.{1,253}\.?\Z)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*\.?\Z")


class Target(NamedTuple):
    """Where a request goes.

    `host` is a lower-case ASCII name, a dotted IPv4 address or an IPv6 address without brackets;
    `address` is that address, None for a name. `request_target` is the path and query as they go
    on the wire (RFC 9112, 3.2.1). `fragment` never leaves the program.
    """

    scheme: str
    host: str
    port: int
    request_target: str
    address: Address | None
    fragment: str = ""

    @property
    def name(self) -> str:
        """The host without a final root dot, as names are compared."""
        return self.host.removesuffix(".")

    @property
    def origin(self) -> str:
        """Scheme, host and, where it is not the scheme's own, port (RFC 6454)."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        port = "" if self.port == DEFAULT_PORTS[self.scheme] else f":{self.port}"
        return f"{self.scheme}://{host}{port}"

    @property
    def url(self) -> str:
        """The canonical ASCII URL, without a fragment."""
        return self.origin + self.request_target


def parse(text: str) -> Target:
    """Parse an absolute http or https URL.

    Outer ASCII white space is trimmed. Raises InvalidInput for what is not such a URL,
    PolicyRejected for another scheme or for credentials in the URL.
    """
    text = text.strip(_ASCII_WHITE_SPACE)
    _refuse_bad_text(text)
    scheme = _SCHEME.match(text)
    if scheme is None:
        guess = re.match(r"[\w.-]+\.[\w-]+(?:[:/?#]|\Z)", text)
        hint = f"Did you mean https://{text} ?" if guess else ""
        raise _malformed(text, "it has no scheme; it must start with http:// or https://", hint)
    name = scheme[1].lower()
    if name not in DEFAULT_PORTS:
        raise _not_http(text, name)
    if not text.startswith("//", scheme.end()):
        raise _malformed(text, f"{name}: must be followed by two slashes")
    _refuse_bad_authority(text, _authority_at(text, scheme.end() + 2))
    try:
        url = can_ada.parse(text)
    except ValueError:
        raise _malformed(text, "its host or port is not valid") from None
    return _target(text, name, url)


def parse_host(text: str) -> str:
    """The canonical form of a bare host (name, IPv4, IPv6 with or without brackets).

    Raises InvalidInput when the text is anything else than a host.
    """
    bracketed = f"[{text}]" if text.count(":") > 1 and not text.startswith("[") else text
    has_more = set(bracketed) & set("/?#\\") or ":" in bracketed.rpartition("]")[2]
    target = None if has_more else parse(f"http://{bracketed}/")
    if target is None:
        raise _malformed(text, "it is not a host")
    return target.host


def join(base: Target, location: str) -> str:
    """The absolute URL that a Location header means (RFC 9110, 10.2.2).

    `location` is the header's value as http.client gives it: bytes read as Latin-1. Bytes that are
    UTF-8 are read as such, other bytes are percent-encoded. The result still has to be parsed.
    Raises RedirectFailed when the value is empty or not fit to be read in one way only.
    """
    raw = location.encode("latin-1").strip(_ASCII_WHITE_SPACE.encode())
    if not raw:
        raise RedirectFailed(f"{base.host} redirects without saying where to: Location is empty")
    text = raw.decode("utf-8", "surrogateescape")
    text = re.sub("[\ud800-\udfff]", lambda byte: f"%{ord(byte[0]) & 0xFF:02X}", text)
    before_query = re.split(r"[?#]", text, maxsplit=1)[0]
    if _CONTROL.search(text) or "\\" in before_query:
        raise RedirectFailed(
            f"{base.host} redirects to a Location with control characters or backslashes",
            hint=f"The Location is {_shown(text)}.",
        )
    if _SCHEME.match(text):
        return text
    if text.startswith("//"):
        return f"{base.scheme}:{text}"
    return urljoin(base.url, text)


def _refuse_bad_text(text: str) -> None:
    if not text:
        raise InvalidInput("the URL is empty; it must start with http:// or https://")
    if len(text) > MAX_URL_CHARS:
        raise InvalidInput(
            f"the URL has {len(text)} characters; at most {MAX_URL_CHARS} are allowed"
        )
    if _CONTROL.search(text):
        raise _malformed(text, "control characters are not allowed in a URL")
    try:
        text.encode()
    except UnicodeEncodeError:  # a lone surrogate
        raise _malformed(text, "it is not valid Unicode") from None


def _authority_at(text: str, start: int) -> str:
    match = _AUTHORITY.match(text, start)
    return match[0] if match else ""


def _refuse_bad_authority(text: str, authority: str) -> None:
    if not authority:
        raise _malformed(text, "it names no host")
    if "\\" in authority or any(map(str.isspace, authority)):
        raise _malformed(text, "spaces and backslashes are not allowed in the host")
    if "@" in authority:
        raise PolicyRejected(
            "the URL has a user name or password before the host; such URLs are refused",
            rule="userinfo",
        )
    if "[" in authority and "%" in authority:
        raise _malformed(text, "an IPv6 zone is not allowed in a URL")


def _target(text: str, scheme: str, url: can_ada.URL) -> Target:
    host = url.hostname.removeprefix("[").removesuffix("]")
    port = int(url.port) if url.port else DEFAULT_PORTS[scheme]
    if port == 0:
        raise _malformed(text, "port 0 cannot be reached; ports are 1 to 65535")
    address = parse_address(host)
    if address is None and not _NAME.match(host):
        raise _malformed(text, f"{host[:260]!r} is not a host name")
    fragment = url.hash.removeprefix("#")
    return Target(scheme, host, port, url.pathname + url.search, address, fragment)


def _not_http(text: str, scheme: str) -> PolicyRejected | InvalidInput:
    # "host:port" without a scheme looks like a scheme.
    if re.match(r"[\w.-]+:\d{1,5}(?:[/?#]|\Z)", text):
        return _malformed(text, "it has no scheme", f"Did you mean http://{text} ?")
    return PolicyRejected(
        f"the scheme {scheme[:40]!r} is not supported; use http or https", rule="scheme"
    )


def _malformed(text: str, rule: str, hint: str = "") -> InvalidInput:
    return InvalidInput(f"{_shown(text)} is not a URL that can be fetched: {rule}", hint=hint)


def _shown(text: str) -> str:
    """The text for a message: quoted, escaped, at most 200 characters of it."""
    return ascii(text if len(text) <= 200 else text[:200] + "...")
