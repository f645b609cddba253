"""Selectors of style sheets, looked at quickly: which can select something on a page at all?

Of the thousands of rules that a page brings few are for what is on it. Those are found by the names
that a selector asks for, before it is parsed.
"""

import re
from collections.abc import Set as AbstractSet
from functools import lru_cache
from typing import NamedTuple

from safefetch_cli.content.selector_grammar import parse_style_selector
from safefetch_cli.content.selector_tree import Complex
from safefetch_cli.content.styles.sheets import split_list
from safefetch_cli.errors import ProcessingLimit

_LONGEST = 5_000
_BRACKETS = re.compile(
    r"""\((?:[^()"']|\((?:[^()"']|\((?:[^()"']|\([^()]*\))*\))*\))*\)|\[[^\[\]]*\]|"[^"]*"|'[^']*'"""
)
_COMPOUND = re.compile(r"[^\s>+~]+")
_NAME = re.compile(r"[.#](?:[\w-]|[^\x00-\x7f]|\\.)+")
_PLAIN_NAME = re.compile(r"[.#][\w-]+")
_GLANCE = frozenset("([\\")
_TYPE = re.compile(r"[a-z][\w-]*", re.IGNORECASE)
_HEX_ESCAPE = re.compile(r"\\[0-9a-f]", re.IGNORECASE)
_UNTOUCHED = re.compile(
    r"::|:(?:hover|focus|focus-visible|focus-within|active|visited|target|before|after"
    r"|first-letter|first-line)(?![\w-])",
    re.IGNORECASE,
)
_SOUND = re.compile(
    r"""(?:[\w\s.#*>+~-]|[^\x00-\x7f]|\\[^\n]
    |::?(?:hover|focus|active|visited|before|after|first-child|last-child|checked|disabled|root
    |empty|focus-within|focus-visible|first-of-type|last-of-type|target|placeholder|selection
    |marker|-webkit-[\w-]+)(?![\w-])
    |\[[\w-]+(?:[*^$~|]?=(?:"[^"]*"|'[^']*'|[\w-]+))?\])++\Z""",
    re.IGNORECASE | re.VERBOSE,
)
"""Selectors, most of them, that every browser takes."""


class Asked(NamedTuple):
    """What a selector asks for: names that the page must have, and those of the element itself."""

    anywhere: frozenset[str]
    here: frozenset[str]
    is_possible: bool


@lru_cache(maxsize=16384)
def asked_by(selector: str) -> Asked:
    """The names that a selector asks for, as far as they show without parsing it."""
    outside = _BRACKETS.sub(" ", selector) if _needs_cut(selector) else selector
    if _UNTOUCHED.search(outside):
        return Asked(frozenset(), frozenset(), is_possible=False)
    if _HEX_ESCAPE.search(outside):
        return Asked(frozenset(), frozenset(), is_possible=True)
    last = _last(selector)
    here = {_plain(name) for name in _NAME.findall(last)}
    tag = _TYPE.match(last)
    anywhere = frozenset(_plain(name) for name in _NAME.findall(outside))
    return Asked(anywhere, frozenset(here | {tag[0].lower()} if tag else here), is_possible=True)


class Candidate(NamedTuple):
    """A selector of a rule that may select something on a page."""

    text: str
    here: frozenset[str]

    @property
    def selector(self) -> Complex | None:
        """The selector itself; None for one that no browser takes, or that is beyond reading."""
        return _parsed(self.text).selector

    @property
    def is_beyond_reading(self) -> bool:
        """Whether the selector may be well, but is longer or deeper than what is read."""
        return _parsed(self.text).is_beyond


def names_in(selector: str) -> set[str]:
    """The .classes and #ids that stand anywhere in a selector."""
    return {_plain(name) for name in _NAME.findall(selector)}


class _Parsed(NamedTuple):
    selector: Complex | None
    is_beyond: bool = False


def candidates(prelude: str, names: AbstractSet[str]) -> list[Candidate]:
    """The selectors of a rule that may select something on a page with these names.

    Names are those of tags, .classes and #ids. A list of selectors with one that no browser takes
    has none.
    """
    selectors = split_list(prelude)
    found = []
    for text in selectors:
        if not _ends_in(text, names):
            continue
        asked = asked_by(text)
        if asked.is_possible and asked.anywhere <= names and asked.here <= names:
            found.append(Candidate(text, asked.here))
    if found and len(selectors) > 1 and not all(map(_is_sound, selectors)):
        return []
    return found


def _ends_in(selector: str, names: AbstractSet[str]) -> bool:
    """Whether the last name of a selector is on the page, as far as that shows at a glance."""
    at = max(selector.rfind("."), selector.rfind("#"))
    if at < 0:
        return True
    name = _PLAIN_NAME.match(selector, at)
    return name is None or name[0] in names or not _GLANCE.isdisjoint(selector)


@lru_cache(maxsize=4096)
def _parsed(selector: str) -> _Parsed:
    if len(selector) > _LONGEST:
        return _Parsed(None, is_beyond=True)
    try:
        found = parse_style_selector(selector)
    except ProcessingLimit:
        return _Parsed(None, is_beyond=True)
    return _Parsed(found[0] if found is not None and len(found) == 1 else None)


@lru_cache(maxsize=16384)
def _is_sound(selector: str) -> bool:
    return _SOUND.match(selector) is not None or _parsed(selector) != _Parsed(None)


def _needs_cut(selector: str) -> bool:
    return "(" in selector or "[" in selector


def _last(selector: str) -> str:
    """The compound of the element itself, without what is in brackets."""
    outside = _BRACKETS.sub("", selector) if _needs_cut(selector) else selector
    compounds = _COMPOUND.findall(outside)
    return compounds[-1] if compounds else ""


def _plain(name: str) -> str:
    return name.replace("\\", "") if "\\" in name else name
