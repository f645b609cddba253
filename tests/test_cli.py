"""The installed command: streams, exit statuses, flags."""

import gzip
import json
import socket
import sys
from collections.abc import Callable

import pytest
from support_cli import Ended, Page, Program, Site

import safefetch_cli

ARTICLE = (
    b"<html><head><title>On tests</title></head><body><nav>Home About</nav><article><h1>On tests"
    b"</h1>"
    + b"<p>A paragraph that is long enough to be the main part of this page.</p>" * 8
    + b"</article><footer>Imprint</footer></body></html>"
)


@pytest.fixture
def page(site: Site) -> str:
    """The URL of a page with an article."""
    site.pages["/"] = Page(ARTICLE)
    return site.url()


def free_port() -> int:
    """A port on which nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def test_a_page_goes_to_stdout_as_markdown_and_nothing_to_stderr(
    program: Program, page: str
) -> None:
    ended = program.get(page)
    text = ended.stdout.decode()
    assert (ended.status, ended.stderr) == (0, "")
    assert "A paragraph that is long enough" in text
    assert "<p>" not in text
    assert text == text.rstrip("\n") + "\n"


def test_only_the_main_part_is_given_unless_all_is_asked_for(program: Program, page: str) -> None:
    assert b"Imprint" not in program.get(page).stdout
    assert b"Imprint" in program.get("--extract", "full", page).stdout


def test_the_raw_format_is_the_decoded_source(program: Program, page: str) -> None:
    assert program.get("--format", "raw", page).stdout == ARTICLE + b"\n"


def test_the_text_format_has_no_markup(program: Program, site: Site) -> None:
    site.pages["/"] = Page(b"<h1>One</h1><p>Two <b>three</b></p>")
    ended = program.get("--format", "text", "--extract", "full", site.url())
    assert ended.stdout == b"One\nTwo three\n"


def test_text_that_is_not_a_page_passes_as_it_is(program: Program, site: Site) -> None:
    site.pages["/"] = Page(b"# plain\n\n<b>as it is</b>\n\n\n", content_type="text/plain")
    assert program.get(site.url()).stdout == b"# plain\n\n<b>as it is</b>\n"


def test_control_characters_of_a_page_do_not_reach_the_terminal(
    program: Program, site: Site
) -> None:
    site.pages["/"] = Page(b"a\x1b[31mb\x7f\xc2\x9bc\r\nd\te")
    assert program.get("--format", "raw", site.url()).stdout == b"a[31mbc\nd\te\n"


def test_the_request_says_who_asks_and_carries_no_secret(
    program: Program, page: str, site: Site
) -> None:
    (program.folder / ".netrc").write_text("machine 127.0.0.1 login me password secret\n")
    environment = {
        "HOME": str(program.folder),
        "http_proxy": "http://127.0.0.1:1",
        "ALL_PROXY": "http://127.0.0.1:1",
    }
    assert program.get(page, "--user-agent", "me/1", environment=environment).status == 0
    assert len(site.request_headers) == 2  # the page, and robots.txt before it
    for headers in site.request_headers:
        assert headers["User-Agent"] == "me/1"
        assert headers["Host"] == f"127.0.0.1:{site.port}"
        assert not headers.keys() & {"Authorization", "Cookie", "Referer"}


def _refused(_: Site) -> str:
    return "http://169.254.169.254/latest/meta-data/"


def _unknown_name(_: Site) -> str:
    return "http://nothing.invalid/"


def _closed_port(_: Site) -> str:
    return f"http://127.0.0.1:{free_port()}/"


def _never_answered(site: Site) -> str:
    site.pages["/held"] = Page(held=True)
    return site.url("/held")


def _redirect_to_nowhere(site: Site) -> str:
    site.pages["/nowhere"] = Page(status=302)
    return site.url("/nowhere")


def _not_http(site: Site) -> str:
    site.raw["/raw"] = b"220 mail.example ESMTP\r\n"
    return site.url("/raw")


def _bomb(site: Site) -> str:
    bomb = gzip.compress(bytes(20_000_000))
    site.pages["/bomb"] = Page(bomb, headers={"Content-Encoding": "gzip"})
    return site.url("/bomb")


def _picture(site: Site) -> str:
    site.pages["/picture"] = Page(b"\x89PNG\r\n\x1a\n\x00", content_type="image/png")
    return site.url("/picture")


def _no_such_page(site: Site) -> str:
    return site.url("/no-such-page")


@pytest.mark.parametrize(
    ("make_url", "status", "code"),
    [
        (lambda _: "not a url", 2, "INVALID_INPUT"),
        (_refused, 3, "POLICY_REJECTED"),
        (_unknown_name, 4, "DNS_RESOLUTION_FAILED"),
        (_closed_port, 5, "CONNECTION_FAILED"),
        (_never_answered, 6, "TIMEOUT"),
        (_redirect_to_nowhere, 7, "REDIRECT_FAILED"),
        (_not_http, 8, "INVALID_RESPONSE"),
        (_bomb, 9, "PROCESSING_LIMIT"),
        (_picture, 10, "UNSUPPORTED_CONTENT_TYPE"),
        (_no_such_page, 22, "HTTP_ERROR"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_failure_has_its_exit_status_and_one_line(
    program: Program, site: Site, make_url: Callable[[Site], str], status: int, code: str
) -> None:
    url = make_url(site)
    limits = ("--timeout", "0.5") if "held" in url else ()
    ended = program.get(*limits, url)
    assert ended.status == status
    ended.check_failure(code)

    ended = program.get(*limits, "--json", url)
    result = json.loads(ended.stdout)
    assert ended.status == status
    assert ended.stdout.count(b"\n") == 1
    assert result["requestedUrl"] == url
    assert result["error"]["code"] == code
    assert set(result["error"]) == {"code", "retryable", "message"}
    assert ended.stderr.startswith(f"safefetch: {code}: {result['error']['message']}\n")


def test_json_of_a_success_has_all_fields_of_a_result(program: Program, page: str) -> None:
    result = json.loads(program.get("--json", page).stdout)
    assert set(result) == {
        *("text", "status", "requestedUrl", "finalUrl", "redirects", "contentType", "charset"),
        *("bytes", "truncated", "totalChars", "startIndex", "nextStartIndex", "extraction"),
        *("title", "description", "byline", "lang", "canonicalUrl", "publishedAt", "siteName"),
        *("markdownTokens", "refreshUrl", "charsetSource", "hints", "selection"),
        *("fromSnapshot", "fromCache"),
    }
    assert result["status"] == 200
    assert result["requestedUrl"] == result["finalUrl"] == page
    assert result["bytes"] == len(ARTICLE)
    assert result["totalChars"] == len(result["text"])
    assert (result["title"], result["extraction"]) == ("On tests", "main")
    assert (result["redirects"], result["hints"], result["truncated"]) == ([], [], False)


def test_json_of_an_http_error_has_its_status_and_text(program: Program, site: Site) -> None:
    site.pages["/"] = Page(b"<p>Come back later.</p>", 503, headers={"Retry-After": "7"})
    result = json.loads(program.get("--json", site.url()).stdout)
    assert result["status"] == 503
    assert result["finalUrl"] == site.url()
    assert result["retryAfterSeconds"] == 7
    assert result["text"] == "Come back later."
    assert result["error"]["retryable"] is True


def test_an_error_page_is_shown_on_stderr_and_on_stdout_only_if_asked(
    program: Program, site: Site
) -> None:
    ended = program.get(site.url("/x"))
    assert ended.stdout == b""
    assert "No such page." in ended.error_lines[1]
    ended = program.get("--fail-with-body", site.url("/x"))
    assert (ended.status, ended.stdout) == (22, b"No such page.\n")


def redirecting(site: Site) -> str:
    site.pages["/"] = Page(status=302, headers={"Location": "/next"})
    site.pages["/next"] = Page(ARTICLE)
    return site.url()


def test_verbose_shows_each_request_on_stderr(program: Program, site: Site) -> None:
    ended = program.get("-v", redirecting(site))
    first, second = ended.error_lines
    assert first.startswith(f"* GET {site.url()} from 127.0.0.1: 302")
    assert second.startswith(f"* GET {site.url('/next')} from 127.0.0.1: 200")
    assert b"* GET" not in ended.stdout


def test_verbose_shows_the_requests_before_a_failure(program: Program, site: Site) -> None:
    site.pages["/"] = Page(status=302, headers={"Location": "http://169.254.169.254/"})
    ended = program.get("-v", site.url())
    assert ended.status == 3
    assert [line[:5] for line in ended.error_lines] == ["* GET", "safef", "  The"]


def test_redirects_are_followed_as_often_as_allowed(program: Program, site: Site) -> None:
    url = redirecting(site)
    assert program.get("--max-redirects", "1", url).status == 0
    program.get("--max-redirects", "0", url).check_failure("REDIRECT_FAILED")
    assert json.loads(program.get("--json", url).stdout)["redirects"] == [
        {"url": url, "status": 302}
    ]


def test_what_is_odd_is_noted_unless_quiet(program: Program, site: Site) -> None:
    site.pages["/"] = Page(b"x" * 100, content_type="text/plain")
    loud = program.get("--max-bytes", "10", site.url())
    assert loud.stdout == b"x" * 10 + b"\n"
    assert loud.stderr.startswith("safefetch: note: ")
    assert "10 bytes" in loud.stderr
    quiet = program.get("-q", "--max-bytes", "10", site.url())
    assert (quiet.stdout, quiet.stderr) == (loud.stdout, "")
    assert program.get("-q", site.url("/x")).stderr.startswith("safefetch: HTTP_ERROR")


def test_the_version_is_one_line_on_stdout(program: Program) -> None:
    expected = Ended(0, f"safefetch {safefetch_cli.__version__}\n".encode(), "")
    assert program.run("--version") == program.run("-V") == expected


def test_without_arguments_the_usage_goes_to_stderr(program: Program) -> None:
    ended = program.run()
    assert (ended.status, ended.stdout) == (2, b"")
    assert ended.stderr.startswith("Usage: safefetch")


@pytest.mark.parametrize("arguments", [["--help"], ["-h"], ["get", "-h"], ["check-url", "--help"]])
def test_help_is_plain_text_on_stdout(program: Program, arguments: list[str]) -> None:
    ended = program.run(*arguments, environment={"COLUMNS": "30", "FORCE_COLOR": "1"})
    assert (ended.status, ended.stderr) == (0, "")
    assert ended.stdout.startswith(b"Usage: safefetch")
    assert b"\x1b" not in ended.stdout
    assert ended.stdout.isascii()


def test_the_module_is_the_command_too(program: Program) -> None:
    ended = program.run("--version", prefix=[sys.executable, "-m", "safefetch_cli"])
    assert ended == program.run("--version")
