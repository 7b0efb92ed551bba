"""Test sets of one dataset's examples: thresholds against their size, and who is ahead on them and on the whole.

Vocabulary
----------
population
    All examples of one large dataset, taken for the truth.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ..data.result_set import ResultSet
from ..shown import DataFrame, frame_of
from ..signature import listed, short_fingerprint, signature_line
from ..significance.known_tests import significance_test_named
from ..significance.settings import Rng, dataset_stream, seed_of
from ..significance.stopping import Progress, Steps, Stopped
from ..simulation.results import Rate
from ..types import IntArray
from ..validation import check_choice, check_whole
from .all_pairs import compare_all_pairs
from .comparisons import PairComparisons, differences
from .gain_confidence import (
    BAND,
    GainConfidence,
    Threshold,
    gain_confidence,
    grouping_fingerprint,
    threshold,
)

FIRST_SIZE = 100
# Which examples make a smaller test set, with a title; of random ones there are several such sets.
SELECTIONS = {"initial": "first examples", "random": "random subsets"}
# The selection of a test set of all examples, which is on the line of every selection.
ALL_EXAMPLES = "all"


@dataclass(frozen=True, slots=True, kw_only=True)
class ThresholdAtSize:
    """The threshold of one class of pairs at one size, of all subsets' pairs together."""

    size: int
    selection: str
    pair_class: str
    n_subsets: int
    threshold: Threshold


@dataclass(frozen=True, slots=True, kw_only=True)
class RootFit:
    """The line c/√n through thresholds, c by least squares of logarithms.

    `slope` is that of a free line on log axes: −.5 where 1/√n holds. None with one size.
    """

    constant: float
    slope: float | None
    n_sizes: int

    def at(self, size: float) -> float:
        """c/√size."""
        return self.constant / float(np.sqrt(size))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ThresholdCurve:
    """Thresholds against size, by selection and class."""

    dataset: str
    metric: str
    test: str
    points: tuple[ThresholdAtSize, ...]
    selections: tuple[str, ...]
    sizes: tuple[int, ...]
    n_asked: int
    n_resamples: int | None
    n_subsets: int
    seed: int
    fingerprint: str = ""
    grouping: str = ""
    detail: str = ""

    @property
    def complete(self) -> bool:
        """Whether all sizes asked for were done."""
        return len(self.sizes) == self.n_asked

    @property
    def signature(self) -> str:
        """The one line that names everything the thresholds depend on."""
        return signature_line(
            analysis="thresholds-by-size",
            dataset=self.dataset,
            metric=self.metric,
            test=self.test,
            sizes="+".join(map(str, self.sizes)),
            selections=listed(self.selections),
            subsets=self.n_subsets,
            grouping=self.grouping or None,
            detail=self.detail or None,
            resamples=self.n_resamples,
            seed=self.seed,
            data=short_fingerprint(self.fingerprint) or None,
        )

    def line(self, selection: str, pair_class: str) -> list[ThresholdAtSize]:
        """The points of a class and selection, that of all examples among them."""
        own = (selection, ALL_EXAMPLES)
        return [p for p in self.points if p.selection in own and p.pair_class == pair_class]

    def fit(self, selection: str, pair_class: str) -> RootFit | None:
        """The line through the thresholds of a class and selection; of all examples, the last one's."""
        if selection == ALL_EXAMPLES:
            selection = self.selections[-1]
        points = [(p.size, p.threshold.value) for p in self.line(selection, pair_class)]
        known = [(size, value) for size, value in points if value is not None and value > 0.0]
        if not known:
            return None
        x, y = np.log(np.array(known, dtype=np.float64)).T
        return RootFit(
            constant=float(np.exp(np.mean(y + 0.5 * x))),
            slope=float(np.polyfit(x, y, 1)[0]) if np.unique(x).size > 1 else None,
            n_sizes=len(known),
        )

    def to_frame(self) -> DataFrame:
        """A row for each size, selection and class, with its threshold and the fitted line's."""
        rows = []
        for point in self.points:
            own, fit = point.threshold, self.fit(point.selection, point.pair_class)
            low, high = own.interval or (None, None)
            rows.append(
                {
                    "size": point.size,
                    "selection": point.selection,
                    "class": point.pair_class,
                    "threshold": own.value,
                    "low": low,
                    "high": high,
                    "n_pairs": own.n_pairs,
                    "n_systems": own.n_systems,
                    "n_subsets": point.n_subsets,
                    "fitted": None if fit is None else fit.at(point.size),
                    "reason": own.reason,
                }
            )
        return frame_of(rows)


