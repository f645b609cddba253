"""Hidden elements that frame a page: hidden only until its scripts have run."""

import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet

from lxml import etree

from safefetch_cli.content.instructions import looks_like_instructions

_MAIN = ("main", "article")
_NEARLY_ALL = 0.75
_MOST = 0.4
_MOST_FRAMES = 10
_LOADING = re.compile(
    r"(?<![a-z])(?:(?:pre-?|un|js-|not-)?load(?:ing|er|ed)?|preload|cloak|fouc|unresolved)(?![a-z])"
)


def hidden_frames(root: etree._Element, hidden: list[etree._Element]) -> set[etree._Element]:
    """The hidden elements without which the page would have no text, or not its main part.

    One of them may lie in another. A text that looks as if it were written for a language model is
    no main part.
    """
    frames: set[etree._Element] = set()
    for _ in range(_MOST_FRAMES):
        found = _frames(root, set(hidden) - frames)
        if not found:
            break
        frames |= found
    return frames


def outermost(
    root: etree._Element, elements: AbstractSet[etree._Element]
) -> Iterator[etree._Element]:
    """Those of the elements that lie in no other of them, in document order."""
    if not elements:
        return
    walker = etree.iterwalk(root, events=("start",))
    for _, element in walker:
        if element in elements:
            yield element
            walker.skip_subtree()


def _frames(root: etree._Element, hidden: set[etree._Element]) -> set[etree._Element]:
    texts = {element: _text(element) for element in outermost(root, hidden)}
    if not texts:
        return set()
    body = root.find("body")
    total = _size(_text(root if body is None else body))
    left = total - sum(map(_size, texts.values()))
    hides_main = not _has_main_in_sight(root, hidden)
    return {
        element
        for element, text in texts.items()
        if (not left or _is_main(element, _size(text) / max(total, 1), hides_main=hides_main))
        and not looks_like_instructions(text)
    }


def _is_main(element: etree._Element, share: float, *, hides_main: bool) -> bool:
    if share > _NEARLY_ALL and next(element.iter(*_MAIN, "h1"), None) is not None:
        return True
    if share <= _MOST:
        return False
    if _LOADING.search((element.get("class") or "").lower()):
        return True
    return hides_main and next(element.iter(*_MAIN), None) is not None


def _has_main_in_sight(root: etree._Element, hidden: set[etree._Element]) -> bool:
    walker = etree.iterwalk(root, events=("start",))
    for _, element in walker:
        if element in hidden:
            walker.skip_subtree()
        elif element.tag in _MAIN:
            return True
    return False


def _text(element: etree._Element) -> str:
    return " ".join("".join(element.itertext()).split())


def _size(text: str) -> int:
    return len(text) - text.count(" ")
