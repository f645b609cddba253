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
    address: str  # the address that was dialled, "" when the answer came from the cache
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
    from_cache: bool = False  # kept of an earlier fetch, and fresh or confirmed by the server
    from_snapshot: bool = False  # the version that an earlier fetch saw

    def changed(self, **fields: Any) -> "Response":
        """The same with other values of these fields."""
        return self._replace(**fields)


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
    heading_ids: tuple[tuple[str, str], ...] = ()  # title and fragment identifier, in their order
    hints: tuple[str, ...] = ()


class Simplified(NamedTuple):
    """A page as the reference fetch server gives it: its main part by markdownify, or its source.

    `text` is "" for a page without text. `is_page` tells whether it was taken for HTML.
    """

    text: str
    content_type: str  # as the server says it
    is_page: bool
    final_url: str


class Selection(NamedTuple):
    """What part of a page was taken: by a section's title, its number, or a JSON pointer."""

    by: str  # section, number or json-pointer
    value: str  # what was asked for
    title: str = ""  # of the section
    others: tuple[str, ...] = ()  # titles of other sections that match as well


class OutlineHeading(NamedTuple):
    """A heading; the numbers are those of its section, up to the next of its level or higher."""

    level: int  # 1 to 6
    title: str
    id: str  # its fragment identifier, or ""
    start_index: int  # in the text that `get` gives, code points
    chars: int
    tokens: int  # an estimate


class Outline(NamedTuple):
    """The headings of a page, in their order."""

    requested_url: str
    final_url: str
    title: str | None
    total_chars: int  # of the text that the offsets belong to
    from_snapshot: bool
    hints: tuple[str, ...]
    headings: tuple[OutlineHeading, ...]

    def to_dict(self) -> dict[str, Any]:
        """The object that `outline --json` prints."""
        fields = {camel_case(name): value for name, value in self._asdict().items()}
        headings = [heading._asdict() for heading in self.headings]
        return {**fields, "hints": list(self.hints), "headings": headings}


HINTS = {
    "body-truncated": "the body was cut at the limit of bytes",
    "body-incomplete": "the connection ended early; the page may not be whole",
    "extraction-fallback": "no main part was found; this is the whole page",
    "no-text": "the page has no text",
    "cut-inside-block": "the part begins or ends inside a paragraph, table or other block",
    "likely-requires-javascript": "the page is filled by JavaScript, which is not run",
    "meta-refresh": "the page asked a browser to go on, and was followed",
    "hidden-text-removed": "text that a reader cannot see was removed",
    "suspicious-hidden-content-removed": "hidden text that looked like instructions was removed",
    "suspicious-metadata-removed": "metadata that looked like instructions was removed",
    "text-from-data": "the page is filled by JavaScript; its text is that of the data in it",
    "login-or-challenge": "the page asks to log in, or to prove that a person reads it",
    "http-error": "this is the page of an HTTP error",
    "markdown-twin": "the site has this page as markdown too",
    "llms-txt": "the site has a text for language models",
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
    refresh_url: str | None = None  # where this page asks a browser to go on to; not followed
    charset_source: str = ""
    selection: Selection | None = None  # what part was asked for
    from_snapshot: bool = False  # read from what an earlier call brought
    from_cache: bool = False
    hints: tuple[str, ...] = ()
    redirects: tuple[Hop, ...] = ()
    hops: tuple[Hop, ...] = ()  # the redirects and the last answer

    def to_dict(self) -> dict[str, Any]:
        """The object that `--json` prints."""
        fields = {
            camel_case(name): value for name, value in self._asdict().items() if name != "hops"
        }
        chosen = self.selection
        return {
            **fields,
            "selection": chosen and {**chosen._asdict(), "others": list(chosen.others)},
            "hints": list(self.hints),
            "redirects": [hop.to_dict() for hop in self.redirects],
        }


def camel_case(name: str) -> str:
    """The name of a field as JSON has it."""
    first, *rest = name.split("_")
    return first + "".join(map(str.capitalize, rest))
