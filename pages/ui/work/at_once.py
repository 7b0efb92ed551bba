"""What is read at once, outside the server's line: what is small and takes but a moment."""

from __future__ import annotations

import time
from collections.abc import Callable

from pages.ui.frame import limits
from pages.ui.frame.session import Source
from pages.ui.work.job_progress import Progress

# How archives, gzip and Zstandard begin, and how many times their size results may unpack to.
_PACKED = (b"PK", b"\x1f\x8b", b"\x28\xb5\x2f\xfd")
_PACKED_TO = 20
# However little time a server gives to a run, what is small has this long.
_LEAST_SECONDS = 3.0


class AtOnce(Progress):
    """What reading at once reports to; once it `is_long`, it is to be read in its turn."""

    def __init__(self, is_wanted: Callable[[], bool]) -> None:
        super().__init__(is_wanted)
        self.is_long = False
        self._until = time.monotonic() + min(
            limits.MAX_SECONDS_READ_AT_ONCE, max(_LEAST_SECONDS, limits.MAX_JOB_SECONDS)
        )

    def __call__(self, done: int, total: int) -> bool:
        """Whether it goes on."""
        if time.monotonic() > self._until:
            self.is_long = True
            return False
        return super().__call__(done, total)


def is_small(source: Source) -> bool:
    """Whether files can be read at once, also once they are unpacked."""
    unpacked = sum(
        len(content) * (_PACKED_TO if content.startswith(_PACKED) else 1)
        for _, content in source.files
    )
    return unpacked <= limits.MAX_BYTES_READ_AT_ONCE
