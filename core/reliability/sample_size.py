"""How a dataset's p-value depends on its size: the test on random parts of the dataset.

Vocabulary
----------
vanishes
    Of a dataset's significance: the whole dataset has p > alpha, and yet at some
    smaller size at least 2·alpha of the subsamples have p <= alpha, more than alpha
    of them by a one-sided binomial test at level .05, divided by the number of
    smaller sizes. Whoever stopped at such a size would have reported significance
    at least twice as often as with equal systems. It describes the dataset and is no
    test of the systems: the whole's p mostly lies between alpha and five times alpha, and
    of equal systems up to about one dataset in six bears the mark (with 100 subsamples at
    alpha = .05; fewer, the less a discrete test attains its level).
fragile
    The whole dataset has p <= alpha, but fewer than half of the subsamples of the
    largest smaller size do.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from ..data.result_set import ResultSet
from ..shown import DataFrame, frame_of
from ..signature import listed, short_fingerprint, signature_line
from ..significance.counting import binomial_at_least
from ..significance.plan import check_compared, planned_tests, wanted_datasets
from ..significance.run import run_planned
from ..significance.settings import (
    TEST_ALTERNATIVES,
    Asked,
    MethodUsed,
    Rng,
    Settings,
    TestAlternative,
    seed_of,
)
from ..significance.single import SignificanceResult
from ..significance.stopping import Steps, Stopped
from ..simulation.results import Interval, clopper_pearson
from ..types import BoolArray, FloatArray, IntArray
from ..validation import at_most, check_alpha, check_choice, check_whole, is_at_most
from .power import Power, StatedEffect, power_at
from .subsamples import RowPValues, Subsampled, random_orders, resampling_stream, subsampled

_BAND = (0.1, 0.9)

PointMethod = MethodUsed | Literal["one-by-one"]

# Of the marks, over all smaller sizes of one dataset together.
MARK_LEVEL = 0.05
# As often as that beside chance: without it the mark would come of drawing many subsamples.
TIMES_CHANCE = 2.0

Mark = Literal["vanishes", "fragile", ""]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SubsamplePoint:
    """P-values of the subsamples of one size, which is a share of the dataset, in (0, 1].

    With clusters of several sizes `n_examples` is the median. `p_values` are nan where a subsample
    has no defined score; the whole dataset has one. `out_of_reach`: no resample can be as extreme
    as asked; such a subsample is not significant. By the `method` "one-by-one" each is of the test
    itself.
    """

    share: float
    n_units: int
    n_examples: int
    p_values: FloatArray
    out_of_reach: BoolArray
    method: PointMethod
    alpha: float

    @property
    def n_subsamples(self) -> int:
        """How many there are."""
        return int(self.p_values.size)

    @property
    def n_undefined(self) -> int:
        """How many have no defined score. They are not significant."""
        return int(np.count_nonzero(np.isnan(self.p_values)))

    @property
    def n_out_of_reach(self) -> int:
        """How many have a p-value that says nothing."""
        return int(np.count_nonzero(self.out_of_reach))

    @property
    def n_significant(self) -> int:
        """How many have p <= alpha."""
        counted = at_most(np.where(np.isnan(self.p_values), 1.0, self.p_values), self.alpha)
        return int(np.count_nonzero(counted & ~self.out_of_reach))

    @property
    def share_significant(self) -> float:
        """The share with p <= alpha; of the whole dataset 0 or 1."""
        return self.n_significant / self.n_subsamples

    @property
    def confidence_interval(self) -> Interval | None:
        """Clopper and Pearson's 95% interval of that share over all such subsamples, not about further data.

        None of the whole.
        """
        if self.share == 1.0:
            return None
        return clopper_pearson(self.n_significant, self.n_subsamples)

    @property
    def median(self) -> float:
        """Median of the p-values that are defined and in reach; nan without any."""
        return self._quantile(0.5)

    @property
    def band(self) -> Interval:
        """Their 10th and 90th percentile."""
        return self._quantile(_BAND[0]), self._quantile(_BAND[1])

    def _quantile(self, level: float) -> float:
        told = self.p_values[~(np.isnan(self.p_values) | self.out_of_reach)]
        return float(np.quantile(told, level)) if told.size else float("nan")


def shares_given_full(
    p_value: float, shares: list[float], *, alpha: float, two_sided: bool = False
) -> tuple[float, ...]:
    """What share of subsamples is significant if the whole has this p-value, by normal theory.

    Subsamples of a share s have about z_s = √s·z + √(1 − s)·e, z being the normal quantile of the
    whole's p-value and e a standard normal number.
    """
    from scipy.special import ndtr, ndtri

    smallest = float(np.finfo(np.float64).tiny)
    p = min(max(p_value, smallest), 1.0 - 1e-16)
    z = -float(ndtri(p / 2.0 if two_sided else p))
    edge = -float(ndtri(alpha / 2.0 if two_sided else alpha))
    found = []
    for share in shares:
        if share == 1.0:
            found.append(float(is_at_most(p_value, alpha)))
            continue
        centre, spread = np.sqrt(share) * z, np.sqrt(1.0 - share)
        other = float(ndtr((-edge - centre) / spread)) if two_sided else 0.0
        found.append(float(ndtr((centre - edge) / spread)) + other)
    return tuple(found)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DatasetSubsamples:
    """One dataset's p-value at growing sizes, of examples or clusters drawn.

    `full` is the test of the whole dataset, which is the last of the `points` by rising size.
    `standard_deviation` is that of the differences, n − 1 below; None where scores are not averaged
    or n is 1. `binary`: scores are averages of 0 and 1.
    """

    dataset: str
    unit: Literal["examples", "clusters"]
    full: SignificanceResult
    points: tuple[SubsamplePoint, ...]
    alternative: TestAlternative
    alpha: float
    standard_deviation: float | None
    binary: bool

    @property
    def disagreement(self) -> float:
        """The share of examples on which the two systems differ."""
        return (self.full.wins + self.full.losses) / self.full.n_examples

    @property
    def whole(self) -> SubsamplePoint:
        """All of the dataset."""
        return self.points[-1]

    @property
    def p_value(self) -> float:
        """Of the whole dataset."""
        return float(self.whole.p_values[0])

    @property
    def significant(self) -> bool:
        """Whether the whole dataset has p <= alpha."""
        return self.whole.n_significant == 1

    @property
    def vanishes_from(self) -> tuple[SubsamplePoint, ...]:
        """The smaller sizes at which more are significant than chance gives, where the whole is not."""
        if self.significant:
            return ()
        smaller = self.points[:-1]
        return tuple(
            point
            for point in smaller
            if point.share_significant >= TIMES_CHANCE * self.alpha
            and binomial_at_least(point.n_significant, point.n_subsamples, self.alpha)
            <= MARK_LEVEL / len(smaller)
        )

    @property
    def mark(self) -> Mark:
        """How the significance depends on the size, in the module's words; '' where it does not."""
        if self.vanishes_from:
            return "vanishes"
        if self.significant and len(self.points) > 1:
            before = self.points[-2]
            return "fragile" if 2 * before.n_significant < before.n_subsamples else ""
        return ""

    @property
    def shares_given_full(self) -> tuple[float, ...]:
        """What share of each size is significant by the whole dataset's p-value alone.

        The observed curve is nearly this, whatever the truth about the systems. All 0 where that
        p-value is out of the bootstrap's reach.
        """
        if self.whole.n_out_of_reach:
            return (0.0,) * len(self.points)
        return shares_given_full(
            self.p_value,
            [point.share for point in self.points],
            alpha=self.alpha,
            two_sided=self.alternative == "two-sided",
        )

    def stated(self, effect: float) -> StatedEffect:
        """A stated effect on such a dataset: the spread is the dataset's own, the effect never is."""
        if self.unit == "clusters":
            raise ValueError(
                "`effect` must be of examples that are independent; these come in clusters, "
                "for which the power depends on how alike a cluster's examples are."
            )
        return StatedEffect(
            effect=effect,
            test=self.full.test,
            alpha=self.alpha,
            disagreement=self.disagreement if self.binary else None,
            standard_deviation=None if self.binary else self.standard_deviation,
        )

    def expected(self, effect: float) -> Power:
        """What share of independent test sets of each size a stated effect makes significant."""
        return power_at(self.stated(effect), [point.n_examples for point in self.points])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SubsampleStudy:
    """Each dataset's p-value at growing sizes, as far as they are done; shares rise to 1."""

    datasets: tuple[DatasetSubsamples, ...]
    system_a: str
    system_b: str
    alternative: TestAlternative
    alpha: float
    shares: tuple[float, ...]
    n_subsamples: int
    n_resamples: int
    seed: int
    fingerprint: str
    complete: bool

    def at_level(self, alpha: float) -> SubsampleStudy:
        """The same p-values held against another level, strictly between 0 and 1."""
        alpha = check_alpha(alpha)
        return replace(
            self,
            alpha=alpha,
            datasets=tuple(
                replace(
                    own,
                    alpha=alpha,
                    points=tuple(replace(point, alpha=alpha) for point in own.points),
                )
                for own in self.datasets
            ),
        )

    def marked(self, mark: Mark) -> tuple[str, ...]:
        """Names of the datasets with a mark."""
        return tuple(own.dataset for own in self.datasets if own.mark == mark)

    @property
    def significant(self) -> tuple[str, ...]:
        """Names of the datasets that as a whole have p <= alpha."""
        return tuple(own.dataset for own in self.datasets if own.significant)

    @property
    def signature(self) -> str:
        """The line that names everything the study depends on."""
        tests = sorted({own.full.test for own in self.datasets})
        monte_carlo = any(
            point.method in ("monte-carlo", "one-by-one")
            for own in self.datasets
            for point in own.points
        )
        return signature_line(
            study="subsamples",
            a=self.system_a,
            b=self.system_b,
            test=",".join(tests),
            alt=self.alternative,
            alpha=self.alpha,
            shares=",".join(f"{share:g}" for share in self.shares),
            subsamples=self.n_subsamples,
            resamples=self.n_resamples if monte_carlo else None,
            seed=self.seed,
            datasets=listed(own.dataset for own in self.datasets),
            data=short_fingerprint(self.fingerprint) or None,
        )

    def to_frame(self) -> DataFrame:
        """A row for each dataset and size."""
        return frame_of(
            [
                {
                    "dataset": own.dataset,
                    "test": own.full.test,
                    "metric": own.full.metric,
                    "share": point.share,
                    "n_examples": point.n_examples,
                    "n_units": point.n_units,
                    "n_subsamples": point.n_subsamples,
                    "p_low": point.band[0],
                    "p_median": point.median,
                    "p_high": point.band[1],
                    "n_significant": point.n_significant,
                    "share_significant": point.share_significant,
                    "method": point.method,
                    "n_undefined": point.n_undefined,
                    "n_out_of_reach": point.n_out_of_reach,
                    "mark": own.mark,
                }
                for own in self.datasets
                for point in own.points
            ]
        )


