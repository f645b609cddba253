"""Which configuration file is read: the one that is named, or that in the user's own folder.

Never one of the working directory: a folder that somebody else made must not relax the guard.
"""

import os
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from safefetch_cli.config_file import ConfigFile

VARIABLE = "SAFE_FETCH_CONFIG"


def find_file(named: str | None, environment: Mapping[str, str]) -> "ConfigFile | None":
    """The configuration file that a flag names, or else the variable, or else the user's own.

    Raises InvalidInput when a file that is named or there cannot be read, since what it closes must
    not stay open; when the user's own may be written by other users, and when it is not TOML.
    """
    label = VARIABLE if named is None else "--config"
    path = environment.get(VARIABLE, "") if named is None else named
    is_own = named is None and not path.strip()
    if is_own:
        label = "the configuration file"
        path = usual_path(sys.platform, environment)
        if not path or _is_missing(path):
            return None
    from safefetch_cli import config_file

    if is_own:
        config_file.refuse_shared(path, label)
    return config_file.read(path, label)


def _is_missing(path: str) -> bool:
    """Whether there is surely nothing; a link that leads nowhere is something."""
    try:
        os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False
    return False


def usual_path(platform: str, environment: Mapping[str, str]) -> str:
    """Where the user's own configuration file lies, "" where that cannot be told.

    `platform` is `sys.platform`. $XDG_CONFIG_HOME or ~/.config (XDG Base Directory Specification,
    by which a relative path does not count), ~/Library/Application Support on macOS, %APPDATA% on
    Windows.
    """
    home = environment.get("HOME") or os.path.expanduser("~")
    if platform == "win32":
        folder = environment.get("APPDATA", "")
    elif platform == "darwin":
        folder = os.path.join(home, "Library", "Application Support")
    else:
        folder = environment.get("XDG_CONFIG_HOME", "")
        folder = folder if os.path.isabs(folder) else os.path.join(home, ".config")
    return os.path.join(folder, "safefetch", "config.toml") if os.path.isabs(folder) else ""
