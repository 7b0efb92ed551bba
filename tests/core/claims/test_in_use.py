"""P-values of tests in use: every split of few examples by SciPy, and what lies beyond them all."""

import math
from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy import stats

from core.claims.in_use import InUse, in_use_of, reach
from core.claims.printed_scores import ScoreMetric, read_scores
from tests.core.claims.oracles import correlation_p


def in_use(a: str, b: str, n: int, metric: ScoreMetric = "accuracy") -> InUse:
    first, second = read_scores(a, b, metric=metric)
    return in_use_of(first, second, n)


def of_counts(first: int, second: int, n: int) -> InUse:
    return in_use(f"{first / n:.4f}", f"{second / n:.4f}", n)


def one_sided_p_values(both: int, b: int, c: int, n: int) -> Iterator[tuple[str, float]]:
    """For the system that alone is right on b examples, by SciPy and by adding up probabilities."""
    first = np.repeat([1.0, 1.0, 0.0, 0.0], [both, b, c, n - both - b - c])
    second = np.repeat([1.0, 0.0, 1.0, 0.0], [both, b, c, n - both - b - c])
    yield "exact", float(stats.binomtest(b, b + c, alternative="greater").pvalue)
    yield "corrected", float(stats.norm.sf((b - c - 1) / math.sqrt(b + c)))
    with np.errstate(all="ignore"):
        yield "t", float(stats.ttest_rel(first, second, alternative="greater").pvalue)
        yield "two samples", float(stats.ttest_ind(first, second, alternative="greater").pvalue)
    for zeros, correction in product(("wilcox", "pratt", "zsplit"), (False, True)):
        options: dict[str, Any] = {"zero_method": zeros, "correction": correction}
        found = stats.wilcoxon(first - second, alternative="greater", method="approx", **options)
        yield f"Wilcoxon {zeros} {correction}", float(found.pvalue)
    for kept in (first - second, (first - second)[first != second]):
        m, ranks = kept.size, stats.rankdata(np.abs(kept)) * (1.0 + kept) / 2.0
        z = (sum(ranks) - m * (m + 1) / 4 - 0.5) / math.sqrt(m * (m + 1) * (2 * m + 1) / 24)
        yield f"Wilcoxon, ties ignored, {m == n}", float(stats.norm.sf(z))
    table = np.array([[both + b, n - both - b], [both + c, n - both - c]])
    yield "Fisher", float(stats.fisher_exact(table, alternative="greater").pvalue)
    yates = math.sqrt(stats.chi2_contingency(table).statistic * (n - 1) / n)
    yield "Yates, Student's tail", float(stats.t.sf(yates, n - 1))
    wins, losses = (side.ravel() for side in np.mgrid[0 : n + 1, 0 : n + 1])
    counts = np.column_stack([wins, losses, n - wins - losses])[wins + losses <= n]
    wins, losses, _ = counts.T
    chances = stats.multinomial.pmf(counts, n, [b / n, c / n, 1 - (b + c) / n])
    yield "bootstrap", float(chances[wins <= losses].sum())
    yield "shifted bootstrap", float(chances[wins - losses >= 2 * (b - c)].sum())


@pytest.mark.filterwarnings("ignore:Precision loss:RuntimeWarning")
@pytest.mark.parametrize(
    ("n", "lead", "least"), [(2, 1, 0), (3, 1, 0), (4, 1, 0), (5, 2, 0), (12, 9, 0), (40, 4, 36)]
)
def test_the_limit_is_the_largest_of_every_test_of_every_split(
    n: int, lead: int, least: int
) -> None:
    largest: dict[tuple[int, int], dict[str, float]] = {}
    for both, b, c in product(range(n + 1), repeat=3):
        if b - c >= lead and both >= least and both + b + c <= n:
            own = largest.setdefault((both + b, both + c), {})
            found = of_counts(both + b, both + c, n)
            for name, p in one_sided_p_values(both, b, c, n):
                own[name] = max(own.get(name, 0.0), 0.0 if math.isnan(p) else p)
                for printed in () if math.isnan(p) else (p, min(1.0, 2 * p), 1 - p):
                    assert found.allows(printed, printed), (name, printed, both, b, c)
    for (more, fewer), own in largest.items():
        resampled = max(own[name] for name in ("exact", "Fisher", "bootstrap", "shifted bootstrap"))
        for ahead, scores in (("a", (more, fewer)), ("b", (fewer, more))):
            found = of_counts(*scores, n)
            limits = (min(1.0, 1.02 * p) for p in (max(own.values()), resampled))
            assert found.ahead == ahead
            assert (found.limit, found.resampled_limit) == pytest.approx(tuple(limits)), scores


