"""How often each test rejects where it must not, and where it must.

Under a true null hypothesis an exact test rejects at level α with chance at most α. The bootstrap,
t, mid-p and χ² are approximations: they may exceed α by the margin in `MARGINS`, which states what
is promised for each number of examples. A rate is judged by a binomial test: it fails
if a test that keeps its promise would reject so often with a chance below `JUDGED_AT`, Bonferroni's
share of .001 for all judgements here. A planted effect must be found at least as often as `POWER`
says, so that a test that always gives 1 fails.

Run as a script, it prints the rates.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from scipy.stats import binom

from core.significance import run_significance_test, suitable_tests

SIZES = (50, 200, 1000)
LEVELS = (0.05, 0.01)
OUTCOMES = "0/1 outcomes, of which .2 differ"
RATINGS = "ratings 1 to 5, exchangeable"
MEASURES = "normal measurements"

# (b + 1)·α is whole for b = 199 at both levels, so that Monte Carlo costs a test no validity.
N_RESAMPLES = 199
# Outcomes need fewer computations than repetitions, since a p-value depends on wins and losses only.
REPETITIONS = {
    OUTCOMES: {50: 20_000, 200: 10_000, 1000: 2_000},
    RATINGS: {50: 1_000, 200: 600, 1000: 300},
    MEASURES: {50: 1_000, 200: 600, 1000: 120},
}

# What an approximation may add to α at .05 and .01. The bootstrap takes the variance with n and
# not n − 1, and t, χ² and mid-p their shape from many examples.
MARGINS = {
    "paired-bootstrap": {50: (0.015, 0.008), 200: (0.010, 0.005), 1000: (0.005, 0.003)},
    "paired-t": {50: (0.010, 0.005), 200: (0.005, 0.003), 1000: (0.005, 0.003)},
    "mcnemar-mid-p": {50: (0.005, 0.003), 200: (0.005, 0.003), 1000: (0.005, 0.003)},
    "mcnemar-chi2": {50: (0.010, 0.005), 200: (0.005, 0.003), 1000: (0.005, 0.003)},
}
# At α = .05, for an effect of three standard errors, of which a normal test would find .91. The
# sign test does not look at sizes, which costs it a third on normal measurements.
POWER = {50: 0.80, 200: 0.80, 1000: 0.80}
POWER_OF_SIGN = {50: 0.55, 200: 0.55, 1000: 0.55}

CASES = [
    (test, kind)
    for test in suitable_tests("mean")
    for kind in (OUTCOMES, RATINGS, MEASURES)
    if kind == OUTCOMES or not test.startswith("mcnemar")
]
N_JUDGEMENTS = len(CASES) * len(SIZES) * len(LEVELS) * 3
JUDGED_AT = 0.001 / N_JUDGEMENTS


def draw_outcomes(n: int, effect: float, rng: np.random.Generator) -> tuple[int, int]:
    """Wins and losses: of .2 that differ, A has the better half; `effect` in standard errors."""
    shift = 0.5 * effect / np.sqrt(0.2 * n)
    wins, losses, _ = rng.multinomial(n, [0.2 * (0.5 + shift), 0.2 * (0.5 - shift), 0.8])
    return int(wins), int(losses)


def draw_scores(
    kind: str, n: int, effect: float, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Scores of A and B; `effect` is the mean difference in standard errors."""
    if kind == RATINGS:
        hard = rng.integers(1, 5, n)
        a, b = hard + rng.integers(0, 2, n), hard + rng.integers(0, 2, n)
        # A difference has variance ½; some of the examples that B wins become ties.
        lift = rng.random(n) < effect * np.sqrt(0.5 / n) / 0.25
        return np.where(lift & (a < b), b, a).astype(np.float64), b.astype(np.float64)
    common = rng.normal(0, 2, n)
    return common + rng.normal(effect / np.sqrt(n), 0.8, n), common + rng.normal(0, 0.6, n)


def three_p_values(
    a: np.ndarray, b: np.ndarray, test: str, rng: np.random.Generator
) -> tuple[float, float, float]:
    result = run_significance_test(a, b, test=test, rng=rng, n_resamples=N_RESAMPLES)  # type: ignore[arg-type]
    return result.p_value_greater, result.p_value_less, result.p_value_two_sided


@cache
def p_values(test: str, kind: str, n: int, effect: float) -> np.ndarray:
    """Shape (repetitions, 3): greater, less, two-sided."""
    # The same scores for every test.
    rng = np.random.default_rng([2017, n, len(kind), int(effect)])
    draws = np.random.default_rng([2018, n, len(kind), int(effect)])
    repetitions = REPETITIONS[kind][n] if effect == 0 else max(60, REPETITIONS[kind][n] // 10)
    known: dict[tuple[int, int], tuple[float, float, float]] = {}
    found = np.empty((repetitions, 3))
    for i in range(repetitions):
        if kind != OUTCOMES:
            found[i] = three_p_values(*draw_scores(kind, n, effect, rng), test, draws)
            continue
        wins, losses = draw_outcomes(n, effect, rng)
        if (wins, losses) not in known:
            order = np.arange(n)
            a, b = order < wins, (order >= wins) & (order < wins + losses)
            known[wins, losses] = three_p_values(a, b, test, draws)
        found[i] = known[wins, losses]
    return found


def promised(test: str, n: int, level: float) -> float:
    return level + MARGINS.get(test, {}).get(n, (0.0, 0.0))[LEVELS.index(level)]


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize(("test", "kind"), CASES)
def test_a_true_null_hypothesis_is_rejected_as_seldom_as_promised(
    test: str, kind: str, n: int
) -> None:
    found = p_values(test, kind, n, 0.0)
    for level in LEVELS:
        for side, rejected in enumerate((found <= level + 1e-12).sum(axis=0)):
            chance = binom.sf(rejected - 1, len(found), promised(test, n, level))
            assert chance > JUDGED_AT, (side, level, rejected / len(found))


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize(("test", "kind"), CASES)
def test_a_planted_effect_is_found_in_its_own_direction(test: str, kind: str, n: int) -> None:
    found = p_values(test, kind, n, 3.0)
    greater, less, two_sided = (found <= 0.05).mean(axis=0)
    enough = (POWER_OF_SIGN if test == "sign" else POWER)[n]
    assert greater >= enough
    assert two_sided >= enough - 0.1
    assert less <= 0.01


def test_every_test_is_judged_on_every_kind_of_scores_that_it_takes() -> None:
    assert {test for test, _ in CASES} == set(suitable_tests("mean"))
    assert len(CASES) == 4 + 5 * 3


def test_the_judgement_itself_finds_a_test_that_is_far_too_eager() -> None:
    for kind, by_size in REPETITIONS.items():
        for n, repetitions in by_size.items():
            allowed = binom.isf(JUDGED_AT, repetitions, 0.05)
            eager = 0.10 if kind == OUTCOMES else 0.25
            assert binom.sf(allowed, repetitions, eager) > 0.8, (kind, n)


def main() -> None:
    """Print the rates."""
    for test, kind in CASES:
        for n in SIZES:
            null, planted = p_values(test, kind, n, 0.0), p_values(test, kind, n, 3.0)
            rates = "  ".join(
                f"{level}: " + " ".join(f"{rate:.3f}" for rate in (null <= level + 1e-12).mean(0))
                for level in LEVELS
            )
            power = " ".join(f"{rate:.3f}" for rate in (planted <= 0.05).mean(0))
            print(f"{test:26} {kind[:8]:8} n={n:<5} {rates}   power {power}")


if __name__ == "__main__":
    main()
