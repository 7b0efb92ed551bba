"""Run a test on each of many datasets, by a plan that is checked before any of them is run.

A p-value from b resamples is an estimate. Robbins' confidence sequence holds what
it would settle to with more of them, at every number of resamples at once, so
that one may look, go on and look again. A decision at a threshold is settled
where the threshold lies outside that interval.

The resamples of a larger number begin with those of a smaller one. So a p-value
depends on the seed, the dataset, the test and the total number, and not on how
often one went on.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import numpy.typing as npt

from ..comparison import BETTER, Margin
from ..data.p_value_table import PValueTable
from ..data.result_set import ResultSet
from ..errors import DataError, Problem
from ..metrics.per_example import LABEL_METRICS, n_label_statistics
from ..metrics.registry import CORRELATIONS, MEAN
from ..types import BoolArray, FloatArray
from ..validation import check_open_share, check_whole
from .known_tests import check_settings, significance_test_named
from .plan import (
    PlannedTest,
    by_dataset,
    check_compared,
    clusters_by_dataset,
    given_of,
    given_on,
    gold_for,
    planned_tests,
)
from .resamples import CHUNK_DRAWS
from .settings import (
    Estimator,
    IntervalKind,
    Method,
    Rng,
    Settings,
    TestAlternative,
    Zeros,
    dataset_stream,
    seed_of,
)
from .single import SignificanceResult
from .stopping import KeepGoing, Stopped, run_counted

# Draws of means are held so many at once, whatever n, at 10 bytes.
_BYTES_OF_MEANS = 10 << 18
# Bytes a draw: indices, counts and their copy as floats; for Spearman's midranks of three columns.
_BYTES_OF_SUMS, _BYTES_OF_RANKS = 24, 80
# Statistics of both systems, side by side and sorted.
_COPIES_OF_STATISTICS = 6
# Those of `significance.correlation`, whatever was given of an example.
_STATISTICS_OF_CORRELATIONS = 6
# A table holds every dataset done: made for each of thousands it would take longer than the tests.
_TOLD_ONE_BY_ONE = 50
_SHARE_OF_TELLING = 20.0


def run_planned(
    result_set: ResultSet,
    dataset: str,
    plan: PlannedTest,
    *,
    a: str,
    b: str,
    keep_going: KeepGoing,
) -> SignificanceResult:
    """The result of one dataset's test, from its own stream of random numbers."""
    name = result_set.name_in_file(dataset)
    given = given_on(result_set, dataset, (a, b), plan.metric, clusters=plan.clusters)
    rng = dataset_stream(plan.seed, name, plan.test)
    result = given.tested(plan.test, plan.settings, rng=rng, keep_going=keep_going)
    return replace(result, metric=plan.metric, seed=plan.seed, dataset=name)


def bytes_held(result_set: ResultSet, dataset: str, plan: PlannedTest, *, a: str) -> int:
    """About how much memory one dataset's test holds at once while it draws resamples."""
    kind = result_set.kind_of(plan.metric)
    given = given_of(result_set, dataset, a, metric=plan.metric, kind=kind)
    n = int(given.shape[0])
    # Of means in clusters, sums and sizes.
    width = int(given.shape[1]) if given.ndim > 1 else 1 if plan.clusters is None else 2
    if kind in CORRELATIONS:
        width = _STATISTICS_OF_CORRELATIONS
    elif kind in LABEL_METRICS:
        gold = gold_for(result_set, dataset, kind)
        width = n_label_statistics(kind, len({*given.tolist(), *gold.tolist()}))
    a_draw = _BYTES_OF_RANKS if kind == "spearman" else _BYTES_OF_SUMS
    held = _BYTES_OF_MEANS if kind == MEAN else a_draw * max(CHUNK_DRAWS, n)
    return held + 8 * _COPIES_OF_STATISTICS * n * width


