"""An element tree as plain text: a line for each block, nothing of the markup."""

import re

from lxml import etree

_BLOCKS = frozenset(
    {
        "address",
        "article",
        "aside",
        "blockquote",
        "br",
        "dd",
        "details",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figcaption",
        "figure",
        "footer",
        "form",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "hr",
        "li",
        "main",
        "nav",
        "ol",
        "p",
        "pre",
        "section",
        "summary",
        "table",
        "td",
        "th",
        "tr",
        "ul",
    }
)


def plain_text(tree: etree._Element) -> str:
    """The text of the tree, blocks apart. Linear, whatever the depth of the tree."""
    pieces: list[str] = []
    for event, element in etree.iterwalk(tree, events=("start", "end")):
        if element.tag in _BLOCKS:
            pieces.append("\n")
        text = element.text if event == "start" else element.tail
        if (
            text
            and isinstance(element.tag, str | type(None))
            and not (event == "end" and element is tree)
        ):
            pieces.append(re.sub(r"\s+", " ", text))
    lines = (line.strip() for line in "".join(pieces).split("\n"))
    return "\n".join(line for line in lines if line)
