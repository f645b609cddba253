"""Regular expressions that are compiled when they are first used."""

import re
from typing import Any, AnyStr, cast


def late(source: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """A pattern that a plain article does without, and that takes over 0.1 ms to compile.

    To compile the patterns of all modules would take longer than to read such an article.
    """
    return cast("re.Pattern[AnyStr]", _Late(source, flags))


class _Late:
    """Stands for a pattern: has its methods, each from the first use on."""

    def __init__(self, source: Any, flags: int) -> None:
        self._source = source
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        value = getattr(re.compile(self._source, self._flags), name)
        setattr(self, name, value)  # where the next use finds it
        return value
