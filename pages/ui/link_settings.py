"""Between an address and what is chosen in a session."""

from __future__ import annotations

from dataclasses import replace

from core.analysis import DEFAULT_RESAMPLES, DEFAULT_SEED, AnalysisSettings
from core.signature import short_fingerprint
from pages.ui import links, simulation_studies, state
from pages.ui.table_links import packed


def settings_of(link: links.Link) -> AnalysisSettings:
    """The settings of an address; what names datasets waits until they are known."""
    return AnalysisSettings(
        alpha=link.alpha if link.alpha is not None else 0.05,
        dependence=link.dependence or "not-known",
        swapped=link.swapped,
        question=link.question,
        procedure=link.procedure or "holm",
        pair=link.pair or (0, 1),
        metric=link.metric,
        test=link.test or "auto",
        n_resamples=link.n_resamples or DEFAULT_RESAMPLES,
        seed=DEFAULT_SEED if link.seed is None else link.seed,
        interval=link.interval or "basic",
        estimator=link.estimator or "add-one",
        zeros=link.zeros or "wilcox",
        whole_clusters=not link.clusters_apart,
    )


def link_of_session() -> links.Link:
    """The address of what is shown; what is at its default is left out."""
    return replace(_link_of_data(), simulation=simulation_studies.in_address())


def _link_of_data() -> links.Link:
    current = state.session()
    if current.loaded is None:
        return current.awaited or links.Link(alpha=current.settings.alpha, claims=current.claims)
    source, settings = current.loaded.source, current.settings
    declared = source.sample.dependence if source.sample else "not-known"
    fingerprint = current.loaded.data.fingerprint
    positions = {name: i for i, name in enumerate(current.loaded.data.datasets, start=1)}
    roles = dict(source.roles)
    if source.sample and roles.get("alternative") == source.sample.alternative:
        del roles["alternative"]
    return links.Link(
        sample=source.sample.key if source.sample else "",
        data="" if source.sample or source.in_link else short_fingerprint(fingerprint),
        table=source.in_link,
        file="" if source.sample else source.name,
        alpha=settings.alpha,
        dependence=settings.dependence if settings.dependence != declared else None,
        swapped=settings.swapped,
        excluded=tuple(positions[name] for name in positions if name in settings.excluded),
        question=settings.question,
        procedure=settings.procedure if settings.procedure != "holm" else None,
        pair=settings.pair if settings.pair != (0, 1) else None,
        metric=settings.metric,
        test="" if settings.test == "auto" else settings.test,
        n_resamples=_unless(settings.n_resamples, DEFAULT_RESAMPLES),
        seed=_unless(settings.seed, DEFAULT_SEED),
        interval=settings.interval if settings.interval != "basic" else None,
        estimator=settings.estimator if settings.estimator != "add-one" else None,
        zeros=settings.zeros if settings.zeros != "wilcox" else None,
        clusters_apart=not settings.whole_clusters,
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


def _unless(value: int, default: int) -> int | None:
    return None if value == default else value
