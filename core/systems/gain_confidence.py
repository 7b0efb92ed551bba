"""Gain against confidence: a point a pair, and the threshold that the points suggest.

Vocabulary
----------
gain
    Score of the system that is ahead less that of the other, on one dataset.
confidence
    1 − p, p being one-sided for the system that is ahead.
class
    Of a pair: whether its systems belong to the same group.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from ..shown import DataFrame, frame_of
from ..signature import short_fingerprint, signature_line
from ..types import FloatArray, IntArray
from ..validation import check_choice
from .comparisons import PairComparisons, with_ties
from .threshold import Threshold, threshold

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
    positions in `systems`, `datasets` and `classes`: "all pairs" without groups; else "same group"
    and "different groups", or the groups' names and "different groups".
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
    def systems(self) -> tuple[str, ...]:
        """Those compared."""
        return self.pairs.systems

    @property
    def datasets(self) -> tuple[str, ...]:
        """Those compared on."""
        return self.pairs.datasets

    @property
    def confidences(self) -> FloatArray:
        """1 − p of each point."""
        return np.asarray(1.0 - self.p_values)

    def threshold(self, *, pair_class: str | None = None, dataset: str | None = None) -> Threshold:
        """The gain at which p < .05 becomes usual, of one class and dataset or of all.

        Of all datasets together there is none where the largest has at least twice
        the examples of the smallest, since larger ones need smaller gains; where
        they differ less, a warning says so.
        """
        wanted = np.ones(self.gains.size, dtype=np.bool_)
        if pair_class is not None:
            check_choice(pair_class, self.classes, name="pair_class")
            wanted &= self.class_of == self.classes.index(pair_class)
        if dataset is not None:
            check_choice(dataset, self.datasets, name="dataset")
            wanted &= self.dataset_of == self.datasets.index(dataset)
        drawn = [
            n
            for name, n in zip(self.datasets, self.pairs.n_resamples, strict=True)
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
            of="+".join(self.datasets) if dataset is None else dataset,
            pair_class=pair_class,
            groups="+".join(dict.fromkeys(self.groups)) or None,
            grouping=grouping_fingerprint(self.groups) or None,
        )
        start = found.signature.rsplit("|", 1)[0]
        return f"{start}|{own.rsplit('|', 1)[0]}|{self.pairs.signature}"

    def thresholds(self, *, dataset: str | None = None) -> dict[str, Threshold]:
        """The threshold of each class."""
        return {one: self.threshold(pair_class=one, dataset=dataset) for one in self.classes}

    def to_frame(self) -> DataFrame:
        """A row for each point: dataset, ahead, behind, class, gain, p_value, confidence."""
        names = np.array(self.systems, dtype=object)
        return frame_of(
            {
                "dataset": np.array(self.datasets, dtype=object)[self.dataset_of],
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
    groups: Mapping[str, str] | str | None = None,
    detail: str = "same-or-different",
) -> GainConfidence:
    """Order each pair by its gain and put it in a class.

    `groups` are what systems are built on, or who built them; a string is a separator: the group is
    what stands before its first occurrence in a system's name. Berg-Kirkpatrick, Burkett and Klein
    (EMNLP-CoNLL 2012), section 3.1 and figures 2 to 4.
    """
    check_choice(detail, tuple(DETAILS), name="detail")
    own = groups_of(pairs.systems, groups)
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


def groups_of(systems: tuple[str, ...], groups: Mapping[str, str] | str | None) -> tuple[str, ...]:
    """The group of each system; '' of all without groups."""
    if groups is None:
        return ("",) * len(systems)
    if isinstance(groups, str):
        if not groups:
            raise ValueError("`groups` must not be an empty separator; give None for no groups.")
        without = [system for system in systems if groups not in system]
        if without:
            raise ValueError(
                f"`groups` must be a separator that every system's name has; {groups!r} is not in "
                f"{without[0]!r}."
            )
        return tuple(system.split(groups, 1)[0] for system in systems)
    missing = [system for system in systems if system not in groups]
    if missing:
        raise ValueError(
            f"`groups` must name a group for each system; got none for {missing[0]!r}."
        )
    return tuple(groups[system] for system in systems)


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
