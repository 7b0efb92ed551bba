"""Columns that say something about a dataset as a whole, such as its language family."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from core.data.overlap.inputs import input_columns
from core.data.tables.columns import is_textual
from core.data.tables.raw_table import RawTable
from core.types import IntArray

DatasetLabels = dict[str, dict[str, str]]


def label_columns(
    raw: RawTable, datasets: Sequence[str], codes: IntArray, taken: Collection[str]
) -> DatasetLabels:
    """For each such column the label of each dataset.

    A column counts where it holds text, the same on every row of a dataset,
    and puts at least two datasets together.

    Parameters
    ----------
    raw : RawTable
        The file's cells.
    datasets : sequence of str
        Names of the datasets.
    codes : ndarray of int, shape (n_rows,)
        For each row a position in `datasets`.
    taken : collection of str
        Columns that have a role.
    """
    found: DatasetLabels = {}
    if len(datasets) < 2:
        return found
    passed_over = {*taken, *input_columns(raw, taken)}
    textual = [c for c in raw.header if c not in passed_over and is_textual(raw, c)]
    if not textual:
        return found
    first_rows = np.zeros(len(datasets), dtype=np.intp)
    # Where several rows write to one place the last stays, so they are written backwards.
    first_rows[codes[::-1]] = np.arange(codes.size - 1, -1, -1)
    for column in textual:
        coded = raw.coded(column)
        own = coded.codes[first_rows]
        n_labels = np.unique(own).size
        if 1 < n_labels < len(datasets) and bool((own[codes] == coded.codes).all()):
            texts = coded.array.take(own).to_pylist()
            found[column] = dict(zip(datasets, texts, strict=True))
    return found
