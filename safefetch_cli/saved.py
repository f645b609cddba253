"""A page that was saved: it is read as if its site had sent it, and nothing is sent anywhere."""

from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, NamedTuple

from safefetch_cli.access import Access
from safefetch_cli.errors import InvalidInput, PolicyRejected
from safefetch_cli.settings import Settings

if TYPE_CHECKING:
    from safefetch_cli.models import Response
    from safefetch_cli.net.budget import Budget

_TYPES = {
    "json": "application/json",
    "md": "text/markdown",
    "markdown": "text/markdown",
    "txt": "text/plain",
    "xml": "application/xml",
    "rss": "application/rss+xml",
    "atom": "application/atom+xml",
    "csv": "text/csv",
    "tsv": "text/tab-separated-values",
    "yaml": "application/yaml",
    "yml": "application/yaml",
    **dict.fromkeys(("log", "rst", "adoc", "org", "tex", "toml", "ini", "diff"), "text/plain"),
}
_STATUS = 200


class SavedPage(NamedTuple):
    """The bytes of a page and what is known of them."""

    body: bytes
    url: str = ""  # where it was, for its links; "" leaves relative links relative
    content_type: str = ""  # as the field of HTTP; "" for a page, or whatever the bytes look like


def type_of_file(path: str) -> str:
    """The content type that a file's name tells, "" when it tells none."""
    return _TYPES.get(path.rpartition(".")[2].lower(), "")


class SavedAccess(Access):
    """In place of the network, one saved page, whatever URL is asked for.

    Raises InvalidInput when the page's URL is none of the web.
    """

    is_offline = True

    def __init__(self, settings: Settings, page: SavedPage) -> None:
        super().__init__(settings)
        self._page = page
        self._url = _canonical(page.url)

    def new_budget(self) -> "Budget":
        """The deadline alone; nothing comes over a wire."""
        from safefetch_cli.net.budget import Budget

        return Budget(self.limits.seconds, wire_bytes=0)

    def _turn_to_convert(self, url: str, budget: "Budget") -> AbstractContextManager[None]:
        return nullcontext()  # nobody else waits

    def _fetch(self, url: str, budget: "Budget", anew: bool, redirects_spent: int) -> "Response":
        from safefetch_cli.models import Response

        body = self._page.body[: self.limits.max_bytes]
        content_type = self._page.content_type or _looks_like(body)
        return Response(
            requested_url=self._url,
            final_url=self._url,
            status=_STATUS,
            reason="",
            headers={"content-type": content_type},
            body=body,
            truncated=len(body) < len(self._page.body),
            complete=True,
            retry_after_seconds=None,
            hops=(),
        )


def _looks_like(body: bytes) -> str:
    """HTML unless it is no text; what is labelled HTML is looked at once more when it is read."""
    from safefetch_cli.content.media import sniff

    return "text/html" if sniff(body) else "application/octet-stream"


def _canonical(url: str) -> str:
    if not url:
        return ""
    from safefetch_cli.net import urls

    try:
        return urls.parse(url).url
    except (InvalidInput, PolicyRejected) as error:
        raise InvalidInput(f"the base URL: {error.message}", hint=error.hint) from None
