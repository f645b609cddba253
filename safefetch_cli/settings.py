"""Every setting: its name, its range and its default, and where a value may come from.

A flag wins over the environment (`SAFE_FETCH_` and the setting's name in capitals), which wins over
the configuration file, which wins over the default. A value that cannot be used stops the program;
it is never replaced by another.
"""

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypedDict

from safefetch_cli import __version__, config_place
from safefetch_cli.errors import InvalidInput
from safefetch_cli.setting_values import (
    Reader,
    boolean,
    byte_count,
    failed,
    header_text,
    items_of,
    one_of,
    ports,
    readable_file,
    whole,
)

if TYPE_CHECKING:
    from safefetch_cli.config_file import ConfigFile
    from safefetch_cli.models import Limits

PREFIX = "SAFE_FETCH_"
DEFAULT_USER_AGENT = f"safefetch/{__version__} (+https://pypi.org/project/safefetch-cli/)"


class Settings(NamedTuple):
    """The settings of one run. `labels` maps a setting to the name of what gave it."""

    allow_local: bool = False
    allow: tuple[str, ...] = ()
    fake_ip: tuple[str, ...] = ()
    allowlist: tuple[str, ...] = ()
    denylist: tuple[str, ...] = ()
    allowed_ports: tuple[int, ...] = ()
    https_only: bool = False
    allow_https_downgrade: bool = False
    max_bytes: int = 5_000_000
    timeout_ms: int = 10_000
    max_redirects: int = 5
    user_agent: str = DEFAULT_USER_AGENT
    ca_file: str = ""
    robots: str = "respect"
    cache_ttl_ms: int = 0
    cache_max_entries: int = 100
    cache_max_bytes: int = 20_000_000
    snapshot_ttl_ms: int = 300_000
    max_concurrent: int = 16
    max_per_host: int = 4
    labels: Mapping[str, str] = MappingProxyType({})

    @property
    def limits(self) -> "Limits":
        """What one operation may use."""
        from safefetch_cli.models import Limits

        return Limits(
            seconds=self.timeout_ms / 1000,
            max_bytes=self.max_bytes,
            max_redirects=self.max_redirects,
        )


class Options(TypedDict, total=False):
    """The settings as keyword arguments; each has the default of `Settings`."""

    allow_local: bool
    allow: Sequence[str]
    fake_ip: Sequence[str]
    allowlist: Sequence[str]
    denylist: Sequence[str]
    allowed_ports: Sequence[int]
    https_only: bool
    allow_https_downgrade: bool
    max_bytes: int
    timeout_ms: int
    max_redirects: int
    user_agent: str
    ca_file: str
    robots: Literal["respect", "ignore"]
    cache_ttl_ms: int
    cache_max_entries: int
    cache_max_bytes: int
    snapshot_ttl_ms: int
    max_concurrent: int
    max_per_host: int


class Setting(NamedTuple):
    """One row of a table of settings.

    `bare_variable` is its variable where that has not the name of all the others. `form` says what
    else a text is: a "path", which in the configuration file is one of that file's folder, or a
    "secret", which is never shown; its reader does not tell it either.
    """

    field: str
    read: Reader
    meaning: str
    bare_variable: str = ""
    form: Literal["", "path", "secret"] = ""

    @property
    def variable(self) -> str:
        """Its environment variable."""
        return self.bare_variable or PREFIX + self.field.upper()

    def checked(self, value: Any, label: str, *, typed: bool = False) -> Any:
        """The value as the program uses it. Raises InvalidInput that names the label.

        `typed` is for a value of the configuration file, whose type counts.
        """
        if typed and not self.read.fits(value):
            raise failed(label, value, self.read.rule, is_secret=self.form == "secret")
        return self.read(value, label)


TABLE = (
    Setting("allow_local", boolean, "open loopback and private networks (RFC 1918, RFC 4193)"),
    Setting("allow", items_of, "hosts, addresses or CIDR ranges to open, each with optional :port"),
    Setting("fake_ip", items_of, "CIDR ranges that a local proxy's DNS answers from"),
    Setting("allowlist", items_of, "only these hosts (host or *.domain)"),
    Setting("denylist", items_of, "never these hosts (host or *.domain)"),
    Setting("allowed_ports", ports, "only these ports"),
    Setting("https_only", boolean, "only https"),
    Setting("allow_https_downgrade", boolean, "follow redirects from https to http"),
    Setting("max_bytes", byte_count(1, 1_000_000_000), "cut the decoded body there"),
    Setting("timeout_ms", whole(1, 600_000), "deadline of the whole operation, milliseconds"),
    Setting("max_redirects", whole(0, 20), "follow at most so many redirects"),
    Setting("user_agent", header_text, "the User-Agent field"),
    Setting(
        "ca_file",
        readable_file,
        "PEM file of authorities to trust besides the system's",
        form="path",
    ),
    Setting("robots", one_of("respect", "ignore"), "whether a site's robots.txt is obeyed"),
    Setting("cache_ttl_ms", whole(0, 86_400_000), "keep answers so long, as HTTP allows; 0: off"),
    Setting("cache_max_entries", whole(1, 100_000), "of the cache"),
    Setting("cache_max_bytes", byte_count(1, 1_000_000_000), "of the cache"),
    Setting("snapshot_ttl_ms", whole(0, 86_400_000), "read parts of one version so long; 0: off"),
    Setting("max_concurrent", whole(1, 256), "requests on their way at once"),
    Setting("max_per_host", whole(1, 256), "requests on their way to one host at once"),
)
"""In the order of the documentation."""

