"""Levels of a categorical covariate, such as a genre: dataset × level as one family."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import numpy.typing as npt

from core.data.covariates import MOST_LEVELS
from core.data.result_set import ResultSet
from core.errors import DataError, Problem
from core.reliability.level_dependence import (
    MOST_ORDERS,
    dependence_p_value,
    dependent_by_holm,
    levelled_units,
    smallest_p_value,
    units_of_part,
)
from core.reliability.level_parts import LevelPart, level_part, levels_of
from core.reliability.pair_study import PairStudy
from core.reliability.pairs import (
    LeftOut,
    Progress,
    TestedPair,
    checked_tests,
    fitting_tests,
    left_out_of,
    run_pairs,
)
from core.replicability.decision import at_most
from core.significance.settings import Settings, positive_number
from core.significance.single import run_with_settings
from core.significance.stopping import Stopped, goes_on
from core.significance.streams import Rng, dataset_stream, seed_of
from core.validation import check_alpha, check_choice, check_two_systems


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LevelStudy(PairStudy):
    """P-values of "A is better" on the examples of each level, dataset by dataset.

    Attributes
    ----------
    covariate, metric : str
        Names.
    test_asked : str
        A name, or "auto".
    levels : tuple of str
        All there are. Examples without a level are in `left_out`.
    dependence_p_values : dict of dataset to float
        Of "its difference is the same on all levels", by permuting levels;
        without datasets of which that cannot be asked.
    dependence_left_out : dict of dataset to str
        Those, each with its reason.
    n_units : dict of (dataset, level) to int
        Examples, or clusters, of each pair there was to be.

    Notes
    -----
    That p <= alpha on some levels and not on others (`datasets_that_differ`)
    describes the p-values: with the same effect on all levels it is common, as
    each has less power than the whole. `datasets_that_depend` says whether the
    difference depends on the level.
    """

    covariate: str
    metric: str
    test_asked: str
    levels: tuple[str, ...]
    dependence_p_values: dict[str, float]
    dependence_left_out: dict[str, str]
    n_units: dict[tuple[str, str], int]

    @property
    def complete(self) -> bool:
        """Whether all tests were run."""
        asked = {dataset for dataset, _ in self.n_units}
        told = self.dependence_p_values.keys() | self.dependence_left_out.keys()
        return super(LevelStudy, self).complete and asked <= told

    @property
    def choices(self) -> tuple[str, ...]:
        """The level of each pair."""
        return tuple(str(pair.level) for pair in self.pairs)

    @property
    def datasets_that_depend(self) -> tuple[str, ...]:
        """Datasets whose difference depends on the level, named by Holm's rule at alpha."""
        return dependent_by_holm(self.dependence_p_values, self.alpha)

    @property
    def levels_without_reach(self) -> tuple[tuple[str, str, int], ...]:
        """Dataset, level and units of pairs too small for p <= alpha, whatever their scores."""
        return tuple(
            (pair.dataset, str(pair.level), n)
            for pair in self.pairs
            for n in (self.n_units[pair.dataset, str(pair.level)],)
            if not bool(at_most(np.array(smallest_p_value(pair.test, n)), self.alpha))
        )

    @property
    def signature(self) -> str:
        """The one line that names everything the p-values and counts depend on."""
        return self._signature(
            "levels",
            covariate=self.covariate or None,
            levels=len(self.levels),
            metric=self.metric,
            test=self.test_asked,
        )


def level_study(
    result_set: ResultSet,
    *,
    a: str,
    b: str,
    covariate: Mapping[str, npt.ArrayLike],
    name: str = "",
    metric: str | None = None,
    test: str = "auto",
    alpha: float = 0.05,
    rng: Rng = 0,
    n_resamples: int = 9999,
    n_threads: int = 1,
    on_progress: Progress | None = None,
) -> LevelStudy:
    """Test "A is better than B" on the examples of each level of each dataset.

    Parameters
    ----------
    result_set : ResultSet
        Per-example scores of both systems.
    a, b : str
        Names of the systems.
    covariate : mapping of dataset to array_like, shape (n,)
        A level for each example, as text or numbers; None, nan and "" are none.
        A dataset that it does not name is not tested.
    name : str
        Of the covariate.
    metric : str, optional
        By default the first.
    test : str
        One of `significance_tests`, or "auto": the fixed rule for the dataset.
    alpha : float
        In (0, 1); `LevelStudy.at_level` changes it without a new run.
    rng, n_resamples, n_threads, on_progress
        As of `core.reliability.metrics.metric_study`.

    Raises
    ------
    DataError
        If no level of any dataset can be tested.
    ValueError
        If an argument is not as described, or there are more than 200 levels.
    Stopped
        If it was stopped before one test was done.

    References
    ----------
    Søgaard et al. (CoNLL 2014), section 3.
    """
    check_two_systems(a, b, result_set.systems)
    alpha_level = check_alpha(alpha)
    (asked,) = checked_tests(test)
    if asked == "all":
        raise ValueError("`test` must be one test, or 'auto'; got 'all'.")
    known = (*result_set.metrics, *result_set.label_metrics)
    own_metric = check_choice(
        result_set.metrics[0] if metric is None else metric, known, name="metric"
    )
    resamples = positive_number("n_resamples", n_resamples)
    seed = seed_of(rng)
    labels = levels_of(result_set, covariate)
    levels = _levels_among(labels)
    parts, left_out = _parts(result_set, labels, levels, asked, own_metric, a=a, b=b)
    pairs, all_run = run_pairs(
        [
            partial(_tested, part, metric=own_metric, n_resamples=resamples, seed=seed)
            for part in parts
        ],
        n_threads=positive_number("n_threads", n_threads),
        on_progress=on_progress,
    )
    dependence, untold = _dependence(
        parts if all_run else [],
        n_orders=min(resamples, MOST_ORDERS),
        seed=seed,
        keep_going=lambda: goes_on(on_progress, len(parts), len(parts)),
    )
    return LevelStudy(
        system_a=a,
        system_b=b,
        covariate=name,
        metric=own_metric,
        test_asked=asked,
        datasets=tuple(labels),
        levels=levels,
        alpha=alpha_level,
        pairs=pairs,
        left_out=left_out,
        dependence_p_values=dependence,
        dependence_left_out=untold,
        n_units={(part.dataset, part.level): units_of_part(part) for part in parts},
        n_asked=len(parts),
        n_resamples=resamples,
        seed=seed,
        fingerprint=result_set.fingerprint,
    )


