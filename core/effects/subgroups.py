"""Effects of groups of datasets, and whether groups differ."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from core.effects.inputs import checked_effects, checked_variances
from core.effects.meta_analysis import MetaAnalysis, Model, meta_analysis
from core.effects.tau2 import Tau2Method, cochran_q, tau2_where, weighted_mean
from core.types import FloatArray, IntArray

if TYPE_CHECKING:
    import pandas as pd


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
        For each group; under "random" each has its own τ².
    whole : MetaAnalysis
        Of all datasets.
    q_between : float or None
        Q of the groups' estimates, weighted by their variances; None for one group.
        Under "random" they are estimated anew with one τ² for all groups, as a
        group of few datasets cannot show its own: that at which the groups' Q
        add up to M less the number of groups (Paule and Mandel's).
    degrees_of_freedom : int
        Of it: the number of groups less 1.
    degrees_of_freedom_within : int or None
        Of "random": M less the number of groups.
    q_between_p_value : float or None
        Chance of a Q at least as large where the groups have one mean effect: by
        chi-squared, and under "random" by F of Q over its degrees of freedom. None
        for one group, and under "random" where each group is one dataset.

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
    degrees_of_freedom_within: int | None
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
    model: Model = "random",
    confidence_level: float = 0.95,
    tau2: Tau2Method = "paule-mandel",
) -> GroupAnalyses:
    """Combine effects within each group of datasets.

    Parameters
    ----------
    effects, variances, model, confidence_level, tau2
        As of `meta_analysis`.
    groups : sequence of str
        Name of each dataset's group.

    Raises
    ------
    ValueError
        If there is not one group a dataset, or a group's effects cannot be
        combined; the message names the group.
    """
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
    analyses = []
    for group, own in zip(places, members, strict=True):
        try:
            analyses.append(
                meta_analysis(
                    values[own],
                    within[own],
                    model=model,
                    confidence_level=confidence_level,
                    tau2=tau2,
                )
            )
        except ValueError as error:
            raise ValueError(f"Group {str(group)!r}: {error}") from None
    freedom_within = values.size - len(members) if model == "random" else None
    q_between, p_value = None, None
    if len(members) > 1 and freedom_within is not None:
        q_between, p_value = _between_random(values, within, members, freedom_within)
    elif len(members) > 1:
        q_between, p_value = _between(analyses)
    return GroupAnalyses(
        groups=tuple(str(group) for group in places),
        members=members,
        analyses=tuple(analyses),
        whole=meta_analysis(
            values, within, model=model, confidence_level=confidence_level, tau2=tau2
        ),
        q_between=q_between,
        degrees_of_freedom=len(members) - 1,
        degrees_of_freedom_within=freedom_within,
        q_between_p_value=p_value,
    )


def _between(analyses: Sequence[MetaAnalysis]) -> tuple[float, float]:
    """Q of the groups' estimates, and its p-value by chi-squared."""
    from scipy.special import chdtrc

    q = cochran_q(
        np.array([one.estimate for one in analyses]), np.array([one.variance for one in analyses])
    )
    return q, float(chdtrc(len(analyses) - 1, q))


def _between_random(
    effects: FloatArray,
    variances: FloatArray,
    members: Sequence[IntArray],
    freedom_within: int,
) -> tuple[float | None, float | None]:
    """Q of the groups' means with one τ² for all, and its p-value by F."""
    from scipy.special import fdtrc

    if not freedom_within:
        return None, None
    expected = np.array([float(freedom_within)])
    total = variances + float(tau2_where(effects, variances, expected, members=members)[0])
    means = np.array([weighted_mean(effects[own], total[own]) for own in members])
    q = cochran_q(means[:, 0], means[:, 1])
    between = len(members) - 1
    return q, float(fdtrc(between, freedom_within, q / between))
