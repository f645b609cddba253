"""The table of readers: from a content type to the way its body is read.

To read one more type, add a row.
"""

import re
from collections.abc import Callable
from typing import NamedTuple
from urllib.parse import urlsplit

from safefetch_cli.content.decode import decode
from safefetch_cli.content.media import correct, parse_media_type, sniff
from safefetch_cli.errors import UnsupportedContentType
from safefetch_cli.models import Document, Response

# What a page must not send to a terminal: C0 and C1 controls but tab and line feed.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_NO_TYPES = ("", "application/octet-stream", "application/x-unknown", "unknown/unknown", "*/*")
_TEXT_TYPES = (
    r"text/.+|application/(?:.+\+)?(?:json|xml|yaml|toml)|.+\+(?:json|xml|yaml)"
    r"|application/(?:x-)?(?:javascript|ecmascript|ndjson|json-seq|jsonlines|sh|yaml|sql|graphql)"
)


class Wish(NamedTuple):
    """What the caller asked for: format markdown, raw or text; the main part or all of it."""

    format: str = "markdown"
    extract: str = "main"


def read(response: Response, wish: Wish) -> Document:
    """Make a document of a response. Raises UnsupportedContentType for what is not text."""
    field = response.headers.get("content-type", "")
    media = parse_media_type(field)
    essence = _essence(media.essence, response.body)
    if _reader_of(essence) is None:
        named = media.essence or field or "no type, binary data"
        raise UnsupportedContentType(f"the content is not text: {_clean(named)[:100]}")
    domain = urlsplit(response.final_url).hostname or ""
    decoded = decode(response.body, media.charset, domain.rpartition(".")[2])
    reader = _reader_of(correct(essence, decoded.text)) or _as_it_is
    return reader(decoded.text, decoded.charset, response, wish)


def _essence(essence: str, body: bytes) -> str:
    """The type to read the body as; "" when it is not text."""
    if essence in _NO_TYPES:
        return sniff(body)
    if essence == "text/plain" and not sniff(body):
        return ""
    return essence


def _reader_of(essence: str) -> "Reader | None":
    return next((reader for pattern, reader in _READERS if re.fullmatch(pattern, essence)), None)


def _as_it_is(text: str, charset: str, response: Response, _: Wish) -> Document:
    return _document(text, charset, response, "full")


def _page(text: str, charset: str, response: Response, wish: Wish) -> Document:
    if wish.format == "raw":
        return _document(text, charset, response, "full")
    # lxml and the converters take longer to load than most pages to read; text does not need them.
    from safefetch_cli.content.clean import clean
    from safefetch_cli.content.extract import extract
    from safefetch_cli.content.markdown import to_markdown
    from safefetch_cli.content.metadata import page_metadata
    from safefetch_cli.content.page_address import base_of, refresh_of, refresh_target
    from safefetch_cli.content.parse import parse_html
    from safefetch_cli.content.plain import plain_text

    refresh = refresh_target(response.headers.get("refresh", ""), response.final_url)
    root = parse_html(_clean(text))
    if root is None:
        return _document("", charset, response, "none", refresh_url=refresh)
    refresh = refresh or refresh_of(root, base_of(root, response.final_url))
    title = page_metadata(root, response.final_url).title
    cleaning = clean(root)
    page = extract(root, response.final_url, whole=wish.extract == "full")
    written = ""
    if page.tree is not None and wish.format == "text":
        written = plain_text(page.tree)
    elif page.tree is not None:
        written = to_markdown(page.tree, response.final_url)
    return _document(
        written,
        charset,
        response,
        page.extraction,
        title=title,
        refresh_url=refresh,
        cleaning=cleaning,
    )


Reader = Callable[[str, str, Response, Wish], Document]

_READERS: tuple[tuple[str, Reader], ...] = (
    (r"text/html|application/xhtml\+xml", _page),
    (_TEXT_TYPES, _as_it_is),
)


def _document(
    text: str,
    charset: str,
    response: Response,
    extraction: str,
    *,
    title: str = "",
    refresh_url: str = "",
    cleaning: tuple[str, ...] = (),
) -> Document:
    text = _clean(text).strip("\n")
    has_text = bool(text.strip())
    flags = {
        "body-truncated": response.truncated,
        "body-incomplete": not response.complete,
        "extraction-fallback": extraction == "fallback-full",
        "no-text": not has_text,
    }
    return Document(
        text=text if has_text else "",
        extraction=extraction if has_text else "none",
        charset=charset,
        title=title,
        refresh_url=refresh_url,
        hints=(*(hint for hint, is_set in flags.items() if is_set), *cleaning),
    )


def _clean(text: str) -> str:
    """Line ends as line feeds, no control characters."""
    return _CONTROL.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
