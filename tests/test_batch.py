"""Many pages through one client."""

import threading
from collections.abc import Iterator

import pytest
from support.behaviours import by_target, response
from support.server import Connection, Serve

from safefetch_cli import Client, HttpError, InternalError, InvalidInput, PolicyRejected
from safefetch_cli.batch import Outcome, outcomes
from safefetch_cli.models import Result
from safefetch_cli.watch import Watch

HANG_SECONDS = 30


def client(timeout_ms: int = 600_000) -> Client:
    return Client(allow_local=True, robots="ignore", timeout_ms=timeout_ms)


def page(text: str) -> bytes:
    return response(text.encode(), b"Content-Type: text/plain")


def texts(found: Iterator[Outcome]) -> list[str]:
    return [one.result.text if one.result else one.error.code if one.error else "" for one in found]


def test_pages_and_failures_come_in_the_order_of_their_urls(serve: Serve) -> None:
    server = serve(by_target({f"/{n}": page(f"page {n}") for n in range(20)}))
    urls = [server.url(f"/{n}") for n in range(20)]
    urls[3:3] = ["no url", "http://169.254.169.254/"]
    found = list(client().get_many(urls, jobs=8))
    assert [one.url for one in found] == urls
    expected = [f"page {n}" for n in range(20)]
    expected[3:3] = ["INVALID_INPUT", "POLICY_REJECTED"]
    assert texts(iter(found)) == expected


def test_an_outcome_is_the_object_of_the_result_or_of_the_error(serve: Serve) -> None:
    server = serve(by_target({"/a": page("a")}))
    good, bad = client().get_many([server.url("/a"), "http://10.0.0.1:0/"])
    assert good.error is None
    assert good.result is not None
    assert good.to_dict() == good.result.to_dict()
    assert bad.result is None
    assert bad.to_dict()["requestedUrl"] == "http://10.0.0.1:0/"
    assert bad.to_dict()["error"]["code"] == "INVALID_INPUT"


def test_the_keywords_are_those_of_get(serve: Serve) -> None:
    server = serve(by_target({"/a": response(b'{"x": {"y": 7}}', b"Content-Type: text/json")}))
    (found,) = client().get_many([server.url("/a")], json_pointer="/x/y", max_chars=1)
    assert found.result is not None
    assert found.result.text == "7"


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"jobs": 0}, "jobs"),
        ({"jobs": 65}, "jobs"),
        ({"retries": 11}, "retries"),
        ({"format": "pdf"}, "format"),
        ({"extract": "some"}, "extract"),
    ],
)
def test_a_bad_keyword_is_refused_before_anything_is_read(
    options: dict[str, object], named: str
) -> None:
    read: list[str] = []

    def urls() -> Iterator[str]:
        read.append("http://x.example/")
        yield from read

    with pytest.raises(InvalidInput, match=named):
        client().get_many(urls(), **options)  # type: ignore[arg-type]
    assert read == []


def test_a_bug_that_one_page_shows_ends_no_other() -> None:
    def get(url: str, _: Watch) -> Result:
        if url == "bad":
            raise ZeroDivisionError
        raise PolicyRejected("no", rule="host")

    found = list(outcomes(["x", "bad", "y"], get, 2))
    kinds = [type(one.error) for one in found]
    assert kinds == [PolicyRejected, InternalError, PolicyRejected]


def test_closing_ends_what_is_on_its_way(serve: Serve) -> None:
    asked = threading.Event()

    def behave(connection: Connection) -> None:
        target = connection.request().target
        if target == "/held":
            asked.set()
            connection.pause()
        else:
            connection.send(page("there"))

    server = serve(behave)
    found = client().get_many([server.url("/a"), server.url("/held")], jobs=2)
    assert next(found).result is not None
    assert asked.wait(HANG_SECONDS)
    found.close()
    assert texts(found) == []


def test_another_try_is_made_after_an_error_that_may_pass(serve: Serve) -> None:
    answers = [response(b"", b"Retry-After: 0", status=b"503 Busy")] * 2 + [page("at last")]

    def behave(connection: Connection) -> None:
        connection.request()
        connection.send(answers.pop(0))

    server = serve(behave)
    assert client().get(server.url("/a"), retries=2).text == "at last"


def test_a_try_that_would_come_too_late_is_not_made(serve: Serve) -> None:
    server = serve(by_target({"/a": response(b"", b"Retry-After: 60", status=b"503 Busy")}))
    with pytest.raises(HttpError):
        client(timeout_ms=30_000).get(server.url("/a"), retries=5)
    assert server.targets == ["/a"]
