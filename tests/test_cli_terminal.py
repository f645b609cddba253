"""At a terminal: what is seen, what is coloured, and that results stay what they are."""

import re
from collections.abc import Callable

import pytest
from support_cli import HANG_SECONDS, Page, Program, Site
from support_terminal import DRAWN_AND_GONE, STYLES, at_terminal, seen

TEXT = '# A title\n\nSome *words*, see [this](http://x.example/ "that").\n\n' + "long " * 40 + "\n"


@pytest.fixture
def page(site: Site) -> str:
    """The URL of a page of markdown with a line that is longer than any terminal."""
    site.pages["/page"] = Page(TEXT.encode(), content_type="text/markdown")
    site.pages["/html"] = Page(b"<p>See <a href=/x>this</a>.")
    return site.url("/page")


@pytest.mark.parametrize(
    "make",
    [
        lambda url: ["get", url],
        lambda url: ["get", url, url],
        lambda url: ["get", "--json", url],
        lambda url: ["outline", url],
        lambda url: ["section", url, "A title"],
        lambda url: ["links", url.replace("page", "html")],
        lambda url: ["check-url", "--json", url],
    ],
    ids=["get", "get many", "get json", "outline", "section", "links", "verdict json"],
)
@pytest.mark.parametrize("streams", [("stdout",), ("stderr",), ("stdout", "stderr")])
def test_the_result_is_the_same_bytes_at_a_terminal(
    program: Program, page: str, make: Callable[[str], list[str]], streams: tuple[str, ...]
) -> None:
    command, *rest = make(page)
    own = [] if command == "check-url" else ["--no-snapshot"]
    arguments = (command, "--allow-local", *own, *rest)
    expected = program.run(*arguments).stdout
    assert expected
    with at_terminal(program, *arguments, streams=streams) as (child, terminal):
        piped = b""
        if child.stdout is not None:
            piped = child.stdout.read()
        terminal.read_to_the_end()
        assert child.wait(HANG_SECONDS) == 0
    # On a slow machine there may be progress, which is taken away again.
    shown = DRAWN_AND_GONE.sub(b"", terminal.data.replace(b"\r\n", b"\n"))
    assert (piped, shown) == ((b"", expected) if "stdout" in streams else (expected, b""))


def test_a_verdict_is_a_table(program: Program) -> None:
    status, text = seen(program, "check-url", "http://127.0.0.1/")
    assert status == 3
    assert STYLES.sub("", text).splitlines()[:7] == [
        "url        http://127.0.0.1/",
        "verdict    refused",
        "code       POLICY_REJECTED",
        "rule       address",
        "class      loopback",
        "reason     this machine, RFC 1122",
        "addresses  127.0.0.1  loopback  not allowed",
    ]
    assert "\x1b[1;31mrefused" in text
    assert STYLES.sub("", seen(program, "check-url", "http://1.1.1.1/")[1]).split("\n")[1] == (
        "verdict    allowed"
    )


def test_a_verdict_in_a_pipe_is_lines(program: Program) -> None:
    ended = program.run("check-url", "http://1.1.1.1/", environment={"FORCE_COLOR": "1"})
    assert ended.stdout == b"allowed http://1.1.1.1/\n  address: 1.1.1.1 (public, allowed)\n"


def test_metadata_is_a_table_and_says_all_that_is_known(program: Program, site: Site) -> None:
    site.pages["/"] = Page(
        b"<title>[bold]On[/bold] :smile: tests</title><meta property=og:type content=article>"
        b"<link rel=alternate hreflang=de href=/de><h1>On tests</h1>"
    )
    arguments = ("metadata", "--allow-local", "--color", "never", site.url())
    status, text = seen(program, *arguments)
    rows = dict(re.findall(r"^(\w+) {2,}(.*)$", text, re.MULTILINE))
    assert status == 0
    assert "\x1b" not in text
    assert rows["title"] == "[bold]On[/bold] :smile: tests"
    assert rows["openGraph"] == "type: article"
    assert rows["alternates"] == f"{site.url('/de')}  de"
    assert rows["headings"] == "1  On tests"
    assert rows["status"] == "200"
    assert rows["truncated"] == "false"


def test_pretty_renders_markdown_wherever_it_goes(program: Program, page: str) -> None:
    ended = program.get("--pretty", page, environment={"COLUMNS": "60"})
    text = ended.stdout.decode()
    assert (ended.status, ended.stderr) == (0, "")
    assert "Some words, see this (http://x.example/)." in text
    assert "\x1b" not in text
    assert max(map(len, text.splitlines())) <= 60
    status, text = seen(program, "get", "--allow-local", "--pretty", page)
    assert status == 0
    assert "\x1b[3mwords\x1b[0m" in text


def test_a_file_is_no_terminal(program: Program, page: str) -> None:
    arguments = ("get", "--allow-local", "--pretty", page)
    assert seen(program, *arguments, "-o", "page.txt") == (0, "")
    expected = program.run(*arguments, environment={"COLUMNS": "80"}).stdout
    assert (program.folder / "page.txt").read_bytes() == expected
    assert program.run(*arguments, "-f", "-o", "page.txt", "--color", "always").status == 0
    assert b"\x1b[3mwords\x1b[0m" in (program.folder / "page.txt").read_bytes()


