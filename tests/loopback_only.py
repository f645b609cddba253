"""An audit hook that keeps tests on this machine.

It raises before anything is sent: for a connection or a datagram to an address that is not
loopback, and for a look-up of a name that is not loopback's. Names under `.invalid` are answered as
RFC 6761 says, without asking anyone: they do not exist. In the program itself a connection may come
from `net/dial.py` only and a look-up from `net/resolve.py` only.

The text of this file is also the `sitecustomize.py` of programs that tests start, so it imports
nothing that a program under test would not have loaded.
"""

import os
import sys
from typing import Any

PACKAGE = "safefetch_cli."
DIALLER = "safefetch_cli.net.dial"
RESOLVER = "safefetch_cli.net.resolve"
REPORT_VARIABLE = "LOOPBACK_ONLY_REPORT"
INSTALLED = "installed"

violations: list[str] = []
"""What was refused, since the last test looked."""

product_calls: set[tuple[str, str]] = set()
"""The events that the program caused, each with the module of the program nearest to it."""


class LeavesMachine(AssertionError):
    """Something would have left this machine, or came from the wrong module."""


def install() -> None:
    """Install the hook in this process, for good."""
    sys.addaudithook(_hook)
    _report(INSTALLED)


def _hook(event: str, arguments: tuple[Any, ...]) -> None:
    if not event.startswith("socket."):
        return
    if event == "socket.connect":
        _check_module(event, DIALLER)
        _check_address(event, *arguments)
    elif event in ("socket.sendto", "socket.sendmsg"):
        if arguments[1] is not None:
            _check_address(event, *arguments)
    elif event in ("socket.getaddrinfo", "socket.gethostbyname"):
        _check_module(event, RESOLVER)
        _check_name(event, arguments[0])
    elif event in ("socket.gethostbyaddr", "socket.getnameinfo"):
        _refuse(f"{event} of {arguments[0]!r} may ask a name server")


def _check_address(event: str, sock: Any, address: Any) -> None:
    if isinstance(address, tuple) and not _is_loopback(address[0]):
        _refuse(f"{event} to {address!r} would leave this machine")


def _check_name(event: str, name: Any) -> None:
    text = name.decode("ascii", "replace") if isinstance(name, bytes) else name
    if isinstance(text, str) and text.rstrip(".").endswith(".invalid"):
        import socket

        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
    if text is not None and not _is_loopback(text):
        _refuse(f"{event} of {text!r} would ask a name server")


def _is_loopback(host: Any) -> bool:
    if host == "localhost":
        return True
    from ipaddress import ip_address

    try:
        return ip_address(str(host)).is_loopback
    except ValueError:
        return False


def _check_module(event: str, allowed: str) -> None:
    module = _nearest_module()
    if not module:
        return
    product_calls.add((event, module))
    if module != allowed:
        _refuse(f"{event} came from {module}; only {allowed} may")


def _nearest_module() -> str:
    """The module of the program that is nearest on the stack, "" when there is none."""
    frame = sys._getframe(2)
    while frame is not None:
        name = str(frame.f_globals.get("__name__", ""))
        if name.startswith(PACKAGE):
            return name
        if frame.f_back is None:
            break
        frame = frame.f_back
    return ""


def _refuse(text: str) -> None:
    violations.append(text)
    _report(text)
    raise LeavesMachine(text)


def _report(line: str) -> None:
    """Tell the test that started this process."""
    path = os.environ.get(REPORT_VARIABLE)
    if path:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        os.write(handle, line.encode("utf-8", "replace") + b"\n")
        os.close(handle)


if __name__ == "sitecustomize":
    install()
