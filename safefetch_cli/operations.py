"""What safefetch does: every face calls these, and nothing below them prints or exits.

The network and the content rooms load inside the methods that need them, so that a verdict costs
neither requests nor lxml.
"""

import threading
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Literal, Self, Unpack

from safefetch_cli.errors import HttpError, InternalError, InvalidInput, SafefetchError
from safefetch_cli.models import Document, Response, Result, Verdict
from safefetch_cli.settings import Options, Settings, from_keywords

if TYPE_CHECKING:
    from safefetch_cli.net.fetch import Fetcher
    from safefetch_cli.net.policy import Policy
    from safefetch_cli.net.resolve import Lookup

FORMATS = ("markdown", "raw", "text")
EXTRACTS = ("main", "full")
IMAGES = ("alt", "keep")
MAX_ERROR_CHARS = 2000
CONVERSION_FLOOR_SECONDS = 0.1
"""Conversion gets what the download left of the deadline, and at least so much."""

Format = Literal["markdown", "raw", "text"]
Extract = Literal["main", "full"]
Images = Literal["alt", "keep"]


class Client:
    """Fetches pages through the guard.

    One client holds one policy and keeps connections; it may be used from several threads.

        from safefetch_cli import Client

        page = Client(timeout_ms=5000).get("https://example.com/")
        print(page.text)

    Arguments are the settings of the documentation: `allow_local`, `allow`, `fake_ip`, `allowlist`,
    `denylist`, `allowed_ports`, `https_only`, `allow_https_downgrade`, `max_bytes`, `timeout_ms`,
    `max_redirects`, `user_agent`, `ca_file`. The environment is not read. Raises InvalidInput for a
    value out of range.
    """

    def __init__(self, **options: Unpack[Options]) -> None:
        self._use(from_keywords(options), None)

    @classmethod
    def of(cls, settings: Settings, lookup: "Lookup | None" = None) -> "Client":
        """A client with settings that were loaded already.

        `lookup` stands in for the system's look-up of names; its answers are judged all the same.
        """
        client = cls.__new__(cls)
        client._use(settings, lookup)
        return client

    def get(
        self,
        url: str,
        *,
        format: Format = "markdown",  # noqa: A002
        extract: Extract = "main",
        images: Images = "alt",
    ) -> Result:
        """Fetch a page and return it as text.

        `format` is markdown, raw (the decoded source) or text (no markup); `extract` is main or
        full; `images` is alt (`[Image: its text]`) or keep (as markdown images). Raises a
        SafefetchError: HttpError for a status of 400 or more.
        """
        _check_choice("format", format, FORMATS)
        _check_choice("extract", extract, EXTRACTS)
        _check_choice("images", images, IMAGES)
        from safefetch_cli.content.read import Wish, read
        from safefetch_cli.net.fetch import new_budget
        from safefetch_cli.time_limit import within

        limits = self._settings.limits
        budget = new_budget(limits)
        response = self._fetcher.fetch(url, limits, budget)
        seconds = max(budget.left, CONVERSION_FLOOR_SECONDS)
        try:
            if response.status >= 400:
                raise _http_error(response, seconds)
            document = within(seconds, lambda: read(response, Wish(format, extract, images)))
        except SafefetchError as error:
            error.hops = response.hops
            raise
        except Exception as error:
            raise InternalError(f"{type(error).__name__}: {error}") from error
        return _result(response, document)

    def check_url(self, url: str) -> Verdict:
        """The guard's verdict on a URL, without a request to its site.

        Raises InvalidInput for what is not a URL, DnsResolutionFailed or Timeout.
        """
        from safefetch_cli.net.budget import Budget
        from safefetch_cli.net.check import check

        budget = Budget(self._settings.limits.seconds, wire_bytes=0)
        return check(url, self._policy, budget, self._lookup)

    def close(self) -> None:
        """Close the kept connections."""
        if self._made_fetcher is not None:
            self._made_fetcher.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _use(self, settings: Settings, lookup: "Lookup | None") -> None:
        self._settings = settings
        self._lookup = lookup
        self._made_fetcher: Fetcher | None = None
        self._making = threading.Lock()
        _ = self._policy  # a setting that cannot be used is told before anything is fetched

    @cached_property
    def _policy(self) -> "Policy":
        from safefetch_cli.net.policy import Policy

        settings = self._settings
        return Policy.build(
            allow_local=settings.allow_local,
            allow=settings.allow,
            fake_ip=settings.fake_ip,
            allowlist=settings.allowlist,
            denylist=settings.denylist,
            allowed_ports=settings.allowed_ports,
            https_only=settings.https_only,
            allow_https_downgrade=settings.allow_https_downgrade,
            labels=settings.labels,
        )

    @property
    def _fetcher(self) -> "Fetcher":
        from safefetch_cli.net.fetch import Fetcher
        from safefetch_cli.net.resolve import system_lookup

        with self._making:  # two threads may come here first
            if self._made_fetcher is None:
                self._made_fetcher = Fetcher(
                    self._policy,
                    user_agent=self._settings.user_agent,
                    ca_file=self._settings.ca_file,
                    lookup=self._lookup or system_lookup,
                )
            return self._made_fetcher


def _check_choice(name: str, value: str, choices: Sequence[str]) -> None:
    if value not in choices:
        raise InvalidInput(f"{name}: {value!r} is not one of {', '.join(choices)}")


def _http_error(response: Response, seconds: float) -> HttpError:
    from safefetch_cli.content.read import Wish, read
    from safefetch_cli.content.visible import visible_line
    from safefetch_cli.time_limit import within

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


def _result(response: Response, document: Document) -> Result:
    from safefetch_cli.content.visible import visible_line

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
        refresh_url=visible_line(document.refresh_url) or None,
        hints=document.hints,
        redirects=response.hops[:-1],
        hops=response.hops,
    )


def _markdown_tokens(response: Response) -> int | None:
    value = response.headers.get("x-markdown-tokens", "").strip()
    return int(value) if value.isascii() and value.isdecimal() and len(value) < 10 else None
