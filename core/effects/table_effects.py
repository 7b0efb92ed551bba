"""Effects from tables that have no per-example scores."""

from __future__ import annotations

import numpy as np

from ..data.effect_table import EffectTable
from ..data.p_value_table import PValueTable
from ..data.score_table import ScoreTable
from ..significance.differences import turned_differences
from ..types import BoolArray, FloatArray
from ..validation import check_two_systems, record_named
from .dataset_effects import DatasetEffects, LeftOut
from .maxima import (
    NoMaximum,
    checked_maximum,
    is_share,
    lower_is_better,
    not_known,
    settled,
)
from .paired_effect import AT_MAXIMUM, GIVEN, effects_of_scores


def effects_of_table(table: EffectTable) -> DatasetEffects:
    """The effects and squared standard errors that a table gives."""
    return DatasetEffects(
        datasets=table.datasets,
        effects=table.effects,
        variances=table.variances,
        n_examples=table.n_examples,
        effect=GIVEN.name,
        variance_methods=("given",) * len(table.datasets),
        fingerprint=table.fingerprint,
    )


def score_differences(
    table: ScoreTable | PValueTable,
    *,
    a: str | None = None,
    b: str | None = None,
    effect: str = "difference",
    maximum: float | None = None,
) -> DatasetEffects:
    """Differences of one score per dataset and system, without variances: for averages only.

    Parameters
    ----------
    table : ScoreTable or PValueTable
        A table of p-values needs both systems' scores.
    a, b : str, optional
        Names of the systems; of a table of p-values its own by default.
    effect : {"difference", "error-reduction"}
        As of `dataset_effects`.
    maximum : float, optional
        The highest possible score, for "error-reduction", where the metric does
        not say it: it is 1 where it is called accuracy and no score is above 1.

    Returns
    -------
    DatasetEffects
        `variances` is None. Datasets without a score are in `left_out`.

    Raises
    ------
    ValueError
        If an argument is not as described, or no scores are known.
    """
    asked = record_named(effects_of_scores(), effect, argument="effect")
    systems = table.systems if isinstance(table, ScoreTable) else (table.system_a, table.system_b)
    if isinstance(table, PValueTable):
        # What one of them is not, the other is.
        a = a if a is not None else next((s for s in systems if s != b), None)
        b = b if b is not None else next((s for s in systems if s != a), None)
    if a is None or b is None:
        raise ValueError("`a` and `b` must name two systems of the table.")
    check_two_systems(a, b, systems)
    scores_a, scores_b = (_scores(table, system) for system in (a, b))
    known = np.isfinite(scores_a) & np.isfinite(scores_b)
    left_out = _reasons(table.datasets, ~known, "the table has no score of each system")
    most = _maximum(table, scores_a, scores_b, known, maximum) if asked.needs_maximum else None
    if isinstance(most, NoMaximum):
        left_out = [
            LeftOut(dataset=name, reason=most.reason, needs_maximum=most.may_be_said)
            for name in table.datasets
        ]
        known[:] = False
    elif most is not None:
        above = known & (np.maximum(scores_a, scores_b) > most)
        at = known & ~above & (scores_b >= most)
        left_out += _reasons(
            table.datasets,
            above,
            f"it has a score above the highest possible one as it was said, {most:g}",
        )
        left_out += _reasons(table.datasets, at, f"{AT_MAXIMUM}, {most:g}, and leaves no errors")
        known &= ~(above | at)
    first, second = scores_a[known], scores_b[known]
    effects = np.empty(0)
    if first.size:
        effects = turned_differences(first, second, higher_is_better=table.higher_is_better).values
        if isinstance(most, float):
            effects = effects / (most - second)
    sizes = None if isinstance(table, ScoreTable) else table.n_examples
    datasets = tuple(name for name, has in zip(table.datasets, known, strict=True) if has)
    return DatasetEffects(
        datasets=datasets,
        effects=effects,
        variances=None,
        n_examples=None if sizes is None else sizes[known],
        effect=effect,
        variance_methods=("none",) * len(datasets),
        a=a,
        b=b,
        metric=table.metric,
        higher_is_better=table.higher_is_better,
        scores_a=first,
        scores_b=second,
        maxima=(most,) * len(datasets) if isinstance(most, float) else (),
        left_out=tuple(sorted(left_out, key=lambda one: table.datasets.index(one.dataset))),
        fingerprint=table.fingerprint,
    )


def _scores(table: ScoreTable | PValueTable, system: str) -> FloatArray:
    if isinstance(table, ScoreTable):
        return table.scores(system)
    if table.scores_a is None or table.scores_b is None:
        raise ValueError("`table` must have scores of both systems; it has p-values alone.")
    return table.scores_a if system == table.system_a else table.scores_b


def _maximum(
    table: ScoreTable | PValueTable,
    scores_a: FloatArray,
    scores_b: FloatArray,
    known: BoolArray,
    declared: float | None,
) -> float | NoMaximum:
    if not table.higher_is_better:
        return lower_is_better(table.metric)
    own: float | NoMaximum = not_known(table.metric)
    values = np.concatenate([scores_a[known], scores_b[known]])
    if table.metric is not None and is_share(table.metric) and bool((values <= 1.0).all()):
        own = 1.0
    return settled(own, declared=checked_maximum(declared), metric=table.metric)


def _reasons(datasets: tuple[str, ...], which: BoolArray, reason: str) -> list[LeftOut]:
    return [
        LeftOut(dataset=name, reason=reason)
        for name, has in zip(datasets, which, strict=True)
        if has
    ]
