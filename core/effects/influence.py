"""What each dataset does to the combined effect: the analysis without it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from core.effects.meta_analysis import MetaAnalysis, Model, meta_analysis
from core.effects.tau2 import Tau2Method
from core.types import FloatArray

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Influence:
    """The combined effect without each dataset.

    Attributes
    ----------
    whole : MetaAnalysis
        Of all datasets.
    without : tuple of MetaAnalysis
        Entry i is without dataset i.
    """

    whole: MetaAnalysis
    without: tuple[MetaAnalysis, ...]

    @property
    def estimates(self) -> FloatArray:
        """The combined effect without each dataset, shape (M,)."""
        return np.array([one.estimate for one in self.without])

    @property
    def confidence_intervals(self) -> FloatArray:
        """Its normal interval, shape (M, 2)."""
        return np.array([one.confidence_interval for one in self.without])

    @property
    def intervals(self) -> FloatArray:
        """The interval to state, as `MetaAnalysis.interval`, shape (M, 2)."""
        return np.array([one.interval for one in self.without])

    @property
    def tau2(self) -> FloatArray:
        """τ² without each dataset, shape (M,)."""
        return np.array([one.tau2 for one in self.without])

    @property
    def i2(self) -> FloatArray:
        """I² without each dataset, shape (M,)."""
        return np.array([one.i2 for one in self.without])

    @property
    def shifts(self) -> FloatArray:
        """How far the combined effect moves where a dataset is left out, shape (M,)."""
        return self.estimates - self.whole.estimate

    @property
    def most_influential(self) -> int:
        """The place of the dataset that moves the combined effect most; of several, the first."""
        sizes = np.abs(self.shifts)
        # Shifts that are the same but for rounding are the same.
        return int(np.flatnonzero(sizes >= sizes.max() * (1.0 - 1e-9))[0])

    @property
    def changes_sign(self) -> tuple[int, ...]:
        """Places of the datasets without which the combined effect is on the other side of 0."""
        return tuple(int(i) for i in np.flatnonzero(self.estimates * self.whole.estimate < 0.0))

    def to_frame(self, datasets: Sequence[str] | None = None) -> pd.DataFrame:
        """A row for each dataset that is left out, with the interval to state."""
        import pandas as pd

        names = range(len(self.without)) if datasets is None else datasets
        intervals = self.intervals
        return pd.DataFrame(
            {
                "left_out": list(names),
                "estimate": self.estimates,
                "low": intervals[:, 0],
                "high": intervals[:, 1],
                "shift": self.shifts,
                "tau2": self.tau2,
                "i2": self.i2,
            }
        )


def leave_one_out(
    effects: npt.ArrayLike,
    variances: npt.ArrayLike,
    *,
    model: Model = "random",
    confidence_level: float = 0.95,
    tau2: Tau2Method = "paule-mandel",
) -> Influence:
    """Repeat a meta-analysis without each dataset in turn.

    Parameters
    ----------
    effects, variances, model, confidence_level, tau2
        As of `meta_analysis`; at least two datasets, three for "gumbel".

    Raises
    ------
    ValueError
        If there are fewer, or an argument is not as `meta_analysis` takes it.
    """
    whole = meta_analysis(
        effects, variances, model=model, confidence_level=confidence_level, tau2=tau2
    )
    n, fewest = whole.n_datasets, 3 if model == "gumbel" else 2
    if n < fewest:
        raise ValueError(
            f"`effects` must hold at least {fewest} entries to leave one out under model {model!r}; "
            f"got {n}."
        )
    without = []
    for i in range(n):
        try:
            without.append(
                meta_analysis(
                    np.delete(whole.effects, i),
                    np.delete(whole.variances, i),
                    model=model,
                    confidence_level=confidence_level,
                    tau2=tau2,
                )
            )
        except ValueError as error:
            raise ValueError(f"Without the dataset at index {i}: {error}") from None
    return Influence(whole=whole, without=tuple(without))
