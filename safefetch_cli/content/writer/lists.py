"""Lists and their items: marks, numbers, and whether items stand apart."""

import re
from typing import Final

from lxml import etree

from safefetch_cli.content.writer.boxes import MAX_INDENT, Box

_WHOLE = re.compile(r"[+-]?[0-9]{1,15}")

MAX_NUMBER: Final = 999_999_999
"""The highest number markdown lets an item have."""


def list_box(element: etree._Element, host: Box) -> Box:
    """The box of a list that begins in `host`.

    A list right after another one of its kind gets the other mark, or the two would be one list.
    """
    tight = not any(_has_paragraph(item) for item in element.iterchildren("li"))
    box = Box("list", "", host.indent, tight)
    follows = host.last_marker if host.last in ("list", "item") else ""
    if element.tag != "ol":
        box.marker = "*" if follows == "-" else "-"
        return box
    box.marker = ")" if follows == "." else "."
    box.step = 1 if element.get("reversed") is None else -1
    box.number = _start(element, box.step)
    return box


def item_box(element: etree._Element, host: Box) -> Box:
    """The box of an item that begins in `host`: its list, or anything where items stray."""
    if host.kind == "list":
        marker = _next_marker(element, host)
    else:
        host.last_marker = marker = "-"
    lead = marker + " "
    deep = len(host.indent) >= MAX_INDENT
    indent = host.indent if deep else host.indent + " " * len(lead)
    tight = host.tight if host.kind == "list" else not _has_paragraph(element)
    box = Box("item", lead, indent, tight)
    host.item = box
    return box


def quote_box(host: Box) -> Box:
    """The box of a quote that begins in `host`."""
    mark = "" if len(host.indent) >= MAX_INDENT else "> "
    return Box("quote", mark, host.indent + mark)


def _has_paragraph(item: etree._Element) -> bool:
    return next(item.iterchildren("p"), None) is not None


def _next_marker(element: etree._Element, host: Box) -> str:
    if not host.step:
        return host.marker
    value = _whole(element.get("value", ""))
    if value is not None:
        host.number = value
    number = host.number
    host.number += host.step
    return f"{min(max(number, 0), MAX_NUMBER)}{host.marker}"


def _start(element: etree._Element, step: int) -> int:
    start = _whole(element.get("start", ""))
    if start is None and step < 0:
        return sum(1 for _ in element.iterchildren("li"))
    return start if start is not None and 0 <= start <= MAX_NUMBER else 1


def _whole(text: str) -> int | None:
    text = text.strip()
    return int(text) if _WHOLE.fullmatch(text) else None
