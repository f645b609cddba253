"""The markdown writer: an element tree as CommonMark with GitHub's extensions."""

from safefetch_cli.content.markdown.convert import page_to_markdown, to_markdown
from safefetch_cli.content.markdown.images import Images

__all__ = ["Images", "page_to_markdown", "to_markdown"]
