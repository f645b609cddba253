"""Many URLs on one command line: order, failures, statuses, interruption."""

import json
import signal
import subprocess
from pathlib import Path

import pytest
from support_cli import HANG_SECONDS, Page, Program, Site


@pytest.fixture
def pages(site: Site) -> list[str]:
    """The URLs of three pages."""
    for name in "abc":
        site.pages[f"/{name}"] = Page(f"page {name}".encode(), content_type="text/plain")
    return [site.url(f"/{name}") for name in "abc"]


def objects(data: bytes) -> list[dict[str, object]]:
    return [json.loads(line) for line in data.decode().splitlines()]


def test_each_page_has_a_line_with_its_url_before_it(program: Program, pages: list[str]) -> None:
    ended = program.get(*pages[:2])
    expected = f"==> {pages[0]} <==\npage a\n\n==> {pages[1]} <==\npage b\n"
    assert (ended.status, ended.stdout.decode(), ended.stderr) == (0, expected, "")


def test_one_url_is_as_it_always_was(program: Program, pages: list[str]) -> None:
    assert program.get(pages[0]).stdout == b"page a\n"


def test_a_page_without_text_has_its_line_alone(
    program: Program, site: Site, pages: list[str]
) -> None:
    site.pages["/empty"] = Page(b"", content_type="text/plain")
    ended = program.get(site.url("/empty"), pages[0])
    expected = f"==> {site.url('/empty')} <==\n\n==> {pages[0]} <==\npage a\n"
    assert ended.stdout.decode() == expected
    note = f"safefetch: note: {site.url('/empty')}: the page has no text (status 200)"
    assert ended.error_lines == [note]


@pytest.mark.parametrize("jobs", ["1", "2", "64"])
def test_the_order_is_that_of_the_urls_whatever_comes_first(
    program: Program, site: Site, jobs: str
) -> None:
    urls = [site.url(f"/{number}") for number in range(30)]
    for number in range(30):
        site.pages[f"/{number}"] = Page(b"%d" % number, content_type="text/plain")
    ended = program.get("--json", "-j", jobs, *urls)
    assert [one["text"] for one in objects(ended.stdout)] == list(map(str, range(30)))
    assert ended.status == 0


def test_a_failure_is_an_object_like_all_others(program: Program, pages: list[str]) -> None:
    urls = [pages[0], "no url", pages[1] + "x", "http://169.254.169.254/", pages[2]]
    ended = program.get("--json", *urls)
    found = objects(ended.stdout)
    assert ended.status == 1
    assert [one["requestedUrl"] for one in found] == urls
    codes = [one["error"]["code"] if "error" in one else "" for one in found]  # type: ignore[index]
    assert codes == ["", "INVALID_INPUT", "HTTP_ERROR", "POLICY_REJECTED", ""]
    lines = [line for line in ended.error_lines if not line.startswith("  ")]
    assert [line.split(": ")[1] for line in lines] == [code for code in codes if code]


def test_an_object_of_many_is_that_of_one(program: Program, pages: list[str]) -> None:
    many = program.get("--json", *pages).stdout.splitlines(keepends=True)
    assert many == [program.get("--json", url).stdout for url in pages]
    bad = "http://169.254.169.254/"
    one = program.run("get", "--json", bad).stdout
    assert program.run("get", "--json", bad, bad).stdout == one * 2


def test_a_failure_names_its_url_once(program: Program, pages: list[str]) -> None:
    bad, missing = "http://169.254.169.254/x", pages[0] + "/missing"
    first, _, second, _ = program.get(bad, missing).error_lines
    assert first.startswith(f"safefetch: POLICY_REJECTED: {bad}: 169.254.169.254 is refused")
    assert second == f"safefetch: HTTP_ERROR: {missing} answered 404 Not Found"


@pytest.mark.parametrize(
    ("paths", "status"),
    [
        (["/a", "/b"], 0),
        (["/a", "/x", "/y"], 22),
        (["/x", "169", "/a"], 1),
        (["169", "169"], 3),
    ],
)
def test_the_status_is_that_of_all_failures_or_one(
    program: Program, site: Site, pages: list[str], paths: list[str], status: int
) -> None:
    urls = ["http://169.254.169.254/" if path == "169" else site.url(path) for path in paths]
    assert program.get(*urls).status == status


def test_the_text_of_an_error_page_is_given_if_asked(program: Program, pages: list[str]) -> None:
    missing = pages[0] + "x"
    ended = program.get("--fail-with-body", missing, pages[1])
    expected = f"==> {missing} <==\nNo such page.\n\n==> {pages[1]} <==\npage b\n"
    assert (ended.status, ended.stdout.decode()) == (22, expected)


