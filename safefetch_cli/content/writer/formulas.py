"""Formulas: their TeX where the page has it, else MathML in one line."""

import re
from typing import Final

from lxml import etree

_DISPLAY_STYLE = re.compile(r"\{\s*\\(?:displaystyle|textstyle)\s+(.*)\}", re.DOTALL)
_OPENS_TAG = re.compile(r"<(?=[A-Za-z/!?])")
_JOINS: Final[dict[str, tuple[str, ...]]] = {
    "mfrac": ("/",),
    "stack": ("¦",),
    "msup": ("^",),
    "mover": ("^",),
    "msub": ("_",),
    "munder": ("_",),
    "msubsup": ("_", "^"),
    "munderover": ("_", "^"),
}
_ROOTS: Final = frozenset(("msqrt", "mroot"))
_SPACED: Final = frozenset(("mtr", "mtd", "mtext"))
_UNSHOWN: Final = frozenset(("annotation", "annotation-xml", "mphantom"))
_NO_WIDTH = re.compile(r"0+(?:\.0*)?[a-z%]*")
_SIMPLE = re.compile(r"[\w.]*|(?:sqrt)?\([^()]*\)")


def formula_markdown(tex: str, *, display: bool) -> str:
    """TeX between dollar signs, on one line; "" for none."""
    tex = " ".join(tex.split())
    unwrapped = _DISPLAY_STYLE.fullmatch(tex)
    tex = unwrapped[1].strip() if unwrapped else tex
    if not tex:
        return ""
    sign = "$$" if display else "$"
    return f"{sign}{_OPENS_TAG.sub('< ', tex)}{sign}"


def tex_of(element: etree._Element) -> str:
    """The TeX source of a math element, or of one that wraps it; "" when the page has none."""
    for annotation in element.iter("annotation"):
        if "tex" in annotation.get("encoding", "").lower():
            return "".join(annotation.itertext())
    return next((tex for one in element.iter("math", "img") if (tex := _alternative(one))), "")


def is_display(element: etree._Element) -> bool:
    """Whether a formula stands on a line of its own."""
    if element.get("display") in ("block", "true") or element.get("mode") == "display":
        return True
    parent = element
    for _ in range(4):
        if "display" in parent.get("class", ""):
            return True
        above = parent.getparent()
        if above is None:
            return False
        parent = above
    return False


def in_one_line(math: etree._Element) -> str:
    """MathML as text: a/b, x^2, sqrt(x), n¦k for what is stacked without a bar.

    Names and numbers that stand side by side are set apart: 4 a c is a product, ac is one name.
    """
    parts: list[list[str]] = [[]]
    walker = etree.iterwalk(math, events=("start", "end"))
    for event, element in walker:
        tag = str(element.tag).rpartition(":")[2]
        if event == "start":
            if tag in _UNSHOWN:
                walker.skip_subtree()
                parts.append([])
                continue
            text = (element.text or "").strip()
            parts.append([text] if text else [])
        else:
            written = _written(_meaning(tag, element), [part for part in parts.pop() if part])
            parts[-1].append(written)
    return "".join(parts[0]).strip()


def _written(tag: str, parts: list[str]) -> str:
    joins = _JOINS.get(tag)
    if joins and len(parts) == len(joins) + 1:
        first, *others = parts
        return _grouped(first) + "".join(
            join + _grouped(part) for join, part in zip(joins, others, strict=True)
        )
    if tag in _ROOTS:
        return f"sqrt({', '.join(parts) if tag == 'mroot' else _side_by_side(parts)})"
    if tag in _UNSHOWN:
        return ""
    text = _side_by_side(parts)
    return f" {text} " if tag in _SPACED else text


def _meaning(tag: str, element: etree._Element) -> str:
    """The tag; a fraction whose bar has no width stacks its parts."""
    is_stack = tag == "mfrac" and _NO_WIDTH.fullmatch(element.get("linethickness", "").strip())
    return "stack" if is_stack else tag


def _side_by_side(parts: list[str]) -> str:
    pieces: list[str] = []
    for part in parts:
        if pieces and part[0].isalnum() and pieces[-1][-1].isalnum():
            pieces.append(" ")
        pieces.append(part)
    return "".join(pieces)


def _grouped(part: str) -> str:
    return part if _SIMPLE.fullmatch(part) or len(part) == 1 else f"({part})"


def _alternative(element: etree._Element) -> str:
    return element.get("alttext", "") if element.tag == "math" else element.get("alt", "")
