"""Several metrics of the same systems as one family (Dror et al. 2017, footnote 3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil

import numpy as np

from core.replicability.counting import count_datasets
from core.report.formatting import format_confidence
from core.report.questions import Claim
from core.report.subject import Subject
from core.types import FloatArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MetricFamily:
    """Counts over all pairs of dataset and metric.

    Attributes
    ----------
    n_datasets, n_metrics : int
        N and m; the family has N·m p-values.
    alpha : float
        In (0, 1).
    n_pairs_bonferroni, n_pairs_simes : int
        On at least how many pairs there is an effect.
    """

    n_datasets: int
    n_metrics: int
    alpha: float
    n_pairs_bonferroni: int
    n_pairs_simes: int

    @property
    def n_pairs(self) -> int:
        """How many pairs there are."""
        return self.n_datasets * self.n_metrics

    def datasets_of(self, n_pairs: int) -> int:
        """On at least how many datasets so many pairs lie: a dataset has one for each metric."""
        return ceil(n_pairs / self.n_metrics)


def count_metric_family(p_values: Mapping[str, FloatArray], *, alpha: float = 0.05) -> MetricFamily:
    """Count over datasets × metrics as one family.

    Parameters
    ----------
    p_values : mapping of metric to ndarray, shape (N,)
        Of the same claim on the same datasets.
    alpha : float
        In (0, 1).

    Raises
    ------
    ValueError
        If there is no metric, or as `count_datasets`.
    """
    if not p_values:
        raise ValueError("`p_values` must hold at least one metric; got none.")
    together = np.concatenate(list(p_values.values()))
    return MetricFamily(
        n_datasets=next(iter(p_values.values())).size,
        n_metrics=len(p_values),
        alpha=alpha,
        n_pairs_bonferroni=count_datasets(together, alpha=alpha).k_hat,
        n_pairs_simes=count_datasets(together, alpha=alpha, combination="simes").k_hat,
    )


def family_sentences(family: MetricFamily, subject: Subject, *, claim: Claim) -> tuple[str, ...]:
    """State the counts over pairs and datasets, and when they are the ones to take."""
    statement = subject.claim(claim)
    lead = (
        f"{family.n_datasets} datasets × {family.n_metrics} metrics make {family.n_pairs} pairs, "
        "taken as one family."
    )
    confidence = format_confidence(family.alpha)
    if family.n_pairs_bonferroni:
        counted = (
            f"With {confidence} confidence, {statement} on at least {family.n_pairs_bonferroni} of "
            f"the {family.n_pairs} pairs, so by at least one metric on at least "
            f"{family.datasets_of(family.n_pairs_bonferroni)} of {family.n_datasets} datasets, "
            "whatever the dependence (Bonferroni)."
        )
    else:
        counted = f"The data do not show that {statement} on any pair (Bonferroni)."
    simes = ""
    if family.n_pairs_simes > family.n_pairs_bonferroni:
        simes = (
            f"If the tests are independent or positively dependent (Simes): at least "
            f"{family.n_pairs_simes} pairs, so {family.datasets_of(family.n_pairs_simes)} datasets."
        )
    when = (
        "Take this count where the metric was not fixed before looking. Fisher's is not offered: "
        "metrics of the same outputs depend on each other. Where one metric was fixed beforehand, "
        "its own count stands."
    )
    return tuple(sentence for sentence in (f"{lead} {counted}", simes, when) if sentence)
