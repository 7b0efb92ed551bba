"""Between an address and what is chosen in a session."""

from __future__ import annotations

from dataclasses import replace

from core.analysis import AnalysisSettings
from core.analysis.choices import CHOICES
from core.analysis.settings import USUAL
from core.signature import short_fingerprint
from pages.ui import links, simulation_studies, state
from pages.ui.table_links import packed

# Of a link these are positions of datasets.
_OF_DATASETS = ("excluded", "extended")


def settings_of(link: links.Link) -> AnalysisSettings:
    """The settings of an address; what names datasets waits until they are known."""
    said = {name: getattr(link, name) for name in CHOICES if name not in _OF_DATASETS}
    return AnalysisSettings(
        **{name: value for name, value in said.items() if value not in (None, "")}
    )


def link_of_session() -> links.Link:
    """The address of what is shown; what is at its default is left out."""
    return replace(_link_of_data(), simulation=simulation_studies.in_address())


def _link_of_data() -> links.Link:
    current = state.session()
    if current.loaded is None:
        return current.awaited or links.Link(alpha=current.settings.alpha, claims=current.claims)
    source, settings = current.loaded.source, current.settings
    # What a sample declares of itself need not be said.
    usual = replace(USUAL, dependence=source.sample.dependence) if source.sample else USUAL
    fingerprint = current.loaded.data.fingerprint
    positions = {name: i for i, name in enumerate(current.loaded.data.datasets, start=1)}
    chosen = {
        name: value
        for name in CHOICES
        if (value := getattr(settings, name)) != getattr(usual, name) and name not in _OF_DATASETS
    }
    roles = dict(source.roles)
    if source.sample and roles.get("alternative") == source.sample.alternative:
        del roles["alternative"]
    return links.Link(
        sample=source.sample.key if source.sample else "",
        data="" if source.sample or source.in_link else short_fingerprint(fingerprint),
        table=source.in_link,
        file="" if source.sample else source.name,
        **chosen,
        excluded=tuple(positions[name] for name in positions if name in settings.excluded),
        extended=tuple((positions[name], n) for name, n in settings.extended if name in positions),
        roles=roles,
        claims=current.claims.facing(swapped=settings.swapped),
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
