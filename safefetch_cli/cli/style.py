"""Where there is colour: on terminals, unless a flag or the environment says otherwise.

The flag wins over `NO_COLOR` (https://no-color.org), that over `FORCE_COLOR`
(https://force-color.org), that over what the stream is.
"""

import os
import re
import sys
from collections.abc import Sequence
from itertools import pairwise
from typing import TextIO

from safefetch_cli.errors import InvalidInput

CHOICES = ("auto", "always", "never")

_RESET = "\x1b[0m"
_BOLD_RED, _BOLD_YELLOW = "\x1b[1;31m", "\x1b[1;33m"
_FLAG = re.compile(r"--color(?:=(.*))?", re.DOTALL)


def checked(choice: str) -> str:
    """The value of `--color`. Raises InvalidInput when it is none of the choices."""
    if choice not in CHOICES:
        raise InvalidInput(f"--color: {choice!r} is not one of {', '.join(CHOICES)}")
    return choice


def choice(arguments: Sequence[str]) -> str:
    """What `--color` says among these arguments, the last of them.

    They are looked at as they are, since an error of the command line has its colour too.
    """
    words = [*arguments, ""]
    found = "auto"
    for word, following in pairwise(words):
        match = _FLAG.fullmatch(word)
        if match:
            found = following if match[1] is None else match[1]
    return found


def is_terminal(stream: TextIO | None) -> bool:
    """Whether somebody sees what is written there, on something that can move its cursor."""
    try:
        return stream is not None and stream.isatty() and os.environ.get("TERM") != "dumb"
    except ValueError:  # it is closed
        return False


def is_coloured(stream: TextIO | None) -> bool:
    """Whether what is written there is coloured."""
    chosen = choice(sys.argv)
    if chosen in ("always", "never"):
        return chosen == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR", "") not in ("", "0", "false"):
        return True
    # The console of old Windows shows the codes themselves.
    understands = sys.platform != "win32" or "WT_SESSION" in os.environ
    return understands and is_terminal(stream)


def painted(lead: str, stream: TextIO | None) -> str:
    """The first words of a line on stderr: of a note, or else of an error."""
    if not is_coloured(stream):
        return lead
    return f"{_BOLD_YELLOW if lead.endswith('note:') else _BOLD_RED}{lead}{_RESET}"