# Subsamples tested before it is told, where each costs by itself: a few hundredths of a second.
_TOLD_OF = 64
SHARES = (0.1, 0.25, 0.5, 0.75, 1.0)


def subsample_significance(
    result_set: ResultSet,
    *,
    a: str,
    b: str,
    metric: str | Mapping[str, str] | None = None,
    test: str | Mapping[str, str] = "auto",
    alpha: float = 0.05,
    shares: Sequence[float] = SHARES,
    n_subsamples: int = 100,
    n_resamples: int = 1000,
    alternative: TestAlternative = "greater",
    rng: Rng = 0,
    datasets: Sequence[str] | None = None,
    on_progress: Callable[[int, int], object] | None = None,
) -> SubsampleStudy:
    """Run the test on random subsamples of each dataset, drawn without replacement.

    Where examples come in clusters, whole clusters are drawn. A subsample's
    p-value is the one that `run_significance_test` gives on its examples, with
    the method that the point names: of Wilcoxon's test exact up to 50 units and
    the normal approximation above; exact for the bootstrap and randomization
    where differences lie on a small lattice, else, and for the bootstrap of
    sums of counts, from resamples that all subsamples of a size share. Of
    correlations, metrics of labels and randomization of other sums each
    subsample is tested on its own, which takes longer. The whole dataset's p-value is the one that
    `run_dataset_tests` gives with the same seed.

    Parameters
    ----------
    result_set : ResultSet
        Per-example scores of both systems.
    a, b : str
        Names of the systems.
    metric, test : optional
        As for `run_dataset_tests`.
    alpha : float
        In (0, 1). It is applied to stored p-values: `SubsampleStudy.at_level` takes another.
    shares : sequence of float
        Parts of a dataset, in (0, 1]; the whole, 1, is always among them.
    n_subsamples : int
        Of each size below the whole.
    n_resamples : int
        Of Monte Carlo.
    alternative : {"greater", "less", "two-sided"}
        What p-values speak for.
    rng : int or Generator
        Seed; of a Generator, one integer is drawn. A dataset's subsamples
        depend on the seed, its name and its size: other datasets, other shares
        and further subsamples change none of them.
    datasets : sequence of str, optional
        Some of the datasets; by default all.
    on_progress : callable, optional
        Called as ``on_progress(done, total)`` with numbers of subsamples.
        Returning False stops; datasets that are done are kept.

    Raises
    ------
    DataError
        If scores do not suit the test or are not defined.
    ValueError
        If an argument is not as described.
    Stopped
        If it was stopped before one dataset was done.

    References
    ----------
    Søgaard et al. (CoNLL 2014), section 4 and Table 4.

    Examples
    --------
    >>> from replicability import read_results, read_sample, subsample_significance
    >>> sample, content = read_sample("simulated-accuracy")
    >>> results = read_results(content)
    >>> study = subsample_significance(
    ...     results, a="ours", b="baseline", datasets=results.datasets[:1], n_subsamples=20
    ... )
    >>> study.shares, study.complete
    ((0.1, 0.25, 0.5, 0.75, 1.0), True)
    """
    check_compared(result_set, a, b)
    level = check_alpha(alpha)
    check_choice(alternative, TEST_ALTERNATIVES, name="alternative")
    parts = _checked_shares(shares)
    n_subsamples = check_whole(n_subsamples, name="n_subsamples", least=1)
    n_resamples = check_whole(n_resamples, name="n_resamples", least=1)
    chosen = wanted_datasets(result_set, datasets)
    study = SubsampleStudy(
        datasets=(),
        system_a=a,
        system_b=b,
        alternative=alternative,
        alpha=level,
        shares=parts,
        n_subsamples=n_subsamples,
        n_resamples=n_resamples,
        seed=seed_of(rng),
        fingerprint=result_set.fingerprint,
        complete=False,
    )
    plans = planned_tests(
        result_set,
        a=a,
        b=b,
        test=test,
        metric=metric,
        settings=Settings(n_resamples=n_resamples),
        seed=study.seed,
        datasets=chosen,
    )
    total = len(chosen) * (1 + n_subsamples * (len(parts) - 1))
    steps = Steps(on_progress, total=total)
    results: list[DatasetSubsamples] = []
    try:
        for name in chosen:
            plan = plans[name]
            full = run_planned(result_set, name, plan, a=a, b=b, keep_going=steps.keep_going)
            steps.done += 1
            own = subsampled(result_set, name, plan, a=a, b=b)
            results.append(_of_dataset(study, own, full, steps))
    except Stopped:
        if not results:
            raise Stopped("The study was stopped before one dataset was done.") from None
    complete = len(results) == len(chosen)
    if complete:
        steps.finish()
    return replace(study, datasets=tuple(results), complete=complete)