def run_dataset_tests(
    result_set: ResultSet,
    *,
    a: str,
    b: str,
    test: str | Mapping[str, str] = "auto",
    metric: str | Mapping[str, str] | None = None,
    clusters: Mapping[str, npt.ArrayLike] | None = None,
    method: Method = "auto",
    n_resamples: int | Mapping[str, int] = 9999,
    resample_size: int | None = None,
    estimator: Estimator = "add-one",
    zeros: Zeros = "wilcox",
    interval: IntervalKind = "basic",
    claim: str = BETTER,
    margin: Margin | Mapping[str, float] = 0.0,
    rng: Rng = 0,
    n_threads: int = 1,
    on_progress: Callable[[int, int], object] | None = None,
    on_result: Callable[[PValueTable], object] | None = None,
) -> PValueTable:
    """Test "A is better than B" on every dataset.

    A dataset's p-value depends on the seed, its name, its test with its
    settings, its scores and clusters and its number of resamples, and on no
    other dataset. It does not depend on the number of threads.

    Parameters
    ----------
    result_set : ResultSet
        Per-example scores of both systems.
    a, b : str
        Names of the systems.
    test : str or mapping of dataset to str
        One of `significance_tests`, or "auto": `choose_test` decides for each
        dataset.
    metric : str or mapping of dataset to str, optional
        Name of the scores' metric, the set's first by default; also one of its
        `label_metrics`.
    clusters : mapping of dataset to array_like, optional
        For each dataset whose examples come in clusters their labels, shape
        (n,), as `run_significance_test` takes them. A dataset that it does not
        name has none. By default the set's own; ``{}`` is none at all.
    n_resamples : int or mapping of dataset to int
        Of Monte Carlo. With a mapping, a table of which `settle` extended some
        datasets is made again at once.
    method, resample_size, estimator, zeros, interval
        As of `run_significance_test`. Each is given to the tests that have it:
        `zeros` to Wilcoxon, `resample_size` and `estimator` to the bootstrap.
    claim : str
        As of `run_significance_test`, fixed before looking. Of a claim at a margin intervals
        are 90% ones, which go with one-sided tests at .05.
    margin : float, mapping of dataset to float, or "column"
        One for all datasets, or each one's own; "column" takes those of the file, which are
        in the units of its first metric.
    rng : int or Generator
        Seed; of a Generator, one integer is drawn.
    n_threads : int
        How many datasets are tested at once, each in its own thread.
    on_progress : callable, optional
        Called as ``on_progress(done, total)`` with numbers of datasets, also
        within a dataset. Returning False stops.
    on_result : callable, optional
        Called with the table of all datasets done, in the order of the set, whenever one is done;
        of very many not for each, and at the end. Both are called from the calling thread alone.

    Returns
    -------
    PValueTable
        With the p-values of "A better" as `p_values`, those of "B better" as `p_values_b`, each
        dataset's result in `results`. One that is out of a bootstrap's reach is 1 there, so that
        it is not counted, with a note; its result has it as it is. `complete` is False if it was
        stopped; the datasets that were done are in it. Where datasets have different metrics it
        names none, and where those are not better in one direction it has no scores.

    Raises
    ------
    DataError
        If scores do not suit the test or are not defined; every dataset of
        which that is true is named, before any test runs.
    ValueError
        If an argument is not as described.
    Stopped
        If it was stopped before one dataset was done.

    Examples
    --------
    >>> from replicability import read_results, read_sample, run_dataset_tests
    >>> sample, content = read_sample("simulated-accuracy")
    >>> results = read_results(content)
    >>> table = run_dataset_tests(results, a="ours", b="baseline")
    >>> table.n_datasets, round(float(table.p_values[3]), 4)
    (10, 0.7693)
    """
    check_compared(result_set, a, b)
    settings = Settings(
        method=method,
        interval=interval,
        estimator=estimator,
        zeros=zeros,
        resample_size=resample_size,
    )
    given = by_dataset(result_set, n_resamples, argument="n_resamples", of="number of resamples")
    numbers = {dataset: check_whole(n, name="n_resamples", least=1) for dataset, n in given.items()}
    plans = planned_tests(
        result_set,
        a=a,
        b=b,
        test=test,
        metric=metric,
        clusters=clusters,
        settings=settings,
        n_resamples=numbers,
        claim=claim,
        margin=margin,
        seed=seed_of(rng),
    )
    check_settings(settings, [significance_test_named(plan.test) for plan in plans.values()])
    return run_planned_tests(
        result_set,
        plans,
        a=a,
        b=b,
        n_threads=n_threads,
        on_progress=on_progress,
        on_result=on_result,
    )


