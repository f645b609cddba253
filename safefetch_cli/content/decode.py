"""Bytes to text, in the order of browsers: byte order mark, header, declaration, detection.

Labels and their encodings are those of the WHATWG Encoding standard
(https://encoding.spec.whatwg.org/). Two things are done that browsers leave to the reader: text
that is UTF-8 beyond doubt is read as UTF-8 whatever its label says, and a label that does not fit
the bytes gives way to the next source.
"""

import codecs
import re
from collections.abc import Iterator
from typing import NamedTuple

import webencodings

DECLARATION_BYTES = 4096
"""How far into the body a meta element or XML declaration is looked for."""

DETECTION_BYTES = 256 * 1024
"""How much of the body detection looks at."""

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16le"),
    (codecs.BOM_UTF16_BE, "utf-16be"),
)
_XML_DECLARATION = re.compile(
    rb"""\s*<\?xml\b[^>]*?\bencoding\s*=\s*["']([\w.:-]+)["']""", re.IGNORECASE
)
_COMMENT = re.compile(rb"<!--.*?-->", re.DOTALL)
_META = re.compile(rb"<meta[\s/][^>]*>", re.IGNORECASE)
_META_CHARSET = re.compile(rb"""[\s/"']charset\s*=\s*["']?\s*([\w.:-]+)""", re.IGNORECASE)
_META_CONTENT = re.compile(rb"""[\s/"']content\s*=\s*(?:"([^"]*)"|'([^']*)')""", re.IGNORECASE)
_CONTENT_CHARSET = re.compile(rb"""charset\s*=\s*["']?\s*([\w.:-]+)""", re.IGNORECASE)
_ESCAPED = frozenset({"iso-2022-jp"})  # seven bits a byte, so it looks like UTF-8 and is not
_PYTHON_NAMES = {"cp874": "windows-874"}  # where the detector has not the standard's name
_ESCAPE = b"\x1b"
_UTF16 = frozenset({"utf-16le", "utf-16be"})
_ASCII = bytes(range(128))
_TWO_BYTES = frozenset({"big5", "euc-jp", "euc-kr", "gb18030", "gbk", "shift_jis"})
_DOUBTFUL_BYTES = 12
"""Fewer bytes beyond ASCII may be valid UTF-8 by chance, where a character has two bytes."""

_MISFIT_SHARE = 0.02
"""A label is given up when more of the characters beyond ASCII than this do not decode."""


class Decoded(NamedTuple):
    """The text, the name of its encoding, and how that was found.

    `source` is bom, header, declaration (a meta element or an XML declaration), utf-8 (valid UTF-8,
    although something else was said) or detection.
    """

    text: str
    charset: str
    source: str


def decode(data: bytes, header_charset: str = "", top_level_domain: str = "") -> Decoded:
    """Decode a body. Bytes that do not decode become U+FFFD.

    `header_charset` is the label in Content-Type; `top_level_domain` helps detection.
    """
    for mark, name in _MARKS:
        if data.startswith(mark):
            return Decoded(_decoded(data[len(mark) :], name), name, "bom")
    is_utf8 = _is_utf8(data)
    has_nul = b"\0" in data[:2048]
    misfit: Decoded | None = None
    for label, source in _labels(data, header_charset):
        encoding = webencodings.lookup(label)
        if encoding is None or encoding.name == "replacement":
            continue
        name = encoding.name
        if name in _UTF16 and not has_nul and (is_utf8 or data.isascii()):
            continue  # every markup has characters with a NUL in UTF-16
        if is_utf8 and _is_overruled(name, data):
            return Decoded(_decoded(data, "utf-8"), "utf-8", "utf-8")
        decoded = Decoded(_decoded(data, name), name, source)
        if not _is_misfit(decoded.text, data):
            return decoded
        misfit = misfit or decoded
    return _undeclared(data, is_utf8, top_level_domain, misfit)


def looks_like_utf16(data: bytes) -> str:
    """The name of the UTF-16 form that unmarked bytes are in by the place of their NULs, or ""."""
    head = data[:2048]
    pairs = len(head) // 2
    even, odd = head[0::2].count(0), head[1::2].count(0)
    if pairs < 4 or max(even, odd) < pairs * 0.3 or min(even, odd) > pairs * 0.05:
        return ""
    return "utf-16be" if even > odd else "utf-16le"


