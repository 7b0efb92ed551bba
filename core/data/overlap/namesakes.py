"""Ids that several datasets have for different things, such as names of systems or of languages.

A row may be a system, as where metrics are compared by their correlation with
human scores: "Online-B" then has a row in every language pair, each about
something else. Such ids say neither that datasets share examples nor that
they do not.

Vocabulary
----------
namesake
    An id with different gold and different predictions in two datasets. The same
    example may have other gold in another dataset, where others judged it, but
    the systems' predictions are then the same; or other predictions, of
    another run, but then the same gold.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from core.data.overlap.shared_pairs import shared_pairs, sorted_distinct
from core.data.result_set import ResultSet
from core.data.tables.columns import DATASET_HEADINGS, heading
from core.data.tables.headings import SYSTEM_HEADINGS
from core.types import BoolArray, IntArray

_Codes = npt.NDArray[np.int32]

# Where at least this share of the ids that datasets have in common are namesakes, all are:
# of a few labels others agree by chance. Fewer may be examples that were annotated anew.
SHARE_OF_NAMESAKES = 0.25
# Two datasets in which at least this share of the ids that both have stand for the same gold,
SHARE_ALIKE = 0.95
# and chance that makes it so is below 2 to the minus this, have the same examples.
FEWEST_BITS = 40.0
# So many ids are kept to be shown.
MOST_SHOWN = 3
# A column of ids with such a heading tells of each row which system or language it is of.
NAME_HEADINGS = frozenset({*SYSTEM_HEADINGS, *DATASET_HEADINGS}) - {"data", "name"}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Namesakes:
    """Examples whose ids say nothing, as other datasets have them for something else.

    Attributes
    ----------
    ids : tuple of str
        The first few of these ids, those that most datasets have first.
    n_examples : ndarray of int, shape (n_datasets,)
        How many such examples each dataset has.
    by_heading : bool
        Whether the column's heading says so, and not gold and predictions.
    """

    ids: tuple[str, ...]
    n_examples: IntArray
    by_heading: bool = False


def without_namesakes(
    result_set: ResultSet, codes: _Codes, dataset: IntArray
) -> tuple[_Codes, BoolArray]:
    """The codes of ids that point to examples, and which examples have namesakes.

    Parameters
    ----------
    result_set : ResultSet
        The results.
    codes : ndarray of int, shape (n,)
        Equal where ids are, -1 where there is none to compare; all datasets one
        after the other.
    dataset : ndarray of int, shape (n,)
        The dataset of each example.

    Returns
    -------
    codes : ndarray of int, shape (n,)
        -1 for namesakes, but for those that stand for the same gold in two
        datasets which agree on nearly all ids that both have, as a dataset and
        a part of it do.
    namesake : ndarray of bool, shape (n,)
        Which examples have an id that is a namesake and are not compared.
    """
    none = np.zeros(codes.size, dtype=np.bool_)
    if _named_by_heading(result_set):
        return np.full_like(codes, -1), codes >= 0
    gold = _gold(result_set)
    if gold is None:
        return codes, none
    shared = _in_several(codes, dataset)
    if not shared.any():
        return codes, none
    own, gold = codes[shared], _numbered([gold[shared]])
    predicted = _numbered([column[shared] for column in _predictions(result_set)])
    other = (_n_different(own, gold) > 1) & (_n_different(own, predicted) > 1)
    if np.unique(own[other]).size >= SHARE_OF_NAMESAKES * np.unique(own).size:
        other[:] = True
    group = _alike(own, gold, dataset[shared], result_set.n_datasets)[dataset[shared]]
    example = np.where(group >= 0, _numbered([own, gold, group]), -1)
    known = other & _in_several(example, dataset[shared])
    places = np.flatnonzero(shared)
    found, namesake = codes.copy(), none
    found[places[other]] = -1
    found[places[known]] = int(codes.max()) + 1 + example[known]
    namesake[places[other & ~known]] = True
    return found, namesake


def _alike(own: _Codes, gold: _Codes, dataset: IntArray, n_datasets: int) -> IntArray:
    """For each dataset a number, the same for those that agree on gold; -1 for all others."""
    from scipy import sparse
    from scipy.sparse.csgraph import connected_components

    by_id = shared_pairs(own, dataset, n_datasets=n_datasets)
    same = shared_pairs(_numbered([own, gold]), dataset, n_datasets=n_datasets)
    keys = by_id.first * n_datasets + by_id.second
    told = np.isin(same.first * n_datasets + same.second, keys)
    first, second, n_same = same.first[told], same.second[told], same.n_common[told]
    n_common = by_id.n_common[np.searchsorted(keys, first * n_datasets + second)]
    shares = np.bincount(gold) / gold.size
    bits = -float(np.sum(shares[shares > 0] * np.log2(shares[shares > 0])))
    alike = (n_same >= SHARE_ALIKE * n_common) & (n_same * bits >= FEWEST_BITS)
    ones = np.ones(np.count_nonzero(alike), dtype=np.int8)
    shape = (n_datasets, n_datasets)
    graph = sparse.csr_array((ones, (first[alike], second[alike])), shape=shape)
    _, component = connected_components(graph, directed=False)
    grouped = np.isin(np.arange(n_datasets), (first[alike], second[alike]))
    numbers: IntArray = np.where(grouped, component, -1)
    return numbers


def namesakes_of(
    result_set: ResultSet, codes: _Codes, namesake: BoolArray, dataset: IntArray
) -> Namesakes | None:
    """What is to be said of namesakes; None where there are none."""
    if not namesake.any():
        return None
    counted, n_datasets = np.unique(codes[namesake], return_counts=True)
    first = counted[np.argsort(-n_datasets, kind="stable")][:MOST_SHOWN]
    places = [int(np.flatnonzero(codes == code)[0]) for code in first]
    ids: Sequence[Any] = result_set.example_ids or ()
    starts = np.cumsum([0, *(len(own) for own in ids)])
    shown = [str(ids[dataset[p]][p - int(starts[dataset[p]])]) for p in places] if ids else []
    return Namesakes(
        ids=tuple(shown),
        n_examples=np.bincount(dataset[namesake], minlength=result_set.n_datasets),
        by_heading=_named_by_heading(result_set),
    )


def _in_several(codes: npt.NDArray[np.integer], dataset: IntArray) -> BoolArray:
    """Which examples have a code that another dataset has as well."""
    different = _n_different(codes, dataset)
    several: BoolArray = (different > 1) & (codes >= 0)
    return several


def _n_different(groups: npt.NDArray[np.integer], values: npt.NDArray[np.integer]) -> IntArray:
    """For each example how many different values stand in its group, shape (n,)."""
    n_values = int(values.max(initial=0)) + 1
    offset = groups.astype(np.int64) + 1
    keys = sorted_distinct(offset * n_values + values)
    counts: IntArray = np.bincount(keys // n_values, minlength=int(offset.max()) + 1)[offset]
    return counts


def _numbered(columns: Sequence[npt.NDArray[Any]]) -> _Codes:
    """One number for each row of columns, equal where all columns are."""
    numbers = np.zeros(len(columns[0]), dtype=np.int64)
    for column in columns:
        _, codes = np.unique(column, return_inverse=True)
        keys = numbers * (int(codes.max(initial=0)) + 1) + codes
        _, numbers = np.unique(keys, return_inverse=True)
    numbered: _Codes = numbers.astype(np.int32)
    return numbered


def _gold(result_set: ResultSet) -> npt.NDArray[Any] | None:
    if result_set.labels is not None:
        return np.concatenate(result_set.labels.gold)
    return None if result_set.gold_scores is None else np.concatenate(result_set.gold_scores)


def _predictions(result_set: ResultSet) -> list[npt.NDArray[Any]]:
    """A column for each system: its labels, else its scores, which are correlated with gold."""
    if result_set.labels is not None:
        whole: npt.NDArray[Any] = np.concatenate(result_set.labels.predictions)
    else:
        whole = np.concatenate(result_set.values[result_set.metrics[0]])
    return list(whole.reshape(len(whole), -1).T)


def _named_by_heading(result_set: ResultSet) -> bool:
    """Whether ids stand in a column of systems, languages or the like."""
    reading = result_set.reading
    column = None if reading is None else reading.roles.get("example")
    return isinstance(column, str) and heading(column) in NAME_HEADINGS
