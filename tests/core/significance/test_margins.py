"""0/1 outcomes at a margin, against their definition, Tango's example and enumeration."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import integrate, stats
from scipy.special import xlogy

from core.replicability.counting import count_datasets
from core.significance.counting import (
    MARGIN_CLAIMS,
    melded_p_values,
    tango_p_values,
    tango_statistics,
)
from core.significance.lattice import SMALLEST
from tests.calibration.margins import Outcomes

SPLITS = [
    (0, 1, 44), (3, 5, 20), (10, 2, 30), (0, 0, 50), (5, 0, 5), (0, 5, 5), (40, 30, 200),
    (1, 0, 10), (700, 650, 2_000), (2, 9, 11),
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
    z = tango_statistics(0, 1, 44, margin=0.1, claim="not-worse")
    p = tango_p_values(0, 1, 44, margin=0.1, claim="not-worse")
    assert (float(z), float(p)) == pytest.approx((1.709, 0.044), abs=5e-4)


def test_tangos_probabilities_are_the_most_likely_ones_at_the_margin() -> None:
    for (b, c, n), m in itertools.product([(3, 5, 20), (10, 2, 30), (40, 30, 200)], (0.02, 0.1)):
        behind = np.linspace(m, (1.0 + m) / 2.0, 200_001)[1:-1]
        ahead = behind - m
        likelihood = xlogy(b, ahead) + xlogy(c, behind) + xlogy(n - b - c, 1.0 - ahead - behind)
        best = int(likelihood.argmax())
        variance = n * (ahead[best] + behind[best] - m**2)
        expected = (b - c + n * m) / np.sqrt(variance)
        found = float(tango_statistics(b, c, n, margin=m, claim="not-worse"))
        assert found == pytest.approx(float(expected), rel=1e-4), (b, c, n, m)


def test_p_falls_with_the_margin_and_rises_with_every_loss() -> None:
    for claim, test in itertools.product(MARGIN_CLAIMS, (melded_p_values, tango_p_values)):
        margins = [
            float(test(8, 11, 60, margin=m, claim=claim)) for m in (0.0, 0.01, 0.05, 0.1, 0.3)
        ]
        rising = np.diff(margins) if claim == "better-by" else -np.diff(margins)
        assert (rising > 0.0).all(), (claim, test)
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
    p_of = {margin: np.ones((n + 1, n + 1)) for margin in (0.02, 0.05, 0.15)}
    for margin, p in p_of.items():
        p[outcomes.wins, outcomes.losses] = melded_p_values(
            outcomes.wins, outcomes.losses, n, margin=margin, claim="not-worse"
        )
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
            over = sum(
                count_datasets(p, alpha=alpha, combination=combination).k_hat > k for p in p_values
            )
            judged = stats.binomtest(over, n_studies, alpha, alternative="greater")
            assert judged.pvalue > 1e-3, (k, copies, own, over)


def test_many_examples_keep_digits_and_never_give_zero() -> None:
    found = melded_p_values([15_000, 0], [14_800, 0], 10**6, margin=0.001, claim="not-worse")
    normal = stats.norm.sf((200 + 1_000) / np.sqrt(29_800))
    assert found[0] == pytest.approx(float(normal), rel=0.2)
    assert found[1] >= SMALLEST


def test_wrong_arguments_are_named() -> None:
    wrong = (
        ({"margin": 1.0, "claim": "not-worse"}, "`margin`"),
        ({"margin": -0.1, "claim": "not-worse"}, "`margin`"),
        ({"margin": 0.1, "claim": "worse"}, "`claim` must be one of"),
    )
    for given, message in wrong:
        with pytest.raises(ValueError, match=message):
            melded_p_values(3, 2, 10, **given)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="`wins` and `losses`"):
        melded_p_values(8, 3, 10, margin=0.1, claim="not-worse")
