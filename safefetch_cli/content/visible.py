"""Text that a terminal shows and does not obey."""

import re

from safefetch_cli.content.late_pattern import late

_CONTROL = late("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_C0 = bytes((*range(0x09), *range(0x0B, 0x20), 0x7F))
# C1, surrogates, U+FFFE and U+FFFF in UTF-8; each begins with one byte, which is found fast.
_OTHERS = tuple(map(re.compile, (rb"\xC2[\x80-\x9F]", rb"\xED[\xA0-\xBF]", rb"\xEF\xBF[\xBE\xBF]")))
_REFERENCE = late(r"&(?=#)#(?:[xX]0*+([0-9a-fA-F]{1,4})(?![0-9a-fA-F])|0*+([0-9]{1,5})(?![0-9]));?")


def visible_line(text: str) -> str:
    """The text in one line: white space is one blank, without what is no text."""
    return " ".join(visible(text).split())


def without_control_references(html: str) -> str:
    """A page's source without character references to what is no text: see `visible`.

    Those of C1 mean windows-1252 and surrogates U+FFFD, as HTML has it; the others mean nothing,
    and an element tree does not take them.
    """
    return _REFERENCE.sub(_reference, html) if "&#" in html else html


def _reference(match: re.Match[str]) -> str:
    number = int(match[1], 16) if match[1] else int(match[2])
    if 0x80 <= number <= 0x9F:
        return bytes([number]).decode("cp1252", "ignore")
    if 0xD800 <= number <= 0xDFFF:
        return "\ufffd"
    is_kept = number in (0x9, 0xA, 0xD) or not _CONTROL.match(chr(min(number, 0xFFFF)))
    return match[0] if is_kept else ""


def visible(text: str) -> str:
    """The text with line feeds for all line ends, without what is no text.

    What goes are control characters (C0 and C1, but tab and line feed), lone surrogates, and U+FFFE
    and U+FFFF, which are no characters.
    """
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text if _is_all_text(text) else _CONTROL.sub("", text)


def _is_all_text(text: str) -> bool:
    """Whether there is nothing to leave out: of most pages, and told in a third of the time."""
    data = text.encode("utf-8", "surrogatepass")
    if len(data.translate(None, _C0)) < len(data):
        return False
    return not any(other.search(data) for other in _OTHERS)
