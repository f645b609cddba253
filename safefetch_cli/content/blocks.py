"""Where the blocks of a markdown text begin (CommonMark 0.31, with the tables of GFM).

One pass over the lines, by the standard's own strategy (its appendix, phase 1): match the open
containers, open new ones, and give the rest of the line to a leaf. Inlines are not read, and of
link reference definitions only so much as setext headings need. Time is linear in the text;
containers nest at most MAX_DEPTH deep, deeper ones count as text.
"""

from typing import Literal, NamedTuple

from safefetch_cli.content import block_grammar as grammar
from safefetch_cli.content.block_line import Container, Line

MAX_DEPTH = 32

Kind = Literal["paragraph", "heading", "fence", "code", "html", "table", "break", "item"]
"""What a block is; "item" is a container with nothing else on its first line."""


class Block(NamedTuple):
    """One block. Offsets are code points from the start of the text."""

    kind: Kind
    start: int  # of the line it begins on
    content: int  # of its own first character, after the marks of its containers
    depth: int = 0  # containers that were open before it and go on; 0 at the top level
    in_quote: bool = False
    level: int = 0  # of a heading, 1 to 6
    end: int = 0  # of the last line of a heading, without its line feed


def blocks(text: str) -> list[Block]:
    """The blocks of a text in their order, a container with its first leaf. Lines end with LF."""
    scanner = _Scanner(text)
    start = 0
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        scanner.take(start, end)
        start = end + 1
    return scanner.found


