"""Pairs of datasets in words: what they share, and what is to be said of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, combinations, islice
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from ..data.overlap.find import Overlap
from ..data.overlap.shared_pairs import Held, SharedPairs, Union
from ..data.overlap.signs import Sign
from ..types import BoolArray, IntArray
from .formatting import (
    counted,
    display_name,
    format_share,
    list_names,
    whole_name,
)

if TYPE_CHECKING:
    import pandas as pd

# Pairs, unions or groups that one sentence names.
MOST_SHOWN = 10
# Sets of datasets of which one sentence says what all of them have.
MOST_SETS = 3
# Rows of the table; those that share least are left off.
MOST_ROWS = 10_000

SIGN_NAMES: Mapping[Sign, str] = {
    "ids": "equal ids with different texts",
    "id-order": "the same numbers as ids, which are more than a count",
    "gold-order": "the same gold labels in the same order",
    "names": "as many examples, and names that differ only in the language",
}

_Item = TypeVar("_Item")


def overlap_table(overlap: Overlap) -> pd.DataFrame:
    """A row for each pair that shares something, or may: those that share most first.

    Columns are "dataset", "other", "shared" (examples), "share" (of the
    smaller one) and "note". At most 10,000 rows.
    """
    import pandas as pd

    rows = list(islice(_rows(overlap), MOST_ROWS))
    return pd.DataFrame(rows, columns=["dataset", "other", "shared", "share", "note"])


def pair_notes(overlap: Overlap, first: IntArray, second: IntArray) -> list[str]:
    """What is to be said of pairs of datasets besides their numbers: "" for most."""
    notes: list[list[str]] = [[] for _ in range(first.size)]
    n = overlap.n_datasets
    known = overlap.subsets[:, 0] * n + overlap.subsets[:, 1]
    for part, whole in ((first, second), (second, first)):
        for place in np.flatnonzero(np.isin(part * n + whole, known)).tolist():
            notes[place].append(within_clause(overlap, (int(part[place]), int(whole[place]))))
    unions = {union.whole: union for union in overlap.unions}
    texts = _text_pairs(overlap)
    groups: dict[int, list[tuple[frozenset[int], Sign]]] = {}
    for group in overlap.translations:
        members = frozenset(group.members)
        for member in members:
            groups.setdefault(member, []).append((members, group.sign))
    scored = {member: group for group in overlap.same_scores for member in group}
    for place, pair in enumerate(zip(first.tolist(), second.tolist(), strict=True)):
        for one, other in (pair, pair[::-1]):
            union = unions.get(one)
            if union is not None and other in union.parts:
                notes[place].append(union_clause(overlap, union))
        low, high = min(pair), max(pair)
        if (low, high) in texts and not overlap.n_common(low, high):
            notes[place].append(f"{counted(texts[low, high], 'text')} in common")
        if pair[0] in scored and pair[1] in scored[pair[0]]:
            notes[place].append("the same scores on all examples")
        notes[place].extend(
            f"possibly translations: {SIGN_NAMES[sign]}"
            for members, sign in groups.get(pair[0], ())
            if pair[1] in members
        )
    return ["; ".join(dict.fromkeys(found)) for found in notes]


def shared_sentence(overlap: Overlap) -> str:
    """State how many pairs share examples, and why, or which share the greatest part."""
    pairs = overlap.pairs
    n_sharing = pairs.first.size
    n_pairs = overlap.n_datasets * (overlap.n_datasets - 1) // 2
    if not pairs.first.size:
        return (
            f"{counted(pairs.n_widespread, 'test example')} in common to thousands of the "
            f"{overlap.n_datasets:,} datasets."
        )
    lead = (
        "The two datasets have test examples in common"
        if n_pairs == 1
        else f"{n_sharing:,} of {n_pairs:,} pairs of datasets "
        f"{'has' if n_sharing == 1 else 'have'} test examples in common"
    )

    shares = overlap.shares

    def clause(i: int) -> str:
        return (
            f"{name(overlap, int(pairs.first[i]))} and {name(overlap, int(pairs.second[i]))} "
            f"({int(pairs.n_common[i]):,}, {format_share(float(shares[i]))} of the smaller)"
        )

    order = _by_share(overlap, most=MOST_ROWS).tolist()
    return _common_sentences(overlap, pairs, lead, "test example", order, clause)


def texts_sentence(overlap: Overlap) -> str:
    """State which pairs have texts in common, and why, or those with most."""
    pairs = overlap.texts
    if not pairs.first.size:
        return (
            f"{counted(pairs.n_widespread, 'text')} of examples in common to thousands of the "
            f"{overlap.n_datasets:,} datasets."
        )

    def clause(i: int) -> str:
        return (
            f"{name(overlap, int(pairs.first[i]))} and {name(overlap, int(pairs.second[i]))} "
            f"({counted(int(pairs.n_common[i]), 'text')})"
        )

    order = np.lexsort((pairs.second, pairs.first, -pairs.n_common)).tolist()
    lead = "Examples of these datasets have texts in common"
    return _common_sentences(overlap, pairs, lead, "text", order, clause)


def _common_sentences(
    overlap: Overlap,
    pairs: SharedPairs,
    lead: str,
    noun: str,
    order: Sequence[int],
    clause: Callable[[int], str],
) -> str:
    """What pairs have in common: by what many datasets have at once, then pair by pair."""
    told, further = _held_by_many(pairs)
    if not told:
        return f"{lead}: {listed(order, clause, ', ', n=pairs.first.size)}."
    rest = [i for i in order if further[i]]
    n_rest = int(np.count_nonzero(further))
    if len(told) == 1 and not rest and len(told[0].members) == overlap.n_datasets:
        n = told[0].n_common
        what = f"{'' if n == 1 else 'the same '}{counted(n, noun)}"
        return f"All {overlap.n_datasets:,} datasets have {what} in common."
    sets = "; ".join(_held_clause(overlap, one, noun) for one in told)
    if not rest:
        return f"{lead}: {sets}."
    return (
        f"{lead}: {sets}. Beyond that, {counted(n_rest, 'pair')} "
        f"{'has' if n_rest == 1 else 'have'} more in common: "
        f"{listed(rest, clause, ', ', n=n_rest)}."
    )


def _held_by_many(pairs: SharedPairs) -> tuple[list[Held], BoolArray]:
    """Sets of datasets by which most pairs are told of at once, and which pairs have more in common."""
    left = pairs.n_common.copy()
    told = [one for one in pairs.held[:MOST_SETS] if one.n_pairs > MOST_SHOWN]
    for one in told:
        members = np.array(one.members)
        left[np.isin(pairs.first, members) & np.isin(pairs.second, members)] -= one.n_common
    further: BoolArray = left > 0
    if 2 * np.count_nonzero(further) > further.size:
        return [], further
    return told, further


def _held_clause(overlap: Overlap, held: Held, noun: str) -> str:
    """Write "5 texts stand in all 18 datasets" or, of some, "… in 15 of the datasets (a, b and 13 more)"."""
    what = f"{counted(held.n_common, noun)} {'stands' if held.n_common == 1 else 'stand'}"
    n = len(held.members)
    if n == overlap.n_datasets:
        return f"{what} in all {n:,} datasets"
    return f"{what} in {n:,} of them ({list_names(names(overlap, held.members), most=3)})"


def within_sentence(overlap: Overlap) -> str:
    """State which datasets lie within others: equal ones, and the parts of one whole, together."""
    n, pairs = overlap.n_datasets, overlap.pairs
    part, whole = overlap.subsets[:, 0], overlap.subsets[:, 1]
    keys = np.minimum(part, whole) * n + np.maximum(part, whole)
    n_common = pairs.n_common[np.searchsorted(pairs.first * n + pairs.second, keys)]
    is_whole = n_common == overlap.n_distinct[part]
    is_equal = is_whole & (n_common == overlap.n_distinct[whole])
    # Of equal datasets the first stands for all.
    first = np.arange(n)
    np.minimum.at(first, whole[is_equal], part[is_equal])
    told = (first[part] == part) & (is_equal | (first[whole] == whole))
    # The first member is the one that the others are equal to or lie within.
    clauses: dict[tuple[str, int], list[int]] = {}
    for place in np.flatnonzero(told).tolist():
        one, other = int(part[place]), int(whole[place])
        if is_equal[place]:
            clauses.setdefault(("equal", one), [one]).append(other)
        else:
            key = ("within", other) if is_whole[place] else ("nearly", one * n + other)
            clauses.setdefault(key, [other]).append(one)

    def clause(item: tuple[tuple[str, int], list[int]]) -> str:
        (kind, _), members = item
        if kind == "equal":
            return f"{list_names(names(overlap, members))} hold the same examples"
        if len(members) == 2:
            return within_clause(overlap, members[::-1])
        parts = list_names(names(overlap, members[1:]))
        return f"{parts} lie wholly within {name(overlap, members[0])}"

    return f"{listed(list(clauses.items()), clause, '; ')}."


def union_clause(overlap: Overlap, union: Union) -> str:
    """Write "WS-353 is made of REL and SIM", with the number where some are missing."""
    n = int(overlap.n_distinct[union.whole])
    whole = name(overlap, union.whole)
    parts = list_names(names(overlap, union.parts))
    if union.n_covered == n:
        return f"{whole} is made of {parts}"
    return f"{whole} is nearly made of {parts} ({union.n_covered:,} of its {n:,} examples)"


def within_clause(overlap: Overlap, pair: Sequence[int]) -> str:
    """Write "MC-30 lies wholly within WS-353", for positions of the part and the whole."""
    part, whole = pair
    n_common = overlap.n_common(part, whole)
    n_part, n_whole = int(overlap.n_distinct[part]), int(overlap.n_distinct[whole])
    if n_common == n_part == n_whole:
        return f"{name(overlap, part)} and {name(overlap, whole)} hold the same examples"
    how_much = "wholly" if n_common == n_part else f"with {n_common:,} of {n_part:,} examples"
    return f"{name(overlap, part)} lies {how_much} within {name(overlap, whole)}"


def same_scores_clause(overlap: Overlap, members: Sequence[int]) -> str:
    """Write "hi and hi_copy have the same scores on all 500 examples"."""
    n = counted(int(overlap.n_examples[members[0]]), "example")
    return f"{list_names(names(overlap, members))} have the same scores on all {n}"


def listed(
    items: Sequence[_Item],
    clause: Callable[[_Item], str],
    separator: str,
    *,
    n: int | None = None,
) -> str:
    """The clauses of the first ten of `n` items, by default all, and how many more there are."""
    shown = separator.join(clause(item) for item in items[:MOST_SHOWN])
    n_more = (len(items) if n is None else n) - MOST_SHOWN
    return f"{shown}{separator}and {n_more:,} more" if n_more > 0 else shown


def name(overlap: Overlap, index: int) -> str:
    """A dataset's name for a sentence."""
    return display_name(overlap.datasets[index])


