"""Zip archives whose bytes depend on nothing but what is in them."""

from __future__ import annotations

import io
import stat
import zipfile
from collections.abc import Mapping

# The first moment that an archive can state.
_NO_TIME = (1980, 1, 1, 0, 0, 0)
_FILE_MODE = stat.S_IFREG | 0o644


def zipped(members: Mapping[str, bytes], *, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A zip archive of these members by their names, the same bytes on every system.

    Parameters
    ----------
    members : mapping of str to bytes
        In the order in which they are written.
    method : int
        `zipfile.ZIP_DEFLATED` or `zipfile.ZIP_STORED`.
    """
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for member, content in members.items():
            info = zipfile.ZipInfo(member, date_time=_NO_TIME)
            info.create_system = 3  # as Unix does, on every system
            info.external_attr = _FILE_MODE << 16
            info.compress_type = method
            archive.writestr(info, content, compresslevel=6)
    return packed.getvalue()
