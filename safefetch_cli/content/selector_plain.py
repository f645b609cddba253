"""The selectors that style sheets are full of, read quickly: tags, classes, ids and combinators."""

import re

from safefetch_cli.content.late_pattern import late
from safefetch_cli.content.selector_tree import Attribute, Complex, Compound, Tag, Test

_NAME = r"-?[A-Za-z_][\w-]*+"
_ONE = rf"(?:{_NAME}|\*|[.#]{_NAME})(?:[.#]{_NAME})*+"
_PLAIN = late(rf"\s*+{_ONE}(?:\s*+(?:[>+~]\s*+|(?<=\s)){_ONE})*+\s*+", re.ASCII)
_COMBINATOR = re.compile(r"\s*([>+~])\s*")
_SIMPLE = re.compile(rf"([.#]?)({_NAME})", re.ASCII)
_LONGEST = 500
_SIGNS = {".": ("class", "~="), "#": ("id", "=")}


def read_plain_selector(css: str) -> Complex | None:
    """One selector of a sheet; None for one that is not plain, which may be well all the same."""
    if len(css) > _LONGEST or not _PLAIN.fullmatch(css):
        return None
    parts = _COMBINATOR.sub(r" \1", css).split()
    return tuple(_compound(part, is_first=not number) for number, part in enumerate(parts))


def _compound(part: str, *, is_first: bool) -> Compound:
    combinator = part[0] if part[0] in ">+~" else "" if is_first else " "
    return Compound(combinator, tuple(_test(sign, name) for sign, name in _SIMPLE.findall(part)))


def _test(sign: str, name: str) -> Test:
    return Attribute(*_SIGNS[sign], name) if sign else Tag(name.lower())
