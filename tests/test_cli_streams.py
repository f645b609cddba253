"""Pipes, signals, consoles and files: where the output goes when the world does not cooperate."""

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest
from support_cli import HANG_SECONDS, Page, Program, Site, command

WORDS = "Gr\u00fc\u00dfe, \u65e5\u672c\u8a9e \U0001f600"


@pytest.fixture
def big(site: Site) -> str:
    """The URL of a page that no pipe holds."""
    site.pages["/"] = Page(b"0123456789abcde\n" * 20_000, content_type="text/plain")
    return site.url()


@pytest.fixture
def words(site: Site) -> str:
    """The URL of a page in several scripts."""
    site.pages["/"] = Page(WORDS.encode(), content_type="text/plain; charset=utf-8")
    return site.url()


def shell(program: Program, script: str, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    """Run a script in which "$@" is the program with these arguments."""
    ended = subprocess.run(
        ["bash", "-c", script, "bash", *command(), *arguments],
        env=program.environment,
        cwd=program.folder,
        capture_output=True,
        timeout=HANG_SECONDS,
    )
    program.check()
    return ended


@pytest.mark.parametrize("bytes_read", [0, 1, 100_000])
@pytest.mark.parametrize("unbuffered", ["", "1"], ids=["buffered", "unbuffered"])
def test_a_reader_that_goes_away_ends_the_program_quietly(
    program: Program, big: str, bytes_read: int, unbuffered: str
) -> None:
    environment = {"PYTHONUNBUFFERED": unbuffered}
    with program.running("get", "--allow-local", big, environment=environment) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        while bytes_read > 0:
            bytes_read -= len(child.stdout.read(min(bytes_read, 4096)))
        child.stdout.close()
        assert child.wait(HANG_SECONDS) == 141
        assert child.stderr.read() == b""
        child.stdout = None


def test_a_pipeline_that_stops_early_is_quiet(program: Program, big: str) -> None:
    ended = shell(
        program, '"$@" | head -c 10; echo "${PIPESTATUS[0]}"', "get", "--allow-local", big
    )
    assert ended.stdout == b"0123456789141\n"
    assert ended.stderr == b""


def test_help_into_a_closed_pipe_is_quiet(program: Program) -> None:
    script = 'mkfifo pipe; exec 3<>pipe 4>pipe 3<&-; "$@" >&4; echo $?'
    ended = shell(program, script, "--help")
    assert (ended.stdout, ended.stderr) == (b"141\n", b"")


def test_ctrl_c_ends_the_program_quietly(program: Program, site: Site) -> None:
    site.pages["/"] = Page(b"late", held=True)
    with program.running("get", "--allow-local", site.url()) as child:
        assert site.arrived.wait(HANG_SECONDS)
        child.send_signal(signal.SIGINT)
        stdout, stderr = child.communicate(timeout=HANG_SECONDS)
    assert (child.returncode, stdout) == (130, b"")
    assert b"Traceback" not in stderr
    assert b"Exception" not in stderr


def test_ctrl_c_leaves_no_file_behind(program: Program, site: Site) -> None:
    site.pages["/"] = Page(b"late", held=True)
    with program.running("get", "--allow-local", site.url(), "-o", "page.md") as child:
        assert site.arrived.wait(HANG_SECONDS)
        child.send_signal(signal.SIGINT)
        child.communicate(timeout=HANG_SECONDS)
    assert child.returncode == 130
    assert not list(program.folder.glob("*page*"))


@pytest.mark.parametrize(
    "environment",
    [
        {"NO_COLOR": "1"},
        {"FORCE_COLOR": "1"},
        {"TERM": "dumb"},
        {"TERM": "xterm-256color", "COLUMNS": "30"},
        {"PYTHONIOENCODING": "cp1252"},
        {"PYTHONIOENCODING": "ascii:strict", "PYTHONUTF8": "0"},
        {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
    ],
    ids=lambda value: " ".join(f"{name}={text}" for name, text in value.items()),
)
def test_the_result_is_the_same_bytes_whatever_the_console(
    program: Program, words: str, environment: dict[str, str]
) -> None:
    ended = program.get(words, environment=environment)
    assert (ended.status, ended.stdout, ended.stderr) == (0, f"{WORDS}\n".encode(), "")


@pytest.mark.parametrize("environment", [{"COLUMNS": "30"}, {"TERM": "xterm-256color"}])
def test_an_error_is_one_line_without_colour_whatever_the_console(
    program: Program, environment: dict[str, str]
) -> None:
    for arguments in (["get", "http://127.0.0.1/"], ["get", "--no-such-option", "x"], ["nothing"]):
        ended = program.run(*arguments, environment=environment)
        ended.check_failure("POLICY_REJECTED" if ended.status == 3 else "INVALID_INPUT")
        assert "\x1b" not in ended.stderr


def test_an_error_that_the_console_cannot_show_is_told_all_the_same(program: Program) -> None:
    environment = {"PYTHONIOENCODING": "ascii:strict", "PYTHONUTF8": "0"}
    ended = program.run("get", "\u65e5\u672c\u8a9e", environment=environment)
    assert ended.status == 2
    assert ended.stderr.startswith("safefetch: INVALID_INPUT: ")


def test_a_closed_stdin_is_no_matter(program: Program, words: str) -> None:
    ended = shell(program, '"$@" <&-', "get", "--allow-local", words)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, f"{WORDS}\n".encode(), b"")


def test_a_closed_stderr_is_no_matter(program: Program, words: str) -> None:
    ended = shell(program, '"$@" 2>&-', "get", "--allow-local", "-v", words)
    assert (ended.returncode, ended.stdout) == (0, f"{WORDS}\n".encode())


@pytest.mark.parametrize("to", [">&-", ">/dev/full"])
@pytest.mark.parametrize("more", [[], ["--json"]], ids=["text", "json"])
def test_a_stdout_that_takes_nothing_is_one_error(
    program: Program, words: str, to: str, more: list[str]
) -> None:
    ended = shell(program, f'"$@" {to}', "get", "--allow-local", words, *more)
    (line,) = ended.stderr.decode().splitlines()
    assert ended.returncode == 2
    assert line.startswith("safefetch: INVALID_INPUT: ")
    assert "standard output" in line


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["check-url", "http://1.1.1.1/"]])
def test_a_full_disk_is_one_error_for_every_command(program: Program, arguments: list[str]) -> None:
    ended = shell(program, '"$@" >/dev/full', *arguments)
    (line,) = ended.stderr.decode().splitlines()
    assert ended.returncode == 2
    assert line.startswith("safefetch: INVALID_INPUT: ")


