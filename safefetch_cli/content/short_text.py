"""The text of an element that should be short, found without a walk of all that it may hold."""

from itertools import islice

from lxml import etree


def begin_of_text(element: etree._Element, most: int) -> tuple[str, bool]:
    """The text of an element, and whether that is all: of so many elements inside at most.

    An element without text counts too. So elements inside each other cost no more than there are.
    """
    if next(islice(element.iter(etree.Element), most, None), None) is None:
        return "".join(element.itertext()), True  # most elements are small, and this is faster
    steps = etree.iterwalk(element, events=("start", "end"))
    pieces: list[str | None] = []
    for event, part in islice(steps, 2 * most):
        pieces.append(part.text if event == "start" else part.tail if part is not element else None)
    return "".join(filter(None, pieces)), next(steps, None) is None
