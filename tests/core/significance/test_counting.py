"""McNemar's tests, the sign test and those at a margin: SciPy, statsmodels, fractions, enumeration."""

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate
from scipy import stats as scipy_stats
from scipy.special import xlogy
from statsmodels.stats.contingency_tables import mcnemar

from core.significance import known_tests
from core.significance.counting import (
    MARGIN_CLAIMS,
    binomial_at_least,
    binomial_point,
    fair_coin_at_least,
    melded_p_values,
    tango_p_values,
)
from core.significance.lattice import SMALLEST
from core.significance.single import SignificanceResult, run_significance_test
from core.simulation.batch import BatchCounter
from tests.calibration.margins import Outcomes
from tests.core.significance.sides import of_scipy, sides

# Its stubs want literals where a test passes parameters.
stats: Any = scipy_stats


def outcomes(b: int, c: int, same: int = 3) -> tuple[np.ndarray, np.ndarray]:
    """0/1 scores with b examples that only A has right and c that only B has."""
    a = np.concatenate([np.ones(b), np.zeros(c), np.ones(same)])
    return a, np.concatenate([np.zeros(b), np.ones(c), np.ones(same)])


def run(b: int, c: int, test: str = "mcnemar", **settings: object) -> SignificanceResult:
    return run_significance_test(*outcomes(b, c), test=test, **settings)  # type: ignore[arg-type]


def binomial(b: int, c: int) -> tuple[Fraction, Fraction, Fraction]:
    n = b + c
    chances = [Fraction(math.comb(n, k), 2**n) for k in range(n + 1)]
    return sum(chances[b:], Fraction(0)), sum(chances[: b + 1], Fraction(0)), chances[b]


@settings(max_examples=50)
@given(b=st.integers(0, 200), c=st.integers(0, 200))
def test_exact_mid_p_and_sign_are_binomial_to_the_last_digits(b: int, c: int) -> None:
    greater, less, point = binomial(b, c)
    two_sided = min(Fraction(1), 2 * min(greater, less))
    for test in ("mcnemar", "sign"):
        for found, expected in zip(sides(run(b, c, test)), (greater, less, two_sided), strict=True):
            assert abs(float(Fraction(found) / expected - 1)) < 1e-10
    if b + c:
        middle = [greater - point / 2, less - point / 2]
        middle.append(1 - point / 2 if b == c else 2 * min(middle))
        for found, expected in zip(sides(run(b, c, "mcnemar-mid-p")), middle, strict=True):
            assert abs(float(Fraction(found) / expected - 1)) < 1e-9


@pytest.mark.parametrize(("b", "c"), [(1, 0), (0, 9), (7, 3), (25, 25), (170, 30)])
def test_two_sided_equals_scipy_and_statsmodels(b: int, c: int) -> None:
    exact = run(b, c)
    table = [[3, b], [c, 0]]
    assert exact.p_value_two_sided == pytest.approx(
        mcnemar(table, exact=True).pvalue, rel=1e-10, abs=0
    )
    expected = of_scipy(stats.binomtest, b, b + c)
    assert sides(exact) == pytest.approx(expected, rel=1e-10, abs=0)
    for test, correction in (("mcnemar-chi2", False), ("mcnemar-chi2-corrected", True)):
        approximate = run(b, c, test)
        reference = mcnemar(table, exact=False, correction=correction)
        if correction and b == c:
            # statsmodels squares (0 − 1); R's mcnemar.test and Edwards stop at 0.
            assert approximate.p_value_two_sided == 1.0
            continue
        assert approximate.statistic == pytest.approx(reference.statistic)
        assert approximate.p_value_two_sided == pytest.approx(reference.pvalue, rel=1e-10, abs=0)
        assert approximate.method == "normal"


def test_tails_far_out_are_neither_zero_nor_one_minus_something() -> None:
    assert run(0, 5000).p_value_less == SMALLEST
    assert run(5000, 0, "sign").p_value == SMALLEST
    assert run(5000, 0, "mcnemar-mid-p").p_value >= SMALLEST
    assert run(5000, 0, "mcnemar-chi2").p_value >= SMALLEST


