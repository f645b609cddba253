"""From a response and its document to what a caller gets.

What makes parts of a text loads inside the methods that need it: a whole page does without.
"""

from typing import TYPE_CHECKING, NamedTuple

from safefetch_cli.content.read import read, source
from safefetch_cli.content.visible import visible, visible_line
from safefetch_cli.content.wish import Wish
from safefetch_cli.errors import HttpError, SafefetchError
from safefetch_cli.models import (
    Document,
    Outline,
    OutlineHeading,
    Response,
    Result,
    Selection,
    Simplified,
)
from safefetch_cli.time_limit import within
from safefetch_cli.watch import Watch

if TYPE_CHECKING:
    from safefetch_cli.content.links import Scope
    from safefetch_cli.content.outline import Heading
    from safefetch_cli.facts import Links, PageFacts

MAX_ERROR_CHARS = 2000
"""Of the text of an HTTP error's page."""


def http_error(response: Response, seconds: float, watch: Watch | None = None) -> HttpError:
    """The error that a status of 400 or more is, with the text of its page.

    The page is converted within `seconds`; one that cannot be read has no text.
    """
    try:
        document = within(seconds, lambda: read(response, Wish("text", "full")), watch)
    except SafefetchError:
        document = Document(
            text="", extraction="none"
        )  # not a text, or not one that can be read: the status is what counts
    retry_after = response.retry_after_seconds
    later = "" if retry_after is None else f"; it asks to wait {retry_after} seconds"
    told = f"answered {response.status}"
    # What was asked for; where it led a redirect of the site said.
    asked = response.hops[0].url if response.hops else response.final_url
    return HttpError(
        f"{response.final_url} {told} {visible_line(response.reason)}".rstrip() + later,
        own_words=f"{asked} {told}{later}",
        status=response.status,
        final_url=response.final_url,
        retry_after_seconds=retry_after,
        text=document.text[:MAX_ERROR_CHARS],
        hints=("http-error", *document.hints),
    )


class Page(NamedTuple):
    """A page that was fetched and converted."""

    response: Response
    document: Document

    def outline(self, depth: int) -> Outline:
        """The headings of its text, to this level."""
        found = [heading for heading in self._headings() if heading.level <= depth]
        return Outline(
            requested_url=self.response.requested_url,
            final_url=self.response.final_url,
            title=visible_line(self.document.title) or None,
            total_chars=len(self.document.text),
            from_snapshot=self.response.from_snapshot,
            hints=self.document.hints,
            headings=tuple(OutlineHeading(*heading) for heading in found),
        )

    def whole(self) -> tuple[str, None]:
        """Its whole text."""
        return self.document.text, None

    def pointed(self, pointer: str) -> tuple[str, Selection]:
        """One value of a JSON text. Raises as `content.pointer.select`."""
        from safefetch_cli.content.pointer import select

        text = visible(select(self.document.text, pointer))
        return text, Selection(by="json-pointer", value=pointer)

    def section(self, wanted: str, number: int | None) -> tuple[str, Selection]:
        """The section of a heading, by its title or its number. Raises SelectionNotFound."""
        from safefetch_cli.content.outline import find, find_number, section

        headings = self._headings()
        found = find(headings, wanted) if number is None else find_number(headings, number)
        chosen = Selection(
            by="section" if number is None else "number",
            value=wanted if number is None else str(number),
            title=found.heading.title,
            others=tuple(heading.title for heading in found.others),
        )
        return section(self.document.text, found.heading).rstrip("\n"), chosen

    def _headings(self) -> "tuple[Heading, ...]":
        from safefetch_cli.content.outline import headings

        return headings(self.document.text, self.document.heading_ids)

    def front_matter(self) -> str:
        """What the page says of itself, as YAML."""
        from safefetch_cli.content.front_matter import front_matter

        return front_matter(self.document, self.response.final_url)

    def result(
        self, text: str, chosen: Selection | None, start_index: int, max_chars: int | None
    ) -> Result:
        """The page with this text, or with the part of it that begins at `start_index`."""
        total, following, hints = len(text), None, self.document.hints
        if start_index or max_chars is not None:
            from safefetch_cli.content.paging import Pages

            part = Pages(text).part(start_index, max_chars)
            text, following = part.text, part.next_start_index
            hints = (*hints, "cut-inside-block") if part.cut_inside_block else hints
        return _result(self.response, self.document)._replace(
            text=text,
            total_chars=total,
            start_index=start_index,
            next_start_index=following,
            selection=chosen,
            hints=hints,
        )


def simplified_of(response: Response, *, raw: bool) -> Simplified:
    """A page for clients of the reference fetch server; `raw` gives its source."""
    from safefetch_cli.content.simplified import is_page, simplified, source_text

    text = source(response).text
    content_type = visible_line(response.headers.get("content-type", ""))
    found = is_page(text, content_type)
    return Simplified(
        text=simplified(text, response.final_url) if found and not raw else source_text(text),
        content_type=content_type,
        is_page=found,
        final_url=response.final_url,
    )


def links_of(
    response: Response,
    *,
    scope: "Scope",
    include_anchors: bool,
    deduplicate: bool,
    limit: int,
) -> "Links":
    """The links of a page; `operations.Client.links` says what the arguments are."""
    from safefetch_cli.content.links import read_links

    return read_links(
        visible(source(response).text),
        response.final_url,
        scope=scope,
        include_anchors=include_anchors,
        deduplicate=deduplicate,
        limit=limit,
    )


def facts_of(response: Response) -> "PageFacts":
    """What a page and its HTTP fields tell of it."""
    from safefetch_cli.content.page_record import read_metadata
    from safefetch_cli.facts import PageFacts

    decoded = source(response)
    return PageFacts(
        metadata=read_metadata(visible(decoded.text), response.final_url, response.headers),
        requested_url=response.requested_url,
        status=response.status,
        content_type=visible_line(response.headers.get("content-type", "")),
        charset=decoded.charset,
        charset_source=decoded.source,
        bytes=len(response.body),
        truncated=response.truncated,
        from_snapshot=response.from_snapshot,
        redirects=response.hops[:-1],
    )


def _result(response: Response, document: Document) -> Result:
    return Result(
        text=document.text,
        status=response.status,
        requested_url=response.requested_url,
        final_url=response.final_url,
        content_type=visible_line(response.headers.get("content-type", "")),
        charset=document.charset,
        charset_source=document.charset_source,
        bytes=len(response.body),
        truncated=response.truncated,
        total_chars=len(document.text),
        extraction=document.extraction,
        title=visible_line(document.title) or None,
        description=visible_line(document.description) or None,
        byline=visible_line(document.byline) or None,
        lang=visible_line(document.lang) or None,
        canonical_url=visible_line(document.canonical_url) or None,
        published_at=visible_line(document.published_at) or None,
        site_name=visible_line(document.site_name) or None,
        markdown_tokens=_markdown_tokens(response),
        from_snapshot=response.from_snapshot,
        from_cache=response.from_cache,
        refresh_url=visible_line(document.refresh_url) or None,
        hints=document.hints,
        redirects=response.hops[:-1],
        hops=response.hops,
    )


def _markdown_tokens(response: Response) -> int | None:
    value = response.headers.get("x-markdown-tokens", "").strip()
    return int(value) if value.isascii() and value.isdecimal() and len(value) < 10 else None
