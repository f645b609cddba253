"""The arguments of a tool: one table makes their JSON schema and checks what a client sends."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from safefetch_cli.errors import InvalidInput

MAX_SHOWN_CHARS = 60
"""The longest value that a message shows."""


class Argument(NamedTuple):
    """One argument. `kind` is a type of JSON Schema; a `default` of None stands for none."""

    name: str
    kind: str = "string"  # string, integer, boolean, or array (of strings)
    description: str = ""
    default: Any = None
    required: bool = False
    low: int | None = None  # of an integer
    high: int | None = None
    choices: tuple[str, ...] = ()  # of a string

    def schema(self) -> dict[str, Any]:
        """Its JSON schema."""
        items = {"items": {"type": "string"}} if self.kind == "array" else {}
        known = {
            "enum": list(self.choices) or None,
            "minimum": self.low,
            "maximum": self.high,
            "default": self.default,
            "description": self.description or None,
        }
        given = {name: value for name, value in known.items() if value is not None}
        return {"type": self.kind, **items, **given}

    def checked(self, value: Any) -> Any:
        """The value as an operation takes it. Raises InvalidInput that names it and the rule."""
        rule, is_of_kind = _KINDS[self.kind]
        if self.choices:
            rule = f"one of {', '.join(self.choices)}"
        if self.low is not None:
            rule = f"{rule} from {self.low}" + (f" to {self.high}" if self.high is not None else "")
        if not is_of_kind(value) or not self._is_in_range(value):
            raise InvalidInput(f"{self.name}: {_shown(value)} is not {rule}")
        return int(value) if self.kind == "integer" else value

    def _is_in_range(self, value: Any) -> bool:
        if self.choices:
            return value in self.choices
        is_low = self.low is not None and value < self.low
        return not is_low and not (self.high is not None and value > self.high)


def _is_integer(value: Any) -> bool:
    """Whether this is an integer of JSON Schema: a number without a fraction, and no boolean."""
    if isinstance(value, float):
        return value.is_integer()
    return isinstance(value, int) and not isinstance(value, bool)


def _is_list_of_strings(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


_KINDS: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "string": ("a string", lambda value: isinstance(value, str)),
    "boolean": ("true or false", lambda value: isinstance(value, bool)),
    "integer": ("a whole number", _is_integer),
    "array": ("a list of strings", _is_list_of_strings),
}


def input_schema(table: Sequence[Argument]) -> dict[str, Any]:
    """The JSON schema of the arguments: an object with these and no others."""
    required = [argument.name for argument in table if argument.required]
    return {
        "type": "object",
        "properties": {argument.name: argument.schema() for argument in table},
        **({"required": required} if required else {}),
        "additionalProperties": False,
    }


def read_arguments(table: Sequence[Argument], given: Mapping[str, Any]) -> dict[str, Any]:
    """Every argument with its value or its default.

    Null counts as not given. Raises InvalidInput, in one line, for the first that is wrong.
    """
    known = {argument.name: argument for argument in table}
    unknown = [name for name in given if name not in known]
    if unknown:
        names = ", ".join(known)
        raise InvalidInput(f"{_shown(unknown[0])} is not an argument; there are {names}")
    values = {}
    for argument in table:
        value = given.get(argument.name)
        if value is None and argument.required:
            raise InvalidInput(f"{argument.name}: it is required")
        values[argument.name] = argument.default if value is None else argument.checked(value)
    return values


def _shown(value: Any) -> str:
    try:
        text = ascii(value)
    except ValueError:  # Python writes no number of more than 4,300 digits
        return "a number of thousands of digits"
    return text if len(text) <= MAX_SHOWN_CHARS else text[:MAX_SHOWN_CHARS] + "..."
