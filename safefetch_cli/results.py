"""From a response and its document to what a caller gets."""

from typing import NamedTuple

from safefetch_cli.content.front_matter import front_matter
from safefetch_cli.content.outline import Heading, headings
from safefetch_cli.content.paging import Pages
from safefetch_cli.content.read import Wish, read
from safefetch_cli.content.visible import visible_line
from safefetch_cli.errors import HttpError, SafefetchError
from safefetch_cli.models import Document, Response, Result, Selection
from safefetch_cli.time_limit import within

MAX_ERROR_CHARS = 2000
"""Of the text of an HTTP error's page."""


def http_error(response: Response, seconds: float) -> HttpError:
    """The error that a status of 400 or more is, with the text of its page.

    The page is converted within `seconds`; one that cannot be read has no text.
    """
    try:
        text = within(seconds, lambda: read(response, Wish("text", "full"))).text
    except SafefetchError:
        text = ""  # not a text, or not one that can be read: the status is what counts
    retry_after = response.retry_after_seconds
    later = "" if retry_after is None else f"; it asks to wait {retry_after} seconds"
    reason = visible_line(response.reason)
    return HttpError(
        f"{response.final_url} answered {response.status} {reason}".rstrip() + later,
        status=response.status,
        final_url=response.final_url,
        retry_after_seconds=retry_after,
        text=text[:MAX_ERROR_CHARS],
    )


class Page(NamedTuple):
    """A page that was fetched and converted."""

    response: Response
    document: Document

    def headings(self) -> tuple[Heading, ...]:
        """The headings of its text."""
        return headings(self.document.text, self.document.heading_ids)

    def front_matter(self) -> str:
        """What the page says of itself, as YAML."""
        return front_matter(self.document, self.response.final_url)

    def result(
        self, text: str, chosen: Selection | None, start_index: int, max_chars: int | None
    ) -> Result:
        """The page with this text, or with the part of it that begins at `start_index`."""
        total, following, hints = len(text), None, self.document.hints
        if start_index or max_chars is not None:
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
