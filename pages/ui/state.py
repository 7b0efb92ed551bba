"""What one user has loaded and chosen; the only module that touches Streamlit's session state.

Everything changes in callbacks, which run before the page is drawn, so that
the sidebar, the link and the page always show the same state.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import streamlit as st

from core.data import PValueTable, Sample, read_results, read_sample, samples
from core.errors import DataError
from core.replicability.assessment import Assessment, assess
from core.report.questions import Question, questions
from core.report.signatures import analysis_signature
from core.report.verdicts import Subject
from core.types import Dependence, Procedure
from pages.ui import cache, links

_KEY = "dashboard"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What the user chose once for every page."""

    alpha: float = 0.05
    dependence: Dependence = "not-known"
    swapped: bool = False
    excluded: tuple[str, ...] = ()
    question: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Source:
    """A file as it came, with the roles its owner corrected."""

    name: str
    content: bytes
    sample: Sample | None = None
    roles: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Loaded:
    """A file that was read."""

    source: Source
    table: PValueTable


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Refused:
    """A file that could not be read, with every problem."""

    source: Source
    error: DataError


@dataclass(slots=True, kw_only=True)
class Session:
    """One user's state."""

    settings: Settings = field(default_factory=Settings)
    loaded: Loaded | None = None
    refused: Refused | None = None
    awaited: links.Link | None = None
    remarks: tuple[str, ...] = ()
    uploads: int = 0
    results: cache.Results = field(default_factory=cache.Results)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Analysis:
    """What every page shows: the table as chosen, and all its answers."""

    table: PValueTable
    whole: PValueTable
    assessment: Assessment
    subject: Subject
    settings: Settings
    source: Source

    def signature(self, question: Question, *, procedure: Procedure | None = None) -> str:
        """The line that reproduces an answer."""
        return analysis_signature(self.table, question, whole=self.whole, procedure=procedure)

    @property
    def questions(self) -> tuple[Question, ...]:
        """What can be asked, the headline first."""
        return questions(self.assessment)

    @property
    def question(self) -> Question:
        """The question chosen, or the headline."""
        asked = self.questions
        chosen = [q for q in asked if q.key == self.settings.question]
        return chosen[0] if chosen else asked[0]


def session() -> Session:
    """This user's state, made at the first call."""
    if _KEY not in st.session_state:
        st.session_state[_KEY] = Session()
    found: Session = st.session_state[_KEY]
    return found


def open_link() -> None:
    """Apply the address the user came by, once a session."""
    if _KEY in st.session_state:
        return
    link = links.parse(st.query_params.to_dict())
    current = session()
    current.remarks = link.remarks
    current.settings = _settings_of(link)
    if link.sample:
        _load_sample(link.sample, link)
    elif link.data:
        current.awaited = link


def show_link() -> None:
    """Make the browser's address a link to what is shown."""
    wanted = links.write(_link())
    if st.query_params.to_dict() != wanted:
        st.query_params.from_dict(wanted)


def analysis() -> Analysis | None:
    """The table with the user's choices applied and assessed; None where nothing is loaded."""
    current = session()
    if current.loaded is None:
        return None
    settings = current.settings
    table = current.loaded.table.without(settings.excluded)
    table = table.swapped() if settings.swapped else table
    key = cache.key(
        table.p_values,
        table.p_values_b,
        table.differences,
        table.alternative,
        settings.alpha,
        settings.dependence,
    )
    assessment = current.results.remember(
        key,
        lambda: assess(
            table.p_values,
            table.differences,
            alternative=table.alternative,
            alpha=settings.alpha,
            dependence=settings.dependence,
            p_values_b=table.p_values_b,
        ),
    )
    return Analysis(
        table=table,
        whole=current.loaded.table,
        assessment=assessment,
        subject=Subject(system_a=table.system_a, system_b=table.system_b, datasets=table.datasets),
        settings=settings,
        source=current.loaded.source,
    )


def all_datasets() -> tuple[str, ...]:
    """Every dataset of the file, those left out too."""
    loaded = session().loaded
    return loaded.table.datasets if loaded is not None else ()


def choose(**changes: Any) -> None:
    """Change settings."""
    current = session()
    current.settings = replace(current.settings, **changes)


def load_sample(key: str) -> None:
    """Load a sample with the dependence that its source declares."""
    _load_sample(key, None)


