"""What is done with code that stands in a line of text."""

import re
from typing import Final

from lxml import etree

from safefetch_cli.content.late_pattern import late
from safefetch_cli.content.writer.block_rules import begin_code
from safefetch_cli.content.writer.destinations import with_title
from safefetch_cli.content.writer.state import Begin, Writer

_BLANK: Final = " \t\n\r\f"
_BLANKS = re.compile(f"[{_BLANK}]+")
_PREFORMATTED = late(
    r"(?:^|;)\s*white-space\s*:\s*(?:pre|pre-wrap|break-spaces)\s*(?:[;!]|$)", re.IGNORECASE
)
_BREAKING: Final = frozenset(("br", "div", "p", "li"))
_SILENT: Final = frozenset(("button", "script", "style", "svg"))


def _begin_code(writer: Writer, element: etree._Element) -> bool:
    """A code span, with the blanks at its ends outside; none round what no span can hold."""
    if len(element) and next(element.iter("pre", "table", "img"), None) is not None:
        return False
    text = "".join(_shown_text(element)) if len(element) else element.text or ""
    if "\n" in text.strip() and _PREFORMATTED.search(element.get("style", "")):
        return begin_code(writer, element)
    words = _BLANKS.sub(" ", text).strip(" ")
    if not words:
        writer.add(" " if text else "")
        return True
    writer.add(" " if text[0] in _BLANK else "")
    target = _target(writer, element)
    if target:
        writer.run.open_link(target)
    writer.run.add_code(words)
    if target:
        writer.run.close_link()
    writer.add(" " if text[-1] in _BLANK else "")
    return True


def _target(writer: Writer, element: etree._Element) -> str:
    """Where all of the code is linked to, as code cannot hold a link; "" for nowhere."""
    if len(element) != 1 or element[0].tag != "a" or True in writer.links:
        return ""
    link = element[0]
    around = f"{element.text or ''}{link.tail or ''}"
    address = None if around.strip() else writer.addresses.absolute(link.get("href", "#"))
    return with_title(address, link.get("title")) if address and link.get("href") else ""


def _shown_text(element: etree._Element) -> list[str]:
    pieces = [element.text or ""]
    walker = etree.iterwalk(element, events=("start", "end", "comment", "pi"))
    for event, inner in walker:
        if inner is element:
            continue
        if event != "start":
            pieces.append(inner.tail or "")
        elif inner.tag in _SILENT:
            walker.skip_subtree()
        else:
            pieces.append(" " if inner.tag in _BREAKING else "")
            pieces.append(inner.text or "")
    return pieces


BEGIN: Final[dict[str, Begin]] = dict.fromkeys(("code", "kbd", "samp", "tt"), _begin_code)
"""The rule for the starts of code spans, by tag."""