def _asked(result_set: ResultSet, dataset: str, metric: str | None, rng: Rng) -> tuple[str, int]:
    """The metric by which one dataset's examples are tested, the first by default, and the seed."""
    check_choice(dataset, result_set.datasets, name="dataset")
    name = result_set.metrics[0] if metric is None else metric
    return check_choice(name, result_set.metrics, name="metric"), seed_of(rng)


def thresholds_by_size(
    result_set: ResultSet,
    dataset: str,
    *,
    sizes: Sequence[int] | None = None,
    selections: Sequence[str] | None = None,
    n_subsets: int = 10,
    test: str = "paired-bootstrap",
    metric: str | None = None,
    groups: Mapping[str, str] | None = None,
    detail: str = "same-or-different",
    n_resamples: int = 9_999,
    rng: Rng = 0,
    on_progress: Progress | None = None,
) -> ThresholdCurve:
    """The gain at which p < .05 becomes usual, at several sizes of one dataset.

    Sizes are by default 100, 200, 400, ... and the number of examples. Of each there are the first
    examples, and `n_subsets` random sets, whose pairs are put together. Stopped, the sizes that are
    done are kept. Berg-Kirkpatrick, Burkett and Klein (EMNLP-CoNLL 2012), section 4.1 and figure 5.
    """
    name, seed = _asked(result_set, dataset, metric, rng)
    chosen = tuple(dict.fromkeys(SELECTIONS if selections is None else selections))
    for one in chosen:
        check_choice(one, tuple(SELECTIONS), name="selections")
    n_subsets = check_whole(n_subsets, name="n_subsets", least=1)
    n, in_file = result_set.n_examples(dataset), result_set.name_in_file(dataset)
    doubled = (FIRST_SIZE << k for k in range(32) if FIRST_SIZE << k < n)
    given = (*doubled, n) if sizes is None else sizes
    wanted = sorted({check_whole(size, name="sizes", least=1, most=n) for size in given})
    if not wanted or not chosen:
        raise ValueError(
            f"`{'selections' if wanted else 'sizes'}` must name at least one; got none."
        )
    # All examples are the same whichever way they are drawn.
    drawn_at = {size: (ALL_EXAMPLES,) if size == n else chosen for size in wanted}
    numbers = {one: n_subsets if one == "random" else 1 for one in (ALL_EXAMPLES, *chosen)}
    steps = Steps(on_progress, total=sum(numbers[k] for each in drawn_at.values() for k in each))
    how: dict[str, Any] = {"metric": name, "test": test, "n_resamples": n_resamples}

    def tested(selection: str, size: int, rng: np.random.Generator) -> GainConfidence:
        examples: IntArray = np.arange(size)
        if selection == "random":
            examples = np.sort(rng.choice(n, size=size, replace=False)).astype(np.intp)
        pairs = _compared_on(result_set, dataset, examples, rng, steps=steps, **how)
        return gain_confidence(pairs, groups=groups, detail=detail)

    points: list[ThresholdAtSize] = []
    done: list[int] = []
    used: int | None = None
    grouped: tuple[str, ...] = ()
    for size in wanted:
        of_size: list[ThresholdAtSize] = []
        try:
            for one in drawn_at[size]:
                stream = dataset_stream(seed, in_file, f"subsets|{one}|{size}")
                found = [tested(one, size, stream) for _ in range(numbers[one])]
                used, grouped = found[0].pairs.n_resamples[0], found[0].groups
                of_size += [
                    ThresholdAtSize(
                        size=size,
                        selection=one,
                        pair_class=pair_class,
                        n_subsets=len(found),
                        threshold=_pooled(found, place, seed),
                    )
                    for place, pair_class in enumerate(found[0].classes)
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
        selections=chosen,
        sizes=tuple(done),
        n_asked=len(wanted),
        n_resamples=used,
        n_subsets=n_subsets,
        seed=seed,
        fingerprint=result_set.fingerprint,
        grouping=grouping_fingerprint(grouped),
        detail=detail if any(grouped) else "",
    )


