"""Characters that no reader sees, and the few of them that a script or an emoji needs."""

import re

from lxml import etree

from safefetch_cli.content.attribute_values import attribute_values
from safefetch_cli.content.late_pattern import late

_EMOJI = "\u00a9\u00ae\u203c-\u3299\U0001f000-\U0001faff"
_JOINING_SCRIPTS = "\u0600-\u08ff\u0900-\u0dff\u0f00-\u109f\u1780-\u18af\ufb50-\ufdff\ufe70-\ufefc"
_RIGHT_TO_LEFT = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc"
_IDEOGRAPHS = "\u3400-\u9fff\uf900-\ufaff\U00020000-\U000323af"

# Soft hyphen, joiners, marks, fillers, tags, variation selectors.
_UNSEEN_CHARACTERS = (
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_ANY_UNSEEN = late(_UNSEEN_CHARACTERS)

# Each alternative that is captured is kept; everything else that matches goes.
_UNSEEN = late(
    # a flag of a region: black flag, tag letters, end of tag
    "(\U0001f3f4[\U000e0030-\U000e007a]{2,6}\U000e007f)"
    # the joiner inside an emoji family, with or without skin tone and variation selector
    f"|((?<=[{_EMOJI}\ufe0f])\u200d(?=[{_EMOJI}]))"
    # joiner and non-joiner inside words of Arabic, Persian and the Indic scripts
    f"|((?<=[{_JOINING_SCRIPTS}])[\u200c\u200d](?![\u200c\u200d]))"
    # one direction mark, which a text with letters from right to left needs beside digits and signs
    "|((?<![\u200e\u200f\u061c])[\u200e\u200f\u061c](?![\u200e\u200f\u061c]))"
    # the choice between emoji and text, keycaps, and variants of an ideograph
    f"|((?<=[{_EMOJI}#*0-9])[\ufe0e\ufe0f](?![\ufe00-\ufe0f]))"
    f"|((?<=[{_IDEOGRAPHS}])[\ufe00-\ufe0d\U000e0100-\U000e01ef](?![\ufe00-\ufe0f\U000e0100-\U000e01ef]))"
    # variants of Mongolian letters
    "|((?<=[\u1820-\u18aa])[\u180b-\u180d])"
    f"|{_UNSEEN_CHARACTERS}"
)
_RIGHT_TO_LEFT_LETTER = late(f"[{_RIGHT_TO_LEFT}]")
_DIRECTION_MARKS = frozenset("\u200e\u200f\u061c")
_HARMLESS = frozenset("\u00ad\u200b\u200c\u200d\u2060\ufeff")
_CODE = frozenset(("pre", "code", "kbd", "samp", "tt"))
_SHOWN = ("alt", "title", "aria-label")


def remove_invisible(text: str, *, right_to_left: bool | None = None) -> str:
    """The text without invisible characters but those that emoji and scripts need.

    `right_to_left` says whether the text, or the page that it is a part of, has letters that are
    written so; by default the text itself is looked at.
    """
    if not _has_unseen(text):
        return text
    if right_to_left is None:
        right_to_left = bool(_RIGHT_TO_LEFT_LETTER.search(text))
    return _UNSEEN.sub(_kept if right_to_left else _kept_without_marks, text)


def remove_invisible_in_code(text: str) -> str:
    """Code without the invisible characters that deceive a reader, or spell something out.

    A space of no width, a joiner or a soft hyphen belongs to the code, and is what its author is
    after; what turns the direction of text, tags, and several in a row do not.
    """
    return _UNSEEN.sub(_kept_in_code, text) if _has_unseen(text) else text


def remove_invisible_in(root: etree._Element) -> None:
    """The same for all text of a tree and the attributes that are shown."""
    text = str(etree.tostring(root, encoding="unicode", method="text"))
    has_unseen = _has_unseen(text)
    shown = [name for name in _SHOWN if any(map(_has_unseen, attribute_values(root, name)))]
    if not has_unseen and not shown:
        return
    is_so = bool(_RIGHT_TO_LEFT_LETTER.search(text))
    if has_unseen:
        _clean_texts(root, right_to_left=is_so)
    for name in shown:
        _clean_values(root, name, right_to_left=is_so)


def _clean_values(root: etree._Element, name: str, *, right_to_left: bool) -> None:
    for element in root.iter(etree.Element):
        value = element.get(name)
        if value and not value.isascii():
            element.set(name, remove_invisible(value, right_to_left=right_to_left))


def _has_unseen(text: str) -> bool:
    return not text.isascii() and bool(_ANY_UNSEEN.search(text))


def _clean_texts(root: etree._Element, *, right_to_left: bool) -> None:
    code = 0  # elements of code that are open
    for event, element in etree.iterwalk(root, events=("start", "end")):
        is_start = event == "start"
        if element.tag in _CODE:
            code += 1 if is_start else -1
        text = element.text if is_start else element.tail
        if not text or text.isascii():
            continue
        clean = (
            remove_invisible_in_code(text)
            if code
            else remove_invisible(text, right_to_left=right_to_left)
        )
        if is_start:
            element.text = clean
        else:
            element.tail = clean


def _kept_in_code(match: re.Match[str]) -> str:
    """An invisible character of code, if it stands alone and does no more than join or part."""
    if match.lastindex:
        return _kept_without_marks(match)
    text, start, end = match.string, match.start(), match.end()
    beside = text[max(start - 1, 0) : start] + text[end : end + 1]
    return match[0] if match[0] in _HARMLESS and not _ANY_UNSEEN.search(beside) else ""


def _kept(match: re.Match[str]) -> str:
    return match[0] if match.lastindex else ""


def _kept_without_marks(match: re.Match[str]) -> str:
    return match[0] if match.lastindex and match[0] not in _DIRECTION_MARKS else ""