def _of_dataset(
    study: SubsampleStudy, own: Subsampled, full: SignificanceResult, steps: Steps
) -> DatasetSubsamples:
    name, smaller = own.given.dataset, study.shares[:-1]
    sizes = [units_of(share, own.n_units) for share in smaller]
    methods = [own.method_of(size) for size in sizes]
    asked = [
        Asked(
            settings=Settings(
                alternative=study.alternative,
                method="auto" if method is None or method == "student" else method,
                n_resamples=study.n_resamples,
                with_interval=False,
            ),
            rng=resampling_stream(study.seed, full.dataset, own.test, size),
            keep_going=steps.keep_going,
        )
        for size, method in zip(sizes, methods, strict=True)
    ]
    tested: list[list[RowPValues]] = [[] for _ in sizes]
    examples: list[list[IntArray]] = [[] for _ in sizes]
    orders = random_orders(own.n_units, study.n_subsamples, seed=study.seed, dataset=full.dataset)
    for chunk in orders if sizes else ():
        # What shares its resamples among all subsamples of a size asks by itself while it draws.
        n_rows = chunk.shape[0]
        steps_of = [
            1 if method is None else _TOLD_OF if method == "exact" else n_rows for method in methods
        ]
        # All sizes in turn, as the large ones take longer: so what is done tells what is left.
        turns = [
            (start, place)
            for place, step in enumerate(steps_of)
            for start in range(0, n_rows, step)
        ]
        for start, place in sorted(turns):
            drawn = chunk[start : start + steps_of[place], : sizes[place]]
            tested[place].append(own.p_values(drawn, asked[place]))
            examples[place].append(own.n_examples_of(drawn))
            steps.done += drawn.shape[0]
    points = []
    for place, (share, size) in enumerate(zip(smaller, sizes, strict=True)):
        p_values, out_of_reach = (np.concatenate(part) for part in zip(*tested[place], strict=True))
        points.append(
            SubsamplePoint(
                share=share,
                n_units=size,
                n_examples=int(np.median(np.concatenate(examples[place]))),
                p_values=p_values,
                out_of_reach=out_of_reach,
                method=methods[place] or "one-by-one",
                alpha=study.alpha,
            )
        )
    whole = SubsamplePoint(
        share=1.0,
        n_units=own.n_units,
        n_examples=own.n_examples,
        p_values=np.array([full.p_value_of(study.alternative)]),
        out_of_reach=np.array([full.is_out_of_reach(study.alternative)]),
        method=full.method,
        alpha=study.alpha,
    )
    return DatasetSubsamples(
        dataset=name,
        unit="examples" if own.clusters is None else "clusters",
        full=full,
        points=(*points, whole),
        alternative=study.alternative,
        alpha=study.alpha,
        standard_deviation=own.standard_deviation,
        binary=own.binary,
    )


def units_of(share: float, n_units: int) -> int:
    """How many units a share of a dataset is, at least 1."""
    return max(1, int(np.floor(share * n_units + 0.5)))


def _checked_shares(shares: Sequence[float]) -> tuple[float, ...]:
    given = tuple(float(share) for share in shares)
    wrong = [share for share in given if not 0.0 < share <= 1.0]
    if not given or wrong:
        came = repr(wrong[0]) if wrong else "none"
        raise ValueError(f"`shares` must lie above 0 and at most at 1; got {came}.")
    return tuple(sorted({*given, 1.0}))
