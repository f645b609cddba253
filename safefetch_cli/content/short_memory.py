"""Results that are remembered for short texts, so that no page leaves much in memory."""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Final, TypeVar

_Result = TypeVar("_Result")

LONGEST: Final = 400
"""Characters of a text whose result is remembered."""


def remembered(
    maxsize: int,
) -> Callable[[Callable[[str], _Result]], Callable[[str], _Result]]:
    """Remember the last results of a function of a text, so many at most; long texts leave none."""

    def decorate(function: Callable[[str], _Result]) -> Callable[[str], _Result]:
        cached = lru_cache(maxsize)(function)

        @wraps(function)
        def result(text: str) -> _Result:
            return cached(text) if len(text) <= LONGEST else function(text)

        return result

    return decorate
