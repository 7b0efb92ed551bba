"""Two correlations that share the gold scores, compared from three numbers, such as printed ones."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..validation import check_choice
from .correlation import unexplained
from .known_tests import correlation_test_named
from .settings import TEST_ALTERNATIVES, TestAlternative

# No three correlations leave less than no variance; printed ones are rounded.
_POSSIBLE = -1e-9


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

    test: str
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
    test: str = "williams",
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
    check_choice(alternative, TEST_ALTERNATIVES, name="alternative")
    if isinstance(n_examples, bool) or not isinstance(n_examples, int | np.integer):
        raise ValueError(f"`n_examples` must be a whole number; got {n_examples!r}.")
    if n_examples < 1:
        raise ValueError(f"`n_examples` must be at least 1; got {n_examples}.")
    given = {"r_gold_a": r_gold_a, "r_gold_b": r_gold_b, "r_a_b": r_a_b}
    for name, value in given.items():
        if not -1.0 <= value <= 1.0:
            raise ValueError(f"`{name}` must lie between -1 and 1; got {value!r}.")
    if unexplained(r_gold_a, r_gold_b, r_a_b) < _POSSIBLE:
        raise ValueError(
            "`r_gold_a`, `r_gold_b` and `r_a_b` must be possible together; no data have "
            f"{r_gold_a:g}, {r_gold_b:g} and {r_a_b:g}."
        )
    kernel = correlation_test_named(test)
    outcome = kernel.outcome(float(r_gold_a), float(r_gold_b), float(r_a_b), int(n_examples))
    of_student = kernel.approximation == "student" and n_examples > 3
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
        degrees_of_freedom=int(n_examples) - 3 if of_student else None,
        notes=outcome.notes,
    )
