"""The rules of the house, read from the source."""

import ast
import inspect
from collections.abc import Iterator
from dataclasses import dataclass
from http.client import HTTPResponse
from pathlib import Path
from typing import NamedTuple

import pytest
import requests
import urllib3
from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPConnection
from urllib3.connectionpool import HTTPConnectionPool
from urllib3.util.ssltransport import SSLTransport

import safefetch_cli

ROOT = Path(safefetch_cli.__file__).parent
PACKAGE = "safefetch_cli"
MAX_FILE_LINES = 300
MAX_FUNCTION_LINES = 50

# Room -> the rooms it may import besides itself. "" is the root module.
MAY_IMPORT = {
    "": {"batch", "operations", "content", "models", "verdicts", "errors"},
    "__main__": {"cli"},
    "cli": {
        *("batch", "choices", "config_file", "config_place", "facts", "file_names", "files"),
        *("framing", "lines", "operations", "saved", "server", "server_settings", "settings"),
        *("url_list", "models", "verdicts", "watch", "errors", ""),
    },
    "server": {
        *("choices", "facts", "framing", "lines", "operations"),
        *("server_settings", "settings"),
        *("models", "verdicts", "watch", "errors", ""),
    },
    "access": {"net", "results", "stores", "settings", "time_limit", "watch", "models", "errors"},
    "operations": {
        *("access", "batch", "choices", "facts", "reading", "saved"),
        *("net", "content", "results", "stores", "settings", "time_limit", "watch"),
        *("models", "verdicts", "errors"),
    },
    "reading": {"access", "retrying", "net", "content", "results", "models", "errors"},
    "saved": {"access", "net", "content", "settings", "models", "errors"},
    "choices": {"content", "errors"},
    "framing": {"content", "models"},
    "batch": {"ordered", "watch", "models", "errors"},
    "ordered": {"watch"},
    "retrying": {"errors"},
    "url_list": set(),
    "file_names": set(),
    "files": set(),
    "stores": {"net", "settings"},
    "results": {"content", "time_limit", "watch", "facts", "models", "errors"},
    "time_limit": {"watch", "errors"},
    "watch": set(),
    "lines": {"facts", "models", "verdicts"},
    "settings": {"config_file", "config_place", "setting_values", "models", "errors", ""},
    "config_place": {"config_file"},
    "config_file": {"errors"},
    "setting_values": {"errors"},
    "server_settings": {"config_file", "setting_values", "settings", "errors"},
    "net": {"models", "verdicts", "errors"},
    "content": {"facts", "models", "errors"},
    "errors": {"models"},
    "models": set(),
    "verdicts": set(),
    "facts": {"models"},
}
NETWORK = (
    *("socket", "ssl", "select", "selectors", "socketserver", "asyncio", "_socket", "_ssl"),
    *("http.client", "http.server", "urllib.request", "ftplib", "smtplib", "xmlrpc"),
    *("urllib3", "requests", "httpx", "httpcore", "aiohttp", "pycurl", "anyio", "trio"),
)
IMPORT_TRICKS = ("importlib", "imp", "pkgutil", "runpy", "zipimport")
VAGUE_NAMES = {"utils", "util", "helpers", "helper", "common", "manager", "misc", "base"}


class Import(NamedTuple):
    module: str  # what is imported, in full
    name: str  # what is taken from it, "" for the module itself
    in_function: bool
    for_types: bool


@dataclass(frozen=True)
class Source:
    path: Path
    name: str  # without the package's own
    tree: ast.Module

    @property
    def room(self) -> str:
        return self.name.partition(".")[0]

    def imports(self) -> list[Import]:
        return list(_imports(self.tree, in_function=False, for_types=False))