def _load_sample(key: str, link: links.Link | None) -> None:
    current = session()
    if key not in {sample.key for sample in samples()}:
        current.remarks = (
            *current.remarks,
            f"The link names a sample that is not here: “{key}”.",
        )
        return
    sample, content = read_sample(key)
    roles: dict[str, object] = {"alternative": sample.alternative, **(link.roles if link else {})}
    source = Source(name=sample.file_name, content=content, sample=sample, roles=roles)
    usual = Settings(alpha=current.settings.alpha, dependence=sample.dependence)
    _take(source, usual, link)


def load_file(name: str, content: bytes) -> None:
    """Read a file; what was loaded before stays where it cannot be read.

    Where the user came by a link to a file, its settings are taken over if
    this is that file.
    """
    current = session()
    link, current.awaited = current.awaited, None
    usual = Settings(alpha=current.settings.alpha)
    if link is None:
        _take(Source(name=name, content=content), usual, None)
        return
    linked = Source(name=name, content=content, roles=link.roles)
    table = _table(linked)
    if isinstance(table, PValueTable) and links.short(table.fingerprint) == link.data:
        _take(linked, usual, link)
    elif _take(Source(name=name, content=content), usual, None):
        current.remarks = (
            "The link was made for another file, so its settings were not taken over.",
        )
    else:
        current.awaited = link


def correct(roles: Mapping[str, object]) -> None:
    """Read the file in question again with roles chosen by hand."""
    current = session()
    source = current.refused.source if current.refused else None
    if source is None and current.loaded is not None:
        source = current.loaded.source
    if source is None:
        return
    # Only what differs from the recognised roles is kept: a link then stays short.
    known: Mapping[str, object] = {}
    if current.refused is None and current.loaded is not None and current.loaded.table.reading:
        known = current.loaded.table.reading.roles
    changed = {
        role: value
        for role, value in roles.items()
        if role in source.roles or role not in known or known[role] != value
    }
    settings = replace(current.settings, question="")
    _take(replace(source, roles={**source.roles, **changed}), settings, None)


def dismiss_refused() -> None:
    """Forget a file that could not be read."""
    session().refused = None


def remove() -> None:
    """Forget the user's data and everything made of them."""
    uploads = session().uploads + 1
    st.session_state[_KEY] = Session(
        settings=Settings(alpha=session().settings.alpha), uploads=uploads
    )


def widget(key: str, value: object) -> str:
    """Set a widget to the state it shows, and return its key."""
    st.session_state[key] = value
    return key


def value(key: str) -> Any:
    """What a widget holds, for its callback."""
    return st.session_state[key]


def _table(source: Source) -> PValueTable | DataError:
    try:
        return read_results(source.content, name=source.name, roles=source.roles or None)
    except DataError as error:
        return error


def _take(source: Source, usual: Settings, link: links.Link | None) -> bool:
    """Load a file with the link's settings where it has any; a refused file changes nothing."""
    current = session()
    table = _table(source)
    if isinstance(table, DataError):
        current.refused = Refused(source=source, error=table)
        return False
    if link is not None:
        left_out = [table.datasets[i - 1] for i in link.excluded if 0 < i <= table.n_datasets]
        usual = replace(
            _settings_of(link),
            dependence=link.dependence or usual.dependence,
            excluded=tuple(left_out),
        )
    kept = tuple(name for name in usual.excluded if name in table.datasets)
    current.settings = replace(usual, excluded=kept if len(kept) < table.n_datasets else ())
    current.loaded = Loaded(source=source, table=table)
    current.refused = None
    current.remarks = link.remarks if link is not None else ()
    return True


def _settings_of(link: links.Link) -> Settings:
    return Settings(
        alpha=link.alpha if link.alpha is not None else 0.05,
        dependence=link.dependence or "not-known",
        swapped=link.swapped,
        question=link.question,
    )


def _link() -> links.Link:
    current = session()
    if current.loaded is None:
        return current.awaited or links.Link(alpha=current.settings.alpha)
    source, settings = current.loaded.source, current.settings
    declared = source.sample.dependence if source.sample else "not-known"
    roles = dict(source.roles)
    if source.sample and roles.get("alternative") == source.sample.alternative:
        del roles["alternative"]
    return links.Link(
        sample=source.sample.key if source.sample else "",
        data="" if source.sample else links.short(current.loaded.table.fingerprint),
        file="" if source.sample else source.name,
        alpha=settings.alpha,
        dependence=settings.dependence if settings.dependence != declared else None,
        swapped=settings.swapped,
        excluded=tuple(
            position
            for position, name in enumerate(current.loaded.table.datasets, start=1)
            if name in settings.excluded
        ),
        question=settings.question,
        roles=roles,
    )
