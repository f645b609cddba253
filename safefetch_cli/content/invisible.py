"""Characters that no reader sees, and the few of them that a script or an emoji needs."""

import re

from lxml import etree

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
_ANY_UNSEEN = re.compile(_UNSEEN_CHARACTERS)

# Each alternative that is captured is kept; everything else that matches goes.
_UNSEEN = re.compile(
    # a flag of a region: black flag, tag letters, end of tag
    "(\U0001f3f4[\U000e0030-\U000e007a]{2,6}\U000e007f)"
    # the joiner inside an emoji family, with or without skin tone and variation selector
    f"|((?<=[{_EMOJI}\ufe0f])\u200d(?=[{_EMOJI}]))"
    # joiner and non-joiner inside words of Arabic, Persian and the Indic scripts
    f"|((?<=[{_JOINING_SCRIPTS}])[\u200c\u200d](?![\u200c\u200d]))"
    # direction marks beside letters that are written from right to left
    f"|((?<=[{_RIGHT_TO_LEFT}])[\u200e\u200f\u061c](?![\u200e\u200f\u061c])"
    f"|[\u200e\u200f\u061c](?=[{_RIGHT_TO_LEFT}]))"
    # the choice between emoji and text, keycaps, and variants of an ideograph
    f"|((?<=[{_EMOJI}#*0-9])[\ufe0e\ufe0f](?![\ufe00-\ufe0f]))"
    f"|((?<=[{_IDEOGRAPHS}])[\ufe00-\ufe0d\U000e0100-\U000e01ef](?![\ufe00-\ufe0f\U000e0100-\U000e01ef]))"
    # variants of Mongolian letters
    "|((?<=[\u1820-\u18aa])[\u180b-\u180d])"
    f"|{_UNSEEN_CHARACTERS}"
)
_SHOWN = "//*[@alt or @title or @aria-label]"


def remove_invisible(text: str) -> str:
    """The text without invisible characters but those that emoji and scripts need."""
    if text.isascii():
        return text
    return _UNSEEN.sub(_kept, text)


def remove_invisible_in(root: etree._Element) -> None:
    """The same for all text of a tree and the attributes that are shown."""
    text = str(etree.tostring(root, encoding="unicode", method="text"))
    if not text.isascii() and _ANY_UNSEEN.search(text):
        for element in root.iter():
            if (inner := element.text) and not inner.isascii():
                element.text = remove_invisible(inner)
            if (tail := element.tail) and not tail.isascii():
                element.tail = remove_invisible(tail)
    for element in root.xpath(_SHOWN):
        for name in ("alt", "title", "aria-label"):
            value = element.get(name)
            if value and not value.isascii():
                element.set(name, remove_invisible(value))


def _kept(match: re.Match[str]) -> str:
    return match[0] if match.lastindex else ""
