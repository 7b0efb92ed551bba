"""The effects of many datasets, with what was left out and why; those of tables are made here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

import numpy as np

from ..data.p_value_table import PValueTable
from ..data.score_table import EffectTable, ScoreTable
from ..shown import DataFrame, frame_of, stacked
from ..signature import bytes_of_numbers, short_fingerprint, signature_line
from ..significance.differences import turned_differences
from ..types import BoolArray, FloatArray, IntArray
from ..validation import check_choice, check_two_systems, record_named
from .across import systems_of
from .heterogeneity import Interval
from .meta_analysis import normal_interval
from .paired_effect import (
    GIVEN,
    Effect,
    Undefined,
    checked_maximum,
    effect_named,
    effects_of_scores,
    error_reduction,
    is_share,
    settled,
)

NO_VARIANCE = (
    "the variance within the dataset is 0, as no resample of the examples would give another "
    "effect: no weight in a meta-analysis"
)
NOT_KNOWN = "the variance within the dataset is not known: no weight in a meta-analysis"


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """A dataset without an effect, and why, as a part of a sentence.

    `needs_maximum`: whether saying the highest possible score would give it one.
    """

    dataset: str
    reason: str
    needs_maximum: bool = False

    @classmethod
    def of(cls, dataset: str, reason: Undefined) -> LeftOut:
        """A dataset that has no such effect."""
        return cls(dataset=dataset, reason=str(reason), needs_maximum=reason.needs_maximum)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DatasetEffects:
    """How far A is ahead of B on each dataset, and how certain that is.

    Attributes
    ----------
    datasets : tuple of str
        Those with an effect, in the order of the data.
    effects : ndarray, shape (M,)
        Positive where A is better.
    variances : ndarray, shape (M,), or None
        Of each effect within its dataset, 0 where no resample would give
        another effect; None where none is known (averages only).
    n_examples : ndarray of int, shape (M,), or None
        Sizes of the datasets.
    effect : {"difference", "error-reduction", "standardised", "given"}
        A − B, turned so that higher is better; that over maximum − B; mean over
        standard deviation of the examples' differences; or what a file gives as
        effects.
    variance_methods : tuple of str
        Of each dataset "bootstrap", "closed-form", "given" or "none".
    a, b : str or None
        Names of the systems, where they are known.
    metric : str or None
        Name of the metric, where all datasets have the same.
    kind : str or None
        What the metric is computed by, where it is known and the same on all.
    higher_is_better : bool
        Whether a higher score is the better one; effects are turned already.
    scores_a, scores_b : ndarray, shape (M,), or None
        The systems' scores as given.
    maxima : tuple of float, or ()
        Of "error-reduction": the highest possible score on each dataset.
    n_differing : tuple of int or None
        On each dataset the number of examples, or clusters, on which the systems
        differ; None where that is no count of what the effect is made of, as of
        correlations; () where nothing is known of examples.
    n_clusters : tuple of int or None
        On each dataset the number of clusters, None where examples are
        independent; () where nothing is known of examples.
    n_resamples : int or None
        Of the bootstrap, where it was used.
    seed : int or None
        Of the bootstrap, where it was used.
    left_out : tuple of LeftOut
        Datasets that have no such effect.
    notes : tuple of str
        What to know about each dataset's effect, '' if nothing.
    complete : bool
        False if it was stopped before every dataset was done.
    not_done : tuple of str
        Datasets that were not reached.
    fingerprint : str
        Of the data.
    """

    datasets: tuple[str, ...]
    effects: FloatArray
    variances: FloatArray | None
    n_examples: IntArray | None
    effect: str
    variance_methods: tuple[str, ...]
    a: str | None = None
    b: str | None = None
    metric: str | None = None
    kind: str | None = None
    higher_is_better: bool = True
    scores_a: FloatArray | None = None
    scores_b: FloatArray | None = None
    maxima: tuple[float, ...] = ()
    n_differing: tuple[int | None, ...] = ()
    n_clusters: tuple[int | None, ...] = ()
    n_resamples: int | None = None
    seed: int | None = None
    left_out: tuple[LeftOut, ...] = ()
    notes: tuple[str, ...] = ()
    complete: bool = True
    not_done: tuple[str, ...] = ()
    fingerprint: str = ""

    def __post_init__(self) -> None:
        for name in ("effects", "variances", "n_examples", "scores_a", "scores_b"):
            values = getattr(self, name)
            if values is not None:
                own = np.array(values)
                own.flags.writeable = False
                object.__setattr__(self, name, own)
        if not self.notes:
            object.__setattr__(self, "notes", ("",) * len(self.datasets))

    @property
    def record(self) -> Effect:
        """What the effect is."""
        return GIVEN if self.is_given else effect_named(self.effect)

    @property
    def is_given(self) -> bool:
        """Whether a file gives the effects, which may be of anything."""
        return self.effect == GIVEN.name

    @property
    def n_datasets(self) -> int:
        """Number of datasets that have an effect, M."""
        return len(self.datasets)

    @property
    def standard_errors(self) -> FloatArray | None:
        """Square roots of the variances."""
        return None if self.variances is None else np.sqrt(self.variances)

    @property
    def has_variance(self) -> BoolArray:
        """Which datasets a meta-analysis can weigh, shape (M,): those of positive variance."""
        if self.variances is None:
            return np.zeros(self.n_datasets, dtype=np.bool_)
        has: BoolArray = self.variances > 0.0
        return has

    @property
    def content(self) -> str:
        """A fingerprint of the datasets' names, effects, variances and sizes."""
        found = sha256("\x00".join(self.datasets).encode())
        for values in (self.effects, self.variances, self.n_examples):
            found.update(bytes_of_numbers(values))
        return found.hexdigest()

    def intervals(self, confidence_level: float) -> tuple[Interval | None, ...]:
        """A normal interval of each dataset's effect; None where its variance is not known."""
        if self.variances is None:
            return (None,) * self.n_datasets
        return tuple(
            normal_interval(effect, variance, confidence_level)
            for effect, variance in zip(self.effects.tolist(), self.variances.tolist(), strict=True)
        )

    @property
    def signature(self) -> str:
        """The line that reproduces the effects and variances."""
        methods = sorted(set(self.variance_methods))
        maxima = sorted(set(self.maxima))
        return signature_line(
            effect=self.effect,
            metric=self.metric,
            a=self.a,
            b=self.b,
            variance="+".join(methods) if methods else None,
            maximum="+".join(f"{most:.10g}" for most in maxima) or None,
            samples=self.n_resamples,
            seed=self.seed,
            datasets=self.n_datasets,
            left_out=len(self.left_out) or None,
            data=short_fingerprint(self.fingerprint) or None,
            effects=short_fingerprint(self.content),
        )

    def only(self, datasets: Iterable[str]) -> DatasetEffects:
        """The effects of some datasets, in the order of these."""
        wanted = {check_choice(name, self.datasets, name="datasets") for name in datasets}
        places = [i for i, name in enumerate(self.datasets) if name in wanted]

        def some(values: Any) -> Any:
            if isinstance(values, np.ndarray):
                return values[places]
            return tuple(values[i] for i in places) if values else values

        return replace(self, **{name: some(getattr(self, name)) for name in OF_EACH})

    def to_frame(self) -> DataFrame:
        """A row for each dataset, those that are left out at the end, with the reason as note."""
        columns: dict[str, list[object]] = {"dataset": [*self.datasets]}
        if self.n_examples is not None:
            columns["n_examples"] = self.n_examples.tolist()
        if self.scores_a is not None and self.scores_b is not None:
            columns["score_a"] = self.scores_a.tolist()
            columns["score_b"] = self.scores_b.tolist()
        columns["effect"] = self.effects.tolist()
        if self.variances is not None:
            columns["variance"] = self.variances.tolist()
            columns["standard_error"] = np.sqrt(self.variances).tolist()
            columns["variance_method"] = [*self.variance_methods]
        columns["note"] = [*self.notes]
        frame = frame_of(columns)
        if not self.left_out:
            return frame
        others = frame_of(
            {
                "dataset": [one.dataset for one in self.left_out],
                "note": [f"left out: {one.reason}" for one in self.left_out],
            }
        )
        return stacked([frame, others])[list(columns)]


