"""The first of a kind among the children of an element, each parent walked once."""

from lxml import etree

_Firsts = dict[tuple[str, ...], etree._Element]


class Siblings:
    """Answers about the siblings of many elements of one tree, in time linear in the tree.

    The tree must not change meanwhile.
    """

    def __init__(self) -> None:
        self._named: dict[etree._Element, _Firsts] = {}
        self._pictures: dict[etree._Element, etree._Element | None] = {}

    def first_like(self, element: etree._Element) -> etree._Element:
        """The first child of an element's parent whose first class is that of the element."""
        parent = element.getparent()
        if parent is None:
            return element
        if parent not in self._named:
            firsts: _Firsts = {}
            for child in parent:
                firsts.setdefault(_first_class(child), child)
            self._named[parent] = firsts
        return self._named[parent].get(_first_class(element), element)

    def picture_beside(self, element: etree._Element) -> etree._Element | None:
        """The first picture among the children of an element's parent."""
        parent = element.getparent()
        if parent is None:
            return None
        if parent not in self._pictures:
            self._pictures[parent] = parent.find("img")
        return self._pictures[parent]


def _first_class(element: etree._Element) -> tuple[str, ...]:
    return tuple((element.get("class") or "").split()[:1])
