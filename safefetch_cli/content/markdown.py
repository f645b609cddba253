"""An element tree as markdown, by markdownify."""

import re

from lxml import etree
from lxml.html import HtmlElement
from markdownify import ATX, markdownify

from safefetch_cli.content.plain import plain_text

_BLANK_LINES = re.compile(r"\n{3,}")


def to_markdown(tree: HtmlElement) -> str:
    """The tree as markdown; as plain text where it is nested too deeply for the converter."""
    source = etree.tostring(tree, encoding="unicode", method="html", with_tail=False)
    try:
        text = markdownify(source, heading_style=ATX, bullets="-")
    except RecursionError:
        return plain_text(tree)
    return _BLANK_LINES.sub("\n\n", text).strip()
