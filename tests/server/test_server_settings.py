"""The settings of the server: where they come from, what is refused, and what is never told."""

from pathlib import Path
from typing import Any

import pytest

from safefetch_cli.errors import InvalidInput
from safefetch_cli.server_settings import TABLE, ServerSettings, load_server
from safefetch_cli.settings import SERVER_VARIABLES

TOKEN = "a-token-of-16-chr"
OTHER = "another-token-of-16-chr"
HTTP = {"TRANSPORT": "http"}


def loaded(environment: dict[str, str] | None = None, **given: Any) -> ServerSettings:
    return load_server(given, {**HTTP, **(environment or {})})


def refused(environment: dict[str, str] | None = None, **given: Any) -> InvalidInput:
    with pytest.raises(InvalidInput) as caught:
        loaded(environment, **given)
    return caught.value


def test_the_defaults_are_stdio_and_loopback() -> None:
    assert load_server({}, {}) == ServerSettings()
    assert (ServerSettings().transport, ServerSettings().host, ServerSettings().port) == (
        "stdio",
        "127.0.0.1",
        3000,
    )


def test_every_variable_is_known_to_the_other_commands() -> None:
    own = {row.variable for row in TABLE if not row.bare_variable}
    assert own == SERVER_VARIABLES


def test_flags_win_over_the_environment() -> None:
    environment = {"HOST": "127.0.0.2", "PORT": "1", "SAFE_FETCH_TOOLS": "outline, section"}
    found = loaded(environment, port="2", transport=None)
    assert (found.transport, found.host, found.port) == ("http", "127.0.0.2", 2)
    assert found.tools == ("outline", "section")
    assert load_server({"transport": "http"}, {"TRANSPORT": "stdio"}).transport == "http"


def test_over_stdio_nothing_of_http_is_read() -> None:
    environment = {"HOST": "my-laptop", "PORT": "no number", "SAFE_FETCH_HTTP_TOKEN": "short"}
    assert load_server({}, environment) == ServerSettings()


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        (TOKEN, (TOKEN,)),
        (f" {TOKEN}\n", (TOKEN,)),
        (f"{TOKEN},{OTHER}", (TOKEN, OTHER)),
        (f"{TOKEN} {OTHER}", (TOKEN, OTHER)),
        (f"{TOKEN}\r\n{OTHER}\r\n", (TOKEN, OTHER)),
        ("x" * 16, ("x" * 16,)),
    ],
)
def test_tokens_come_from_the_environment_or_a_file(
    tmp_path: Path, text: str, tokens: tuple[str, ...]
) -> None:
    assert loaded({"SAFE_FETCH_HTTP_TOKEN": text}).http_token == tokens
    file = tmp_path / "token"
    for start in ("", "\ufeff"):
        file.write_bytes((start + text).encode())
        assert loaded(http_token_file=str(file)).http_token == tokens
        assert loaded({"SAFE_FETCH_HTTP_TOKEN_FILE": str(file)}).http_token == tokens


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("x" * 15, "a token has at least 16 printable ASCII characters"),
        ("ü" * 16, "a token has at least 16 printable ASCII characters"),
        ("x" * 16 + "\x01", "a token has at least 16 printable ASCII characters"),
        (f"{TOKEN},short", "a token has at least 16 printable ASCII characters"),
        (f"{TOKEN} {OTHER} third-token-of-16", "there are 3 tokens; 1 or 2 are taken"),
    ],
)
def test_a_bad_token_is_refused_and_not_echoed(tmp_path: Path, text: str, rule: str) -> None:
    file = tmp_path / "token"
    file.write_text(text, encoding="utf-8")
    errors = [refused({"SAFE_FETCH_HTTP_TOKEN": text}), refused(http_token_file=str(file))]
    assert [error.message for error in errors] == [
        f"SAFE_FETCH_HTTP_TOKEN: {rule}",
        f"the token file {str(file)!r}: {rule}",
    ]
    for error in errors:
        assert not [word for word in text.replace(",", " ").split() if word in str(error)]