_BARE = frozenset({"transport", "host", "port"})
SERVER_KEYS = _BARE | {
    *("compat_tool", "tools", "log_format", "http_token", "http_token_file", "http_insecure"),
    *("allowed_hosts", "allowed_origins", "trust_proxy", "rate_limit_max", "rate_limit_window_ms"),
}
"""The settings of the server, which other commands pass over; `server_settings` reads them."""
SERVER_VARIABLES = frozenset(PREFIX + key.upper() for key in SERVER_KEYS - _BARE)
"""Their variables, but those with a name of their own."""

_FLAGS = {
    "timeout_ms": "--timeout",
    "robots": "--ignore-robots-txt",
    "snapshot_ttl_ms": "--no-snapshot",
    "compat_tool": "--compat",
    "transport": "--http",
}


def load(
    given: Mapping[str, Any], environment: Mapping[str, str], file: "ConfigFile | None" = None
) -> Settings:
    """The settings from flags, environment and configuration file.

    `given` maps settings to what flags said, without those that were not used (None or empty). An
    empty variable counts as not set. Raises InvalidInput that names flag, variable or line of the
    file, the value and the range.
    """
    _refuse_unknown(environment, file)
    values, labels = read_table(TABLE, given, environment, file)
    return Settings(**values, labels=labels)


def read_table(
    table: "Iterable[Setting]",
    given: Mapping[str, Any],
    environment: Mapping[str, str],
    file: "ConfigFile | None",
) -> tuple[dict[str, Any], dict[str, str]]:
    """The values that a table's settings have, and the name of what gave each; see `load`."""
    values: dict[str, Any] = {}
    labels: dict[str, str] = {}
    for row in table:
        flag = given.get(row.field)
        variable = environment.get(row.variable, "")
        if flag not in (None, [], ()):
            labels[row.field] = flag_name(row.field)
            values[row.field] = row.checked(flag, labels[row.field])
        elif variable.strip():
            labels[row.field] = row.variable
            values[row.field] = row.checked(variable, row.variable)
        elif file and row.field in file.values:
            labels[row.field] = file.label(row.field)
            values[row.field] = _from_file(row, file)
    return values, labels


def _from_file(row: Setting, file: "ConfigFile") -> Any:
    value = file.values[row.field]
    if row.form == "path" and isinstance(value, str) and value:
        value = os.path.join(os.path.dirname(file.path), os.path.expanduser(value))
    return row.checked(value, file.label(row.field), typed=True)


def _refuse_unknown(environment: Mapping[str, str], file: "ConfigFile | None") -> None:
    """A misspelt variable or key must not leave a guard open."""
    keys = {row.field for row in TABLE} | SERVER_KEYS
    known = {config_place.VARIABLE, *(row.variable for row in TABLE), *SERVER_VARIABLES}
    for name in sorted(environment):
        if name.startswith(PREFIX) and name not in known:
            raise _no_such(name, known)
    for key in file.values if file else ():
        if file and key not in keys:
            raise _no_such(file.label(key), keys, key)


def _no_such(label: str, known: Collection[str], name: str = "") -> InvalidInput:
    from difflib import get_close_matches

    near = get_close_matches(name or label, known, n=1)
    hint = f"Did you mean {near[0]}?" if near else ""
    return InvalidInput(f"{label}: there is no such setting; see safefetch get --help", hint=hint)


def from_keywords(given: Mapping[str, Any]) -> Settings:
    """The settings from keyword arguments alone, checked in the same way."""
    known = {row.field: row for row in TABLE}
    unknown = sorted(given.keys() - known.keys())
    if unknown:
        raise TypeError(f"unknown setting: {', '.join(unknown)}")
    return Settings(**{name: known[name].checked(value, name) for name, value in given.items()})


def flag_name(name: str) -> str:
    """The flag of a setting."""
    return _FLAGS.get(name, "--" + name.replace("_", "-"))


def seconds_to_ms(text: str, label: str = "--timeout") -> int:
    """Read a number of seconds, as `--timeout` takes it, into whole milliseconds."""
    digits = text.strip().replace(".", "", 1)
    is_number = digits.isascii() and digits.isdecimal() and len(digits) < 20
    milliseconds = round(float(text) * 1000) if is_number else 0
    if not 1 <= milliseconds <= 600_000:
        raise failed(label, text, "a number of seconds from 0.001 to 600")
    return milliseconds
