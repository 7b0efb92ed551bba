"""The p-values that scores and numbers of examples alone leave possible, dataset by dataset."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from core.claims.in_use import in_use_of
from core.claims.printed_scores import ScoreMetric, check_n, printed_as, read_scores
from core.claims.steps import NO_STEPS, Steps
from core.data.score_table import ScoreTable
from core.types import FloatArray
from core.validation import check_choice

Sidedness = Literal["one-sided", "two-sided"]
# Nothing in a table without p-values says how its paper tested.
SIDEDNESSES: tuple[Sidedness, ...] = get_args(Sidedness)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PossibleBox:
    """Where each dataset's one-sided p-value must lie, whatever test in use was made.

    Attributes
    ----------
    low, high : ndarray, shape (N,)
        Over every test in use, `high` without Monte Carlo error; 0 and 1 where the digits
        leave open who is ahead, or scores and size do not fit.
    farthest : ndarray, shape (N,)
        `high` with the Monte Carlo error of 100 resamples.
    misfits : tuple of (str, tuple of str)
        Datasets with scores that are no shares of their examples, and those scores.
    """

    low: FloatArray
    high: FloatArray
    farthest: FloatArray
    misfits: tuple[tuple[str, tuple[str, ...]], ...]

    def read(self, sidedness: Sidedness) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Low, high and farthest ends for a system, of tests made one-sided for it or two-sided.

        A two-sided p-value speaks for a system only where that is ahead: there it is twice
        a one-sided one, and elsewhere 1 stands here.

        Raises
        ------
        ValueError
            If there is no such sidedness.
        """
        check_choice(sidedness, SIDEDNESSES, name="sidedness")
        if sidedness == "one-sided":
            return self.low, self.high, self.farthest
        low, high, farthest = (
            np.minimum(1.0, 2.0 * end) for end in (self.low, self.high, self.farthest)
        )
        return low, high, farthest


def possible_box(
    table: ScoreTable,
    ahead: str,
    behind: str,
    *,
    n_examples: Sequence[int],
    metric: ScoreMetric,
    steps: Steps = NO_STEPS,
) -> PossibleBox:
    """Where each dataset's p-value of "ahead is better" lies, over every test in use."""
    scores = table.printed_scores(ahead), table.printed_scores(behind)
    if not table.higher_is_better:
        # Rates of errors leave the same splits open with the systems exchanged.
        scores = scores[1], scores[0]
    decimals, scale = printed_as(text for column in scores for text in column)
    ends, misfits = [], []
    for dataset, a, b, n in zip(table.datasets, *scores, n_examples, strict=True):
        steps.step()
        n = check_n(n)
        first, second = read_scores(a, b, metric=metric, decimals=decimals, scale=scale)
        own = in_use_of(first, second, n, metric=metric).toward("a")
        unfitting = tuple(
            score.printed
            for score in (first, second)
            if metric == "accuracy" and not score.fitting(n).is_multiple_of_one_in(n)
        )
        if unfitting:
            misfits.append((dataset, unfitting))
            own = 0.0, 1.0, 1.0
        ends.append(own)
    low, high, farthest = np.array(ends, dtype=np.float64).T
    return PossibleBox(low=low, high=high, farthest=farthest, misfits=tuple(misfits))