def test_what_no_test_gives_lies_between_one_system_and_the_other() -> None:
    for a, b, ahead in (("0.70", "0.60", "a"), ("0.60", "0.70", "b")):
        found = in_use(a, b, 2000)
        assert found.ahead == ahead
        most, least = found.ends
        assert found.ranges == ((0.0, most), (least, 1.0))
        assert found.toward(ahead) == (0.0, found.limit)
        assert found.toward("b" if ahead == "a" else "a") == (least, 1.0)
        # Of 100 resamples none may be extreme: (0 + 1)/101, doubled.
        assert 2 / 101 <= most < 0.1
        assert 0.9 < least <= 100 / 101
        for p, possible in ((0.0, True), (0.01, True), (0.3, False), (0.7, False), (0.995, True)):
            assert found.allows(p, p) == possible, p
    # Digits that leave open who is ahead leave every p-value open.
    for a, b, n in (("0.70", "0.70", 2000), ("1.00", "0.00", 1)):
        assert in_use(a, b, n).ranges == (in_use(a, b, n).toward("a"),) == ((0.0, 1.0),)


def test_the_smallest_p_values_are_those_of_formulas_or_of_no_extreme_resample() -> None:
    found = in_use("0.6100", "0.6050", 2000)
    # 10 wins and no loss are the most that speak for A: mid-p 2^-11.
    assert found.smallest == pytest.approx(2.0**-11 / 1.02)
    assert found.allows(0.0, 0.00005)
    assert found.allows(1e-4, 1e-4)
    assert not found.allows(1e-9, 1e-9)
    # With 1,000 wins it is another matter.
    assert in_use("0.9000", "0.4000", 2000).allows(1e-100, 1e-100)


def test_counts_of_resamples_reach_as_far_as_they_are_possible() -> None:
    for p in (0.0, 1e-12, 0.001, 0.05, 0.3, 1.0):
        # More resamples than 100 reach no further.
        for draws in (100, 200, 1000):
            possible = stats.binom.pmf(np.arange(draws + 1), draws, p) > 1e-9
            most = int(np.flatnonzero(possible).max())
            assert most / draws <= reach(p)
            assert draws > 100 or reach(p) == pytest.approx((most + 1) / 101)
    assert {reach(10.0**-digits) for digits in range(290, 324)} == {1 / 101}


def test_correlations_leave_open_what_resampling_may_give_and_formulas_give_less() -> None:
    for a, b, n in ((0.95, 0.40, 3000), (0.98, -0.98, 4), (0.70, 0.60, 7), (-0.30, -0.50, 40)):
        found = in_use(f"{a:.2f}", f"{b:.2f}", n, "correlation")
        turned = in_use(f"{b:.2f}", f"{a:.2f}", n, "correlation")
        assert (found.ahead, turned.ahead, found.limit) == ("a", "b", turned.limit)
        # By any rounding both lie within .01; a difference may spread 8 times as far.
        z = (math.atanh(a - 0.01) - math.atanh(b + 0.01)) * math.sqrt((n - 3) / 2)
        assert found.limit == pytest.approx(1.02 * stats.norm.sf(z / 8))
        half = math.sqrt((1 - a * a) * (1 - b * b))
        feasible = a * b + half * np.cos(np.linspace(0.003, math.pi - 0.003, 9))
        for test in ("williams", "steiger", "meng"):
            assert np.all(correlation_p(a, b, feasible, n, test, "greater") < found.limit)
    assert in_use("0.6814", "0.5706", 252, "correlation").allows(0.21225, 0.21235)
    assert in_use("0.9", "0.1", 3, "correlation").ahead is None
