"""What a caller wants made of a body."""

from typing import Literal, NamedTuple

Format = Literal["markdown", "raw", "text"]
Extract = Literal["main", "full"]
Images = Literal["alt", "keep"]


class Wish(NamedTuple):
    """What the caller asked for.

    `format` is markdown, raw (the decoded source) or text (no markup); `extract` is main (the main
    part of a page) or full; `images` is alt (`[Image: its text]`) or keep (as markdown images).
    `select` is a CSS selector: the elements of a page that it selects are written, in their order,
    without extraction. `exclude` are CSS selectors of elements that are left out.
    """

    format: Format = "markdown"
    extract: Extract = "main"
    images: Images = "alt"
    select: str = ""
    exclude: tuple[str, ...] = ()
