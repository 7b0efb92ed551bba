"""Which tests explain the p-values that a published table prints beside its scores."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ..data.p_value_table import PValueTable, said_scores
from ..significance.known_tests import (
    of_outcomes,
    of_three_correlations,
    significance_test_names,
)
from ..validation import check_choice
from .in_use import InUse, in_use_of
from .possible import Attainment, PossibleP, Verdict, possible_of, printed_bounds
from .printed_scores import (
    METRICS,
    Scale,
    ScoreMetric,
    ScoreRange,
    check_n,
    printed_as,
    read_scores,
)
from .splits import CLAIM_ALTERNATIVES, ClaimAlternative


class Variant(NamedTuple):
    """A test and what its p-values speak for."""

    test: str
    alternative: ClaimAlternative


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class VariantExplanation:
    """What one variant makes of one printed p-value.

    Attributes
    ----------
    variant : Variant
        Test and alternative.
    possible : PossibleP
        The p-values that it can give.
    attainment : Attainment
        Whether the printed one is among them, and what it takes.
    """

    variant: Variant
    possible: PossibleP
    attainment: Attainment

    @property
    def verdict(self) -> Verdict:
        """What `Attainment` has; "impossible" is what lies out of the variant's range."""
        return self.attainment.verdict


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RowExplanation:
    """What every variant makes of one row of a table.

    Attributes
    ----------
    dataset : str
        Its name, '' if none was given.
    score_a, score_b : ScoreRange
        Where the true scores lie.
    n_examples : int
        n.
    p_low, p_high : float
        What the printed p-value's digits allow.
    metric : {"accuracy", "correlation"}
        What the scores are.
    no_multiples : tuple of str
        Which of "score_a" and "score_b" no number of right examples out of n
        gives, by any rounding; with any, there are no variants.
    by_variant : mapping of Variant to VariantExplanation
        Eight of accuracies, six of correlations (fewer where one is exactly 1 or −1).
    in_use : InUse
        The p-values that any test in use can give.
    """

    dataset: str
    score_a: ScoreRange
    score_b: ScoreRange
    n_examples: int
    p_low: float
    p_high: float
    metric: ScoreMetric
    no_multiples: tuple[str, ...]
    by_variant: Mapping[Variant, VariantExplanation]
    in_use: InUse

    @property
    def explained_by(self) -> tuple[Variant, ...]:
        """Variants that give the printed p-value."""
        return self.with_verdict("attainable")

    def with_verdict(self, verdict: Verdict) -> tuple[Variant, ...]:
        """Variants with one verdict."""
        return tuple(v for v, found in self.by_variant.items() if found.verdict == verdict)

    @property
    def possible(self) -> bool:
        """Whether some test in use can give what is printed, for either system or two-sided."""
        if self.no_multiples:
            return False
        return bool(self.explained_by) or self.in_use.allows(self.p_low, self.p_high)


def variants_of(metric: ScoreMetric) -> tuple[Variant, ...]:
    """Every variant that such scores are judged by.

    Raises
    ------
    ValueError
        If there is no such metric.
    """
    check_choice(metric, METRICS, name="metric")
    tests = significance_test_names(of_outcomes if metric == "accuracy" else of_three_correlations)
    return tuple(Variant(test, side) for test in tests for side in CLAIM_ALTERNATIVES)


def explain_row(
    score_a: float | str,
    score_b: float | str,
    n: int,
    p_value: str | tuple[float, float],
    *,
    metric: ScoreMetric = "accuracy",
    decimals: int | None = None,
    scale: Scale = "auto",
    dataset: str = "",
) -> RowExplanation:
    """Judge one printed p-value by every variant of the tests for such scores.

    Parameters
    ----------
    score_a, score_b, n, metric, decimals, scale
        As in `possible_p_values`.
    p_value : str or (float, float)
        As printed (a zero lies within half a unit of its own last digit), or the
        lowest and highest that the printed digits allow.
    dataset : str
        Its name.

    Raises
    ------
    ValueError
        If an argument is not as above. An accuracy that is no multiple of 1/n is
        a finding and not an error.
    """
    n = check_n(n)
    a, b = read_scores(score_a, score_b, metric=metric, decimals=decimals, scale=scale)
    low, high = printed_bounds(p_value)
    no_multiples = tuple(
        name
        for name, score in (("score_a", a), ("score_b", b))
        if metric == "accuracy" and not score.fitting(n).is_multiple_of_one_in(n)
    )
    found = {}
    for possible in possible_of(a, b, n, metric=metric):
        variant = Variant(possible.test, possible.alternative)
        found[variant] = VariantExplanation(
            variant=variant, possible=possible, attainment=possible.attains(low, high)
        )
    return RowExplanation(
        dataset=dataset,
        score_a=a,
        score_b=b,
        n_examples=n,
        p_low=low,
        p_high=high,
        metric=metric,
        no_multiples=no_multiples,
        by_variant=found,
        in_use=in_use_of(a, b, n, metric=metric),
    )


def explain_table(
    table: PValueTable,
    *,
    metric: ScoreMetric,
    n_examples: Sequence[int] | None = None,
    decimals: int | None = None,
    scale: Scale = "auto",
    on_row: Callable[[], object] | None = None,
) -> tuple[RowExplanation | None, ...]:
    """Judge every row of a published table; None of a row where a score is missing.

    Parameters
    ----------
    table : PValueTable
        With scores of both systems.
    metric : {"accuracy", "correlation"}
        What the scores are. Where lower is better, A and B change places: rates
        of errors are judged as accuracies are.
    n_examples : sequence of int, optional
        Sizes, where the table has none or others are to be tried.
    decimals : int, optional
        Of the score columns; by default the most that any score is printed with,
        as software drops closing zeros.
    scale : {"auto", "fraction", "percent"}
        "auto": all scores are percent if any has a percent sign or lies beyond 1.
    on_row : callable, optional
        Called before each row; what it raises ends the work.

    Raises
    ------
    ValueError
        If sizes or scores are missing, or one is not as `possible_p_values` needs it.
    """
    sizes = table.n_examples if n_examples is None else n_examples
    if sizes is None:
        raise ValueError("`n_examples` must be given: the table has no number of examples.")
    if len(sizes) != table.n_datasets:
        raise ValueError(
            f"`n_examples` must have one entry a dataset, {table.n_datasets}; got {len(sizes)}."
        )
    said_a = said_scores(table.scores_a, table.printed_scores_a)
    said_b = said_scores(table.scores_b, table.printed_scores_b)
    if said_a is None or said_b is None:
        raise ValueError("`table` must have the scores of both systems.")
    exchanged = not table.higher_is_better
    if exchanged:
        said_a, said_b = said_b, said_a
    own_decimals, own_scale = printed_as((*said_a, *said_b))
    scale = own_scale if scale == "auto" else scale
    decimals = own_decimals if decimals is None else decimals
    rows: list[RowExplanation | None] = []
    for dataset, a, b, n, low, high in zip(
        table.datasets, said_a, said_b, sizes, *table.p_value_bounds, strict=True
    ):
        if on_row is not None:
            on_row()
        if not (a and b):
            rows.append(None)
            continue
        rows.append(
            explain_row(
                a,
                b,
                int(n),
                (float(low), float(high)),
                metric=metric,
                decimals=decimals,
                scale=scale,
                dataset=dataset,
            )
        )
    return tuple(rows)
