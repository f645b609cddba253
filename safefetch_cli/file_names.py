"""Names of files for pages, from their URLs: they mean the same on every system."""

import re
import unicodedata
from collections import defaultdict
from urllib.parse import unquote, urlsplit

MAX_STEM_BYTES = 150
"""Of a name without its number and extension; file systems take 255 in all, some paths 260."""

_PAGE_EXTENSIONS = re.compile(r"\.(?:x?html?|md|markdown|php|aspx?|jsp)$", re.IGNORECASE)
_EXTENSION = re.compile(r"\.[a-z0-9]{1,8}$", re.IGNORECASE)
_DEVICES = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9]) *(?:\.|$)", re.IGNORECASE)
_NO_HOST = "page"


class FileNames:
    """Gives each URL a name that no other has, the same for the same URLs in the same order.

    `extension` begins with a point; with "" the extension of the URL's own path is taken, `.html`
    where it has none. A name is made of the host, the path and the query; with `short` of the last
    part of the path alone. Names that differ in capitals only, or in how they are composed, count
    as one: the second gets a number, as in `page-2.md`.
    """

    def __init__(self, extension: str, *, short: bool = False) -> None:
        self._extension = extension
        self._short = short
        self._taken: set[str] = set()
        self._numbers: defaultdict[str, int] = defaultdict(lambda: 1)

    def name(self, url: str) -> str:
        """A name without a folder, for a URL or whatever was given as one."""
        stem, extension = _parts(url, self._extension, short=self._short)
        key = _key(stem + extension)
        name = stem + extension
        while _key(name) in self._taken:
            self._numbers[key] += 1
            name = f"{stem}-{self._numbers[key]}{extension}"
        self._taken.add(_key(name))
        return name


def _key(name: str) -> str:
    """The same for names that some file system takes for one."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def _parts(url: str, extension: str, *, short: bool) -> tuple[str, str]:
    """The stem and the extension for a URL's file."""
    try:
        split = urlsplit(url.strip())
        host, port = split.hostname or _NO_HOST, split.port
    except ValueError:
        return _stem(url), extension or ".html"
    path = _safe(unquote(split.path).strip("/"), keep="/")
    if not extension:
        found = _EXTENSION.search(path)
        extension = found[0] if found else ".html"
        path = path.removesuffix(found[0] if found else "")
    else:
        path = _PAGE_EXTENSIONS.sub("", path)
    if short and path:
        return _stem(path.rpartition("/")[2]), extension
    place = host if port is None else f"{host}_{port}"
    query = "" if short else split.query
    return _stem("_".join(filter(None, (place, *path.split("/"), unquote(query))))), extension


def _stem(text: str) -> str:
    """A name's stem that is safe everywhere and never empty."""
    stem = _safe(text).encode()[:MAX_STEM_BYTES].decode("utf-8", "ignore")
    stem = stem.strip("-. ") or _NO_HOST
    return f"_{stem}" if _DEVICES.match(stem) else stem


def _safe(text: str, keep: str = "") -> str:
    """The text with a hyphen for all that is no letter, mark, digit, point or underscore."""
    text = unicodedata.normalize("NFKC", text)
    signs = (
        sign if sign in keep or sign in "-._" or unicodedata.category(sign)[0] in "LMN" else "-"
        for sign in text
    )
    return re.sub("-{2,}", "-", "".join(signs))
