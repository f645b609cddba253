"""The title of a page without the name of its site."""

import re

from safefetch_cli.content.late_pattern import late

_SIGNS = r"|\-\u2013\u2014\\/>\u00bb"
_SEPARATOR = re.compile(rf"\s[{_SIGNS}]\s")
_HIERARCHY = re.compile("\\s[\\\\/>\u00bb]\\s")
_LAST_PART = re.compile(rf"(.*)\s[{_SIGNS}]\s.*", re.DOTALL)
_FIRST_PART = late(rf"[^{_SIGNS}]*[{_SIGNS}](.*)", re.DOTALL)
_MARKS = re.compile(rf"[{_SIGNS}]+")
_FEW_WORDS = 4
_LEAST_WORDS = 3
_LONGEST_SECTION = 5
_LENGTHS = range(15, 151)


def article_title(title: str, headings: list[str]) -> str:
    """The part of a title element's text that names the page and not the site.

    `headings` are the texts of the page's h1 and h2 elements: a title that one of them repeats is
    whole; the only h1 stands for a title too short or too long.
    """
    title = " ".join(title.split())
    short = title
    if _SEPARATOR.search(title):
        short = _without_site(title)
    elif ": " in title:
        short = _without_section(title, headings)
    elif len(title) not in _LENGTHS and len(headings) == 1:
        short = " ".join(headings[0].split())
    return title if _is_cut_too_much(short, title) else short


def _without_site(title: str) -> str:
    short = _LAST_PART.sub(r"\1", title)
    if len(short.split()) < _LEAST_WORDS:
        short = _FIRST_PART.sub(r"\1", title, count=1)
    return short.strip()


def _without_section(title: str, headings: list[str]) -> str:
    if any(" ".join(heading.split()) == title for heading in headings):
        return title
    short = title.rpartition(":")[2]
    if len(short.split()) < _LEAST_WORDS:
        return title.partition(":")[2].strip()
    if len(title.partition(":")[0].split()) > _LONGEST_SECTION:
        return title
    return short.strip()


def _is_cut_too_much(short: str, title: str) -> bool:
    count = len(short.split())
    if count > _FEW_WORDS:
        return False
    if not _HIERARCHY.search(title):
        return True
    return count != len(_MARKS.sub("", title).split()) - 1
