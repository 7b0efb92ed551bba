"""Test every pair of systems on every dataset."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from core.data.result_set import ResultSet
from core.errors import DataError, Problem
from core.metrics.registry import MEAN
from core.significance.counting import CountingTest
from core.significance.known_tests import (
    check_settings,
    own_settings,
    significance_test_named,
    significance_test_names,
)
from core.significance.plan import given_of, gold_for
from core.significance.resampling import PairedBootstrap
from core.significance.settings import Settings, positive_number
from core.significance.significance_test import OfDifferences
from core.significance.stopping import Stopped
from core.significance.streams import Rng, seed_of
from core.systems.comparisons import PairComparisons, resamples_needed
from core.systems.one_dataset import (
    PAIR_METHODS,
    GivenSystems,
    PairMethod,
    PairsOfOneDataset,
    averaged_pairs,
    bootstrap_pairs,
    clusters_for,
    pairs_of_outcomes,
    single_pairs,
    stream_of,
)
from core.systems.planned_tests import chosen_names, planned_tests
from core.systems.progress import Progress, Steps
from core.systems.side_by_side import (
    AveragedColumns,
    SummedColumns,
    averaged_columns,
    is_summed,
    oriented_scores,
    summed_columns,
    summed_over_clusters,
)
from core.types import FloatArray
from core.validation import check_choice

# Of p-values: 300 systems on 500 datasets take 343 MiB.
_MOST_BYTES = 400 << 20


def compare_all_pairs(
    result_set: ResultSet,
    *,
    test: str = "auto",
    metric: str | None = None,
    systems: Sequence[str] | None = None,
    datasets: Sequence[str] | None = None,
    method: PairMethod = "auto",
    n_resamples: int | None = None,
    rng: Rng = 0,
    on_progress: Progress | None = None,
) -> PairComparisons:
    """Test "A is better than B" for both directions of every pair on every dataset.

    A dataset's resamples depend on the seed, its name and the test, and are the
    same for all of its pairs (Berg-Kirkpatrick et al. 2012, footnote 5).

    Parameters
    ----------
    result_set : ResultSet
        Per-example scores of at least two systems.
    test : str
        One of `significance_tests`, or "auto", the fixed rule of `choose_test` on
        all systems of a dataset together: outcomes of 0 and 1, exact McNemar;
        counts and metrics of a corpus, the paired bootstrap; clusters,
        randomization; else Wilcoxon.
    metric : str, optional
        Name of the scores' metric, the set's first by default.
    systems, datasets : sequence of str, optional
        Which of them, by default all.
    method : {"auto", "exact", "monte-carlo"}
        Of the bootstrap and randomization. "auto" is exact for outcomes, and for
        randomization where scores allow. "exact" bootstraps of other scores take
        about as long as so many single tests.
    n_resamples : int, optional
        Of Monte Carlo; by default as `resamples_needed` has it for so many systems.
    rng : int or Generator
        Seed; of a Generator, one integer is drawn.
    on_progress : callable, optional
        Called as ``on_progress(done, total)`` in pairs. Returning False stops.

    Returns
    -------
    PairComparisons
        Where it was stopped, of the datasets that were done.

    Raises
    ------
    DataError
        If scores do not suit the test or are not defined, with every problem; or
        if "exact" is asked for in vain.
    ValueError
        If an argument is not as described.
    Stopped
        If it was stopped before one dataset was done.
    """
    names = chosen_names(systems, result_set.systems, name="systems", at_least=2)
    wanted = chosen_names(datasets, result_set.datasets, name="datasets", at_least=1)
    known = (*result_set.metrics, *result_set.label_metrics)
    own_metric = result_set.metrics[0] if metric is None else metric
    check_choice(own_metric, known, name="metric")
    check_choice(test, ("auto", *significance_test_names()), name="test")
    check_choice(method, PAIR_METHODS, name="method")
    needed = 8 * len(wanted) * len(names) ** 2
    if needed > _MOST_BYTES:
        raise ValueError(
            f"`systems` and `datasets` must be fewer: {len(names)} systems on {len(wanted)} "
            f"datasets have {needed >> 20:,} MiB of p-values, above {_MOST_BYTES >> 20}."
        )
    b = n_resamples
    if b is None:
        b = resamples_needed(len(wanted), n_systems=len(names))
    b = positive_number("n_resamples", b)
    seed = seed_of(rng)
    tests = planned_tests(result_set, wanted, names, own_metric, test)
    if method == "monte-carlo":
        planned = [significance_test_named(one) for one in tests.values()]
        check_settings(Settings(method=method), planned)
    n_pairs = len(names) * (len(names) - 1) // 2
    steps = Steps(on_progress, total=len(wanted) * n_pairs)
    table = np.empty((len(wanted), len(names), len(names)))
    scores = np.empty((len(wanted), len(names)))
    done: list[PairsOfOneDataset] = []
    for place, dataset in enumerate(wanted):
        steps.done = place * n_pairs
        try:
            steps.check()
            scores[place], found = _one_dataset(
                result_set,
                dataset,
                names,
                own_metric,
                tests[dataset],
                method=method,
                n_resamples=b,
                seed=seed,
                keep_going=steps.keep_going,
                on_share=steps.told_within(n_pairs),
            )
        except Stopped:
            break
        except ValueError as error:
            if method != "exact":
                raise
            remedy = "Choose method 'auto', or another test for this dataset."
            raise DataError([Problem(what=str(error), remedy=remedy, dataset=dataset)]) from None
        table[place] = found.p_values
        done.append(found)
    if not done:
        raise Stopped("The comparisons were stopped before one dataset was done.")
    finished = wanted[: len(done)]
    if len(done) == len(wanted):
        steps.finish()
    p_values = table[: len(done)]
    p_values.flags.writeable = False
    beyond = [
        np.column_stack([np.full(one.out_of_reach.shape[0], d, dtype=np.intp), one.out_of_reach])
        for d, one in enumerate(done)
    ]
    return PairComparisons(
        systems=names,
        datasets=finished,
        p_values=p_values,
        scores=scores[: len(done)],
        higher_is_better=(result_set.is_higher_better(own_metric),) * len(done),
        metrics=(own_metric,) * len(done),
        tests=tuple(tests[dataset] for dataset in finished),
        methods=tuple(one.method for one in done),
        n_examples=tuple(result_set.n_examples(dataset) for dataset in finished),
        n_resamples=tuple(one.n_resamples for one in done),
        shared=tuple(one.shared for one in done),
        out_of_reach=np.concatenate(beyond),
        n_asked=len(wanted),
        seed=seed,
        fingerprint=result_set.fingerprint,
    )


def _one_dataset(
    result_set: ResultSet,
    dataset: str,
    systems: tuple[str, ...],
    metric: str,
    test: str,
    *,
    method: PairMethod,
    n_resamples: int,
    seed: int,
    keep_going: Callable[[], bool],
    on_share: Callable[[float], None],
) -> tuple[FloatArray, PairsOfOneDataset]:
    """Scores as given, and p-values of all pairs."""
    kind = result_set.kind_of(metric)
    higher = result_set.is_higher_better(metric)
    labels = result_set.clusters_of(dataset)
    columns: AveragedColumns | SummedColumns | None = None
    if kind == MEAN:
        columns = averaged_columns(oriented_scores(result_set, dataset, systems, metric))
        scores = columns.means if higher else 0.0 - columns.means
    elif is_summed(kind):
        columns = summed_columns(result_set, dataset, systems, metric=metric)
        scores = columns.sign * columns.scores
    else:
        scores = np.array([result_set.score(dataset, system, metric) for system in systems])

    def stream() -> np.random.Generator:
        return stream_of(seed, dataset, test)

    known = significance_test_named(test)
    settings = own_settings(known, Settings(method=method, n_resamples=n_resamples))
    bootstraps = isinstance(known.kernel, PairedBootstrap)
    if columns is not None and bootstraps and method != "exact":
        clusters = clusters_for(labels, result_set.n_examples(dataset))
        return scores, bootstrap_pairs(
            columns if clusters is None else summed_over_clusters(columns, clusters),
            method=method,
            n_resamples=n_resamples,
            rng=stream(),
            keep_going=keep_going,
            on_share=on_share,
        )
    if isinstance(columns, AveragedColumns) and labels is None:
        if known.suits_outcomes_only and isinstance(known.kernel, CountingTest):
            return scores, pairs_of_outcomes(columns, known.kernel)
        if not bootstraps and isinstance(known.kernel, OfDifferences):
            return scores, averaged_pairs(
                columns,
                known.kernel,
                settings,
                stream=stream,
                keep_going=keep_going,
                on_share=on_share,
            )
    given = tuple(given_of(result_set, dataset, one, metric=metric, kind=kind) for one in systems)
    return scores, single_pairs(
        GivenSystems(
            given=given,
            gold=gold_for(result_set, dataset, kind),
            kind=kind,
            higher_is_better=higher,
            labels=labels,
        ),
        test,
        settings,
        stream=stream,
        keep_going=keep_going,
        on_share=on_share,
    )
