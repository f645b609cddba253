"""The bodies of HTTP requests: those that are messages go on, of the others the client is told."""

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from safefetch_cli.server.admission import PATH, Refusal
from safefetch_cli.server.messages import fault

MAX_REQUEST_BYTES = 1024 * 1024


class OnlyMessages:
    """An application that gets messages alone, and such bodies as it refuses for their size."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """400 for what is no message; nothing for a client that goes away before its end."""
        if scope["type"] != "http" or scope["path"] != PATH:
            await self._app(scope, receive, send)
            return
        body, is_whole = bytearray(), False
        while not is_whole and len(body) <= MAX_REQUEST_BYTES:
            event = await receive()
            if event["type"] != "http.request":
                return
            body += event.get("body", b"")
            is_whole = not event.get("more_body", False)
        wrong = fault(body.decode("utf-8", "replace")) if len(body) <= MAX_REQUEST_BYTES else None
        if wrong is None:
            again = _again(bytes(body), receive, is_whole=is_whole)
            await self._app(scope, again, send)
        else:
            code, sentence = wrong
            await Refusal(400, sentence, code=code)(scope, receive, send)


def _again(body: bytes, receive: Receive, *, is_whole: bool) -> Receive:
    """What was read, and then what comes."""
    read: list[Message] = [{"type": "http.request", "body": body, "more_body": not is_whole}]

    async def next_event() -> Message:
        return read.pop() if read else await receive()

    return next_event