# What there is for each dataset: arrays, tuples, or None or () where nothing is known.
OF_EACH = (
    "datasets",
    "effects",
    "variances",
    "n_examples",
    "variance_methods",
    "scores_a",
    "scores_b",
    "maxima",
    "n_differing",
    "n_clusters",
    "notes",
)


def joined(parts: Sequence[DatasetEffects]) -> DatasetEffects:
    """The effects of several parts of the datasets, asked for in the same way, in their order.

    Metric and kind are None where they differ. Whether all is done is what the last part says.
    """
    known = [part for part in parts if part.datasets] or list(parts)

    def together(name: str) -> Any:
        own = [getattr(part, name) for part in known]
        if any(values is None for values in own):
            return None
        if isinstance(own[0], np.ndarray):
            return np.concatenate(own)
        return tuple(entry for values in own for entry in values)

    def common(name: str) -> Any:
        own = {getattr(part, name) for part in known}
        return own.pop() if len(own) == 1 else None

    def first(name: str) -> Any:
        return next((found for part in parts if (found := getattr(part, name)) is not None), None)

    return replace(
        parts[-1],
        **{name: together(name) for name in OF_EACH},
        **{name: common(name) for name in ("metric", "kind")},
        **{name: first(name) for name in ("n_resamples", "seed")},
        left_out=tuple(one for part in parts for one in part.left_out),
        higher_is_better=any(part.higher_is_better for part in known),
    )


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
    a: str,
    b: str,
    effect: str = "difference",
    maximum: float | None = None,
) -> DatasetEffects:
    """Differences of one score per dataset and system, without variances: for averages only.

    `maximum`: the highest possible score, for "error-reduction", where the metric does not say it.
    """
    asked = record_named(effects_of_scores(), effect, argument="effect")
    check_two_systems(a, b, systems_of(table))
    scores = np.column_stack([table.scores(a), table.scores(b)])
    known: BoolArray = np.asarray(np.isfinite(scores).all(axis=1))
    apart = np.full(len(table.datasets), np.nan)
    if known.any():
        both = scores[known].T
        apart[known] = turned_differences(*both, higher_is_better=table.higher_is_better).values
    within = bool((scores[known] <= 1.0).all())
    share = table.metric is not None and is_share(table.metric) and within
    declared = checked_maximum(maximum)
    places, effects, maxima, left_out = [], [], [], []
    for place, name in enumerate(table.datasets):
        try:
            if not known[place]:
                raise Undefined("the table has no score of each system")
            found = float(apart[place])
            if asked.needs_maximum:
                most = settled(
                    1.0 if share else None,
                    declared=declared,
                    metric=table.metric,
                    higher_is_better=table.higher_is_better,
                )
                found = error_reduction(found, scores[place].tolist(), most)
                maxima.append(most)
        except Undefined as reason:
            left_out.append(LeftOut.of(name, reason))
            continue
        places.append(place)
        effects.append(found)
    sizes = None if isinstance(table, ScoreTable) else table.n_examples
    return DatasetEffects(
        datasets=tuple(table.datasets[place] for place in places),
        effects=np.array(effects),
        variances=None,
        n_examples=None if sizes is None else sizes[np.array(places, dtype=np.intp)],
        effect=effect,
        variance_methods=("none",) * len(places),
        a=a,
        b=b,
        metric=table.metric,
        higher_is_better=table.higher_is_better,
        scores_a=scores[places, 0],
        scores_b=scores[places, 1],
        maxima=tuple(maxima),
        left_out=tuple(left_out),
        fingerprint=table.fingerprint,
    )
