"""Images: which address is the picture's, and what is written for it."""

import re
from typing import Final, Literal

from lxml import etree

from safefetch_cli.content.writer.destinations import Addresses, with_title
from safefetch_cli.content.writer.escaping import escaped
from safefetch_cli.content.writer.tokens import NUL

Images = Literal["alt", "keep"]
"""What is written for an image: `[Image: alt]`, or `![alt](address "title")`."""

# Where scripts that load images late keep the address; the src is a placeholder then.
_LAZY: Final = ("data-src", "data-original", "data-lazy-src", "data-lazy", "data-hi-res-src", "src")
_SETS: Final = ("srcset", "data-srcset", "data-lazy-srcset")
_FIRST_OF_SET = re.compile(r"[\s,]*(\S*[^\s,])")
_EMOJI_CLASS = re.compile(
    r"(?:^|[\s_-])(?:tw)?(?:emoji|smiley|emoticon)(?:[\s_-]|$)", re.IGNORECASE
)
_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\ufeff]")
_BRACKET = re.compile(r"(?<!\\)((?:\\\\)*)([\[\]])")


def image_address(image: etree._Element, addresses: Addresses) -> str:
    """The absolute address of an image; "" when it has none but data of its own."""
    for name in _LAZY:
        address = image.get(name)
        if address and address.strip():
            found = addresses.absolute(address)
            if found:
                return found
    for name in _SETS:
        first = _FIRST_OF_SET.match(image.get(name, ""))
        found = addresses.absolute(first[1]) if first else None
        if found:
            return found
    return ""


def alternative(image: etree._Element) -> str:
    """The text that stands for an image, on one line."""
    return " ".join(_UNSEEN.sub(" ", image.get("alt", "")).split())


def is_emoji(image: etree._Element, alt: str) -> bool:
    """Whether an image only draws the character its alternative text is."""
    if not alt or len(alt) > 16:
        return False
    if _EMOJI_CLASS.search(image.get("class", "")):
        return True
    return not alt.isascii() and not any(sign.isalnum() for sign in alt)


def is_tracker(image: etree._Element) -> bool:
    """Whether an image is a dot that is there to be counted."""
    return image.get("width") in ("0", "1") and image.get("height") in ("0", "1")


def image_markdown(address: str, alt: str, title: str | None) -> str:
    """An image that is kept."""
    return f"![{_escaped_alternative(alt) if alt else ''}]({with_title(address, title)})"


def _escaped_alternative(alt: str) -> str:
    """The text between the brackets of an image.

    The NULs stand for the brackets: a backslash before one must be escaped. An address in the text
    would be linked, with the backslashes in it; one before its colon hinders that.
    """
    text = escaped(NUL + alt.replace("://", f":{NUL}//") + NUL)
    text = text.replace(f":{NUL}//", r"\://").replace(NUL, "")
    return _BRACKET.sub(r"\1\\\2", text)
