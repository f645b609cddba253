"""What a body is, from its label or from its first bytes."""

import pytest

from safefetch_cli.content.media import correct, parse_media_type, sniff


@pytest.mark.parametrize(
    ("field", "essence", "charset"),
    [
        ("text/html", "text/html", ""),
        ("Text/HTML; Charset=UTF-8", "text/html", "utf-8"),
        ('text/html; charset="utf-8"', "text/html", "utf-8"),
        ("text/html; charset=utf-8; charset=windows-1251", "text/html", "utf-8"),
        ("text/plain, text/html; charset=koi8-r", "text/html", "koi8-r"),
        ("application/vnd.api+json; version=1", "application/vnd.api+json", ""),
        ("", "", ""),
        ("html", "", ""),
        ("text/ht ml", "", ""),
        (";charset=utf-8", "", "utf-8"),
    ],
)
def test_a_content_type_is_read(field, essence, charset):
    media = parse_media_type(field)

    assert (media.essence, media.charset) == (essence, charset)


@pytest.mark.parametrize(
    ("data", "essence"),
    [
        (b"<!DOCTYPE html><p>x", "text/html"),
        (b" \n<!-- note --> <HTML><body>", "text/html"),
        (b"<p>hello", "text/html"),
        (b"hello <p>", "text/plain"),
        (b"", "text/plain"),
        ("\ufeffhello".encode("utf-16"), "text/plain"),
        ("<html><p>hello".encode("utf-16-le"), "text/html"),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", ""),
        (b"%PDF-1.7\n\x00\x01", ""),
        (b"PK\x03\x04", ""),
        (b"\x1b$B4A\x1b(B", "text/plain"),
    ],
)
def test_a_body_without_a_type_is_sniffed(data, essence):
    assert sniff(data) == essence


@pytest.mark.parametrize(
    ("text", "essence"),
    [
        ('{"berth": 7, "note": "a < b"}', "application/json"),
        ("[1, 2]", "application/json"),
        ("{not json} <p>page</p>", "text/html"),
        ("no tag at all, 3 < 4\n  and lines", "text/plain"),
        ('<?xml version="1.0"?><rss><channel></channel></rss>', "application/xml"),
        ('<feed xmlns="http://www.w3.org/2005/Atom"></feed>', "application/xml"),
        ('<?xml version="1.0"?><html><body>x</body></html>', "text/html"),
        ("[" * 100_000, "text/plain"),
    ],
)
def test_what_is_labelled_html_and_is_not(text, essence):
    assert correct("text/html", text) == essence


def test_other_labels_are_believed():
    assert correct("text/plain", '{"a": 1}') == "text/plain"
