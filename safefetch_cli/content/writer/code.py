"""Code: spans and fenced blocks, with the text of an element as its author wrote it."""

import re
from typing import Final

from lxml import etree

from safefetch_cli.content.writer.chrome import is_line_number

_BACKTICKS = re.compile("`+")
_FENCES = re.compile(r"^\s*(`{3,})", re.MULTILINE)
_LINES: Final = frozenset(("div", "p", "li", "tr", "pre", "ol", "ul", "table"))
_SILENT: Final = frozenset(("button", "clipboard-copy", "script", "style", "svg", "template"))


def code_span(text: str) -> str:
    """A code span. Its fence is the shortest one that the text does not hold."""
    runs = {len(run) for run in _BACKTICKS.findall(text)} if "`" in text else ()
    length = 1
    while length in runs:
        length += 1
    fence = "`" * length
    pad = " " if text[:1] == "`" or text[-1:] == "`" else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def fenced(code: str, language: str) -> str:
    """A fenced block. Its fence is longer than any that begins a line of the code."""
    longest = max((len(run) for run in _FENCES.findall(code)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{language}\n{code}\n{fence}" if code else f"{fence}{language}\n{fence}"


def code_of(pre: etree._Element) -> str:
    """The text of a preformatted element: no markup, no line numbers, no buttons.

    The line end right after the start tag does not count, as in HTML, nor does the last one.
    """
    pieces = _Lines()
    if pre.text:
        pieces.add(pre.text.removeprefix("\r").removeprefix("\n"))
    walker = etree.iterwalk(pre, events=("start", "end", "comment", "pi"))
    for event, element in walker:
        if element is pre:
            continue
        if event == "start":
            if element.tag in _SILENT or is_line_number(element):
                walker.skip_subtree()
                continue
            pieces.begin(element)
            pieces.add(element.text or "")
        else:
            if event == "end":
                pieces.end(element)
            pieces.add(element.tail or "")
    text = pieces.text().replace("\r\n", "\n").replace("\r", "\n")
    return text.removesuffix("\n")


class _Lines:
    """Collects text; elements that are lines of their own begin on a new line."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._line_due = False

    def add(self, text: str) -> None:
        if not text:
            return
        if self._line_due and text[0] != "\n" and self._pieces:
            self._pieces.append("\n")
        self._line_due = False
        self._pieces.append(text)

    def begin(self, element: etree._Element) -> None:
        if element.tag == "br":
            self.add("\n")
        else:
            self.end(element)

    def end(self, element: etree._Element) -> None:
        if _is_line(element) and self._pieces and not self._pieces[-1].endswith("\n"):
            self._line_due = True

    def text(self) -> str:
        return "".join(self._pieces)


def _is_line(element: etree._Element) -> bool:
    return element.tag in _LINES or (
        element.tag == "span" and "line" in element.get("class", "").split()
    )
