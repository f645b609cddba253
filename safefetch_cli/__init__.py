"""safefetch: a web address becomes clean markdown, and never a way into an internal network.

The public names load on first use, so that `import safefetch_cli` costs nothing.
"""

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from safefetch_cli.errors import (
        ConnectionFailed,
        DnsResolutionFailed,
        HttpError,
        InternalError,
        InvalidInput,
        InvalidResponse,
        PolicyRejected,
        ProcessingLimit,
        RedirectFailed,
        RobotsDisallowed,
        RobotsUnavailable,
        SafefetchError,
        SelectionNotFound,
        Timeout,
        UnsupportedContentType,
    )
    from safefetch_cli.models import Hop, JudgedAnswer, Result, Verdict
    from safefetch_cli.operations import Client

_HOMES = {
    "Client": "operations",
    **dict.fromkeys(("Hop", "JudgedAnswer", "Result", "Verdict"), "models"),
}

__all__ = [
    "Client",
    "ConnectionFailed",
    "DnsResolutionFailed",
    "Hop",
    "HttpError",
    "InternalError",
    "InvalidInput",
    "InvalidResponse",
    "JudgedAnswer",
    "PolicyRejected",
    "ProcessingLimit",
    "RedirectFailed",
    "Result",
    "RobotsDisallowed",
    "RobotsUnavailable",
    "SafefetchError",
    "SelectionNotFound",
    "Timeout",
    "UnsupportedContentType",
    "Verdict",
    "__version__",
]


def __getattr__(name: str) -> Any:
    """Load a public name on first use (PEP 562)."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from safefetch_cli import errors, models, operations

    rooms = {"operations": operations, "models": models, "errors": errors}
    return getattr(rooms[_HOMES.get(name, "errors")], name)


def __dir__() -> list[str]:
    return sorted(__all__)
