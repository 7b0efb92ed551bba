"""How long a check of claims takes, estimated before it is made."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.claims.check_inputs import method_of
from core.claims.claim import ANY, Claim, Method
from core.claims.printed_scores import METRICS, ScoreMetric, printed_as
from core.claims.splits import MOST_DIFFERENCES
from core.data.p_value_checks import said_scores
from core.data.p_value_table import PValueTable
from core.data.score_table import ScoreTable
from core.replicability.combinations import combination_named, combination_names
from core.replicability.local_tests import BonferroniTest, SimesTest
from core.replicability.procedures import Closed, procedure_named, procedure_names
from core.types import DEPENDENCES, Dependence
from core.validation import check_choice

# Of one machine of its time; only their order of size matters.
_SECONDS_A_ROW = 0.02
_SECONDS_A_DIFFERENCE = 4e-5
_SECONDS_A_COUNT = 5e-5
_SECONDS_A_COUNTED = 1e-7
# Methods that combine many subsets of the datasets.
_SECONDS_A_COMBINED = 1.5e-6
# Looking for p-values with a count in between.
_COUNTS_WITHIN_ROUNDING = 2_500


def seconds_of_check(
    table: PValueTable | ScoreTable,
    claims: Sequence[Claim],
    *,
    metric: ScoreMetric | None,
    dependence: Dependence,
    n_examples: Sequence[int] | None = None,
) -> float:
    """Estimate how long `check_claims` takes, from rows, sizes, rounding, claims and methods.

    Parameters
    ----------
    table, claims, dependence
        As `check_claims` takes them, claims read.
    metric : {"accuracy", "correlation"} or None
        None where rows are not held against scores.
    n_examples : sequence of int, optional
        Sizes, where the table has none.

    Raises
    ------
    ValueError
        If there is no such metric, or nothing such is known of the datasets.
    """
    check_choice(dependence, DEPENDENCES, name="dependence")
    if metric is not None:
        check_choice(metric, METRICS, name="metric")
    seconds = 0.0
    n = len(table.datasets)
    sizes = n_examples
    if sizes is None and isinstance(table, PValueTable) and table.n_examples is not None:
        sizes = [int(size) for size in table.n_examples]
    if metric is not None and sizes is not None:
        seconds += _of_rows(table, sizes, metric)
    if isinstance(table, PValueTable):
        for claim in claims:
            if claim.kind == "interval" or claim.method == ANY:
                continue
            each = _SECONDS_A_COUNT + n * _SECONDS_A_COUNTED
            if not claim.of_levels and _combines(method_of(claim, dependence)):
                each += n * _SECONDS_A_COMBINED
            seconds += 3 * n * each
            if claim.kind in ("exactly", "named"):
                low, high = table.p_value_bounds
                seconds += (_COUNTS_WITHIN_ROUNDING if np.any(low < high) else 2) * each
    return seconds


def _combines(method: Method) -> bool:
    """Whether many subsets of the datasets are combined: by Simes, and by most closed tests."""
    if method in combination_names():
        return isinstance(combination_named(method).local, SimesTest)
    kernel = procedure_named(method).kernel if method in procedure_names() else None
    return isinstance(kernel, Closed) and not isinstance(
        combination_named(kernel.combination).local, BonferroniTest
    )


def _of_rows(table: PValueTable | ScoreTable, sizes: Sequence[int], metric: ScoreMetric) -> float:
    if isinstance(table, ScoreTable):
        printed = [text for system in table.systems for text in table.printed_scores(system)]
    else:
        if table.results is not None:
            return 0.0
        a = said_scores(table.scores_a, table.printed_scores_a) or ()
        b = said_scores(table.scores_b, table.printed_scores_b) or ()
        printed = [text for text in (*a, *b) if text]
        if not (a and b):
            return 0.0
    seconds = _SECONDS_A_ROW * len(sizes)
    if metric == "accuracy" and printed:
        decimals, scale = printed_as(printed)
        unit = 10.0**-decimals / (100.0 if scale == "percent" else 1.0)
        widths = [min(2.0 * unit * size + 1.0, float(MOST_DIFFERENCES)) for size in sizes]
        seconds += _SECONDS_A_DIFFERENCE * sum(widths)
    return seconds
