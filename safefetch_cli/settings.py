"""Every setting: its name, its range and its default, and where a value may come from.

A flag wins over the environment (`SAFE_FETCH_` and the setting's name in capitals), which wins over
the default. A value that cannot be used stops the program; it is never replaced by another.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypedDict

from safefetch_cli import __version__
from safefetch_cli.errors import InvalidInput

if TYPE_CHECKING:
    from safefetch_cli.models import Limits

PREFIX = "SAFE_FETCH_"
DEFAULT_USER_AGENT = f"safefetch/{__version__} (+https://pypi.org/project/safefetch-cli/)"

_TRUE = frozenset({"1", "true", "yes", "on"})
_FALSE = frozenset({"0", "false", "no", "off"})
_SUFFIXES = {"k": 1000, "m": 1000**2, "g": 1000**3}


class Settings(NamedTuple):
    """The settings of one run. `labels` maps a setting to the flag or variable that gave it."""

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


def _fail(label: str, value: object, rule: str) -> InvalidInput:
    return InvalidInput(f"{label}: {value!r} is not {rule}")


def _whole(low: int, high: int) -> "Reader":
    def read(value: Any, label: str) -> int:
        text = str(value).strip()
        number = int(text) if text.isascii() and text.isdecimal() and len(text) < 20 else -1
        if not low <= number <= high:
            raise _fail(label, value, f"a whole number from {low} to {high}")
        return number

    return read


def _byte_count(low: int, high: int) -> "Reader":
    whole = _whole(low, high)

    def read(value: Any, label: str) -> int:
        text = str(value).strip().lower()
        factor = _SUFFIXES.get(text[-1:], 1)
        digits = text[:-1] if factor > 1 else text
        is_number = digits.isascii() and digits.isdecimal() and len(digits) < 20
        number = int(digits) * factor if is_number else -1
        try:
            return int(whole(number, label))
        except InvalidInput:
            rule = f"a number of bytes from {low} to {high}, with an optional k, m or g"
            raise _fail(label, value, rule) from None

    return read


def _boolean(value: Any, label: str) -> bool:
    text = str(value).strip().lower()
    if text not in _TRUE | _FALSE:
        raise _fail(label, value, "true or false")
    return text in _TRUE


def _items(value: Any, label: str) -> tuple[str, ...]:
    """A list, or text with commas or blanks between the items."""
    texts = [value] if isinstance(value, str) else list(value)
    items = tuple(item for text in texts for item in str(text).replace(",", " ").split())
    if texts and not items:  # an empty list would open what it was meant to close
        raise _fail(label, texts[0], "a list with something in it")
    return items


def _ports(value: Any, label: str) -> tuple[int, ...]:
    items = _items(value, label)
    if [item.lower() for item in items] == ["any"]:
        return ()
    read = _whole(1, 65535)
    return tuple(read(item, label) for item in items)


def _header_text(value: Any, label: str) -> str:
    text = str(value).strip()
    if not (0 < len(text) <= 512 and text.isascii() and text.isprintable()):
        raise _fail(label, value, "1 to 512 printable ASCII characters")
    return text


def _one_of(*choices: str) -> "Reader":
    def read(value: Any, label: str) -> str:
        text = str(value).strip().lower()
        if text not in choices:
            raise _fail(label, value, "one of " + ", ".join(choices))
        return text

    return read


def _file(value: Any, label: str) -> str:
    path = str(value)
    if path and not (os.path.isfile(path) and os.access(path, os.R_OK)):
        raise _fail(label, value, "a file that can be read")
    return path


Reader = Callable[[Any, str], Any]


class Setting(NamedTuple):
    """One row of the table of settings."""

    field: str
    read: Reader
    meaning: str

    @property
    def variable(self) -> str:
        """Its environment variable."""
        return PREFIX + self.field.upper()


TABLE = (
    Setting("allow_local", _boolean, "open loopback and private networks (RFC 1918, RFC 4193)"),
    Setting("allow", _items, "hosts, addresses or CIDR ranges to open, each with optional :port"),
    Setting("fake_ip", _items, "CIDR ranges that a local proxy's DNS answers from"),
    Setting("allowlist", _items, "only these hosts (host or *.domain)"),
    Setting("denylist", _items, "never these hosts (host or *.domain)"),
    Setting("allowed_ports", _ports, "only these ports"),
    Setting("https_only", _boolean, "only https"),
    Setting("allow_https_downgrade", _boolean, "follow redirects from https to http"),
    Setting("max_bytes", _byte_count(1, 1_000_000_000), "cut the decoded body there"),
    Setting("timeout_ms", _whole(1, 600_000), "deadline of the whole operation, milliseconds"),
    Setting("max_redirects", _whole(0, 20), "follow at most so many redirects"),
    Setting("user_agent", _header_text, "the User-Agent field"),
    Setting("ca_file", _file, "PEM file of certificate authorities to trust besides the system's"),
    Setting("robots", _one_of("respect", "ignore"), "whether a site's robots.txt is obeyed"),
    Setting("cache_ttl_ms", _whole(0, 86_400_000), "keep answers so long, as HTTP allows; 0: off"),
    Setting("cache_max_entries", _whole(1, 100_000), "of the cache"),
    Setting("cache_max_bytes", _byte_count(1, 1_000_000_000), "of the cache"),
    Setting("snapshot_ttl_ms", _whole(0, 86_400_000), "read parts of one version so long; 0: off"),
    Setting("max_concurrent", _whole(1, 256), "requests on their way at once"),
    Setting("max_per_host", _whole(1, 256), "requests on their way to one host at once"),
)
"""In the order of the documentation."""

_FLAGS = {
    "timeout_ms": "--timeout",
    "robots": "--ignore-robots-txt",
    "snapshot_ttl_ms": "--no-snapshot",
}


def load(given: Mapping[str, Any], environment: Mapping[str, str]) -> Settings:
    """The settings from flags and environment.

    `given` maps settings to what flags said, without those that were not used (None or empty). An
    empty variable counts as not set. Raises InvalidInput that names flag or variable, value, range.
    """
    _refuse_unknown(environment)
    values: dict[str, Any] = {}
    labels: dict[str, str] = {}
    for row in TABLE:
        flag = given.get(row.field)
        variable = environment.get(row.variable, "")
        if flag not in (None, [], ()):
            labels[row.field] = flag_name(row.field)
            values[row.field] = row.read(flag, labels[row.field])
        elif variable.strip():
            labels[row.field] = row.variable
            values[row.field] = row.read(variable, row.variable)
    return Settings(**values, labels=labels)


def _refuse_unknown(environment: Mapping[str, str]) -> None:
    """A misspelt variable must not leave a guard open."""
    known = {row.variable for row in TABLE}
    unknown = sorted(name for name in environment if name.startswith(PREFIX) and name not in known)
    if unknown:
        raise InvalidInput(f"{unknown[0]}: there is no such setting; see safefetch get --help")


def from_keywords(given: Mapping[str, Any]) -> Settings:
    """The settings from keyword arguments alone, checked in the same way."""
    known = {row.field: row for row in TABLE}
    unknown = sorted(given.keys() - known.keys())
    if unknown:
        raise TypeError(f"unknown setting: {', '.join(unknown)}")
    return Settings(**{name: known[name].read(value, name) for name, value in given.items()})


def flag_name(name: str) -> str:
    """The flag of a setting."""
    return _FLAGS.get(name, "--" + name.replace("_", "-"))


def seconds_to_ms(text: str, label: str = "--timeout") -> int:
    """Read a number of seconds, as `--timeout` takes it, into whole milliseconds."""
    digits = text.strip().replace(".", "", 1)
    is_number = digits.isascii() and digits.isdecimal() and len(digits) < 20
    milliseconds = round(float(text) * 1000) if is_number else 0
    if not 1 <= milliseconds <= 600_000:
        raise _fail(label, text, "a number of seconds from 0.001 to 600")
    return milliseconds
