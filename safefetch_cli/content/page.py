"""A page to a document: parsed once, cleaned, cut to its main part and written, on one tree."""

from lxml import etree

from safefetch_cli.content.alternates import page_offers
from safefetch_cli.content.clean import clean
from safefetch_cli.content.decode import decode
from safefetch_cli.content.extract import extract
from safefetch_cli.content.heading_ids import heading_ids
from safefetch_cli.content.instructions import commands_a_model
from safefetch_cli.content.long_tables import may_be_folded
from safefetch_cli.content.markdown import to_markdown
from safefetch_cli.content.metadata import PageMetadata, page_metadata
from safefetch_cli.content.page_address import base_of, refresh_of
from safefetch_cli.content.page_data import PageData, page_data
from safefetch_cli.content.parse import parse_html
from safefetch_cli.content.plain import plain_text
from safefetch_cli.content.selection import choose, chosen, gathered
from safefetch_cli.content.visible import visible, without_control_references
from safefetch_cli.content.walls import asks_for_password, is_wall, loads_a_challenge
from safefetch_cli.content.wish import Extract, Images, Wish
from safefetch_cli.content.writer.destinations import Addresses
from safefetch_cli.errors import ProcessingLimit
from safefetch_cli.models import Document

_SHELL_CHARS = 300
"""A page with scripts and fewer characters of text than this may be the shell of an application."""


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
    """The document that a page's source makes. Linear in its size, whatever is in it.

    Raises InvalidInput for a bad selector and SelectionNotFound for one that selects nothing.
    """
    root = parse_html(without_control_references(visible(html)), folded=_is_folded(html, wish))
    if root is None:
        choose(etree.Element("html"), wish.select, wish.exclude)
        return Document(text="", extraction="none", hints=("no-text",))
    about = page_metadata(root, url)
    trusted = _trusted(about)
    refresh = refresh_of(root, base_of(root, url))
    needs_scripts = _is_shell(root)
    password, challenge = asks_for_password(root), loads_a_challenge(root)
    offered = page_offers(root, Addresses.of(root, url))
    data = page_data(root)
    choice = choose(root, wish.select, wish.exclude)
    cleaning = clean(root)
    parts = chosen(root, choice)
    page = root if parts is None else gathered(root, parts)
    if parts is None:
        text, extraction = _extracted(root, url, wish)
    else:
        text, extraction = _written(page, url, wish), "selected"
    is_short = needs_scripts and len(text) < _SHELL_CHARS
    is_wanting = parts is None and (is_short or not text)
    from_data = _from_data(root, data, url, wish) if data and is_wanting else ""
    has_more = len(from_data) > len(text)
    if has_more:
        text, extraction = from_data, "full"
    flags = {
        "extraction-fallback": extraction == "fallback-full",
        "no-text": not text,
        "likely-requires-javascript": is_short and not has_more,
        "text-from-data": has_more,
        "login-or-challenge": parts is None
        and is_wall(about.title, text, password=password, challenge=challenge),
        "suspicious-metadata-removed": trusted != about,
    }
    hints = (*(hint for hint, is_set in flags.items() if is_set), *cleaning, *offered)
    document = _document(text, extraction, trusted, refresh, hints)
    return document._replace(heading_ids=tuple(heading_ids(page)))


def _is_folded(html: str, wish: Wish) -> bool:
    """Whether cells of long tables may be folded, as only markdown of the page itself is wanted."""
    is_whole = wish.format == "markdown" and not wish.select and not wish.exclude
    return is_whole and may_be_folded(html)


def _extracted(root: etree._Element, url: str, wish: Wish) -> tuple[str, str]:
    """The text of the main part, or of the page, and how it was found."""
    found = extract(root, url, whole=wish.extract == "full")
    return _written(found.tree, url, wish), found.extraction


def _from_data(root: etree._Element, data: PageData, url: str, wish: Wish) -> str:
    """The text that the page's data holds, written as if it stood in the page."""
    from safefetch_cli.content.embedded_data import text_of_data

    try:
        tree = parse_html(without_control_references(visible(text_of_data(data))))
    except ProcessingLimit:
        return ""
    if tree is None:
        return ""
    clean(tree)
    root.append(tree)  # the page's base counts for its links
    return _written(tree, url, wish)


def _written(tree: etree._Element, url: str, wish: Wish) -> str:
    if wish.format == "text":
        return visible(plain_text(tree)).strip()
    return to_markdown(tree, url, images=wish.images)


def _trusted(about: PageMetadata) -> PageMetadata:
    """What the page says of itself, without what tells a model what to do."""
    return PageMetadata(*("" if commands_a_model(text) else text for text in about))


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
