"""Reading files and papers within this server's limits: at once what is small, in the background what is large."""

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields, is_dataclass, replace
from functools import partial

import streamlit as st
from starlette.formparsers import MultiPartParser
from streamlit import config

from core.analysis.settings import known_settings
from core.analysis.testing import BY_ITSELF, first_record
from core.claims.desk import ClaimDesk
from core.claims.documents.reading import Document, is_document, read_document
from core.data import EffectTable, PValueTable, ReadingStopped, ResultSet
from core.data.tables.limits import TooManyRows, at_most_rows
from core.errors import DataError, Problem
from core.export.bundle import read_named
from core.signature import short_fingerprint
from pages.ui.frame import limits, state
from pages.ui.frame.links import settings_on
from pages.ui.frame.state import Attempt, Data, Loaded, Paper, Refused, Source
from pages.ui.work import background, runs
from pages.ui.work.background import Manner, Task

# What reading comes to.
Found = Data | Document | DataError
_MEGABYTE = 1_000_000
_REMEDY = (
    "Leave out datasets, rows or columns that are not compared, give fewer files at a time, or remove "
    "what is loaded first; else whoever runs this server can raise {name}, and the library has no such "
    "limit."
)
_ROWS, _SESSION = "DASHBOARD_MAX_ROWS", "DASHBOARD_MAX_SESSION_MB"
_KIND = "reading"
_READING = Manner(
    called="Reading",
    failed="This could not be read: give it in another form, a paper as its LaTeX, or paste the table.",
    stop="Stop reading",
)
# How archives, gzip and Zstandard begin, and how many times their size results may unpack to.
_PACKED = (b"PK", b"\x1f\x8b", b"\x28\xb5\x2f\xfd")
_PACKED_TO = 20


def check_before_reading(source: Source, loaded: Loaded | None) -> None:
    """Refuse files that are too much beside what the session keeps while they are read."""
    kept = {id(content): len(content) for _, content in loaded.source.files} if loaded else {}
    # What is read again is kept once.
    n_new = sum(len(content) for _, content in source.files if id(content) not in kept)
    n_kept = sum(kept.values()) + (n_bytes(loaded.data) if loaded else 0)
    if n_new and n_new + n_kept > limits.MAX_SESSION_MEGABYTES * _MEGABYTE:
        beside = f", and the session keeps {_megabytes(n_kept)} of what is loaded" if n_kept else ""
        what = f"These files have {_megabytes(n_new)} together{beside}; {_of_session()}"
        raise DataError([_problem(what, _SESSION)])


def check_what_was_read(source: Source, data: Data) -> None:
    """Refuse what is too much to keep, with every limit that it goes beyond."""
    n_rows = n_datasets = len(data.datasets)
    if isinstance(data, ResultSet):
        n_rows = sum(map(data.n_examples, data.datasets))
    most, most_rows = limits.MAX_DATASETS, limits.MAX_ROWS
    held, found = source.n_bytes + n_bytes(data), []
    if n_datasets > most:
        what = f"There are {n_datasets:,} datasets; this server takes {most:,}"
        found.append(_problem(what, "DASHBOARD_MAX_DATASETS"))
    if n_rows > most_rows:
        what = f"There are {n_rows:,} examples; this server takes {most_rows:,} rows"
        found.append(_problem(what, _ROWS))
    if held > limits.MAX_SESSION_MEGABYTES * _MEGABYTE:
        what = f"The file and what was read from it take {_megabytes(held)}; {_of_session()}"
        found.append(_problem(what, _SESSION))
    if found:
        raise DataError(found)


def _of_session() -> str:
    return f"this server keeps {limits.MAX_SESSION_MEGABYTES:,} MB for a session"


def n_bytes(held: object) -> int:
    """How much the arrays and files hold that an object is made of."""
    if isinstance(held, bytes):
        return len(held)
    own = getattr(held, "nbytes", None)
    if isinstance(own, int):
        return own
    if isinstance(held, Mapping):
        return sum(map(n_bytes, held.values()))
    if isinstance(held, tuple | list):
        return sum(map(n_bytes, held))
    if is_dataclass(held):
        return sum(n_bytes(getattr(held, each.name)) for each in fields(held))
    return 0


