"""JSON Pointer: the standard's examples, numbers as they are written, and what a miss says."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from safefetch_cli.content.pointer import parse_pointer, select
from safefetch_cli.errors import (
    InvalidInput,
    ProcessingLimit,
    SelectionNotFound,
    UnsupportedContentType,
)

# RFC 6901, section 5.
DOCUMENT = r"""{
  "foo": ["bar", "baz"],
  "": 0,
  "a/b": 1,
  "c%d": 2,
  "e^f": 3,
  "g|h": 4,
  "i\\j": 5,
  "k\"l": 6,
  " ": 7,
  "m~n": 8
}"""


@pytest.mark.parametrize(
    ("pointer", "value"),
    [
        ("/foo", '[\n  "bar",\n  "baz"\n]'),
        ("/foo/0", "bar"),
        ("/", "0"),
        ("/a~1b", "1"),
        ("/c%d", "2"),
        ("/e^f", "3"),
        ("/g|h", "4"),
        ("/i\\j", "5"),
        ('/k"l', "6"),
        ("/ ", "7"),
        ("/m~0n", "8"),
        ("#/foo/0", "bar"),
        ("#/", "0"),
        ("#/a~1b", "1"),
        ("#/c%25d", "2"),
        ("#/e%5Ef", "3"),
        ("#/g%7Ch", "4"),
        ("#/i%5Cj", "5"),
        ("#/k%22l", "6"),
        ("#/%20", "7"),
        ("#/m~0n", "8"),
    ],
)
def test_the_examples_of_the_standard(pointer: str, value: str) -> None:
    assert select(DOCUMENT, pointer) == value


@pytest.mark.parametrize("pointer", ["", "#"])
def test_the_whole_document(pointer: str) -> None:
    assert json.loads(select(DOCUMENT, pointer)) == json.loads(DOCUMENT)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("123456789012345678901234567890", "123456789012345678901234567890"),
        ("9" * 5000, "9" * 5000),
        ("0.1000", "0.1000"),
        ("1E400", "1E400"),
        ("-0", "-0"),
        ("NaN", "NaN"),
        ("[-Infinity, 1.50]", "[\n  -Infinity,\n  1.50\n]"),
        ("true", "true"),
        ("null", "null"),
        ('"a\\nb"', "a\nb"),
        ('["ü", "\\u0007"]', '[\n  "ü",\n  "\\u0007"\n]'),
        ("{}", "{}"),
        ("[]", "[]"),
        ('{"a": {}, "b": [[]]}', '{\n  "a": {},\n  "b": [\n    []\n  ]\n}'),
        ('"\\ud800"', "\ufffd"),
        ('\ufeff"x"', "x"),
        ('{"a": 1, "a": 2}', '{\n  "a": 2\n}'),
    ],
)
def test_how_a_value_is_written(text: str, expected: str) -> None:
    assert select(text, "") == expected


@pytest.mark.parametrize(
    ("pointer", "reason"),
    [
        ("/x", "the whole document is an object without 'x'"),
        ("/a/b/c", "'/a' is an object without 'b'"),
        ("/a/list/3", "'/a/list' is an array of 3, counted from 0"),
        ("/a/list/-", "'/a/list' is an array, and '-' is no index"),
        ("/a/list/01", "'/a/list' is an array, and '01' is no index"),
        ("/a/list/" + "9" * 30, "is no index"),
        ("/a/list/0/x", "'/a/list/0' is a number, which has no parts"),
        ("/a/s~1/x", "'/a/s~1' is a string, which has no parts"),
        ("/a/none/x", "'/a/none' is null, which has no parts"),
        ("#/a/%62", "'/a' is an object without 'b'"),
    ],
)
def test_a_miss_names_the_deepest_part_that_exists(pointer: str, reason: str) -> None:
    text = '{"a": {"list": [1, 2, 3], "s/": "x", "none": null}}'
    with pytest.raises(SelectionNotFound) as caught:
        select(text, pointer)
    assert caught.value.message.startswith(f"nothing is at {pointer!r}: ")
    assert caught.value.message.endswith(reason)


def test_a_long_miss_is_cut() -> None:
    with pytest.raises(SelectionNotFound) as caught:
        select("{}", "/" + "x" * 10_000)
    assert len(caught.value.message) < 600


@pytest.mark.parametrize("pointer", ["a", "a/b", "/a~", "/~2", "/a/~x", "#a", "##/a", "#/a%7E"])
def test_what_is_no_pointer(pointer: str) -> None:
    with pytest.raises(InvalidInput, match="json_pointer: "):
        parse_pointer(pointer)


@pytest.mark.parametrize("text", ["", "<html>", "{", "[1,]", '{"a" 1}', "01"])
def test_what_is_no_json(text: str) -> None:
    with pytest.raises(UnsupportedContentType, match="not JSON"):
        select(text, "/a")


def test_json_that_is_too_deep() -> None:
    with pytest.raises(ProcessingLimit):
        select("[" * 200_000 + "]" * 200_000, "/0")


def test_a_large_document_takes_little_time() -> None:
    text = json.dumps(
        {"rows": [{"id": number, "name": f"row {number}"} for number in range(50_000)]}
    )
    started = time.perf_counter()
    assert select(text, "/rows/49999/name") == "row 49999"
    assert json.loads(select(text, "")) == json.loads(text)
    assert time.perf_counter() - started < 4


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=10,
)


@given(value=_JSON, data=st.data())
def test_every_value_is_where_its_pointer_says(value: object, data: st.DataObject) -> None:
    document, pointer = value, ""
    while isinstance(value, (dict, list)) and value and data.draw(st.booleans()):
        step = data.draw(
            st.sampled_from(list(value) if isinstance(value, dict) else range(len(value)))
        )
        pointer += "/" + str(step).replace("~", "~0").replace("/", "~1")
        value = value[step]
    found = select(json.dumps(document), pointer)
    expected = value if isinstance(value, str) else json.dumps(value, indent=2, ensure_ascii=False)
    assert found == expected
