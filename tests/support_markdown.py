"""What markdown shows, rendered as GitHub does, in a form in which equal pages are equal."""

import re
from html import escape
from html.parser import HTMLParser
from typing import NamedTuple

from markdown_it import MarkdownIt
from mdit_py_plugins.gfm import gfm_plugin

_RENAMED = {"b": "strong", "i": "em", "s": "del", "strike": "del"}
_NOT_SHOWN = frozenset(("thead", "tbody", "tfoot", "colgroup", "col", "html", "head", "body"))
_VOID = frozenset(("br", "hr", "img", "input", "col", "wbr"))
_BLOCK = (
    "p|div|h[1-6]|ul|ol|li|blockquote|pre|hr|table|tr|th|td|caption|dl|dt|dd|details|summary"
    "|section|article|figure|figcaption|br"
)
_EMPTY = re.compile(r"<(strong|em|del|span|u|small|code)></\1>")
_INLINE = rf"(?!(?:{_BLOCK})\b)\w+"
_BLANK_IN = re.compile(rf"((?:<{_INLINE}(?: [^>]*)?(?<!/)>)+) ")
_BLANK_OUT = re.compile(rf" ((?:</{_INLINE}>)+)")
_AT_BLOCK = re.compile(rf" *(</?(?:{_BLOCK})(?: [^>]*)?>|<sep>|\Z|\A) *")
_KEPT = re.compile("\0(\\d+)\0")
_RAW_SHOWN = re.compile(r"(?:<br\s*/?>|<!--.*?-->|\s)+", re.DOTALL | re.IGNORECASE)

_markdown = MarkdownIt("commonmark", {"html": True, "maxNesting": 100}).use(gfm_plugin)
_markdown.validateLink = lambda _: True  # type: ignore[method-assign,assignment]


class Rendered(NamedTuple):
    """Markdown as HTML, and whether it holds HTML of its own, other than breaks and comments."""

    html: str
    has_raw_html: bool


def render(markdown: str) -> Rendered:
    """Render as GitHub does: tables, strikes, task lists and bare addresses too."""
    environment: dict[str, object] = {}
    tokens = _markdown.parse(markdown, environment)
    every = [*tokens, *(child for token in tokens for child in token.children or ())]
    raw = any(
        token.type in ("html_block", "html_inline") and not _RAW_SHOWN.fullmatch(token.content)
        for token in every
    )
    return Rendered(_markdown.renderer.render(tokens, _markdown.options, environment), raw)


def canonical(html: str, *, strict: bool = False) -> str:
    """A page in a form that is equal when a reader could not tell two apart.

    Unless `strict`, paragraphs in list items are only parted, and titles and alignment left out.
    """
    reader = _Reader(strict=strict)
    reader.feed(html)
    reader.close()
    text = re.sub("[ \t\r\n\f]+", " ", "".join(reader.pieces))
    for _ in range(20):
        before = text
        text = _EMPTY.sub("", _BLANK_OUT.sub(r"\1 ", _BLANK_IN.sub(r" \1", text)))
        text = re.sub(" {2,}", " ", text)
        if text == before:
            break
    text = _AT_BLOCK.sub(r"\1", text)
    for block in ("p", "li", "td", "th", "blockquote", "ul", "ol", "div"):
        text = re.sub(rf"(<{block}(?: [^>]*)?>|</(?:{_BLOCK})>)(?:<sep>)+", r"\1", text)
    text = re.sub(rf"(?:<sep>)+(?=</?(?!hr|br|img|input)(?:{_BLOCK})\b|\Z)", "", text)
    text = re.sub("(?:<sep>){2,}", "<sep>", text)
    text = re.sub(r"<pre>(?!<code)(.*?)</pre>", r"<pre><code>\1</code></pre>", text)
    return _KEPT.sub(lambda match: reader.kept[int(match[1])], text)


class _Reader(HTMLParser):
    """Writes what shows; the text of preformatted elements is kept apart, as numbers."""

    def __init__(self, *, strict: bool) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[str] = []
        self.kept: list[str] = []
        self._strict = strict
        self._open: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        tag = _RENAMED.get(tag, tag)
        if tag in _NOT_SHOWN:
            return
        names = [name for name, _ in self._open]
        shown = self._shown(tag, {name: value or "" for name, value in attrs}, "pre" in names)
        if tag in _VOID:
            if shown is not None:
                self.pieces.append(f"<{tag}{shown}>")
            return
        start, end = f"<{tag}{shown}>", f"</{tag}>"
        if not self._strict and tag == "p" and names[-1:] == ["li"]:
            start = end = "<sep>"
        elif not self._strict and tag in ("strong", "em", "del") and tag in names:
            start = end = ""
        self._open.append((tag, end))
        self.pieces.append(start)

    def handle_endtag(self, tag: str) -> None:
        tag = _RENAMED.get(tag, tag)
        if tag in [name for name, _ in self._open]:
            while self._open:
                name, end = self._open.pop()
                self.pieces.append(end)
                if name == tag:
                    break

    def handle_data(self, data: str) -> None:
        text = escape(data.replace("\0", ""), quote=False)
        if "pre" in [name for name, _ in self._open]:
            text = self._keep(text)
        self.pieces.append(text)

    def _keep(self, text: str) -> str:
        if not text.strip("\n"):
            text = text.removesuffix("\n")
        self.kept.append(text.removesuffix("\n"))
        return f"\0{len(self.kept) - 1}\0" if text else ""

    def _shown(self, tag: str, attributes: dict[str, str], in_pre: bool) -> str | None:
        """The attributes a reader can tell; None for an element that does not show."""
        title = {"title": attributes.get("title", "")} if self._strict else {}
        kept: dict[str, str] = {}
        if tag == "a" and "href" in attributes:
            kept = {"href": _address(attributes["href"]), **title}
        elif tag == "img":
            alt = " ".join(attributes.get("alt", "").split())
            kept = {"alt": alt, "src": _address(attributes.get("src", "")), **title}
        elif tag == "ol" and attributes.get("start", "1").strip() != "1":
            kept = {"start": attributes["start"].strip()}
        elif tag in ("td", "th") and self._strict:
            match = re.search(r"text-align:\s*(\w+)", attributes.get("style", ""))
            kept = {"align": match[1] if match else attributes.get("align", "")}
        elif tag == "code" and in_pre:
            match = re.search(r"(?:^|\s)language-(\S+)", attributes.get("class", ""))
            kept = {"lang": match[1] if match else ""}
        elif tag == "input":
            if attributes.get("type", "").lower() != "checkbox":
                return None
            kept = {"checked": str("checked" in attributes)}
        always = ("href", "src", "alt")
        return "".join(
            f' {name}="{escape(value)}"'
            for name, value in sorted(kept.items())
            if value or name in always
        )


def _address(url: str) -> str:
    def encode(match: re.Match[str]) -> str:
        return "".join(f"%{byte:02X}" for byte in match[0].encode("utf-8", "surrogatepass"))

    url = re.sub(r"[^!-~]|[\"<>\\^`{|}\[\]]", encode, url.strip())
    return re.sub(r"%[0-9a-fA-F]{2}", lambda match: match[0].upper(), url)
