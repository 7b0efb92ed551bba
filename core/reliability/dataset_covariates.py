"""The study along a covariate, of one dataset of a set of results by one of its metrics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from core.data.result_set import ResultSet
from core.metrics.per_example import other_than_binary
from core.metrics.registry import CORRELATIONS, MEAN
from core.reliability.covariates import study_of_differences
from core.reliability.cut_offs import CutOffStudy
from core.reliability.flipped_choices import FIRST_ORDER_NOTE
from core.reliability.pairs import Progress
from core.significance.choose import suitable_tests
from core.significance.clusters import Clusters, clusters_of
from core.significance.differences import Differences, paired_differences
from core.significance.randomization import is_exact
from core.significance.streams import Rng
from core.simulation.flip_differences import contributions
from core.types import FloatArray
from core.validation import check_choice, check_two_systems

# About the mean as randomization is, and needs sums only.
_QUICK = "paired-t"
T_NOTE = (
    "every part is tested by the paired t-test, which is about the mean as randomization is, the "
    "test of other pages, but takes less time: p-values may differ a little from those there"
)


def dataset_cut_off_study(
    result_set: ResultSet,
    dataset: str,
    covariate: npt.ArrayLike,
    *,
    a: str,
    b: str,
    metric: str | None = None,
    test: str = "auto",
    alpha: float = 0.05,
    cut_offs: Sequence[float] | None = None,
    n_random: int = 200,
    n_resamples: int = 999,
    rng: Rng = 0,
    name: str = "",
    on_progress: Progress | None = None,
) -> CutOffStudy:
    """Test "A is better" on the examples with at most, and with at least, each cut-off.

    Where examples come in clusters the clusters are ordered, and the covariate
    has to be the same for all examples of one. Metrics of summed statistics are
    tested by each example's share in their difference, to first order.

    Parameters
    ----------
    result_set : ResultSet
        Per-example scores of both systems.
    dataset : str
        Which of its datasets.
    covariate : array_like, shape (n,)
        A number for each example; one with nan is in no part, and is said to be.
    a, b : str
        Names of the systems.
    metric : str, optional
        By default the first; not a correlation.
    test : str
        One that `suitable_cut_off_tests` names, or "auto", its first.
    alpha : float
        In (0, 1); `CutOffStudy.at_level` changes it without a new run.
    cut_offs : sequence of float, optional
        By default the values that part the examples in twentieths.
    n_random : int
        Random orders; fewer are the first of more.
    n_resamples : int
        Of randomization, where it is not exact.
    rng : int or Generator
        Seed.
    name : str
        Of the covariate.
    on_progress : callable, optional
        Called as ``on_progress(done, total)`` with numbers of orders. Returning
        False stops and keeps the random orders done.

    Raises
    ------
    ValueError
        If an argument is not as described, the metric is a correlation or not
        defined, or the covariate varies within a cluster.
    Stopped
        If it was stopped before one random order was done.

    References
    ----------
    Søgaard et al. (CoNLL 2014), section 3; for the largest contrast over
    cut-offs, Miller and Siegmund (Biometrics 1982).
    """
    check_two_systems(a, b, result_set.systems)
    check_choice(dataset, result_set.datasets, name="dataset")
    asked = result_set.metrics[0] if metric is None else metric
    suitable = suitable_cut_off_tests(result_set, dataset, a=a, b=b, metric=asked)
    if not suitable:
        raise ValueError(
            f"`metric` must not be a correlation for a study along a covariate; '{asked}' of a "
            "part is no sum of its examples' shares. Test the parts as datasets of their own."
        )
    wanted = check_choice(test, ("auto", *suitable), name="test")
    differences = _differences(result_set, dataset, a, b, asked)
    values = np.asarray(covariate)
    labels = result_set.clusters_of(dataset)
    if labels is not None:
        together = clusters_of(labels, n_examples=differences.n)
        values = _of_clusters(values, together)
        differences = together.summed_differences(differences)
    notes = () if result_set.kind_of(asked) == MEAN else (FIRST_ORDER_NOTE,)
    chosen = suitable[0] if wanted == "auto" else wanted
    if wanted == "auto" and chosen == _QUICK and is_exact(differences):
        notes = (*notes, T_NOTE)
    return study_of_differences(
        differences,
        values,
        test=chosen,
        alpha=alpha,
        cut_offs=cut_offs,
        n_random=n_random,
        n_resamples=n_resamples,
        rng=rng,
        dataset=dataset,
        name=name,
        metric=asked,
        notes=notes,
        on_progress=on_progress,
    )


def suitable_cut_off_tests(
    result_set: ResultSet, dataset: str, *, a: str, b: str, metric: str | None = None
) -> tuple[str, ...]:
    """The tests that a study along a covariate offers, the one that "auto" takes first.

    None for correlations. Randomization takes much longer than tests that need
    sums only: so of clusters and of metrics of sums the bootstrap comes first,
    and of means other than of 0 and 1 the paired t-test, which is about the
    mean as well.
    """
    asked = result_set.metrics[0] if metric is None else metric
    kind = result_set.kind_of(asked)
    if kind in CORRELATIONS:
        return ()
    if kind != MEAN:
        return suitable_tests(kind)
    if result_set.clusters_of(dataset) is not None:
        return tuple(reversed(suitable_tests(kind, clustered=True)))
    zero_one = not any(
        other_than_binary(result_set.scores(dataset, system, asked)) for system in (a, b)
    )
    suitable = suitable_tests(MEAN, zero_one=zero_one)
    if result_set.has_outcomes(asked):
        return suitable
    return tuple(sorted(suitable, key=lambda name: name != _QUICK))


def _differences(result_set: ResultSet, dataset: str, a: str, b: str, metric: str) -> Differences:
    if result_set.kind_of(metric) == MEAN:
        return paired_differences(
            result_set.oriented(dataset, a, metric), result_set.oriented(dataset, b, metric)
        )
    values, integers = contributions(result_set, dataset, a, b, metric)
    found = paired_differences(values, np.zeros(values.size))
    if integers is None or not integers.any():
        return found
    # One step for both, which what is found in the shares alone need not be.
    largest = int(np.abs(integers).argmax())
    return replace(found, integers=integers, step=float(values[largest] / integers[largest]))


def _of_clusters(covariate: npt.NDArray[np.generic], together: Clusters) -> FloatArray:
    """The value of each cluster, shape (n_clusters,)."""
    if covariate.shape != together.codes.shape:
        raise ValueError(
            f"`covariate` must hold one number an example, {together.codes.size} of them; got "
            f"shape {covariate.shape}."
        )
    values = covariate.astype(np.float64)
    first = np.unique(together.codes, return_index=True)[1]
    own = values[first]
    if not np.array_equal(values, own[together.codes], equal_nan=True):
        raise ValueError(
            "`covariate` must be the same for all examples of a cluster, as they are drawn and "
            "exchanged together; it varies within one. Take a property of whole clusters, such as "
            "the length of the document."
        )
    found: FloatArray = own
    return found
