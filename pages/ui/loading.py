"""Loading: samples, files, links to them, corrections; nothing is lost where reading fails."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import replace

import streamlit as st

from core.analysis import AnalysisSettings
from core.analysis.record import first_record
from core.analysis.testing import known_settings
from core.data import (
    EffectTable,
    PValueTable,
    ReadingStopped,
    ResultSet,
    read_results,
    read_sample,
    samples,
)
from core.data.sources.allowance import TooManyRows, at_most_rows
from core.errors import DataError, Problem
from core.export.bundle import is_bundle
from core.signature import short_fingerprint
from pages.ui import (
    bundles,
    file_limits,
    limits,
    links,
    runs,
    simulation_runs,
    simulation_studies,
    state,
    studies,
)
from pages.ui.at_once import AtOnce, is_small
from pages.ui.claims_desk import ClaimDesk
from pages.ui.jobs import Job, Progress
from pages.ui.link_settings import link_of_session, settings_of
from pages.ui.session import Attempt, Data, Loaded, Pending, Refused, Source
from pages.ui.table_links import unpacked


def open_link() -> None:
    """Apply the address the user came by, once a session."""
    if not state.is_new():
        return
    link = links.parse(st.query_params.to_dict())
    current = state.session()
    current.remarks = link.remarks
    current.settings = settings_of(link)
    simulation_studies.take_link(link.simulation)
    if link.sample:
        _load_sample(link.sample, link)
    elif link.table:
        _load_carried(link)
    elif link.data:
        current.awaited = link
    else:
        # Intervals need no table.
        current.claims = link.claims


def show_link() -> None:
    """Make the browser's address a link to what is shown."""
    wanted = links.write(link_of_session())
    if st.query_params.to_dict() != wanted:
        st.query_params.from_dict(wanted)


def load_sample(key: str) -> None:
    """Load a sample with the dependence that its source declares."""
    _load_sample(key, None)


def load_files(files: Sequence[tuple[str, bytes]], *, name: str = "") -> None:
    """Read files; what was loaded before stays where they cannot be read.

    Where the user came by a link to a file, its settings are taken over if
    this is that file.
    """
    if len(files) == 1 and is_bundle(files[0][1]):
        _load_bundle(*files[0])
        return
    current = state.session()
    link, current.awaited = current.awaited, None
    usual = AnalysisSettings(alpha=current.settings.alpha)
    if current.loaded is None:
        # Answered before the file was dropped: it was meant for this one.
        usual = replace(current.settings, swapped=False, question="", metric="")
    called = name or (files[0][0] if len(files) == 1 else f"{len(files)} files")
    source = Source(name=called, files=tuple(files))
    if link is None:
        _load([Attempt(source=source, settings=usual)])
        return
    linked = Attempt(source=replace(source, roles=link.roles), settings=usual, link=link)
    _load([linked, Attempt(source=source, settings=AnalysisSettings())])


def correct(roles: Mapping[str, object], *, refused: bool) -> None:
    """Read the loaded file, or the one that was refused, again with roles chosen by hand."""
    target = _target(refused)
    if target is None:
        return
    source = target.source
    # Only what differs from the recognised roles is kept: a link then stays short.
    known: Mapping[str, object] = {}
    kind = None
    if isinstance(target, Loaded) and target.data.reading is not None:
        known, kind = target.data.reading.roles, target.data.reading.layout
    same_kind = roles.get("layout") in (None, kind)
    earlier = source.roles if same_kind else {}
    changed = {
        role: value
        for role, value in roles.items()
        if role != "layout" and (role in earlier or role not in known or known[role] != value)
    }
    if not same_kind:
        changed["layout"] = roles["layout"]
    _read_again(source, {**earlier, **changed}, refused=refused)


def answer(role: str, value: str, *, refused: bool) -> None:
    """Read the loaded file, or the one that was refused, again with a question of it answered."""
    target = _target(refused)
    if target is not None:
        _read_again(target.source, {**target.source.roles, role: value}, refused=refused)


def dismiss_refused() -> None:
    """Forget a file that could not be read."""
    state.session().refused = None


def remove() -> None:
    """Forget the user's data and everything made of them."""
    runs.forget_runs()
    state.keep_simulation(None)
    studies.forget()
    _stop_check()
    stop_reading()
    state.start_anew()


def _stop_check() -> None:
    """Claims are no longer checked against what goes."""
    check = state.session().claim_check
    if check is not None:
        check.job.stop()


def stop_reading() -> None:
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
        _take(*found, attempts=pending.attempts)


def _target(refused: bool) -> Refused | Loaded | None:
    current = state.session()
    return current.refused if refused else current.loaded


def _read_again(source: Source, roles: Mapping[str, object], *, refused: bool) -> None:
    current = state.session()
    # What was chosen for the loaded file is not meant for one that was never loaded.
    settings = (
        AnalysisSettings(alpha=current.settings.alpha)
        if refused
        else replace(current.settings, question="")
    )
    _load([Attempt(source=replace(source, roles=dict(roles)), settings=settings)])


