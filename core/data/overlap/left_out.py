"""What datasets have in common once some of them are left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import replace
from itertools import compress

import numpy as np

from core.data.overlap.find import Overlap
from core.data.overlap.namesakes import Namesakes
from core.data.overlap.shared_pairs import Held, SharedPairs, most_pairs_first
from core.types import BoolArray


def without_datasets(overlap: Overlap, names: Collection[str]) -> Overlap:
    """The same without datasets that are left out, and without what they take part in.

    Parameters
    ----------
    overlap : Overlap
        Of all datasets.
    names : collection of str
        Those left out. Positions of the others are those among themselves.
    """
    kept = ~np.isin(overlap.datasets, list(names))
    if kept.all():
        return overlap
    place = np.cumsum(kept) - 1
    together = (
        replace(group, members=members)
        for group in overlap.translations
        if len(members := _kept_of(group.members, kept)) > 1
    )
    return replace(
        overlap,
        datasets=tuple(compress(overlap.datasets, kept)),
        n_examples=overlap.n_examples[kept],
        n_distinct=overlap.n_distinct[kept],
        n_unknown=overlap.n_unknown[kept],
        conclusive=overlap.conclusive[kept],
        pairs=_pairs(overlap.pairs, kept),
        subsets=place[overlap.subsets[kept[overlap.subsets].all(axis=1)]],
        unions=tuple(
            replace(union, whole=int(place[union.whole]), parts=_kept_of(union.parts, kept))
            for union in overlap.unions
            if kept[[union.whole, *union.parts]].all()
        ),
        translations=tuple(together),
        texts=_pairs(overlap.texts, kept),
        same_scores=_groups(overlap.same_scores, kept),
        namesakes=_namesakes(overlap.namesakes, kept),
    )


def _namesakes(namesakes: Namesakes | None, kept: BoolArray) -> Namesakes | None:
    if namesakes is None or np.count_nonzero(namesakes.n_examples[kept]) < 2:
        return None
    return replace(namesakes, n_examples=namesakes.n_examples[kept])


def _groups(groups: Iterable[tuple[int, ...]], kept: BoolArray) -> tuple[tuple[int, ...], ...]:
    """What stays of groups, where two or more do."""
    staying = (_kept_of(group, kept) for group in groups)
    return tuple(group for group in staying if len(group) > 1)


def _kept_of(members: tuple[int, ...], kept: BoolArray) -> tuple[int, ...]:
    """The new positions of those that stay."""
    place = np.cumsum(kept) - 1
    return tuple(int(place[member]) for member in members if kept[member])


def _pairs(pairs: SharedPairs, kept: BoolArray) -> SharedPairs:
    both = kept[pairs.first] & kept[pairs.second]
    widespread = pairs.widespread[kept]
    place = np.cumsum(kept) - 1
    return replace(
        pairs,
        n_distinct=pairs.n_distinct[kept],
        first=place[pairs.first[both]],
        second=place[pairs.second[both]],
        n_common=pairs.n_common[both],
        # Of what stands nearly everywhere it is not known where, but that it stands here.
        n_widespread=pairs.n_widespread if np.count_nonzero(widespread) > 1 else 0,
        widespread=widespread,
        held=_held(pairs.held, kept),
    )


def _held(held: Iterable[Held], kept: BoolArray) -> tuple[Held, ...]:
    """What three or more of the datasets that stay have in common."""
    staying: Counter[tuple[int, ...]] = Counter()
    for one in held:
        staying[_kept_of(one.members, kept)] += one.n_common
    return most_pairs_first(
        Held(members=members, n_common=n) for members, n in staying.items() if len(members) > 2
    )
