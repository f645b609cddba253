"""Blocks of declarations, read for what may hide text."""

import re
from collections.abc import Iterator, Mapping

import tinycss2

from safefetch_cli.content.short_memory import remembered
from safefetch_cli.content.styles.longhands import is_tested, longhands

Declarations = Mapping[str, tuple[str, bool]]
"""Property -> its value in lower case, and whether it is marked important."""

_LONGEST = 50_000
_LONGEST_VALUE = 1000
_FOR_LONG = {"background": "url()", "background-image": "url()"}
_NOT_PLAIN = re.compile(r"""["'\\{}\[\]@]|/\*|<!--|url\(""", re.IGNORECASE)
_IMPORTANT = re.compile(r"\s*!\s*important\s*\Z")


@remembered(4096)
def parse_declarations(css: str) -> dict[str, tuple[str, bool]]:
    """What a style attribute or the block of a rule declares of TESTED and of custom properties.

    The last valid declaration of a property wins, an important one over others. Shorthands are
    taken apart, and logical properties count as those of a page written from left to right.
    """
    found: dict[str, tuple[str, bool]] = {}
    read = _read_any if _NOT_PLAIN.search(css) else _read_plain
    for name, value, important in read(css):
        for longhand, part in longhands(name, value):
            if longhand not in found or important or not found[longhand][1]:
                found[longhand] = (part, important)
    return found


def _read_any(css: str) -> Iterator[tuple[str, str, bool]]:
    """The declarations of a block with their values in lower case."""
    nodes = tinycss2.parse_blocks_contents(css[:_LONGEST], skip_comments=True, skip_whitespace=True)
    for node in nodes:
        if node.type == "declaration" and is_tested(node.lower_name):
            tokens = [token for token in node.value if token.type != "comment"]
            value = " ".join(tinycss2.serialize(tokens).lower().split())
            yield node.lower_name, _bounded(node.lower_name, value), node.important


def _read_plain(css: str) -> Iterator[tuple[str, str, bool]]:
    """The same, much faster, of a block without strings, comments, escapes and addresses."""
    for declaration in css[:_LONGEST].lower().split(";"):
        name, _, value = declaration.partition(":")
        name = name.strip()
        if is_tested(name):
            given = _IMPORTANT.sub("", value)
            yield name, _bounded(name, " ".join(given.split())), given != value


def _bounded(name: str, value: str) -> str:
    return value if len(value) <= _LONGEST_VALUE else _FOR_LONG.get(name, "")
