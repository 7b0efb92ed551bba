"""Which lines a forest plot has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.charts.forest import ForestRow
from core.effects.combined import WAYS, Average, CombinedEffects
from core.effects.meta_analysis import MetaAnalysis, meta_analysis
from core.validation import record_named


def forest_rows(
    combined: CombinedEffects,
    *,
    order: Sequence[int] | None = None,
    groups: Mapping[str, Sequence[int]] | None = None,
) -> list[ForestRow]:
    """The lines of a forest plot: datasets, group by group, then what they come to.

    Parameters
    ----------
    combined : CombinedEffects
        Effects and every way of combining them.
    order : sequence of int, optional
        Places of the datasets, from top to bottom; as in the file by default.
    groups : mapping of str to sequence of int, optional
        Places of each group's datasets.
    """
    effects = combined.effects
    places = range(effects.n_datasets) if order is None else order
    groups = {} if groups is None else groups
    intervals = effects.intervals(combined.macro.confidence_level)
    weights: dict[int, float] = {}
    if combined.random is not None and combined.front == "random":
        weights = dict(zip(combined.weighed, combined.random.weights.tolist(), strict=True))

    def of(i: int) -> ForestRow:
        return ForestRow(
            kind="dataset",
            name=effects.datasets[i],
            estimate=float(effects.effects[i]),
            interval=intervals[i],
            weight=weights.get(i),
        )

    rows: list[ForestRow] = []
    grouped: set[int] = set()
    for name, members in groups.items():
        rows.append(ForestRow(kind="heading", name=name))
        rows += [of(i) for i in places if i in members]
        grouped.update(members)
        rows += _of_group(combined, name, members)
    others = [i for i in places if i not in grouped]
    if others and groups:
        rows.append(ForestRow(kind="heading", name="in no group"))
    rows += [of(i) for i in others]
    if effects.n_datasets == 1:
        return rows
    if groups:
        rows.append(ForestRow(kind="heading", name="all datasets"))
    return [*rows, *_diamonds(combined)]


def _diamonds(combined: CombinedEffects) -> list[ForestRow]:
    """The estimate of the answer first."""
    macro = _diamond(combined.macro.kind, combined.macro, front=combined.front == "macro-average")
    found = []
    random = combined.random
    if random is not None and random.n_datasets > 1:
        first = combined.front == "random"
        found.append(
            ForestRow(
                kind="combined",
                name=_name(random.model),
                estimate=random.estimate,
                interval=random.interval,
                prediction=random.new_dataset_interval if first else None,
                front=first,
            )
        )
    for one in (combined.fixed, combined.gumbel):
        if one is not None and one.n_datasets > 1:
            found.append(_diamond(one.model, one))
    found = [macro, *found] if macro.front else [*found, macro]
    if combined.micro is not None:
        found.append(_diamond(combined.micro.kind, combined.micro))
    return found


def _name(way: str) -> str:
    title = record_named(WAYS, way, argument="way").title
    return title[:1].upper() + title[1:]


def _diamond(way: str, one: MetaAnalysis | Average, *, front: bool = False) -> ForestRow:
    return ForestRow(
        kind="combined",
        name=_name(way),
        estimate=one.estimate,
        interval=one.confidence_interval,
        front=front,
    )


def _of_group(combined: CombinedEffects, name: str, members: Sequence[int]) -> list[ForestRow]:
    effects = combined.effects
    own = [i for i in members if i in combined.weighed]
    if len(own) < 2 or effects.variances is None:
        return []
    found = meta_analysis(
        effects.effects[own],
        effects.variances[own],
        confidence_level=combined.macro.confidence_level,
        tau2=combined.tau2_method,
    )
    return [
        ForestRow(
            kind="combined",
            name=f"{name}: random effects",
            estimate=found.estimate,
            interval=found.interval,
            front=True,
        )
    ]
