"""The threshold against the size of the test set, and how well 1/√n describes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from core.data.result_set import ResultSet
from core.significance.known_tests import significance_test_named
from core.significance.stopping import Stopped
from core.significance.streams import Rng, dataset_stream, seed_of
from core.systems.all_pairs import compare_all_pairs
from core.systems.gain_confidence import (
    Detail,
    GainConfidence,
    gain_confidence,
    grouping_fingerprint,
)
from core.systems.progress import Progress, Steps
from core.systems.subsets import with_examples
from core.systems.threshold import threshold
from core.systems.threshold_curve import (
    SELECTIONS,
    RootFit,
    Selection,
    ThresholdAtSize,
    ThresholdCurve,
)
from core.types import FloatArray, IntArray
from core.validation import check_choice

FIRST_SIZE = 100


def thresholds_by_size(
    result_set: ResultSet,
    dataset: str,
    *,
    sizes: Sequence[int] | None = None,
    selections: Sequence[Selection] = SELECTIONS,
    n_subsets: int = 10,
    test: str = "paired-bootstrap",
    metric: str | None = None,
    groups: Mapping[str, str] | str | None = None,
    detail: Detail = "same-or-different",
    n_resamples: int = 9_999,
    rng: Rng = 0,
    on_progress: Progress | None = None,
) -> ThresholdCurve:
    """The gain at which p < .05 becomes usual, at several sizes of one dataset.

    Parameters
    ----------
    sizes : sequence of int, optional
        By default 100, 200, 400, ... below the number of examples, and that.
    selections : sequence of {"initial", "random"}
        The first examples, and random ones without replacement.
    n_subsets : int
        Random subsets of each size, whose pairs are put together. All examples
        are one subset.
    test, metric, groups, detail, n_resamples
        As for `compare_all_pairs` and `gain_confidence`.
    rng : int or Generator
        Seed.
    on_progress : callable, optional
        Called as ``on_progress(done, total)`` in subsets. Returning False stops
        and keeps the sizes done.

    Raises
    ------
    ValueError
        If an argument is not as described, or examples come in clusters.
    Stopped
        If it was stopped before one size was done.

    References
    ----------
    Berg-Kirkpatrick, Burkett and Klein (EMNLP-CoNLL 2012), section 4.1 and figure 5.
    """
    check_choice(dataset, result_set.datasets, name="dataset")
    name = result_set.metrics[0] if metric is None else metric
    check_choice(name, result_set.metrics, name="metric")
    for one in selections:
        check_choice(one, SELECTIONS, name="selections")
    if n_subsets < 1:
        raise ValueError(f"`n_subsets` must be a whole number of at least 1; got {n_subsets!r}.")
    n = result_set.n_examples(dataset)
    wanted = _sizes(sizes, n)
    seed = seed_of(rng)
    chosen = list(dict.fromkeys(selections))
    numbers = {
        (size, one): 1 if one == "initial" or size == n else n_subsets
        for size in wanted
        # All examples are the same whichever way they are drawn.
        for one in (chosen[:1] if size == n else chosen)
    }
    steps = Steps(on_progress, total=sum(numbers.values()))

    def tested(examples: IntArray, resampling: int) -> GainConfidence:
        steps.check()
        subset = with_examples(result_set, dataset, examples, metric=name)
        pairs = compare_all_pairs(
            subset,
            test=test,
            metric=name,
            # Of outcomes too: exact p-values of so many subsets take longer, and decide nothing.
            method="monte-carlo" if significance_test_named(test).resamples else "auto",
            n_resamples=n_resamples,
            rng=resampling,
            on_progress=lambda _done, _total: steps.keep_going(),
        )
        steps.done += 1
        return gain_confidence(pairs, groups=groups, detail=detail)

    points: list[ThresholdAtSize] = []
    done: list[int] = []
    used: int | None = None
    grouped: tuple[str, ...] = ()
    for size in wanted:
        of_size: list[ThresholdAtSize] = []
        try:
            for one in chosen:
                if (size, one) not in numbers:
                    of_size += [replace(point, selection=one) for point in of_size]
                    continue
                drawn = "all" if size == n else one
                stream = dataset_stream(seed, dataset, f"subsets|{drawn}|{size}")
                found = [
                    tested(_places(one, n, size, stream), int(stream.integers(2**62)))
                    for _ in range(numbers[size, one])
                ]
                used, grouped = found[0].n_resamples[0], found[0].groups
                of_size += [
                    replace(point, whole=size == n) for point in _pooled(found, size, one, seed)
                ]
        except Stopped:
            break
        points += of_size
        done.append(size)
    if not done:
        raise Stopped("The thresholds were stopped before one size was done.")
    if len(done) == len(wanted):
        steps.finish()
    return ThresholdCurve(
        dataset=dataset,
        metric=name,
        test=test,
        points=tuple(points),
        fits=tuple(_fits(points)),
        sizes=tuple(done),
        n_asked=len(wanted),
        n_resamples=used,
        n_subsets=n_subsets,
        seed=seed,
        fingerprint=result_set.fingerprint,
        grouping=grouping_fingerprint(grouped),
        detail=detail if any(grouped) else "",
    )


def _sizes(given: Sequence[int] | None, n: int) -> tuple[int, ...]:
    if given is None:
        doubled = [FIRST_SIZE << k for k in range(32) if FIRST_SIZE << k < n]
        return (*doubled, n)
    wrong = [size for size in given if not 2 <= size <= n]
    if wrong or not given:
        raise ValueError(
            f"`sizes` must lie between 2 and the {n} examples; got {wrong[0] if wrong else 'none'}."
        )
    return tuple(sorted({int(size) for size in given}))


def _places(selection: Selection, n: int, size: int, rng: np.random.Generator) -> IntArray:
    if selection == "initial" or size == n:
        return np.arange(size)
    return np.sort(rng.choice(n, size=size, replace=False)).astype(np.intp)


def _pooled(
    found: list[GainConfidence], size: int, selection: Selection, seed: int
) -> list[ThresholdAtSize]:
    """The thresholds of the pairs of several subsets together, by class and of all."""

    def together(name: str, wanted: int | None) -> FloatArray | IntArray:
        parts = [
            getattr(one, name)[slice(None) if wanted is None else one.class_of == wanted]
            for one in found
        ]
        return np.concatenate(parts)

    b = found[0].n_resamples[0]
    points = []
    for place, pair_class in enumerate(found[0].classes):
        points.append(
            ThresholdAtSize(
                size=size,
                selection=selection,
                pair_class=pair_class,
                n_subsets=len(found),
                threshold=threshold(
                    together("gains", place),
                    together("p_values", place),
                    first=together("ahead", place),
                    second=together("behind", place),
                    n_resamples=b,
                    rng=seed,
                ),
            )
        )
    return points


def _fits(points: list[ThresholdAtSize]) -> list[RootFit]:
    fits = []
    for selection, pair_class in dict.fromkeys((p.selection, p.pair_class) for p in points):
        known = [
            (point.size, point.threshold.value)
            for point in points
            if (point.selection, point.pair_class) == (selection, pair_class)
            and point.threshold.value is not None
            and point.threshold.value > 0.0
        ]
        if not known:
            continue
        x, y = (np.log(np.array(column, dtype=np.float64)) for column in zip(*known, strict=True))
        several = np.unique(x).size > 1
        fits.append(
            RootFit(
                selection=selection,
                pair_class=pair_class,
                constant=float(np.exp(np.mean(y + 0.5 * x))),
                slope=float(np.polyfit(x, y, 1)[0]) if several else None,
                n_sizes=len(known),
            )
        )
    return fits
