"""Thresholds against the size of the test set, and the lines through them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from core.signature import short_fingerprint, signature_line
from core.systems.threshold import Threshold

if TYPE_CHECKING:
    import pandas as pd

Selection = Literal["initial", "random"]
SELECTIONS: tuple[Selection, ...] = get_args(Selection)


@dataclass(frozen=True, slots=True, kw_only=True)
class ThresholdAtSize:
    """The threshold of one class of pairs at one size.

    Attributes
    ----------
    size : int
        Examples.
    selection : {"initial", "random"}
        The dataset's first examples, or random subsets, whose pairs are put together.
    pair_class : str
        Of the pairs.
    n_subsets : int
        Subsets put together.
    threshold : Threshold
        Of them.
    whole : bool
        Whether it is of all examples, which both selections share.
    """

    size: int
    selection: Selection
    pair_class: str
    n_subsets: int
    threshold: Threshold
    whole: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RootFit:
    """The line c/√n through the thresholds of one class and selection.

    Attributes
    ----------
    selection, pair_class : str
        Whose thresholds.
    constant : float
        c, by least squares of logarithms.
    slope : float or None
        Of a free line on log axes: −.5 where 1/√n holds. None with one size.
    n_sizes : int
        Thresholds fitted.
    """

    selection: Selection
    pair_class: str
    constant: float
    slope: float | None
    n_sizes: int

    def at(self, size: float) -> float:
        """c/√size."""
        return self.constant / float(np.sqrt(size))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ThresholdCurve:
    """Thresholds against size.

    Attributes
    ----------
    dataset, metric, test : str
        What was tested, and how.
    points : tuple of ThresholdAtSize
        By size, selection and class.
    fits : tuple of RootFit
        For each selection and class that has a threshold.
    sizes : tuple of int
        Done.
    n_asked : int
        Sizes asked for.
    n_resamples : int or None
        Of Monte Carlo.
    n_subsets : int
        Random subsets of a size.
    seed : int
        Of subsets and resamples.
    fingerprint : str
        Of the data.
    grouping, detail : str
        What tells the groups of systems from others, and which classes of pairs they
        make; '' without groups.
    """

    dataset: str
    metric: str
    test: str
    points: tuple[ThresholdAtSize, ...]
    fits: tuple[RootFit, ...]
    sizes: tuple[int, ...]
    n_asked: int
    n_resamples: int | None
    n_subsets: int
    seed: int
    fingerprint: str = ""
    grouping: str = ""
    detail: str = ""

    @property
    def complete(self) -> bool:
        """Whether all sizes asked for were done."""
        return len(self.sizes) == self.n_asked

    @property
    def signature(self) -> str:
        """The one line that names everything the thresholds depend on."""
        return signature_line(
            analysis="thresholds-by-size",
            dataset=self.dataset,
            metric=self.metric,
            test=self.test,
            sizes="+".join(map(str, self.sizes)),
            subsets=self.n_subsets,
            grouping=self.grouping or None,
            detail=self.detail or None,
            resamples=self.n_resamples,
            seed=self.seed,
            data=short_fingerprint(self.fingerprint) or None,
        )

    @property
    def rows(self) -> tuple[ThresholdAtSize, ...]:
        """The points, those of all examples once and not for each selection."""
        found = {
            (point.size, point.pair_class, "" if point.whole else point.selection): point
            for point in self.points
        }
        return tuple(found.values())

    def fit_of(self, point: ThresholdAtSize) -> RootFit | None:
        """The line through the thresholds that a point is one of; of all examples, the last one's."""
        lines = {(fit.selection, fit.pair_class): fit for fit in self.fits}
        return lines.get((point.selection, point.pair_class))

    def to_frame(self) -> pd.DataFrame:
        """A row for each size, selection and class, with its threshold and the fitted line's.

        All examples are one row a class, whose selection is "all".
        """
        import pandas as pd

        rows = []
        for point in self.rows:
            own, fit = point.threshold, self.fit_of(point)
            low, high = own.interval or (None, None)
            rows.append(
                {
                    "size": point.size,
                    "selection": "all" if point.whole else point.selection,
                    "class": point.pair_class,
                    "threshold": own.value,
                    "low": low,
                    "high": high,
                    "n_pairs": own.n_pairs,
                    "n_systems": own.n_systems,
                    "n_subsets": point.n_subsets,
                    "fitted": None if fit is None else fit.at(point.size),
                    "reason": own.reason,
                }
            )
        return pd.DataFrame(rows)
