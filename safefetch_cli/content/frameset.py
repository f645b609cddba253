"""Pages that are nothing but frames: what they say to readers whose browser shows none."""

from lxml import etree

from safefetch_cli.content.parse import parse_html


def show_without_frames(root: etree._Element) -> None:
    """Put the text for readers without frames in the place of the frames of a page.

    Frames are pages of their own, which are not read. The text is source to an HTML parser (HTML
    standard, 13.2.6.4.20).
    """
    frames = root.find("frameset")
    if frames is None:
        return
    text = "".join(part.text or "" for part in root.iter("noframes"))
    tree = parse_html(text) if text.strip() else None
    body = tree.find("body") if tree is not None else None
    if body is not None:
        root.replace(frames, body)
