"""Between an address and what is chosen in a session."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.analysis import AnalysisSettings
from core.analysis.settings import CHOICES, USUAL
from core.signature import short_fingerprint
from core.types import Dependence
from pages.ui.frame import links, state
from pages.ui.frame.links import packed
from pages.ui.simulation import studies as simulation_studies

# Of a link these are positions of datasets.
_OF_DATASETS = ("excluded", "extended")


def settings_of(link: links.Link) -> AnalysisSettings:
    """The settings of an address; what names datasets waits until they are known."""
    return AnalysisSettings(
        **{name: value for name, value in link.said.items() if name not in _OF_DATASETS}
    )


def settings_on(
    datasets: Sequence[str], link: links.Link, *, dependence: Dependence
) -> AnalysisSettings:
    """The same once the datasets are known, with what they declare where the address does not."""
    n = len(datasets)
    return replace(
        settings_of(link),
        dependence=link.said.get("dependence", dependence),
        excluded=tuple(datasets[i - 1] for i in link.said.get("excluded", ()) if 0 < i <= n),
        extended=tuple(
            (datasets[i - 1], to) for i, to in link.said.get("extended", ()) if 0 < i <= n
        ),
    )


def not_there(link: links.Link, n_datasets: int) -> tuple[str, ...]:
    """Say which datasets an address names beyond those that there are; nothing where none is."""
    positions = (*link.said.get("excluded", ()), *(i for i, _ in link.said.get("extended", ())))
    beyond = sorted({i for i in positions if not 0 < i <= n_datasets})
    if not beyond:
        return ()
    listed = ", ".join(map(str, beyond))
    return (f"The link names datasets that are not there: {listed} of {n_datasets}.",)


def link_of_session() -> links.Link:
    """The address of what is shown; what is at its default is left out."""
    return replace(_link_of_data(), simulation=simulation_studies.in_address())


def _link_of_data() -> links.Link:
    current = state.session()
    if current.loaded is None:
        said = {"alpha": current.settings.alpha}
        return current.awaited or links.Link(said=said, claims=current.claims)
    source, settings = current.loaded.source, current.settings
    # What a sample declares of itself need not be said.
    usual = replace(USUAL, dependence=source.sample.dependence) if source.sample else USUAL
    fingerprint = current.loaded.data.fingerprint
    positions = {name: i for i, name in enumerate(current.loaded.data.datasets, start=1)}
    chosen: dict[str, object] = {
        name: value
        for name in CHOICES
        if (value := getattr(settings, name)) != getattr(usual, name) and name not in _OF_DATASETS
    }
    excluded = tuple(positions[name] for name in positions if name in settings.excluded)
    extended = tuple((positions[name], n) for name, n in settings.extended if name in positions)
    roles = dict(source.roles)
    if source.sample and roles.get("alternative") == source.sample.alternative:
        del roles["alternative"]
    return links.Link(
        sample=source.sample.key if source.sample else "",
        data="" if source.sample or source.in_link else short_fingerprint(fingerprint),
        table=source.in_link,
        file="" if source.sample else source.name,
        said={**chosen, "excluded": excluded, "extended": extended},
        roles=roles,
        claims=state.claims(),
    )


def link_with_table() -> links.Link | None:
    """The same address with the file itself in it; None where it is not one small file."""
    current = state.session()
    link = link_of_session()
    if current.loaded is None or link.sample or link.table:
        return None
    files = current.loaded.source.files
    table = packed(files[0][1]) if len(files) == 1 else None
    return None if table is None else replace(link, data="", table=table)