def _labels(data: bytes, header_charset: str) -> Iterator[tuple[str, str]]:
    if header_charset:
        yield header_charset, "header"
    declared = _declared(data)
    if declared:
        yield declared, "declaration"


def _declared(data: bytes) -> str:
    """The label in the body's own declaration, or ""."""
    head = data[:DECLARATION_BYTES]
    xml = _XML_DECLARATION.match(head)
    if xml is None:
        labels: Iterator[bytes] = map(_meta_label, _META.findall(_COMMENT.sub(b"", head)))
        found = next(filter(_is_known, labels), b"")
    else:
        found = xml[1]
    label = found.decode("ascii", "replace").lower()
    # A declaration that could be read as ASCII is not in UTF-16, whatever it says.
    return "utf-8" if label.startswith("utf-16") else label


def _meta_label(meta: bytes) -> bytes:
    """The label in one meta element: its charset, or that in its content."""
    content = _META_CONTENT.search(meta)
    outside = meta if content is None else meta[: content.start()] + meta[content.end() :]
    direct = _META_CHARSET.search(outside)
    if direct is None and content is not None and b"content-type" in outside.lower():
        direct = _CONTENT_CHARSET.search(content[1] or content[2] or b"")
    return b"" if direct is None else direct[1]


def _is_known(label: bytes) -> bool:
    """Whether the standard has this label."""
    return webencodings.lookup(label.decode("ascii", "replace")) is not None


def _is_utf8(data: bytes) -> bool:
    """Whether the bytes are UTF-8 beyond doubt: valid, not only ASCII, no NUL."""
    if data.isascii() or b"\0" in data[:2048]:
        return False
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        # A body that was cut may end inside a character.
        return error.end == len(data) and error.reason == "unexpected end of data"
    return True


def _is_overruled(name: str, data: bytes) -> bool:
    """Whether a label yields to text that is valid UTF-8."""
    if name in _ESCAPED or name == "utf-8":
        return False
    return name not in _TWO_BYTES or len(data.translate(None, _ASCII)) >= _DOUBTFUL_BYTES


def _is_misfit(text: str, data: bytes) -> bool:
    damage = text.count("\ufffd")
    if not damage:
        return False
    beyond_ascii = len(text) - len(text.encode("ascii", "ignore"))
    return damage > max(beyond_ascii * _MISFIT_SHARE, 1) and b"\xef\xbf\xbd" not in data


def _undeclared(
    data: bytes, is_utf8: bool, top_level_domain: str, misfit: Decoded | None
) -> Decoded:
    name = looks_like_utf16(data)
    if not name and (is_utf8 or (data.isascii() and _ESCAPE not in data)):
        name = "utf-8"
    name = name or _detected(data[:DETECTION_BYTES], top_level_domain)
    found = Decoded(_decoded(data, name), name, "detection")
    if misfit is not None and misfit.text.count("\ufffd") <= found.text.count("\ufffd"):
        return misfit
    return found


def _detected(data: bytes, top_level_domain: str) -> str:
    try:
        from chardetng_py import EncodingDetector
    except ModuleNotFoundError:  # no build of it for this platform
        from charset_normalizer import from_bytes

        best = from_bytes(data).best()
        encoding = webencodings.lookup(best.encoding) if best is not None else None
        return "windows-1252" if encoding is None else encoding.name
    detector = EncodingDetector()
    detector.feed(data, last=True)
    domain = top_level_domain.encode() if top_level_domain.isascii() else b""
    guess: str = detector.guess(tld=domain or None, allow_utf8=False)
    return _PYTHON_NAMES.get(guess, guess.lower())


def _decoded(data: bytes, name: str) -> str:
    encoding = webencodings.lookup(name)
    codec = encoding.codec_info.name if encoding is not None else "utf-8"
    # gbk decodes as gb18030, by the standard.
    return data.decode("gb18030" if codec == "gbk" else codec, "replace")
