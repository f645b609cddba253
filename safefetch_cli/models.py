"""The frozen values that pass between the rooms of the program.

They are named tuples, always made with keywords: to define a frozen dataclass takes fifty times as
long, and these load at every start of the command.
"""

from collections.abc import Mapping
from types import MappingProxyType
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
    """What the content pipeline made of a body. Texts are "" where the page says nothing.

    `charset_source` tells how the encoding was found: bom, header, declaration, utf-8 (valid UTF-8,
    although something else was said) or detection.
    """

    text: str
    extraction: str  # main, main-merged, fallback-full, full, selected or none
    charset: str = "utf-8"
    charset_source: str = ""
    title: str = ""
    byline: str = ""
    site_name: str = ""
    published_at: str = ""
    description: str = ""
    lang: str = ""
    canonical_url: str = ""
    refresh_url: str = ""  # where the page asks a browser to go on to
    hints: tuple[str, ...] = ()


HINTS = {
    "body-truncated": "the body was cut at the limit of bytes",
    "body-incomplete": "the connection ended early; the page may not be whole",
    "extraction-fallback": "no main part was found; this is the whole page",
    "no-text": "the page has no text",
    "likely-requires-javascript": "the page is filled by JavaScript, which is not run",
    "hidden-text-removed": "text that a reader cannot see was removed",
    "hidden-instructions-removed": "hidden text that looked like instructions was removed",
    "suspicious-metadata-removed": "metadata that looked like instructions was removed",
    "text-from-data": "the page is filled by JavaScript; its text is that of the data in it",
    "entries-left-out": "the feed has more entries than are listed",
}
"""Hint -> what it says. A hint is a stable word in `hints` of a result."""


class Result(NamedTuple):
    """A page that was read.

    `extraction` tells how the text was found: main (one part was recognised), main-merged (several
    parts were brought together), fallback-full (no part was convincing, this is the page without
    evident boilerplate), full (the whole page), selected (what a selector chose) or none (no text).
    `hints` are words of HINTS.
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
    description: str | None = None
    byline: str | None = None
    lang: str | None = None
    canonical_url: str | None = None
    published_at: str | None = None
    site_name: str | None = None
    markdown_tokens: int | None = None  # what the server says of markdown that it sends
    refresh_url: str | None = None  # where the page asks a browser to go on to; never followed
    charset_source: str = ""
    hints: tuple[str, ...] = ()
    redirects: tuple[Hop, ...] = ()
    hops: tuple[Hop, ...] = ()  # the redirects and the last answer

    def to_dict(self) -> dict[str, Any]:
        """The object that `--json` prints."""
        fields = {_camel(name): value for name, value in self._asdict().items() if name != "hops"}
        hops = [hop.to_dict() for hop in self.redirects]
        return {**fields, "hints": list(self.hints), "redirects": hops}


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(map(str.capitalize, rest))


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


class Link(NamedTuple):
    """One link of a page."""

    url: str  # absolute and canonical, http or https
    text: str = ""  # what a reader sees of it, or the text of its image
    title: str = ""
    rel: str = ""  # in lower case, words apart by one blank
    internal: bool = False  # to the page's own host and port
    nofollow: bool = False

    def to_dict(self) -> dict[str, Any]:
        """As in the field `links`."""
        return self._asdict()


class Alternate(NamedTuple):
    """Another form of a page: a feed, a translation, its markdown."""

    url: str  # absolute and canonical, http or https
    type: str = ""  # media type
    title: str = ""
    lang: str = ""  # as in hreflang

    def to_dict(self) -> dict[str, Any]:
        """As in the fields `feeds`, `alternates` and `markdown`, without what is not given."""
        return {name: value for name, value in self._asdict().items() if value}


class Links(NamedTuple):
    """The links of a page; the counts are those before the limit."""

    url: str  # of the page
    links: tuple[Link, ...] = ()
    feeds: tuple[Alternate, ...] = ()
    total: int = 0  # in the scope that was asked for
    internal_total: int = 0  # on the page, whatever the scope
    external_total: int = 0

    def to_dict(self) -> dict[str, Any]:
        """The object that `links --json` prints."""
        fields = {_camel(name): value for name, value in self._asdict().items()}
        lists = {name: [one.to_dict() for one in fields[name]] for name in ("links", "feeds")}
        return {**fields, **lists}


class PageHeading(NamedTuple):
    """A heading as a reader sees it."""

    level: int  # 1 to 6
    text: str
    id: str = ""  # its fragment identifier

    def to_dict(self) -> dict[str, Any]:
        """As in the field `headings` of the metadata."""
        return {"level": self.level, "text": self.text, "id": self.id or None}


_NONE: Mapping[str, str] = MappingProxyType({})


class Metadata(NamedTuple):
    """Everything that is known about a page. Texts are "" where it says nothing.

    `published_at` and `modified_at` are ISO 8601, "" for what is no date; `published_given` and
    `modified_given` are what the page says. `hints` are words of HINTS.
    """

    url: str  # of the page
    title: str = ""
    description: str = ""
    byline: str = ""
    canonical_url: str = ""
    lang: str = ""
    published_at: str = ""
    published_given: str = ""
    modified_at: str = ""
    modified_given: str = ""
    site_name: str = ""
    favicon: str = ""
    llms_txt: str = ""  # the address of the site's text for language models
    robots_meta: tuple[str, ...] = ()  # directives in lower case
    robots_header: tuple[str, ...] = ()
    open_graph: Mapping[str, str] = _NONE  # without the prefix `og:`; of a repeated name the first
    twitter: Mapping[str, str] = _NONE  # without the prefix `twitter:`
    alternates: tuple[Alternate, ...] = ()  # in other languages
    feeds: tuple[Alternate, ...] = ()
    markdown: tuple[Alternate, ...] = ()  # the page as markdown
    json_ld: tuple[Any, ...] = ()  # its blocks
    json_ld_malformed: int = 0  # blocks that are no JSON
    headings: tuple[PageHeading, ...] = ()
    http_headers: Mapping[str, str] = _NONE  # lower-case names; none that could hold a secret
    word_count: int = 0
    hints: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The object that `metadata --json` prints."""
        values = self._asdict()
        robots = {
            "meta": list(values.pop("robots_meta")),
            "header": list(values.pop("robots_header")),
        }
        return {**{_camel(name): _plain(value) for name, value in values.items()}, "robots": robots}


def _plain(value: Any) -> Any:
    """A field as JSON: null for an empty text, objects for the values of a list."""
    if isinstance(value, tuple):
        return [one.to_dict() if hasattr(one, "to_dict") else one for one in value]
    return dict(value) if isinstance(value, Mapping) else None if value == "" else value
