"""An element tree as markdown, by markdownify."""

import re

from lxml import etree
from lxml.html import HtmlElement, fromstring
from markdownify import ATX, markdownify

from safefetch_cli.content.plain import plain_text

_BLANK_LINES = re.compile(r"\n{3,}")


def to_markdown(tree: etree._Element, url: str) -> str:
    """The tree as markdown; as plain text where it is nested too deeply for the converter.

    Links are made absolute against `url`.
    """
    source = etree.tostring(tree, encoding="unicode", method="html", with_tail=False)
    linked: HtmlElement = fromstring(source)
    linked.make_links_absolute(url, resolve_base_href=False, handle_failures="ignore")
    source = etree.tostring(linked, encoding="unicode", method="html")
    try:
        text = markdownify(source, heading_style=ATX, bullets="-")
    except RecursionError:
        return plain_text(tree)
    return _BLANK_LINES.sub("\n\n", text).strip()
