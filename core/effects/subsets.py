"""Random effects of parts of the datasets: without each one in turn, and of groups."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ..types import FloatArray, IntArray
from .heterogeneity import cochran_q, tau2_where, weighted_mean
from .inputs import checked_effects, checked_variances
from .meta_analysis import MetaAnalysis, meta_analysis

if TYPE_CHECKING:
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
    confidence_level: float = 0.95,
    tau2: str = "paule-mandel",
) -> Influence:
    """Repeat a meta-analysis without each dataset in turn.

    Parameters
    ----------
    effects, variances, confidence_level, tau2
        As of `meta_analysis`; at least two datasets.

    Raises
    ------
    ValueError
        If there are fewer, or an argument is not as `meta_analysis` takes it.
    """
    whole = meta_analysis(effects, variances, confidence_level=confidence_level, tau2=tau2)
    n = whole.n_datasets
    if n < 2:
        raise ValueError("`effects` must hold at least 2 entries to leave one out; got 1.")
    without = [
        meta_analysis(
            np.delete(whole.effects, i),
            np.delete(whole.variances, i),
            confidence_level=confidence_level,
            tau2=tau2,
        )
        for i in range(n)
    ]
    return Influence(whole=whole, without=tuple(without))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GroupAnalyses:
    """One combined effect for each group.

    Attributes
    ----------
    groups : tuple of str
        Names of the groups, in the order of their first dataset.
    members : tuple of ndarray of int
        For each group the places of its datasets.
    analyses : tuple of MetaAnalysis
        For each group, each with its own τ².
    whole : MetaAnalysis
        Of all datasets.
    q_between : float or None
        Q of the groups' means, weighted by their variances, with one τ² for all groups,
        as a group of few datasets cannot show its own: that at which the groups' Q add
        up to M less the number of groups (Paule and Mandel's). None for one group, and
        where each group is one dataset.
    degrees_of_freedom : int
        Of it: the number of groups less 1.
    degrees_of_freedom_within : int
        M less the number of groups.
    q_between_p_value : float or None
        Chance of a Q at least as large where the groups have one mean effect, by F of Q
        over its degrees of freedom; None where there is no Q.

    References
    ----------
    Borenstein, Hedges, Higgins and Rothstein (Introduction to Meta-Analysis 2009),
    chapter 19; Knapp and Hartung (Statistics in Medicine 2003) for the F-test.
    """

    groups: tuple[str, ...]
    members: tuple[IntArray, ...]
    analyses: tuple[MetaAnalysis, ...]
    whole: MetaAnalysis
    q_between: float | None
    degrees_of_freedom: int
    degrees_of_freedom_within: int
    q_between_p_value: float | None

    def to_frame(self) -> pd.DataFrame:
        """A row for each group, with the interval to state."""
        import pandas as pd

        return pd.DataFrame(
            {
                "group": list(self.groups),
                "n_datasets": [one.n_datasets for one in self.analyses],
                "estimate": [one.estimate for one in self.analyses],
                "low": [one.interval[0] for one in self.analyses],
                "high": [one.interval[1] for one in self.analyses],
                "q": [one.q for one in self.analyses],
                "tau2": [one.tau2 for one in self.analyses],
                "i2": [one.i2 for one in self.analyses],
            }
        )


def group_analyses(
    effects: npt.ArrayLike,
    variances: npt.ArrayLike,
    groups: Sequence[Hashable],
    *,
    confidence_level: float = 0.95,
    tau2: str = "paule-mandel",
) -> GroupAnalyses:
    """Combine effects within each group of datasets.

    Parameters
    ----------
    effects, variances, confidence_level, tau2
        As of `meta_analysis`.
    groups : sequence of str
        Name of each dataset's group.

    Raises
    ------
    ValueError
        If there is not one group a dataset, or effects cannot be combined.
    """
    from scipy.special import fdtrc

    values = checked_effects(effects)
    within = checked_variances(variances, n_effects=values.size)
    if len(groups) != values.size:
        raise ValueError(
            f"`groups` must name one group for each of {values.size} effects; got {len(groups)}."
        )
    places: dict[Hashable, list[int]] = {}
    for i, group in enumerate(groups):
        if group is None or group != group or group == "":
            raise ValueError(f"`groups` must name a group for each effect; none at index {i}.")
        places.setdefault(group, []).append(i)
    members = tuple(np.array(own, dtype=np.intp) for own in places.values())
    analyses = tuple(
        meta_analysis(values[own], within[own], confidence_level=confidence_level, tau2=tau2)
        for own in members
    )
    between, inside = len(members) - 1, values.size - len(members)
    q_between, p_value = None, None
    if between and inside:
        expected = np.array([float(inside)])
        total = within + float(tau2_where(values, within, expected, members=members)[0])
        means = np.array([weighted_mean(values[own], total[own]) for own in members])
        q_between = cochran_q(means[:, 0], means[:, 1])
        p_value = float(fdtrc(between, inside, q_between / between))
    return GroupAnalyses(
        groups=tuple(str(group) for group in places),
        members=members,
        analyses=analyses,
        whole=meta_analysis(values, within, confidence_level=confidence_level, tau2=tau2),
        q_between=q_between,
        degrees_of_freedom=between,
        degrees_of_freedom_within=inside,
        q_between_p_value=p_value,
    )
