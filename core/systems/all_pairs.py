"""Test every pair of systems on every dataset, by a test that suits all systems of a dataset."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, permutations

import numpy as np

from ..comparison import BETTER, Margin, comparison_named
from ..data.result_set import ResultSet
from ..errors import DataError, Problem
from ..metrics.registry import MEAN, is_counted
from ..significance.choose import choose_test
from ..significance.counting import PAtMargin
from ..significance.differences import clusters_of, shifted
from ..significance.known_tests import (
    check_settings,
    own_settings,
    significance_test_named,
    significance_test_names,
)
from ..significance.lattice import MAX_BINS
from ..significance.outcome import Outcome
from ..significance.paired_tests import is_exact
from ..significance.plan import (
    Given,
    asked_metric,
    given_on,
    margins_by_dataset,
    problems_of,
    wanted_datasets,
)
from ..significance.settings import Asked, Method, Rng, Settings, dataset_stream, seed_of
from ..significance.stopping import Progress, Steps, Stopped, check_going
from ..types import FloatArray
from ..validation import check_choice, check_whole
from .bootstrap import (
    AveragedColumns,
    PairsOfOneDataset,
    SummedColumns,
    averaged_columns,
    bootstrap_pairs,
    oriented_scores,
    summed_columns,
    summed_over_clusters,
    wins_of,
)
from .comparisons import PairComparisons, resamples_needed

# How the bootstrap and randomization get their p-values.
PAIR_METHODS: tuple[Method, ...] = ("auto", "exact", "monte-carlo")
# Of p-values: 300 systems on 500 datasets take 343 MiB.
_MOST_BYTES = 400 << 20


def chosen_test(
    result_set: ResultSet,
    dataset: str,
    systems: tuple[str, ...],
    metric: str,
    *,
    margin: float = 0.0,
) -> str:
    """The test that "auto" stands for on one dataset, the same for all pairs of systems."""
    kind = result_set.kind_of(metric)
    clustered = result_set.clusters_of(dataset) is not None
    zero_one = result_set.has_outcomes(metric)
    exact = None
    if kind == MEAN and not clustered and not zero_one:
        columns = averaged_columns(oriented_scores(result_set, dataset, systems, metric))
        exact = _all_exact(columns, margin)
    # Of all systems together what is looked at is known.
    nothing: FloatArray = np.empty(0)
    return choose_test(
        nothing,
        nothing,
        kind=kind,
        clustered=clustered,
        zero_one=zero_one,
        exact=exact,
        margin=margin,
    )[0]


def _all_exact(columns: AveragedColumns, margin: float) -> bool:
    """Whether randomization is exact on every pair of systems, in both directions at a margin."""
    if margin:
        both_ways = permutations(range(columns.values.shape[1]), 2)
        return all(is_exact(shifted(columns.differences(i, j), margin)) for i, j in both_ways)
    values = columns.values
    if columns.step is not None:
        # Whether the widest pair that there could be of these whole numbers is exact.
        step = int(np.gcd.reduce((values - values[:, :1]).astype(np.int64), axis=None))
        widest = float((values.max(axis=1) - values.min(axis=1)).sum())
        if widest / max(1, step) < MAX_BINS:
            return True
    pairs = combinations(range(columns.values.shape[1]), 2)
    return all(is_exact(columns.differences(i, j)) for i, j in pairs)


def planned_tests(
    result_set: ResultSet,
    datasets: tuple[str, ...],
    systems: tuple[str, ...],
    metric: str,
    test: str,
    *,
    margins: Mapping[str, float],
) -> dict[str, str]:
    """Each dataset's test, checked against all systems' scores; "auto" as `chosen_test`."""
    check_choice(test, ("auto", *significance_test_names()), name="test")
    plans: dict[str, str] = {}
    problems = []
    for dataset in datasets:
        margin = margins[dataset]
        labels = result_set.clusters_of(dataset)
        given = given_on(result_set, dataset, systems, metric, clusters=labels)
        name = test
        if test == "auto":
            name = chosen_test(result_set, dataset, systems, metric, margin=margin)
        if margin:
            problems += _first_of_margin(given, name, margin)
        else:
            # Two by two, as a single test is asked; of averages all at once.
            places = range(0, len(systems), 2)
            asked = [systems[k : k + 2] if k + 1 < len(systems) else systems[-2:] for k in places]
            for some in [systems] if given.kind == MEAN else asked:
                problems += problems_of(given.only(some), name)
        plans[dataset] = name
    if problems:
        raise DataError(dict.fromkeys(problems))
    return plans


def _first_of_margin(given: Given, test: str, margin: float) -> list[Problem]:
    """What keeps the test from being run at a margin, of the first pair of which it is so."""
    for a, b in combinations(given.systems, 2):
        found = problems_of(given.only((a, b)), test, margin)
        if found:
            return [replace(one, what=f"of '{a}' and '{b}': {one.what}") for one in found]
    return []


def compare_all_pairs(
    result_set: ResultSet,
    *,
    test: str = "auto",
    metric: str | None = None,
    systems: Sequence[str] | None = None,
    datasets: Sequence[str] | None = None,
    method: Method = "auto",
    n_resamples: int | None = None,
    claim: str = BETTER,
    margin: Margin | Mapping[str, float] = 0.0,
    rng: Rng = 0,
    on_progress: Progress | None = None,
) -> PairComparisons:
    """Test "A is better than B", or a claim at a margin, for both directions of every pair.

    A dataset's resamples depend on the seed, its name and the test, and are the
    same for all of its pairs (Berg-Kirkpatrick et al. 2012, footnote 5).

    Parameters
    ----------
    result_set : ResultSet
        Per-example scores of at least two systems.
    test : str
        One of `significance_tests`, or "auto", the fixed rule of `choose_test` on
        all systems of a dataset together.
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
    claim, margin
        As of `run_dataset_tests`. At a margin each pair is tested by itself, but for 0/1
        outcomes.
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

    Examples
    --------
    >>> from replicability import ResultSet, compare_all_pairs
    >>> results = ResultSet.from_scores(
    ...     {"x": {"P": [1, 1, 1, 1, 1], "Q": [0, 0, 0, 0, 0], "R": [0, 1, 0, 1, 0]}}
    ... )
    >>> compare_all_pairs(results).p_value("P", "Q", "x")
    0.03125
    """
    names = result_set.systems if systems is None else tuple(systems)
    for one in names:
        check_choice(one, result_set.systems, name="systems")
    if len(set(names)) < max(2, len(names)):
        raise ValueError(f"`systems` must name at least 2, each once; got {', '.join(names)}.")
    wanted = wanted_datasets(result_set, datasets)
    own_metric = asked_metric(result_set, metric)
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
    b = check_whole(b, name="n_resamples", least=1)
    seed = seed_of(rng)
    asked = Settings(method=method, n_resamples=b)
    metrics = dict.fromkeys(wanted, own_metric)
    margins = margins_by_dataset(result_set, margin, claim=claim, metrics=metrics)
    tests = planned_tests(result_set, wanted, names, own_metric, test, margins=margins)
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
                replace(asked, claim=claim, margin=margins[dataset]),
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
        claim=claim,
        margins=tuple(margins[dataset] for dataset in finished),
    )


def _one_dataset(
    result_set: ResultSet,
    dataset: str,
    systems: tuple[str, ...],
    metric: str,
    test: str,
    asked: Settings,
    *,
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
    elif is_counted(kind):
        columns = summed_columns(result_set, dataset, systems, metric=metric)
        scores = columns.sign * columns.scores
    else:
        scores = np.array([result_set.score(dataset, system, metric) for system in systems])

    rng = dataset_stream(seed, result_set.name_in_file(dataset), f"all-pairs|{test}")
    known = significance_test_named(test)
    settings = own_settings(known, asked)
    at_margin = settings.margin > 0.0
    bootstraps = known.bootstraps
    if columns is not None and bootstraps and settings.method != "exact" and not at_margin:
        if labels is not None:
            together = clusters_of(labels, n_examples=result_set.n_examples(dataset))
            columns = summed_over_clusters(columns, together)
        return scores, bootstrap_pairs(
            columns, settings=settings, rng=rng, keep_going=keep_going, on_share=on_share
        )
    if at_margin and labels is None and known.p_at_margin is not None:
        assert isinstance(columns, AveragedColumns)
        return scores, _outcomes_at_margin(columns, known.p_at_margin, settings)
    averaged = columns if labels is None and not at_margin and not bootstraps else None
    counting = known.counting if known.suits_outcomes_only else None
    if isinstance(averaged, AveragedColumns) and counting is not None:
        wins = wins_of(averaged)
        p_values = counting.p_of_counts(wins, wins.T, alternative="greater")
        how = counting.method
        return scores, PairsOfOneDataset(p_values=p_values, method=how)
    if isinstance(averaged, AveragedColumns) and "mean" in known.takes:
        own = Asked(settings=settings, rng=rng, keep_going=keep_going)

        def outcome_of(i: int, j: int) -> tuple[Outcome, tuple[bool, bool]]:
            return known.of_scores(averaged.differences(i, j), own), (False, False)
    else:
        given = given_on(result_set, dataset, systems, metric, clusters=labels)
        alone = replace(settings, with_interval=False)

        def outcome_of(i: int, j: int) -> tuple[Outcome, tuple[bool, bool]]:
            pair = given.only((systems[i], systems[j]))
            result = pair.tested(test, alone, rng=rng, keep_going=keep_going)
            return result, result.out_of_reach

    return scores, _one_by_one(
        len(systems), outcome_of, rng=rng, keep_going=keep_going, on_share=on_share
    )


def _outcomes_at_margin(
    columns: AveragedColumns, p_at_margin: PAtMargin, settings: Settings
) -> PairsOfOneDataset:
    """A test of wins and losses at a margin of all pairs of 0/1 outcomes."""
    wins = wins_of(columns)
    comparison = comparison_named(settings.claim)
    p_values = p_at_margin(
        wins,
        wins.T,
        columns.n,
        margin=settings.margin,
        claim="not-worse" if comparison.shift > 0 else "better-by",
    )
    if comparison.both_sides:
        p_values = np.maximum(p_values, p_values.T)
    return PairsOfOneDataset(p_values=p_values, method="exact")


def _one_by_one(
    m: int,
    outcome_of: Callable[[int, int], tuple[Outcome, tuple[bool, bool]]],
    *,
    rng: np.random.Generator,
    keep_going: Callable[[], bool],
    on_share: Callable[[float], None],
) -> PairsOfOneDataset:
    """Any test, pair by pair; each pair begins with the same random numbers.

    `outcome_of` gives what the test finds of two places, and whether either p-value is out of
    reach.
    """
    p_values = np.ones((m, m))
    methods: set[str] = set()
    beyond: list[tuple[int, int]] = []
    resamples: int | None = None
    begun, n_pairs = rng.bit_generator.state, m * (m - 1) // 2
    for place, (i, j) in enumerate(combinations(range(m), 2)):
        on_share(place / n_pairs)
        check_going(keep_going)
        rng.bit_generator.state = begun
        outcome, (ahead, behind) = outcome_of(i, j)
        p_values[i, j], p_values[j, i] = outcome.p_values.greater, outcome.p_values.less
        methods.add(outcome.method)
        resamples = outcome.n_resamples or resamples
        beyond += [(i, j)] * ahead + [(j, i)] * behind
    return PairsOfOneDataset(
        p_values=p_values,
        method=methods.pop() if len(methods) == 1 else "mixed",
        n_resamples=resamples,
        out_of_reach=np.array(beyond, dtype=np.intp).reshape(-1, 2),
    )
