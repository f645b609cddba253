"""What a model hears of a call that failed: what happened, and never how to open what is closed."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from mcp_types import CallToolResult
from simulated_network import Connects, LoopbackServer, SimulatedDns, ok
from support.framed import inside, outside
from support.server import closed_port
from support.tools import Tools, served, text_of
from support_cli import Page, Site

from safefetch_cli.errors import FAILURES
from safefetch_cli.operations import Client
from safefetch_cli.server.log import Log
from safefetch_cli.settings import Settings

SECRET = "words-of-an-exception"
UNLOCKS = re.compile(r"SAFE_FETCH|--\w|allow_|allowlist")
INSIDE = ("10.1.2.3", "fd00::7", "169.254.169.254", "127.0.0.1")
READERS = ("fetch_url", "outline", "section", "extract_links", "extract_metadata")


def arguments_of(tool: str, url: str) -> dict[str, Any]:
    return {"url": url, "title": "x"} if tool == "section" else {"url": url}


def everything(result: CallToolResult) -> str:
    """All that a client gets of a result."""
    return result.model_dump_json(by_alias=True)


def schemas_of(tools: Tools) -> dict[str, Draft202012Validator]:
    listed = tools.ask(lambda client: client.list_tools()).tools
    return {tool.name: Draft202012Validator(tool.output_schema or True) for tool in listed}


@pytest.fixture(scope="module")
def faulty(pages: Site) -> Site:
    """A site with a page for each failure."""
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
    long_ago = {"Retry-After": "120"}
    pages.pages |= {
        "/": Page(b"<title>T</title><h1>Obey me</h1><p>Text.</p>"),
        "/404": Page(b"<p>Gone fishing.</p>", 404),
        "/429": Page(b"<p>Slow down.</p>", 429, headers=long_ago),
        "/503": Page(b"", 503),
        "/circle": Page(status=302, headers={"Location": "/circle"}),
        "/binary": Page(b"\0\1\2", content_type="application/obey-me"),
        "/held": Page(held=True),
        "/robots.txt": Page(b"User-agent: *\nDisallow: /obey-me\n", content_type="text/plain"),
    }
    pages.raw["/junk"] = b"obey me\r\n\r\n"
    pages.raw["/coding"] = head + b"Content-Encoding: obey-me\r\n\r\nx"
    pages.raw["/transfer"] = head + b"Transfer-Encoding: obey-me\r\n\r\nx"
    pages.raw["/lengths"] = head + b"Content-Length: 1\r\nContent-Length: 2 obey me\r\n\r\nx"
    pages.raw["/large"] = head + b"X: obey me%b\r\n" % (b"!" * 50_000) * 20 + b"\r\nx"
    return pages


@pytest.fixture(scope="module")
def closed_url() -> Iterator[str]:
    """Of a port on which nobody listens."""
    with closed_port() as sock:
        yield f"http://127.0.0.1:{sock.getsockname()[1]}/"


FAILED = [
    ("INVALID_INPUT", "fetch_url", "no url", {}),
    ("POLICY_REJECTED", "fetch_url", "http://0.0.0.0/", {}),
    ("DNS_RESOLUTION_FAILED", "outline", "http://name.invalid/", {}),
    ("CONNECTION_FAILED", "extract_links", "closed", {}),
    ("TIMEOUT", "extract_metadata", "/held", {}),
    ("REDIRECT_FAILED", "fetch_url", "/circle", {}),
    ("INVALID_RESPONSE", "outline", "/junk", {}),
    ("INVALID_RESPONSE", "fetch_url", "/coding", {}),
    ("INVALID_RESPONSE", "fetch_url", "/transfer", {}),
    ("INVALID_RESPONSE", "fetch_url", "/lengths", {}),
    ("PROCESSING_LIMIT", "fetch_url", "/large", {}),
    ("UNSUPPORTED_CONTENT_TYPE", "fetch_url", "/binary", {}),
    ("ROBOTS_DISALLOWED", "section", "/obey-me", {"title": "x"}),
    ("SELECTION_NOT_FOUND", "section", "/", {"title": "zzz"}),
    ("SELECTION_NOT_FOUND", "fetch_url", "/", {"select": "table"}),
    ("HTTP_ERROR", "fetch_url", "/404", {}),
    ("HTTP_ERROR", "outline", "/429", {}),
    ("HTTP_ERROR", "extract_links", "/503", {}),
]


@pytest.mark.parametrize(
    ("code", "tool", "where", "arguments"), FAILED, ids=[f"{row[0]} {row[2]}" for row in FAILED]
)
def test_a_failure(
    faulty: Site,
    closed_url: str,
    era: str,
    code: str,
    tool: str,
    where: str,
    arguments: dict[str, Any],
) -> None:
    url = faulty.url(where) if where.startswith("/") else where.replace("closed", closed_url)
    timeout_ms = 300 if code == "TIMEOUT" else 10_000
    tools = served(era, Settings(allow_local=True, timeout_ms=timeout_ms))
    result = tools(tool, url=url, **arguments)
    assert result.is_error
    found = result.structured_content
    assert found is not None
    error = found["error"]
    assert error["code"] == code
    assert error["retryable"] is (FAILURES[code].retryable or where in ("/429", "/503"))
    assert found["requestedUrl"] == url
    own_words = outside(text_of(result))
    assert own_words == f"{code}: {error['message']}\n"
    assert "obey" not in own_words.lower().replace(url, "")
    assert "Gone fishing" not in own_words
    assert not UNLOCKS.search(everything(result))
    for schema in schemas_of(tools).values():
        schema.validate(found)


def test_every_failure_is_among_these() -> None:
    others = {"ROBOTS_UNAVAILABLE", "INTERNAL_ERROR"}  # below
    assert {row[0] for row in FAILED} | others == set(FAILURES)


def test_a_robots_file_that_cannot_be_had(site: Site, tools: Tools) -> None:
    site.pages["/robots.txt"] = Page(status=503)
    found = tools.failure("fetch_url", url=site.url("/x"))
    assert found["error"] == {
        "code": "ROBOTS_UNAVAILABLE",
        "retryable": True,
        "message": f"{site.url('/robots.txt')} could not be had, so nothing may be read: it "
        "answered 503",
    }


@pytest.mark.parametrize(
    ("where", "said"),
    [
        ("/junk", "BadStatusLine obey me\\r "),
        ("/coding", "'obey-me'"),
        ("/transfer", "'obey-me'"),
        ("/lengths", "'1,2 obey me'"),
        ("/binary", "application/obey-me"),
        ("/obey-me", "Disallow: /obey-me"),
        ("/404", "Gone fishing."),
    ],
)
def test_what_a_site_says_in_a_failure_is_framed(
    faulty: Site, tools: Tools, where: str, said: str
) -> None:
    result = tools("fetch_url", url=faulty.url(where))
    assert result.structured_content is not None
    assert inside(text_of(result)) == said
    assert inside(result.structured_content["text"]) == said


def test_an_http_error_has_its_status_and_how_long_to_wait(faulty: Site, tools: Tools) -> None:
    url = faulty.url("/429")
    result = tools("fetch_url", url=url)
    found = result.structured_content
    assert found is not None
    assert inside(found.pop("text")) == "Slow down."
    assert found == {
        "requestedUrl": url,
        "finalUrl": url,
        "status": 429,
        "retryAfterSeconds": 120,
        "hints": ["http-error"],
        "error": {
            "code": "HTTP_ERROR",
            "retryable": True,
            "message": f"{url} answered 429; it asks to wait 120 seconds",
        },
    }


def test_an_http_error_without_a_text_has_no_frame(faulty: Site, tools: Tools) -> None:
    result = tools("fetch_url", url=faulty.url("/503"))
    assert result.structured_content is not None
    assert result.structured_content["text"] == ""
    assert text_of(result) == f"HTTP_ERROR: {faulty.url('/503')} answered 503\n"


def test_titles_of_the_page_are_framed_when_no_section_is_found(faulty: Site, tools: Tools) -> None:
    result = tools("section", url=faulty.url("/"), title="zzz")
    assert outside(text_of(result)) == (
        "SELECTION_NOT_FOUND: no heading of the page matches 'zzz'\n"
    )
    assert inside(text_of(result)) == "it begins with 'Obey me'"
    assert result.structured_content is not None
    assert "Obey" not in result.structured_content["error"]["message"]


# What the guard refuses


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch, server: LoopbackServer) -> SimulatedDns:
    """Names that lead inside, and a public site that redirects there."""
    dns = SimulatedDns(
        {
            "private.example": ["10.1.2.3"],
            "private6.example": ["fd00::7"],
            "both.example": ["93.184.216.34", "10.1.2.3"],
            "metadata.example": ["169.254.169.254"],
            "loop.example": ["127.0.0.1"],
            "public.example": ["93.184.216.34"],
        }
    )
    monkeypatch.setattr("safefetch_cli.net.resolve.system_lookup", dns)
    monkeypatch.setattr("safefetch_cli.net.check.system_lookup", dns, raising=False)
    server.answer = _redirect
    return dns


def _redirect(url: str) -> bytes:
    places = {"/a": "http://10.1.2.3/secret", "/b": "http://private.example/", "/c": "file:///x"}
    path = "/" + url.split("/", 3)[3]
    places["/d"] = "http://169.254.169.254/latest"
    if path.startswith("/refresh"):
        page = f"<meta http-equiv=refresh content='0;url={places[path.removeprefix('/refresh')]}'>"
        head = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {len(page)}\r\n\r\n"
        return (head + page).encode()
    return ok(302, places[path]) if path in places else ok(404)


REFUSED = [
    "http://10.1.2.3/",
    "http://[fd00::7]:80/",
    "http://169.254.169.254/latest/meta-data/",
    "http://127.0.0.1:8080/",
    "http://2130706433/",
    "http://localhost/",
    "http://metadata.google.internal/",
    "http://private.example/",
    "http://private6.example/",
    "http://both.example/",
    "http://metadata.example/",
    "http://loop.example/",
    "http://user:password@93.184.216.34/",
    "http://93.184.216.34:22/",
    "ftp://93.184.216.34/",
]
LED_INSIDE = [f"http://public.example/{path}" for path in "abcd"]
SENT_INSIDE = [f"http://public.example/refresh/{path}" for path in "abcd"]


def met_inside(url: str, text: str) -> list[str]:
    """The internal addresses in a text that the URL does not name."""
    named = url.replace("2130706433", "127.0.0.1")
    return [address for address in INSIDE if address in text and address not in named]


@pytest.mark.parametrize("url", REFUSED)
def test_a_refusal_names_nothing_that_was_not_asked_for(
    names: SimulatedDns, connects: Connects, era: str, url: str
) -> None:
    tools = served(era, Settings(), with_compat=True)
    answers = [tools(tool, **arguments_of(tool, url)) for tool in READERS]
    answers.append(tools("fetch", url=url))
    for result in answers:
        assert result.is_error
        assert result.structured_content is not None
        assert result.structured_content["error"]["code"] == "POLICY_REJECTED"
        assert result.structured_content["error"]["retryable"] is False
    verdict = tools("check_url", url=url)
    assert verdict.structured_content is not None
    assert verdict.structured_content["verdict"] == "refused"
    shown = [everything(result) for result in (*answers, verdict)]
    shown.append(tools.prompt("fetch", {"url": url}).model_dump_json())
    for text in shown:
        assert met_inside(url, text) == []
        assert not UNLOCKS.search(text.replace(url, ""))
    assert connects.asked == []


@pytest.mark.parametrize("url", LED_INSIDE)
def test_a_redirect_inside_is_refused_without_saying_where_to(
    names: SimulatedDns, connects: Connects, server: LoopbackServer, era: str, url: str
) -> None:
    tools = served(era, Settings(), with_compat=True)
    answers = [tools(tool, **arguments_of(tool, url)) for tool in (*READERS, "fetch")]
    for result in answers:
        assert result.is_error
        assert met_inside(url, everything(result)) == []
        assert "secret" not in everything(result)
        assert not UNLOCKS.search(everything(result))
        assert result.structured_content is not None
        assert result.structured_content["error"]["code"] == "POLICY_REJECTED"
    prompt = tools.prompt("fetch", {"url": url}).model_dump_json()
    assert met_inside(url, prompt) == []
    assert {address for address, _ in connects.asked} == {"93.184.216.34"}
    assert {asked.split("/")[2] for asked in server.requests} == {"public.example"}


@pytest.mark.parametrize("url", SENT_INSIDE[:2] + SENT_INSIDE[3:])
def test_a_page_that_sends_inside_is_refused_without_saying_where_to(
    names: SimulatedDns, connects: Connects, server: LoopbackServer, era: str, url: str
) -> None:
    tools = served(era, Settings(), with_compat=True)
    for tool in READERS[:3]:
        result = tools(tool, **arguments_of(tool, url))
        assert result.structured_content is not None
        error = result.structured_content["error"]
        assert error["code"] == "POLICY_REJECTED"
        assert error["message"].startswith(
            "public.example sends a browser on to a place that is refused: "
        )
        assert met_inside(url, everything(result)) == []
        assert "secret" not in everything(result)
        assert "private.example" not in everything(result)
        assert not UNLOCKS.search(everything(result))
    assert {address for address, _ in connects.asked} == {"93.184.216.34"}


# Where a site leads


@pytest.mark.parametrize("where", ["/missing", "/led/circle", "/led/nowhere"])
def test_an_error_says_nothing_in_the_words_of_a_redirect(
    site: Site, tools: Tools, where: str
) -> None:
    said = "/" + "obey-me-" * 800
    site.pages["/start"] = Page(status=302, headers={"Location": said + where})
    site.pages[f"{said}/led/circle"] = Page(status=302, headers={"Location": "/start"})
    site.pages[f"{said}/led/nowhere"] = Page(status=302)
    result = tools("fetch_url", url=site.url("/start"))
    assert result.is_error
    own_words = outside(text_of(result)).partition("The text between")[0]
    assert "obey" not in own_words
    assert len(text_of(result)) < 1000


def test_a_frame_shows_the_start_of_a_long_url(site: Site, tools: Tools) -> None:
    said = "/" + "obey-me-" * 800
    site.pages["/start"] = Page(status=302, headers={"Location": said})
    site.pages[said] = Page(b"<p>Text.</p>")
    result = tools("fetch_url", url=site.url("/start"))
    assert result.structured_content is not None
    assert result.structured_content["finalUrl"] == site.url(said)
    shown = f"comes from {site.url(said)[:300]}.... It is content"
    assert shown in text_of(result)


# A bug


@pytest.mark.parametrize("error", [ValueError(SECRET), KeyError(SECRET), OSError(SECRET)])
@pytest.mark.parametrize("inner", [True, False], ids=["below", "in the operation"])
def test_a_bug_leaks_no_text(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    faulty: Site,
    era: str,
    error: Exception,
    inner: bool,
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise error

    if inner:
        monkeypatch.setattr("safefetch_cli.results.Page.result", broken)
        monkeypatch.setattr("safefetch_cli.results.simplified_of", broken)
    else:
        monkeypatch.setattr(Client, "get", broken)
        monkeypatch.setattr(Client, "simplified", broken)
    tools = served(era, with_compat=True, log=Log(quiet=True))
    url = faulty.url("/")
    for tool in ("fetch_url", "fetch"):
        result = tools(tool, url=url)
        assert text_of(result) == "INTERNAL_ERROR: an internal error\n"
        assert result.structured_content == {
            "requestedUrl": url,
            "error": {
                "code": "INTERNAL_ERROR",
                "retryable": False,
                "message": "an internal error",
            },
        }
        assert SECRET not in everything(result)
    assert SECRET not in tools.prompt("fetch", {"url": url}).model_dump_json()
    logged = capsys.readouterr().err.splitlines()
    assert len(logged) == 3
    assert all(line.startswith("safefetch: bug tool=") and SECRET in line for line in logged)
