"""What safefetch does: every face calls these, and nothing below them prints or exits.

The network and the content rooms load inside the methods that need them, so that a verdict costs
neither requests nor lxml.
"""

import threading
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Literal, Self, Unpack

from safefetch_cli.errors import InternalError, InvalidInput, SafefetchError
from safefetch_cli.settings import Options, Settings, from_keywords

if TYPE_CHECKING:
    from safefetch_cli.models import Outline, Result
    from safefetch_cli.net.fetch import Fetcher
    from safefetch_cli.net.policy import Policy
    from safefetch_cli.net.resolve import Lookup
    from safefetch_cli.net.snapshots import Snapshots
    from safefetch_cli.results import Page
    from safefetch_cli.verdicts import Verdict

FORMATS = ("markdown", "raw", "text")
EXTRACTS = ("main", "full")
IMAGES = ("alt", "keep")
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
    `max_redirects`, `user_agent`, `ca_file`, `robots`, `cache_ttl_ms`,
    `cache_max_entries`, `cache_max_bytes`, `snapshot_ttl_ms`. The environment is not read. Raises
    InvalidInput for a value out of range.

    Parts of a page, its outline and its sections are read from the version that the first call saw,
    for `snapshot_ttl_ms`; a `get` from the start fetches anew.
    """

    def __init__(self, **options: Unpack[Options]) -> None:
        self._use(from_keywords(options))

    @classmethod
    def of(
        cls,
        settings: Settings,
        *,
        lookup: "Lookup | None" = None,
        snapshots_on_disk: bool = False,
    ) -> "Client":
        """A client with settings that were loaded already.

        `lookup` stands in for the system's look-up of names; its answers are judged all the same.
        `snapshots_on_disk` keeps snapshots in the user's cache folder, for the next process.
        """
        client = cls.__new__(cls)
        client._use(settings, lookup, snapshots_on_disk=snapshots_on_disk)
        return client

    def get(
        self,
        url: str,
        *,
        format: Format = "markdown",  # noqa: A002
        extract: Extract = "main",
        images: Images = "alt",
        json_pointer: str = "",
        frontmatter: bool = False,
        start_index: int = 0,
        max_chars: int | None = None,
    ) -> "Result":
        """Fetch a page and return it as text.

        `format` is markdown, raw (the decoded source) or text (no markup); `extract` is main or
        full; `images` is alt (`[Image: its text]`) or keep (as markdown images). `json_pointer`
        takes one value of JSON (RFC 6901); `frontmatter` puts title, author, date, site and URL
        before the text. `start_index` and `max_chars` take a part of the text,
        in code points, cut between blocks. Raises a SafefetchError: HttpError for a status of 400
        or more.
        """
        is_anew = start_index == 0 and not json_pointer
        page = self._read(url, format, extract, images, anew=is_anew)
        text, chosen = page.document.text, None
        if json_pointer:
            from safefetch_cli.content.pointer import select
            from safefetch_cli.models import Selection

            text = select(text, json_pointer)
            chosen = Selection(by="json-pointer", value=json_pointer)
        if frontmatter:
            text = page.front_matter() + text
        return page.result(text, chosen, start_index, max_chars)

    def outline(self, url: str, *, extract: Extract = "main", depth: int = 6) -> "Outline":
        """The headings of a page, each with the place and size of its section.

        The offsets are those of the text that `get` gives with the same `extract`. `depth` leaves
        out headings of a deeper level, 1 to 6.
        """
        from safefetch_cli.models import Outline, OutlineHeading

        if not 1 <= depth <= 6:
            raise InvalidInput(f"depth: {depth} is not from 1 to 6")
        page = self._read(url, "markdown", extract, "alt")
        found = [heading for heading in page.headings() if heading.level <= depth]
        return Outline(
            requested_url=page.response.requested_url,
            final_url=page.response.final_url,
            title=page.document.title or None,
            total_chars=len(page.document.text),
            from_snapshot=page.response.from_snapshot,
            hints=page.document.hints,
            headings=tuple(OutlineHeading(*heading) for heading in found),
        )

    def section(
        self,
        url: str,
        title: str = "",
        *,
        number: int | None = None,
        extract: Extract = "main",
        images: Images = "alt",
        start_index: int = 0,
        max_chars: int | None = None,
    ) -> "Result":
        """One heading of a page and all under it, up to the next of its level or higher.

        `title` is matched exactly, then without regard to case, then in part, then as a fragment
        identifier (`#install`); without a title the fragment of the URL is taken, and `number`
        takes the N-th heading of the outline, from 1. Raises SelectionNotFound.
        """
        from safefetch_cli.content import outline
        from safefetch_cli.models import Selection

        wanted = title or url.partition("#")[2]
        if not wanted and number is None:
            raise InvalidInput("section: a title, a number or a URL with a #fragment is needed")
        page = self._read(url, "markdown", extract, images)
        headings = page.headings()
        if number is None:
            found = outline.find(headings, wanted if title else f"#{wanted}")
        else:
            found = outline.find_number(headings, number)
        chosen = Selection(
            by="section" if number is None else "number",
            value=wanted if number is None else str(number),
            title=found.heading.title,
            others=tuple(heading.title for heading in found.others),
        )
        text = outline.section(page.document.text, found.heading).rstrip("\n")
        return page.result(text, chosen, start_index, max_chars)

    def check_url(self, url: str, *, robots: bool = False) -> "Verdict":
        """The guard's verdict on a URL, without a request to its site.

        With `robots` its robots.txt is asked as well, if the guard lets the URL pass. Raises
        InvalidInput for what is not a URL, DnsResolutionFailed or Timeout; with `robots` also
        RobotsUnavailable.
        """
        from safefetch_cli.net.budget import Budget
        from safefetch_cli.net.check import check

        budget = Budget(self._settings.timeout_ms / 1000, wire_bytes=0)
        verdict = check(url, self._policy, budget, self._lookup)
        if not robots or not verdict.allowed:
            return verdict
        ruling = self._fetcher.ruling(url, budget)
        return verdict._replace(robots_allowed=ruling.allowed, robots_rule=ruling.rule)

    def close(self) -> None:
        """Close the kept connections."""
        if self._made_fetcher is not None:
            self._made_fetcher.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _read(
        self, url: str, form: Format, extract: Extract, images: Images, *, anew: bool = False
    ) -> "Page":
        """Fetch a page, `anew` or from a snapshot, and convert it, all before the deadline."""
        _check_choice("format", form, FORMATS)
        _check_choice("extract", extract, EXTRACTS)
        _check_choice("images", images, IMAGES)
        from safefetch_cli.content.read import Wish, read
        from safefetch_cli.net.fetch import new_budget
        from safefetch_cli.results import Page, http_error
        from safefetch_cli.time_limit import within

        limits = self._settings.limits
        budget = new_budget(limits)
        if self._snapshots is None:
            response = self._fetcher.fetch(url, limits, budget)
        else:
            response = self._fetcher.fetch_snapshot(url, limits, budget, self._snapshots, anew=anew)
        seconds = max(budget.left, CONVERSION_FLOOR_SECONDS)
        try:
            if response.status >= 400:
                raise http_error(response, seconds)
            document = within(seconds, lambda: read(response, Wish(form, extract, images)))
        except SafefetchError as error:
            error.hops = response.hops
            raise
        except Exception as error:
            raise InternalError(f"{type(error).__name__}: {error}") from error
        return Page(response, document)

    def _use(
        self,
        settings: Settings,
        lookup: "Lookup | None" = None,
        *,
        snapshots_on_disk: bool = False,
    ) -> None:
        self._settings = settings
        self._keeps_on_disk = snapshots_on_disk
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
        from safefetch_cli.stores import new_cache

        with self._making:  # two threads may come here first
            if self._made_fetcher is None:
                self._made_fetcher = Fetcher(
                    self._policy,
                    user_agent=self._settings.user_agent,
                    ca_file=self._settings.ca_file,
                    lookup=self._lookup or system_lookup,
                    obey_robots=self._settings.robots == "respect",
                    cache=new_cache(self._settings),
                )
            return self._made_fetcher

    @cached_property
    def _snapshots(self) -> "Snapshots | None":
        from safefetch_cli.stores import new_snapshots

        return new_snapshots(self._settings, on_disk=self._keeps_on_disk)


def _check_choice(name: str, value: str, choices: Sequence[str]) -> None:
    if value not in choices:
        raise InvalidInput(f"{name}: {value!r} is not one of {', '.join(choices)}")


def framed(page: "Result") -> "Result":
    """The page with its text in the frame that tells a model whose text it is."""
    from safefetch_cli.content.frame import frame

    return page._replace(text=frame(page.text, page.final_url))
