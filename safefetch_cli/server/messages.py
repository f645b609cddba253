"""What is a JSON-RPC 2.0 message, and what is said of a text that is none."""

import json

from mcp_types import INVALID_REQUEST, PARSE_ERROR, JSONRPCNotification, jsonrpc_message_adapter
from pydantic import ValidationError

_NO_MESSAGE = (INVALID_REQUEST, "Invalid Request: this is not one JSON-RPC 2.0 message")


def fault(text: str) -> tuple[int, str] | None:
    """Code and sentence of what is wrong with a message (JSON-RPC 2.0, 5.1); None for nothing."""
    try:
        message = jsonrpc_message_adapter.validate_json(text, by_name=False)
    except ValidationError as error:
        if error.errors(include_url=False)[0]["type"] == "json_invalid":
            return PARSE_ERROR, "Parse error: this is not valid JSON"
        return _NO_MESSAGE
    # A request whose identifier is of no use is taken for a notification, and would get no answer.
    is_request = isinstance(message, JSONRPCNotification) and "id" in json.loads(text)
    return _NO_MESSAGE if is_request else None
