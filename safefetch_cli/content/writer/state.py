"""The state of one conversion: the page written so far, the run being read, where in the page."""

from collections.abc import Callable

from lxml import etree

from safefetch_cli.content.writer.boxes import Boxes
from safefetch_cli.content.writer.destinations import Addresses
from safefetch_cli.content.writer.images import Images
from safefetch_cli.content.writer.inline import written_paragraphs
from safefetch_cli.content.writer.run import Run
from safefetch_cli.content.writer.tables import Table


class Writer:
    """What the rules for elements read and change.

    Headings and table cells have one line: inside them `flat` is what a block border becomes, else
    it is "". `tables` are the tables that are open, None for each that is not written as a table;
    `links` tells of each `a` that is open whether it began a link.
    """

    def __init__(self, addresses: Addresses, images: Images) -> None:
        self.addresses = addresses
        self.images = images
        self.boxes = Boxes()
        self.run = Run()
        self.flat = ""
        self.heading: etree._Element | None = None
        self.tables: list[Table | None] = []
        self.links: list[bool] = []
        self.quotes = 0
        self.last_image = ""

    def add(self, text: str) -> None:
        """Add text to the run."""
        if text:
            self.run.pieces.append(text)

    def border(self) -> None:
        """A block begins or ends here."""
        if self.flat:
            self.run.pieces.append(self.flat)
        else:
            self.flush()

    def flush(self) -> None:
        """Write the run as paragraphs."""
        pieces = self.run.pieces
        if not pieces:
            return
        if len(pieces) == 1 and pieces[0].isspace():
            pieces.clear()
            return
        source, objects = self.run.take()
        box = self.boxes.top
        in_item = box.kind == "item" and not box.last
        for text in written_paragraphs(source, objects, in_item=in_item):
            self.boxes.write("paragraph", text)


Begin = Callable[[Writer, etree._Element], bool]
"""A rule for the start of an element. True: its content is not read."""
End = Callable[[Writer, etree._Element], None]
"""A rule for the end of an element."""