def whole_tails(n: int, wins: list[int], of: int = 1, tosses: int = 2) -> list[Fraction]:
    """P(X >= k) for X ~ Bin(n, of/tosses), by adding whole numbers from the top."""
    terms = [math.comb(n, min(wins)) * of ** min(wins) * (tosses - of) ** (n - min(wins))]
    for k in range(min(wins), n):
        terms.append(terms[-1] * (n - k) * of // ((k + 1) * (tosses - of)))
    return [Fraction(sum(terms[k - min(wins) :]), tosses**n) for k in wins]


def log_tail(n: int, wins: int) -> float:
    """ln P(X >= wins) of a fair coin, from logs that are added without rounding."""
    rest = range(1, n - wins + 1)
    ways = math.fsum([math.log(wins + k) for k in rest] + [-math.log(k) for k in rest])
    ratios = np.cumprod((n - np.arange(wins, n)) / (1.0 + np.arange(wins, n)))
    return ways - n * math.log(2.0) + math.log1p(math.fsum(ratios))


def test_tails_of_a_fair_coin_are_sums_of_whole_numbers_however_small() -> None:
    for n in (1, 2, 31, 32, 33, 1_000, 1_074, 1_075, 1_094, 1_175, 1_261, 3_000):
        wins = sorted({1, n, n // 2 + 1, max(1, n - 5), *range(max(1, n - 40), n + 1, 7)})
        for k, tail in zip(wins, whole_tails(n, wins), strict=True):
            found = float(fair_coin_at_least(k, n - k))
            expected = max(float(tail), SMALLEST)
            assert found == pytest.approx(expected, rel=1e-10, abs=0.0), (n, k)


def test_tails_of_up_to_a_million_tosses_are_those_in_logs() -> None:
    assert log_tail(1_094, 1_056) == pytest.approx(math.log(1.4821307276586423e-259), abs=1e-9)
    cases = [*itertools.product((10_000, 100_000), (2, 29, 31, 36)), (1_000_000, 31)]
    for n, deviations in cases:
        wins = n // 2 + int(deviations * math.sqrt(n) / 2)
        found = math.log(float(fair_coin_at_least(wins, n - wins)))
        assert found == pytest.approx(log_tail(n, wins), abs=1e-9), (n, deviations)


def test_tails_of_an_unfair_coin_are_sums_of_whole_numbers() -> None:
    for (of, tosses), n in itertools.product(((1, 20), (2, 5), (19, 20)), (7, 300, 1_094)):
        wins = list(range(1, n + 1, max(1, n // 25)))
        for k, tail in zip(wins, whole_tails(n, wins, of, tosses), strict=True):
            if tail > Fraction(SMALLEST):
                found = float(binomial_at_least(k, n, of / tosses))
                assert found == pytest.approx(float(tail), rel=1e-10, abs=0.0), (of, tosses, n, k)
    assert binomial_at_least([-1, 0, 1, 8], 7, 0.0).tolist() == [1.0, 1.0, 0.0, 0.0]
    assert binomial_at_least([0, 7, 8], 7, 1.0).tolist() == [1.0, 1.0, 0.0]
    assert binomial_at_least([0, 1], 0).tolist() == [1.0, 0.0]
    assert binomial_point([0, 3, 7], 7, 1.0).tolist() == [0.0, 0.0, 1.0]


def test_two_sided_mid_p_of_a_tie_is_one_less_half_the_chance_of_the_tie() -> None:
    for b in (1, 2, 7, 100, 5_000):
        tie = Fraction(math.comb(2 * b, b), 4**b)
        result = run(b, b, "mcnemar-mid-p")
        assert result.p_value_two_sided == pytest.approx(float(1 - tie / 2), rel=1e-9), b
        assert result.p_value == pytest.approx(0.5, rel=1e-9), b
    assert sides(run(0, 0, "mcnemar-mid-p")) == (1.0, 1.0, 1.0)


def test_many_samples_at_once_have_each_its_own_p_values() -> None:
    wins, losses = np.meshgrid([0, 1, 5, 40, 1_056], [0, 1, 5, 38])
    counting = [
        (known.name, known.counting)
        for known in known_tests.SIGNIFICANCE_TESTS
        if known.counting is not None
    ]
    assert len(counting) == 5
    for (test, kernel), (place, alternative) in itertools.product(
        counting, enumerate(("greater", "less", "two-sided"))
    ):
        together = kernel.p_of_counts(wins, losses, alternative=alternative)
        for b, c, found in zip(wins.flat, losses.flat, together.flat, strict=True):
            alone = sides(run(int(b), int(c), test))[place]
            assert found == pytest.approx(alone, rel=1e-9, abs=0), (test, alternative, b, c)


def test_the_smallest_attainable_p_value_is_noted() -> None:
    for b, c, test, alternative, tokens in (
        (4, 0, "mcnemar", "greater", ("only 4 of 7", " .0625")),
        (4, 0, "mcnemar-mid-p", "greater", ("only 4 of 7", " .03125")),
        (1, 0, "sign", "greater", ("only 1 of 4", " .5")),
        (2, 3, "mcnemar", "two-sided", ("only 5 of 8", " .0625")),
        (20, 4, "mcnemar-chi2", "greater", ("only 24 examples differ: ", " safer than χ²")),
        (0, 1, "mcnemar-chi2", "greater", ("only 1 example differs: ", " safer than χ²")),
    ):
        (note,) = run(b, c, test, alternative=alternative).notes
        assert note.startswith(tokens[0]), (b, c, test, alternative)
        assert note.endswith(tokens[1]), (b, c, test, alternative)
    for b, c in ((20, 5), (0, 0)):
        assert not any("χ²" in note for note in run(b, c, "mcnemar-chi2").notes)


@pytest.mark.parametrize(
    "test", ["mcnemar", "mcnemar-mid-p", "mcnemar-chi2", "mcnemar-chi2-corrected"]
)
def test_mcnemar_names_scores_that_are_not_outcomes(test: str) -> None:
    with pytest.raises(ValueError, match=r"`b` must be 0 or 1 for McNemar's test; got 0.5, 2\."):
        run_significance_test([1.0, 0, 1], [0.5, 2.0, 1.0], test=test)


SPLITS = [
    (0, 1, 44), (3, 5, 20), (10, 2, 30), (0, 0, 50), (5, 0, 5), (0, 5, 5), (40, 30, 200),
    (1, 0, 10), (700, 650, 2_000), (2, 9, 11), (1, 0, 1),
]  # fmt: skip


def melded_by_definition(b: int, c: int, n: int, m: float, claim: str) -> float:
    """The expectation over θ, by SciPy's distributions and adaptive quadrature."""
    s = b + c
    if claim == "not-worse":
        if s == n:
            return float(stats.binom.sf(b - 1, s, 0.5 * (1.0 - m)))
        theta, sign = stats.beta(s + 1, n - s), -1.0
        beyond = 0.0
    else:
        if b == 0:
            return 1.0
        theta, sign = stats.beta(s, n - s + 1), 1.0
        beyond = float(theta.cdf(m))

    def density(t: float) -> float:
        return float(theta.pdf(t) * stats.binom.sf(b - 1, s, 0.5 * (1.0 + sign * m / t)))

    centre, reach = float(theta.mean()), 12.0 * float(theta.std())
    ends = [m, *np.clip([centre - reach, centre, centre + reach], m, 1.0).tolist(), 1.0]
    parts = [
        integrate.quad(density, low, high, epsabs=1e-14, epsrel=1e-11, limit=200)[0]
        for low, high in itertools.pairwise(ends)
        if high > low
    ]
    return beyond + sum(parts)


def test_the_exact_test_is_the_expectation_that_defines_it() -> None:
    for (b, c, n), m, claim in itertools.product(SPLITS, (0.001, 0.02, 0.1, 0.4), MARGIN_CLAIMS):
        found = float(melded_p_values(b, c, n, margin=m, claim=claim))
        expected = melded_by_definition(b, c, n, m, claim)
        assert found == pytest.approx(expected, rel=1e-8, abs=1e-14), (b, c, n, m, claim)


def test_without_a_margin_it_is_mcnemars_exact_test() -> None:
    for b, c, n in SPLITS:
        expected = stats.binom.sf(b - 1, b + c, 0.5) if b else 1.0
        for claim in MARGIN_CLAIMS:
            found = float(melded_p_values(b, c, n, margin=0.0, claim=claim))
            assert found == pytest.approx(float(expected), rel=1e-10), (b, c, n)


def test_tangos_example_is_as_published() -> None:
    # Tango (1998), section 4: 44 patients, discordant 0 and 1, Δ = .1.
    p = float(tango_p_values(0, 1, 44, margin=0.1, claim="not-worse"))
    assert (stats.norm.isf(p), p) == pytest.approx((1.709, 0.044), abs=5e-4)
    # Where nothing differs q₁₀ is 0 and q₀₁ is Δ.
    for m in (0.0, 0.01):
        p = float(tango_p_values(0, 0, 10, margin=m, claim="not-worse"))
        assert p == pytest.approx(stats.norm.sf(np.sqrt(10 * m / (1 - m))))


def test_tangos_probabilities_are_the_most_likely_ones_at_the_margin() -> None:
    for (b, c, n), m in itertools.product([(3, 5, 20), (10, 2, 30), (40, 30, 200)], (0.02, 0.1)):
        behind = np.linspace(m, (1.0 + m) / 2.0, 200_001)[1:-1]
        ahead = behind - m
        likelihood = xlogy(b, ahead) + xlogy(c, behind) + xlogy(n - b - c, 1.0 - ahead - behind)
        best = int(likelihood.argmax())
        variance = n * (ahead[best] + behind[best] - m**2)
        expected = (b - c + n * m) / np.sqrt(variance)
        p = float(tango_p_values(b, c, n, margin=m, claim="not-worse"))
        assert stats.norm.isf(p) == pytest.approx(float(expected), rel=1e-4), (b, c, n, m)


def test_p_falls_with_every_win_and_rises_with_every_loss() -> None:
    n = 30
    b, c = np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij")
    there = b + c <= n
    for claim, m in itertools.product(MARGIN_CLAIMS, (0.01, 0.1)):
        p = np.full(b.shape, np.nan)
        p[there] = melded_p_values(b[there], c[there], n, margin=m, claim=claim)
        assert (np.nan_to_num(np.diff(p, axis=0), nan=-1.0) <= 1e-12).all(), (claim, m)
        assert (np.nan_to_num(np.diff(p, axis=1), nan=1.0) >= -1e-12).all(), (claim, m)


@pytest.mark.parametrize("n", [10, 20, 50])
def test_its_level_is_at_most_alpha_at_the_margin_by_enumeration(n: int) -> None:
    # Of 100 and 200 examples: ./run.sh calibrate margins.
    outcomes = Outcomes(n)
    for m, claim in itertools.product((0.01, 0.02, 0.05, 0.1), MARGIN_CLAIMS):
        p = melded_p_values(outcomes.wins, outcomes.losses, n, margin=m, claim=claim)
        for alpha in (0.01, 0.05, 0.1):
            assert outcomes.largest_level(p <= alpha, m, claim) <= alpha, (m, claim, alpha)


def test_tangos_level_exceeds_alpha_which_the_exact_test_is_for() -> None:
    n, m = 20, 0.01
    outcomes = Outcomes(n)
    p = tango_p_values(outcomes.wins, outcomes.losses, n, margin=m, claim="not-worse")
    assert 0.05 < outcomes.largest_level(p <= 0.05, m, "not-worse") <= 0.065


def test_a_count_at_the_margin_overstates_no_more_often_than_alpha() -> None:
    # 12 datasets of 120 examples: k truly within the margin, the others just at its edge; with one
    # margin for all, and with three, one a third of the datasets (and of the copies).
    n, alpha, n_studies = 120, 0.1, 1_000
    rng = np.random.default_rng(11)
    outcomes = Outcomes(n)
    p_of = {margin: np.full((n + 1, n + 1), np.nan) for margin in (0.02, 0.05, 0.15)}
    # At most .3 of the examples differ on average.
    drawable = outcomes.wins + outcomes.losses <= 0.6 * n
    found = outcomes.wins[drawable], outcomes.losses[drawable]
    for margin, p in p_of.items():
        p[found] = melded_p_values(*found, n, margin=margin, claim="not-worse")
    # With copies, so many datasets hold the same examples.
    cases = ((0, 1, "fisher"), (4, 1, "fisher"), (4, 4, "bonferroni"))
    for (k, copies, combination), own in itertools.product(cases, ((0.05,), tuple(p_of))):
        margins = np.tile(own, 12 // len(own)) if copies == 1 else np.repeat(own, 12 // len(own))
        rates = np.maximum(
            np.repeat(rng.choice([0.06, 0.1, 0.3], size=12 // copies), copies), margins
        )
        delta = np.where(np.arange(12) < k, 0.0, -margins)
        drawn = [
            rng.multinomial(n, [(r + d) / 2.0, (r - d) / 2.0, 1.0 - r], size=n_studies)
            for r, d in zip(rates[::copies], delta[::copies], strict=True)
        ]
        wins, losses, _ = np.moveaxis(np.repeat(np.stack(drawn, axis=1), copies, axis=1), 2, 0)
        not_worse, not_better = (
            np.stack([p_of[m][b[:, i], c[:, i]] for i, m in enumerate(margins.tolist())], axis=1)
            for b, c in ((wins, losses), (losses, wins))
        )
        for p_values in (not_worse, np.maximum(not_worse, not_better)):
            counts = BatchCounter(12, alpha=alpha).k_hat(p_values)[combination]
            over = int((counts > k).sum())
            judged = stats.binomtest(over, n_studies, alpha, alternative="greater")
            assert judged.pvalue > 1e-3, (k, copies, own, over)


def test_many_examples_keep_digits_and_never_give_zero() -> None:
    found = melded_p_values([15_000, 0], [14_800, 0], 10**6, margin=0.001, claim="not-worse")
    normal = stats.norm.sf((200 + 1_000) / np.sqrt(29_800))
    assert found[0] == pytest.approx(float(normal), rel=0.2, abs=0)
    assert found[1] >= SMALLEST


def test_wrong_arguments_are_named() -> None:
    wrong = (
        ({"margin": 1.0, "claim": "not-worse"}, "`margin`"),
        ({"margin": -0.1, "claim": "not-worse"}, "`margin`"),
        ({"margin": 0.1, "claim": "worse"}, "`claim` must be one of"),
    )
    for settings_at_margin, message in wrong:
        with pytest.raises(ValueError, match=message):
            melded_p_values(3, 2, 10, **settings_at_margin)  # type: ignore[arg-type]
