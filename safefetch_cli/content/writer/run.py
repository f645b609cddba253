"""A run: the inline content between two block borders, collected piece by piece."""

from safefetch_cli.content.writer.tokens import EMPHASIS, INNER_EMPHASIS, NUL


class Run:
    """Pieces of text and tokens, the objects the numbered tokens mean, and what is still open.

    Markup that is open when the run is taken is closed in it and opened again in the next run,
    so a link or bold round several paragraphs holds in each of them.
    """

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.objects: list[str] = []
        self._open: list[tuple[str, str]] = []
        self._depths: dict[str, int] = {}

    def open(self, name: str) -> None:
        """Begin a format; but for emphasis, the same format inside itself adds nothing."""
        depth = self._depths.get(name, 0)
        self._depths[name] = depth + 1
        if not depth:
            self._begin(name, "")
        elif depth == 1 and name == EMPHASIS:
            self._begin(INNER_EMPHASIS, "")

    def close(self, name: str) -> None:
        """End a format that `open` began."""
        self._depths[name] = depth = self._depths[name] - 1
        if not depth:
            self._end(name)
        elif depth == 1 and name == EMPHASIS:
            self._end(INNER_EMPHASIS)

    def open_link(self, target: str) -> None:
        """Begin a link; `target` is what stands in its parentheses. A link that is open ends."""
        self.close_link()
        self._begin("L", target)

    def close_link(self) -> None:
        """End the link that is open, if one is."""
        self._end("L")

    def add_code(self, text: str) -> None:
        """Add a code span."""
        self._add_object("C", text)

    def add_ready(self, markdown: str) -> None:
        """Add markdown that is to stay as it is: one line, with punctuation at both ends."""
        self._add_object("I", markdown)

    def is_blank(self) -> bool:
        """Whether nothing but white space and markup was added so far."""
        return all(
            piece.isspace() or (piece[0] == NUL and piece[1] not in "CI") for piece in self.pieces
        )

    def take(self) -> tuple[str, list[str]]:
        """The run as text with tokens, and its objects; a new run begins."""
        closing = [_close(name) for name, _ in reversed(self._open)]
        source = "".join([*self.pieces, *closing])
        objects = self.objects
        self.pieces.clear()
        self.objects = []
        still_open, self._open = self._open, []
        for name, target in still_open:
            self._begin("L" if name[0] == "L" else name, target)
        return source, objects

    def _begin(self, name: str, target: str) -> None:
        if name == "L":
            name = f"L{len(self.objects)}"
            self.objects.append(target)
        self._open.append((name, target))
        self.pieces.append(f"\0{name}\0")

    def _end(self, letter: str) -> None:
        for index in range(len(self._open) - 1, -1, -1):
            name = self._open[index][0]
            if name[0] == letter:
                self._end_at(index)
                return

    def _end_at(self, index: int) -> None:
        """Close one format and, where others opened later, those round it."""
        inner = self._open[index + 1 :]
        self.pieces.extend(_close(name) for name, _ in reversed(self._open[index:]))
        del self._open[index:]
        for name, target in inner:
            self._begin(name[0], target)

    def _add_object(self, letter: str, text: str) -> None:
        self.pieces.append(f"\0{letter}{len(self.objects)}\0")
        self.objects.append(text)


def _close(name: str) -> str:
    return f"\0{name[0].lower()}{name[1:]}\0"