LIST = "# a list\n{0}\r\n\n  {1}  \n#{2}\n"


def test_a_list_comes_from_a_file(program: Program, pages: list[str]) -> None:
    (program.folder / "urls").write_text("\ufeff" + LIST.format(*pages))
    ended = program.get("--json", "-i", "urls")
    assert [one["text"] for one in objects(ended.stdout)] == ["page a", "page b"]


def test_a_list_comes_from_stdin_in_its_place(program: Program, pages: list[str]) -> None:
    data = f"{pages[1]}\n".encode()
    ended = program.get("--json", pages[2], "-", pages[0], stdin=None, input=data)
    assert [one["text"] for one in objects(ended.stdout)] == ["page c", "page b", "page a"]
    ended = program.get("--input-file", "-", stdin=None, input=data)
    assert ended.stdout.decode() == f"==> {pages[1]} <==\npage b\n"


def test_a_page_is_written_while_the_list_still_grows(program: Program, pages: list[str]) -> None:
    with program.running("get", "--allow-local", "-", stdin=subprocess.PIPE) as child:
        read_one(child, pages[0])
        assert child.stdin is not None
        assert child.stdout is not None
        child.stdin.close()
        assert child.stdout.read() == b""
        assert child.wait(HANG_SECONDS) == 0
        child.stdin = None


def read_one(child: subprocess.Popen[bytes], url: str) -> None:
    """Give one URL of a list and read its page."""
    assert child.stdin is not None
    assert child.stdout is not None
    child.stdin.write(f"{url}\n".encode())
    child.stdin.flush()
    assert child.stdout.readline() == f"==> {url} <==\n".encode()
    assert child.stdout.readline() == b"page a\n"


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["-j", "0", "x", "y"], "--jobs"),
        (["-j", "65", "x", "y"], "--jobs"),
        (["-j", "many", "x", "y"], "--jobs"),
        (["-j", "many", "x"], "--jobs"),
        (["-j", "0", "--from-file", "empty"], "--jobs"),
        (["--retry", "11", "x"], "--retry"),
        (["--retry", "-1", "x"], "--retry"),
        (["-i", "missing"], "'missing'"),
        (["-i", "."], "'.'"),
        (["-i", "empty"], "'empty'"),
        (["x", "-i", "."], "'.'"),
        (["x", "-i", "empty"], "'empty'"),
        (["-"], "stdin has no URL"),
        (["-", "-"], "stdin"),
        (["-", "-i", "-"], "stdin"),
        (["--format", "pdf", "x", "y"], "'pdf'"),
        (["--color", "blue", "x"], "'blue'"),
        (["--pretty", "--format", "text", "x"], "--pretty"),
        (["--pretty", "--frontmatter", "x"], "--pretty"),
        (["--select", "[[", "x"], "'[['"),
        (["--exclude", "p", "--exclude", "[[", "x", "y"], "'[['"),
        (["--json-pointer", "a", "x"], "'a'"),
        (["--json-pointer", "a", "x", "y"], "'a'"),
        (["--output-dir", "d", "-o", "f", "x"], "--output-dir"),
        (["-O", "-o", "f", "x"], "--remote-name"),
        (["--output-dir", "empty", "x"], "--output-dir"),
        (["--output-dir", "", "x"], "--output-dir"),
        (["--output-dir", "new", "-j", "0", "x", "y"], "--jobs"),
        (["--output-dir", "new", "--extract", "most", "x"], "'most'"),
        (["--output-dir", "new", "--base-url", "http://x.example/", "x"], "--base-url"),
        (["--output-dir", "new", "--allow", "0.0.0.0/0", "x", "y"], "--allow"),
        (["--base-url", "http://x.example/", "x"], "--base-url"),
        (["--base-url", "http://x.example/", "x", "y"], "--base-url"),
        (["--from-file", "empty", "x"], "--from-file"),
        (["--from-file", "missing"], "--from-file"),
    ],
    ids=" ".join,
)
def test_what_cannot_be_meant_is_said_before_anything_is_fetched(
    program: Program, arguments: list[str], named: str
) -> None:
    (program.folder / "empty").touch()
    ended = program.get(*arguments)
    assert ended.status == 2
    ended.check_failure("INVALID_INPUT", named)
    assert not (program.folder / "new").exists()


def test_json_is_not_for_looking_at(program: Program) -> None:
    ended = program.get("--pretty", "--json", "x")
    assert (ended.status, ended.stderr.split(": ")[1:3]) == (2, ["INVALID_INPUT", "--pretty"])
    assert json.loads(ended.stdout)["error"]["code"] == "INVALID_INPUT"