def _problem(what: str, name: str) -> Problem:
    """A limit that is met, and by which name a server sets it."""
    return Problem(what=f"{what}.", remedy=_REMEDY.format(name=name))


def _megabytes(n: int) -> str:
    """Rounded up to a tenth: what goes beyond a limit is not told as if it did not."""
    return f"{-(-n * 10 // _MEGABYTE) / 10:,.1f} MB"


def keep_in_memory() -> None:
    """Have the server write no part of an upload to disk, as it else does beyond a megabyte."""
    # The uploader asks browsers not to send more; of what is sent all the same the server takes no
    # more either, so that nothing arrives that is larger than what stays in memory.
    if config.get_option("server.maxUploadSize") > limits.MAX_UPLOAD_MEGABYTES:
        config.set_option("server.maxUploadSize", limits.MAX_UPLOAD_MEGABYTES)
    MultiPartParser.spool_max_size = (limits.MAX_UPLOAD_MEGABYTES + 1) * 2**20


def say_failed() -> None:
    """Where reading failed in a way that nobody foresaw, say so."""
    run = background.latest(_KIND)
    if run is not None:
        background.say_failure(run)


def lead_to_paper() -> None:
    """From a page that takes files to the one that shows a paper's tables."""
    say_failed()
    paper = state.session().paper
    if paper is not None and not paper.was_shown:
        st.switch_page("pages/check_a_claim.py")


def begin(attempts: Sequence[Attempt]) -> None:
    """Read at once what is small, in the background what is large."""
    background.forget(_KIND)
    current = state.session()
    if current.refused is not None and current.refused.source.files != attempts[0].source.files:
        # It is not kept beside what comes in its place.
        current.refused = None
    try:
        check_before_reading(attempts[0].source, current.loaded)
    except DataError as error:
        _take(attempts[0], error, attempts=attempts)
        return
    source = attempts[-1].source
    if _is_small(source) and not is_paper(source):
        # What turns out to be long is read in its turn.
        until = time.monotonic() + limits.MAX_SECONDS_READ_AT_ONCE
        with suppress(ReadingStopped):
            found = _first_that_fits(attempts, on_progress=lambda *_: time.monotonic() <= until)
            _take(*found, attempts=attempts)
            return
    # A file that is dropped meanwhile must not be joined by this one.
    state.session().generation += 1
    background.start(
        Task(
            _KIND,
            {},
            partial(_first_that_fits, attempts),
            manner=_READING,
            of_data=False,
            doing="Reading",
            unit="pages" if is_paper(source) else "",
            heading=f"Reading {source.name}, {source.n_bytes / 1e6:.0f} MB.",
            context=tuple(attempts),
        )
    )
    collect()


def is_at_work() -> bool:
    """Whether files are being read."""
    return background.is_at_work(_KIND)


def collect() -> None:
    """Take over what was read in the background, once it is there."""
    run = background.latest(_KIND)
    if run is None or not run.finished or run.error is not None:
        return
    background.forget(_KIND)
    if run.result is not None:
        _take(*run.result, attempts=run.task.context)


def _first_that_fits(
    attempts: Sequence[Attempt], *, on_progress: Callable[[int, int], bool]
) -> tuple[Attempt, Found]:
    """What a link was made for, else the last way to read the files."""
    for attempt in attempts[:-1]:
        data = _read(attempt.source, on_progress)
        link = attempt.link
        fingerprint = getattr(data, "fingerprint", "")
        if link is not None and fingerprint and short_fingerprint(fingerprint) == link.data:
            return attempt, data
    return attempts[-1], _read(attempts[-1].source, on_progress)


def _read(source: Source, progress: Callable[[int, int], bool]) -> Found:
    try:
        if is_paper(source):
            return read_document(*source.files[0], on_progress=progress)
        with at_most_rows(limits.MAX_ROWS):
            return read_named(
                source.files,
                name=source.name,
                roles=source.roles,
                on_progress=lambda stage, share: progress(round(100 * share), 100),
            )
    except TooManyRows:
        what = f"There are more than {limits.MAX_ROWS:,} rows, the most that this server takes"
        return DataError([_problem(what, _ROWS)])
    except DataError as error:
        return error
    except ReadingStopped:
        if getattr(progress, "is_late", False):
            what = f"Reading took longer than the {limits.time_of_a_run()} that this server gives a run"
            return DataError([_problem(what, "DASHBOARD_MAX_SECONDS")])
        raise


