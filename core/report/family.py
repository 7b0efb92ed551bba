"""Several metrics of the same systems as one family (Dror et al. 2017, footnote 3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.reliability.pairs import PairFamily, count_pairs
from core.report.formatting import format_confidence, list_names
from core.report.questions import Claim
from core.report.subject import Subject
from core.types import FloatArray


def count_metric_family(
    datasets: Sequence[str], p_values: Mapping[str, FloatArray], *, alpha: float = 0.05
) -> PairFamily:
    """Count over datasets × metrics as one family.

    Parameters
    ----------
    datasets : sequence of str, length N
        Their names.
    p_values : mapping of metric to ndarray, shape (N,)
        Of the same claim on these datasets.
    alpha : float
        In (0, 1).

    Raises
    ------
    ValueError
        If there is no metric, or as `count_pairs`.
    """
    if not p_values:
        raise ValueError("`p_values` must hold at least one metric; got none.")
    return count_pairs(
        tuple(datasets) * len(p_values),
        tuple(metric for metric in p_values for _ in datasets),
        np.concatenate(list(p_values.values())),
        alpha=alpha,
    )


def family_sentences(family: PairFamily, subject: Subject, *, claim: Claim) -> tuple[str, ...]:
    """State the counts over pairs and datasets, and when they are the ones to take."""
    statement = subject.claim(claim)
    n, pairs = family.n_datasets, family.n_pairs_bonferroni
    lead = (
        f"{n} datasets × {family.most_choices} metrics make {family.n_pairs} pairs, taken as one "
        "family."
    )
    if pairs:
        names = list_names(family.named_datasets, most=subject.most_names)
        counted = (
            f"With {format_confidence(family.alpha)} confidence, {statement} on at least {pairs} of "
            f"the {family.n_pairs} pairs, and by at least one metric on at least "
            f"{family.n_datasets_by('bonferroni')} of {n} datasets ({names}), whatever the "
            "dependence (Bonferroni)."
        )
    else:
        counted = f"The data do not show that {statement} on any pair (Bonferroni)."
    simes = ""
    if family.n_pairs_simes > pairs:
        simes = (
            f"If the tests are independent or positively dependent (Simes): at least "
            f"{family.n_pairs_simes} pairs, on at least {family.n_datasets_by('simes')} datasets."
        )
    when = (
        "Take this count where the metric was not fixed before looking. None that needs independence "
        "is offered: metrics of the same outputs depend on each other. Where one metric was fixed beforehand, "
        "its own count stands."
    )
    return tuple(sentence for sentence in (f"{lead} {counted}", simes, when) if sentence)
