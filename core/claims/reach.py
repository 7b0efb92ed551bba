"""What scores and numbers of examples alone say of significance: what would be significant at all.

Vocabulary
----------
fewest
    The smallest number of examples by which a system must be ahead for any p ≤ alpha: where the
    other one is right on nothing alone.
surely
    The smallest number from which p ≤ alpha whatever the examples: where the systems disagree
    as often as their scores allow.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from ..data.score_table import ScoreTable
from ..replicability.decision import at_most
from ..types import FloatArray, IntArray
from ..validation import check_alpha, check_choice
from ..words.formatting import format_level, list_names
from .possible import possible_of
from .printed_scores import METRICS, ScoreMetric, check_n, printed_as, read_scores
from .splits import mcnemar_p_values

Significant = Literal["always", "possibly", "never", "no-share"]
_TEST = {"accuracy": "mcnemar", "correlation": "williams"}
_TITLES = {"accuracy": "exact McNemar", "correlation": "Williams"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """What one dataset's scores and size leave open.

    Attributes
    ----------
    dataset : str
        Its name.
    n_examples : int
        n.
    scores : (str, str)
        Of A and B, as printed.
    low, high : float
        The smallest and the largest two-sided p-value; nan where a score is no share of n.
    significant : {"always", "possibly", "never", "no-share"}
        Whether p ≤ alpha.
    metric : {"accuracy", "correlation"}
        What the scores are.
    fewest, surely : int or None
        Of accuracies, in examples; None where no lead on n examples is enough.
    """

    dataset: str
    n_examples: int
    scores: tuple[str, str]
    low: float
    high: float
    significant: Significant
    metric: ScoreMetric
    fewest: int | None = None
    surely: int | None = None


def reach_of(
    table: ScoreTable,
    system_a: str,
    system_b: str,
    *,
    n_examples: Sequence[int],
    metric: ScoreMetric,
    alpha: float = 0.05,
) -> tuple[Reach, ...]:
    """Of each dataset, which two-sided p-values its scores leave open, by the field's exact test.

    Accuracies are judged by McNemar's exact test, correlations by Williams'.

    Raises
    ------
    ValueError
        If there is no such system or metric, a size is none, or a score cannot be read.
    """
    level = check_alpha(alpha)
    check_choice(metric, METRICS, name="metric")
    columns = table.printed_scores(system_a), table.printed_scores(system_b)
    decimals, scale = printed_as(text for column in columns for text in column)
    found = []
    for dataset, a, b, size in zip(table.datasets, *columns, n_examples, strict=True):
        n = check_n(size)
        ranges = read_scores(a, b, metric=metric, decimals=decimals, scale=scale)
        blank = Reach(
            dataset=dataset,
            n_examples=n,
            scores=(a, b),
            low=np.nan,
            high=np.nan,
            significant="possibly",
            metric=metric,
        )
        fits = metric == "correlation" or all(r.fitting(n).is_multiple_of_one_in(n) for r in ranges)
        each = (
            possible_of(ranges[0], ranges[1], n, metric=metric, alternatives=("two-sided",))
            if fits
            else ()
        )
        possible = next((p for p in each if p.test == _TEST[metric]), None)
        if possible is None:
            found.append(blank if fits else replace(blank, significant="no-share"))
            continue
        low, high = at_most(np.array([possible.low, possible.high]), level)
        fewest = surely = None
        if metric == "accuracy":
            right = min(sum(r.fitting(n).counts(n)) // 2 for r in ranges)
            fewest, surely = _fewest(n, level), _surely(right, n, level)
        found.append(
            replace(
                blank,
                low=possible.low,
                high=possible.high,
                significant="always" if high else "possibly" if low else "never",
                fewest=fewest,
                surely=surely,
            )
        )
    return tuple(found)


def reach_sentence(rows: Sequence[Reach], *, alpha: float) -> str:
    """On how many datasets the difference is, can be and cannot be significant."""
    numbers = {
        kind: sum(row.significant == kind for row in rows)
        for kind in ("always", "possibly", "never")
    }
    said = (
        f"By scores and sizes alone ({_TITLES[rows[0].metric]}, two-sided p ≤ {format_level(alpha)}), the "
        f"difference is significant on {numbers['always']} of {len(rows)} datasets in any case, "
        f"possibly on {numbers['possibly']}, and not on {numbers['never']}."
    )
    odd = [row.dataset for row in rows if row.significant == "no-share"]
    if odd:
        said += f" Scores are no share of their examples on {list_names(odd)}."
    fewest = [row.fewest for row in rows if row.fewest is not None]
    if fewest:
        said += f" A lead of fewer than {min(fewest)} examples is never significant."
    return said


def _p_value(differences: IntArray, disagreements: IntArray) -> FloatArray:
    return mcnemar_p_values(differences, disagreements, test="mcnemar", alternative="two-sided")


def _fewest(n: int, alpha: float) -> int | None:
    leads = np.arange(1, min(n, 1000) + 1)
    return _first(leads[at_most(_p_value(leads, leads), alpha)])


def _surely(right: int, n: int, alpha: float) -> int | None:
    """Of a system that is right on so many examples, how far another must be ahead."""
    leads = np.arange(1, n - right + 1)
    if not leads.size:
        return None
    most = np.minimum(2 * right + leads, 2 * n - 2 * right - leads)
    return _first(leads[at_most(_p_value(leads, np.maximum(leads, most)), alpha)])


def _first(leads: IntArray) -> int | None:
    return int(leads[0]) if leads.size else None