class _Scanner:
    """What is open between two lines, and where in the present line it reads."""

    def __init__(self, text: str) -> None:
        self.found: list[Block] = []
        self._text = text
        self._containers: list[Container] = []
        self._kept = 0  # containers that the present line continues
        self._depth = 0  # and those that it opens
        # The open leaf, what closes it, and a paragraph's last line: its start, end and column.
        self._leaf: Kind | None = None
        self._fence = ""
        self._html_end = grammar.ANY_TAG
        self._last = (0, 0, 0)
        self._line = Line("", 0, 0)
        self._was_empty = False

    def take(self, start: int, end: int) -> None:
        """Read one line, given without its line feed."""
        was_empty, self._was_empty = self._was_empty, start == end
        if was_empty and start == end:
            return  # a second empty line changes nothing
        if self._containers or not self._is_plain(start, end):
            self._line = Line(self._text, start, end)
            self._take_any()

    def _is_plain(self, start: int, end: int) -> bool:
        """Take the lines that most texts are made of; False for any other. No container is open."""
        first = self._text[start] if start < end else ""
        if self._leaf == "fence":
            return first not in grammar.MAY_END_FENCE
        if self._leaf == "table":
            return first == "|"
        if first in grammar.MAY_BEGIN_BLOCK or self._leaf not in (None, "paragraph"):
            return False
        if not first:
            self._leaf = None
        elif self._leaf is None:
            self._leaf = "paragraph"
            self.found.append(Block("paragraph", start, start))
        self._last = (start, end, 0)
        return True

    def _take_any(self) -> None:
        self._kept = self._depth = self._continued()
        if self._is_matched and self._goes_on():
            return
        while self._opens_container():
            pass
        self._take_leaf()

    @property
    def _is_matched(self) -> bool:
        """Whether the containers that the line continues or opens are all that are open."""
        return self._depth == len(self._containers)

    @property
    def _in_paragraph(self) -> bool:
        return self._leaf == "paragraph" and self._is_matched

    def _continued(self) -> int:
        """How many of the open containers the line continues; it is read up to their content."""
        for depth, container in enumerate(self._containers):
            if not container.is_continued_by(self._line):
                return depth
        return len(self._containers)

    def _goes_on(self) -> bool:
        """Whether the line is one more of an open fence, HTML, indented code or table."""
        if self._leaf == "fence":
            if not self._line.is_code and grammar.closes_fence(
                self._line.text[self._line.ink :], self._fence
            ):
                self._leaf = None
            return True
        if self._leaf == "html":
            if self._line.is_blank and self._html_end in grammar.ENDS_AT_BLANK:
                return False
            self._end_html(self._line.at)
            return True
        if self._leaf == "code":
            return self._line.is_blank or self._line.is_code
        return self._leaf == "table" and not self._line.is_blank and not self._interrupts_table()

    def _interrupts_table(self) -> bool:
        starts = (grammar.ATX, grammar.FENCE, grammar.BREAK, grammar.ITEM)
        return (
            self._line.is_code
            or self._line.text[self._line.ink] == ">"
            or any(start.match(self._line.text, self._line.ink) for start in starts)
            or any(start.match(self._line.text, self._line.ink) for start, _ in grammar.HTML)
        )

    def _opens_container(self) -> bool:
        """Open the container that begins here, if one does, and read up to its content."""
        if self._line.is_code or self._line.is_blank or self._depth >= MAX_DEPTH:
            return False
        is_quote = self._line.text[self._line.ink] == ">"
        width = 0 if is_quote else self._item_width()
        if width is None:
            return False
        self._make_room()
        self._leaf = None
        self._containers.append(Container(width))
        self._depth += 1
        if is_quote:
            self._line.pass_quote_mark()
        else:
            self._line.move(min(self._line.at + width, len(self._line.text)))
        return True

    def _item_width(self) -> int | None:
        """Columns from here to the content of the list item that begins here (5.2), or None."""
        mark = grammar.ITEM.match(self._line.text, self._line.ink)
        if mark is None or grammar.BREAK.match(self._line.text, self._line.ink) or self._is_setext:
            return None
        is_empty = self._line.is_blank_after(mark.end())
        if self._in_paragraph and (is_empty or int(mark[1] or 1) != 1):
            return None  # it may not interrupt a paragraph
        spaces = self._line.next_ink(mark.end()) - mark.end()
        return mark.end() - self._line.at + (1 if is_empty or spaces > 4 else spaces)

    def _take_leaf(self) -> None:
        """Give the rest of the line to a leaf."""
        if self._line.is_blank:
            self._end_leaf()
        elif self._line.is_code or not any(takes(self) for takes in _LEAVES):
            if self._leaf == "paragraph":  # lazily perhaps
                self._last = (self._line.start, self._line.end, self._line.ink)
            else:
                self._begin("code" if self._line.is_code else "paragraph")

    def _end_leaf(self) -> None:
        """A blank line: what it does not continue ends, and what it opened has no leaf."""
        self._close_unmatched()
        if self._leaf != "code":
            self._leaf = None
        if self._depth > self._kept:
            self._note("item")

    def _close_unmatched(self) -> None:
        if not self._is_matched:
            del self._containers[self._depth :]
            self._leaf = None

    def _make_room(self) -> None:
        """What begins now has the last container that goes on for its parent."""
        self._close_unmatched()
        if self._containers:
            self._containers[-1].is_empty = False

    def _begin(self, kind: Kind) -> None:
        """Begin a leaf with this line."""
        self._make_room()
        self._leaf = kind
        self._last = (self._line.start, self._line.end, self._line.ink)
        self._note(kind)

    def _note(self, kind: Kind) -> None:
        in_quote = any(container.width == 0 for container in self._containers)
        content = self._line.offset(self._line.ink)
        self.found.append(Block(kind, self._line.start, content, self._kept, in_quote))

    def _takes_atx(self) -> bool:
        mark = grammar.ATX.match(self._line.text, self._line.ink)
        if mark is not None:
            self._begin("heading")
            self._end_heading(len(mark[1]))
        return mark is not None

    def _end_heading(self, level: int) -> None:
        _, start, content, depth, in_quote, *_ = self.found[-1]
        end = self._line.end
        self.found[-1] = Block("heading", start, content, depth, in_quote, level, end)
        self._leaf = None

    def _takes_fence(self) -> bool:
        mark = grammar.FENCE.match(self._line.text, self._line.ink)
        if mark is not None:
            self._begin("fence")
            self._fence = mark[1] or mark[2]
        return mark is not None

    def _takes_html(self) -> bool:
        if self._line.text[self._line.ink] != "<":
            return False
        for start, end in grammar.HTML:
            if start is grammar.ANY_TAG and self._leaf == "paragraph":
                break
            if start.match(self._line.text, self._line.ink):
                self._begin("html")
                self._html_end = end
                self._end_html(self._line.ink)
                return True
        return False

    def _end_html(self, column: int) -> None:
        if self._html_end.search(self._line.text, column):
            self._leaf = None

    @property
    def _is_setext(self) -> bool:
        return (
            self._in_paragraph
            and grammar.SETEXT.match(self._line.text, self._line.ink) is not None
            and grammar.DEFINITION.match(self._last_line()) is None
        )

    def _last_line(self) -> str:
        start, end, column = self._last
        return self._text[start:end].expandtabs(4)[column:]

    def _takes_setext(self) -> bool:
        is_setext = self._is_setext
        if is_setext:
            self._end_heading(1 if self._line.text[self._line.ink] == "=" else 2)
        return is_setext

    def _takes_break(self) -> bool:
        is_break = grammar.BREAK.match(self._line.text, self._line.ink) is not None
        if is_break:
            self._begin("break")
            self._leaf = None
        return is_break

    def _takes_table(self) -> bool:
        """A row of delimiters makes a table of the line before it (GFM, 4.10)."""
        if not self._in_paragraph or not grammar.DELIMITERS.match(self._line.text, self._line.ink):
            return False
        if grammar.cells(self._last_line()) != grammar.cells(self._line.text[self._line.ink :]):
            return False
        _, start, content, depth, in_quote, *_ = self.found[-1]
        header = self._last[0]
        if header == start:
            self.found[-1] = Block("table", start, content, depth, in_quote)
        else:
            self.found.append(Block("table", header, header, depth, in_quote))
        self._leaf = "table"
        return True


# In the order in which they are tried.
_LEAVES = (
    _Scanner._takes_atx,
    _Scanner._takes_fence,
    _Scanner._takes_html,
    _Scanner._takes_setext,
    _Scanner._takes_break,
    _Scanner._takes_table,
)