def run_planned_tests(
    result_set: ResultSet,
    plans: Mapping[str, PlannedTest],
    *,
    a: str,
    b: str,
    n_threads: int,
    on_progress: Callable[[int, int], object] | None,
    on_result: Callable[[PValueTable], object] | None,
) -> PValueTable:
    """Run what `planned_tests` made, on the datasets that it names and in its order."""
    n_threads = check_whole(n_threads, name="n_threads", least=1)
    in_vain = []
    for dataset, plan in plans.items():
        if plan.settings.method != "exact":
            continue
        # A test that cannot be exact says so before its first chunk of work.
        try:
            run_planned(result_set, dataset, plan, a=a, b=b, keep_going=lambda: False)
        except Stopped:
            continue
        except ValueError as error:
            remedy = "Choose method 'auto', or another test for this dataset."
            in_vain.append(Problem(what=str(error), remedy=remedy, dataset=dataset))
    if in_vain:
        raise DataError(in_vain)

    datasets = tuple(plans)
    results: dict[str, SignificanceResult] = {}

    def table() -> PValueTable:
        done = tuple(dataset for dataset in datasets if dataset in results)
        complete = len(done) == len(datasets)
        return table_of(done, [results[one] for one in done], a=a, b=b, complete=complete)

    told_at, took = 0.0, 0.0

    def on_done(place: int, result: SignificanceResult) -> None:
        nonlocal told_at, took
        results[datasets[place]] = result
        begun = time.monotonic()
        often = len(results) <= _TOLD_ONE_BY_ONE or begun - told_at >= _SHARE_OF_TELLING * took
        if on_result is not None and (often or len(results) == len(datasets)):
            on_result(table())
            told_at = time.monotonic()
            took = told_at - begun

    def work(dataset: str, going: Callable[[], bool]) -> SignificanceResult:
        return run_planned(result_set, dataset, plans[dataset], a=a, b=b, keep_going=going)

    run_counted(
        [partial(work, dataset) for dataset in datasets],
        n_threads=n_threads,
        bytes_held=lambda i: bytes_held(result_set, datasets[i], plans[datasets[i]], a=a),
        on_progress=on_progress,
        on_done=on_done,
        nothing="The tests were stopped before one dataset was done.",
    )
    return table()


def table_of(
    datasets: tuple[str, ...],
    results: list[SignificanceResult],
    *,
    a: str,
    b: str,
    complete: bool,
) -> PValueTable:
    """The table of these results, of A better.

    Where a bootstrap's p-value is out of its reach it is 1: it says that no resample can be
    extreme, not how strong the evidence is, and would name the dataset at any level.
    """
    reached_a, reached_b = ~np.array([result.out_of_reach for result in results]).T
    greater = np.where(reached_a, [result.p_value_greater for result in results], 1.0)
    kept_out = "kept out of counting (p = 1)"
    metrics = {result.metric for result in results}
    directions = {result.higher_is_better for result in results}
    one_direction = len(directions) == 1
    return PValueTable(
        datasets=datasets,
        p_values=greater,
        p_values_b=np.where(reached_b, [result.p_value_less for result in results], 1.0),
        p_value_bounds=(greater, greater),
        alternative="greater",
        printed=tuple(repr(result.p_value_greater) for result in results),
        system_a=a,
        system_b=b,
        metric=results[0].metric if len(metrics) == 1 else None,
        scores_a=np.array([result.score_a for result in results]) if one_direction else None,
        scores_b=np.array([result.score_b for result in results]) if one_direction else None,
        higher_is_better=results[0].higher_is_better if one_direction else True,
        n_examples=np.array([result.n_examples for result in results]),
        results=tuple(results),
        notes=tuple(
            "; ".join((*result.notes, *(() if reached else (kept_out,))))
            for result, reached in zip(results, (reached_a & reached_b).tolist(), strict=True)
        ),
        complete=complete,
        claim=results[0].claim,
    )


