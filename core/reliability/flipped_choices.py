"""P-values of every metric and test of a dataset while A and B change places at random.

One flip of an example exchanges A and B in all metrics at once, so that what the
metrics have in common stays. Where examples come in clusters, whole clusters flip.
The spread of what is summed does not change under flips, so a p-value needs one
sum a metric, and all flips are one product of matrices.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from core.data.result_set import ResultSet
from core.metrics.registry import MEAN, correlation_of, standing
from core.reliability.quick_tests import (
    lattice_of,
    p_values_of_bootstrap,
    p_values_of_sums,
)
from core.reliability.rows import AVERAGED_TESTS
from core.significance.choose import CORRELATION_TESTS
from core.significance.clusters import clusters_of
from core.significance.correlation import correlation_outcome, infinite_z
from core.significance.lattice import SMALLEST
from core.significance.plan import PlannedTest
from core.significance.wilcoxon import EXACT_UP_TO, doubled_midranks
from core.significance.wins_and_losses import COUNTING_TESTS, p_of_counts
from core.simulation.flip_differences import Contributions, contributions
from core.simulation.sign_flips import (
    point_probabilities,
    upper_tails_of,
    whole_numbers,
)
from core.types import FloatArray, IntArray
from core.validation import check_choice

# A variance below this share of the squares is none: rounding.
_NO_VARIANCE = 1e-12

# Signed sums, shape (flips, columns), to p-values, shape (flips,).
FromSums = Callable[[FloatArray], FloatArray]

BOOTSTRAP_NOTE = (
    "the paired bootstrap's p-value is taken from the normal distribution that it tends to"
)
ROUNDED_NOTE = (
    "the randomization of scores with very many values is that of differences rounded to steps"
)
FIRST_ORDER_NOTE = (
    "a metric of sums or a correlation is exchanged in first order, by each example's share in it"
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FlippedChoice:
    """What one metric and test needs of the flips.

    Attributes
    ----------
    metric, test : str
        The choice.
    rounded : bool
        Whether differences were rounded to steps for it.
    columns : ndarray, shape (n_units, c)
        What is summed with the units' signs.
    from_sums : callable
        Sums of shape (flips, c) to p-values of "A is better".
    """

    metric: str
    test: str
    rounded: bool
    columns: FloatArray
    from_sums: FromSums

    def p_values(self, signs: FloatArray) -> FloatArray:
        """For signs of shape (flips, n_units)."""
        return self.from_sums(signs @ self.columns)


def flipped_choice(
    result_set: ResultSet, dataset: str, plan: PlannedTest, *, a: str, b: str
) -> FlippedChoice:
    """Prepare one metric and test.

    Raises
    ------
    ValueError
        If the metric's score is not defined on the dataset.
    """
    rounded = False
    if plan.test in CORRELATION_TESTS:
        columns, from_sums = _of_correlation(result_set, dataset, plan, a=a, b=b)
    else:
        given = contributions(result_set, dataset, a, b, plan.metric)
        if plan.clusters is not None:
            given = _of_clusters(given, result_set, dataset)
        columns, from_sums = _of_contributions(given, plan)
        if plan.test == "approximate-randomization":
            rounded = not whole_numbers(*given)[1]
    return FlippedChoice(
        metric=plan.metric,
        test=plan.test,
        rounded=rounded,
        columns=columns,
        from_sums=from_sums,
    )


def n_units(result_set: ResultSet, dataset: str) -> int:
    """How many examples, or clusters of them, change places one by one."""
    labels = result_set.clusters_of(dataset)
    n = result_set.n_examples(dataset)
    return n if labels is None else clusters_of(labels, n_examples=n).n_clusters


def notes_on(plans: list[PlannedTest], choices: list[FlippedChoice]) -> tuple[str, ...]:
    """What of the p-values under flips is an approximation."""
    notes = []
    if any(plan.test == "paired-bootstrap" for plan in plans):
        notes.append(BOOTSTRAP_NOTE)
    if any(plan.kind != MEAN and plan.test not in CORRELATION_TESTS for plan in plans):
        notes.append(FIRST_ORDER_NOTE)
    if any(choice.rounded for choice in choices):
        notes.append(ROUNDED_NOTE)
    return tuple(notes)


def _of_clusters(given: Contributions, result_set: ResultSet, dataset: str) -> Contributions:
    values, integers = given
    labels = result_set.clusters_of(dataset)
    assert labels is not None
    together = clusters_of(labels, n_examples=values.size)
    if integers is None:
        return together.summed(values), None
    # Whole sums stay below 2**53, as all differences together do.
    whole = together.summed(integers.astype(np.float64)).astype(np.int64)
    return together.summed(values), whole


def _of_contributions(given: Contributions, plan: PlannedTest) -> tuple[FloatArray, FromSums]:
    check_choice(plan.test, AVERAGED_TESTS, name="test")
    values, integers = given
    exact = values if integers is None else integers.astype(np.float64)
    if plan.test in COUNTING_TESTS:
        return _of_counts(exact, plan.test)
    if plan.test == "wilcoxon":
        return _of_ranks(exact)
    if plan.test == "approximate-randomization":
        whole, _ = whole_numbers(values, integers)
        return _of_tails(whole)
    n, squares = np.array(float(exact.size)), np.array(float(exact @ exact))
    if plan.test == "paired-t":
        return exact[:, np.newaxis], lambda sums: p_values_of_sums(n, sums[:, 0], squares)
    # Exchanged differences lie on the lattice of both signs.
    both = None if integers is None else np.concatenate([integers, -integers])
    lattice = lattice_of(both)
    return exact[:, np.newaxis], lambda sums: p_values_of_bootstrap(n, sums[:, 0], squares, lattice)


def _of_counts(exact: FloatArray, test: str) -> tuple[FloatArray, FromSums]:
    """Tests of wins and losses, whatever their sizes."""
    n_differing = float(np.count_nonzero(exact))

    def by_count(sums: FloatArray) -> FloatArray:
        wins = 0.5 * (n_differing + sums[:, 0])
        return p_of_counts(test, wins, n_differing - wins, alternative="greater")

    return np.sign(exact)[:, np.newaxis], by_count


def _of_ranks(exact: FloatArray) -> tuple[FloatArray, FromSums]:
    """Wilcoxon's test: ranks of sizes stay, their signs change."""
    from scipy.special import ndtr

    differs = exact != 0.0
    ranks = np.zeros(exact.size, dtype=np.int64)
    ranks[differs] = doubled_midranks(np.abs(exact[differs]))
    if np.unique(ranks[differs]).size == 1:
        return _of_counts(exact, "sign")
    signed = np.where(exact > 0.0, ranks, -ranks)
    if int(np.count_nonzero(differs)) <= EXACT_UP_TO:
        return _of_tails(signed)
    spread = math.sqrt(float(ranks.astype(np.float64) @ ranks))
    columns: FloatArray = signed.astype(np.float64)[:, np.newaxis]
    return columns, lambda sums: np.maximum(ndtr(-sums[:, 0] / spread), SMALLEST)


