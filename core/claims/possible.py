"""Which p-values are possible, given two printed scores and the number of examples."""

from __future__ import annotations

from core.claims.attainment import PossibleP
from core.claims.correlations import CorrelationBox, correlation_box
from core.claims.means import MeansBox, means_box
from core.claims.printed_scores import METRICS, Scale, ScoreMetric, ScoreRange, check_n, read_scores
from core.claims.splits import (
    CLAIM_ALTERNATIVES,
    ClaimAlternative,
    Splits,
    splits_of,
)
from core.significance.known_tests import (
    of_outcomes,
    of_three_correlations,
    significance_test_names,
)
from core.validation import check_choice


def possible_p_values(
    score_a: float | str,
    score_b: float | str,
    n: int,
    *,
    metric: ScoreMetric = "accuracy",
    alternative: ClaimAlternative = "greater",
    decimals: int | None = None,
    scale: Scale = "auto",
) -> dict[str, PossibleP]:
    """Which p-values two systems' scores on n examples leave open.

    Two accuracies fix b − c, the examples that only A has right less those that only
    B has right, and bound b + c; so McNemar's tests can give certain p-values alone.
    Two correlations with one gold bound that of the systems with each other.

    Parameters
    ----------
    score_a, score_b : float or str
        A's and B's. A text is rounded as printed ("86.40", ".864", "86.4%"), a number
        is exact.
    n : int
        Number of examples.
    metric : {"accuracy", "correlation"}
        What the scores are: the share of examples that are right, or each
        system's correlation with gold.
    alternative : {"greater", "two-sided"}
        What the p-values speak for: A better, or either.
    decimals : int, optional
        To how many decimals, as printed, the scores are rounded. Of texts: how
        many their column has.
    scale : {"auto", "fraction", "percent"}
        "auto": both are percent if one has a percent sign or lies beyond 1, and
        fractions otherwise.

    Returns
    -------
    dict of str to PossibleP
        Of accuracies "mcnemar", "mcnemar-mid-p", "mcnemar-chi2" and
        "mcnemar-chi2-corrected"; of correlations "williams", "steiger" and "meng",
        the last two without a correlation that is exactly 1 or −1.

    Raises
    ------
    ValueError
        If an argument is not as above, or an accuracy is no multiple of 1/n to the
        digits it is printed with.
    """
    check_choice(alternative, CLAIM_ALTERNATIVES, name="alternative")
    n = check_n(n)
    a, b = read_scores(score_a, score_b, metric=metric, decimals=decimals, scale=scale)
    if metric == "accuracy":
        for name, score in (("score_a", a), ("score_b", b)):
            if not score.is_multiple_of_one_in(n):
                raise ValueError(
                    f"`{name}` must be a share of {n} examples; no number of right ones gives "
                    f"{score.printed}."
                )
    return {p.test: p for p in possible_of(a, b, n, metric=metric, alternatives=(alternative,))}


def possible_of(
    score_a: ScoreRange,
    score_b: ScoreRange,
    n: int,
    *,
    metric: ScoreMetric,
    alternatives: tuple[ClaimAlternative, ...] = CLAIM_ALTERNATIVES,
) -> tuple[PossibleP, ...]:
    """As `possible_p_values`, of scores that are read; empty where an accuracy is impossible.

    An accuracy that no share of `n` is rounded to may have been rounded up or down.

    Raises
    ------
    ValueError
        If there is no such metric or alternative.
    """
    check_choice(metric, METRICS, name="metric")
    for alternative in alternatives:
        check_choice(alternative, CLAIM_ALTERNATIVES, name="alternatives")
    sources: dict[str, Splits | CorrelationBox] = {}
    if metric == "accuracy":
        splits = splits_of(score_a.fitting(n), score_b.fitting(n), n)
        if splits.differences.size:
            sources = dict.fromkeys(significance_test_names(of_outcomes), splits)
    else:
        boxes = {
            test: correlation_box(test, score_a, score_b, n)
            for test in significance_test_names(of_three_correlations)
        }
        sources = {test: box for test, box in boxes.items() if box is not None}
    return tuple(
        _possible(test, source, n, alternative)
        for test, source in sources.items()
        for alternative in alternatives
    )


def _possible(
    test: str,
    source: Splits | CorrelationBox | MeansBox,
    n: int,
    alternative: ClaimAlternative,
) -> PossibleP:
    if isinstance(source, Splits):
        low, high = source.p_range(test, alternative)
    else:
        low, high = source.p_range(alternative)
    return PossibleP(
        test=test, alternative=alternative, n_examples=n, low=low, high=high, source=source
    )


def possible_t_p_values(
    mean_a: float | str,
    mean_b: float | str,
    n: int,
    *,
    sd_a: float | str | None = None,
    sd_b: float | str | None = None,
    sd_difference: float | str | None = None,
    alternative: ClaimAlternative = "greater",
    decimals: int | None = None,
) -> PossibleP:
    """Which p-values of the paired t-test two means with standard deviations leave open.

    The correlation between the two systems' scores may be anything from −1 to 1.

    Parameters
    ----------
    mean_a, mean_b : float or str
        Means over n examples; a text is rounded as printed, a number is exact.
    n : int
        Number of examples.
    sd_a, sd_b : float or str, optional
        Standard deviations (n − 1) of the systems' scores, in the unit of the means.
    sd_difference : float or str, optional
        Instead of them, that of the differences A − B.
    alternative : {"greater", "two-sided"}
        What the p-values speak for.
    decimals : int, optional
        To how many decimals all four or three are rounded.

    Raises
    ------
    ValueError
        If an argument is not as above.
    """
    check_choice(alternative, CLAIM_ALTERNATIVES, name="alternative")
    n = check_n(n)
    box = means_box(
        mean_a, mean_b, n, sd_a=sd_a, sd_b=sd_b, sd_difference=sd_difference, decimals=decimals
    )
    return _possible("paired-t", box, n, alternative)
