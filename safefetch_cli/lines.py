"""Results as lines of text, for who reads them at a terminal or through a model."""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from safefetch_cli.facts import Link, Links
    from safefetch_cli.models import Outline
    from safefetch_cli.verdicts import Verdict


def as_json(value: Any) -> str:
    """One line of JSON, without control characters."""
    import json

    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return re.sub("[\x7f-\x9f]", lambda sign: f"\\u{ord(sign[0]):04x}", text)


def outline_lines(outline: "Outline") -> str:
    """A line for each heading: where its section begins, its size, its title by level."""
    width = len(str(outline.total_chars))
    return "\n".join(
        f"{heading.start_index:>{width}}  {heading.chars:>{width}} chars  "
        f"{heading.tokens:>{width}} tokens  {'  ' * (heading.level - 1)}{heading.title}"
        for heading in outline.headings
    )


def link_lines(links: "Links") -> str:
    """A line for each link: its address, and the text that a reader of the page sees."""
    return "\n".join(f"{link.url}  {link.text}".rstrip() for link in (*links.links, *_feeds(links)))


def _feeds(links: "Links") -> "tuple[Link, ...]":
    from safefetch_cli.facts import Link

    return tuple(Link(feed.url, f"(feed) {feed.title}".rstrip()) for feed in links.feeds)


def fact_lines(fields: Mapping[str, Any]) -> str:
    """A line for each fact that is known; a list or an object of facts is JSON."""
    known = {name: value for name, value in fields.items() if value not in (None, "", [], {})}
    return "\n".join(
        f"{name}: {value if isinstance(value, str) else as_json(value)}"
        for name, value in known.items()
    )


def verdict_lines(verdict: "Verdict") -> str:
    """The verdict in its first word, then the rule that decided and each address."""
    if verdict.allowed:
        lines = [f"allowed {verdict.url}"]
    else:
        decided = f"  rule: {verdict.rule}"
        if verdict.address_class:
            decided += f" ({verdict.address_class})"
        lines = [f"refused {verdict.url}", "  code: POLICY_REJECTED", decided]
        lines.append(f"  reason: {verdict.reason}")
    for answer in verdict.addresses:
        judged = "allowed" if answer.allowed else "refused"
        lines.append(f"  address: {answer.address} ({answer.address_class}, {judged})")
    if verdict.robots_allowed is not None:
        says = "allowed" if verdict.robots_allowed else "disallowed"
        lines.append(
            f"  robots.txt: {says}" + (f" ({verdict.robots_rule})" * bool(verdict.robots_rule))
        )
    return "\n".join(lines)
