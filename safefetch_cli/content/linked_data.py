"""What a page says about itself in JSON-LD."""

import json
import re
from collections.abc import Iterator
from typing import Any

from lxml import etree

_WRAPPING = re.compile(
    r"\A\s*(?:<!--|(?://|/\*)?\s*<!\[CDATA\[(?:\s*\*/)?)\s*|\s*(?:-->|(?://|/\*)?\s*\]\]>(?:\s*\*/)?)\s*\Z"
)
_MOST_NODES = 2_000
_MOST_CHARACTERS = 2_000_000


def linked_data(root: etree._Element) -> list[dict[str, Any]]:
    """The JSON-LD objects of a page, those inside @graph and other objects included."""
    found: list[dict[str, Any]] = []
    for script in root.iter("script"):
        if "ld+json" in (script.get("type") or "").lower():
            found.extend(_objects(script.text or ""))
    return found[:_MOST_NODES]


def types(node: dict[str, Any]) -> frozenset[str]:
    """The names of an object's types, without the vocabulary's address."""
    named = node.get("@type")
    listed = named if isinstance(named, list) else [named]
    return frozenset(name.rsplit("/", 1)[-1] for name in listed if isinstance(name, str))


def _objects(text: str) -> Iterator[dict[str, Any]]:
    if len(text) > _MOST_CHARACTERS:
        return
    text = _WRAPPING.sub("", text).rstrip(";")
    try:
        waiting: list[Any] = [json.loads(text, strict=False)]
    except (ValueError, RecursionError):
        return
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
