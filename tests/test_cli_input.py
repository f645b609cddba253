"""Bad input: every one is a line that names it, and nothing is fetched."""

import pytest
from support_cli import Program, Site

# The URL is never the fault here: it could be fetched.
BAD_FLAGS = [
    (["--timeout", "0"], "--timeout", "'0'", "0.001 to 600"),
    (["--timeout", "601"], "--timeout", "'601'", "0.001 to 600"),
    (["--timeout", "soon"], "--timeout", "'soon'", "0.001 to 600"),
    (["--timeout", "nan"], "--timeout", "'nan'", "0.001 to 600"),
    (["--timeout", "inf"], "--timeout", "'inf'", "0.001 to 600"),
    (["--timeout", "1e400"], "--timeout", "'1e400'", "0.001 to 600"),
    (["--timeout", "-1"], "--timeout", "'-1'", "0.001 to 600"),
    (["--timeout", ""], "--timeout", "''", "0.001 to 600"),
    (["--max-bytes", "0"], "--max-bytes", "'0'", "1 to 1000000000"),
    (["--max-bytes", "2g"], "--max-bytes", "'2g'", "1 to 1000000000"),
    (["--max-bytes", "1.5m"], "--max-bytes", "'1.5m'", "1 to 1000000000"),
    (["--max-bytes", "lots"], "--max-bytes", "'lots'", "1 to 1000000000"),
    (["--max-bytes", "9" * 5000], "--max-bytes", "999", "1 to 1000000000"),
    (["--max-bytes", "\u0661"], "--max-bytes", "\u0661", "1 to 1000000000"),
    (["--max-redirects", "21"], "--max-redirects", "'21'", "0 to 20"),
    (["--max-redirects", "-1"], "--max-redirects", "'-1'", "0 to 20"),
    (["--max-redirects", "one"], "--max-redirects", "'one'", "0 to 20"),
    (["--user-agent", " "], "--user-agent", "' '", "1 to 512"),
    (["--user-agent", "a\r\nX: y"], "--user-agent", "X: y", "1 to 512"),
    (["--user-agent", "h\u00f6flich"], "--user-agent", "h\u00f6flich", "ASCII"),
    (["--user-agent", "x" * 513], "--user-agent", "xxx", "1 to 512"),
    (["--allow", "0.0.0.0/0"], "--allow", "'0.0.0.0/0'", "no exception opens"),
    (["--allow", "169.254.169.254"], "--allow", "'169.254.169.254'", "no exception opens"),
    (["--allow", "a b/c"], "--allow", "/c'", "not a host"),
    (["--allow", "10.0.0.1:0"], "--allow", "'10.0.0.1:0'", "1 to 65535"),
    (["--allow", "10.0.0.1:" + "9" * 5000], "--allow", "'10.0.0.1:9", "1 to 65535"),
    (["--allow", "http://x.example/"], "--allow", "'http://x.example/'", ""),
    (["--fake-ip", "10.0.0.0/8"], "--fake-ip", "'10.0.0.0/8'", "198.18.0.0/15"),
    (["--fake-ip", "198.18.0.0/8"], "--fake-ip", "'198.18.0.0/8'", "198.18.0.0/15"),
    (["--allowlist", "http://x.example"], "--allowlist", "'http://x.example'", "*.domain"),
    (["--allowlist", "*.1.2.3.4"], "--allowlist", "'*.1.2.3.4'", "*.domain"),
    (["--denylist", "x.*"], "--denylist", "'x.*'", "*.domain"),
    (["--denylist", "*"], "--denylist", "'*'", "*.domain"),
    (["--allowed-ports", "0"], "--allowed-ports", "'0'", "1 to 65535"),
    (["--allowed-ports", "http"], "--allowed-ports", "'http'", "1 to 65535"),
    (["--allowed-ports", "80,65536"], "--allowed-ports", "'65536'", "1 to 65535"),
    (["--ca-file", "missing.pem"], "--ca-file", "'missing.pem'", ""),
    (["--format", "pdf"], "format", "'pdf'", "markdown, raw, text"),
    (["--extract", "all"], "extract", "'all'", "main, full"),
    (["--no-such-flag"], "--no-such-flag", "", ""),
    (["--timeout"], "--timeout", "", ""),
    (["-z"], "-z", "", ""),
]