def _of_tails(whole: IntArray) -> tuple[FloatArray, FromSums]:
    """Exactly, from the distribution of the sum under fair signs."""
    tails = upper_tails_of(point_probabilities(np.abs(whole)))
    total = tails.size - 1

    def by_tail(sums: FloatArray) -> FloatArray:
        picked = (np.rint(sums[:, 0]).astype(np.int64) + total) // 2
        return np.asarray(tails[picked], dtype=np.float64)

    return whole.astype(np.float64)[:, np.newaxis], by_tail


def _of_correlation(
    result_set: ResultSet, dataset: str, plan: PlannedTest, *, a: str, b: str
) -> tuple[FloatArray, FromSums]:
    """Williams, Steiger, Meng: of the correlations after standings have changed places.

    p is 1 where a system no longer varies, or the test is not defined.
    """
    kind = correlation_of(plan.kind)
    test = next(name for name in CORRELATION_TESTS if name == plan.test)
    gold = np.asarray(result_set.gold(dataset), dtype=np.float64)
    given = [gold, *(result_set.scores(dataset, system, plan.metric) for system in (a, b))]
    stands = [standing(scores, kind=kind) for scores in given]
    if any(one is None for one in stands):
        raise ValueError(
            f"The correlation on dataset '{dataset}' is not defined: gold or a system's scores "
            "are the same for every example. Leave the dataset out, or take another metric."
        )
    right, first, second = (
        np.asarray(one) / math.sqrt(float(np.asarray(one) @ np.asarray(one))) for one in stands
    )
    # An exchanged pair is middle ± half, so every correlation is one signed sum away.
    middle, half = 0.5 * (first + second), 0.5 * (first - second)
    columns = np.column_stack([right * half, middle * half, half])
    n = right.size
    with_middle = float(right @ middle)
    square = float(middle @ middle) + float(half @ half)
    product = float(middle @ middle) - float(half @ half)
    total = float(middle.sum())
    turn = 1.0 if plan.higher_is_better else -1.0

    def by_correlations(sums: FloatArray) -> FloatArray:
        with_a, with_b = with_middle + sums[:, 0], with_middle - sums[:, 0]
        sum_a, sum_b = total + sums[:, 2], total - sums[:, 2]
        variance_a = square + 2.0 * sums[:, 1] - sum_a**2 / n
        variance_b = square - 2.0 * sums[:, 1] - sum_b**2 / n
        between = product - sum_a * sum_b / n
        defined = np.minimum(variance_a, variance_b) > _NO_VARIANCE * square
        # Gold's standings add up to 0, so that their covariance needs no centring.
        size_a, size_b = (np.sqrt(np.where(defined, v, 1.0)) for v in (variance_a, variance_b))
        triples = np.clip(
            np.column_stack([with_a / size_a, with_b / size_b, between / (size_a * size_b)]),
            -1.0,
            1.0,
        )
        p_values = np.ones(defined.size)
        for place in np.flatnonzero(defined).tolist():
            r_a, r_b, r_ab = triples[place].tolist()
            # The test refuses such correlations: it has no p-value of them.
            if not infinite_z(test, r_a, r_b):
                sides = correlation_outcome(test, r_a, r_b, r_ab, n).p_values
                p_values[place] = sides.greater if turn > 0.0 else sides.less
        return p_values

    return columns, by_correlations
