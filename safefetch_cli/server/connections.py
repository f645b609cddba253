"""The connections of HTTP clients: nobody keeps one by being slow."""

from typing import Any, Protocol

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

REQUEST_SECONDS = 10.0
"""A request must have come as a whole so long after its first byte, or after the connection."""

ANSWER_SECONDS = 30.0
"""An answer must be taken so long after it was sent, as far as it does not fit on the way."""


class _Timer(Protocol):
    def cancel(self) -> None: ...


class TimedConnection(H11Protocol):
    """A connection that ends when its client sends or takes too slowly."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._asking_ends: _Timer | None = None
        self._taking_ends: _Timer | None = None

    def connection_made(self, transport: Any) -> None:
        """Begin to wait for a request."""
        super().connection_made(transport)
        self._time_request()

    def data_received(self, data: bytes) -> None:
        """Go on with a request; the time that it has does not begin again."""
        super().data_received(data)
        self._time_request()

    def pause_writing(self) -> None:
        """Begin to wait for the client, who takes less than is sent."""
        super().pause_writing()
        self._time_answer()

    def resume_writing(self) -> None:
        """The client has taken what was sent, or almost."""
        super().resume_writing()
        if not self.transport.is_closing():
            _stop(self._taking_ends)
            self._taking_ends = None

    def on_response_complete(self) -> None:
        """Where the connection is not kept, it ends although the client takes nothing."""
        super().on_response_complete()
        if self.transport.is_closing():
            self._time_answer()

    def timeout_keep_alive_handler(self) -> None:
        """End a connection that is not used, although the client takes nothing."""
        super().timeout_keep_alive_handler()
        self._time_answer()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        super().connection_lost(exc)
        _stop(self._asking_ends)
        _stop(self._taking_ends)

    def shutdown(self) -> None:
        """End a connection that has no request, or not all of it; let an answer finish."""
        if self.conn.their_state is h11.SEND_BODY:
            self.transport.abort()
        else:
            super().shutdown()

    def _time_request(self) -> None:
        if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            _stop(self._asking_ends)
            self._asking_ends = None
        elif self._asking_ends is None:
            self._asking_ends = self.loop.call_later(REQUEST_SECONDS, self.transport.abort)

    def _time_answer(self) -> None:
        if self._taking_ends is None:
            self._taking_ends = self.loop.call_later(ANSWER_SECONDS, self.transport.abort)


def _stop(timer: _Timer | None) -> None:
    if timer is not None:
        timer.cancel()