def _imports(node: ast.AST, *, in_function: bool, for_types: bool) -> Iterator[Import]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import):
            for alias in child.names:
                yield Import(alias.name, "", in_function, for_types)
        elif isinstance(child, ast.ImportFrom):
            assert child.level == 0, "imports are absolute"
            for alias in child.names:
                yield Import(child.module or "", alias.name, in_function, for_types)
        else:
            yield from _imports(
                child,
                in_function=in_function or isinstance(child, ast.FunctionDef | ast.Lambda),
                for_types=for_types
                or (isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING"),
            )


def _source(path: Path) -> Source:
    parts = path.relative_to(ROOT).with_suffix("").parts
    name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
    return Source(path, name, ast.parse(path.read_text(encoding="utf-8")))


SOURCES = [_source(path) for path in sorted(ROOT.rglob("*.py"))]
NAMES = {source.name for source in SOURCES}


each_source = pytest.mark.parametrize(
    "source", SOURCES, ids=[str(source.path.relative_to(ROOT)) for source in SOURCES]
)


def imported(item: Import) -> str | None:
    """The module of the package that an import loads, None for another package's."""
    top, _, rest = item.module.partition(".")
    if top != PACKAGE:
        return None
    inner = f"{rest}.{item.name}".lstrip(".")
    return inner if inner in NAMES else rest


def is_within(module: str, outer: tuple[str, ...]) -> bool:
    return any(module == name or module.startswith(name + ".") for name in outer)


@each_source
def test_a_room_imports_only_the_rooms_below_it(source: Source) -> None:
    rooms = {
        module.partition(".")[0] for module in map(imported, source.imports()) if module is not None
    }
    assert rooms <= MAY_IMPORT[source.room] | {source.room}


@each_source
def test_of_the_root_only_the_version_is_imported(source: Source) -> None:
    names = {item.name for item in source.imports() if imported(item) == ""}
    assert names <= {"__version__"}


@each_source
def test_the_command_line_loads_the_server_only_when_it_serves(source: Source) -> None:
    eager = [item.module for item in source.imports() if not item.in_function]
    assert source.room == "server" or not any(
        is_within(module, (f"{PACKAGE}.server",)) for module in eager
    )


@pytest.mark.parametrize("with_lazy", [False, True], ids=["as they load", "lazy ones too"])
def test_there_is_no_circle_of_imports(with_lazy: bool) -> None:
    # The root's public names load on use, from above; it is a leaf but for that.
    graph = {
        source.name: {
            module
            for item in source.imports()
            if (with_lazy or not (item.in_function or item.for_types))
            and (module := imported(item)) not in (None, source.name)
        }
        for source in SOURCES
        if source.name or not with_lazy
    }
    while leaves := {name for name, below in graph.items() if not below & graph.keys()}:
        graph = {name: below for name, below in graph.items() if name not in leaves}
    assert graph == {}


@each_source
def test_only_the_network_room_knows_the_network(source: Source) -> None:
    used = {
        item.module
        for item in source.imports()
        if is_within(item.module, NETWORK) or is_within(f"{item.module}.{item.name}", NETWORK)
    }
    allowed = {"anyio", "anyio.from_thread", "anyio.to_thread"} if source.room == "server" else ()
    assert source.room == "net" or used <= set(allowed)


def test_the_server_runs_its_tasks_with_anyio_and_connects_nowhere() -> None:
    servers = [source for source in SOURCES if source.room == "server"]
    used = {name for source in servers for name in _attributes_of(source.tree, "anyio")}
    assert used == {
        *("CapacityLimiter", "create_task_group", "move_on_after", "run", "sleep_forever"),
        *("from_thread", "to_thread"),
    }


@each_source
def test_no_import_is_hidden(source: Source) -> None:
    assert not [item for item in source.imports() if is_within(item.module, IMPORT_TRICKS)]
    names = {node.id for node in ast.walk(source.tree) if isinstance(node, ast.Name)}
    assert not names & {"__import__", "exec", "eval", "compile"}
    assert not _attributes_of(source.tree, "sys") & {"modules", "meta_path", "path"}


def _attributes_of(tree: ast.AST, module: str) -> set[str]:
    return {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) == module
    }


def mentions(name: str) -> list[str]:
    """The modules in which a name is used, once for each use."""
    return [
        source.name
        for source in SOURCES
        for node in ast.walk(source.tree)
        if (isinstance(node, ast.Attribute) and node.attr == name)
        or (isinstance(node, ast.Name) and node.id == name)
        or (isinstance(node, ast.alias) and node.name.rpartition(".")[2] == name)
    ]


