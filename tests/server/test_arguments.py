"""What a tool takes: the table that makes the schema is the one that checks."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from support.tools import Tools, served, text_of
from support_cli import Page, Site

from safefetch_cli.errors import InvalidInput
from safefetch_cli.server import compat
from safefetch_cli.server.arguments import Argument, input_schema, read_arguments
from safefetch_cli.server.tools import TOOLS
from safefetch_cli.settings import Settings

URL = "http://127.0.0.1:1/"
OF_FETCH = (
    "url, format, extract, images, json_pointer, section, outline, max_chars, start_index, "
    "max_bytes, select, exclude"
)
A_URL = "a URL that can be fetched: it has no scheme; it must start with http:// or https://"
HUGE = 10**5000  # more digits than Python writes

BAD = [
    ("fetch_url", {}, "url: it is required"),
    ("fetch_url", {"url": None}, "url: it is required"),
    ("fetch_url", {"url": 5}, "url: 5 is not a string"),
    ("fetch_url", {"url": ["a"]}, "url: ['a'] is not a string"),
    ("fetch_url", {"uri": URL}, f"'uri' is not an argument; there are {OF_FETCH}"),
    ("fetch_url", {"url": URL, "format": "pdf"}, "format: 'pdf' is not one of markdown, raw, text"),
    ("fetch_url", {"url": URL, "format": 1}, "format: 1 is not one of markdown, raw, text"),
    ("fetch_url", {"url": URL, "extract": ""}, "extract: '' is not one of main, full"),
    ("fetch_url", {"url": URL, "images": "x"}, "images: 'x' is not one of alt, keep"),
    ("fetch_url", {"url": URL, "outline": "yes"}, "outline: 'yes' is not true or false"),
    ("fetch_url", {"url": URL, "outline": 1}, "outline: 1 is not true or false"),
    (
        "fetch_url",
        {"url": URL, "max_chars": 0},
        "max_chars: 0 is not a whole number from 1 to 1000000",
    ),
    (
        "fetch_url",
        {"url": URL, "max_chars": 1_000_001},
        "max_chars: 1000001 is not a whole number from 1 to 1000000",
    ),
    (
        "fetch_url",
        {"url": URL, "max_chars": "5"},
        "max_chars: '5' is not a whole number from 1 to 1000000",
    ),
    (
        "fetch_url",
        {"url": URL, "max_chars": 5.5},
        "max_chars: 5.5 is not a whole number from 1 to 1000000",
    ),
    (
        "fetch_url",
        {"url": URL, "max_chars": True},
        "max_chars: True is not a whole number from 1 to 1000000",
    ),
    (
        "fetch_url",
        {"url": URL, "max_chars": HUGE},
        "max_chars: a number of thousands of digits is not a whole number from 1 to 1000000",
    ),
    (
        "fetch_url",
        {"url": URL, "start_index": -1},
        "start_index: -1 is not a whole number from 0 to 1000000000",
    ),
    (
        "fetch_url",
        {"url": URL, "start_index": HUGE},
        "start_index: a number of thousands of digits is not a whole number from 0 to 1000000000",
    ),
    (
        "fetch_url",
        {"url": URL, "max_bytes": HUGE},
        "max_bytes: a number of thousands of digits is not a whole number from 1 to 1000000000",
    ),
    (
        "fetch_url",
        {"url": URL, "max_bytes": 6_000_000},
        "max_bytes: 6000000 is not from 1 to 5000000",
    ),
    ("fetch_url", {"url": URL, "select": 1}, "select: 1 is not a string"),
    ("fetch_url", {"url": URL, "exclude": "nav"}, "exclude: 'nav' is not a list of strings"),
    ("fetch_url", {"url": URL, "exclude": [1]}, "exclude: [1] is not a list of strings"),
    (
        "fetch_url",
        {"url": URL, "select": "p", "section": "A", "outline": True},
        "section, outline, select: only one of them may be used",
    ),
    (
        "fetch_url",
        {"url": URL, "section": "A", "format": "raw"},
        "format: 'raw' has no headings; use markdown",
    ),
    (
        "fetch_url",
        {"url": URL, "json_pointer": "a"},
        "json_pointer: 'a' does not begin with /",
    ),
    (
        "fetch_url",
        {"url": "no url"},
        f"'no url' is not {A_URL}",
    ),
    (
        "outline",
        {"url": URL, "depth": 2},
        "'depth' is not an argument; there are url, extract, exclude",
    ),
    ("section", {"url": URL}, "section: a title, a number or a URL with a #fragment is needed"),
    ("section", {"url": URL, "title": 3}, "title: 3 is not a string"),
    ("check_url", {"url": URL, "robots": "no"}, "robots: 'no' is not true or false"),
    ("extract_links", {"url": URL, "limit": 0}, "limit: 0 is not a whole number from 1 to 2000"),
    (
        "extract_links",
        {"url": URL, "scope": "x"},
        "scope: 'x' is not one of all, internal, external",
    ),
    ("extract_metadata", {"url": {}}, "url: {} is not a string"),
]


@pytest.mark.parametrize(
    ("tool", "arguments", "message"), BAD, ids=[message[:60] for _, _, message in BAD]
)
def test_a_bad_argument_is_told_in_one_line(
    site: Site, tools: Tools, tool: str, arguments: dict[str, Any], message: str
) -> None:
    site.pages["/"] = Page(b'{"a": 1}', content_type="application/json")
    if arguments.get("url") == URL:
        arguments = {**arguments, "url": site.url()}
    result = tools(tool, **arguments)
    assert result.is_error
    assert text_of(result) == f"INVALID_INPUT: {message}\n"
    error = {"code": "INVALID_INPUT", "retryable": False, "message": message}
    url = arguments.get("url")
    asked = {"requestedUrl": url} if isinstance(url, str) else {}
    assert result.structured_content == {**asked, "error": error}


def test_a_long_value_is_cut_in_the_message(tools: Tools) -> None:
    error = tools.failure("fetch_url", url=URL, format="x" * 1000)["error"]
    assert error["message"] == f"format: '{'x' * 59}... is not one of markdown, raw, text"


@pytest.mark.parametrize("value", ["\x1b[2J\n", "\u202e", "\ud7ff"])
def test_a_value_is_shown_without_control_characters(tools: Tools, value: str) -> None:
    message = tools.failure("fetch_url", url=URL, format=value)["error"]["message"]
    assert message == f"format: {value!a} is not one of markdown, raw, text"


def test_null_stands_for_the_default(site: Site, tools: Tools) -> None:
    site.pages["/"] = Page(b"<p>Here.</p>")
    others = [argument.name for argument in TOOLS[0].arguments if argument.name != "url"]
    found = tools.result("fetch_url", url=site.url(), **dict.fromkeys(others))
    assert found["totalChars"] == 5


def test_a_number_without_a_fraction_is_an_integer(site: Site, tools: Tools) -> None:
    site.pages["/"] = Page(b"<p>Words of a page.</p>")
    found = tools.result("fetch_url", url=site.url(), max_chars=6.0, start_index=0.0)
    assert (found["startIndex"], found["nextStartIndex"]) == (0, 6)


def _values(argument: Argument) -> Iterator[Any]:
    yield from (True, False, 0, 1, -1, 5.0, 5.5, -0.0, 1e308, "", "x", "1", [], ["a"], [1], [[]])
    yield from ({}, {"a": 1}, *argument.choices, "MARKDOWN")
    for bound in (argument.low, argument.high):
        if bound is not None:
            yield from (bound - 1, bound, bound + 1, float(bound))


ARGUMENTS = [
    *((tool.name, argument) for tool in TOOLS for argument in tool.arguments),
    *((compat.NAME, argument) for argument in compat.ARGUMENTS),
]


@pytest.mark.parametrize(
    ("tool", "argument"), ARGUMENTS, ids=[f"{tool} {argument.name}" for tool, argument in ARGUMENTS]
)
def test_the_schema_and_the_check_agree(tool: str, argument: Argument) -> None:
    table = (argument,)
    validator = Draft202012Validator(input_schema(table))
    for value in _values(argument):
        given = {argument.name: value}
        assert validator.is_valid(given) == _is_taken(table, given), value
    assert not validator.is_valid({argument.name: "x", "other": 1})
    assert validator.is_valid({}) == _is_taken(table, {})


def _is_taken(table: tuple[Argument, ...], given: dict[str, Any]) -> bool:
    try:
        read_arguments(table, given)
    except InvalidInput:
        return False
    return True


def test_max_bytes_may_only_lower_the_setting(site: Site, era: str) -> None:
    site.pages["/"] = Page(b"<p>" + b"word " * 1000)
    tools = served(era, Settings(allow_local=True, max_bytes=2000))
    lowered = tools.result("fetch_url", url=site.url(), max_bytes=500)
    assert (lowered["bytes"], lowered["truncated"]) == (500, True)
    assert tools.result("fetch_url", url=site.url(), max_bytes=2000)["bytes"] == 2000
    assert tools.result("fetch_url", url=site.url())["bytes"] == 2000
    refused = tools.failure("fetch_url", url=site.url(), max_bytes=2001)["error"]
    assert refused["message"] == "max_bytes: 2001 is not from 1 to 2000"


def test_no_message_has_a_flag_or_a_setting() -> None:
    assert not [message for _, _, message in BAD if re.search(r"SAFE_FETCH|--\w", message)]
