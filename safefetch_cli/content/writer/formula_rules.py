"""What is done with formulas, in each of the ways pages carry them."""

from typing import Final

from lxml import etree

from safefetch_cli.content.writer.formulas import (
    formula_markdown,
    in_one_line,
    is_display,
    tex_of,
)
from safefetch_cli.content.writer.state import Begin, Writer


def _begin_script_element(writer: Writer, element: etree._Element) -> bool:
    if element.get("type", "").lower().startswith("math/tex"):
        is_block = "display" in element.get("type", "").lower()
        writer.run.add_ready(formula_markdown(element.text or "", display=is_block) or " ")
    return True


def _begin_math(writer: Writer, element: etree._Element) -> bool:
    add_formula(writer, element, tex_of(element))
    return True


def add_formula(writer: Writer, element: etree._Element, tex: str) -> None:
    """Add a formula to the run; a math element without TeX in one line of text."""
    formula = formula_markdown(tex, display=is_display(element))
    if formula:
        writer.run.add_ready(formula)
    elif element.tag == "math":
        writer.add(in_one_line(element))


def _begin_span(writer: Writer, element: etree._Element) -> bool:
    names = element.get("class")
    if not names:
        return False
    if "katex-html" in names or "mw-editsection" in names:
        return True
    if names.startswith("mwe-math-element"):
        tex = tex_of(element)
        add_formula(writer, next(element.iter("math"), element), tex)
        return bool(tex)
    return "MathJax" in names and _source_follows(element)


def _source_follows(element: etree._Element) -> bool:
    """Whether what MathJax drew is followed by the TeX it drew."""
    for sibling in element.itersiblings():
        if sibling.tag == "script":
            return sibling.get("type", "").startswith("math/tex")
        if "MathJax" not in sibling.get("class", ""):
            return False
    return False


BEGIN: Final[dict[str, Begin]] = {
    "math": _begin_math,
    "script": _begin_script_element,
    "span": _begin_span,
}
"""The rules for the starts of elements that may be formulas, by tag."""
