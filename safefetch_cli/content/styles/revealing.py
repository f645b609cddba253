"""Boxes that a page hides at first and brings into sight by itself: animated, or scrolled to."""

import re
from functools import cached_property

from lxml import etree

from safefetch_cli.content.styles.boxes import Values
from safefetch_cli.content.styles.declarations import parse_declarations
from safefetch_cli.content.styles.rule_filter import own_names
from safefetch_cli.content.styles.sheets import Sheets, split_list
from safefetch_cli.content.styles.values import fraction

_CLEAR = 0.02
_SCROLLED = (
    "data-w-id", "data-aos", "data-sal", "data-framer-appear-id", "data-scroll", "data-animate",
)  # fmt: skip
_SCROLLED_NAMES = re.compile(
    r"reveal|(?<![a-z])(?:aos|wow|sal|fade|animat\w*|appear|scroll|in-?view|on-?scroll|slide-?in"
    r"|slide-?up|lazy)(?![a-z])",
    re.IGNORECASE,
)
_LASTING = frozenset(("forwards", "both", "infinite"))
_WORD = re.compile(r"[\w-]+")


class Revealing:
    """What a page's sheets say of how hidden boxes come into sight."""

    def __init__(self, sheets: Sheets, *, has_unknown: bool) -> None:
        self._sheets = sheets
        self._has_unknown = has_unknown

    def reveals(self, element: etree._Element, values: Values) -> bool:
        """Whether the element will be seen without the reader's doing."""
        return self._is_animated(values) or self._is_scrolled(element)

    def _is_animated(self, values: Values) -> bool:
        given = " ".join(value for name, value in values.items() if name.startswith("animation"))
        words = set(_WORD.findall(given))
        known = [word for word in words if word in self._frames]
        if known:
            return bool(words & _LASTING) and any(self._frames[name] for name in known)
        named = values.get("animation-name", values.get("animation", "none"))
        return self._has_unknown and not named.startswith("none")

    @cached_property
    def _frames(self) -> dict[str, bool]:
        """Of each animation, whether something is seen in it."""
        return {
            name.lower(): any(_shows(css) for css in frames)
            for name, frames in self._sheets.keyframes.items()
        }

    def _is_scrolled(self, element: etree._Element) -> bool:
        if any(name in element.attrib for name in _SCROLLED):
            return True
        names = (element.get("class") or "").split()
        return any(
            f".{name}" in self._shown_later for name in names if _SCROLLED_NAMES.search(name)
        )

    @cached_property
    def _shown_later(self) -> frozenset[str]:
        """The names of elements that a rule shows once they get one more name."""
        return frozenset(
            name
            for block in self._sheets.blocks
            if "opacity" in block.css and _shows(block.css, "opacity")
            for selector in split_list(block.prelude)
            if len(names := {one for one in own_names(selector.strip()) if one[0] == "."}) > 1
            for name in names
        )


def _shows(css: str, needed: str = "") -> bool:
    declared = parse_declarations(css)
    if needed and needed not in declared:
        return False
    share = fraction(declared["opacity"][0]) if "opacity" in declared else 1.0
    return share is not None and share > _CLEAR
