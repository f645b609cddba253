"""The JSON schemas of results: each a result or an error, so that clients that check take both.

A result may have more fields than its schema names; those named are always there.
"""

from typing import Any

JsonSchema = dict[str, Any]


def _or_null(schema: JsonSchema) -> JsonSchema:
    # Not a list of types, which those who know one type a schema reject.
    return {"anyOf": [schema, {"type": "null"}]}


_TEXT: JsonSchema = {"type": "string"}
_TEXT_OR_NULL = _or_null(_TEXT)
_COUNT: JsonSchema = {"type": "integer"}
_COUNT_OR_NULL = _or_null(_COUNT)
_FLAG: JsonSchema = {"type": "boolean"}
_LIST: JsonSchema = {"type": "array"}


def _object(fields: JsonSchema) -> JsonSchema:
    return {"type": "object", "properties": fields, "required": list(fields)}


_ERROR = _object({"error": _object({"code": _TEXT, "retryable": _FLAG, "message": _TEXT})})

PAGE = _object(
    {
        "text": _TEXT,
        "finalUrl": _TEXT,
        "status": _COUNT,
        "contentType": _TEXT,
        "title": _TEXT_OR_NULL,
        "totalChars": _COUNT,
        "startIndex": _COUNT,
        "nextStartIndex": _COUNT_OR_NULL,
        "truncated": _FLAG,
        "extraction": _TEXT,
        "fromSnapshot": _FLAG,
        "hints": _LIST,
    }
)
OUTLINE = _object(
    {
        "finalUrl": _TEXT,
        "totalChars": _COUNT,
        "headings": {
            "type": "array",
            "items": _object({"level": _COUNT, "title": _TEXT, "start_index": _COUNT}),
        },
    }
)
VERDICT = _object(
    {"url": _TEXT, "verdict": {**_TEXT, "enum": ["allowed", "refused"]}, "addresses": _LIST}
)
LINKS = _object(
    {
        "url": _TEXT,
        "links": {"type": "array", "items": _object({"url": _TEXT, "text": _TEXT})},
        "total": _COUNT,
    }
)
METADATA = _object(
    {"url": _TEXT, "title": _TEXT_OR_NULL, "description": _TEXT_OR_NULL, "headings": _LIST}
)


def output_schema(*results: JsonSchema) -> JsonSchema:
    """A result of one of these shapes, or an error. An object at its root, as all clients want."""
    return {"type": "object", "anyOf": [*results, _ERROR]}