def names(overlap: Overlap, indices: Sequence[int]) -> list[str]:
    """Several datasets' names as given."""
    return [overlap.datasets[i] for i in indices]


def _rows(overlap: Overlap) -> Iterator[tuple[str, str, int, float, str]]:
    order = _by_share(overlap, most=MOST_ROWS)
    first, second = overlap.pairs.first[order], overlap.pairs.second[order]
    columns = (
        first.tolist(),
        second.tolist(),
        overlap.pairs.n_common[order].tolist(),
        overlap.shares[order].tolist(),
        pair_notes(overlap, first, second),
    )
    shown = set()
    for one, other, n_common, share, note in zip(*columns, strict=True):
        shown.add((one, other))
        yield (
            whole_name(overlap.datasets[one]),
            whole_name(overlap.datasets[other]),
            n_common,
            share,
            note,
        )
    possible = chain(
        _text_pairs(overlap),
        (pair for group in overlap.same_scores for pair in combinations(group, 2)),
        (pair for group in overlap.translations for pair in combinations(group.members, 2)),
    )
    unshown = [pair for pair in islice(possible, MOST_ROWS) if pair not in shown]
    pairs = np.array(list(dict.fromkeys(unshown)), dtype=np.intp).reshape(-1, 2)
    notes = pair_notes(overlap, pairs[:, 0], pairs[:, 1])
    for (one, other), note in zip(pairs.tolist(), notes, strict=True):
        compared = overlap.n_distinct[one] and overlap.n_distinct[other]
        share = 0.0 if compared else float("nan")
        yield whole_name(overlap.datasets[one]), whole_name(overlap.datasets[other]), 0, share, note


def _text_pairs(overlap: Overlap) -> dict[tuple[int, int], int]:
    """How many texts each two datasets have in common."""
    pairs = overlap.texts
    places = zip(pairs.first.tolist(), pairs.second.tolist(), strict=True)
    return dict(zip(places, pairs.n_common.tolist(), strict=True))


def _by_share(overlap: Overlap, *, most: int) -> IntArray:
    """Places of the pairs that share the greatest part, the greatest first."""
    pairs, shares = overlap.pairs, overlap.shares
    kept = np.arange(shares.size)
    if shares.size > most:
        kept = np.flatnonzero(shares >= np.partition(shares, -most)[-most])
    keys = (pairs.second[kept], pairs.first[kept], -pairs.n_common[kept], -shares[kept])
    order: IntArray = kept[np.lexsort(keys)][:most]
    return order
