"""What was read takes the place of what was loaded, with its settings, claims and remarks, or is refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.analysis.compared import known_settings
from core.analysis.record import BY_ITSELF, first_record
from core.data import EffectTable, PValueTable, ResultSet
from core.errors import DataError
from pages.ui.claims.desk import ClaimDesk
from pages.ui.frame import state
from pages.ui.frame.link_settings import not_there, settings_on
from pages.ui.frame.links import Link
from pages.ui.frame.session import Attempt, Data, Loaded, Refused, Source
from pages.ui.intake import file_limits
from pages.ui.work import background, runs


def take(attempt: Attempt, data: Data | DataError, *, attempts: Sequence[Attempt]) -> None:
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
