"""The markdown writer: an element tree as CommonMark with GitHub's tables, task lists and strikes."""

from safefetch_cli.content.markdown.convert import Images, page_to_markdown, to_markdown

__all__ = ["Images", "page_to_markdown", "to_markdown"]
