"""What two systems scored on one dataset, before anything is resampled."""

from __future__ import annotations

from dataclasses import dataclass

from core.significance.differences import Differences


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Scores, their difference, and how many examples speak for whom.

    Attributes
    ----------
    n : int
        Number of examples.
    score_a, score_b : float
        As the metric has them.
    difference : float
        A − B, turned so that higher is better.
    wins, ties, losses : int
        Examples on which A is better, neither is, B is.
    alike : str
        Why no difference can be found, '' where one can.
    correlation_ab : float or None
        Correlation of the two systems' predictions, where it is one of the
        metric's kind.
    skewness : float or None
        Of differences that are averaged, or of the clusters' sums of them; None
        of 0/1 outcomes, of which a mean of 0 is symmetry, and of other metrics.
    """

    n: int
    score_a: float
    score_b: float
    difference: float
    wins: int
    ties: int
    losses: int
    alike: str = ""
    correlation_ab: float | None = None
    skewness: float | None = None


ALL_ZERO = "all differences are zero"


def comparison_of_means(differences: Differences, *, higher_is_better: bool) -> Comparison:
    """What differences of scores say, which were turned where lower is better."""
    scores = (differences.score_a, differences.score_b)
    # 0 − x, as −x would make a zero negative.
    score_a, score_b = scores if higher_is_better else (0.0 - scores[0], 0.0 - scores[1])
    return Comparison(
        n=differences.n,
        score_a=score_a,
        score_b=score_b,
        difference=differences.mean,
        wins=differences.wins,
        ties=differences.ties,
        losses=differences.losses,
        alike="" if differences.values.any() else ALL_ZERO,
    )
