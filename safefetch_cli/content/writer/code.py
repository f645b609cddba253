"""Code: spans and fenced blocks, with the text of an element as its author wrote it."""

import re
from typing import Final

from lxml import etree

from safefetch_cli.content.writer.chrome import is_line_number, numbers_lines

_BACKTICKS = re.compile("`+")
_FENCES = re.compile(r"^[ \t]*(`{3,})", re.MULTILINE)
_BLOCKS: Final = frozenset(("div", "p", "pre", "ol", "ul", "table"))
_LINES: Final = frozenset(("li", "tr"))
_LINE_NAMES: Final = frozenset(
    (
        *("line", "code-line", "token-line", "highlight-line", "source-line", "view-line"),
        *("cm-line", "CodeMirror-line", "ace_line", "crayon-line"),
    )
)
_SHOWN_AS_BLOCK = re.compile(
    r"(?:^|;)\s*display\s*:\s*(?:block|flex|grid|list-item|table(?:-row)?)\b", re.IGNORECASE
)
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

    The line end right after the start tag does not count, as in HTML, nor does the last one. Rows,
    items and elements that are named a line, or that are the codes a block is made of, are lines of
    their own, be they empty; other blocks begin and end a line where they hold one.
    """
    reader = _Reader(pre)
    walker = etree.iterwalk(pre, events=("start", "end", "comment", "pi"))
    for event, element in walker:
        if element is pre:
            continue
        if event == "start":
            if reader.begin(element):
                walker.skip_subtree()
            continue
        if event == "end":
            reader.end(element)
        reader.lines.add(element.tail or "")
    text = reader.lines.text().replace("\r\n", "\n").replace("\r", "\n")
    return text.removesuffix("\n")


class _Reader:
    """Reads the elements of a block of code into its lines."""

    def __init__(self, pre: etree._Element) -> None:
        self.lines = _Lines()
        self._skipped: etree._Element | None = None
        self._codes_are_lines = _codes_are_lines(pre)
        self._numbered = [pre.tag == "table" and numbers_lines(pre)]
        if pre.text:
            self.lines.add(pre.text.removeprefix("\r").removeprefix("\n"))

    def begin(self, element: etree._Element) -> bool:
        """Begin an element; True: nothing in it is code."""
        if element.tag == "table":
            self._numbered.append(numbers_lines(element))
        is_number = is_line_number(element) or (self._numbered[-1] and _is_first_cell(element))
        if element.tag in _SILENT or is_number:
            self._skipped = element
            return True
        self.lines.border(self._border_of(element))
        self.lines.add("\n" if element.tag == "br" else element.get("data-code-marker", ""))
        self.lines.add(element.text or "")
        return False

    def end(self, element: etree._Element) -> None:
        """End an element."""
        if element.tag == "table":
            self._numbered.pop()
        if element is not self._skipped:
            self.lines.border(self._border_of(element), is_end=True)

    def _border_of(self, element: etree._Element) -> str:
        """What an element begins and ends: a line of its own, a block, or "" for neither."""
        if element.tag in _LINES or (self._codes_are_lines and element.tag == "code"):
            return "line"
        names, style = element.get("class"), element.get("style")
        if names and not _LINE_NAMES.isdisjoint(names.split()):
            return "line"
        is_block = element.tag in _BLOCKS or (style and _SHOWN_AS_BLOCK.search(style))
        return "block" if is_block else ""


class _Lines:
    """Collects text, with a line end where a line that is due begins."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._line_due = False
        self._begun_at = -1

    def add(self, text: str) -> None:
        if not text:
            return
        if self._line_due and text[0] != "\n":
            self._pieces.append("\n")
        self._line_due = False
        self._pieces.append(text)

    def border(self, kind: str, *, is_end: bool = False) -> None:
        """A block or a line begins or ends; "" is no border."""
        if not kind:
            return
        is_open = bool(self._pieces) and not self._pieces[-1].endswith("\n")
        if kind == "block":
            self._line_due = self._line_due or is_open
        elif is_end:
            self._line_due = self._line_due or is_open or self._begun_at == len(self._pieces)
        else:
            if self._line_due or is_open:
                self._pieces.append("\n")
            self._line_due = False
            self._begun_at = len(self._pieces)

    def text(self) -> str:
        return "".join(self._pieces)


def _is_first_cell(element: etree._Element) -> bool:
    return element.tag in ("td", "th") and element.getprevious() is None


def _codes_are_lines(pre: etree._Element) -> bool:
    """Whether a block is made of several codes with nothing but line ends between them."""
    if len(pre) < 2 or (pre.text or "").strip():
        return False
    return all(code.tag == "code" and not (code.tail or "").strip("\r\n") for code in pre)
