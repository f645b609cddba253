"""Taking out of a page what its reader cannot see."""

from lxml import etree

from safefetch_cli.content import attribute_text, drawings
from safefetch_cli.content.attribute_values import attribute_values
from safefetch_cli.content.frames import hidden_frames, outermost
from safefetch_cli.content.frameset import show_without_frames
from safefetch_cli.content.hidden import Hidden, hidden_text
from safefetch_cli.content.instructions import looks_like_instructions
from safefetch_cli.content.invisible import remove_invisible_in
from safefetch_cli.content.page_map import HEADINGS, cut
from safefetch_cli.content.styles.unseen import own_texts

_LEVELS = frozenset(map(str, range(1, 100)))
_MACHINERY = ("script", "style", "template", "svg")
_SHORTEST_INSTRUCTION = 12


def clean(root: etree._Element) -> tuple[str, ...]:
    """Remove hidden elements, invisible characters, scripts and styles from the tree.

    What is told are stable words: hidden-text-removed, and suspicious-hidden-content-removed where
    the removed text looks as if it were written for a language model. JSON-LD stays, as evidence. A
    page that would have no text left keeps what hides its main part: that is hidden only until the
    page's scripts have run.
    """
    for script in list(root.iter("script")):
        if (script.get("type") or "").lower().startswith("math/tex"):
            _show_formula(script)
    if "heading" in attribute_values(root, "role"):
        _name_headings(root)
    show_without_frames(root)
    hidden = _without_machinery(hidden_text(root))
    drawings.write_out(root)
    attribute_text.write_out(root)
    cut(root, [element for element in root.iter(*_MACHINERY) if not _is_data(element)])
    remove_invisible_in(root)
    return _without_hidden(root, hidden)


def _without_machinery(hidden: Hidden) -> Hidden:
    """What is hidden, but for scripts and the like, which are no text anyway."""
    whole = [element for element in hidden.whole if element.tag not in _MACHINERY]
    return hidden._replace(whole=whole)


def _without_hidden(root: etree._Element, hidden: Hidden) -> tuple[str, ...]:
    """Take hidden text out of the tree; what is told of it."""
    frames = hidden_frames(root, hidden.whole)
    gone = list(outermost([element for element in hidden.whole if element not in frames]))
    removed = [*map(_text, gone), *map(_own_text, hidden.own)]
    for element in hidden.own:
        _silence(element)
    for cell in hidden.cells:
        _empty(cell)
    cut(root, [element for element in gone if element not in hidden.cells])
    return _hints([text for text in removed if text])


def _own_text(element: etree._Element) -> str:
    return " ".join(" ".join(own_texts(element)).split())


def _silence(element: etree._Element) -> None:
    """Take the text of an element itself; what is inside it stays, apart."""
    element.text = " " if element.text else None
    for child in element:
        child.tail = " " if child.tail else None


def _empty(element: etree._Element) -> None:
    for child in list(element):
        element.remove(child)
    element.text = None


def _is_data(element: etree._Element) -> bool:
    return element.tag == "script" and "ld+json" in (element.get("type") or "").lower()


def _name_headings(root: etree._Element) -> None:
    for element in root.iter(etree.Element):
        if element.get("role") == "heading" and element.tag not in HEADINGS:
            element.tag = _heading_tag(element.get("aria-level") or "")


def _heading_tag(level: str) -> str:
    """The tag of a heading that is one by its role; without a level it is of the second."""
    return f"h{min(max(int(level), 1), 6)}" if level in _LEVELS else "h2"


def _show_formula(script: etree._Element) -> None:
    """Make the source of a formula, which MathJax keeps in a script, a math element."""
    script.set("alttext", script.text or "")
    if "mode=display" in (script.get("type") or "").replace(" ", "").lower():
        script.set("display", "block")
    script.text = None
    script.tag = "math"


def _text(element: etree._Element) -> str:
    return " ".join("".join(element.itertext()).split())


def _hints(removed: list[str]) -> tuple[str, ...]:
    if not removed:
        return ()
    if any(
        len(text) >= _SHORTEST_INSTRUCTION and looks_like_instructions(text) for text in removed
    ):
        return ("hidden-text-removed", "suspicious-hidden-content-removed")
    return ("hidden-text-removed",)
