"""One line of markdown, read column by column, and the containers that it may continue."""

from safefetch_cli.content.block_grammar import BLANKS, SPACES

TAB = 4  # CommonMark, 2.2
CODE_INDENT = 4


class Line:
    """A line and how far it is read: `at` a column, and `ink` the next one that is no space."""

    __slots__ = ("_ink_end", "_source", "at", "end", "ink", "start", "text")

    def __init__(self, source: str, start: int, end: int) -> None:
        self._source = source
        self.start = start  # in the source
        self.end = end  # without the line feed
        self.text = source[start:end].expandtabs(TAB)
        self._ink_end = len(self.text.rstrip(BLANKS))
        self.at = self.ink = 0
        self.move(0)

    def move(self, column: int) -> None:
        """Read on up to a column."""
        self.at = column
        self.ink = self.next_ink(column)

    def next_ink(self, column: int) -> int:
        """The first column from this one on that is no space."""
        spaces = SPACES.match(self.text, column)
        return spaces.end() if spaces else column

    def pass_quote_mark(self) -> None:
        """Read over > and the space that belongs to it."""
        after = self.ink + 1
        self.move(after + self.text.startswith(" ", after))

    @property
    def is_blank(self) -> bool:
        """Whether nothing but blanks is left."""
        return self.ink >= self._ink_end

    @property
    def is_code(self) -> bool:
        """Whether the rest is indented so far that it is code, if it is not blank."""
        return self.ink - self.at >= CODE_INDENT

    def is_blank_after(self, column: int) -> bool:
        """Whether nothing but blanks is from this column on."""
        return column >= self._ink_end

    def offset(self, column: int) -> int:
        """Where in the source a column is; a tab before it counts for several."""
        offset, reached = self.start, 0
        while reached < column and offset < self.end:
            reached += TAB - reached % TAB if self._source[offset] == "\t" else 1
            offset += 1
        return offset


class Container:
    """A block quote (`width` 0), or a list item whose content is indented by `width` columns."""

    __slots__ = ("is_empty", "width")

    def __init__(self, width: int) -> None:
        self.width = width
        self.is_empty = True  # nothing has begun in it yet

    def is_continued_by(self, line: Line) -> bool:
        """Whether a line goes on in this container; if so it is read up to the content."""
        if self.width == 0:
            if line.is_code or not line.text.startswith(">", line.ink):
                return False
            line.pass_quote_mark()
        elif line.is_blank:
            return not self.is_empty
        elif line.ink - line.at < self.width:
            return False
        else:
            line.move(line.at + self.width)
        return True
