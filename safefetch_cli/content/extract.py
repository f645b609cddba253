"""HTML to its main part, by readability, with the whole page as the fallback."""

import logging
import re
from dataclasses import dataclass
from urllib.parse import urljoin

from lxml import etree, html
from lxml.html import HtmlElement
from readability import Document as Readability

# readability logs each page it cannot read; whether a page was read is told by the result.
logging.getLogger("readability").addHandler(logging.NullHandler())

_NOT_TEXT = ("script", "style", "noscript", "template", "svg", "iframe", "object", "head", "title")
_REFRESH = re.compile(r"\s*\d*(?:\.\d*)?\s*[;,]?\s*(?:url\s*=)?\s*[\"']?([^\"'>]+)", re.IGNORECASE)


@dataclass(frozen=True)
class Extracted:
    """A part of a page with absolute links: `extraction` is main, fallback-full, full or none."""

    tree: HtmlElement | None
    extraction: str
    title: str
    refresh_url: str


def extract(text: str, url: str, *, whole: bool) -> Extracted:
    """The main part of a page, or all of it when `whole` or when no main part is found.

    `url` is the page's own; links are made absolute against it and the page's base element.
    """
    page = _parse(text)
    if page is None:
        return Extracted(None, "none", "", "")
    base = _base(page, url)
    page.make_links_absolute(base, resolve_base_href=False, handle_failures="ignore")
    title = " ".join((page.findtext(".//title") or "").split())
    refresh = _refresh_url(page, base)
    main = None if whole else _main_part(page)
    if main is not None:
        return Extracted(main, "main", title, refresh)
    body = _without_machinery(page)
    if not _has_text(body):
        return Extracted(None, "none", title, refresh)
    return Extracted(body, "full" if whole else "fallback-full", title, refresh)


def refresh_target(value: str, base: str) -> str:
    """The URL in a Refresh field or a meta refresh, absolute; "" when there is none."""
    match = _REFRESH.match(value) if re.search("[;,]", value) else None
    return urljoin(base, match[1].strip()) if match else ""


def _parse(text: str) -> HtmlElement | None:
    parser = html.HTMLParser(encoding="utf-8", huge_tree=True)
    try:
        return html.document_fromstring(text.encode(), parser=parser)
    except etree.ParserError:  # nothing but white space and comments
        return None


def _base(page: HtmlElement, url: str) -> str:
    href = page.xpath("string(//base[@href][1]/@href)")
    try:
        return urljoin(url, str(href).strip())
    except ValueError:
        return url


def _refresh_url(page: HtmlElement, base: str) -> str:
    for meta in page.iter("meta"):
        if meta.get("http-equiv", "").strip().lower() == "refresh":
            return refresh_target(meta.get("content", ""), base)
    return ""


def _main_part(page: HtmlElement) -> HtmlElement | None:
    source = etree.tostring(page, encoding="unicode", method="html")
    try:
        summary = Readability(source).summary(html_partial=True)
        main = _parse(summary)
    except (ValueError, AttributeError, TypeError, etree.LxmlError, RecursionError):
        return None
    except Exception as error:  # readability's own error for a page it cannot read
        if type(error).__module__.partition(".")[0] != "readability":
            raise
        return None
    return main if main is not None and _has_text(main) else None


def _without_machinery(page: HtmlElement) -> HtmlElement:
    body = page.find("body")
    root = page if body is None else body
    for element in list(root.iter(*_NOT_TEXT, etree.Comment, etree.ProcessingInstruction)):
        element.drop_tree()
    return root


def _has_text(tree: HtmlElement) -> bool:
    return any(text.strip() for text in tree.itertext())
