"""A page as fetch servers for language models have long given it: its main part by markdownify.

What decides between the page and its source, and the marks of markdownify, are those of the
reference server `mcp-server-fetch`, so that a prompt written for it finds what it expects. What is
read of the page is our own: hidden text is gone, links are absolute, unsafe ones are text.
"""

import re

from lxml import etree

from safefetch_cli.content.clean import clean
from safefetch_cli.content.extract import extract
from safefetch_cli.content.parse import parse_html
from safefetch_cli.content.visible import visible, without_control_references
from safefetch_cli.content.writer.destinations import Addresses

_CONTROL = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
_UNSEEN = ("head", "iframe", "noscript", "object", "script", "style", "svg", "template")
_HTML_WITHIN = 100
"""A text that has `<html` within so many characters is a page, whatever its type."""


def is_page(text: str, content_type: str) -> bool:
    """Whether a text is taken for HTML: by its type, its beginning, or for want of a type."""
    return "<html" in text[:_HTML_WITHIN] or "text/html" in content_type or not content_type


def source_text(text: str) -> str:
    """The source of a page, line ends and all, without control characters."""
    return _CONTROL.sub("", text)


def simplified(html: str, url: str) -> str:
    """The main part of a page as markdownify writes it, "" when it has no text.

    `url` is the page's own address. Raises RecursionError for a page nested too deeply for it.
    """
    from markdownify import ATX, markdownify

    root = parse_html(without_control_references(visible(html)))
    if root is None:
        return ""
    addresses = Addresses.of(root, url)
    clean(root)
    main = extract(root, url, whole=False).tree
    etree.strip_elements(main, *_UNSEEN, with_tail=False)
    for name in ("href", "src"):
        for element in main.iterfind(f".//*[@{name}]"):
            _lead(element, name, addresses)
    written = etree.tostring(main, encoding="unicode", method="html", with_tail=False)
    return str(markdownify(written, heading_style=ATX)).strip()


def _lead(element: etree._Element, name: str, addresses: Addresses) -> None:
    """Make an address absolute; one that is unsafe to follow goes."""
    address = addresses.absolute(element.get(name, ""))
    if address is None:
        del element.attrib[name]
    else:
        element.set(name, address)
