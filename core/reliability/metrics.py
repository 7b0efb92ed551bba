"""All metrics and tests of one comparison: on how many datasets a result depends on the choice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from ..data.result_set import ResultSet
from ..errors import DataError, Problem
from ..significance.plan import PlannedTest, wanted_datasets
from ..significance.run import run_planned
from ..significance.settings import Rng, Settings, positive_number, seed_of
from ..significance.stopping import Progress
from ..types import FloatArray
from ..validation import check_alpha, check_two_systems
from .pairs import (
    LeftOut,
    PairStudy,
    TestedPair,
    checked_metrics,
    checked_tests,
    fitting_tests,
    left_out_of,
    run_pairs,
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MetricStudy(PairStudy):
    """P-values of "A is better" by every metric and test, on every dataset.

    Attributes
    ----------
    metrics : tuple of str
        Those asked for.
    tests_asked : tuple of str
        Names, "auto" or "all".
    """

    metrics: tuple[str, ...]
    tests_asked: tuple[str, ...]

    @property
    def choices(self) -> tuple[str, ...]:
        """The metric and test of each pair."""
        return tuple(f"{pair.metric}, {pair.test}" for pair in self.pairs)

    @property
    def columns(self) -> tuple[tuple[str, str], ...]:
        """Each metric and test that some dataset has, metric by metric."""
        held = dict.fromkeys((pair.metric, pair.test) for pair in self.pairs)
        return tuple(sorted(held, key=lambda column: self.metrics.index(column[0])))

    @property
    def p_values(self) -> FloatArray:
        """Of each dataset and column, shape (n_datasets, n_columns); nan where there is none."""
        table = np.full((len(self.datasets), len(self.columns)), np.nan)
        rows = {dataset: row for row, dataset in enumerate(self.datasets)}
        places = {column: place for place, column in enumerate(self.columns)}
        for pair in self.pairs:
            table[rows[pair.dataset], places[pair.metric, pair.test]] = pair.p_value
        return table

    @property
    def n_choices(self) -> int:
        """Of how many p-values a reader of one dataset could have been shown any, at most."""
        return self.family.most_choices

    @property
    def signature(self) -> str:
        """The one line that names everything the p-values and counts depend on."""
        return self._signature(
            "metrics", metrics=",".join(self.metrics), tests=",".join(self.tests_asked)
        )


def metric_study(
    result_set: ResultSet,
    *,
    a: str,
    b: str,
    metrics: Sequence[str] | None = None,
    tests: str | Sequence[str] = "auto",
    alpha: float = 0.05,
    rng: Rng = 0,
    n_resamples: int = 9999,
    n_threads: int = 1,
    datasets: Sequence[str] | None = None,
    on_progress: Progress | None = None,
) -> MetricStudy:
    """Test "A is better than B" on every dataset by every metric and test that fits it.

    Parameters
    ----------
    result_set : ResultSet
        Per-example scores of both systems.
    a, b : str
        Names of the systems.
    metrics : sequence of str, optional
        By default all, those of labels among them. Where one is not defined on
        a dataset, the pair is left out and said to be.
    tests : str or sequence of str
        "auto": of each metric the one test that the fixed rule takes. "all":
        every test that fits. Or names, of which each metric has those that fit.
    alpha : float
        In (0, 1); `MetricStudy.at_level` changes it without a new run.
    rng : int or Generator
        Seed. A p-value is the one that `run_dataset_tests` gives for the same
        seed, dataset, metric and test.
    n_resamples : int
        Of tests that resample.
    n_threads : int
        How many tests run at once.
    datasets : sequence of str, optional
        Some of the datasets; by default all. It changes no p-value of theirs.
    on_progress : callable, optional
        Called as ``on_progress(done, total)`` with numbers of tests. Returning
        False stops.

    Raises
    ------
    DataError
        If no test fits any metric of any dataset.
    ValueError
        If an argument is not as described.
    Stopped
        If it was stopped before one test was done.

    References
    ----------
    Søgaard et al. (CoNLL 2014), section 3; Dror et al. (TACL 2017), footnote 3.
    """
    check_two_systems(a, b, result_set.systems)
    level = check_alpha(alpha)
    asked = checked_tests(tests)
    names = checked_metrics(result_set, metrics)
    resamples = positive_number("n_resamples", n_resamples)
    seed = seed_of(rng)
    planned: list[tuple[str, PlannedTest, bool]] = []
    left_out: list[LeftOut] = []
    problems: list[Problem] = []
    chosen = wanted_datasets(result_set, datasets)
    for dataset in chosen:
        for metric in names:
            found, wrong = fitting_tests(result_set, dataset, metric, a=a, b=b, tests=asked)
            planned += [(dataset, plan, by_rule) for plan, by_rule in found]
            problems += wrong
            if wrong:
                left_out.append(left_out_of(wrong, dataset, metric))
    if not planned:
        raise DataError(problems)
    settings = Settings(n_resamples=resamples)

    def work(
        dataset: str, plan: PlannedTest, by_rule: bool, going: Callable[[], bool]
    ) -> TestedPair:
        result = run_planned(
            result_set,
            dataset,
            plan,
            a=a,
            b=b,
            settings=settings,
            seed=seed,
            keep_going=going,
        )
        return TestedPair(
            dataset=dataset,
            metric=plan.metric,
            level=None,
            test=plan.test,
            by_rule=by_rule,
            result=result,
        )

    pairs, _ = run_pairs(
        [partial(work, *one) for one in planned],
        n_threads=positive_number("n_threads", n_threads),
        on_progress=on_progress,
    )
    return MetricStudy(
        system_a=a,
        system_b=b,
        datasets=chosen,
        metrics=names,
        tests_asked=asked,
        alpha=level,
        pairs=pairs,
        left_out=tuple(left_out),
        n_asked=len(planned),
        n_resamples=resamples,
        seed=seed,
        fingerprint=result_set.fingerprint,
    )