def _pooled(found: list[GainConfidence], wanted: int, seed: int) -> Threshold:
    """The threshold of a class of pairs of several subsets together."""

    def together(name: str) -> npt.NDArray[Any]:
        return np.concatenate([getattr(one, name)[one.class_of == wanted] for one in found])

    return threshold(
        together("gains"),
        together("p_values"),
        first=together("ahead"),
        second=together("behind"),
        n_resamples=found[0].pairs.n_resamples[0],
        rng=seed,
    )


def _compared_on(
    result_set: ResultSet,
    dataset: str,
    examples: IntArray,
    rng: np.random.Generator,
    *,
    metric: str,
    test: str,
    n_resamples: int,
    steps: Steps,
) -> PairComparisons:
    """All pairs on one of many test sets that are made of a dataset's examples: a step."""
    steps.check()
    if result_set.clusters_of(dataset) is not None:
        raise ValueError(
            f"`dataset` must not come in clusters, as single examples are drawn; {dataset!r} does."
        )
    place, gold = result_set.datasets.index(dataset), result_set.gold_scores
    test_set = ResultSet(
        datasets=(dataset,),
        systems=result_set.systems,
        values={metric: (result_set.values[metric][place][examples],)},
        higher_is_better={metric: result_set.higher_is_better[metric]},
        kinds={metric: result_set.kinds[metric]},
        gold_scores=None if gold is None else (gold[place][examples],),
        score_decimals=result_set.score_decimals,
        reading=result_set.reading,
    )
    found = compare_all_pairs(
        test_set,
        test=test,
        # Of outcomes too: exact p-values of so many sets take longer, and decide nothing.
        method="monte-carlo" if significance_test_named(test).resamples else "auto",
        n_resamples=n_resamples,
        rng=int(rng.integers(2**62)),
        on_progress=lambda _done, _total: steps.keep_going(),
    )
    steps.done += 1
    return found


OF_TEST_SETS = (
    "The interval goes by how the test sets differ, since tests of one test set share its examples and "
    "systems and the same pairs come again in many. It holds for these systems on this dataset, not for "
    "others."
)
NO_INTERVAL = (
    "There is no interval: it goes by how the test sets differ, and needs at least ten with such tests, "
    "and some tests that disagree. The tests are not independent: they share systems and examples."
)
# Fewer say little of how far others would differ.
FEWEST_TEST_SETS = 10


def interval_of_sets(n_held: npt.ArrayLike, n: npt.ArrayLike) -> tuple[float, float] | None:
    """95% interval of a share whose cases come in test sets, which are independent of each other.

    The ratio's standard error by linearization, on the scale of log odds, with Student's quantile.
    """
    from scipy.special import expit, stdtrit

    held, cases = np.asarray(n_held, dtype=np.float64), np.asarray(n, dtype=np.float64)
    k = int(np.count_nonzero(cases))
    if k < FEWEST_TEST_SETS:
        return None
    share = float(held.sum() / cases.sum())
    apart = held - share * cases
    variance = k / (k - 1.0) * float(apart @ apart) / float(cases.sum()) ** 2
    if not 0.0 < share < 1.0 or variance <= 0.0:
        return None
    odds = np.log(share / (1.0 - share))
    room = float(stdtrit(k - 1, 0.975)) * np.sqrt(variance) / (share * (1.0 - share))
    return float(expit(odds - room)), float(expit(odds + room))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class IidCalibration:
    """Resampled test sets of one dataset, against all of its examples.

    `agreeing` are, of tests with p around .05, those that have the population's sign;
    `n_without_sign` are of pairs that are equal there, left out; the others are of `n_pairs`
    different pairs.
    """

    dataset: str
    metric: str
    test: str
    size: int
    agreeing: Rate
    interval: tuple[float, float] | None
    n_without_sign: int
    n_pairs: int
    n_draws: int
    n_asked: int
    n_resamples: int | None
    seed: int
    fingerprint: str = ""

    @property
    def notes(self) -> tuple[str, ...]:
        """What to know of the share, a sentence each."""
        if not self.agreeing.n:
            return ()
        return (NO_INTERVAL if self.interval is None else OF_TEST_SETS,)

    @property
    def complete(self) -> bool:
        """Whether all test sets asked for were done."""
        return self.n_draws == self.n_asked

    @property
    def signature(self) -> str:
        """The one line that names everything the share depends on."""
        return signature_line(
            analysis="calibration-iid",
            dataset=self.dataset,
            metric=self.metric,
            test=self.test,
            size=self.size,
            draws=self.n_asked,
            done=None if self.complete else self.n_draws,
            band=f"{BAND[0]:g}-{BAND[1]:g}",
            resamples=self.n_resamples,
            seed=self.seed,
            data=short_fingerprint(self.fingerprint) or None,
        )

    def to_frame(self) -> DataFrame:
        """One row."""
        low, high = self.interval or (None, None)
        return frame_of(
            [
                {
                    "dataset": self.dataset,
                    "size": self.size,
                    "n_draws": self.n_draws,
                    "n_tests": self.agreeing.n,
                    "n_agreeing": self.agreeing.count,
                    "share": self.agreeing.rate,
                    "low": low,
                    "high": high,
                    "n_without_sign": self.n_without_sign,
                    "n_pairs": self.n_pairs,
                }
            ]
        )


