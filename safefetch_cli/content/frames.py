"""Hidden elements that frame a page: hidden only until its scripts have run."""

from collections.abc import Iterable, Iterator

from lxml import etree

from safefetch_cli.content.instructions import looks_like_instructions
from safefetch_cli.content.late_pattern import late

_MAIN = ("main", "article")
_NEARLY_ALL = 0.75
_MOST = 0.4
_MOST_FRAMES = 10
_MOST_MAINS = 20
_LOADING = late(
    r"(?<![a-z])(?:(?:pre-?|un|js-|not-)?load(?:ing|er|ed)?|preload|cloak|fouc|unresolved)(?![a-z])"
)


def hidden_frames(root: etree._Element, hidden: list[etree._Element]) -> set[etree._Element]:
    """The hidden elements without which the page would have no text, or not its main part.

    One of them may lie in another. A text that looks as if it were written for a language model is
    no main part.
    """
    frames: set[etree._Element] = set()
    if not hidden:
        return frames
    for _ in range(_MOST_FRAMES):
        found = _frames(root, [element for element in hidden if element not in frames])
        if not found:
            break
        frames |= found
    return frames


def outermost(elements: Iterable[etree._Element]) -> Iterator[etree._Element]:
    """Those of the elements that lie in no other of them, in the same order. Linear."""
    chosen = set(elements)
    inside: dict[etree._Element, bool] = {}  # whether an element that is around some lies in one
    for element in elements:
        path = []
        at = element.getparent()
        while at is not None and at not in inside and at not in chosen:
            path.append(at)
            at = at.getparent()
        is_inside = at is not None and (at in chosen or inside[at])
        inside.update(dict.fromkeys(path, is_inside))
        if not is_inside:
            yield element


def _frames(root: etree._Element, hidden: list[etree._Element]) -> set[etree._Element]:
    texts = {element: _text(element) for element in outermost(hidden)}
    body = root.find("body")
    total = _size(_text(root if body is None else body))
    left = total - sum(map(_size, texts.values()))
    return {
        element
        for element, text in texts.items()
        if (not left or _is_main(root, element, _size(text) / max(total, 1), hidden))
        and not looks_like_instructions(text)
    }


def _is_main(
    root: etree._Element, element: etree._Element, share: float, hidden: list[etree._Element]
) -> bool:
    if share > _NEARLY_ALL and next(element.iter(*_MAIN, "h1"), None) is not None:
        return True
    if share <= _MOST:
        return False
    if _LOADING.search((element.get("class") or "").lower()):
        return True
    mains = list(root.iter(*_MAIN))
    return bool(mains) and not any(_is_in_sight(main, hidden) for main in mains[:_MOST_MAINS])


def _is_in_sight(main: etree._Element, hidden: list[etree._Element]) -> bool:
    around = {main, *main.iterancestors()}
    return around.isdisjoint(hidden)


def _text(element: etree._Element) -> str:
    return str(etree.tostring(element, encoding="unicode", method="text", with_tail=False))


def _size(text: str) -> int:
    """The characters of a text without its white space."""
    return len("".join(text.split()))