BAD_VARIABLES = [
    ("ALLOW_LOCAL", "perhaps", "true or false"),
    ("HTTPS_ONLY", "2", "true or false"),
    ("ALLOW_HTTPS_DOWNGRADE", "j", "true or false"),
    ("ALLOW", "255.255.255.255", "no exception opens"),
    ("FAKE_IP", "1.0.0.0/8", "198.18.0.0/15"),
    ("ALLOWLIST", "a b@c", "*.domain"),
    ("DENYLIST", "*.*.example", "*.domain"),
    ("ALLOWED_PORTS", "443;80", "1 to 65535"),
    ("MAX_BYTES", "-5", "1 to 1000000000"),
    ("TIMEOUT_MS", "1.5", "1 to 600000"),
    ("TIMEOUT_MS", "600001", "1 to 600000"),
    ("MAX_REDIRECTS", "99", "0 to 20"),
    ("USER_AGENT", "\u00e9", "1 to 512"),
]

BAD_URLS = [
    *("", " ", "example.com", "example.com:80/x", "//example.com/", "http:example.com", "http://"),
    *("http:///x", "http:/x.example/", "http://a..b/", "http://x.example:0/", "http://[::1"),
    *("http://x.example:99999/", "http://x y/", "http://x\\y/", "http://x.example/\x01", "?", "-"),
    *("http://[fe80::1%25eth0]/", "http://x\ny/", "http://1.2.3.4.5/", "http://999.1.1.1/"),
    "http://" + "a" * 300 + "/",
    "http://x.example/" + "a" * 9000,
]


@pytest.mark.parametrize(
    ("flags", "name", "value", "rule"), BAD_FLAGS, ids=[" ".join(row[0])[:40] for row in BAD_FLAGS]
)
def test_a_bad_flag_is_named_with_its_value_and_rule(
    program: Program, site: Site, flags: list[str], name: str, value: str, rule: str
) -> None:
    ended = program.get(site.url(), *flags)
    assert ended.status == 2
    ended.check_failure("INVALID_INPUT", name, value, rule)
    assert site.requests == []


@pytest.mark.parametrize(("variable", "value", "rule"), BAD_VARIABLES)
def test_a_bad_variable_is_named_with_its_value_and_rule(
    program: Program, site: Site, variable: str, value: str, rule: str
) -> None:
    name = f"SAFE_FETCH_{variable}"
    environment = {"SAFE_FETCH_ALLOW": "127.0.0.1", name: value}
    ended = program.run("get", site.url(), environment=environment)
    assert ended.status == 2
    ended.check_failure("INVALID_INPUT", name, value.rsplit(maxsplit=1)[-1], rule)
    assert site.requests == []


@pytest.mark.parametrize("url", BAD_URLS, ids=lambda url: ascii(url[:30]))
def test_a_bad_url_is_one_line(program: Program, url: str) -> None:
    ended = program.run("get", "--", url)
    assert ended.status == 2
    ended.check_failure("INVALID_INPUT")
    assert len(ended.error_lines[0]) < 600


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["get"], "URL"),
        (["check-url"], "URL"),
        (["outline"], "URL"),
        (["check-url", "x", "second"], "second"),
        (["fetch", "x"], "fetch"),
        (["--nothing"], "--nothing"),
    ],
    ids=" ".join,
)
def test_a_bad_command_line_is_one_line_and_a_hint(
    program: Program, arguments: list[str], named: str
) -> None:
    ended = program.run(*arguments)
    assert ended.status == 2
    ended.check_failure("INVALID_INPUT", named)
    assert "safefetch" in ended.error_lines[1]


def test_a_url_without_a_scheme_is_answered_with_a_suggestion(program: Program) -> None:
    ended = program.run("get", "example.com/x")
    assert ended.error_lines[1] == "  Did you mean https://example.com/x ?"


def test_a_refusal_says_in_its_hint_what_would_open_it(program: Program) -> None:
    message, hint = program.run("get", "http://127.0.0.1:8080/").error_lines
    assert "--allow" not in message
    assert "--allow 127.0.0.1" in hint


def test_a_variable_works_as_its_flag_and_a_flag_wins(program: Program, site: Site) -> None:
    environment = {"SAFE_FETCH_ALLOW_LOCAL": "yes", "SAFE_FETCH_USER_AGENT": "variable/1"}
    get = ("get", "--ignore-robots-txt", site.url())
    program.run(*get, environment=environment)
    program.run(*get, "--user-agent", "flag/1", environment=environment)
    agents = [headers["User-Agent"] for headers in site.request_headers]
    assert agents == ["variable/1", "flag/1"]
    ended = program.run("get", "--no-allow-local", site.url(), environment=environment)
    ended.check_failure("POLICY_REJECTED", "127.0.0.1")


def test_an_empty_variable_counts_as_not_set(program: Program) -> None:
    names = [row[0] for row in BAD_VARIABLES]
    environment = {f"SAFE_FETCH_{name}": " " for name in names}
    ended = program.run("check-url", "http://1.1.1.1/", environment=environment)
    assert (ended.status, ended.stderr) == (0, "")
