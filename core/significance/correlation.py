"""Two correlations with the same gold scores: Williams, Steiger, Meng–Rosenthal–Rubin.

Null hypothesis: both systems correlate with gold alike, examples being drawn
from a normal distribution of the three. Spearman's correlations of midranks are
put in the place of Pearson's, which is common and approximate.

Where the null is true, each rejects at α = .05 (.01) more often than α: on Pearson's
by at most .010 (.005) for n = 50, on Spearman's, which vary more, by at most .020
(.010) for n = 50. That holds of correlations of .6 with gold. Nearer to 1, or of
skewed scores, they reject at α = .05 (two-sided in brackets, n = 12 to 400):

- Spearman at .9: .07 to .08 (.08 to .11); at .98: .15 to .07 (.21 to .09), least at n = 400;
- Pearson, lognormal scores: .13 to .25 (.18 to .39), near 1 .17 to .32 (.26 to .56), most at
  n = 400.

Randomization of standings rejects there in .04 to .10 (.04 to .14) and is the default; see
`core.significance.predictions`, also for systems that err in different ways.

Vocabulary
----------
r_gold_a, r_gold_b
    Correlations of each system's predictions with gold.
r_a_b
    Correlation of the two systems' predictions with each other.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from core.significance.choose import CORRELATION_TESTS, CorrelationTest, significance_tests
from core.significance.lattice import SMALLEST
from core.significance.result import (
    TEST_ALTERNATIVES,
    Approximation,
    Outcome,
    Sides,
    TestAlternative,
)
from core.validation import check_choice

# Correlations nearer to 1 than this are 1: a few roundings of their sums.
ONE = 1.0 - 1e-14
# No three correlations leave less than no variance; printed ones are rounded.
_POSSIBLE = -1e-9
_NAMES = {"williams": "Williams' t", "steiger": "Steiger's Z", "meng": "Meng's Z"}
FEWEST = 4
PERFECT = "a correlation of 1 or −1 with gold: Williams' p is far too small, use randomization"


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrelationComparison:
    """A test of two correlations that share the gold scores.

    Attributes
    ----------
    test : {"williams", "steiger", "meng"}
        Its name.
    r_gold_a, r_gold_b, r_a_b : float
        The correlations.
    n_examples : int
        What they were computed from.
    alternative : {"greater", "less", "two-sided"}
        What `p_value` speaks for: A's correlation is higher, B's, either.
    p_value, p_value_greater, p_value_less, p_value_two_sided : float
        For `alternative`, and for each.
    statistic : float or None
        Williams' t or a Z; None where it is undefined.
    degrees_of_freedom : int or None
        Of Williams' t, n − 3.
    notes : tuple of str
        What to know about the number.
    """

    test: CorrelationTest
    r_gold_a: float
    r_gold_b: float
    r_a_b: float
    n_examples: int
    alternative: TestAlternative
    p_value: float
    p_value_greater: float
    p_value_less: float
    p_value_two_sided: float
    statistic: float | None
    degrees_of_freedom: int | None
    notes: tuple[str, ...]


def compare_correlations(
    r_gold_a: float,
    r_gold_b: float,
    r_a_b: float,
    n_examples: int,
    *,
    test: CorrelationTest = "williams",
    alternative: TestAlternative = "greater",
) -> CorrelationComparison:
    """Test "A correlates with gold better than B" from the three correlations alone.

    Parameters
    ----------
    r_gold_a, r_gold_b : float
        Correlations of A and of B with gold.
    r_a_b : float
        Correlation of A with B.
    n_examples : int
        Number of examples. With fewer than four p is 1.
    test : {"williams", "steiger", "meng"}
        Williams' T2 refers to Student's t with n − 3 degrees of freedom;
        Steiger's Z has the mean of the two correlations in the covariance.
    alternative : {"greater", "less", "two-sided"}
        What `p_value` speaks for.

    Raises
    ------
    ValueError
        If a correlation does not lie between −1 and 1, no data have the three
        together, or Fisher's z of one is infinite where the test needs it.

    References
    ----------
    Williams (JRSS B 1959); Steiger (Psychological Bulletin 1980), equations 7
    and 14; Meng, Rosenthal and Rubin (Psychological Bulletin 1992).
    """
    check_choice(test, CORRELATION_TESTS, name="test")
    check_choice(alternative, TEST_ALTERNATIVES, name="alternative")
    if isinstance(n_examples, bool) or not isinstance(n_examples, int | np.integer):
        raise ValueError(f"`n_examples` must be a whole number; got {n_examples!r}.")
    if n_examples < 1:
        raise ValueError(f"`n_examples` must be at least 1; got {n_examples}.")
    given = {"r_gold_a": r_gold_a, "r_gold_b": r_gold_b, "r_a_b": r_a_b}
    for name, value in given.items():
        if not -1.0 <= value <= 1.0:
            raise ValueError(f"`{name}` must lie between -1 and 1; got {value!r}.")
    if _unexplained(r_gold_a, r_gold_b, r_a_b) < _POSSIBLE:
        raise ValueError(
            "`r_gold_a`, `r_gold_b` and `r_a_b` must be possible together; no data have "
            f"{r_gold_a:g}, {r_gold_b:g} and {r_a_b:g}."
        )
    outcome = correlation_outcome(
        test, float(r_gold_a), float(r_gold_b), float(r_a_b), int(n_examples)
    )
    return CorrelationComparison(
        test=test,
        r_gold_a=float(r_gold_a),
        r_gold_b=float(r_gold_b),
        r_a_b=float(r_a_b),
        n_examples=int(n_examples),
        alternative=alternative,
        p_value=outcome.p_values.of(alternative),
        p_value_greater=outcome.p_values.greater,
        p_value_less=outcome.p_values.less,
        p_value_two_sided=outcome.p_values.two_sided,
        statistic=outcome.statistic,
        degrees_of_freedom=int(n_examples) - 3 if test == "williams" and n_examples > 3 else None,
        notes=outcome.notes,
    )


def infinite_z(test: str, r_gold_a: float, r_gold_b: float) -> bool:
    """Whether the test needs Fisher's z of a correlation that has none, being 1 or −1.

    Raises
    ------
    ValueError
        If there is no such test.
    """
    check_choice(test, significance_tests, name="test")
    return test in ("steiger", "meng") and max(abs(r_gold_a), abs(r_gold_b)) >= ONE


def correlation_outcome(
    test: CorrelationTest, r_gold_a: float, r_gold_b: float, r_a_b: float, n: int
) -> Outcome:
    """The outcome for correlations that are possible together.

    Raises
    ------
    ValueError
        If Fisher's z of a correlation is infinite where the test needs it.
    """
    name = _NAMES[test]
    statistic = correlation_statistic(test, r_gold_a, r_gold_b, r_a_b, n)
    if r_a_b >= ONE:
        return _no_difference(test, "r(A, B) = 1: the two systems cannot be told apart, p = 1", 0.0)
    if n < FEWEST:
        return _no_difference(
            test, f"n = {n}: {name} needs at least {FEWEST} examples, p = 1", None
        )
    if statistic is None:
        return _no_difference(test, f"r(A, B) = {r_a_b:.4g}: {name} is undefined, p = 1", None)
    return Outcome(
        p_values=_sides(test, statistic, n),
        exact=True,
        statistic=statistic,
        notes=(PERFECT,) if max(abs(r_gold_a), abs(r_gold_b)) >= ONE else (),
        approximation=approximation_of(test),
    )


def correlation_statistic(
    test: CorrelationTest, r_gold_a: float, r_gold_b: float, r_a_b: float, n: int
) -> float | None:
    """The statistic alone, for searches that need no p-value; None where it is undefined.

    Raises
    ------
    ValueError
        If Fisher's z of a correlation is infinite where the test needs it.
    """
    if r_a_b >= ONE:
        return 0.0
    if n < FEWEST:
        return None
    if infinite_z(test, r_gold_a, r_gold_b):
        raise ValueError(
            f"{_NAMES[test]} must have correlations with gold other than 1 and -1; got "
            f"{r_gold_a:g} and {r_gold_b:g}. Randomization and the bootstrap take them."
        )
    return _STATISTICS[test](r_gold_a, r_gold_b, r_a_b, n)


def _sides(test: str, statistic: float, n: int) -> Sides:
    from scipy.special import ndtr, stdtr

    def below(value: float) -> float:
        return max(float(stdtr(n - 3, value) if test == "williams" else ndtr(value)), SMALLEST)

    greater, less = below(-statistic), below(statistic)
    return Sides(greater, less, min(1.0, 2.0 * (greater if statistic >= 0.0 else less)))


def _no_difference(test: str, note: str, statistic: float | None) -> Outcome:
    return Outcome(
        p_values=Sides(1.0, 1.0, 1.0),
        exact=True,
        statistic=statistic,
        notes=(note,),
        approximation=approximation_of(test),
    )


def approximation_of(test: str) -> Approximation:
    """The distribution that a test's statistic is referred to.

    Raises
    ------
    ValueError
        If it is no test of correlations.
    """
    check_choice(test, CORRELATION_TESTS, name="test")
    return "student" if test == "williams" else "normal"


def _unexplained(a: float, b: float, c: float) -> float:
    """Determinant of the three correlations; in this form it keeps its digits for c near 1."""
    return (1.0 - c) * (1.0 + c - 2.0 * a * b) - (a - b) ** 2


def _williams(a: float, b: float, c: float, n: int) -> float | None:
    mean = 0.5 * (a + b)
    rest = max(0.0, _unexplained(a, b, c))
    variance = 2.0 * (n - 1.0) / (n - 3.0) * rest + mean**2 * (1.0 - c) ** 3
    if variance <= 0.0:
        return None
    return (a - b) * math.sqrt((n - 1.0) * (1.0 + c) / variance)


def _steiger(a: float, b: float, c: float, n: int) -> float | None:
    square = (0.5 * (a + b)) ** 2
    covariance = (c * (1.0 - 2.0 * square) - 0.5 * square * (1.0 - 2.0 * square - c**2)) / (
        1.0 - square
    ) ** 2
    if covariance >= 1.0:
        return None
    return (math.atanh(a) - math.atanh(b)) * math.sqrt((n - 3.0) / (2.0 - 2.0 * covariance))


def _meng(a: float, b: float, c: float, n: int) -> float:
    square = 0.5 * (a**2 + b**2)
    f = min(1.0, (1.0 - c) / (2.0 * (1.0 - square)))
    h = (1.0 - f * square) / (1.0 - square)
    return (math.atanh(a) - math.atanh(b)) * math.sqrt((n - 3.0) / (2.0 * (1.0 - c) * h))


_STATISTICS: dict[CorrelationTest, Callable[[float, float, float, int], float | None]] = {
    "williams": _williams,
    "steiger": _steiger,
    "meng": _meng,
}
