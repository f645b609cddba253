"""Text that a terminal shows and does not obey."""

import re

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_REFERENCE = re.compile(
    r"&#(?:[xX]0*+([0-9a-fA-F]{1,4})(?![0-9a-fA-F])|0*+([0-9]{1,5})(?![0-9]));?"
)


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
    return _CONTROL.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
