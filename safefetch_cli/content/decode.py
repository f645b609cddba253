"""Bytes to text, in the order of browsers: byte order mark, header, declaration, detection.

Labels are those of the WHATWG Encoding standard (https://encoding.spec.whatwg.org/).
"""

import codecs
import re
from dataclasses import dataclass

import webencodings

DECLARATION_BYTES = 4096
"""How far into the body a meta element or XML declaration is looked for."""

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_DECLARED = re.compile(
    rb"""<(?:meta\b[^>]*?\bcharset\s*=|\?xml\b[^>]*?\bencoding\s*=)\s*["']?\s*([\w.:-]+)""",
    re.IGNORECASE,
)
# The codecs that decode what the standard means by a label, where Python's own is narrower.
_CODECS = {
    "big5": "big5hkscs",
    "euc-kr": "cp949",
    "gb18030": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
}


@dataclass(frozen=True)
class Decoded:
    """The text, and the name of the encoding it was in."""

    text: str
    charset: str


def decode(data: bytes, header_charset: str = "") -> Decoded:
    """Decode a body. Bytes that do not decode become U+FFFD."""
    for mark, name in _MARKS:
        if data.startswith(mark):
            return Decoded(data[len(mark) :].decode(name, "replace"), name)
    for label in (header_charset, _declared(data)):
        encoding = webencodings.lookup(label) if label else None
        if encoding is not None:
            codec = _CODECS.get(encoding.name, encoding.codec_info.name)
            return Decoded(data.decode(codec, "replace"), encoding.name)
    return _detected(data)


def _declared(data: bytes) -> str:
    match = _DECLARED.search(data[:DECLARATION_BYTES])
    label = match[1].decode("ascii", "replace").lower() if match else ""
    # A declaration that could be read as ASCII is not in UTF-16, whatever it says.
    return "utf-8" if label.startswith("utf-16") else label


def _detected(data: bytes) -> Decoded:
    try:
        return Decoded(data.decode("utf-8"), "utf-8")
    except UnicodeDecodeError as error:
        if error.reason == "unexpected end of data" and error.end == len(data):
            return Decoded(data.decode("utf-8", "replace"), "utf-8")  # cut inside a character
    from charset_normalizer import from_bytes

    best = from_bytes(data[:100_000]).best()
    name = best.encoding if best is not None else "windows-1252"
    return Decoded(data.decode(name, "replace"), name)