def test_ctrl_c_keeps_what_is_finished(program: Program, site: Site, pages: list[str]) -> None:
    site.pages["/held"] = Page(b"late", held=True)
    urls = [pages[0], site.url("/held"), *pages[1:], site.url("/held")]
    # The one thread that is free has finished the others when it asks for the last.
    arguments = ("get", "--allow-local", "-j", "2", "--output-dir", "out", *urls)
    with program.running(*arguments) as child:
        while site.requests.count("/held") < 2:
            assert site.arrived.wait(HANG_SECONDS)
        child.send_signal(signal.SIGINT)
        stdout, stderr = child.communicate(timeout=HANG_SECONDS)
    assert (child.returncode, stdout) == (130, b"")
    assert b"Traceback" not in stderr
    written = {path.name: path.read_text() for path in (program.folder / "out").iterdir()}
    host = f"127.0.0.1_{site.port}"
    assert written == {f"{host}_{name}.md": f"page {name}\n" for name in "abc"}


def test_ctrl_c_ends_a_list_that_nobody_finishes(program: Program, pages: list[str]) -> None:
    with program.running("get", "--allow-local", "-", stdin=subprocess.PIPE) as child:
        read_one(child, pages[0])
        child.send_signal(signal.SIGINT)
        assert child.wait(HANG_SECONDS) == 130
        assert child.stderr is not None
        assert child.stderr.read() == b""


def test_a_reader_that_goes_away_ends_it_all_quietly(program: Program, site: Site) -> None:
    site.pages["/big"] = Page(b"0123456789abcde\n" * 20_000, content_type="text/plain")
    site.pages["/held"] = Page(b"late", held=True)
    urls = [site.url("/big"), site.url("/big"), site.url("/held")]
    with program.running("get", "--allow-local", *urls) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        child.stdout.read(10)
        child.stdout.close()
        assert child.wait(HANG_SECONDS) == 141
        assert child.stderr.read() == b""
        child.stdout = None


def test_ten_thousand_urls_are_no_matter(program: Program) -> None:
    path = program.folder / "urls"
    path.write_text("".join(f"ftp://x.example/{number}\n" for number in range(10_000)))
    ended = program.run("get", "--json", "-j", "8", "-i", "urls", "-q")
    found = objects(ended.stdout)
    assert ended.status == 3
    expected = [f"ftp://x.example/{number}" for number in range(10_000)]
    assert [one["requestedUrl"] for one in found] == expected


def test_a_refused_page_is_tried_again_when_the_server_says(program: Program, site: Site) -> None:
    site.pages["/busy"] = Page(b"later", 503, headers={"Retry-After": "0"})
    ended = program.get("--retry", "2", site.url("/busy"))
    assert ended.status == 22
    assert site.requests.count("/busy") == 3
    program.get("--retry", "1", site.url("/busy"), site.url("/busy"))
    assert site.requests.count("/busy") == 7
    program.get("--retry", "5", site.url("/missing"))
    assert site.requests.count("/missing") == 1


def test_many_pages_fill_one_file_at_the_end(program: Program, pages: list[str]) -> None:
    ended = program.get("--json", "-o", "all.jsonl", *pages, "no url")
    assert (ended.status, ended.stdout) == (2, b"")
    found = objects(Path(program.folder, "all.jsonl").read_bytes())
    assert [one.get("text") for one in found] == ["page a", "page b", "page c", None]


def test_a_file_is_not_made_of_nothing(program: Program, site: Site, pages: list[str]) -> None:
    missing = [site.url("/x"), site.url("/y")]
    assert program.get("-o", "all.md", *missing).status == 22
    assert sorted(path.name for path in program.folder.glob("*.md")) == []
    (program.folder / "all.md").write_text("mine")
    assert program.get("-f", "-o", "all.md", *missing).status == 22
    assert (program.folder / "all.md").read_text() == "mine"
    assert program.get("-f", "-o", "all.md", missing[0], pages[0]).status == 22
    assert (program.folder / "all.md").read_text() == f"==> {pages[0]} <==\npage a\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device")
@pytest.mark.parametrize("flags", [[], ["--json"]])
def test_a_full_disk_behind_stdout_ends_it_all_with_one_line(
    program: Program, pages: list[str], flags: list[str]
) -> None:
    with open("/dev/full", "wb") as full:
        ended = program.get(*flags, *pages, stdout=full)
    assert ended.status == 2
    told = "INVALID_INPUT: the result cannot be written to standard output: No space left on device"
    assert ended.error_lines == [f"safefetch: {told}"]
