"""What is kept between fetches, as the settings have it."""

import os
import sys
from pathlib import Path

from safefetch_cli.net.cache import ResponseCache
from safefetch_cli.net.snapshots import (
    DiskSnapshots,
    MemorySnapshots,
    Snapshots,
    cache_folder,
)
from safefetch_cli.settings import Settings


def new_cache(settings: Settings) -> ResponseCache | None:
    """A cache of answers (RFC 9111), or None when it is off."""
    if not settings.cache_ttl_ms:
        return None
    return ResponseCache(
        settings.cache_ttl_ms / 1000,
        max_entries=settings.cache_max_entries,
        max_bytes=settings.cache_max_bytes,
    )


def new_snapshots(settings: Settings, *, on_disk: bool) -> Snapshots | None:
    """Snapshots of pages, in memory or in the user's cache folder, or None when they are off."""
    seconds = settings.snapshot_ttl_ms / 1000
    if not seconds:
        return None
    if not on_disk:
        return MemorySnapshots(seconds)
    try:
        home = Path.home()
    except RuntimeError:  # a user whom the system does not know
        home = Path()
    folder = cache_folder(sys.platform, os.environ, home)
    if not folder.is_absolute():
        return None
    return DiskSnapshots(folder / "snapshots", seconds)
