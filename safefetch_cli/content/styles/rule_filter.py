"""Selectors of style sheets, looked at quickly: which can select something on a page at all?

Of the thousands of rules that a page brings few are for what is on it. Those are found by the names
that a selector asks for, before it is parsed.
"""

import re
from typing import NamedTuple

from safefetch_cli.content.late_pattern import late
from safefetch_cli.content.selector_grammar import parse_style_selector
from safefetch_cli.content.selector_tree import Complex
from safefetch_cli.content.short_memory import remembered
from safefetch_cli.content.styles.sheets import split_list
from safefetch_cli.errors import ProcessingLimit

_LONGEST = 5_000
_BRACKETS = re.compile(
    r"""\((?:[^()"']|\((?:[^()"']|\((?:[^()"']|\([^()]*\))*\))*\))*\)|\[[^\[\]]*\]|"[^"]*"|'[^']*'"""
)
_SPECIAL = re.compile(r"""[(\[\\"']""")
_LAST_NAMES = re.compile(r"([.#](?:[\w-]|[^\x00-\x7f])++)[^,.#]*+(?:,|\Z)")
_COMPOUND = re.compile(r"[^\s>+~]+")
_NAME = re.compile(r"[.#](?:[\w-]|[^\x00-\x7f]|\\.)+")
_TYPE = re.compile(r"[a-z][\w-]*", re.IGNORECASE)
_HEX_ESCAPE = re.compile(r"\\[0-9a-f]", re.IGNORECASE)
_UNTOUCHED = re.compile(
    r"::|:(?:hover|focus|focus-visible|focus-within|active|visited|target|before|after"
    r"|first-letter|first-line)(?![\w-])",
    re.IGNORECASE,
)
_SOUND = late(
    r"""(?:[\w\s.#*>+~-]|[^\x00-\x7f]|\\[^\n]
    |::?(?:hover|focus|active|visited|before|after|first-child|last-child|checked|disabled|root
    |empty|focus-within|focus-visible|first-of-type|last-of-type|target|placeholder|selection
    |marker|-webkit-[\w-]+)(?![\w-])
    |\[[\w-]+(?:[*^$~|]?=(?:"[^"]*"|'[^']*'|[\w-]+))?\])++\Z""",
    re.IGNORECASE | re.VERBOSE,
)
"""Selectors, most of them, that every browser takes."""


class Candidate:
    """A selector of a rule that may select something on a page.

    `here` are the names that it asks of the element itself.
    """

    __slots__ = ("_read", "here", "text")

    def __init__(self, text: str, here: frozenset[str]) -> None:
        self.text = text
        self.here = here
        self._read: _Parsed | None = None

    @property
    def selector(self) -> Complex | None:
        """The selector itself; None for one that no browser takes, or that is beyond reading."""
        return self._parsed_once().selector

    @property
    def is_beyond_reading(self) -> bool:
        """Whether the selector may be well, but is longer or deeper than what is read."""
        return self._parsed_once().is_beyond

    def _parsed_once(self) -> "_Parsed":
        if self._read is None:
            self._read = _parsed(self.text)
        return self._read


def names_in(selector: str) -> set[str]:
    """The .classes and #ids that stand anywhere in a selector."""
    return set(_names(selector))


class _Parsed(NamedTuple):
    selector: Complex | None
    is_beyond: bool = False


def own_names(selector: str) -> list[str]:
    """The .classes and #ids of the element that a selector is for, until somebody touches it."""
    outside = _outside(selector)
    if _UNTOUCHED.search(outside) or _HEX_ESCAPE.search(outside):
        return []
    return _names(_last(selector))


def candidates(prelude: str, names: frozenset[str]) -> list[Candidate]:
    """The selectors of a rule that may select something on a page with these names.

    Names are those of tags, .classes and #ids. A list of selectors with one that no browser takes
    has none.
    """
    if _asks_in_vain(prelude, names):
        return []
    selectors = split_list(prelude)
    found = [one for text in selectors if (one := _candidate(text, names)) is not None]
    if found and len(selectors) > 1 and not all(map(_is_sound, selectors)):
        return []
    return found


def _asks_in_vain(prelude: str, names: frozenset[str]) -> bool:
    """Whether each selector of a list has a class or id, and the last one is not on the page."""
    if _SPECIAL.search(prelude):
        return False
    last = _LAST_NAMES.findall(prelude)
    return names.isdisjoint(last) and len(last) == prelude.count(",") + 1


def _candidate(selector: str, names: frozenset[str]) -> Candidate | None:
    """One selector; None if it asks for a name that the page has not, or for what nobody touched.

    That is told by the names that show without parsing it.
    """
    outside = _outside(selector)
    if ":" in outside and _UNTOUCHED.search(outside):
        return None
    if "\\" in outside and _HEX_ESCAPE.search(outside):
        return Candidate(selector, frozenset())
    if not names.issuperset(_names(outside)):
        return None
    last = _last(selector)
    here = _names(last)
    if tag := _TYPE.match(last):
        here.append(tag[0].lower())
    return Candidate(selector, frozenset(here)) if names.issuperset(here) else None


def _names(selector: str) -> list[str]:
    """The .classes and #ids in a selector."""
    found = _NAME.findall(selector)
    return [name.replace("\\", "") for name in found] if "\\" in selector else found


@remembered(4096)
def _parsed(selector: str) -> _Parsed:
    if len(selector) > _LONGEST:
        return _Parsed(None, is_beyond=True)
    try:
        found = parse_style_selector(selector)
    except ProcessingLimit:
        return _Parsed(None, is_beyond=True)
    return _Parsed(found[0] if found is not None and len(found) == 1 else None)


@remembered(16384)
def _is_sound(selector: str) -> bool:
    return _SOUND.match(selector) is not None or _parsed(selector) != _Parsed(None)


def _outside(selector: str, instead: str = " ") -> str:
    """A selector with something instead of what is in brackets."""
    has_brackets = "(" in selector or "[" in selector
    return _BRACKETS.sub(instead, selector) if has_brackets else selector


def _last(selector: str) -> str:
    """The compound of the element itself, without what is in brackets."""
    outside = _outside(selector, "")
    compounds = _COMPOUND.findall(outside)
    return compounds[-1] if compounds else ""