def calibrate_iid(
    result_set: ResultSet,
    dataset: str,
    size: int,
    n_draws: int,
    *,
    test: str = "paired-bootstrap",
    metric: str | None = None,
    n_resamples: int = 9_999,
    rng: Rng = 0,
    on_progress: Progress | None = None,
) -> IidCalibration:
    """Of pairs with p around .05 on resampled test sets, the share that is right about the whole.

    The dataset's examples are taken for the population; a test set has so many of them, drawn with
    replacement. Stopped, the test sets that are done are kept. Berg-Kirkpatrick, Burkett and Klein
    (EMNLP-CoNLL 2012), section 4.2.
    """
    name, seed = _asked(result_set, dataset, metric, rng)
    size = check_whole(size, name="size", least=2)
    n_draws = check_whole(n_draws, name="n_draws", least=1)
    stream = dataset_stream(seed, result_set.name_in_file(dataset), f"calibration|{size}")
    steps = Steps(on_progress, total=n_draws)
    how: dict[str, Any] = {"metric": name, "test": test, "n_resamples": n_resamples}
    n = result_set.n_examples(dataset)
    turn = 1.0 if result_set.is_higher_better(name) else -1.0
    scores = np.array([result_set.score(dataset, system, name) for system in result_set.systems])
    truth = np.sign(differences(scores) * turn)
    tests_of_set: list[int] = []
    held_of_set: list[int] = []
    n_without = 0
    pairs_seen: set[frozenset[int]] = set()
    used: int | None = None
    for _ in range(n_draws):
        examples = stream.integers(0, n, size=size)
        try:
            compared = _compared_on(result_set, dataset, examples, stream, steps=steps, **how)
        except Stopped:
            break
        used = compared.n_resamples[0]
        points = gain_confidence(compared)
        inside = (points.p_values > BAND[0]) & (points.p_values < BAND[1])
        ahead, behind = points.ahead[inside], points.behind[inside]
        signs = truth[ahead, behind]
        ahead, behind = ahead[signs != 0.0], behind[signs != 0.0]
        tests_of_set.append(int(np.count_nonzero(signs)))
        held_of_set.append(int(np.count_nonzero(signs > 0.0)))
        n_without += int(np.count_nonzero(signs == 0.0))
        pairs_seen.update(map(frozenset, zip(ahead.tolist(), behind.tolist(), strict=True)))
    steps.end("The calibration was stopped before one test set was done.")
    return IidCalibration(
        dataset=dataset,
        metric=name,
        test=test,
        size=size,
        agreeing=Rate(n=sum(tests_of_set), count=sum(held_of_set)),
        interval=interval_of_sets(held_of_set, tests_of_set),
        n_without_sign=n_without,
        n_pairs=len(pairs_seen),
        n_draws=steps.done,
        n_asked=n_draws,
        n_resamples=used,
        seed=seed,
        fingerprint=result_set.fingerprint,
    )