def calls(*names: str, method: bool = True) -> list[str]:
    """The modules in which a method or a function is called, once for each call."""
    kind = ast.Attribute if method else ast.Name
    return [
        source.name
        for source in SOURCES
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, kind)
        and (node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id) in names
    ]


@pytest.mark.parametrize(
    ("found", "where"),
    [
        (mentions("getaddrinfo"), "net.resolve"),
        (calls("connect", "connect_ex"), "net.dial"),
        (calls("BudgetSocket", method=False), "net.dial"),
        (calls("JudgedAddress", method=False), "net.resolve"),
        (calls("urlopen"), "net.transport"),
        (calls("send"), "net.transport"),
        (calls("GuardedSession", method=False), "net.fetch"),
    ],
    ids=["getaddrinfo", "connect", "socket", "judged address", "urlopen", "send", "session"],
)
def test_each_step_to_the_network_is_taken_in_one_place(found: list[str], where: str) -> None:
    assert found == [where]


@pytest.mark.parametrize(
    "name",
    [
        *("gethostbyname", "gethostbyname_ex", "gethostbyaddr", "getnameinfo", "getfqdn"),
        *("create_connection", "wrap_socket", "sendto", "sendmsg", "connect_accept"),
        *("_create_unverified_context", "CERT_NONE", "SOCK_DGRAM", "resolve_redirects"),
    ],
)
def test_no_other_step_to_the_network_exists(name: str) -> None:
    assert mentions(name) == []


_OF_REQUESTS = ("ConnectTimeout", "ReadTimeout", "RequestsCookieJar", "CaseInsensitiveDict")


def test_requests_is_used_for_its_session_alone() -> None:
    used = {name for source in SOURCES for name in _attributes_of(source.tree, "requests")}
    assert used <= {"Session", "PreparedRequest", "Response", "RequestException", *_OF_REQUESTS}
    assert calls("Session", "PoolManager", "HTTPAdapter", "socket") == []
    copied = calls("_make", "_replace")
    assert not [room for room in copied if room.startswith("net.")], "a judged address is made once"


@each_source
def test_no_file_is_long(source: Source) -> None:
    assert len(source.path.read_text(encoding="utf-8").splitlines()) <= MAX_FILE_LINES


@each_source
def test_no_function_is_long(source: Source) -> None:
    lengths = {
        node.name: (node.end_lineno or node.lineno) - node.lineno + 1
        for node in ast.walk(source.tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    assert {name for name, length in lengths.items() if length > MAX_FUNCTION_LINES} == set()


@each_source
def test_a_module_is_named_for_what_it_does(source: Source) -> None:
    assert not set(source.name.split(".")) & VAGUE_NAMES


@each_source
def test_a_package_file_holds_a_docstring_alone(source: Source) -> None:
    assert ast.get_docstring(source.tree)
    if source.path.name == "__init__.py" and source.name:
        assert len(source.tree.body) == 1


@pytest.mark.parametrize(
    ("owner", "name"),
    [
        (HTTPResponse, "_read_status"),
        (HTTPConnection, "_new_conn"),
        (HTTPConnection, "response_class"),
        (urllib3.HTTPResponse, "connection"),
        (urllib3.poolmanager, "_default_key_normalizer"),
        (urllib3.poolmanager.PoolKey, "_fields"),
        (urllib3.PoolManager(), "pool_classes_by_scheme"),
        (urllib3.PoolManager(), "key_fn_by_scheme"),
        (SSLTransport, "_ssl_io_loop"),
        (SSLTransport, "_wrap_ssl_read"),
        (urllib3.Timeout, "start_connect"),
        (HTTPAdapter, "init_poolmanager"),
        (HTTPAdapter, "build_response"),
        (HTTPAdapter, "get_connection_with_tls_context"),
        (requests.Session, "get_redirect_target"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_the_program_leans_on_in_its_libraries_exists(owner: object, name: str) -> None:
    assert hasattr(owner, name)


def test_a_pool_makes_its_requests_as_the_program_expects() -> None:
    parameters = list(inspect.signature(HTTPConnectionPool._make_request).parameters)
    assert parameters[:4] == ["self", "conn", "method", "url"]
    assert "timeout" in parameters
