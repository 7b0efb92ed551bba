"""What a person loads: samples, files, links to them, corrections; nothing is lost where reading fails."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from operator import attrgetter
from typing import Any

import streamlit as st

from core.analysis import AnalysisSettings
from core.data import Sample, read_sample, samples
from core.data.roles import NEW_NAMES, SYSTEMS, with_answer
from core.data.sources.several_files import THESE_FILES
from core.errors import DataError
from core.export.bundle import is_bundle, read_bundle
from core.significance.stopping import import_scipy
from pages.ui.frame import limits, links, prose, state
from pages.ui.frame.links import link_of_session, settings_of, unpacked
from pages.ui.frame.state import Attempt, Loaded, Refused, Source
from pages.ui.intake import reading
from pages.ui.simulation import studies as simulation_studies
from pages.ui.work import background


def open_link() -> None:
    """Apply the address the user came by, once a session."""
    if not state.is_new():
        return
    link = links.parse(st.query_params.to_dict())
    current = state.session()
    current.remarks = link.remarks
    current.settings = settings_of(link)
    current.step = link.step or 1
    simulation_studies.take_link(link.simulation)
    if link.sample or link.table:
        # What is loaded here is tested before the page's frame comes to it.
        import_scipy()
    if link.sample:
        load_sample(link.sample, link)
    elif link.table:
        content, name = unpacked(link.table), link.file or "table from a link"
        if content is None:
            state.remark("The link's table could not be read: the link may have been cut short.")
            return
        source = Source(name=name, files=((name, content),), roles=link.roles, in_link=link.table)
        reading.begin([Attempt(source=source, settings=AnalysisSettings(), link=link)])
    elif link.data:
        current.awaited = link
    else:
        # Intervals need no table.
        current.claims = link.claims


def show_link(*, with_step: bool) -> None:
    """Make the browser's address a link to what is shown; on the guide with its step."""
    step = state.session().step if with_step else 0
    wanted = links.write(replace(link_of_session(), step=step))
    if st.query_params.to_dict() != wanted:
        st.query_params.from_dict(wanted)


# Whether a sample can be tested.
per_example: Callable[[Sample], bool] = attrgetter("per_example")


def sample_buttons(suits: Callable[[Sample], bool]) -> None:
    """One button for each sample that suits."""
    buttons((sample, partial(load_sample, sample.key)) for sample in filter(suits, samples()))


def buttons(found: Iterable[tuple[Any, Callable[[], None]]]) -> None:
    """One button for each of these, which have a key, a title and a description, and what it does."""
    with st.container(horizontal=True):
        for one, take in found:
            st.button(one.title, key=f"sample-{one.key}", help=one.description, on_click=take)


def ask(link: str, suits: Callable[[Sample], bool]) -> None:
    """Where data are missing: the way to load some, and the samples that suit."""
    st.page_link("pages/upload.py", label=link)
    prose.paragraph("Or see it with a sample:")
    sample_buttons(suits)


def uploader(label: str, *, kind: str, **settings: Any) -> None:
    """Where files are dropped, which are then loaded."""
    key = state.uploader_key(kind)
    st.file_uploader(label, key=key, on_change=_take_uploads, args=(kind, key), **settings)


def _take_uploads(kind: str, key: str) -> None:
    files = state.take_uploads(kind, key)
    if files:
        load_files(files)


def load_files(files: Sequence[tuple[str, bytes]]) -> None:
    """Read files; what was loaded before stays where they cannot be read.

    Where the user came by a link to a file, its settings are taken over if
    this is that file.
    """
    if len(files) == 1 and is_bundle(files[0][1]):
        _load_bundle(*files[0])
        return
    current = state.session()
    called = files[0][0] if len(files) == 1 else THESE_FILES
    source = Source(name=called, files=tuple(files))
    if reading.is_paper(source):
        reading.begin([Attempt(source=source, settings=current.settings)])
        return
    link, current.awaited = current.awaited, None
    usual = _for_another_file()
    if link is None:
        reading.begin([Attempt(source=source, settings=usual)])
        return
    linked = Attempt(source=replace(source, roles=link.roles), settings=usual, link=link)
    reading.begin([linked, Attempt(source=source, settings=AnalysisSettings())])


