"""Where a Monte Carlo p-value may settle, and whether a decision on it is settled."""

from __future__ import annotations

import numpy as np

from core.data.p_value_table import PValueTable
from core.significance.result import (
    TEST_ALTERNATIVES,
    SignificanceResult,
    TestAlternative,
    confidence_sequence,
)
from core.types import FloatArray
from core.validation import check_choice, check_open_share


def settled(
    result: SignificanceResult, threshold: float, *, alternative: TestAlternative | None = None
) -> bool:
    """Whether more resamples would leave the p-value on its side of a threshold.

    True of p-values that are free of Monte Carlo error. A settled decision is
    wrong with a chance of at most .001, whenever one looks.

    Parameters
    ----------
    result : SignificanceResult
        Of one test.
    threshold : float
        What p is compared with, between 0 and 1.
    alternative : {"greater", "less", "two-sided"}, optional
        Of which p-value; by default the result's own.

    Raises
    ------
    ValueError
        If `threshold` does not lie strictly between 0 and 1, or there is no
        such alternative.

    References
    ----------
    Robbins (Annals of Mathematical Statistics 1970), section 2.
    """
    check_open_share(threshold, name="threshold")
    low, high = ends_of(result, alternative or result.alternative)
    return low == high or threshold <= low or threshold >= high


def p_value_ends(table: PValueTable) -> tuple[FloatArray, FloatArray]:
    """Where each p-value of a table of tests may settle: lowest and highest, each shape (N,).

    What is monotone in all p-values, as k̂ and lists by Holm are, is settled
    where both ends give the same answer. A p-value that is taken as 1, as its
    dataset is not tested yet or a bootstrap's is out of reach, stays there.

    Raises
    ------
    ValueError
        If the table is not of tests that were run here.
    """
    rows, side = rows_and_side(table)
    ends = []
    for result, p in zip(rows, table.p_values.tolist(), strict=True):
        kept_out = result is not None and p == 1.0 and result.is_out_of_reach(side)
        ends.append((p, p) if result is None or kept_out else ends_of(result, side))
    return np.array([low for low, _ in ends]), np.array([high for _, high in ends])


def ends_of(result: SignificanceResult, alternative: TestAlternative) -> tuple[float, float]:
    """Where one p-value of a test may settle: lowest and highest."""
    n_extreme = n_extreme_of(result, alternative)
    if n_extreme is None or result.n_resamples is None:
        p = result.p_value_of(alternative)
        return p, p
    return confidence_sequence(n_extreme, result.n_resamples)


def n_extreme_of(result: SignificanceResult, alternative: TestAlternative) -> int | None:
    """How many resamples are extreme for one alternative; None of a test that draws none.

    It is what the p-value was made of: s of b resamples give (s + 1)/(b + 1), or
    s/b where that was asked for.
    """
    check_choice(alternative, TEST_ALTERNATIVES, name="alternative")
    p, b = result.p_value_of(alternative), result.n_resamples
    if b is None:
        return None
    return round(p * b) if result.estimator == "berg-kirkpatrick" else round(p * (b + 1)) - 1


def rows_and_side(
    table: PValueTable,
) -> tuple[list[SignificanceResult | None], TestAlternative]:
    """Each dataset's result, None where untested, and whether p speaks for their A or B."""
    given = table.results or ()
    rows = [result for result in given if result is None or isinstance(result, SignificanceResult)]
    if len(rows) != table.n_datasets:
        raise ValueError("`table` must hold the results of tests that were run here.")
    sides: tuple[TestAlternative, ...] = ("greater", "less")
    for side in sides:
        if all(_is_row(table, i, result, side) for i, result in enumerate(rows)):
            return rows, side
    raise ValueError("`table` must have the p-values of its results.")


def _is_row(
    table: PValueTable, i: int, result: SignificanceResult | None, side: TestAlternative
) -> bool:
    p = float(table.p_values[i])
    if result is None:
        return p == 1.0
    if p != result.p_value_of(side) and not (p == 1.0 and result.is_out_of_reach(side)):
        return False
    if table.scores_a is None or table.scores_b is None:
        return True
    # Where both sides have the same p-values, the scores tell them apart.
    scores = (result.score_a, result.score_b)
    placed = (float(table.scores_a[i]), float(table.scores_b[i]))
    return placed == (scores if side == "greater" else scores[::-1])
