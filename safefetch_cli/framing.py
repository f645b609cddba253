"""A page in the frame that tells a model whose text it is."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from safefetch_cli.models import Result


def framed(page: "Result") -> "Result":
    """The page with its text in the frame."""
    return page._replace(text=framed_text(page.text, page.final_url))


def framed_text(text: str, url: str) -> str:
    """The text in its frame; it is of the page at `url`, or "" of a file without one."""
    from safefetch_cli.content.frame import frame

    return frame(text, url or "a file")
