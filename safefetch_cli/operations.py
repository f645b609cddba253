"""What safefetch does: every face calls these, and nothing below them prints or exits.

The network and the content rooms load inside the methods that need them, so that a verdict costs
neither requests nor lxml.
"""

from collections.abc import Callable, Generator, Iterable, Sequence
from typing import TYPE_CHECKING, Self, TypeVar, Unpack

from safefetch_cli import choices
from safefetch_cli.access import Access
from safefetch_cli.choices import Extract, Format, Images, Reading, Scope
from safefetch_cli.errors import InvalidInput, SafefetchError
from safefetch_cli.settings import Options, Settings, from_keywords

if TYPE_CHECKING:
    from safefetch_cli.batch import Outcome
    from safefetch_cli.content.wish import Wish
    from safefetch_cli.facts import Links, PageFacts
    from safefetch_cli.models import Outline, Result, Simplified
    from safefetch_cli.net.resolve import Lookup
    from safefetch_cli.results import Page
    from safefetch_cli.saved import SavedPage
    from safefetch_cli.verdicts import Verdict
    from safefetch_cli.watch import Watch

_T = TypeVar("_T")


class Client:
    """Fetches pages through the guard.

    One client holds one policy and keeps connections; it may be used from several threads.

        from safefetch_cli import Client

        page = Client(timeout_ms=5000).get("https://example.com/")
        print(page.text)

    Arguments are the settings of the documentation: `allow_local`, `allow`, `fake_ip`, `allowlist`,
    `denylist`, `allowed_ports`, `https_only`, `allow_https_downgrade`, `max_bytes`, `timeout_ms`,
    `max_redirects`, `user_agent`, `ca_file`, `robots`, `cache_ttl_ms`, `cache_max_entries`,
    `cache_max_bytes`, `snapshot_ttl_ms`, `max_concurrent`, `max_per_host`. The environment is not
    read. Raises InvalidInput for a value out of range.

    Parts of a page, its outline, sections, links and metadata are read from the version that the
    first call saw, for `snapshot_ttl_ms`; a `get` from the start fetches anew. Every method raises
    a SafefetchError and nothing else: HttpError for a status of 400 or more.
    """

    def __init__(self, **options: Unpack[Options]) -> None:
        self._access = Access(from_keywords(options))

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
        return cls._over(Access(settings, lookup, keeps_on_disk=snapshots_on_disk))

    def sibling(self, settings: Settings, *, strict_robots: bool = False) -> "Client":
        """A client with other settings, under the same limit of requests on their way.

        `strict_robots` takes the status 401 or 403 of a robots.txt for a no.
        """
        return self._over(self._access.sibling(settings, strict_robots=strict_robots))

    @classmethod
    def of_saved(cls, page: "SavedPage", settings: Settings | None = None) -> "Client":
        """A client that reads this page, whatever URL is asked for, and uses no network.

        Of the settings its limits count. Raises InvalidInput when the page's URL is none.
        """
        from safefetch_cli.saved import SavedAccess

        return cls._over(SavedAccess(settings or Settings(), page))

    def watched_by(self, watch: "Watch", *, max_bytes: int | None = None) -> "Client":
        """The same client for one operation, which the watch follows and may cancel.

        `max_bytes` lowers the setting for it, and may not raise it.
        """
        return self._over(self._access.watched_by(watch, max_bytes))

    def get(
        self,
        url: str,
        *,
        format: Format = "markdown",  # noqa: A002
        extract: Extract = "main",
        images: Images = "alt",
        json_pointer: str = "",
        select: str = "",
        exclude: Sequence[str] = (),
        frontmatter: bool = False,
        start_index: int = 0,
        max_chars: int | None = None,
        retries: int = 0,
    ) -> "Result":
        """Fetch a page and return it as text.

        `format` is markdown, raw (the decoded source) or text (no markup); `extract` is main or
        full; `images` is alt (`[Image: its text]`) or keep (as markdown images). `json_pointer`
        takes one value of JSON (RFC 6901); `select` and `exclude` are CSS selectors of what is
        wanted of a page and what is not; `frontmatter` puts title, author, date, site and URL
        before the text. `start_index` and `max_chars` take a part of the text, in code points, cut
        between blocks. After an error that is retryable it is tried again, at most `retries` times
        (0 to 10), when the server says (Retry-After) or after a growing while; one deadline holds
        for all tries.
        """
        choices.check_range("retries", retries, 0, choices.MAX_RETRIES)
        choices.check_parts("", (), json_pointer)

        def made(page: "Page") -> "Result":
            text, chosen = page.pointed(json_pointer) if json_pointer else page.whole()
            if frontmatter:
                text = page.front_matter() + text
            return page.result(text, chosen, start_index, max_chars)

        wish = choices.wish_of(format, extract, images, select, exclude)
        anew = start_index == 0 and not json_pointer
        return self._read(url, wish, made, anew=anew, retries=retries)

    def get_many(
        self, urls: Iterable[str], *, jobs: int = 4, **reading: Unpack[Reading]
    ) -> "Generator[Outcome, None, None]":
        """Fetch many pages, `jobs` (1 to 64) at once; what came of each URL, in their order.

        An outcome is a result or an error, so that one failure ends no other. The URLs are taken as
        they are fetched, and few results wait for their turn: there may be any number of them. The
        rest of the keyword arguments are those of `get`. `max_concurrent` and `max_per_host` hold;
        the deadline of a page does not run while it waits for the others. Close the iterator to end
        all that is on its way. On Ctrl-C what is finished is given out before KeyboardInterrupt.
        """
        choices.check_range("jobs", jobs, 1, choices.MAX_JOBS)
        choices.check_reading(reading)
        from safefetch_cli.batch import outcomes

        def get(url: str, watch: "Watch") -> "Result":
            return self._over(self._access.one_of_many(watch)).get(url, **reading)

        return outcomes(urls, get, jobs)

    def outline(
        self, url: str, *, extract: Extract = "main", exclude: Sequence[str] = (), depth: int = 6
    ) -> "Outline":
        """The headings of a page, each with the place and size of its section.

        The offsets are those of the text that `get` gives with the same `extract` and `exclude`.
        `depth` leaves out headings of a deeper level, 1 to 6.
        """
        choices.check_range("depth", depth, 1, 6)
        wish = choices.wish_of("markdown", extract, "alt", "", exclude)
        return self._read(url, wish, lambda page: page.outline(depth))

    def section(
        self,
        url: str,
        title: str = "",
        *,
        number: int | None = None,
        extract: Extract = "main",
        images: Images = "alt",
        exclude: Sequence[str] = (),
        start_index: int = 0,
        max_chars: int | None = None,
    ) -> "Result":
        """One heading of a page and all under it, up to the next of its level or higher.

        `title` is matched exactly, then without regard to case, then in part, then as a fragment
        identifier (`#install`); without a title the fragment of the URL is taken, and `number`
        takes the N-th heading of the outline, from 1. Raises SelectionNotFound.
        """
        wanted = title or "#" + url.partition("#")[2]
        if wanted == "#" and number is None:
            raise InvalidInput("section: a title, a number or a URL with a #fragment is needed")

        def made(page: "Page") -> "Result":
            text, chosen = page.section(wanted, number)
            return page.result(text, chosen, start_index, max_chars)

        return self._read(url, choices.wish_of("markdown", extract, images, "", exclude), made)

    def links(
        self,
        url: str,
        *,
        scope: Scope = "all",
        include_anchors: bool = False,
        deduplicate: bool = True,
        limit: int = 200,
    ) -> "Links":
        """The links of a page, absolute and classified, at most `limit` (1 to 2000) of them.

        `scope` is all, internal (the page's own host) or external; the counts are those before the
        limit.
        """
        choices.check_choice("scope", scope)
        choices.check_range("limit", limit, 1, 2000)
        from safefetch_cli.results import links_of

        return self._access.bring(
            url,
            lambda response: links_of(
                response,
                scope=scope,
                include_anchors=include_anchors,
                deduplicate=deduplicate,
                limit=limit,
            ),
        )

    def metadata(self, url: str) -> "PageFacts":
        """Everything that a page and its HTTP fields tell of it, but for its text."""
        from safefetch_cli.results import facts_of

        return self._access.bring(url, facts_of)

    def simplified(self, url: str, *, raw: bool = False, anew: bool = True) -> "Simplified":
        """A page as the reference fetch server gives it: its main part by markdownify.

        `raw` gives its source, as for what is no page; `anew` fetches it even if a snapshot exists.
        """
        from safefetch_cli.content.visible import visible
        from safefetch_cli.results import simplified_of

        try:
            return self._access.bring(url, lambda page: simplified_of(page, raw=raw), anew=anew)
        except SafefetchError as error:
            error.page_words = visible(error.page_words)
            raise

    def check_url(self, url: str, *, robots: bool = False) -> "Verdict":
        """The guard's verdict on a URL, without a request to its site.

        With `robots` its robots.txt is asked as well, if the guard lets the URL pass. Raises
        InvalidInput for what is not a URL, DnsResolutionFailed or Timeout; with `robots` also
        RobotsUnavailable.
        """
        from safefetch_cli.net.check import check

        budget = self._access.look_up_budget()
        verdict = check(url, self._access.policy, budget, self._access.lookup)
        if not robots or not verdict.allowed:
            return verdict
        ruling = self._access.fetcher.ruling(url, budget)
        return verdict._replace(robots_allowed=ruling.allowed, robots_rule=ruling.rule)

    @classmethod
    def _over(cls, access: Access) -> Self:
        client = cls.__new__(cls)
        client._access = access
        return client

    def close(self) -> None:
        """Close the kept connections."""
        self._access.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _read(
        self,
        url: str,
        wish: "Wish",
        make: "Callable[[Page], _T]",
        *,
        anew: bool = False,
        retries: int = 0,
    ) -> _T:
        from safefetch_cli.reading import read_page

        return read_page(self._access, url, wish, make, anew=anew, retries=retries)


def canonical_url(url: str) -> str:
    """The URL as the guard reads it, with its fragment. Raises what a fetch of it would."""
    from safefetch_cli.net.urls import parse

    target = parse(url)
    return target.url + ("#" + target.fragment if target.fragment else "")
