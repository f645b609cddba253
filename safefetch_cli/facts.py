"""What a page tells besides its text, as frozen values: its links and its metadata."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from safefetch_cli.models import Hop, camel_case


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
        fields = {camel_case(name): value for name, value in self._asdict().items()}
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
        return {
            **{camel_case(name): _plain(value) for name, value in values.items()},
            "robots": robots,
        }


class PageFacts(NamedTuple):
    """The metadata of a page with the facts of its transfer."""

    metadata: Metadata
    requested_url: str
    status: int
    content_type: str
    charset: str
    charset_source: str
    bytes: int  # of the decoded body
    truncated: bool
    from_snapshot: bool
    redirects: tuple[Hop, ...]

    def to_dict(self) -> dict[str, Any]:
        """The object that `metadata --json` prints."""
        facts = {camel_case(name): value for name, value in self._asdict().items()}
        facts.pop("metadata")
        redirects = [hop.to_dict() for hop in self.redirects]
        return {**self.metadata.to_dict(), **facts, "redirects": redirects}


def _plain(value: Any) -> Any:
    """A field as JSON: null for an empty text, objects for the values of a list."""
    if isinstance(value, tuple):
        return [one.to_dict() if hasattr(one, "to_dict") else one for one in value]
    return dict(value) if isinstance(value, Mapping) else None if value == "" else value
