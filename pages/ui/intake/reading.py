"""Reading files: at once what is small, in the background what is large.

Which files are read, and with what settings, `loading` says; what becomes of
them is the matter of `arrival`.
"""

from __future__ import annotations

import io
from collections.abc import Sequence

from core.data import ReadingStopped, read_results
from core.data.sources.allowance import TooManyRows, at_most_rows
from core.errors import DataError, Problem
from core.signature import short_fingerprint
from pages.ui.frame import limits, state
from pages.ui.frame.session import Attempt, Data, Pending, Source
from pages.ui.intake import arrival, file_limits
from pages.ui.work.at_once import AtOnce, is_small
from pages.ui.work.job_progress import Progress
from pages.ui.work.jobs import Job


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

    def work(progress: Progress) -> tuple[Attempt, Data | DataError]:
        return _first_that_fits(attempts, progress)

    if is_small(attempts[0].source):
        at_once = AtOnce(state.wanted())
        found = _first_that_fits(attempts, at_once)
        if not at_once.is_long:
            arrival.take(*found, attempts=attempts)
            return
    job = Job(work, is_wanted=state.wanted())
    state.session().pending = Pending(attempts=tuple(attempts), job=job)
    # A file that is dropped meanwhile must not be joined by this one.
    state.session().generation += 1
    job.start()
    job.wait(limits.SECONDS_TO_WAIT_FOR_TESTS)
    collect()


def stop() -> None:
    """Give up reading; what was loaded before stays."""
    pending = state.session().pending
    if pending is not None:
        pending.job.stop()
        state.session().pending = None


def collect() -> None:
    """Take over what was read in the background, once it is there."""
    current = state.session()
    pending = current.pending
    if pending is None or not pending.job.finished:
        return
    current.pending = None
    found = pending.job.result
    if found is not None:
        arrival.take(*found, attempts=pending.attempts)


def _first_that_fits(
    attempts: Sequence[Attempt], progress: Progress
) -> tuple[Attempt, Data | DataError]:
    """What a link was made for, else the last way to read the files."""
    for attempt in attempts[:-1]:
        data = _read(attempt.source, progress)
        link = attempt.link
        if (
            not isinstance(data, DataError)
            and link is not None
            and short_fingerprint(data.fingerprint) == link.data
        ):
            return attempt, data
    return attempts[-1], _read(attempts[-1].source, progress)


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