def test_a_frame_stands_round_what_is_rendered(program: Program, page: str) -> None:
    plain = program.get("--pretty", page).stdout.decode().strip("\n")
    framed = program.get("--pretty", "--frame", page).stdout.decode()
    _, text, end = re.split(r"^<<<.*>>>$", framed, flags=re.MULTILINE)
    assert (text.strip("\n"), end) == (plain, "\n")


def test_a_terminal_too_narrow_for_a_table_has_lines(program: Program) -> None:
    expected = program.run("check-url", "http://1.1.1.1/").stdout.decode()
    assert expected
    for columns in ("1", "39"):
        narrow = {"COLUMNS": columns}
        arguments = ("check-url", "http://1.1.1.1/")
        assert seen(program, *arguments, environment=narrow) == (0, expected)


WITH = "coloured"
WITHOUT = "plain"


@pytest.mark.parametrize(
    ("flags", "environment", "at", "expected"),
    [
        ([], {}, "pipe", WITHOUT),
        ([], {}, "terminal", WITH),
        ([], {"TERM": "dumb"}, "terminal", WITHOUT),
        ([], {"NO_COLOR": "1"}, "terminal", WITHOUT),
        ([], {"NO_COLOR": ""}, "terminal", WITH),
        ([], {"FORCE_COLOR": "1"}, "pipe", WITH),
        ([], {"FORCE_COLOR": "0"}, "pipe", WITHOUT),
        ([], {"FORCE_COLOR": "1", "NO_COLOR": "1"}, "terminal", WITHOUT),
        (["--color", "always"], {"NO_COLOR": "1"}, "pipe", WITH),
        (["--color=never"], {"FORCE_COLOR": "1"}, "terminal", WITHOUT),
        (["--color", "auto"], {"FORCE_COLOR": "1"}, "pipe", WITH),
        (["--color", "never", "--color", "always"], {}, "pipe", WITH),
    ],
)
def test_the_flag_wins_over_the_environment_and_that_over_the_stream(
    program: Program, flags: list[str], environment: dict[str, str], at: str, expected: str
) -> None:
    arguments = ["get", *flags, "http://127.0.0.1/"]
    if at == "terminal":
        status, text = seen(program, *arguments, environment=environment)
    else:
        ended = program.run(*arguments, environment=environment)
        status, text = ended.status, ended.stderr
        assert ended.stdout == b""
    assert status == 3
    lead = "safefetch: POLICY_REJECTED:"
    assert text.startswith(f"\x1b[1;31m{lead}\x1b[0m " if expected == WITH else f"{lead} ")


def held(site: Site) -> list[str]:
    site.pages["/held"] = Page(b"at last\n", content_type="text/plain", held=True)
    site.pages["/a"] = Page(b"page a\n", content_type="text/plain")
    return [site.url("/a"), site.url("/nope"), site.url("/held")]


def test_many_pages_are_counted_after_a_while_and_the_count_goes(
    program: Program, site: Site
) -> None:
    urls = held(site)
    arguments = ("get", "--allow-local", "--ignore-robots-txt", *urls)
    with at_terminal(program, *arguments, streams=("stderr",)) as (child, terminal):
        terminal.read_until("1 done, 1 failed, 3 in all")
        site.released.set()
        assert child.stdout is not None
        text = child.stdout.read().decode()
        terminal.read_to_the_end()
        assert child.wait(HANG_SECONDS) == 22
    assert text == f"==> {urls[0]} <==\npage a\n\n==> {urls[2]} <==\nat last\n"
    assert terminal.screen.text.splitlines() == [
        f"safefetch: HTTP_ERROR: {urls[1]} answered 404 Not Found",
        "  The page says: No such page.",
    ]


def test_pages_and_count_share_a_terminal(program: Program, site: Site) -> None:
    urls = held(site)
    with at_terminal(program, "get", "--allow-local", "-q", "-j", "1", *urls) as (child, terminal):
        site.released.set()
        terminal.read_to_the_end()
        assert child.wait(HANG_SECONDS) == 22
    assert "at last" in terminal.text
    assert "done" not in terminal.text


def test_one_long_download_is_shown_and_goes(program: Program, site: Site) -> None:
    site.pages["/robots.txt"] = Page(b"User-agent: *\nAllow: /\n", content_type="text/plain")
    url = held(site)[2]
    with at_terminal(program, "get", "--allow-local", url) as (child, terminal):
        terminal.read_until("0/? bytes")  # those of robots.txt are not the page's
        site.released.set()
        terminal.read_to_the_end()
        assert child.wait(HANG_SECONDS) == 0
    assert terminal.screen.text == "at last"


def test_ctrl_c_takes_the_count_away(program: Program, site: Site) -> None:
    import signal

    urls = held(site)
    with at_terminal(program, "get", "--allow-local", *urls[2:], urls[2]) as (child, terminal):
        terminal.read_until("0 done")
        child.send_signal(signal.SIGINT)
        terminal.read_to_the_end()
        assert child.wait(HANG_SECONDS) == 130
    assert terminal.screen.text in ("", "^C")
