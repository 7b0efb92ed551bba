"""Datasets that have the same scores in the same order, where chance is ruled out.

Two lists of a few right and wrong answers may agree by chance, and so may two on
which the systems are nearly always right. What is counted is therefore how much the
agreement says; ids, texts and gold labels that contradict win over it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from hashlib import sha256
from math import comb, log2

import numpy as np
import numpy.typing as npt
from scipy.special import gammaln

from core.data.overlap.example_ids import judge_ids
from core.data.result_set import ResultSet

# Datasets that agree with a chance of more than 2 to the minus this are not called the same,
# whichever pair of all datasets it is.
FEWEST_BITS = 40.0
# Rows that repeat after so few lines were written by a rule.
LONGEST_PERIOD = 12
FIRST_ROWS = 20_000


def find_same_scores(result_set: ResultSet) -> tuple[tuple[int, ...], ...]:
    """Every group of datasets that have the same scores.

    Parameters
    ----------
    result_set : ResultSet
        The datasets; the scores of every system in every metric count, in the
        file's order of examples.

    Returns
    -------
    tuple of tuple of int
        Two or more positions of datasets each, in their order. Independent
        datasets with rows of scores as frequent as theirs would form any
        group with a chance of less than 2 to the minus 40.
    """
    n_datasets = result_set.n_datasets
    if n_datasets < 2:
        return ()
    needed = FEWEST_BITS + log2(comb(n_datasets, 2))
    alike = _groups((index, _mark(_scores(result_set, index))) for index in range(n_datasets))
    found: list[tuple[int, ...]] = []
    for members in alike:
        rows = np.column_stack(_scores(result_set, members[0]))
        # The first rows mostly say enough, and all need not be sorted then.
        if _bits(rows[:FIRST_ROWS]) >= needed or (len(rows) > FIRST_ROWS and _bits(rows) >= needed):
            found.extend(_not_contradicted(result_set, members))
    return tuple(sorted(found))


def _scores(result_set: ResultSet, index: int) -> list[npt.NDArray[np.float64]]:
    """All that is scored of a dataset, a row for each example."""
    return [given[index].reshape(len(given[index]), -1) for given in result_set.values.values()]


def _mark(arrays: Iterable[npt.NDArray[np.generic]]) -> bytes:
    digest = sha256()
    for array in arrays:
        digest.update(np.int64(len(array)).tobytes())
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.digest()


def _groups(marks: Iterable[tuple[int, Hashable]]) -> Iterator[tuple[int, ...]]:
    """Datasets with the same mark, where there are two or more."""
    members: dict[Hashable, list[int]] = {}
    for index, mark in marks:
        members.setdefault(mark, []).append(index)
    return (tuple(group) for group in members.values() if len(group) > 1)


def _not_contradicted(result_set: ResultSet, members: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Of datasets with the same scores those that agree in texts, gold labels and telling ids too."""
    told: dict[int, list[npt.NDArray[np.generic]]] = {index: [] for index in members}
    given = [
        None if result_set.inputs is None else result_set.inputs.codes,
        None if result_set.labels is None else result_set.labels.gold,
        result_set.gold_scores,
    ]
    for arrays in given:
        if arrays is not None:
            for index in members:
                told[index].append(arrays[index])
    if result_set.example_ids is not None:
        # Only words tell that examples differ: every list may count or name them in its own way.
        ids = judge_ids([result_set.example_ids[index] for index in members])
        parts = np.split(ids.codes, len(members))
        for index, codes, are_texts in zip(members, parts, ids.texts.tolist(), strict=True):
            told[index].append(codes if are_texts else np.full_like(codes, -1))
    return _groups((index, _mark(told[index])) for index in members)


def _bits(rows: npt.NDArray[np.float64]) -> float:
    """How unlikely it is that two independent datasets with rows as frequent as these agree in all."""
    n = len(rows)
    _, codes, counts = np.unique(rows, axis=0, return_inverse=True, return_counts=True)
    codes = codes.reshape(-1)
    longest = min(LONGEST_PERIOD, n // 2)
    if any(np.array_equal(codes[p:], codes[:-p]) for p in range(1, longest + 1)):
        return 0.0
    bits = -n * log2(float(((counts / n) ** 2).sum()))
    if _in_order(rows, codes, counts):
        # Of sorted examples only the counts say something, their order does not.
        n_orders = gammaln(n + 1) - gammaln(counts + 1).sum()
        bits -= float(n_orders) / np.log(2.0)
    return bits


def _in_order(
    rows: npt.NDArray[np.float64], codes: npt.NDArray[np.intp], counts: npt.NDArray[np.intp]
) -> bool:
    """Whether equal rows stand together, or examples are sorted by a score or by all of them."""
    n_changes = int(np.count_nonzero(codes[1:] != codes[:-1]))
    if counts.size < codes.size and n_changes == counts.size - 1:
        return True
    steps = np.diff(np.column_stack([rows, rows.sum(axis=1)]), axis=0)
    sorted_by = ((steps >= 0).all(axis=0) | (steps <= 0).all(axis=0)) & (steps != 0).any(axis=0)
    return bool(sorted_by.any())
