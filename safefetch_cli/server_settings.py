"""The settings of the server, besides those of every fetch."""

import re
from collections.abc import Mapping
from ipaddress import ip_address
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from safefetch_cli.errors import InvalidInput
from safefetch_cli.setting_values import (
    Reader,
    boolean,
    failed,
    items_of,
    one_of,
    readable_file,
    whole,
)
from safefetch_cli.settings import Setting, read_table

if TYPE_CHECKING:
    from safefetch_cli.config_file import ConfigFile

LEAST_TOKEN_CHARS = 16
MOST_TOKENS = 2
"""The present one, and the one before or after it while clients change."""

MAX_TOKEN_FILE_BYTES = 64 * 1024

_HOST = r"(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?"
_HOST_FIELD = re.compile(_HOST, re.ASCII | re.IGNORECASE)
# Not "null", which every page in a sandbox says, nor "*".
_ORIGIN = re.compile(rf"[a-z][a-z0-9+.-]*://{_HOST}/?", re.ASCII | re.IGNORECASE)


class ServerSettings(NamedTuple):
    """The settings of one server.

    `tools` are the names of the tools to serve, () for all. `http_token` are the bearer tokens, ()
    for none. `host` is the address to listen on, `trust_proxy` the number of proxies in front.
    `labels` maps a setting to the name of what gave it.
    """

    compat_tool: bool = False
    tools: tuple[str, ...] = ()
    log_format: str = "text"
    transport: str = "stdio"
    host: str = "127.0.0.1"
    port: int = 3000
    http_token: tuple[str, ...] = ()
    http_token_file: str = ""
    http_insecure: bool = False
    allowed_hosts: tuple[str, ...] = ()
    allowed_origins: tuple[str, ...] = ()
    trust_proxy: int = 0
    rate_limit_max: int = 60
    rate_limit_window_ms: int = 60_000
    labels: Mapping[str, str] = MappingProxyType({})


_LISTENING = "an IP address to listen on, or localhost"


def _listening_address(value: Any, label: str) -> str:
    text = str(value).strip()
    if text == "localhost":
        return "127.0.0.1"
    try:
        return str(ip_address(text.removeprefix("[").removesuffix("]")))
    except ValueError:
        raise failed(label, value, _LISTENING) from None


def _tokens(value: Any, label: str) -> tuple[str, ...]:
    """One or two tokens. What is wrong is told without them."""
    tokens = tuple(str(value).replace(",", " ").split())
    if not 1 <= len(tokens) <= MOST_TOKENS:
        raise InvalidInput(f"{label}: there are {len(tokens)} tokens; 1 or {MOST_TOKENS} are taken")
    if not all(_is_token(one) for one in tokens):
        raise InvalidInput(
            f"{label}: a token has at least {LEAST_TOKEN_CHARS} printable ASCII characters"
        )
    return tokens


def _is_token(text: str) -> bool:
    return len(text) >= LEAST_TOKEN_CHARS and text.isascii() and text.isprintable()


def _each(form: re.Pattern[str], rule: str) -> Reader:
    """Reads a list of which each item has this form."""

    def read(value: Any, label: str) -> tuple[str, ...]:
        items: tuple[str, ...] = items_of(value, label)
        for item in items:
            if not form.fullmatch(item):
                raise failed(label, item, rule)
        return items

    return Reader(rule, (list,), read)


_hosts = _each(_HOST_FIELD, "a host, as fetch.example or [::1], with an optional :port")
_origins = _each(_ORIGIN, "an origin, as https://app.example")

TABLE = (
    Setting("compat_tool", boolean, "serve the tool and the prompt of mcp-server-fetch too"),
    Setting("tools", items_of, "serve only these tools"),
    Setting("log_format", one_of("text", "json"), "how the log is written"),
    Setting("transport", one_of("stdio", "http"), "where clients are", "TRANSPORT"),
    Setting(
        "host",
        Reader(_LISTENING, (str,), _listening_address),
        "the address that the server listens on",
        "HOST",
    ),
    Setting("port", whole(0, 65535), "the port that it listens on; 0: any", "PORT"),
    Setting(
        "http_token",
        Reader("a text with one or two tokens", (str,), _tokens),
        "bearer tokens that clients must send",
        form="secret",
    ),
    Setting("http_token_file", readable_file, "a file with these tokens", form="path"),
    Setting("http_insecure", boolean, "listen beyond loopback without a token"),
    Setting("allowed_hosts", _hosts, "names in the Host field of requests"),
    Setting("allowed_origins", _origins, "web pages whose requests are answered"),
    Setting("trust_proxy", whole(0, 10), "the exact number of proxies in front"),
    Setting("rate_limit_max", whole(1, 1_000_000), "requests of one client in a window"),
    Setting("rate_limit_window_ms", whole(100, 86_400_000), "the window, milliseconds"),
)
"""In the order of the documentation."""

_OF_HTTP = frozenset(
    ("host", "port", "http_token", "http_token_file", "http_insecure", "allowed_hosts")
) | {"allowed_origins", "trust_proxy", "rate_limit_max", "rate_limit_window_ms"}


def load_server(
    given: Mapping[str, Any], environment: Mapping[str, str], file: "ConfigFile | None" = None
) -> ServerSettings:
    """The settings of the server from flags, environment and file; see `settings.load`.

    Those of HTTP are read only where it is served. Raises InvalidInput for a value that cannot be
    used, and for a server that all the network could use without a token.
    """
    transport = [row for row in TABLE if row.field == "transport"]
    values, _ = read_table(transport, given, environment, file)
    is_http = values.get("transport") == "http"
    wanted = [row for row in TABLE if is_http or row.field not in _OF_HTTP]
    values, labels = read_table(wanted, given, environment, file)
    settings = ServerSettings(**values, labels=labels)
    if settings.http_token_file:
        settings = settings._replace(http_token=_tokens_in(settings))
    _refuse_open_door(settings)
    return settings


def _tokens_in(settings: ServerSettings) -> tuple[str, ...]:
    label = f"the token file {settings.http_token_file!r}"
    if settings.http_token:
        raise InvalidInput(f"{label}: there is a token in SAFE_FETCH_HTTP_TOKEN too; one is enough")
    try:
        with open(settings.http_token_file, encoding="utf-8-sig") as file:
            return _tokens(file.read(MAX_TOKEN_FILE_BYTES), label)
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"{label} cannot be read: {error}") from None


def _refuse_open_door(settings: ServerSettings) -> None:
    is_local = settings.transport == "stdio" or ip_address(settings.host).is_loopback
    if not (is_local or settings.http_token or settings.http_insecure):
        raise InvalidInput(
            f"HOST: {settings.host!r} is not a loopback address, and no token is set: anyone who "
            "reaches it could use the server",
            hint="Set SAFE_FETCH_HTTP_TOKEN, or SAFE_FETCH_HTTP_INSECURE=true behind a guarded "
            "proxy.",
        )
