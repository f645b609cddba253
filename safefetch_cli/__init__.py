"""safefetch: a web address becomes clean markdown, and never a way into an internal network.

The public names load on first use, so that `import safefetch_cli` costs nothing.
"""

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from safefetch_cli.batch import Outcome
    from safefetch_cli.content.page import html_to_markdown, read_html
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
    from safefetch_cli.models import Document, Hop, Result
    from safefetch_cli.operations import Client
    from safefetch_cli.verdicts import JudgedAnswer, Verdict

__all__ = [
    "Client",
    "ConnectionFailed",
    "DnsResolutionFailed",
    "Document",
    "Hop",
    "HttpError",
    "InternalError",
    "InvalidInput",
    "InvalidResponse",
    "JudgedAnswer",
    "Outcome",
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
    "html_to_markdown",
    "read_html",
]


def __getattr__(name: str) -> Any:
    """Load a public name on first use (PEP 562)."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name in ("html_to_markdown", "read_html"):
        from safefetch_cli.content import page

        return getattr(page, name)
    from safefetch_cli import batch, errors, models, operations, verdicts

    rooms = (operations, models, verdicts, errors, batch)
    return next(getattr(room, name) for room in rooms if name in vars(room))


def __dir__() -> list[str]:
    return sorted(__all__)
