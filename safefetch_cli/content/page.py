"""A page to a document: parsed once, cleaned, cut to its main part and written, on one tree."""

from typing import Literal, NamedTuple

from lxml import etree

from safefetch_cli.content.clean import clean
from safefetch_cli.content.decode import decode
from safefetch_cli.content.extract import extract
from safefetch_cli.content.heading_ids import heading_ids
from safefetch_cli.content.markdown import to_markdown
from safefetch_cli.content.metadata import PageMetadata, page_metadata
from safefetch_cli.content.page_address import base_of, refresh_of
from safefetch_cli.content.parse import parse_html
from safefetch_cli.content.plain import plain_text
from safefetch_cli.content.visible import visible, without_control_references
from safefetch_cli.models import Document

Extract = Literal["main", "full"]
Images = Literal["alt", "keep"]
Format = Literal["markdown", "text"]

_SHELL_CHARS = 300
"""A page with scripts and fewer characters of text than this may be the shell of an application."""


class Wish(NamedTuple):
    """What to make of a page.

    `extract` is main (the main part) or full; `images` is alt (`[Image: its text]`) or keep (as
    markdown images); `format` is markdown or text (no markup).
    """

    extract: Extract = "main"
    images: Images = "alt"
    format: Format = "markdown"


def html_to_markdown(
    html: bytes | str, url: str, *, extract: Extract = "main", images: Images = "keep"
) -> str:
    """The main part of a page, or all of it (`extract="full"`), as markdown.

    `url` is the page's own address, for its links; nothing is fetched. `images` is keep (as
    markdown images) or alt (`[Image: its text]`). Bytes are decoded by byte
    order mark, declaration or detection. Any input gives text, "" when the page has
    none; only one beyond the bounds of the parser raises ProcessingLimit.
    """
    return read_html(html, url, extract=extract, images=images).text


def read_html(
    html: bytes | str,
    url: str,
    *,
    extract: Extract = "main",
    images: Images = "keep",
    charset: str = "",
) -> Document:
    """A page as a document: its text as markdown, how it was found, and what it says of itself.

    As `html_to_markdown`; `charset` is the label that came with the bytes, if any.
    """
    wish = Wish(extract=extract, images=images)
    if isinstance(html, str):
        return read_page(html, url, wish)
    decoded = decode(html, charset)
    document = read_page(decoded.text, url, wish)
    return document._replace(charset=decoded.charset, charset_source=decoded.source)


def read_page(html: str, url: str, wish: Wish) -> Document:
    """The document that a page's source makes. Linear in its size, whatever is in it."""
    root = parse_html(without_control_references(visible(html)))
    if root is None:
        return Document(text="", extraction="none", hints=("no-text",))
    about = page_metadata(root, url)
    refresh = refresh_of(root, base_of(root, url))
    needs_scripts = _is_shell(root)
    cleaning = clean(root)
    found = extract(root, url, whole=wish.extract == "full")
    text = _written(found.tree, url, wish)
    flags = {
        "extraction-fallback": found.extraction == "fallback-full",
        "no-text": not text,
        "likely-requires-javascript": needs_scripts and len(text) < _SHELL_CHARS,
    }
    hints = (*(hint for hint, is_set in flags.items() if is_set), *cleaning)
    document = _document(text, found.extraction, about, refresh, hints)
    return document._replace(heading_ids=tuple(heading_ids(found.tree)))


def _written(tree: etree._Element, url: str, wish: Wish) -> str:
    if wish.format == "text":
        return visible(plain_text(tree)).strip()
    return to_markdown(tree, url, images=wish.images)


def _document(
    text: str, extraction: str, about: PageMetadata, refresh: str, hints: tuple[str, ...]
) -> Document:
    return Document(
        text=text,
        extraction=extraction if text else "none",
        title=about.title,
        byline=about.byline,
        site_name=about.site_name,
        published_at=about.published_at,
        description=about.description,
        lang=about.lang,
        canonical_url=about.canonical_url,
        refresh_url=refresh,
        hints=hints,
    )


def _is_shell(root: etree._Element) -> bool:
    """Whether scripts are there to fill the page.

    It has a script of a file of its own, and a word to readers without scripts or an empty box.
    """
    if not any(script.get("src") for script in root.iter("script")):
        return False
    if next(root.iter("noscript"), None) is not None:
        return True
    containers = root.iterfind("body/div")
    return any(not len(div) and not (div.text or "").strip() for div in containers)
