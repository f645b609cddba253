"""The fragment identifiers of a page's headings."""

from collections.abc import Iterator

from lxml import etree

from safefetch_cli.content.attribute_values import attribute_values

_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_SIGNS = " #¶§\u200b\U0001f517"
_WRAPPERS = frozenset(("section", "article", "div", "header", "hgroup"))


def heading_ids(root: etree._Element) -> Iterator[tuple[str, str]]:
    """The title and the identifier of each heading that has both, in document order.

    The identifier is the heading's own, that of an anchor inside it, or that of the element that it
    begins.
    """
    for element in _headings(root):
        title = " ".join("".join(element.itertext()).split()).strip(_SIGNS)
        identifier = _own_id(element) or _id_around(element)
        if title and identifier:
            yield title, identifier


def outer_headings(root: etree._Element, *tags: str) -> Iterator[etree._Element]:
    """The headings with these tags, but for those inside another, whose text is a part of its own.

    So the texts of all of them are no longer than the page.
    """
    walker = etree.iterwalk(root, events=("start",), tag=tags)
    for _, heading in walker:
        yield heading
        walker.skip_subtree()


def _headings(root: etree._Element) -> Iterator[etree._Element]:
    if "heading" not in attribute_values(root, "role"):
        yield from outer_headings(root, *_HEADINGS)
        return
    walker = etree.iterwalk(root, events=("start",))
    for _, element in walker:
        if element.tag in _HEADINGS or element.get("role") == "heading":
            yield element
            walker.skip_subtree()


def _own_id(element: etree._Element) -> str:
    inside = (part.get("id") or part.get("name") or "" for part in element.iter("a", "span"))
    return element.get("id") or next(filter(None, inside), "")


def _id_around(element: etree._Element) -> str:
    """The identifier of an element that this heading begins: a section, or a box round it."""
    parent = element.getparent()
    while parent is not None and parent.tag in _WRAPPERS:
        if element.getprevious() is not None:
            return ""
        if parent.get("id"):
            return str(parent.get("id"))
        element, parent = parent, parent.getparent()
    return ""
