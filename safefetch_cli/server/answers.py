"""What a tool answers: a text for any host, and the same as an object for those that read it.

Whatever a site wrote stands in the frame, in the text and in the object. An error tells a model
what happened and whether to try again, never what would open a refused door nor where it led.
"""

from typing import Any, NamedTuple

from safefetch_cli import lines
from safefetch_cli.errors import HttpError, SafefetchError
from safefetch_cli.facts import Links, PageFacts
from safefetch_cli.framing import framed, framed_text
from safefetch_cli.models import HINTS, Outline, Result
from safefetch_cli.operations import canonical_url
from safefetch_cli.verdicts import Verdict


class Answer(NamedTuple):
    """An answer. `structured` is the object that `--json` prints, with framed text."""

    text: str
    structured: dict[str, Any] | None
    is_error: bool = False


def page_answer(result: Result) -> Answer:
    """A page, or a part of one, and how to go on."""
    page = framed(result)
    return Answer("".join((page.text, *_notes(result))), page.to_dict())


def _notes(result: Result) -> list[str]:
    following = result.next_start_index
    notes = [f"Note: {HINTS[hint]}.\n" for hint in result.hints]
    if following is not None:
        notes.append(
            f"There is more: call again with start_index={following} "
            f"(of {result.total_chars} characters).\n"
        )
    elif result.start_index >= result.total_chars > 0:
        notes.append(f"There is no more: the text has {result.total_chars} characters.\n")
    return notes


def outline_answer(outline: Outline) -> Answer:
    """The headings of a page."""
    return Answer(framed_text(lines.outline_lines(outline), outline.final_url), outline.to_dict())


def links_answer(links: Links) -> Answer:
    """The links of a page."""
    left = links.total - len(links.links)
    more = f"Note: {left} more links are not listed; the limit is in the way.\n" if left else ""
    return Answer(framed_text(lines.link_lines(links), links.url) + more, links.to_dict())


def metadata_answer(facts: PageFacts) -> Answer:
    """What is known about a page."""
    fields = facts.to_dict()
    return Answer(framed_text(lines.fact_lines(fields), facts.metadata.url), fields)


def verdict_answer(verdict: Verdict) -> Answer:
    """The guard's verdict, without the addresses that were refused; the site's rule is framed."""
    shown = verdict._replace(
        addresses=tuple(
            one if one.allowed else one._replace(address="not told") for one in verdict.addresses
        )
    )
    text = lines.verdict_lines(shown._replace(robots_rule="")) + "\n"
    if shown.robots_rule:
        text += framed_text(shown.robots_rule, shown.url)
    return Answer(text, shown.to_dict())


def _url_of(error: SafefetchError) -> str:
    """The address of whoever said the words of an error."""
    if isinstance(error, HttpError) and error.final_url:
        return error.final_url
    return error.robots_url or canonical_url(error.requested_url)


def error_answer(error: SafefetchError) -> Answer:
    """An operation that failed. What the page says of it is framed."""
    fields = error.to_dict()
    fields["error"]["message"] = error.own_words
    text = f"{error.code}: {error.own_words}\n"
    if error.page_words:
        fields["text"] = framed_text(error.page_words, _url_of(error))
        text += fields["text"]
    elif "text" in fields:
        fields["text"] = ""
    return Answer(text, fields, is_error=True)
