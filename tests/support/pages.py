"""A small site that a test changes while it runs, and that answers conditional requests."""

from dataclasses import dataclass, field

from support.behaviours import response
from support.server import Connection, Request


@dataclass
class Page:
    """What is at one path, and the fields that come with it; `etag` and `date` are validators."""

    body: bytes = b"first"
    status: bytes = b"200 OK"
    fields: list[bytes] = field(default_factory=list)
    etag: bytes = b""
    last_modified: bytes = b""
    on_304: list[bytes] = field(default_factory=list)

    def answer(self, request: Request) -> bytes:
        """What a server says to the request (RFC 9110, 13)."""
        fields = [*self.fields]
        fields += [b"ETag: " + self.etag] if self.etag else []
        fields += [b"Last-Modified: " + self.last_modified] if self.last_modified else []
        if self._is_known(request):
            return response(b"", *self.on_304, status=b"304 Not Modified", length=False)
        return response(self.body, *fields, status=self.status)

    def _is_known(self, request: Request) -> bool:
        if "if-none-match" in request.fields:
            return request.fields["if-none-match"].encode() == self.etag
        since = request.fields.get("if-modified-since", "").encode()
        return bool(since) and since == self.last_modified


class Site:
    """Pages by their path; a behaviour for a server."""

    def __init__(self, **pages: Page) -> None:
        self.pages = {f"/{name}": page for name, page in pages.items()}

    def __call__(self, connection: Connection) -> bool:
        request = connection.request()
        missing = Page(b"nothing here", b"404 Not Found")
        connection.send(self.pages.get(request.target, missing).answer(request))
        return True
