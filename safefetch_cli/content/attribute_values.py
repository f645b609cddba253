"""What stands in an attribute anywhere on a page: asked once, so most pages need no second look."""

from functools import cache

from lxml import etree


def attribute_values(root: etree._Element, name: str) -> list[str]:
    """The values that an attribute has in an element and all inside it, in document order."""
    found: list[str] = _xpath(name)(root)
    return found


def class_names(root: etree._Element) -> set[str]:
    """The names in the class attributes of an element and of all inside it."""
    return set(" ".join(attribute_values(root, "class")).split())


@cache
def _xpath(name: str) -> etree.XPath:
    return etree.XPath(f"descendant-or-self::*/@{name}", smart_strings=False)
