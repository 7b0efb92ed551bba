"""Counting and naming datasets that share examples, by flipping A and B on each of them jointly."""

from dataclasses import dataclass

import numpy as np

from ..data.overlap.find import Units, units_of
from ..data.result_set import ResultSet
from ..errors import DataError
from ..metrics.registry import CORRELATIONS
from ..replicability.counting import Counting
from ..replicability.identification import Identification
from ..replicability.joint import (
    JOINT_STATISTICS,
    FlipAnswer,
    JointFlips,
    JointStatistic,
    count_by_flips,
    flip_jointly,
    identify_by_flips,
    k_hat_by_flips,
)
from ..significance.outcome import confidence_sequence
from ..significance.plan import asked_metric, check_compared
from ..significance.settings import Rng, generator_of
from ..simulation.like_my_data import NoSlope, contributions
from ..types import UnitsBy
from ..validation import check_alpha, check_choice, check_whole

# Differences of units by datasets, as floats: 800 MB.
MOST_DIFFERENCES = 100_000_000


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class JointAnalysis(FlipAnswer):
    """What joint flips say of A's side, the flips that it comes from, and the units that were flipped.

    `settled`: more flips would leave the count as it is, but for a chance of .001.
    """

    flips: JointFlips
    units: Units
    settled: bool


def joint_analysis_of(flips: JointFlips, units: Units, *, alpha: float) -> JointAnalysis:
    """What flips that are made say at a level."""
    count = count_by_flips(flips, alpha=alpha, statistic="sum")
    # What alpha may be with unlimited flips.
    ends = () if flips.exact else confidence_sequence(round(alpha * flips.n_flips), flips.n_flips)
    at_ends = {k_hat_by_flips(flips, alpha=end, statistic="sum") for end in ends if 0.0 < end < 1.0}
    return JointAnalysis(
        count=count,
        named=identify_by_flips(flips, alpha=alpha, statistic="sum"),
        step_down=identify_by_flips(flips, alpha=alpha, statistic="max"),
        flips=flips,
        units=units,
        settled=at_ends <= {count.k_hat},
    )


def count_jointly(
    result_set: ResultSet,
    *,
    a: str,
    b: str,
    alpha: float = 0.05,
    statistic: JointStatistic = "sum",
    metric: str | None = None,
    units: UnitsBy = "matched",
    n_flips: int = 9999,
    rng: Rng = 0,
) -> Counting:
    """Count the datasets on which A is better, under the dependence of their shared examples.

    The null hypothesis of a set of datasets: on every example with its copies and
    translations, A and B are exchangeable jointly over these datasets. Equal means of
    skewed differences are no such null hypothesis: of them it rejects too often where
    examples are few. Dependence through anything but examples (the same training runs, the
    same annotators) is not in it.

    Parameters
    ----------
    result_set : ResultSet
        Results on examples.
    a, b : str
        The systems.
    alpha : float
        Greatest chance that the count overstates the truth; in (0, 1).
    statistic : {"sum", "max"}
        "sum" of squared positive z counts more; "max" counts its own names.
    metric : str, optional
        The first of the set by default; no correlation, whose examples have no differences.
    units : {"matched", "example-id"}
        What makes examples of several datasets the same: their texts, or ids that are more than
        counters; with "example-id" any equal ids as well.
    n_flips : int
        How many flips are drawn; all are taken where there are no more.
    rng : Generator or int
        Where they come from.

    Returns
    -------
    Counting
        With the combination "joint-sum" or "joint-max".

    Raises
    ------
    DataError
        If examples are not all matched, the metric is a correlation, or there are more than
        `MOST_DIFFERENCES` units times datasets.
    ValueError
        If a system or metric is unknown, or `alpha` does not lie in (0, 1).

    References
    ----------
    Westfall and Young (1993); Vesely, Finos and Goeman (JRSS B 2023).

    Examples
    --------
    >>> from replicability import count_jointly, read_results, read_sample
    >>> sample, content = read_sample("simulated-translations")
    >>> results = read_results(content)
    >>> count_jointly(results, a="ours", b="baseline", units="example-id").k_hat
    7
    """
    check_alpha(alpha)
    check_choice(statistic, JOINT_STATISTICS, name="statistic")
    flips = joint_flips(result_set, units, a=a, b=b, metric=metric, n_flips=n_flips, rng=rng)
    return count_by_flips(flips, alpha=alpha, statistic=statistic)


def identify_jointly(
    result_set: ResultSet,
    *,
    a: str,
    b: str,
    alpha: float = 0.05,
    statistic: JointStatistic = "max",
    metric: str | None = None,
    units: UnitsBy = "matched",
    n_flips: int = 9999,
    rng: Rng = 0,
) -> Identification:
    """Name the datasets on which A is better, under the dependence of their shared examples.

    Parameters
    ----------
    result_set, a, b, alpha, metric, units, n_flips, rng
        As in `count_jointly`.
    statistic : {"max", "sum"}
        "max" is the step-down test, which usually names more; "sum" names by the closed test
        of its own count.

    Returns
    -------
    Identification
        With the procedure "joint-max" or "joint-sum"; the chance of any wrong name is at most
        alpha.

    Raises
    ------
    DataError, ValueError
        As `count_jointly`.

    Examples
    --------
    >>> from replicability import identify_jointly, read_results, read_sample
    >>> sample, content = read_sample("simulated-translations")
    >>> results = read_results(content)
    >>> identify_jointly(results, a="ours", b="baseline", units="example-id").n_rejected
    7
    """
    check_alpha(alpha)
    check_choice(statistic, JOINT_STATISTICS, name="statistic")
    flips = joint_flips(result_set, units, a=a, b=b, metric=metric, n_flips=n_flips, rng=rng)
    return identify_by_flips(flips, alpha=alpha, statistic=statistic)


def check_flippable(result_set: ResultSet, metric: str) -> None:
    """Raise where examples add nothing of their own to the metric."""
    if result_set.kind_of(metric) in CORRELATIONS:
        raise DataError.of(
            f"'{metric}' is a correlation with gold, to which no example adds a difference of its "
            "own.",
            "Count by p-values, or choose a metric that is a mean or a sum.",
        )


def joint_flips(
    result_set: ResultSet,
    units: Units | UnitsBy,
    *,
    a: str,
    b: str,
    metric: str | None = None,
    n_flips: int = 9999,
    rng: Rng = 0,
) -> JointFlips:
    """The flips of units, or of those that examples make, which are matched last.

    Moving alpha needs no new ones.
    """
    check_whole(n_flips, name="n_flips", least=1)
    check_compared(result_set, a, b)
    name = asked_metric(result_set, metric)
    check_flippable(result_set, name)
    if not isinstance(units, Units):
        units = units_of(result_set, units=units)
    n_datasets = len(result_set.datasets)
    if units.n_units * n_datasets > MOST_DIFFERENCES:
        raise DataError.of(
            f"{units.n_units:,} units of {n_datasets:,} datasets are more than "
            f"{MOST_DIFFERENCES:,} differences.",
            "Leave datasets out, or count by p-values.",
        )
    differences = np.empty((units.n_units, n_datasets))
    for column, (dataset, unit) in enumerate(zip(result_set.datasets, units.codes, strict=True)):
        try:
            own = contributions(result_set, dataset, a, b, name).values
        except NoSlope:
            own = np.zeros(unit.size)
        differences[:, column] = np.bincount(unit, weights=own, minlength=units.n_units)
    return flip_jointly(differences, n_flips=n_flips, rng=generator_of(rng)[0])
