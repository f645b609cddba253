"""The data that a page carries in its scripts, taken as it is before the scripts are cut."""

import re
from typing import Final, NamedTuple

from lxml import etree

MAX_BLOCKS: Final = 20
MAX_BLOCK_CHARS: Final = 5_000_000

PUSH: Final = "self.__next_f.push("
"""What a script calls that pushes a part of a stream of components."""

_TYPE = re.compile(r"\s*application/(?:[\w.+-]+\+)?json\b", re.IGNORECASE)


class PageData(NamedTuple):
    """The data in a page: its blocks of JSON, and the scripts that push a stream of components."""

    blocks: tuple[str, ...]
    stream: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.blocks or self.stream)


def page_data(root: etree._Element) -> PageData:
    """The data in a page as it is; large blocks of JSON, and those after the 20th, are not read."""
    blocks: list[str] = []
    stream: list[str] = []
    for script in root.iter("script"):
        text = script.text or ""
        if _TYPE.match(script.get("type") or ""):
            if 0 < len(text) <= MAX_BLOCK_CHARS and len(blocks) < MAX_BLOCKS:
                blocks.append(text)
        elif PUSH in text:
            stream.append(text)
    return PageData(tuple(blocks), tuple(stream))
