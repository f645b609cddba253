"""Text that a terminal shows and does not obey."""

import re

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


def visible(text: str) -> str:
    """The text with line feeds for all line ends, without what is no text.

    What goes are control characters (C0 and C1, but tab and line feed) and lone surrogates.
    """
    return _CONTROL.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
