"""The table of readers: from a content type to the way its body is read.

To read one more type, add a row.
"""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from safefetch_cli.content.decode import Decoded, decode
from safefetch_cli.content.media import MediaType, correct, is_feed, parse_media_type, sniff
from safefetch_cli.content.visible import visible
from safefetch_cli.content.wish import Wish
from safefetch_cli.errors import InvalidInput, UnsupportedContentType
from safefetch_cli.models import Document, Response

if TYPE_CHECKING:
    from safefetch_cli.content.feed import Feed

_NO_TYPES = ("", "application/octet-stream", "application/x-unknown", "unknown/unknown", "*/*")
_TEXT_TYPES = (
    r"text/.+|application/(?:.+\+)?(?:json|xml|yaml|toml)|.+\+(?:json|xml|yaml)"
    r"|application/(?:x-)?(?:javascript|ecmascript|ndjson|json-seq|jsonlines|sh|yaml|sql|graphql)"
)


def read(response: Response, wish: Wish) -> Document:
    """Make a document of a response.

    Raises UnsupportedContentType for what is not text, and where a selector is given but no page
    comes; InvalidInput for a bad selector, SelectionNotFound for one that selects nothing.
    """
    if wish.format == "raw" and (wish.select or wish.exclude):
        raise InvalidInput("select, exclude: the format raw has no parts to choose from")
    decoded = source(response)
    essence = _essence(_media(response).essence, response.body)
    reader: Reader = _as_it_is
    if wish.format != "raw":
        essence = correct(essence, decoded.text)
        reader = _reader_of(essence) or _as_it_is
    if wish.select and reader is not _page:
        raise UnsupportedContentType("a selector chooses parts of HTML, not of this", says=essence)
    document = reader(decoded.text, response, wish)
    return document._replace(
        charset=decoded.charset,
        charset_source=decoded.source,
        hints=(*_cuts(response), *document.hints),
    )


def source(response: Response) -> Decoded:
    """The decoded text of a response. Raises UnsupportedContentType for what is not text."""
    media = _media(response)
    if _reader_of(_essence(media.essence, response.body)) is None:
        named = media.essence or response.headers.get("content-type") or "no type, binary data"
        raise UnsupportedContentType("the content is not text", says=visible(named)[:100])
    domain = urlsplit(response.final_url).hostname or ""
    return decode(response.body, media.charset, domain.rpartition(".")[2])


def _media(response: Response) -> MediaType:
    return parse_media_type(response.headers.get("content-type", ""))


def _essence(essence: str, body: bytes) -> str:
    """The type to read the body as; "" when it is not text."""
    if essence in _NO_TYPES:
        return sniff(body)
    if essence == "text/plain" and not sniff(body):
        return ""
    return essence


def _reader_of(essence: str) -> "Reader | None":
    return next((reader for pattern, reader in _READERS if re.fullmatch(pattern, essence)), None)


def _as_it_is(text: str, _response: Response, _wish: Wish) -> Document:
    text = visible(text).strip("\n")
    if not text.strip():
        return Document(text="", extraction="none", hints=("no-text",))
    return Document(text=text, extraction="full")


def _markdown(text: str, response: Response, wish: Wish) -> Document:
    from safefetch_cli.content.markdown_source import tidy_markdown

    tidied = tidy_markdown(visible(text))
    document = _as_it_is(tidied.text, response, wish)
    return document._replace(hints=(*document.hints, *tidied.hints))


def _page(text: str, response: Response, wish: Wish) -> Document:
    # lxml and the page's rooms take longer to load than most pages to read; other text does
    # without them.
    from safefetch_cli.content.alternates import header_links, offers
    from safefetch_cli.content.page import read_page
    from safefetch_cli.content.page_address import refresh_target
    from safefetch_cli.content.writer.destinations import Addresses

    document = read_page(text, response.final_url, wish)
    refresh = refresh_target(response.headers.get("refresh", ""), response.final_url)
    links = header_links(response.headers.get("link", ""), Addresses(response.final_url, ""))
    is_challenge = response.headers.get("cf-mitigated", "").strip().lower() == "challenge"
    walls = ("login-or-challenge",) if is_challenge else ()
    hints = dict.fromkeys((*document.hints, *walls, *offers(links)))
    return document._replace(
        refresh_url=refresh or document.refresh_url,
        hints=tuple(hints),
    )


def _feed_or_xml(text: str, response: Response, wish: Wish) -> Document:
    """A feed as its entries; other XML as it is."""
    if not is_feed(text):
        return _as_it_is(text, response, wish)
    from safefetch_cli.content.feed import read_feed

    return _entries(read_feed(text, response.final_url), text, response, wish)


def _json_feed(text: str, response: Response, wish: Wish) -> Document:
    from safefetch_cli.content.json_feed import read_json_feed

    return _entries(read_json_feed(text, response.final_url), text, response, wish)


def _entries(feed: "Feed | None", text: str, response: Response, wish: Wish) -> Document:
    """The entries of a feed; the text as it is where there is none."""
    if feed is None:
        return _as_it_is(text, response, wish)
    from safefetch_cli.content.feed import feed_page
    from safefetch_cli.content.markdown import to_markdown
    from safefetch_cli.content.plain import plain_text

    tree = feed_page(feed)
    plain = wish.format == "text"
    url = response.final_url
    written = plain_text(tree) if plain else to_markdown(tree, url, images=wish.images)
    document = _as_it_is(written, response, wish)
    return document._replace(
        title=feed.title,
        description=feed.description,
        lang=feed.lang,
        hints=(
            *document.hints,
            *(("entries-left-out",) if feed.left_out else ()),
            *dict.fromkeys(hint for entry in feed.entries for hint in entry.hints),
        ),
    )


Reader = Callable[[str, Response, Wish], Document]

_READERS: tuple[tuple[str, Reader], ...] = (
    (r"text/html|application/xhtml\+xml", _page),
    (r"text/(?:x-)?markdown", _markdown),
    (r"(?:application|text)/(?:.+\+)?xml", _feed_or_xml),
    (r"application/feed\+json", _json_feed),
    (_TEXT_TYPES, _as_it_is),
)


def _cuts(response: Response) -> tuple[str, ...]:
    flags = {"body-truncated": response.truncated, "body-incomplete": not response.complete}
    return tuple(hint for hint, is_set in flags.items() if is_set)
