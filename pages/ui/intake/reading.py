"""Reading files: at once what is small, in the background what is large; and what becomes of them.

Which files are read, and with what settings, `loading` says. What was read takes the place of what
was loaded, with its settings, claims and remarks, or is refused.
"""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from core.analysis.record import BY_ITSELF, first_record
from core.analysis.settings import known_settings
from core.data import EffectTable, PValueTable, ReadingStopped, ResultSet, read_results
from core.data.tables.limits import TooManyRows, at_most_rows
from core.errors import DataError, Problem
from core.signature import short_fingerprint
from pages.ui.claims.desk import ClaimDesk
from pages.ui.frame import limits, state
from pages.ui.frame.link_settings import not_there, settings_on
from pages.ui.frame.links import Link
from pages.ui.frame.session import Attempt, Data, Loaded, Refused, Source
from pages.ui.intake import file_limits
from pages.ui.work import background, runs
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
        _take(attempts[0], error, attempts=attempts)
        return
    source = attempts[-1].source
    if _is_small(attempts[0].source):
        at_once = AtOnce(state.wanted())
        found = _first_that_fits(attempts, on_progress=at_once)
        if not at_once.is_long:
            _take(*found, attempts=attempts)
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
        _take(*found, attempts=run.task.attempts)


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


def _take(attempt: Attempt, data: Data | DataError, *, attempts: Sequence[Attempt]) -> None:
    """Show what was read, with the link's settings where it has any; what is refused changes nothing."""
    current = state.session()
    current.generation += 1
    if not isinstance(data, DataError):
        try:
            file_limits.check_what_was_read(attempt.source, data)
        except DataError as error:
            data = error
    if isinstance(data, DataError):
        _refuse(attempt.source, data, link=attempts[0].link)
        return
    settings = attempt.settings
    if attempt.link is not None:
        settings = settings_on(data.datasets, attempt.link, dependence=settings.dependence)
    unknown: tuple[str, ...] = ()
    if not isinstance(data, EffectTable):
        settings, unknown = known_settings(data, settings)
    # The same files read otherwise are the same data: what was tried on them stays told.
    same = current.loaded is not None and current.loaded.source.files == attempt.source.files
    tried = current.tried if same else {}
    runs.forget_runs()
    background.forget_data()
    _take_claims(attempt, swapped=settings.swapped)
    current.n_loaded += 1
    current.settings = settings
    current.loaded = Loaded(source=attempt.source, data=data, bundle=attempt.bundle)
    current.refused = None
    current.remarks = _remarks(attempt, unknown, attempts[0].link, n_datasets=len(data.datasets))
    if attempt.bundle is not None:
        # What was tried before belongs to the analysis.
        tried = {kind: list(values) for kind, values in attempt.bundle.tried.items()}
    current.tried = tried
    if isinstance(data, PValueTable | ResultSet):
        # Which two of several systems come first, nobody has said.
        several = isinstance(data, ResultSet) and len(data.systems) > 2
        by_itself = several and attempt.link is None and attempt.bundle is None
        for kind, values in first_record(data, current.settings).items():
            for value in values:
                state.record(kind, value + BY_ITSELF if by_itself and kind == "tests" else value)
    runs.run_tests()


def _refuse(source: Source, error: DataError, *, link: Link | None) -> None:
    current = state.session()
    if not (error.choices or error.columns):
        # There is no other way to read it: it is not kept for being refused.
        source = replace(source, files=())
    current.refused = Refused(source=source, error=error)
    # The link waits on: the file it was made for may still come.
    current.awaited = link if link is not None and link.data else None


def _take_claims(attempt: Attempt, *, swapped: bool) -> None:
    """Claims come with a link or a bundle, and go with the file that they are about."""
    current = state.session()
    if attempt.link is not None:
        current.claims = replace(attempt.link.claims, swapped=swapped)
    elif attempt.bundle is not None:
        current.claims = attempt.bundle.claims
    elif _is_other(current.loaded, attempt.source):
        current.claims = ClaimDesk()


def _remarks(
    attempt: Attempt, unknown: tuple[str, ...], asked: Link | None, *, n_datasets: int
) -> tuple[str, ...]:
    """What of the settings could not be taken over; `asked` is the link that the user came by."""
    if attempt.link is not None:
        return (*attempt.link.remarks, *unknown, *not_there(attempt.link, n_datasets))
    if asked is not None:
        other = "The link was made for another file, so its settings were not taken over."
        return (*unknown, other)
    return unknown


def _is_other(loaded: Loaded | None, source: Source) -> bool:
    """Whether claims on the page are not about what is loaded now."""
    if loaded is None:
        # What was typed before any table waits for one; a sample has claims of its own.
        return source.sample is not None
    return loaded.source.files != source.files
