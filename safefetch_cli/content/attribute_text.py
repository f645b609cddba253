"""Text that a page shows from attributes: names of groups of options, and areas of a picture."""

from lxml import etree


def write_out(root: etree._Element) -> None:
    """Give the elements of a tree that are named by an attribute their name as text."""
    for group in root.iter("optgroup"):
        if label := (group.get("label") or "").strip():
            group.text = f"{label} {group.text or ''}"
    for areas in list(root.iter("map")):
        if any(map(_name_area, areas.iter("area"))):
            areas.tag = "span"  # a map itself is never text


def _name_area(area: etree._Element) -> bool:
    """Make a linked area of a picture a link by its name."""
    name = (area.get("alt") or "").strip()
    if not name or area.get("href") is None:
        return False
    area.tag, area.text, area.tail = "a", name, f" {area.tail or ''}"
    return True
