"""The page that is written: blocks one after another, inside quotes and list items.

Every block is written once, with the marks of the boxes round it before each line, so the work is
linear however deep the boxes lie. A box shows when the first block is written in it; one that
stays empty leaves no trace.
"""

from dataclasses import dataclass
from typing import Final

MAX_INDENT: Final = 48
"""Columns: boxes that lie further in add no indent, or nesting alone would fill the page."""

_ENDS_ITSELF: Final = frozenset(("heading", "code", "rule"))
_INTERRUPTS: Final = frozenset(("heading", "code", "rule", "list", "item", "quote"))


@dataclass(slots=True)
class Box:
    """A quote, a list, an item of it, or the page.

    `lead` stands before the first line written in the box and `indent` before all others; `last`
    is the kind of the block written last, "" before the first. A tight box puts no blank line
    between blocks that do not need one.

    Of a list: `marker` is its bullet, or what follows its numbers; `number` is the next item's and
    `step` what it grows by, 0 for bullets; `item` is the item begun last; `borrows_item` tells of a
    list right inside a list that its items go into the item before. `last_marker` is the marker of
    the list written last in the box.
    """

    kind: str
    lead: str = ""
    indent: str = ""
    tight: bool = False
    last: str = ""
    last_marker: str = ""
    marker: str = ""
    number: int = 0
    step: int = 0
    item: "Box | None" = None
    borrows_item: bool = False


class Boxes:
    """The stack of boxes that are open, and what is written so far."""

    def __init__(self) -> None:
        self.written: list[str] = []
        self._stack = [Box("page")]
        self._shown = 1

    @property
    def top(self) -> Box:
        """The innermost box."""
        return self._stack[-1]

    def open(self, box: Box) -> None:
        """Enter a box. One that has shown before goes on where it was left."""
        if box.last and self._shown == len(self._stack):
            self._shown += 1
        self._stack.append(box)

    def close(self) -> Box:
        """Leave the innermost box."""
        box = self._stack.pop()
        self._shown = min(self._shown, len(self._stack))
        return box

    def write(self, kind: str, text: str) -> None:
        """Write a block: heading, code, rule, table or paragraph, of one or more lines."""
        host, waiting = self._stack[self._shown - 1], self._stack[self._shown :]
        text = _indented(text, self.top.indent)
        if waiting:
            self._show(host, waiting, kind, text)
        else:
            self.written += (_gap(host, kind, may_join=True), text)
            host.last = kind

    def _show(self, host: Box, waiting: list[Box], kind: str, text: str) -> None:
        """Write the first block in the boxes that wait for one."""
        kinds = [*(box.kind for box in waiting), kind]
        lead = "".join([box.lead for box in waiting])
        # Only these can follow a paragraph without a blank line.
        may_join = kinds[0] != "list" or (bool(text) and lead.startswith(("-", "*", "1.", "1)")))
        text = lead + text if text else lead.rstrip()
        self.written += (_gap(host, kinds[0], may_join=may_join), text)
        for box, inner in zip((host, *waiting), kinds, strict=True):
            box.last = inner
        self._shown = len(self._stack)


def _gap(host: Box, kind: str, *, may_join: bool) -> str:
    """The line ends, and marks, between the last block of a box and the next one."""
    if not host.last:
        return ""
    if _stands_close(host, kind, may_join=may_join):
        return "\n" + host.indent
    return f"\n{host.indent.rstrip()}\n{host.indent}"


def _stands_close(host: Box, kind: str, *, may_join: bool) -> bool:
    if kind == host.last == "item":
        return host.tight or host.kind != "list"
    if not host.tight or host.kind == "list":
        return False
    if host.last == "table" or host.last == kind == "quote":
        return False
    return host.last in _ENDS_ITSELF or (kind in _INTERRUPTS and may_join)


def _indented(text: str, indent: str) -> str:
    if not indent or "\n" not in text:
        return text
    bare = indent.rstrip()
    first, *others = text.split("\n")
    return "\n".join([first, *(indent + line if line else bare for line in others)])