def settled(
    result: SignificanceResult, threshold: float, *, alternative: TestAlternative | None = None
) -> bool:
    """Whether more resamples would leave the p-value on its side of a threshold.

    A settled decision is wrong with a chance of at most .001, whenever one looks (Robbins, Annals of
    Mathematical Statistics 1970, section 2).
    """
    check_open_share(threshold, name="threshold")
    low, high = result.ends_of(alternative or result.alternative)
    return low == high or threshold <= low or threshold >= high


def p_value_ends(table: PValueTable) -> tuple[FloatArray, FloatArray]:
    """Where each p-value of a table of tests may settle: lowest and highest, each shape (N,).

    What is monotone in all p-values, as k̂ and lists by Holm are, is settled where both ends agree.
    One that is taken as 1, as of a dataset not tested yet, stays there.
    """
    rows, side = _rows_and_side(table)
    ends = []
    for result, p in zip(rows, table.p_values.tolist(), strict=True):
        kept_out = result is not None and p == 1.0 and result.is_out_of_reach(side)
        ends.append((p, p) if result is None or kept_out else result.ends_of(side))
    return np.array([low for low, _ in ends]), np.array([high for _, high in ends])


def _rows_and_side(
    table: PValueTable,
) -> tuple[list[SignificanceResult | None], TestAlternative]:
    """Each dataset's result, None where untested, and whether p speaks for their A or B."""
    given = table.results or ()
    rows = [result for result in given if result is None or isinstance(result, SignificanceResult)]
    if len(rows) != table.n_datasets:
        raise ValueError("`table` must hold the results of tests that were run here.")
    side: TestAlternative = "less" if table.exchanged else "greater"
    for result, p in zip(rows, table.p_values.tolist(), strict=True):
        may_be_1 = result is None or result.is_out_of_reach(side)
        if (result is None or p != result.p_value_of(side)) and not (may_be_1 and p == 1.0):
            raise ValueError("`table` must have the p-values of its results.")
    return rows, side


Thresholds = float | Iterable[float]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Settlement:
    """What more resamples have settled, of each dataset's thresholds; `complete` if not stopped."""

    table: PValueTable
    thresholds: tuple[tuple[float, ...], ...]
    settled: BoolArray
    complete: bool

    @property
    def unsettled(self) -> tuple[str, ...]:
        """The datasets whose decisions are still open."""
        return tuple(
            name
            for name, done in zip(self.table.datasets, self.settled.tolist(), strict=True)
            if not done
        )


