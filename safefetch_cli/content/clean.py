"""Taking out of a page what its reader cannot see.

Hints are stable words: hidden-text-removed, and hidden-instructions-removed where the removed text
looked as if it were written for a language model.
"""

from lxml import etree

from safefetch_cli.content.hidden import hidden_elements
from safefetch_cli.content.instructions import looks_like_instructions
from safefetch_cli.content.invisible import remove_invisible_in
from safefetch_cli.content.page_map import cut

_MACHINERY = ("script", "style", "template", "svg")
_SHORTEST_INSTRUCTION = 12
_MAIN_SHARE = 0.5
_NEARLY_ALL = 0.75
_NO_TEXT = 20


def clean(root: etree._Element) -> tuple[str, ...]:
    """Remove hidden elements and invisible characters from the tree; tell by hints what went.

    A page that would have no text left keeps what hides its main part: it is hidden only until
    its scripts have run.
    """
    hidden = hidden_elements(root)
    machinery = [element for element in root.iter(*_MACHINERY) if not _is_data(element)]
    cut(root, machinery)
    remove_invisible_in(root)
    if not hidden:
        return ()
    texts = [_text(element) for element in hidden]
    frames = _frames(root, hidden, texts)
    removed = [element for element in hidden if element not in frames]
    lost = [
        text for element, text in zip(hidden, texts, strict=True) if element not in frames and text
    ]
    cut(root, removed)
    if frames:
        return tuple(dict.fromkeys([*_hints(lost), *clean_inside(root, frames)]))
    return _hints(lost)


def clean_inside(root: etree._Element, frames: set[etree._Element]) -> tuple[str, ...]:
    """The same inside elements that stay although they are hidden."""
    return ()


def _is_data(element: etree._Element) -> bool:
    return element.tag == "script" and "ld+json" in (element.get("type") or "").lower()


def _hints(lost: list[str]) -> tuple[str, ...]:
    if not lost:
        return ()
    speaks = any(
        len(text) >= _SHORTEST_INSTRUCTION and looks_like_instructions(text) for text in lost
    )
    return (
        ("hidden-text-removed", "hidden-instructions-removed")
        if speaks
        else ("hidden-text-removed",)
    )


def _frames(
    root: etree._Element, hidden: list[etree._Element], texts: list[str]
) -> set[etree._Element]:
    """The hidden elements without which the page would have no text."""
    body = root.find("body")
    total = len(_text(root if body is None else body))
    if not total or sum(map(len, texts)) < total * _MAIN_SHARE:
        return set()
    left = total - sum(map(len, texts))
    return {
        element
        for element, text in zip(hidden, texts, strict=True)
        if not looks_like_instructions(text)
        and (left < _NO_TEXT or (len(text) > _NEARLY_ALL * total and _holds_main(element)))
    }


def _holds_main(element: etree._Element) -> bool:
    return (
        element.tag in ("main", "article")
        or next(element.iter("main", "article", "h1"), None) is not None
    )


def _text(element: etree._Element) -> str:
    return " ".join("".join(element.itertext()).split())