def _levels_among(labels: Mapping[str, Sequence[str | None]]) -> tuple[str, ...]:
    levels = tuple(dict.fromkeys(one for own in labels.values() for one in own if one is not None))
    if not 2 <= len(levels) <= MOST_LEVELS:
        raise ValueError(
            f"`covariate` must have 2 to {MOST_LEVELS} levels; got {len(levels)}. A column of many "
            "different values is a number or an id rather than a kind of example."
        )
    return levels


def _parts(
    result_set: ResultSet,
    labels: Mapping[str, Sequence[str | None]],
    levels: tuple[str, ...],
    test: str,
    metric: str,
    *,
    a: str,
    b: str,
) -> tuple[list[LevelPart], tuple[LeftOut, ...]]:
    """The examples of each level of each dataset that can be tested, and what is left out."""
    parts: list[LevelPart] = []
    left_out: list[LeftOut] = []
    problems: list[Problem] = []
    for dataset, own in labels.items():
        missing = sum(one is None for one in own)
        if missing:
            left_out.append(
                LeftOut(
                    dataset=dataset,
                    choice="",
                    reason=f"{missing:,} of {len(own):,} examples have no level.",
                    remedy="Give each example a level to have it tested.",
                )
            )
        found, wrong = fitting_tests(result_set, dataset, metric, a=a, b=b, tests=(test,))
        problems += wrong
        if wrong:
            left_out.append(left_out_of(wrong, dataset, metric))
            continue
        ((plan, by_rule),) = found
        codes = np.array([-1 if one is None else levels.index(one) for one in own])
        for place in np.unique(codes[codes >= 0]).tolist():
            part, of_part = level_part(
                result_set, dataset, levels[place], codes == place, plan, by_rule, a=a, b=b
            )
            problems += of_part
            if of_part:
                left_out.append(left_out_of(of_part, dataset, levels[place]))
            else:
                parts.append(part)
    if not parts:
        raise DataError(problems)
    return parts, tuple(left_out)


def _tested(
    part: LevelPart, going: Callable[[], bool], *, metric: str, n_resamples: int, seed: int
) -> TestedPair:
    result = run_with_settings(
        part.first,
        part.second,
        Settings(n_resamples=n_resamples),
        test=part.plan.test,
        metric=part.plan.kind,
        gold=part.gold,
        clusters=part.plan.clusters,
        higher_is_better=part.plan.higher_is_better,
        rng=dataset_stream(seed, part.dataset, f"{part.plan.test}|level {part.level}"),
        keep_going=going,
    )
    return TestedPair(
        dataset=part.dataset,
        metric=metric,
        level=part.level,
        test=part.plan.test,
        by_rule=part.by_rule,
        result=replace(result, metric=metric, seed=seed),
    )


def _dependence(
    parts: list[LevelPart], *, n_orders: int, seed: int, keep_going: Callable[[], bool]
) -> tuple[dict[str, float], dict[str, str]]:
    """P-values of the datasets that are done, and why others have none."""
    found: dict[str, float] = {}
    untold: dict[str, str] = {}
    for dataset in dict.fromkeys(part.dataset for part in parts):
        units = levelled_units([part for part in parts if part.dataset == dataset])
        if isinstance(units, str):
            untold[dataset] = units
            continue
        try:
            found[dataset] = dependence_p_value(
                units,
                n_orders=n_orders,
                rng=dataset_stream(seed, dataset, "levels exchanged"),
                keep_going=keep_going,
            )
        except Stopped:
            break
    return found, untold
