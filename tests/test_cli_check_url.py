"""`safefetch check-url`: the verdict, without a request."""

import json

import pytest
from support_cli import Page, Program, Site

PUBLIC = "http://93.184.216.34/"


def check(program: Program, *arguments: str) -> tuple[int, str, str]:
    ended = program.run("check-url", *arguments)
    return ended.status, ended.stdout.decode(), ended.stderr


def test_an_allowed_url_is_told_in_canonical_form_with_its_addresses(program: Program) -> None:
    assert check(program, "HTTP://0x5DB8D822:080/a/../b?q#f") == (
        0,
        "allowed http://93.184.216.34/b?q\n  address: 93.184.216.34 (public, allowed)\n",
        "",
    )


def test_a_refused_url_is_told_with_the_rule_the_class_and_the_reason(program: Program) -> None:
    status, stdout, stderr = check(program, "http://169.254.169.254/latest/meta-data/")
    assert status == 3
    assert stdout.splitlines() == [
        "refused http://169.254.169.254/latest/meta-data/",
        "  code: POLICY_REJECTED",
        "  rule: address (metadata)",
        "  reason: cloud instance metadata",
        "  address: 169.254.169.254 (metadata, refused)",
    ]
    assert len(stderr.splitlines()) == 1
    assert "No exception opens it" in stderr


@pytest.mark.parametrize(
    ("arguments", "rule"),
    [
        (["file:///etc/passwd"], "scheme"),
        (["http://user:password@93.184.216.34/"], "userinfo"),
        (["http://localhost/"], "host"),
        (["http://metadata.google.internal/", "--allow", "metadata.google.internal"], "host"),
        (["http://93.184.216.34:22/"], "port"),
        (["http://93.184.216.34:8080/", "--allowed-ports", "80,443"], "port"),
        ([PUBLIC, "--https-only"], "https-only"),
        ([PUBLIC, "--denylist", "93.184.216.34"], "denylist"),
        ([PUBLIC, "--allowlist", "example.com"], "allowlist"),
        (["http://10.0.0.1/"], "address"),
        (["http://0/", "--allow-local"], "address"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_the_rule_that_refuses_is_named(program: Program, arguments: list[str], rule: str) -> None:
    status, stdout, _ = check(program, *arguments)
    assert status == 3
    assert stdout.startswith("refused ")
    assert f"\n  rule: {rule}" in stdout

    status, stdout, _ = check(program, "--json", *arguments)
    verdict = json.loads(stdout)
    assert status == 3
    assert (verdict["verdict"], verdict["code"]) == ("refused", "POLICY_REJECTED")
    assert verdict["rule"] == rule
    assert (verdict["class"] is not None) == (rule == "address")
    assert verdict["reason"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["http://127.0.0.1/", "--allow-local"],
        ["http://127.0.0.1:8080/", "--allow", "127.0.0.1:8080"],
        ["http://10.1.2.3/", "--allow", "10.0.0.0/8"],
        ["http://localhost/", "--allow-local"],
        ["https://93.184.216.34/", "--https-only", "--allowed-ports", "443"],
    ],
    ids=" ".join,
)
def test_what_an_exception_opens_is_allowed(program: Program, arguments: list[str]) -> None:
    status, stdout, stderr = check(program, *arguments)
    assert (status, stderr) == (0, "")
    assert stdout.startswith(f"allowed {arguments[0]}\n")


def test_json_of_a_verdict_has_these_fields(program: Program) -> None:
    assert json.loads(check(program, "--json", PUBLIC)[1]) == {
        "url": PUBLIC,
        "verdict": "allowed",
        "addresses": [{"address": "93.184.216.34", "class": "public", "allowed": True}],
    }
    assert json.loads(check(program, "--json", "http://[::ffff:10.0.0.1]/")[1]) == {
        "url": "http://[::ffff:a00:1]/",
        "verdict": "refused",
        "code": "POLICY_REJECTED",
        "rule": "address",
        "class": "private",
        "reason": "a private network, RFC 1918",
        "addresses": [{"address": "::ffff:a00:1", "class": "private", "allowed": False}],
    }


@pytest.mark.parametrize(
    ("url", "status", "code"),
    [
        ("no url", 2, "INVALID_INPUT"),
        ("http://a b/", 2, "INVALID_INPUT"),
        ("http://nothing.invalid/", 4, "DNS_RESOLUTION_FAILED"),
    ],
)
def test_a_url_without_a_verdict_is_an_error(
    program: Program, url: str, status: int, code: str
) -> None:
    ended = program.run("check-url", url)
    assert ended.status == status
    ended.check_failure(code)
    ended = program.run("check-url", "--json", url)
    assert ended.status == status
    assert json.loads(ended.stdout)["requestedUrl"] == url
    assert json.loads(ended.stdout)["error"]["code"] == code


@pytest.mark.parametrize(
    "flag",
    [["--max-bytes", "1"], ["--max-redirects", "1"], ["-o", "x"], ["--format", "raw"]],
)
def test_flags_that_a_verdict_does_not_depend_on_are_unknown(
    program: Program, flag: list[str]
) -> None:
    program.run("check-url", PUBLIC, *flag).check_failure("INVALID_INPUT", flag[0])


def test_robots_txt_is_asked_on_demand(program: Program, site: Site) -> None:
    site.pages["/robots.txt"] = Page(
        b"User-agent: *\nDisallow: /private", content_type="text/plain"
    )
    allowed = program.run("check-url", "--allow-local", "--robots", site.url("/open"))
    assert (allowed.status, allowed.stdout.splitlines()[-1]) == (0, b"  robots.txt: allowed")
    refused = program.run(
        "check-url", "--allow-local", "--robots", "--json", site.url("/private/x")
    )
    assert refused.status == 11
    assert json.loads(refused.stdout)["robots"] == {
        "allowed": False,
        "rule": "Disallow: /private",
    }
    assert set(site.requests) == {"/robots.txt"}
