"""Gain against confidence: a point a pair, and the gain from which on p < .05 is usual.

Where few systems exist, there are more of the same models fitted again on resampled training data.

Vocabulary
----------
gain
    Score of the system that is ahead less that of the other, on one dataset.
confidence
    1 − p, p being one-sided for the system that is ahead.
class
    Of a pair: whether its systems belong to the same group.
band
    Pairs whose p-value lies around .05: .04 < p < .06.
threshold
    A high quantile of the gains in the band: gains above it seldom have a
    p-value as large as .05 (Berg-Kirkpatrick et al. 2012, section 3).
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from ..data.result_set import ResultSet
from ..shown import DataFrame, frame_of
from ..signature import short_fingerprint, signature_line
from ..significance.settings import Rng, dataset_stream, seed_of
from ..types import FloatArray, IntArray
from ..validation import check_choice, check_whole
from .comparisons import PairComparisons, monte_carlo_error, with_ties

# A 95th percentile of fewer gains is the largest of them. Different pairs: one that lies in the
# band on several datasets or subsets tells nothing of other pairs. So they are of 7 systems or more.
FEWEST_PAIRS = 20
# "Around .05" is low < p < high, and a threshold this quantile of the gains there.
BAND = (0.04, 0.06)
_QUANTILE = 0.95
_INTERVAL_LEVEL = 0.95
_N_BOOTSTRAP = 999
_WIDE = 2.0
_MOST_OF_ONE = 0.5
_EMPTY_SHARE = 0.05
_TOO_FEW_SYSTEMS = (
    "Too few systems share the band for an interval, so this is no rule of thumb: "
    "other systems could give quite another threshold."
)
_WIDE_INTERVAL = (
    "The interval's upper end is more than twice its lower: with other systems of this kind the "
    "threshold could be quite another, so this is no rule of thumb."
)
_ONE_GAIN = (
    "Resamples of systems give one and the same gain, so there is no interval, and how far other "
    "systems would move the threshold is not known."
)
# Gains closer than this are equal but for rounding.
_SAME = 1e-9
# Of gains, the share of the largest that a step is at least.
_FINEST = 1e-6


@dataclass(frozen=True, slots=True, kw_only=True)
class Threshold:
    """The gain at which p < .05 becomes usual, a quantile of the gains in the band; None with a reason.

    A pair counts again on each dataset or subset where it lies in the band, but among the distinct
    ones. The interval is from resamples of systems, not pairs, which share them; None where it
    would be narrower than the `step` of the gains, or a single gain. `monte_carlo_range`: the
    threshold's ends if all p-values were off by up to two standard errors in one direction, as
    shared resamples err together.
    """

    value: float | None
    reason: str
    n_pairs: int
    n_distinct_pairs: int
    n_systems: int
    interval: tuple[float, float] | None
    monte_carlo_range: tuple[float, float] | None
    warnings: tuple[str, ...]
    seed: int
    step: float | None = None

    @property
    def signature(self) -> str:
        """The one line that names what the threshold depends on beside the pairs."""
        return signature_line(
            analysis="threshold",
            band=f"{BAND[0]:g}-{BAND[1]:g}",
            quantile=_QUANTILE,
            cases=self.n_pairs,
            pairs=self.n_distinct_pairs,
            systems=self.n_systems,
            level=_INTERVAL_LEVEL,
            bootstrap=_N_BOOTSTRAP,
            seed=self.seed,
        )


def threshold(
    gains: FloatArray,
    p_values: FloatArray,
    *,
    first: IntArray | Sequence[int],
    second: IntArray | Sequence[int],
    n_resamples: int | None = None,
    rng: Rng = 0,
) -> Threshold:
    """The gain at which p < .05 becomes usual: a quantile of the gains in a band of p-values.

    Gains are at least 0. `first` and `second` are each pair's systems. Berg-Kirkpatrick, Burkett
    and Klein (EMNLP-CoNLL 2012), section 3.
    """
    seed = seed_of(rng)
    _, codes = np.unique(np.concatenate([first, second]), return_inverse=True)
    a, b = codes.reshape(2, -1).astype(np.intp)
    inside = (p_values > BAND[0]) & (p_values < BAND[1])
    within = gains[inside]
    own_a, own_b = a[inside], b[inside]
    n_systems = np.unique(np.concatenate([own_a, own_b])).size
    value, interval, noise, step = None, None, None, None
    warnings: list[str] = []
    n_distinct = len(set(map(frozenset, zip(own_a.tolist(), own_b.tolist(), strict=True))))
    word = "pair" if n_distinct == within.size else "case"
    reason = _too_few(within.size, n_distinct)
    if not reason:
        value = float(np.quantile(within, _QUANTILE))
        stream = dataset_stream(seed, "", "threshold")
        drawn = _of_resampled_systems(within, own_a, own_b, int(codes.max()) + 1, stream)
        defined = drawn[~np.isnan(drawn)]
        if defined.size >= (1.0 - _EMPTY_SHARE) * drawn.size:
            tail = 0.5 * (1.0 - _INTERVAL_LEVEL)
            low, high = np.quantile(defined, [tail, 1.0 - tail]).tolist()
            interval = low, high
        without = _TOO_FEW_SYSTEMS
        if interval is not None:
            own_step = _step_of(gains)
            width = interval[1] - interval[0]
            # An interval as wide as a step has two gains in it.
            if own_step is not None and width < own_step * (1.0 - 1e-6):
                interval, step = None, own_step
                without = (
                    f"Gains come in steps of {own_step:.3g}, wider than an interval from resamples of "
                    "systems would be: so none is given, and the threshold is no more exact than a step."
                )
            elif width <= 0.0:
                interval, without = None, _ONE_GAIN
        if n_resamples is not None:
            noise = _moved_by_noise(gains, p_values, n_resamples)
        if interval is None:
            warnings.append(without)
        elif interval[1] > _WIDE * max(interval[0], 0.0):
            warnings.append(_WIDE_INTERVAL)
        most = int(np.bincount(np.concatenate([own_a, own_b])).max())
        if most > _MOST_OF_ONE * within.size:
            warnings.append(
                f"One system is part of {most} of the {within.size} {word}s: the threshold is "
                "that system's as much as the task's."
            )
        above = gains >= value
        n_above = int(np.count_nonzero(above))
        missed = int(np.count_nonzero(above & (p_values >= BAND[1])))
        if missed > 0.1 * max(1, n_above):
            warnings.append(
                f"{missed} of the {n_above} {word}s with at least this gain have "
                f"p ≥ {BAND[1]:g}: here the gain alone does not tell."
            )
    return Threshold(
        value=value,
        reason=reason,
        n_pairs=int(within.size),
        n_distinct_pairs=n_distinct,
        n_systems=int(n_systems),
        interval=interval,
        monte_carlo_range=noise,
        warnings=tuple(warnings),
        seed=seed,
        step=step,
    )


def _too_few(n_cases: int, n_pairs: int) -> str:
    """Why there is no threshold: a pair that lies in the band again and again is still one pair."""
    if n_pairs >= FEWEST_PAIRS:
        return ""
    low, high, share = (f"{number:g}".removeprefix("0") for number in (*BAND, _QUANTILE))
    again = f", {n_cases} times in all" if n_cases > n_pairs else ""
    few = f"Only {n_pairs}" if n_pairs else "No"
    pairs = f"{'different ' if again else ''}{'pair has' if n_pairs < 2 else 'pairs have'}"
    return (
        f"{few} {pairs} {low} < p < {high}{again}; a quantile of {share} needs at least "
        f"{FEWEST_PAIRS}{' different ones' if again else ''}."
    )


def _of_resampled_systems(
    gains: FloatArray, a: IntArray, b: IntArray, n_systems: int, rng: np.random.Generator
) -> FloatArray:
    """The quantile in resamples of systems; nan where none of the pairs is left.

    A pair of systems drawn s and t times counts s·t times; none is one with its own copy.
    """
    order = np.argsort(gains, kind="stable")
    ordered, own_a, own_b = gains[order], a[order], b[order]
    found = np.full(_N_BOOTSTRAP, np.nan)
    for k in range(_N_BOOTSTRAP):
        times = np.bincount(rng.integers(0, n_systems, n_systems), minlength=n_systems)
        upto = np.cumsum(times[own_a] * times[own_b])
        total = int(upto[-1])
        if total == 0:
            continue
        # As numpy.quantile of the gains, each repeated as often as its pair counts.
        place = _QUANTILE * (total - 1)
        left, right = np.searchsorted(upto, [np.floor(place), np.ceil(place)], side="right")
        share = place - np.floor(place)
        found[k] = (1.0 - share) * ordered[left] + share * ordered[right]
    return found


def _step_of(gains: FloatArray) -> float | None:
    """What all gains are multiples of, as of means of outcomes; None of gains without steps."""
    different = np.unique(gains[gains > _SAME])
    if not different.size:
        return None
    step, largest = float(different[0]), float(different[-1])
    # Euclid's algorithm; of numbers without a common measure it soon ends below any step.
    while step > _FINEST * largest:
        left = np.abs(different - np.rint(different / step) * step)
        left = left[left > _SAME]
        if not left.size:
            return step
        step = float(left.min())
    return None


def _moved_by_noise(gains: FloatArray, p_values: FloatArray, b: int) -> tuple[float, float]:
    """The threshold's ends if all p-values were off by up to two standard errors one way."""
    low, high = BAND
    # Shared resamples err together, so the whole band is moved, not each p-value by itself.
    shift = 2.0 * monte_carlo_error(0.5 * (low + high), b)
    found = []
    for moved in (-shift, 0.0, shift):
        within = gains[(p_values > low + moved) & (p_values < high + moved)]
        if within.size:
            found.append(float(np.quantile(within, _QUANTILE)))
    return min(found), max(found)