def settle(
    result_set: ResultSet,
    table: PValueTable,
    *,
    thresholds: Thresholds | Mapping[str, Thresholds],
    up_to: int,
    clusters: Mapping[str, npt.ArrayLike] | None = None,
    n_threads: int = 1,
    on_progress: Callable[[int, int], object] | None = None,
) -> Settlement:
    """Extend the tests whose decisions are not settled to `up_to` resamples.

    A test extended has the p-value that it would have if so many resamples had
    been asked for at once, and the settings that it was made with.

    Parameters
    ----------
    result_set : ResultSet
        The scores that the table was made from.
    table : PValueTable
        From `run_dataset_tests`, also after `swapped`.
    thresholds : float, several, or mapping of dataset to such
        What p-values are compared with: α, or each step of Holm's procedure.
    up_to : int
        Resamples in all. Tests that have as many stay as they are.
    clusters : mapping of dataset to array_like, optional
        As they were given to `run_dataset_tests`: by default the set's own.
    n_threads : int
        How many datasets are extended at once; the results are the same.
    on_progress : callable, optional
        Called as ``on_progress(done, total)`` with numbers of datasets that
        are extended, also within one. Returning False stops.

    Returns
    -------
    Settlement
        With what was extended before a stop.

    Raises
    ------
    ValueError
        If an argument is not as described, or the scores are not those of the
        table.

    Examples
    --------
    >>> from replicability import ResultSet, run_dataset_tests, settle
    >>> results = ResultSet.from_scores({"x": {"P": [.31, .52, .23, .64, .4], "Q": [.2, .4, .3, .5, .33]}})
    >>> table = run_dataset_tests(results, a="P", b="Q", test="paired-bootstrap", n_resamples=99)
    >>> settle(results, table, thresholds=0.05, up_to=999).settled.tolist()
    [True]
    """
    limits = _limits(thresholds, table.datasets)
    up_to = check_whole(up_to, name="up_to", least=1)
    rows, side = _rows_and_side(table)
    results = [result for result in rows if result is not None]
    if len(results) < len(rows):
        raise ValueError(
            "`table` must be as `run_dataset_tests` made it: without untested datasets."
        )
    together = clusters_by_dataset(result_set, clusters)

    def done(result: SignificanceResult, at: tuple[float, ...]) -> bool:
        return all(settled(result, threshold, alternative=side) for threshold in at)

    plans: dict[str, PlannedTest] = {}
    for name, before, at in zip(table.datasets, results, limits, strict=True):
        # Exact p-values have no resamples to go on with.
        if done(before, at) or (before.n_resamples or up_to) >= up_to:
            continue
        if before.seed is None:
            raise ValueError(
                f"`table` must have the seed of its resamples; that of {name!r} is not known."
            )
        if (before.n_clusters is None) != (name not in together):
            raise ValueError(
                f"`clusters` must be those that the table was made with; {name!r} was tested "
                f"{'without' if before.n_clusters is None else 'with'} clusters."
            )
        plans[name] = PlannedTest(
            test=before.test,
            metric=before.metric,
            clusters=together.get(name),
            settings=replace(before.settings, n_resamples=up_to),
            seed=before.seed,
        )

    systems = (table.system_a, table.system_b)
    a, b = systems if side == "greater" else systems[::-1]
    extended: dict[str, SignificanceResult] = {}
    if plans:
        with suppress(Stopped):
            part = run_planned_tests(
                result_set,
                plans,
                a=a,
                b=b,
                n_threads=n_threads,
                on_progress=on_progress,
                on_result=None,
            )
            extended = dict(zip(part.datasets, part.results or (), strict=True))
    now = dict(zip(table.datasets, results, strict=True))
    for name, result in extended.items():
        if _of_scores(result) != _of_scores(now[name]):
            raise ValueError(
                "`result_set` must hold the scores that the table was made from; those of "
                f"{name!r} are others."
            )
    now |= extended
    found = table_of(table.datasets, list(now.values()), a=a, b=b, complete=table.complete)
    found = found if side == "greater" else found.swapped()
    return Settlement(
        table=replace(found, reading=table.reading),
        thresholds=limits,
        settled=np.array([done(r, at) for r, at in zip(now.values(), limits, strict=True)]),
        complete=len(extended) == len(plans),
    )


def _of_scores(result: SignificanceResult) -> tuple[int, int | None, float, float]:
    """What tells other scores apart."""
    return result.n_examples, result.n_clusters, result.score_a, result.score_b


def _limits(
    thresholds: Thresholds | Mapping[str, Thresholds], datasets: Sequence[str]
) -> tuple[tuple[float, ...], ...]:
    if not isinstance(thresholds, Mapping):
        # Read once for all: several may come one by one.
        return (_levels(thresholds, name="thresholds"),) * len(datasets)
    missing = [dataset for dataset in datasets if dataset not in thresholds]
    if missing:
        raise ValueError(
            f"`thresholds` must name each dataset of the table; got none for {missing[0]!r}."
        )
    return tuple(
        _levels(thresholds[dataset], name=f"thresholds[{dataset!r}]") for dataset in datasets
    )


def _levels(given: Thresholds, *, name: str) -> tuple[float, ...]:
    several = given if isinstance(given, Iterable) else (given,)
    return tuple(check_open_share(level, name=name) for level in several)
