"""What the operator reads of the server: one line each, nothing secret, nothing that acts."""

import json
import sys

import pytest

from safefetch_cli.server.log import Log, origin_of


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("https://example.com/a?token=secret#x", "https://example.com"),
        ("https://example.com?token=secret", "https://example.com"),
        ("https://example.com#secret", "https://example.com"),
        ("https://user:secret@example.com:8443/", "https://example.com:8443"),
        ("http://[2001:db8::1]:80/", "http://[2001:db8::1]:80"),
        ("no url", "?"),
        ("", "?"),
        (None, "?"),
        (5, "?"),
        ("secretsecretsecret://x", "secretsecr://x"),
        ("http://" + "x" * 1000, "http://" + "x" * 200),
    ],
)
def test_of_a_url_only_its_origin_is_shown(url: object, origin: str) -> None:
    assert origin_of(url) == origin


def test_a_line_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    Log().event("call", origin="http://a\n\x1b[2J\u2028b", ms=5, text="x" * 1000)
    assert capsys.readouterr().err == (
        f"safefetch: call origin=http://a??[2J?b ms=5 text={'x' * 300}\n"
    )
    Log("json").event("call", origin="a\nb", ms=5)
    entry = json.loads(capsys.readouterr().err)
    assert isinstance(entry.pop("time"), float)
    assert entry == {"event": "call", "origin": "a?b", "ms": 5}


def test_a_quiet_log_has_problems_alone(capsys: pytest.CaptureFixture[str]) -> None:
    log = Log(quiet=True)
    log.event("call")
    log.problem("bug")
    assert capsys.readouterr().err == "safefetch: bug\n"


def test_a_closed_stderr_changes_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with open("/dev/null", "w", encoding="utf-8") as closed:
        pass
    for stream in (closed, None):
        monkeypatch.setattr(sys, "stderr", stream)
        Log().problem("bug")
    assert capsys.readouterr().out == ""