OF_SEVERAL_SIZES = "larger ones need smaller gains"
SAME, DIFFERENT, ALL = "same group", "different groups", "all pairs"
ORDERING_DOUBLES = (
    "Each pair is ordered by the gain that was observed, so where two systems are equal p < .05 "
    "comes out in about 10% of such pairs, not 5%."
)


# Which classes pairs of systems in groups are put in, with a title.
DETAILS = {
    "same-or-different": "same group, or different groups",
    "each-group": "each group apart, and different groups",
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GainConfidence:
    """A point for each pair and dataset, the pair ordered so that its gain is at least 0.

    `p_values` are of "the one ahead is better"; `ahead`, `behind`, `dataset_of` and `class_of` are
    positions in systems, datasets and classes.
    """

    pairs: PairComparisons
    gains: FloatArray
    p_values: FloatArray
    ahead: IntArray
    behind: IntArray
    dataset_of: IntArray
    class_of: IntArray
    classes: tuple[str, ...]
    groups: tuple[str, ...]

    @property
    def confidences(self) -> FloatArray:
        """1 − p of each point."""
        return np.asarray(1.0 - self.p_values)

    def threshold(self, *, pair_class: str | None = None, dataset: str | None = None) -> Threshold:
        """The gain at which p < .05 becomes usual, of one class and dataset or of all.

        Of all datasets together there is none where the largest is at least twice the smallest.
        """
        wanted = np.ones(self.gains.size, dtype=np.bool_)
        if pair_class is not None:
            check_choice(pair_class, self.classes, name="pair_class")
            wanted &= self.class_of == self.classes.index(pair_class)
        if dataset is not None:
            check_choice(dataset, self.pairs.datasets, name="dataset")
            wanted &= self.dataset_of == self.pairs.datasets.index(dataset)
        drawn = [
            n
            for name, n in zip(self.pairs.datasets, self.pairs.n_resamples, strict=True)
            if n is not None and dataset in (None, name)
        ]
        found = threshold(
            self.gains[wanted],
            self.p_values[wanted],
            first=self.ahead[wanted],
            second=self.behind[wanted],
            n_resamples=min(drawn) if drawn else None,
        )
        sizes = self.pairs.n_examples
        if dataset is not None or len(set(sizes)) < 2:
            return found
        return _of_several_sizes(found, min(sizes), max(sizes))

    def signature_of(self, found: Threshold, *, pair_class: str, dataset: str | None = None) -> str:
        """The one line that names everything a threshold of these points depends on."""
        own = signature_line(
            of="+".join(self.pairs.datasets) if dataset is None else dataset,
            pair_class=pair_class,
            groups="+".join(dict.fromkeys(self.groups)) or None,
            grouping=grouping_fingerprint(self.groups) or None,
        )
        start = found.signature.rsplit("|", 1)[0]
        return f"{start}|{own.rsplit('|', 1)[0]}|{self.pairs.signature}"

    def thresholds(self, *, dataset: str | None = None) -> dict[str, Threshold]:
        """The threshold of each class that has pairs: a group of one system has none."""
        there = set(self.class_of.tolist())
        return {
            name: self.threshold(pair_class=name, dataset=dataset)
            for place, name in enumerate(self.classes)
            if place in there
        }

    def to_frame(self) -> DataFrame:
        """A row for each point: dataset, ahead, behind, class, gain, p_value, confidence."""
        names = np.array(self.pairs.systems, dtype=object)
        return frame_of(
            {
                "dataset": np.array(self.pairs.datasets, dtype=object)[self.dataset_of],
                "ahead": names[self.ahead],
                "behind": names[self.behind],
                "class": np.array(self.classes, dtype=object)[self.class_of],
                "gain": self.gains,
                "p_value": self.p_values,
                "confidence": self.confidences,
            }
        )


def gain_confidence(
    pairs: PairComparisons,
    *,
    groups: Mapping[str, str] | None = None,
    detail: str = "same-or-different",
) -> GainConfidence:
    """Order each pair by its gain and put it in a class.

    `groups` are of all systems, as `groups_before` makes them. Berg-Kirkpatrick, Burkett and Klein
    (EMNLP-CoNLL 2012), section 3.1 and figures 2 to 4.
    """
    check_choice(detail, tuple(DETAILS), name="detail")
    own = tuple("" if groups is None else groups[name] for name in pairs.systems)
    first, second = np.triu_indices(pairs.n_systems, 1)
    oriented = with_ties(pairs.oriented_scores)
    gains = oriented[:, first] - oriented[:, second]
    ahead = np.where(gains >= 0.0, first, second).astype(np.intp)
    behind = np.where(gains >= 0.0, second, first).astype(np.intp)
    place = np.arange(pairs.n_datasets)[:, np.newaxis]
    classes, class_of_pair = _classes(own, first, second, each_group=detail == "each-group")
    return GainConfidence(
        pairs=pairs,
        gains=np.abs(gains).ravel(),
        p_values=pairs.p_values[place, ahead, behind].ravel(),
        ahead=ahead.ravel(),
        behind=behind.ravel(),
        dataset_of=np.repeat(np.arange(pairs.n_datasets), first.size),
        class_of=np.tile(class_of_pair, pairs.n_datasets),
        classes=classes,
        groups=own,
    )


def groups_before(systems: Sequence[str], mark: str) -> dict[str, str]:
    """Each system's group: what stands before the first such mark in its name."""
    return {name: name.split(mark, 1)[0] for name in systems}


def _of_several_sizes(found: Threshold, smallest: int, largest: int) -> Threshold:
    sizes = f"The datasets have between {smallest:,} and {largest:,} examples"
    if largest < 2 * smallest:
        warning = f"{sizes}, and {OF_SEVERAL_SIZES}: this gain mixes them."
        warnings = () if found.value is None else (*found.warnings, warning)
        return replace(found, warnings=warnings)
    reason = f"{sizes}, and {OF_SEVERAL_SIZES}: look at one dataset at a time."
    return replace(
        found, value=None, reason=reason, interval=None, monte_carlo_range=None, warnings=()
    )


def grouping_fingerprint(groups: tuple[str, ...]) -> str:
    """A few digits that tell one grouping of systems from another, '' without groups."""
    if not any(groups):
        return ""
    return short_fingerprint(hashlib.sha256("\n".join(groups).encode()).hexdigest())


def _classes(
    groups: tuple[str, ...], first: IntArray, second: IntArray, *, each_group: bool
) -> tuple[tuple[str, ...], IntArray]:
    if not any(groups):
        return (ALL,), np.zeros(first.size, dtype=np.intp)
    names = tuple(dict.fromkeys(groups))
    codes = np.array([names.index(group) for group in groups], dtype=np.intp)
    same = codes[first] == codes[second]
    if not each_group:
        return (SAME, DIFFERENT), np.where(same, 0, 1).astype(np.intp)
    found = np.where(same, codes[first], len(names)).astype(np.intp)
    return (*names, DIFFERENT), found


# From places in the training data and a Generator to one score for each test example.
FitPredict = Callable[[IntArray, np.random.Generator], npt.ArrayLike]


def synthetic_systems(
    fit_predict: Mapping[str, FitPredict],
    n_training: int,
    *,
    dataset: str,
    fractions: Sequence[float] = (1.0, 0.5, 0.25),
    n_per_fraction: int = 10,
    rng: Rng = 0,
) -> ResultSet:
    """Fit each base model again and again on resampled training sets, and score one test set.

    A system is called "<base model>:<per cent of the training data>:<number>" and depends on its
    name and the seed alone. A base model is called as ``fit_predict(places, rng)`` with places in
    the training data, drawn with replacement, and gives one score for each test example, higher
    being better. Berg-Kirkpatrick, Burkett and Klein (EMNLP-CoNLL 2012), section 3.2.
    """
    check_whole(n_training, name="n_training", least=1)
    if not fit_predict:
        raise ValueError("`fit_predict` must name at least one base model; got none.")
    wrong = [share for share in fractions if not 0.0 < share <= 1.0]
    if wrong or not fractions:
        raise ValueError(f"`fractions` must lie in (0, 1]; got {wrong[0] if wrong else 'none'}.")
    n_per_fraction = check_whole(n_per_fraction, name="n_per_fraction", least=1)
    seed = seed_of(rng)
    scores: dict[str, npt.ArrayLike] = {}
    for model, fitted in fit_predict.items():
        for share in dict.fromkeys(fractions):
            for number in range(1, n_per_fraction + 1):
                name = f"{model}:{100.0 * share:g}:{number}"
                stream = dataset_stream(seed, name, "synthetic-systems")
                places = stream.integers(0, n_training, size=max(1, round(share * n_training)))
                given = np.asarray(fitted(places, stream), dtype=np.float64)
                if given.ndim != 1 or not given.size or not np.isfinite(given).all():
                    raise ValueError(
                        f"`fit_predict` must give one finite score for each test example; {model!r} "
                        f"gave an array of shape {given.shape}."
                    )
                scores[name] = given
    return ResultSet.from_scores({dataset: scores})
