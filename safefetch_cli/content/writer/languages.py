"""The programming language of a code block, by the ways highlighters tell it."""

import re
from collections.abc import Iterator
from typing import Final

from lxml import etree

from safefetch_cli.content.late_pattern import late

_NAME = re.compile(r"[\w+#.-]{1,30}")
_PREFIXED = late(
    r"(?:^|\s)(?:language|lang|highlight-source|highlight-text|highlight|sourceCode|brush|code|src)"
    r"(?:-|:\s*)([^\s;]+)"
)
_HIGHLIGHTER: Final = "syntaxhighlighter"  # its wrapper, too, has the language as a class
_BESIDE: Final = frozenset(
    (
        _HIGHLIGHTER,
        "hljs",
        "highlight",
        "sourcecode",
        "prettyprint",
        "highlighttable",
        "src",
        "shiki",
        "chroma",
    )
)
_NO_LANGUAGE: Final = frozenset(
    (
        *("default", "text", "plain", "plaintext", "none", "nohighlight", "no-highlight", "txt"),
        *("auto", "highlight", "hljs", "code", "block", "wrapper", "container", "box", "snippet"),
        *("nogutter", "collapsed", "ie"),
        *("notranslate", "linenums", "line-numbers", "prettyprinted", "shiki", "chroma", "table"),
        *("toolbar", "numbers", "inner", "content", "copy", "tabs", "sample", "example", "body"),
    )
)
_ATTRIBUTES: Final = ("data-lang", "data-language", "data-code-language", "lang-name")
_HUMAN = re.compile("en|[a-z]{2,3}-[A-Z]{2}")  # what `lang` means, but renderers use it for code
_WRAPPERS: Final = frozenset(
    ("div", "figure", "td", "tr", "tbody", "table", "code-block", "section")
)
_TABLE_PARTS: Final = frozenset(("td", "tr", "tbody", "table"))
_WRAPPERS_ASKED: Final = 3  # parts of a table aside


def language_of(pre: etree._Element) -> str:
    """The language named on a preformatted element, its code, or what wraps it; "" for none."""
    code = next(pre.iterchildren("code"), None)
    own = [element for element in (code, pre) if element is not None]
    for element in [*own, *_wrappers(pre)]:
        for name in _candidates(element, own=element in own):
            if _NAME.fullmatch(name) and name.lower() not in _NO_LANGUAGE:
                return name
    return ""


def _wrappers(pre: etree._Element) -> Iterator[etree._Element]:
    """The nearest elements round a block, as long as they are mere wrappers."""
    parent = pre.getparent()
    left = _WRAPPERS_ASKED
    while left and parent is not None and parent.tag in _WRAPPERS:
        yield parent
        left -= parent.tag not in _TABLE_PARTS
        parent = parent.getparent()


def _candidates(element: etree._Element, *, own: bool) -> Iterator[str]:
    if element.tag == "pre" and not _HUMAN.fullmatch(element.get("lang", "en")):
        yield element.get("lang", "")
    for attribute in _ATTRIBUTES:
        name = element.get(attribute)
        if name:
            yield name.strip().lower() if name.isupper() else name.strip()
    names = element.get("class", "")
    if not names:
        return
    for match in _PREFIXED.finditer(names):
        yield match[1]
    words = names.split()
    is_named = own or element.tag == "figure" or _HIGHLIGHTER in words
    if is_named and any(word.lower() in _BESIDE for word in words):
        yield from (word for word in words if word.lower() not in _BESIDE and "-" not in word)