def test_output_writes_a_file_and_nothing_to_stdout(program: Program, words: str) -> None:
    ended = program.get(words, "-o", "page.md")
    assert (ended.status, ended.stdout, ended.stderr) == (0, b"", "")
    assert (program.folder / "page.md").read_bytes() == f"{WORDS}\n".encode()


def test_output_dash_is_stdout(program: Program, words: str) -> None:
    assert program.get(words, "-o", "-").stdout == f"{WORDS}\n".encode()
    assert not (program.folder / "-").exists()


def test_output_writes_json_too(program: Program, words: str) -> None:
    program.get(words, "--json", "--output", "page.json")
    assert json.loads((program.folder / "page.json").read_bytes())["text"] == WORDS


def test_output_replaces_a_file_only_with_force(program: Program, words: str, site: Site) -> None:
    path = program.folder / "page.md"
    path.write_text("mine")
    path.chmod(0o640)
    program.get(words, "-o", "page.md").check_failure("INVALID_INPUT", "--output", "page.md")
    assert path.read_text() == "mine"
    assert site.requests == []
    assert program.get(words, "-f", "-o", "page.md").status == 0
    assert path.read_bytes() == f"{WORDS}\n".encode()
    assert path.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("target", ["missing/page.md", ".", "", "/dev/null/page.md"])
def test_output_to_no_file_is_refused_before_anything_is_fetched(
    program: Program, words: str, site: Site, target: str
) -> None:
    program.get(words, "-o", target).check_failure("INVALID_INPUT", "--output", repr(target))
    assert site.requests == []


def test_a_failed_fetch_leaves_the_file_as_it_was(program: Program, site: Site) -> None:
    (program.folder / "old.md").write_text("mine")
    before = sorted(os.listdir(program.folder))
    program.get(site.url("/x"), "-o", "new.md").check_failure("HTTP_ERROR")
    program.get(site.url("/x"), "-f", "-o", "old.md").check_failure("HTTP_ERROR")
    assert (program.folder / "old.md").read_text() == "mine"
    assert {*os.listdir(program.folder)} - {*before} <= {"loopback-only.txt"}


def test_output_through_a_link_keeps_the_link(program: Program, words: str) -> None:
    real = program.folder / "real.md"
    real.write_text("old")
    link = program.folder / "link.md"
    link.symlink_to(real)
    assert program.get(words, "-f", "-o", "link.md").status == 0
    assert link.is_symlink()
    assert real.read_bytes() == f"{WORDS}\n".encode()


def test_a_new_file_has_the_mode_of_the_umask(program: Program, words: str) -> None:
    ended = shell(program, 'umask 027; "$@"', "get", "--allow-local", words, "-o", "page.md")
    assert ended.returncode == 0
    assert Path(program.folder, "page.md").stat().st_mode & 0o777 == 0o640
