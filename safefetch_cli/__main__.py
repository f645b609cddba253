"""The command `safefetch`, also as `python -m safefetch_cli`."""

import sys
from typing import NoReturn


def main() -> NoReturn:
    """Run the command line and exit with its status; Ctrl-C ends it quietly from the first line."""
    try:
        from safefetch_cli.cli.app import run

        status = run()
    except KeyboardInterrupt:
        status = 130  # 128 + SIGINT, as shells report it
    sys.exit(status)


if __name__ == "__main__":
    main()