def is_paper(source: Source) -> bool:
    """Whether it is the one file of a paper."""
    return len(source.files) == 1 and is_document(*source.files[0])


def _is_small(source: Source) -> bool:
    """Whether files can be read at once, also once they are unpacked."""
    unpacked = sum(
        len(content) * (_PACKED_TO if content.startswith(_PACKED) else 1)
        for _, content in source.files
    )
    return unpacked <= limits.MAX_BYTES_READ_AT_ONCE


def _take(attempt: Attempt, data: Found, *, attempts: Sequence[Attempt]) -> None:
    """Show what was read, with the link's settings where it has any; what is refused changes nothing."""
    # The link that the user came by.
    current, asked = state.session(), attempts[0].link
    current.generation += 1
    if isinstance(data, Document):
        only = 0 if len(data.tables) == 1 else None
        name = attempt.source.name
        current.paper = Paper(name=name, document=data, chosen=only, number=current.generation)
        current.remarks += data.remarks
        current.refused = None
        return
    if not isinstance(data, DataError):
        try:
            check_what_was_read(attempt.source, data)
        except DataError as error:
            data = error
    if isinstance(data, DataError):
        # Where there is no other way to read it, it is not kept for being refused.
        files = attempt.source.files if data.choices or data.columns else ()
        current.refused = Refused(source=replace(attempt.source, files=files), error=data)
        # The link waits on: the file it was made for may still come.
        current.awaited = asked if asked is not None and asked.data else None
        return
    settings, link = attempt.settings, attempt.link
    remarks: tuple[str, ...] = ()
    beyond: tuple[str, ...] = ()
    if link is not None:
        named = settings.dependence
        settings, beyond = settings_on(data.datasets, link, dependence=named)
    if not isinstance(data, EffectTable):
        settings, remarks = known_settings(data, settings)
    if link is not None:
        remarks = (*link.remarks, *remarks, *beyond)
    elif asked is not None:
        other = "The link was made for another file, so its settings were not taken over."
        remarks = (*remarks, other)
    # The same files read otherwise are the same data: what was tried on them stays told.
    same = current.loaded is not None and current.loaded.source.files == attempt.source.files
    background.forget_data()
    _take_claims(attempt, swapped=settings.swapped)
    if current.paper is not None and not current.paper.has(attempt.source.name):
        # What is loaded in a paper's place is shown, and its list of tables is not.
        current.paper = None
    state.count_loaded(other_files=not same)
    current.settings, current.remarks, current.refused = settings, remarks, None
    current.loaded = Loaded(source=attempt.source, data=data, bundle=attempt.bundle)
    current.tried = current.tried if same else {}
    if attempt.bundle is not None:
        # What was tried before belongs to the analysis.
        current.tried = {kind: list(values) for kind, values in attempt.bundle.tried.items()}
    if isinstance(data, PValueTable | ResultSet):
        # Which two of several systems come first, nobody has said.
        several = isinstance(data, ResultSet) and len(data.systems) > 2
        by_itself = several and link is None and attempt.bundle is None
        for kind, values in first_record(data, settings).items():
            for value in values:
                state.record(kind, value + BY_ITSELF if by_itself and kind == "tests" else value)
    runs.run_tests()


def _take_claims(attempt: Attempt, *, swapped: bool) -> None:
    """Claims come with a link or a bundle, and go with the file that they are about."""
    current = state.session()
    if attempt.link is not None:
        current.claims = replace(attempt.link.claims, swapped=swapped)
    elif attempt.bundle is not None:
        current.claims = attempt.bundle.claims
    elif (
        # What was typed before any table waits for one; a sample has claims of its own.
        attempt.source.sample is not None
        if current.loaded is None
        else current.loaded.source.files != attempt.source.files
    ):
        current.claims = ClaimDesk()
