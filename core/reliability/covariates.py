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

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from ..data.result_set import ResultSet
from ..metrics.registry import CORRELATIONS, MEAN, divided, is_counted, statistic_metric
from ..significance.choose import suitable_tests
from ..significance.differences import clusters_of, paired_differences
from ..significance.known_tests import is_bootstrap
from ..significance.randomization import is_exact
from ..significance.settings import Rng, dataset_stream, seed_of
from ..significance.stopping import Progress, Steps
from ..simulation.like_my_data import contributions
from ..types import FloatArray, IntArray
from .cut_offs import CutOffCurve, CutOffStudy, CutOffTest, Side
from .flipped_choices import FIRST_ORDER_NOTE

# The default cut-offs part the examples into so many.
_PARTS = 20
BAND = (0.05, 0.95)
# Entries of orders held at once.
_ENTRIES = 1 << 20

NORMAL_BOOTSTRAP = (
    "the paired bootstrap's p-values are those of the normal distribution it tends to"
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
    step = max(1, _ENTRIES // n)
    while steps.done < n_orders and steps.keep_going():
        some = slice(steps.done, min(steps.done + step, n_orders))
        orders = np.stack([stream.permutation(n) for _ in range(some.start, some.stop)])
        random[some] = runner.p_values(orders)
        largest[some] = runner.contrasts(orders).max(axis=1)
        steps.done = some.stop
    steps.end("The study was stopped before one random order was done.")
    return random[: steps.done], largest[: steps.done].copy()


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
    alpha: float = 0.05,
    n_random: int = 200,
    rng: Rng = 0,
    name: str = "",
    on_progress: Progress | None = None,
) -> CutOffStudy:
    """Test "A is better" on the examples with at most, and with at least, each cut-off.

    Where examples come in clusters the clusters are ordered, and the covariate
    has to be the same for all examples of one. Metrics of summed statistics are
    tested by each example's share in their difference, to first order. An example whose `covariate`
    is nan is in no part, and is said to be; it has at least two values. The metric is by default the
    first, and no correlation. Of `n_random` random orders fewer are the first of more, and those
    done before a stop are kept. `name` is the covariate's.

    References
    ----------
    Søgaard et al. (CoNLL 2014), section 3; for the largest contrast over
    cut-offs, Miller and Siegmund (Biometrics 1982).
    """
    asked = result_set.metrics[0] if metric is None else metric
    chosen = cut_off_test(result_set, dataset, asked)
    if chosen is None:
        raise ValueError(
            f"`metric` must not be a correlation for a study along a covariate; '{asked}' of a "
            "part is no sum of its examples' shares. Test the parts as datasets of their own."
        )
    differences = contributions(result_set, dataset, a, b, asked)
    if differences.integers is None:
        differences = paired_differences(differences.values, np.zeros(differences.n))
    sizes = _sizes(result_set, dataset, a, b, asked)
    given = np.asarray(covariate, dtype=np.float64)
    labels = result_set.clusters_of(dataset)
    if labels is not None:
        together = clusters_of(labels, n_examples=differences.n)
        given = given[np.unique(together.codes, return_index=True)[1]]
        differences = together.summed_differences(differences)
        sizes = together.summed(sizes)
    notes = () if result_set.kind_of(asked) == MEAN else (FIRST_ORDER_NOTE,)
    if chosen == _QUICK and is_exact(differences):
        notes = (*notes, T_NOTE)
    seed = seed_of(rng)
    known = ~np.isnan(given)
    own, n_missing = given[known], int(np.count_nonzero(~known))
    if n_missing:
        differences, sizes = differences.part(np.flatnonzero(known)), sizes[known]
    # In whole numbers: .55 · 200 is above 110 in floats.
    places = -(-np.arange(1, _PARTS) * own.size // _PARTS) - 1
    cuts = np.unique(np.sort(own)[places])
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
    )
    steps = Steps(on_progress, total=n_random)
    whole = replace(runner, n_at_most=np.array([ordered.size]), n_at_least=np.array([ordered.size]))
    of_all = float(whole.p_values(order[np.newaxis])[0, 0, 0])
    (observed,) = runner.p_values(order[np.newaxis])
    contrasts = runner.contrasts(order[np.newaxis])[0]
    stream = dataset_stream(seed, dataset, "cut-off orders")
    random, largest = _of_random_orders(runner, n_random, stream, steps)
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

    return CutOffStudy(
        dataset=dataset,
        covariate=name,
        metric=asked,
        test=chosen,
        unit=differences.unit,
        alpha=alpha,
        n_examples=ordered.size,
        n_missing=n_missing,
        p_value_of_all=of_all,
        at_most=curve("at most", n_low, 0),
        at_least=curve("at least", n_high, 1),
        smallest_of_random=random.min(axis=(1, 2)),
        contrasts=contrasts,
        largest_contrast_of_random=largest,
        n_asked=n_random,
        seed=seed,
        same_sizes=bool((sizes == sizes[0]).all()),
        notes=(*notes, NORMAL_BOOTSTRAP) if is_bootstrap(chosen) else notes,
    )


def cut_off_test(result_set: ResultSet, dataset: str, metric: str) -> str | None:
    """The test of a study along a covariate, which needs sums only; None for correlations.

    Randomization takes much longer: so of clusters and of metrics of sums it is the bootstrap,
    and of means other than of 0 and 1 the paired t-test, which is about the mean as well.
    """
    kind = result_set.kind_of(metric)
    if kind in CORRELATIONS:
        return None
    if kind == MEAN and result_set.clusters_of(dataset) is not None:
        return suitable_tests(kind, clustered=True)[-1]
    if kind == MEAN and not result_set.has_outcomes(metric):
        return _QUICK
    return suitable_tests(kind)[0]


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
