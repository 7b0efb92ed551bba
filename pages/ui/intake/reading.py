"""Reading files: at once what is small, in the background what is large.

Which files are read, and with what settings, `loading` says; what becomes of
them is the matter of `arrival`.
"""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from core.data import ReadingStopped, read_results
from core.data.sources.allowance import TooManyRows, at_most_rows
from core.errors import DataError, Problem
from core.signature import short_fingerprint
from pages.ui.frame import limits, state
from pages.ui.frame.session import Attempt, Data, Source
from pages.ui.intake import arrival, file_limits
from pages.ui.work import background
from pages.ui.work.background import Manner, Task
from pages.ui.work.jobs import Progress

_KIND = "reading"
_READING = Manner(called="Reading", stop="Stop reading")
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


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Reading(Task):
    """Files that are being read, and the ways to read them."""

    attempts: tuple[Attempt, ...]


def begin(attempts: Sequence[Attempt]) -> None:
    """Read at once what is small, in the background what is large."""
    stop()
    current = state.session()
    if current.refused is not None and current.refused.source.files != attempts[0].source.files:
        # It is not kept beside what comes in its place.
        current.refused = None
    try:
        file_limits.check_before_reading(attempts[0].source, current.loaded)
    except DataError as error:
        arrival.take(attempts[0], error, attempts=attempts)
        return
    source = attempts[-1].source
    if _is_small(attempts[0].source):
        at_once = AtOnce(state.wanted())
        found = _first_that_fits(attempts, on_progress=at_once)
        if not at_once.is_long:
            arrival.take(*found, attempts=attempts)
            return
    # A file that is dropped meanwhile must not be joined by this one.
    state.session().generation += 1
    background.start(
        Reading(
            kind=_KIND,
            settings={},
            work=partial(_first_that_fits, attempts),
            words=lambda _job: "",
            manner=_READING,
            of_data=False,
            heading=f"Reading {source.name}, {source.n_bytes / 1e6:.0f} MB.",
            when_stopped=stop,
            attempts=tuple(attempts),
        )
    )
    collect()


def stop() -> None:
    """Give up reading; what was loaded before stays."""
    background.forget(_KIND)


def is_at_work() -> bool:
    """Whether files are being read."""
    return background.is_at_work(_KIND)


def collect() -> None:
    """Take over what was read in the background, once it is there."""
    run = background.latest(_KIND)
    if run is None or run.at_work:
        return
    background.forget(_KIND)
    # What went wrong is reported by the page's frame.
    found = run.job.result
    if found is not None:
        arrival.take(*found, attempts=run.task.attempts)


def _first_that_fits(
    attempts: Sequence[Attempt], *, on_progress: Progress
) -> tuple[Attempt, Data | DataError]:
    """What a link was made for, else the last way to read the files."""
    for attempt in attempts[:-1]:
        data = _read(attempt.source, on_progress)
        link = attempt.link
        if (
            not isinstance(data, DataError)
            and link is not None
            and short_fingerprint(data.fingerprint) == link.data
        ):
            return attempt, data
    return attempts[-1], _read(attempts[-1].source, on_progress)


def _read(source: Source, progress: Progress) -> Data | DataError:
    files = []
    for name, content in source.files:
        file = io.BytesIO(content)
        file.name = name
        files.append(file)
    try:
        with at_most_rows(limits.MAX_ROWS):
            return read_results(
                files if len(files) > 1 else files[0],
                name=source.name,
                roles=source.roles or None,
                on_progress=lambda stage, share: progress(round(100 * share), 100),
            )
    except TooManyRows:
        return file_limits.too_many_rows(source)
    except DataError as error:
        return error
    except ReadingStopped:
        if progress.out_of_time:
            return file_limits.reading_took_too_long(source)
        return DataError([Problem(what="Reading was stopped.", remedy="Drop the file again.")])


def _is_small(source: Source) -> bool:
    """Whether files can be read at once, also once they are unpacked."""
    unpacked = sum(
        len(content) * (_PACKED_TO if content.startswith(_PACKED) else 1)
        for _, content in source.files
    )
    return unpacked <= limits.MAX_BYTES_READ_AT_ONCE
