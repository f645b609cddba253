"""What a page says about itself in JSON-LD."""

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from lxml import etree

from safefetch_cli.content.late_pattern import late

_WRAPPING = late(
    r"\A\s*(?:<!--|(?://|/\*)?\s*<!\[CDATA\[(?:\s*\*/)?)\s*|\s*(?:-->|(?://|/\*)?\s*\]\]>(?:\s*\*/)?)\s*\Z"
)
_MOST_NODES = 2_000
_MOST_CHARACTERS = 2_000_000


class Blocks(NamedTuple):
    """The JSON-LD blocks of a page as they are, and how many could not be read."""

    values: tuple[Any, ...]
    malformed: int


def linked_blocks(root: etree._Element) -> Blocks:
    """The blocks of a page that are JSON; the others, and too large ones, are counted."""
    values = [_parsed(script.text or "") for script in _scripts(root)]
    return Blocks(tuple(value for value in values if value is not None), values.count(None))


def linked_data(root: etree._Element) -> list[dict[str, Any]]:
    """The JSON-LD objects of a page, those inside @graph and other objects included."""
    found: list[dict[str, Any]] = []
    for script in _scripts(root):
        found.extend(_objects(script.text or ""))
    return found[:_MOST_NODES]


def has_type(root: etree._Element, wanted: frozenset[str]) -> bool:
    """Whether a JSON-LD object of a page is of one of the types; blocks without are not read."""
    texts = (script.text or "" for script in _scripts(root))
    naming = (text for text in texts if any(name in text for name in wanted))
    return any(types(node) & wanted for text in naming for node in _objects(text))


def types(node: dict[str, Any]) -> frozenset[str]:
    """The names of an object's types, without the vocabulary's address."""
    named = node.get("@type")
    listed = named if isinstance(named, list) else [named]
    return frozenset(name.rsplit("/", 1)[-1] for name in listed if isinstance(name, str))


def _scripts(root: etree._Element) -> Iterator[etree._Element]:
    for script in root.iter("script"):
        if "ld+json" in (script.get("type") or "").lower():
            yield script


def _parsed(text: str) -> Any:
    """The value of a block, None when it has none."""
    if len(text) > _MOST_CHARACTERS:
        return None
    try:
        return json.loads(_WRAPPING.sub("", text).rstrip(";"), strict=False)
    except (ValueError, RecursionError):
        return None


def _objects(text: str) -> Iterator[dict[str, Any]]:
    waiting: list[Any] = [_parsed(text)]
    count = 0
    while waiting and count < _MOST_NODES:
        value = waiting.pop()
        count += 1
        if isinstance(value, dict):
            yield value
            waiting.extend(
                item for item in reversed(value.values()) if isinstance(item, dict | list)
            )
        elif isinstance(value, list):
            waiting.extend(item for item in reversed(value) if isinstance(item, dict | list))
