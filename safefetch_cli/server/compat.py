"""The tool and the prompt of the reference server mcp-server-fetch, in its own words.

A prompt that was written for it works unchanged: same names, arguments, sentences and slices. The
page comes through the guard, and in the frame; the sentences round it stand outside.
"""

import re
from typing import Any

from safefetch_cli.errors import (
    HttpError,
    InternalError,
    PolicyRejected,
    RobotsDisallowed,
    SafefetchError,
)
from safefetch_cli.framing import framed_text
from safefetch_cli.models import Simplified
from safefetch_cli.operations import Client, canonical_url
from safefetch_cli.server.answers import Answer
from safefetch_cli.server.arguments import Argument

NAME = "fetch"
PROMPT_DESCRIPTION = "Fetch a URL and extract its contents as markdown"
URL_DESCRIPTION = "URL to fetch"
DESCRIPTION = "Fetches a URL from the internet and optionally extracts its contents as markdown."
_AGENT = "ModelContextProtocol/1.0 ({}; +https://github.com/modelcontextprotocol/servers)"
USER_AGENT_OF_TOOL = _AGENT.format("Autonomous")
USER_AGENT_OF_PROMPT = _AGENT.format("User-Specified")

ARGUMENTS = (
    Argument("url", description=URL_DESCRIPTION, required=True),
    Argument(
        "max_length",
        "integer",
        "Maximum number of characters to return.",
        default=5000,
        low=1,
        high=999_999,
    ),
    Argument(
        "start_index",
        "integer",
        "On return output starting at this character index, useful if a previous fetch was "
        "truncated and more context is required.",
        default=0,
        low=0,
    ),
    Argument(
        "raw",
        "boolean",
        "Get the actual HTML content of the requested page, without simplification.",
        default=False,
    ),
)

MAX_ROBOTS_CHARS = 20_000
"""So much of a robots.txt that forbids is shown."""

_MEDIA_TYPE = re.compile(
    r"[-\w.+]{1,64}/[-\w.+]{1,64}(?:\s*;\s*charset=\"?[-\w]{1,40}\"?)?", re.ASCII | re.IGNORECASE
)
_NOT_SIMPLIFIED = "<error>Page failed to be simplified from HTML</error>"
_NO_MORE = "<error>No more content available.</error>"
_TRUNCATED = (
    "\n\n<error>Content truncated. Call the fetch tool with a start_index of {} to get more "
    "content.</error>"
)
_PREFIX = "Content type {} cannot be simplified to markdown, but here is the raw content:\n"
_FAILED = "Error executing tool fetch: "
_ROBOTS_STATUS = (
    "When fetching robots.txt ({}), received status {} so assuming that autonomous fetching is not "
    "allowed, the user can try manually fetching by using the fetch prompt"
)
_ROBOTS_RULES = (
    "The sites robots.txt ({}), specifies that autonomous fetching of this page is not allowed, "
    "<useragent>{}</useragent>\n"
    "<url>{}</url>"
    "<robots>\n{}\n</robots>\n"
    "The assistant must let the user know that it failed to view the page. The assistant may "
    "provide further guidance based on the above information.\n"
    "The assistant can tell the user that they can try manually fetching the page by using the "
    "fetch prompt within their UI."
)


def fetch(client: Client, given: dict[str, Any], user_agent: str) -> Answer:
    """What the tool answers; raises InvalidInput for what is not a URL."""
    url = _shown_url(given["url"])
    start, raw = given["start_index"], given["raw"]
    try:
        page = client.simplified(given["url"], raw=raw, anew=start == 0)
    except InternalError:
        raise
    except SafefetchError as error:
        fields = {"error": {**error.to_dict()["error"], "message": error.own_words}}
        return Answer(_FAILED + _sentence(error, url, user_agent), fields, is_error=True)
    is_failed = page.is_page and not raw and not page.text
    part = _part(page, start, given["max_length"], is_failed=is_failed)
    return Answer(f"{_prefix(page, raw=raw)}Contents of {url}:\n{part}", None)


def prompt(client: Client, url: str, user_agent: str) -> str:
    """The text of the prompt: the page, or why there is none."""
    try:
        page = client.simplified(url)
    except InternalError:
        raise
    except SafefetchError as error:
        return _sentence(error, url, user_agent)
    is_failed = page.is_page and not page.text
    text = _NOT_SIMPLIFIED if is_failed else framed_text(page.text, page.final_url)
    return _prefix(page, raw=False) + text


def _shown_url(url: str) -> str:
    try:
        return canonical_url(url)
    except PolicyRejected:
        return url  # refused below, in the words of the tool


def _prefix(page: Simplified, *, raw: bool) -> str:
    if page.is_page and not raw:
        return ""
    # Only what is a type: the field is the site's, and this line stands outside the frame.
    named = _MEDIA_TYPE.match(page.content_type)
    return _PREFIX.format(named[0] if named else "")


def _part(page: Simplified, start: int, length: int, *, is_failed: bool) -> str:
    """The slice that was asked for, in code points, and the note on what is left."""
    text = _NOT_SIMPLIFIED if is_failed else page.text
    if start >= len(text):
        return _NO_MORE
    end = start + length
    part = text[start:end]
    note = _TRUNCATED.format(end) if end < len(text) else ""
    return (part if is_failed else framed_text(part, page.final_url)) + note


def _sentence(error: SafefetchError, url: str, user_agent: str) -> str:
    """What the reference server says of a failure; where it shows an exception, ours."""
    if isinstance(error, HttpError):
        return f"Failed to fetch {url} - status code {error.status}"
    if isinstance(error, RobotsDisallowed):
        return _robots_sentence(error, url, user_agent)
    if error.robots_url and not isinstance(error, PolicyRejected):
        return f"Failed to fetch robots.txt {error.robots_url} due to a connection issue"
    return f"Failed to fetch {url}: {error.code}: {error.own_words}"


def _robots_sentence(error: RobotsDisallowed, url: str, user_agent: str) -> str:
    if error.status is not None:
        return _ROBOTS_STATUS.format(error.robots_url, error.status)
    rules = error.page_words
    if len(rules) > MAX_ROBOTS_CHARS:
        rules = rules[:MAX_ROBOTS_CHARS] + "\n[cut here]"
    framed = framed_text(rules, error.robots_url)
    refused = error.refused_url if error.hops else url  # where a redirect led
    return _ROBOTS_RULES.format(error.robots_url, user_agent, refused, framed)
