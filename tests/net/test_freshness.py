"""What HTTP says about keeping an answer."""

from email.utils import formatdate
from typing import Any

import pytest

from safefetch_cli.models import Response
from safefetch_cli.net.freshness import (
    Kept,
    answers,
    confirms,
    is_fresh,
    lifetime,
    may_keep,
    renewed,
    validators,
)

NOW = 1_700_000_000.0
DATE = formatdate(NOW, usegmt=True)


def answer(status: int = 200, *, whole: bool = True, **headers: Any) -> Response:
    return Response(
        requested_url="http://a.example/",
        final_url="http://a.example/",
        status=status,
        reason="",
        headers={name.replace("_", "-"): value for name, value in headers.items()},
        body=b"body",
        truncated=not whole,
        complete=whole,
        retry_after_seconds=None,
        hops=(),
    )


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        (answer(cache_control="max-age=60"), True),
        (answer(203, cache_control="max-age=60"), True),
        (answer(cache_control="private, max-age=60"), True),
        (answer(etag='"x"'), True),
        (answer(last_modified=DATE), True),
        (answer(cache_control="no-cache", etag='"x"'), True),
        (answer(), False),
        (answer(cache_control="max-age=0"), False),
        (answer(cache_control="no-store, max-age=60"), False),
        (answer(cache_control="No-Store", etag='"x"'), False),
        (answer(vary="*", cache_control="max-age=60"), False),
        (answer(404, cache_control="max-age=60"), False),
        (answer(503, cache_control="max-age=60"), False),
        (answer(301, cache_control="max-age=60"), True),
        (answer(308, cache_control="max-age=60"), True),
        (answer(308, cache_control="max-age=60", set_cookie="a=b"), False),
        (answer(302, cache_control="max-age=60"), False),
        (answer(206, cache_control="max-age=60"), False),
        (answer(whole=False, cache_control="max-age=60"), False),
    ],
)
def test_what_may_be_kept(response: Response, expected: bool) -> None:
    assert may_keep(response) is expected


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"cache-control": "max-age=60"}, 60),
        ({"cache-control": 'max-age="60"'}, 60),
        ({"cache-control": "public , Max-Age = 60"}, 60),
        ({"cache-control": "max-age=60, max-age=30"}, 30),
        ({"cache-control": "max-age=60", "expires": "0", "date": DATE}, 60),
        ({"cache-control": "s-maxage=60"}, 0),
        ({"cache-control": "max-age=-1"}, 0),
        ({"cache-control": "max-age=1.5"}, 0),
        ({"cache-control": "max-age="}, 0),
        ({"cache-control": "max-age=" + "9" * 400}, 2**31),
        ({"cache-control": 'x="max-age=60"'}, 0),
        ({"cache-control": "no-cache, max-age=60"}, 0),
        ({"expires": formatdate(NOW + 90, usegmt=True), "date": DATE}, 90),
        ({"expires": formatdate(NOW - 90, usegmt=True), "date": DATE}, 0),
        ({"expires": "0", "date": DATE}, 0),
        ({"expires": DATE}, 0),
        ({"last-modified": DATE}, 0),
        ({}, 0),
    ],
)
def test_how_long_an_answer_is_fresh(headers: dict[str, str], seconds: float) -> None:
    assert lifetime(headers) == seconds


@pytest.mark.parametrize(
    ("headers", "later", "expected"),
    [
        ({}, 59, True),
        ({}, 60, False),
        ({"age": "50"}, 9, True),
        ({"age": "50"}, 10, False),
        ({"date": formatdate(NOW - 50, usegmt=True)}, 9, True),
        ({"date": formatdate(NOW - 50, usegmt=True)}, 10, False),
        ({"date": formatdate(NOW + 500, usegmt=True)}, 59, True),
        ({"age": "x"}, 59, True),
        ({}, -1, False),  # the clock went back
    ],
)
def test_age_counts(headers: dict[str, Any], later: float, expected: bool) -> None:
    response = answer(cache_control="max-age=60", **headers)
    assert is_fresh(Kept(response, {}, NOW), NOW + later, 1000) is expected


def test_nothing_is_kept_longer_than_the_setting() -> None:
    kept = Kept(answer(cache_control="max-age=1000"), {}, NOW)
    assert is_fresh(kept, NOW + 29, 30)
    assert not is_fresh(kept, NOW + 30, 30)


@pytest.mark.parametrize(
    ("vary", "request_headers", "expected"),
    [
        ("", {"accept": "x"}, True),
        ("Accept", {"accept": "text/html,  text/plain"}, True),
        ("Accept", {"accept": "text/plain"}, False),
        ("Accept", {}, False),
        ("cookie, ACCEPT", {"accept": "text/html, text/plain"}, True),
        ("Cookie", {"accept": "text/html, text/plain", "cookie": "a=b"}, False),
    ],
)
def test_which_requests_it_answers(
    vary: str, request_headers: dict[str, str], expected: bool
) -> None:
    kept = Kept(answer(vary=vary), {"accept": "text/html, text/plain"}, NOW)
    assert answers(kept, request_headers) is expected


def test_validators() -> None:
    assert validators({"etag": 'W/"x"', "last-modified": DATE}) == {
        "If-None-Match": 'W/"x"',
        "If-Modified-Since": DATE,
    }
    assert validators({}) == {}
    assert validators({"etag": '"x"\r\n "y"', "last-modified": ""}) == {}


@pytest.mark.parametrize(
    ("told", "known", "expected"),
    [('"x"', '"x"', True), ('"x"', 'W/"x"', True), ("", '"x"', True), ('"y"', '"x"', False)],
)
def test_what_a_304_speaks_of(told: str, known: str, expected: bool) -> None:
    assert confirms({"etag": told}, Kept(answer(etag=known), {}, NOW)) is expected


def test_a_304_renews_all_but_the_body() -> None:
    kept = Kept(answer(cache_control="max-age=1", content_type="text/html", etag='"x"'), {}, NOW)
    headers = {"cache-control": "max-age=60", "content-length": "0", "content-type": "text/plain"}
    new = renewed(kept, headers, NOW + 5)
    assert new.response.headers == {
        "cache-control": "max-age=60",
        "content-type": "text/html",
        "etag": '"x"',
    }
    assert (new.response.body, new.came_at) == (b"body", NOW + 5)
    assert is_fresh(new, NOW + 60, 1000)
