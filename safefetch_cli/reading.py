"""From a URL to a page that was read: fetched, converted, and once sent on by an empty page."""

from collections.abc import Callable
from typing import TypeVar

from safefetch_cli.access import Access
from safefetch_cli.content.read import read
from safefetch_cli.content.wish import Wish
from safefetch_cli.errors import InvalidInput, PolicyRejected
from safefetch_cli.models import Response
from safefetch_cli.net import urls
from safefetch_cli.net.budget import Budget
from safefetch_cli.net.policy import Refusal, refused_way
from safefetch_cli.results import Page
from safefetch_cli.retrying import with_retries

_T = TypeVar("_T")


def read_page(
    access: Access,
    url: str,
    wish: Wish,
    make: Callable[[Page], _T],
    *,
    anew: bool = False,
    retries: int = 0,
) -> _T:
    """Fetch and convert a page and make something of it, all on one budget.

    A page that has no text and only sends a browser on is followed, once. After an error that may
    pass it is tried again, `retries` times at most. Raises a SafefetchError.
    """
    budget = access.new_budget()

    def attempt() -> _T:
        budget.renew_bytes()
        return _read_page(access, url, wish, make, budget, anew=anew)

    return with_retries(attempt, retries, budget)


def _read_page(
    access: Access,
    url: str,
    wish: Wish,
    make: Callable[[Page], _T],
    budget: Budget,
    *,
    anew: bool,
) -> _T:

    def converted(response: Response) -> tuple[Page, _T | None]:
        page = Page(response, read(response, wish))
        return page, None if _goes_on(access, page) else make(page)

    page, result = access.bring(url, converted, anew=anew, budget=budget)
    if result is not None:
        return result
    hops = page.response.hops

    def continued(response: Response) -> _T:
        document = read(response, wish)
        return make(
            Page(
                response.changed(requested_url=url, hops=hops + response.hops),
                document._replace(hints=(*document.hints, "meta-refresh")),
            )
        )

    target = page.document.refresh_url
    try:
        return access.bring(target, continued, anew=anew, budget=budget, redirects_spent=len(hops))
    except PolicyRejected as error:
        if error.hops:  # it is about a redirect further on
            raise
        hint = f"The page leads to {target}. {error.hint}".rstrip()
        refusal = Refusal(error.rule, error.reason or error.message, hint, error.address_class)
        raise refused_way(
            urls.parse(page.response.final_url).host, "sends a browser on", refusal
        ) from None


def _goes_on(access: Access, page: Page) -> bool:
    """Whether an empty page's refresh is followed: as one more redirect, under its rules."""
    target = page.document.refresh_url
    if page.document.text or access.is_offline or not _is_web_address(target):
        return False
    is_downgrade = page.response.final_url.startswith("https:") and target.startswith("http:")
    if is_downgrade and not access.policy.allow_https_downgrade:
        return False
    return len(page.response.hops) <= access.limits.max_redirects


def _is_web_address(url: str) -> bool:
    """Whether this is the URL of a page, allowed or not."""
    try:
        urls.parse(url)
    except PolicyRejected:
        return url.startswith(("http://", "https://"))
    except InvalidInput:
        return False
    return True