def correct(roles: Mapping[str, object], *, refused: bool) -> None:
    """Read the loaded file, or the one that was refused, again with roles chosen by hand."""
    current = state.session()
    target = current.refused if refused else current.loaded
    if target is None:
        return
    # Only what differs from the recognised roles is kept: a link then stays short.
    known: Mapping[str, object] = {}
    kind = None
    if isinstance(target, Loaded) and target.data.reading is not None:
        known, kind = target.data.reading.roles, target.data.reading.layout
    same_kind = roles.get("layout") in (None, kind)
    chosen = dict(target.source.roles) if same_kind else {"layout": roles["layout"]}
    for role, value in roles.items():
        if role != "layout" and (role in chosen or role not in known or known[role] != value):
            chosen[role] = value
    _read_again(target.source, chosen, None if refused else current.settings)


def answer(role: str, value: object, *, refused: bool) -> None:
    """Read the loaded file, or the one that was refused, again with a question of it answered."""
    current = state.session()
    target = current.refused if refused else current.loaded
    if target is None:
        return
    roles = dict(target.source.roles)
    if role == "name_order":
        # Whichever part of the names are the systems: those named before are columns no more.
        roles.pop(SYSTEMS, None)
    settings = None if refused else current.settings
    _read_again(target.source, with_answer(roles, role, value), settings)


def rename(datasets: Mapping[str, str], systems: Mapping[str, str]) -> None:
    """Read the loaded file again with other names; each is given by the file's own name."""
    current = state.session()
    if current.loaded is None:
        return
    before = current.loaded.source.roles.get("dataset_names")
    in_file = {new: old for old, new in before.items()} if isinstance(before, Mapping) else {}

    def called(name: str) -> str:
        own = in_file.get(name, name)
        return datasets.get(own, own)

    source, settings = current.loaded.source, current.settings
    roles = {role: value for role, value in source.roles.items() if role not in NEW_NAMES}
    roles |= {
        role: dict(new) for role, new in zip(NEW_NAMES, (datasets, systems), strict=True) if new
    }
    settings = replace(
        settings,
        excluded=tuple(map(called, settings.excluded)),
        extended=tuple((called(name), n) for name, n in settings.extended),
    )
    _read_again(source, roles, settings)


def remove() -> None:
    """Forget the user's data and everything made of them."""
    background.forget_data(also_others=True)
    state.start_anew()


def _read_again(
    source: Source, roles: Mapping[str, object], settings: AnalysisSettings | None = None
) -> None:
    """Read files with other roles; the settings of one that was refused are those for another file."""
    settings = _for_another_file() if settings is None else replace(settings, question="")
    reading.begin([Attempt(source=replace(source, roles=dict(roles)), settings=settings)])


def _for_another_file() -> AnalysisSettings:
    """What of the settings is meant for a file that is not loaded yet."""
    current = state.session()
    if current.loaded is None and current.awaited is None:
        # Answered before any file was: it was meant for this one, unless a link brought it.
        return replace(current.settings, swapped=False, question="", metric="")
    return AnalysisSettings(alpha=current.settings.alpha)


def load_sample(key: str, link: links.Link | None = None) -> None:
    """Load a sample with the dependence that its source declares, or with a link's settings."""
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
    reading.begin([Attempt(source=source, settings=usual, link=link)])


def _load_bundle(name: str, content: bytes) -> None:
    """Restore an analysis from a bundle; one that is damaged, or too much here, changes nothing."""
    state.session().awaited = None
    try:
        bundle = read_bundle(content)
        most = max([bundle.settings.n_resamples, *(n for _, n in bundle.settings.extended)])
        if most > limits.MAX_RESAMPLES:
            raise DataError.of(
                f"Its tests draw {most:,} resamples; this server takes {limits.MAX_RESAMPLES:,}.",
                "Restore it with the command line, which has no such limit: python -m core FILE.",
            )
    except DataError as error:
        state.session().refused = Refused(source=Source(name=name, files=()), error=error)
        state.session().generation += 1
        return
    sample = next((sample for sample in samples() if sample.key == bundle.sample), None)
    source = Source(name=bundle.name or name, files=bundle.files, sample=sample, roles=bundle.roles)
    reading.begin([Attempt(source=source, settings=bundle.settings, bundle=bundle)])
