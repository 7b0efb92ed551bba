"""P-values along a numeric covariate, such as sentence length, beside what chance alone gives.

Two questions stand beside each other. Is A better on the examples with at most
(at least) so much of the covariate? That is each p-value of the curve, of a cut-off
fixed beforehand. Does the difference depend on the covariate at all? That compares
the curve with curves of random orders of the same examples.

Vocabulary
----------
cut-off
    A value of the covariate; a part of the examples has at most that much, a part
    at least.
band
    Where p-values of random orders lie, at each cut-off: parts of the same sizes,
    drawn at random.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from ..data.result_set import ResultSet
from ..metrics.per_example import other_than_binary
from ..metrics.registry import CORRELATIONS, MEAN, divided, is_counted, statistic_metric
from ..significance.choose import suitable_tests
from ..significance.differences import Clusters, Differences, clusters_of, paired_differences
from ..significance.known_tests import PairedBootstrap, Randomization, significance_test_named
from ..significance.plan import check_compared
from ..significance.randomization import is_exact
from ..significance.settings import Rng, dataset_stream, positive_number, seed_of
from ..significance.stopping import Progress, Steps, Stopped
from ..significance.wilcoxon import SignedRankTest
from ..simulation.like_my_data import contributions
from ..types import FloatArray, IntArray
from ..validation import check_alpha, check_choice
from .cut_offs import (
    EXACT_RANKS,
    CutOffCurve,
    CutOffStudy,
    CutOffTest,
    Side,
)
from .flipped_choices import FIRST_ORDER_NOTE

# The default cut-offs part the examples into so many.
_PARTS = 20
BAND = (0.05, 0.95)
# Entries of orders held at once.
_ENTRIES = 1 << 20

NORMAL_BOOTSTRAP = (
    "the paired bootstrap's p-values are those of the normal distribution it tends to"
)
NORMAL_WILCOXON = (
    f"Wilcoxon's p-values are by its normal approximation on parts with more than {EXACT_RANKS} "
    "differing examples, so that they may differ a little from those of other pages"
)


def _of_random_orders(
    runner: CutOffTest,
    n_orders: int,
    stream: np.random.Generator,
    steps: Steps,
) -> tuple[FloatArray, FloatArray]:
    """P-values of the orders that are done, on either side, and the largest contrast of each."""
    n = runner.differences.n
    random, largest = np.empty((n_orders, 2, runner.n_at_most.size)), np.empty(n_orders)
    step = max(1, _ENTRIES // n) if runner.is_quick else 1
    while steps.done < n_orders and steps.keep_going():
        some = slice(steps.done, min(steps.done + step, n_orders))
        orders = np.stack([stream.permutation(n) for _ in range(some.start, some.stop)])
        try:
            random[some] = runner.p_values(orders, steps.keep_going)
        except Stopped:
            break
        largest[some] = runner.contrasts(orders).max(axis=1)
        steps.done = some.stop
    steps.end("The study was stopped before one random order was done.")
    return random[: steps.done], largest[: steps.done].copy()


def _values(covariate: npt.ArrayLike, n: int) -> FloatArray:
    try:
        values = np.asarray(covariate, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError("`covariate` must be numbers, one an example.") from None
    if values.shape != (n,):
        raise ValueError(
            f"`covariate` must hold one number an example, {n} of them; got shape {values.shape}."
        )
    if np.isinf(values).any():
        raise ValueError("`covariate` must be finite, or nan where an example has none.")
    known = values[~np.isnan(values)]
    if known.size == 0:
        raise ValueError(f"`covariate` must be known of some examples; none of {n} has it.")
    if bool((known == known[0]).all()):
        raise ValueError(
            f"`covariate` must vary; all examples have {float(known[0])!r}. Choose another."
        )
    return values


def _cut_offs(given: Sequence[float] | None, values: FloatArray) -> FloatArray:
    if given is None:
        # In whole numbers: .55 · 200 is above 110 in floats.
        places = -(-np.arange(1, _PARTS) * values.size // _PARTS) - 1
        return np.unique(np.sort(values)[places])
    cuts = np.unique(np.asarray(given, dtype=np.float64))
    if cuts.size == 0 or not np.isfinite(cuts).all():
        raise ValueError("`cut_offs` must be finite numbers, at least one.")
    if not bool(((cuts >= values.min()) & (cuts <= values.max())).any()):
        raise ValueError(
            f"`cut_offs` must have one between {float(values.min())!r} and "
            f"{float(values.max())!r}, the covariate's ends."
        )
    return cuts


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
    tested by each example's share in their difference, to first order. McNemar's tests,
    the sign test, the t-test and the bootstrap (by the normal distribution that it tends
    to) need sums only; Wilcoxon and randomization take longer.

    An example whose `covariate` is nan is in no part, and is said to be. The metric is by default
    the first, and no correlation; `test` is one that `suitable_cut_off_tests` names, or "auto", its
    first. `cut_offs` are by default the values that part the examples in twentieths. Of `n_random`
    random orders fewer are the first of more, and those done before a stop are kept; `n_resamples`
    are of randomization, where it is not exact. `name` is the covariate's.

    References
    ----------
    Søgaard et al. (CoNLL 2014), section 3; for the largest contrast over
    cut-offs, Miller and Siegmund (Biometrics 1982).
    """
    check_compared(result_set, a, b)
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
    sizes = _sizes(result_set, dataset, a, b, asked)
    given = _values(covariate, differences.n)
    labels = result_set.clusters_of(dataset)
    if labels is not None:
        together = clusters_of(labels, n_examples=differences.n)
        given = _of_clusters(given, together)
        differences = together.summed_differences(differences)
        sizes = together.summed(sizes)
    notes = () if result_set.kind_of(asked) == MEAN else (FIRST_ORDER_NOTE,)
    chosen = suitable[0] if wanted == "auto" else wanted
    if wanted == "auto" and chosen == _QUICK and is_exact(differences):
        notes = (*notes, T_NOTE)
    level = check_alpha(alpha)
    total = positive_number("n_random", n_random)
    seed = seed_of(rng)
    known = ~np.isnan(given)
    own, n_missing = given[known], int(np.count_nonzero(~known))
    if n_missing:
        differences, sizes = differences.part(np.flatnonzero(known)), sizes[known]
    cuts = _cut_offs(cut_offs, own)
    order = np.argsort(own, kind="stable")
    ordered = own[order]
    n_low = np.searchsorted(ordered, cuts, side="right")
    n_high = ordered.size - np.searchsorted(ordered, cuts, side="left")
    runner = CutOffTest(
        differences=differences,
        sizes=sizes,
        test=chosen,
        n_at_most=n_low,
        n_at_least=n_high,
        n_resamples=positive_number("n_resamples", n_resamples),
        seed=seed,
    )

    steps = Steps(on_progress, total=total)
    whole = replace(runner, n_at_most=np.array([ordered.size]), n_at_least=np.array([ordered.size]))
    of_all = float(whole.p_values(order[np.newaxis], steps.keep_going)[0, 0, 0])
    (observed,) = runner.p_values(order[np.newaxis], steps.keep_going)
    contrasts = runner.contrasts(order[np.newaxis])[0]
    stream = dataset_stream(seed, dataset, "cut-off orders")
    random, largest = _of_random_orders(runner, total, stream, steps)
    sums, of_sizes = (runner.sums(rows[order]) for rows in (differences.values, sizes))

    def curve(side: Side, n_examples: IntArray, place: int) -> CutOffCurve:
        low, middle, high = np.quantile(random[:, place], (BAND[0], 0.5, BAND[1]), axis=0)
        return CutOffCurve(
            side=side,
            cut_offs=cuts,
            n_examples=n_examples,
            differences=divided(sums[place], of_sizes[place]),
            p_values=observed[place],
            low=low,
            middle=middle,
            high=high,
        )

    kernel = significance_test_named(chosen).kernel
    approximate = (NORMAL_BOOTSTRAP,) if isinstance(kernel, PairedBootstrap) else ()
    # Of differences of one size they are the sign test's.
    if isinstance(kernel, SignedRankTest) and not runner.is_quick:
        approximate = (NORMAL_WILCOXON,)
    return CutOffStudy(
        dataset=dataset,
        covariate=name,
        metric=asked,
        test=chosen,
        unit=differences.unit,
        alpha=level,
        n_examples=ordered.size,
        n_missing=n_missing,
        p_value_of_all=of_all,
        at_most=curve("at most", n_low, 0),
        at_least=curve("at least", n_high, 1),
        smallest_of_random=random.min(axis=(1, 2)),
        contrasts=contrasts,
        largest_contrast_of_random=largest,
        n_asked=total,
        n_resamples=n_resamples if isinstance(kernel, Randomization) else None,
        seed=seed,
        same_sizes=bool((sizes == sizes[0]).all()),
        notes=(*notes, *approximate),
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
    found = contributions(result_set, dataset, a, b, metric)
    return (
        found if found.integers is not None else paired_differences(found.values, np.zeros(found.n))
    )


def _sizes(result_set: ResultSet, dataset: str, a: str, b: str, metric: str) -> FloatArray:
    """How much each example counts, shape (n,): 1 in a mean, else shares that add up to 1."""
    sizes: FloatArray = np.ones(result_set.n_examples(dataset))
    kind = result_set.kind_of(metric)
    if kind == MEAN:
        return sizes
    weights = statistic_metric(kind).sizes if is_counted(kind) else ()
    if weights:
        first, second = (result_set.scores(dataset, system, metric) for system in (a, b))
        counted: FloatArray = (first + second) @ np.array(weights)
        sizes = counted if counted.sum() > 0.0 else sizes
    shares: FloatArray = sizes / sizes.sum()
    return shares


def _of_clusters(values: FloatArray, together: Clusters) -> FloatArray:
    """The value of each cluster, shape (n_clusters,)."""
    own: FloatArray = values[np.unique(together.codes, return_index=True)[1]]
    if not np.array_equal(values, own[together.codes], equal_nan=True):
        raise ValueError(
            "`covariate` must be the same for all examples of a cluster, as they are drawn and "
            "exchanged together; it varies within one. Take a property of whole clusters, such as "
            "the length of the document."
        )
    return own