def test_an_empty_token_file_is_no_token(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_bytes(b"\n")
    assert refused(http_token_file=str(file)).message.endswith(
        "there are 0 tokens; 1 or 2 are taken"
    )
    file.write_bytes(b"\xff\xfe\x00")
    assert "cannot be read" in refused(http_token_file=str(file)).message
    both = refused({"SAFE_FETCH_HTTP_TOKEN": TOKEN}, http_token_file=str(file))
    assert both.message.endswith("there is a token in SAFE_FETCH_HTTP_TOKEN too; one is enough")
    missing = refused(http_token_file=str(tmp_path / "none"))
    assert missing.message.startswith("--http-token-file: ")


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "[2001:db8::1]"])
def test_all_the_network_needs_a_token_or_the_operators_word(host: str) -> None:
    error = refused({"HOST": host})
    assert error.message.endswith(
        "is not a loopback address, and no token is set: anyone who reaches it could use the server"
    )
    assert "SAFE_FETCH_HTTP_TOKEN" in error.hint
    plain = host.strip("[]")
    assert loaded({"HOST": host, "SAFE_FETCH_HTTP_TOKEN": TOKEN}).host == plain
    assert loaded({"HOST": host, "SAFE_FETCH_HTTP_INSECURE": "true"}).host == plain
    refused({"HOST": host, "SAFE_FETCH_HTTP_INSECURE": "false"})


@pytest.mark.parametrize(
    ("host", "address"),
    [("localhost", "127.0.0.1"), ("127.0.0.9", "127.0.0.9"), ("::1", "::1"), ("[::1]", "::1")],
)
def test_loopback_needs_no_token(host: str, address: str) -> None:
    assert loaded(host=host).host == address


@pytest.mark.parametrize(
    ("environment", "message"),
    [
        ({"TRANSPORT": "sse"}, "TRANSPORT: 'sse' is not one of stdio, http"),
        ({"HOST": "my-host"}, "HOST: 'my-host' is not an IP address to listen on, or localhost"),
        ({"PORT": "65536"}, "PORT: '65536' is not a whole number from 0 to 65535"),
        (
            {"SAFE_FETCH_TRUST_PROXY": "true"},
            "SAFE_FETCH_TRUST_PROXY: 'true' is not a whole number from 0 to 10",
        ),
        (
            {"SAFE_FETCH_RATE_LIMIT_MAX": "0"},
            "SAFE_FETCH_RATE_LIMIT_MAX: '0' is not a whole number from 1 to 1000000",
        ),
        (
            {"SAFE_FETCH_RATE_LIMIT_WINDOW_MS": "99"},
            "SAFE_FETCH_RATE_LIMIT_WINDOW_MS: '99' is not a whole number from 100 to 86400000",
        ),
        (
            {"SAFE_FETCH_ALLOWED_HOSTS": ","},
            "SAFE_FETCH_ALLOWED_HOSTS: ',' is not a list with something in it",
        ),
        *(
            (
                {"SAFE_FETCH_ALLOWED_HOSTS": f"fetch.example, {value}"},
                (
                    f"SAFE_FETCH_ALLOWED_HOSTS: {value!r} is not a host, as fetch.example or "
                    "[::1], with an optional :port"
                ),
            )
            for value in ("https://fetch.example", "fetch.example/", "*", "*.example", "::1", "a:b")
        ),
        *(
            (
                {"SAFE_FETCH_ALLOWED_ORIGINS": value},
                f"SAFE_FETCH_ALLOWED_ORIGINS: {value!r} is not an origin, as https://app.example",
            )
            for value in ("*", "null", "app.example", "https://app.example/path", "https://*.app")
        ),
        (
            {"SAFE_FETCH_COMPAT_TOOL": "maybe"},
            "SAFE_FETCH_COMPAT_TOOL: 'maybe' is not true or false",
        ),
    ],
)
def test_a_bad_value_names_the_variable_the_value_and_the_range(
    environment: dict[str, str], message: str
) -> None:
    assert refused(environment).message == message


def test_hosts_and_origins_as_they_are_written() -> None:
    hosts = "Fetch.example fetch.example:8443 10.0.0.5 [::1]:3000 my_host localhost."
    origins = "https://App.example http://localhost:5173/ vscode-webview://abc"
    found = loaded({"SAFE_FETCH_ALLOWED_HOSTS": hosts, "SAFE_FETCH_ALLOWED_ORIGINS": origins})
    assert found.allowed_hosts == tuple(hosts.split())
    assert found.allowed_origins == tuple(origins.split())
