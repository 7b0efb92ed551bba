"""How often a pair that is ahead on one dataset is ahead on the others, by its p-value.

Vocabulary
----------
hold
    Of a pair's sign: the system ahead on one dataset is ahead on another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.systems.comparisons import PairComparisons, monte_carlo_error
from core.systems.gain_confidence import gain_confidence
from core.systems.held_share import PAIRS_ARE_DEPENDENT, HeldShare
from core.validation import check_choice

if TYPE_CHECKING:
    import pandas as pd

# The rows of Berg-Kirkpatrick et al. 2012, table 1.
BIN_EDGES = (0.00125, 0.0025, 0.005, 0.01, 0.02, 0.04, 0.08)
_NOISY = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class AcrossRow:
    """Pairs with p in one bin on the source, and how many keep their sign on one target.

    Attributes
    ----------
    low, high : float
        The bin is low ≤ p < high.
    target : str
        The other dataset.
    held : HeldShare
        Of the pairs in the bin; a pair that is equal on the target does not hold.
    """

    low: float
    high: float
    target: str
    held: HeldShare


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AcrossCalibration:
    """Whether signs found on one dataset hold on the others.

    Attributes
    ----------
    source : str
        Where p-values are taken.
    targets : tuple of str
        The other datasets.
    rows : tuple of AcrossRow
        For each bin and target.
    notes : tuple of str
        What to know, a sentence each.
    pairs_signature : str
        Of the comparisons.
    """

    source: str
    targets: tuple[str, ...]
    rows: tuple[AcrossRow, ...]
    notes: tuple[str, ...]
    pairs_signature: str
    complete: bool

    @property
    def signature(self) -> str:
        """The line of the comparisons, and the source."""
        return f"calibration:across|source:{self.source.replace('|', '_')}|{self.pairs_signature}"

    def to_frame(self) -> pd.DataFrame:
        """A row for each bin, a share for each target, as Table 1 of the paper."""
        import pandas as pd

        rows: dict[tuple[float, float], dict[str, object]] = {}
        for row in self.rows:
            own = rows.setdefault(
                (row.low, row.high), {"low": row.low, "high": row.high, "n_pairs": row.held.n}
            )
            own[row.target] = row.held.share
        return pd.DataFrame(list(rows.values()))

    def to_long_frame(self) -> pd.DataFrame:
        """A row for each bin and target, with counts and intervals."""
        import pandas as pd

        rows = []
        for row in self.rows:
            low, high = row.held.interval or (None, None)
            rows.append(
                {
                    "source": self.source,
                    "target": row.target,
                    "p_from": row.low,
                    "p_below": row.high,
                    "n_pairs": row.held.n,
                    "n_held": row.held.n_held,
                    "share": row.held.share,
                    "low": low,
                    "high": high,
                }
            )
        return pd.DataFrame(rows)


def calibrate_across(
    pairs: PairComparisons, source: str, *, edges: Sequence[float] = BIN_EDGES
) -> AcrossCalibration:
    """By p on one dataset, the share of pairs whose sign holds on each other dataset.

    Each pair is ordered so that its gain on the source is at least 0; pairs that
    are equal there are left out.

    Parameters
    ----------
    pairs : PairComparisons
        Of at least two datasets.
    source : str
        One of them.
    edges : sequence of float
        Increasing ends of the bins; a bin holds its lower end and not its upper.

    Raises
    ------
    ValueError
        If there is no such dataset, or no other, or edges do not increase.

    References
    ----------
    Berg-Kirkpatrick, Burkett and Klein (EMNLP-CoNLL 2012), table 1.
    """
    check_choice(source, pairs.datasets, name="source")
    targets = tuple(dataset for dataset in pairs.datasets if dataset != source)
    if not targets:
        raise ValueError("`pairs` must be of at least two datasets; got one.")
    ends = np.asarray(edges, dtype=np.float64)
    if ends.size < 2 or bool((np.diff(ends) <= 0.0).any()):
        raise ValueError(f"`edges` must be at least two increasing numbers; got {list(edges)!r}.")
    place = pairs.datasets.index(source)
    points = gain_confidence(pairs)
    own = (points.dataset_of == place) & (points.gains > 0.0)
    ahead, behind, p_values = points.ahead[own], points.behind[own], points.p_values[own]
    rows = []
    for low, high in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True):
        inside = (p_values >= low) & (p_values < high)
        for target in targets:
            gains = pairs.gains(target)[ahead[inside], behind[inside]]
            held = HeldShare(n=int(gains.size), n_held=int(np.count_nonzero(gains > 0.0)))
            rows.append(AcrossRow(low=low, high=high, target=target, held=held))
    return AcrossCalibration(
        source=source,
        targets=targets,
        rows=tuple(rows),
        notes=_notes(pairs, place, float(ends[0])),
        pairs_signature=pairs.signature,
        complete=pairs.complete,
    )


def _notes(pairs: PairComparisons, place: int, lowest: float) -> tuple[str, ...]:
    found = [PAIRS_ARE_DEPENDENT]
    b = pairs.n_resamples[place]
    if b is not None and lowest > 0.0 and monte_carlo_error(lowest, b) > _NOISY * lowest:
        found.append(
            f"With {b:,} resamples a p-value of {lowest:g} has a standard error of "
            f"{monte_carlo_error(lowest, b):.2g}, so the first bins hold pairs of their neighbours: "
            f"{round(1.0 / (lowest * _NOISY**2)):,} resamples make it a tenth."
        )
    return tuple(found)
