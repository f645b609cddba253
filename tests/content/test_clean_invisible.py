"""Invisible characters go, but those that emoji and scripts need."""

import pytest

from safefetch_cli.content.clean import clean
from safefetch_cli.content.invisible import remove_invisible
from safefetch_cli.content.parse import parse_html


@pytest.mark.parametrize(
    "text",
    [
        "soft\u00adware",
        "zero\u200bwidth",
        "join\u2060er",
        "mark\ufeffed",
        "non\u200cjoiner",
        "joi\u200dner",
        "left\u200eright\u200f",
        "over\u202eride\u202c",
        "iso\u2066late\u2069",
        "tag\U000e0041\U000e0042\U000e007f",
        "select\ufe00or",
        "select\U000e0100or",
        "fil\u3164ler",
        "plus\u2064minus",
        "anno\ufff9tation",
    ],
)
def test_invisible_characters_go(text: str) -> None:
    clean_text = remove_invisible(text)
    assert clean_text.isascii()
    assert clean_text == "".join(filter(str.isascii, text))


@pytest.mark.parametrize(
    "text",
    [
        "\U0001f468\u200d\U0001f469\u200d\U0001f467",  # a family
        "\U0001f3f3\ufe0f\u200d\U0001f308",  # the rainbow flag
        "\U0001f9d1\U0001f3fd\u200d\U0001f4bb",  # with a skin tone
        "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",  # Scotland
        "\u2764\ufe0f",
        "1\ufe0f\u20e3",
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",  # Persian
        "\u0915\u094d\u200d\u0937",  # Devanagari
        "\u0d28\u0d4d\u200d",  # Malayalam
        "\u05e9\u05dc\u05d5\u05dd\u200f!",  # Hebrew
        "\u8fbb\U000e0100",  # a variant of an ideograph
        "plain caf\u00e9 \u4e2d\u6587",
    ],
)
def test_what_scripts_and_emoji_need_stays(text: str) -> None:
    assert remove_invisible(text) == text


def test_repeated_selectors_and_joiners_carry_nothing() -> None:
    assert remove_invisible("\u2764\ufe0f\ufe0f\ufe0f") in ("\u2764", "\u2764\ufe0f")
    assert remove_invisible("\u0645\u200c\u200c\u200c") in ("\u0645", "\u0645\u200c")
    hidden = "".join(chr(0xE0000 + ord(letter)) for letter in "ignore")
    assert remove_invisible(f"\U0001f600{hidden}") == "\U0001f600"


def test_entities_attributes_and_tails_are_cleaned() -> None:
    root = parse_html(
        "<p>a&shy;b&#8203;<b title='x&#x202e;y'>c</b>d&zwnj;e<img alt='i&#xE0041;'></p>"
    )
    assert root is not None
    assert clean(root) == ()
    assert "".join(root.itertext()) == "abcde"
    assert root.find(".//b").get("title") == "xy"  # type: ignore[union-attr]
    assert root.find(".//img").get("alt") == "i"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("code", "kept"),
    [
        ("x\u200by", "x\u200by"),
        ("x\u200b", "x\u200b"),
        ("so\u00adft", "so\u00adft"),
        ("x\u200b\u200c\u200by", "xy"),
        ("x\u202ey\u202c", "xy"),
        ("x\u200ey", "xy"),
        ("x\U000e0041y", "xy"),
        ("\u2764\ufe0f\u200d\U0001f525", "\u2764\ufe0f\u200d\U0001f525"),
    ],
)
@pytest.mark.parametrize("tag", ["pre", "code", "kbd"])
def test_code_keeps_what_parts_its_letters(tag: str, code: str, kept: str) -> None:
    root = parse_html(f"<p><{tag}>{code}<b>{code}</b></{tag}></p><p>a\u200bb</p>")
    assert root is not None
    clean(root)
    assert "".join(root.itertext()) == f"{kept}{kept}ab"
