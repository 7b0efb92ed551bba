"""An upload stays in memory while it arrives."""

from __future__ import annotations

from starlette.formparsers import MultiPartParser

from pages.ui import limits


def keep_in_memory() -> None:
    """Have the server write no part of an upload to disk, as it else does beyond a megabyte."""
    MultiPartParser.spool_max_size = (limits.MAX_UPLOAD_MEGABYTES + 1) * 2**20
