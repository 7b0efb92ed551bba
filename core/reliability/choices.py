"""All metrics and tests of one comparison: what depends on the choice, and what choosing freely does.

On how many datasets a result depends on it, and how often the best of several is
"significant" by chance: by theory, and simulated.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from ..data.result_set import ResultSet
from ..signature import short_fingerprint, signature_line
from ..significance.plan import PlannedTest, wanted_datasets
from ..significance.run import run_planned
from ..significance.settings import Rng, Settings, dataset_stream, seed_of
from ..significance.stopping import Progress, Steps
from ..simulation.results import Rate
from ..types import FloatArray
from ..validation import HeldAgainst, at_most
from .flipped_choices import FlippedChoice, flipped_choice, n_units, notes_on
from .pairs import (
    PairStudy,
    TestedPair,
    planned_pairs,
    run_pairs,
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MetricStudy(PairStudy):
    """P-values of "A is better" by every metric and test, on every dataset.

    `tests_asked`: names, "auto" or "all".
    """

    metrics: tuple[str, ...]
    tests_asked: tuple[str, ...]

    @property
    def columns(self) -> tuple[tuple[str, str], ...]:
        """Each metric and test that some dataset has, metric by metric."""
        held = dict.fromkeys((pair.metric, pair.test) for pair in self.pairs)
        return tuple(sorted(held, key=lambda column: self.metrics.index(column[0])))

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
    tests: Sequence[str] = ("auto",),
    alpha: float = 0.05,
    rng: Rng = 0,
    n_resamples: int = 9999,
    n_threads: int = 1,
    datasets: Sequence[str] | None = None,
    on_progress: Progress | None = None,
) -> MetricStudy:
    """Test "A is better than B" on every dataset by every metric and test that fits it.

    A p-value is the one that `run_dataset_tests` gives for the same seed, dataset, metric and
    test, whichever datasets are asked for beside it. Where a metric, those of labels among them, is
    not defined on a dataset, the pair is left out and said to be. `tests` "auto" is of each metric
    the one test that the fixed rule takes, "all" every test that fits; of names each metric has those
    that fit. Raises DataError if no test fits any metric of any dataset.

    References
    ----------
    Søgaard et al. (CoNLL 2014), section 3; Dror et al. (TACL 2017), footnote 3.
    """
    names = (*result_set.metrics, *result_set.label_metrics)
    seed = seed_of(rng)
    chosen = wanted_datasets(result_set, datasets)
    planned, left_out = planned_pairs(result_set, chosen, names, a=a, b=b, tests=tests)
    settings = Settings(n_resamples=n_resamples)

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
        n_threads=n_threads,
        on_progress=on_progress,
    )
    return MetricStudy(
        system_a=a,
        system_b=b,
        datasets=chosen,
        metrics=names,
        tests_asked=tuple(tests),
        alpha=alpha,
        pairs=pairs,
        left_out=left_out,
        n_asked=len(planned),
        n_resamples=n_resamples,
        seed=seed,
        fingerprint=result_set.fingerprint,
    )


def free_choice_rate(m: float, alpha: float) -> float:
    """Chance that the smallest of m independent p-values is at most `alpha` under the null.

    1 − (1 − α)^m.

    Examples
    --------
    >>> round(free_choice_rate(2, 0.05), 4), round(free_choice_rate(2, 0.01), 4)
    (0.0975, 0.0199)
    """
    return -math.expm1(m * math.log1p(-alpha))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FreeChoice(HeldAgainst):
    """P-values of every choice while A and B change places at random.

    Each choice is a metric and a test. `p_values`, shape (n_repetitions, n_choices), are of "A is
    better" under the null hypothesis that A and B may be exchanged; `observed` by the same formulas
    of the data as they are. Examples, or clusters, change places one by one. `notes` say what is an
    approximation.
    """

    dataset: str
    system_a: str
    system_b: str
    choices: tuple[tuple[str, str], ...]
    alpha: float
    p_values: FloatArray
    observed: FloatArray
    of_clusters: bool
    n_asked: int
    seed: int
    notes: tuple[str, ...]
    fingerprint: str

    @property
    def n_repetitions(self) -> int:
        """How many were done."""
        return int(self.p_values.shape[0])

    @property
    def complete(self) -> bool:
        """Whether all repetitions asked for were done."""
        return self.n_repetitions == self.n_asked

    @property
    def smallest(self) -> FloatArray:
        """The smallest p-value of each repetition, shape (n_repetitions,)."""
        smallest: FloatArray = self.p_values.min(axis=1)
        return smallest

    @property
    def rate(self) -> Rate:
        """How often the smallest p-value is at most alpha though A and B are alike."""
        return self._rate(self.smallest)

    @property
    def rates(self) -> tuple[Rate, ...]:
        """The same of each choice alone, had it been fixed beforehand."""
        return tuple(self._rate(column) for column in self.p_values.T)

    @property
    def n_as_if_independent(self) -> float:
        """So many independent choices would have this rate; infinite where it is 1."""
        share = self.rate.rate
        return math.log1p(-share) / math.log1p(-self.alpha) if share < 1.0 else math.inf

    @property
    def smallest_observed(self) -> float:
        """The smallest p-value of the data as they are."""
        return float(self.observed.min())

    @property
    def adjusted_p_value(self) -> float:
        """How often chance alone makes the smallest p-value as small: (s + 1)/(R + 1).

        A valid p-value of the free choice among all of them (Westfall and Young
        1993): the null hypothesis is that A and B may be exchanged.
        """
        as_small = int(np.count_nonzero(at_most(self.smallest, self.smallest_observed)))
        return (as_small + 1) / (self.n_repetitions + 1)

    @property
    def signature(self) -> str:
        """The one line that names everything the rates depend on."""
        return signature_line(
            study="free-choice",
            dataset=self.dataset,
            a=self.system_a,
            b=self.system_b,
            choices=",".join(f"{metric}/{test}" for metric, test in self.choices),
            alpha=self.alpha,
            repetitions=self.n_asked,
            done=None if self.complete else self.n_repetitions,
            seed=self.seed,
            data=short_fingerprint(self.fingerprint),
        )

    def _rate(self, p_values: FloatArray) -> Rate:
        return Rate(
            count=int(np.count_nonzero(at_most(p_values, self.alpha))), n=self.n_repetitions
        )


# Signs thrown at once, 8 bytes each.
_SIGNS = 1 << 20


def simulated_free_choice(
    result_set: ResultSet,
    dataset: str,
    *,
    a: str,
    b: str,
    tests: Sequence[str] = ("auto",),
    alpha: float = 0.05,
    n_repetitions: int = 1000,
    rng: Rng = 0,
    on_progress: Progress | None = None,
) -> FreeChoice:
    """How often the best of several metrics and tests is "significant" by chance, on these data.

    In every repetition a fair coin for each example, or each cluster of them,
    makes A and B change places in all metrics at once. So no metric has a
    difference, and what the metrics have in common is that of the data. Tests are as of
    `metric_study`; fewer repetitions are the first of more, and those done before a stop are kept.
    Raises DataError if no test fits any metric.

    References
    ----------
    Søgaard et al. (CoNLL 2014), section 3; Westfall and Young (1993).
    """
    seed = seed_of(rng)
    names = (*result_set.metrics, *result_set.label_metrics)
    planned, _ = planned_pairs(result_set, [dataset], names, a=a, b=b, tests=tests)
    choices = [flipped_choice(result_set, dataset, plan, a=a, b=b) for _, plan, _ in planned]
    units = n_units(result_set, dataset)
    stream = dataset_stream(seed, dataset, "flips")
    p_values = _drawn(choices, units, n_repetitions, stream, on_progress)
    observed = np.array([float(one.p_values(np.ones((1, units)))[0]) for one in choices])
    for array in (p_values, observed):
        array.flags.writeable = False
    return FreeChoice(
        dataset=dataset,
        system_a=a,
        system_b=b,
        choices=tuple((one.metric, one.test) for one in choices),
        alpha=alpha,
        p_values=p_values,
        observed=observed,
        of_clusters=result_set.clusters_of(dataset) is not None,
        n_asked=n_repetitions,
        seed=seed,
        notes=notes_on(choices),
        fingerprint=result_set.fingerprint,
    )


def _drawn(
    choices: Sequence[FlippedChoice],
    units: int,
    total: int,
    rng: np.random.Generator,
    on_progress: Progress | None,
) -> FloatArray:
    """P-values of all repetitions that were done, shape (done, n_choices)."""
    p_values = np.empty((total, len(choices)))
    # In words of eight bytes, so that fewer repetitions are the first of more.
    width = 8 * -(-units // 64)
    step = max(1, min(_SIGNS // units, 1 + total // 20))
    steps = Steps(on_progress, total=total)
    for start in range(0, total, step):
        if not steps.keep_going():
            break
        stop = min(start + step, total)
        drawn = np.frombuffer(rng.bytes((stop - start) * width), dtype=np.uint8)
        coins = np.unpackbits(drawn.reshape(stop - start, width), axis=1, count=units)
        signs = 2.0 * coins.astype(np.float64) - 1.0
        for place, choice in enumerate(choices):
            p_values[start:stop, place] = choice.p_values(signs)
        steps.done = stop
    complete = steps.end("The simulation was stopped before one repetition was done.")
    return p_values if complete else p_values[: steps.done].copy()
