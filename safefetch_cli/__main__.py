"""The command `safefetch`, also as `python -m safefetch_cli`."""

import gc
import sys
from typing import NoReturn

_GARBAGE_THRESHOLD = 100_000
"""Objects made before cyclic garbage is searched for: more than a command makes as it loads."""


def main() -> NoReturn:
    """Run the command line and exit with its status; Ctrl-C ends it quietly from the first line.

    Most commands end within a fraction of a second. A seventh of it would go into searching what
    was loaded for garbage, on the way and once more at the end, where all of it goes anyway.
    """
    gc.set_threshold(_GARBAGE_THRESHOLD)
    try:
        from safefetch_cli.cli.app import run

        status = run()
    except KeyboardInterrupt:
        status = 130  # 128 + SIGINT, as shells report it
    gc.freeze()
    sys.exit(status)


if __name__ == "__main__":
    main()
