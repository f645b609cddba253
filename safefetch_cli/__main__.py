"""`python -m safefetch_cli` runs the `safefetch` command."""

from safefetch_cli.cli.app import main

if __name__ == "__main__":
    main()
