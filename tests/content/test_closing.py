"""Lines that end an article, found by what they begin with."""

import re
import sys

import pytest

from safefetch_cli.content import closing
from safefetch_cli.content.closing import is_appeal, is_closing

LINES = [line for lines in closing._lines_by_start().values() for line in lines]


@pytest.mark.parametrize(
    "line",
    [
        *("Related articles", "» READ MORE", "12 comments", "Share", "* tags: a, b"),
        *("Our newsletter", "Get the newsletter", "Media contact:", "Previous story"),
        *(
            "Artikel teilen",
            "À LIRE",
            "Síguenos",
            "Читайте также",
            "ΣΧΕΤΙΚΆ",
            "相关阅读",
            "관련 기사",
        ),
        *("\u017fhare", "\u0130lgili haberler", "\u0131lgili konular", "Tags"),
    ],
)
def test_a_line_that_ends_an_article(line: str) -> None:
    assert is_closing(line, heading=False)


@pytest.mark.parametrize(
    "line", ["", "  —", "R", "Sharing a ferry", "12", "12 ferries", "Unrelated", "References"]
)
def test_a_line_that_does_not(line: str) -> None:
    assert not is_closing(line, heading=False)


def test_some_words_end_it_as_a_heading_alone() -> None:
    assert is_closing("References:", heading=True)
    assert not is_closing("References to the tide", heading=True)


@pytest.mark.parametrize("line", LINES)
def test_each_line_begins_with_two_letters_or_a_number(line: str) -> None:
    assert re.match(r"\\d|\w[\w ](?![?*+{])", line)


def test_a_start_is_the_same_for_all_letters_that_patterns_take_for_the_same() -> None:
    letters = "".join(sorted({letter for line in LINES for letter in line[:2] if letter.isalpha()}))
    alphabet = "".join(map(chr, range(sys.maxunicode + 1)))
    same = re.compile("|".join(f"({letter})" for letter in letters), re.IGNORECASE)
    for match in same.finditer(alphabet):
        assert closing._start(match[0]) in {
            closing._start(letter)
            for letter in letters
            if re.fullmatch(letter, match[0], re.IGNORECASE)
        }


def test_an_appeal() -> None:
    assert is_appeal("Please SUBSCRIBE to our letter.")
    assert not is_appeal("Those who subscribe read more.")
