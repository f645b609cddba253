"""A text as it is read when a site sends it."""

from typing import Any

from safefetch_cli.content.read import read
from safefetch_cli.content.wish import Wish
from safefetch_cli.models import Document, Response


def document_of(body: str, content_type: str, url: str, **wishes: Any) -> Document:
    """The document that a body of this type makes; `wishes` are the fields of a Wish."""
    response = Response(
        requested_url=url,
        final_url=url,
        status=200,
        reason="OK",
        headers={"content-type": content_type},
        body=body.encode(),
        truncated=False,
        complete=True,
        retry_after_seconds=None,
        hops=(),
    )
    return read(response, Wish()._replace(**wishes))
