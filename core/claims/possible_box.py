"""The p-values that scores and numbers of examples alone leave possible, dataset by dataset."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from core.claims.possible import possible_p_values
from core.claims.printed_scores import ScoreMetric, printed_as
from core.claims.steps import NO_STEPS, Steps
from core.data.score_table import ScoreTable
from core.types import FloatArray

Sidedness = Literal["one-sided", "two-sided"]
# Nothing in a table without p-values says how its paper tested.
SIDEDNESSES: tuple[Sidedness, ...] = get_args(Sidedness)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PossibleBox:
    """Where each dataset's one-sided p-value must lie, whatever test of the family was made.

    Attributes
    ----------
    low, high : ndarray, shape (N,)
        Over every test of such scores; 0 and 1 where scores and size do not fit.
    misfits : tuple of (str, tuple of str)
        Datasets with scores that are no shares of their examples, and those scores.
    """

    low: FloatArray
    high: FloatArray
    misfits: tuple[tuple[str, tuple[str, ...]], ...]

    def read(self, sidedness: Sidedness) -> tuple[FloatArray, FloatArray]:
        """Low and high ends for a system, of tests made one-sided for it or two-sided.

        A two-sided p-value speaks for a system only where that is ahead: there all tests
        of the family give twice their one-sided p-value, and elsewhere 1 stands here.
        """
        if sidedness == "one-sided":
            return self.low, self.high
        return np.minimum(1.0, 2.0 * self.low), np.minimum(1.0, 2.0 * self.high)


def possible_box(
    table: ScoreTable,
    ahead: str,
    behind: str,
    *,
    n_examples: Sequence[int],
    metric: ScoreMetric,
    steps: Steps = NO_STEPS,
) -> PossibleBox:
    """Where each dataset's p-value of "ahead is better" lies, over every test of such scores."""
    scores = table.printed_scores(ahead), table.printed_scores(behind)
    if not table.higher_is_better:
        # Rates of errors leave the same splits open with the systems exchanged.
        scores = scores[1], scores[0]
    decimals, scale = printed_as(text for column in scores for text in column)
    low, high, misfits = [], [], []
    for dataset, a, b, n in zip(table.datasets, *scores, n_examples, strict=True):
        steps.step()
        try:
            found = possible_p_values(
                a, b, n, metric=metric, alternative="greater", decimals=decimals, scale=scale
            ).values()
        except ValueError as error:
            if "must be a share of" not in str(error):
                raise
            misfits.append((dataset, (a, b)))
            low.append(0.0)
            high.append(1.0)
            continue
        low.append(min(p.low for p in found))
        high.append(max(p.high for p in found))
    return PossibleBox(low=np.array(low), high=np.array(high), misfits=tuple(misfits))