def _load_sample(key: str, link: links.Link | None) -> None:
    current = state.session()
    if key not in {sample.key for sample in samples()}:
        current.remarks = (
            *current.remarks,
            f"The link names a sample that is not here: “{key}”.",
        )
        return
    sample, content = read_sample(key)
    roles: dict[str, object] = {"alternative": sample.alternative, **(link.roles if link else {})}
    source = Source(
        name=sample.file_name, files=((sample.file_name, content),), sample=sample, roles=roles
    )
    usual = AnalysisSettings(alpha=current.settings.alpha, dependence=sample.dependence)
    _load([Attempt(source=source, settings=usual, link=link)])


def _load_carried(link: links.Link) -> None:
    """Load the table that an address carries."""
    content = unpacked(link.table)
    if content is None:
        state.remark("The link's table could not be read: the link may have been cut short.")
        return
    name = link.file or "table from a link"
    source = Source(name=name, files=((name, content),), roles=link.roles, in_link=link.table)
    _load([Attempt(source=source, settings=AnalysisSettings(), link=link)])


def _load_bundle(name: str, content: bytes) -> None:
    """Restore an analysis from a bundle; a damaged one changes nothing."""
    state.session().awaited = None
    try:
        attempt = bundles.attempt_of(name, content)
    except DataError as error:
        state.session().refused = Refused(source=Source(name=name, files=()), error=error)
        state.session().generation += 1
        return
    _load([attempt])


def _load(attempts: Sequence[Attempt]) -> None:
    """Read at once what is small, in the background what is large."""
    stop_reading()
    current = state.session()
    if current.refused is not None and current.refused.source.files != attempts[0].source.files:
        # It is not kept beside what comes in its place.
        current.refused = None
    try:
        file_limits.check_before_reading(attempts[0].source, current.loaded)
    except DataError as error:
        _take(attempts[0], error, attempts=attempts)
        return

    def work(progress: Progress) -> tuple[Attempt, Data | DataError]:
        return _first_that_fits(attempts, progress)

    if is_small(attempts[0].source):
        at_once = AtOnce(state.wanted())
        found = _first_that_fits(attempts, at_once)
        if not at_once.is_long:
            _take(*found, attempts=attempts)
            return
    job = Job(work, is_wanted=state.wanted())
    state.session().pending = Pending(attempts=tuple(attempts), job=job)
    # A file that is dropped meanwhile must not be joined by this one.
    state.session().generation += 1
    job.start()
    job.wait(limits.SECONDS_TO_WAIT_FOR_TESTS)
    collect()


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


def _take(attempt: Attempt, data: Data | DataError, *, attempts: Sequence[Attempt]) -> None:
    """Show what was read, with the link's settings where it has any; what is refused changes nothing."""
    current = state.session()
    current.generation += 1
    link = attempt.link
    if not isinstance(data, DataError):
        try:
            file_limits.check_what_was_read(attempt.source, data)
        except DataError as error:
            data = error
    if isinstance(data, DataError):
        source = attempt.source
        if not (data.choices or data.columns):
            # There is no other way to read it: it is not kept for being refused.
            source = replace(source, files=())
        current.refused = Refused(source=source, error=data)
        # The link waits on: the file it was made for may still come.
        awaited = attempts[0].link
        current.awaited = awaited if awaited is not None and awaited.data else None
        return
    n_datasets = len(data.datasets)
    usual = attempt.settings
    if link is not None:
        left_out = [data.datasets[i - 1] for i in link.excluded if 0 < i <= n_datasets]
        usual = replace(
            settings_of(link),
            dependence=link.dependence or usual.dependence,
            excluded=tuple(left_out),
            extended=tuple(
                (data.datasets[i - 1], n) for i, n in link.extended if 0 < i <= n_datasets
            ),
        )
    unknown: tuple[str, ...] = ()
    if not isinstance(data, EffectTable):
        usual, unknown = known_settings(data, usual)
    runs.forget_runs()
    simulation_runs.forget_data()
    studies.forget()
    _stop_check()
    if link is not None:
        current.claims = replace(link.claims, swapped=usual.swapped)
    elif attempt.bundle is not None:
        current.claims = attempt.bundle.claims
    elif _is_other(current.loaded, attempt.source):
        current.claims = ClaimDesk()
    current.n_loaded += 1
    current.settings = usual
    current.loaded = Loaded(source=attempt.source, data=data, bundle=attempt.bundle)
    current.refused = None
    current.remarks = unknown
    if link is not None:
        current.remarks = (*link.remarks, *unknown)
        positions = (*link.excluded, *(i for i, _ in link.extended))
        beyond = sorted({i for i in positions if not 0 < i <= n_datasets})
        if beyond:
            listed = ", ".join(map(str, beyond))
            current.remarks += (
                f"The link names datasets that are not there: {listed} of {n_datasets}.",
            )
    elif attempts[0].link is not None:
        current.remarks += (
            "The link was made for another file, so its settings were not taken over.",
        )
    if attempt.bundle is not None:
        # What was tried before belongs to the analysis.
        current.tried = {kind: list(values) for kind, values in attempt.bundle.tried.items()}
    if isinstance(data, PValueTable | ResultSet):
        for kind, values in first_record(data, current.settings).items():
            for value in values:
                state.record(kind, value)
    runs.run_tests()


def _is_other(loaded: Loaded | None, source: Source) -> bool:
    """Whether claims on the page are not about what is loaded now."""
    if loaded is None:
        # What was typed before any table waits for one; a sample has claims of its own.
        return source.sample is not None
    return loaded.source.files != source.files
