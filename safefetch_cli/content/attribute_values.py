"""What stands in an attribute anywhere on a page: asked once, so most pages need no second look."""

from functools import cache

from lxml import etree


def attribute_values(root: etree._Element, name: str) -> list[str]:
    """The values that an attribute has in an element and all inside it, in document order."""
    found: list[str] = _xpath(name)(root)
    return found


@cache
def _xpath(name: str) -> etree.XPath:
    return etree.XPath(f"descendant-or-self::*/@{name}", smart_strings=False)
