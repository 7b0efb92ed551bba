"""Texts that examples of different datasets have in common, whichever columns they stand in.

Two examples that differ in some column may still be the same one, where one
dataset leaves a column empty or names two texts in the other order; and
questions about the same passage depend on each other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from core.data.tables.columns import heading

# What is read before several questions, and so does not tell them apart.
PASSAGE_HEADINGS = frozenset({"context", "passage", "paragraph", "document", "article"})
# A single word stands in many datasets; a pair of them is an example.
WORD_HEADINGS = frozenset({"word1", "word2", "word 1", "word 2"})
# Other texts that repeat through a whole dataset are instructions, unless there
# are more of them than anyone writes.
MOST_INSTRUCTIONS = 20

_Codes = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TextColumn:
    """A column that holds a part of the input.

    Attributes
    ----------
    name : str
        Its name in the file.
    texts : pyarrow array of strings
        Its different texts.
    codes : ndarray of int, shape (n_rows,)
        For each row a position in `texts`.
    whole : bool
        Whether it tells examples apart.
    """

    name: str
    texts: Any
    codes: _Codes
    whole: bool


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SingleTexts:
    """For each dataset its different texts, by numbers that are the same for all columns."""

    texts: tuple[_Codes, ...]
    columns: tuple[str, ...]


def single_texts(
    columns: Sequence[TextColumn], split: Callable[[Any], list[Any]]
) -> SingleTexts | None:
    """The texts of all columns one by one; words count by their pairs alone.

    Parameters
    ----------
    columns : sequence of TextColumn
        All that hold a part of the input.
    split : callable
        Cuts an array with one entry a row into one array for each dataset.

    Returns
    -------
    SingleTexts or None
        None where there are no such texts.
    """
    if not columns:
        return None
    everything = pa.concat_arrays([column.texts for column in columns]).dictionary_encode()
    numbers = everything.indices.to_numpy(zero_copy_only=False)
    blank = everything.dictionary.index(pa.scalar("", type=everything.dictionary.type)).as_py()
    found: list[list[_Codes]] = []
    used: list[str] = []
    words: list[_Codes] = []
    start = 0
    for column in columns:
        own = numbers[start : start + len(column.texts)]
        start += len(column.texts)
        codes = own[column.codes]
        if heading(column.name) in WORD_HEADINGS:
            words.append(codes)
            used.append(column.name)
            continue
        always = column.whole or heading(column.name) in PASSAGE_HEADINGS
        parts = [np.unique(part[part != blank]) for part in split(codes)]
        if not always:
            parts = [part if part.size > MOST_INSTRUCTIONS else part[:0] for part in parts]
        if any(part.size for part in parts):
            found.append(parts)
            used.append(column.name)
    if len(words) == 2:
        pairs = _pairs(words[0], words[1], blank=blank, n_texts=len(everything.dictionary))
        found.append([np.unique(part[part >= 0]) for part in split(pairs)])
    if not any(part.size for parts in found for part in parts):
        return None
    return SingleTexts(
        texts=tuple(np.unique(np.concatenate(own)) for own in zip(*found, strict=True)),
        columns=tuple(used),
    )


def _pairs(first: _Codes, second: _Codes, *, blank: int, n_texts: int) -> _Codes:
    """One number for each two words in whatever order, beyond those of texts; -1 for one alone."""
    low, high = np.minimum(first, second), np.maximum(first, second)
    keys = low.astype(np.int64) * n_texts + high
    _, codes = np.unique(keys, return_inverse=True)
    pairs: _Codes = (codes + n_texts).astype(np.int32)
    pairs[(first == blank) | (second == blank)] = -1
    return pairs
