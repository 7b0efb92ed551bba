"""What the ids of examples are worth as evidence that datasets share examples.

Vocabulary
----------
numbers
    Ids that differ by their numbers: 1, 2, 3; 'dev-17'; 'q4-2'. Any dataset
    counts like that, so equal ones say nothing, and neither do different ones.
names
    Ids given to examples in some list: 'a3f9c0', 'de-car'. Equal ones point to
    the same example. Different ones say nothing: each dataset has its own list.
texts
    Ids that are words: 'car|automobile'. Equal ones are the same example, and
    different ones are different examples.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from core.data.overlap.shared_pairs import sorted_distinct
from core.types import BoolArray, IntArray

# Of a dataset's ids so many are words, that all may be taken for words.
SHARE_OF_WORDS = 0.9
# So many characters at the start or the end of all ids are the dataset's own mark.
OWN_MARK = 2
# Numbers that are at most this share of their range were not simply counted.
SPARSE = 0.1


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ExampleIds:
    """The ids of all datasets, each different one once.

    Attributes
    ----------
    codes : ndarray of int, shape (n,)
        Equal where ids are; the examples of the first dataset, then of the
        second, and so on.
    numbers, names, texts : ndarray of bool, shape (n_datasets,)
        What each dataset's ids are; exactly one is true.
    sparse : ndarray of bool, shape (n_datasets,)
        Numbers with such gaps that two lists have few in common by chance.
    counted : ndarray of bool, shape (n_datasets,)
        Numbers that follow upon each other without a gap.
    """

    codes: npt.NDArray[np.int32]
    numbers: BoolArray
    names: BoolArray
    texts: BoolArray
    sparse: BoolArray
    counted: BoolArray


def judge_ids(ids: Sequence[Any]) -> ExampleIds:
    """Tell for each dataset what its ids are.

    Parameters
    ----------
    ids : sequence of pyarrow arrays of strings
        For each dataset the ids of its examples, all different.
    """
    # Lengths in 64 bits, as the ids of all datasets may be longer than one array holds.
    whole = pa.concat_arrays([array.cast(pa.large_string()) for array in ids])
    # '1.0' is what a number looks like after a journey through a data frame.
    whole = pc.replace_substring_regex(whole, r"^([0-9]+)\.0+$", r"\1")
    encoded = whole.dictionary_encode()
    codes = encoded.indices.to_numpy(zero_copy_only=False)
    starts = np.cumsum([0, *(len(array) for array in ids)])

    letters = _matches(encoded.dictionary, r"\p{L}")[codes]
    digits = _matches(encoded.dictionary, r"\p{N}")[codes]
    spaces = _matches(encoded.dictionary, r"\s")[codes]
    n = np.diff(starts)
    without_digits = pc.replace_substring_regex(encoded.dictionary, r"\p{N}+", "0")
    shapes = without_digits.dictionary_encode().indices.to_numpy(zero_copy_only=False)[codes]
    n_shapes = _n_distinct(shapes, starts)
    numbers = (2 * n_shapes <= n) | (2 * _sums(letters, starts) < n)
    # A single id with a number in it is one of a count.
    numbers |= (n == 1) & (_sums(digits, starts) == 1)
    words = _sums(letters & (~digits | spaces), starts) >= SHARE_OF_WORDS * n
    marked = np.array([_have_common_part(array) for array in ids], dtype=np.bool_)
    texts = ~numbers & words & ~marked
    sparse, counted = _runs(encoded.dictionary, codes, starts, numbers)
    return ExampleIds(
        codes=codes,
        numbers=numbers,
        names=~numbers & ~texts,
        texts=texts,
        sparse=sparse,
        counted=counted,
    )


def _matches(texts: Any, pattern: str) -> BoolArray:
    found: BoolArray = pc.match_substring_regex(texts, pattern).to_numpy(zero_copy_only=False)
    return found


def _sums(flags: BoolArray, starts: IntArray) -> IntArray:
    sums: IntArray = np.add.reduceat(flags.astype(np.intp), starts[:-1])
    return sums


def _n_distinct(codes: npt.NDArray[np.integer], starts: IntArray) -> IntArray:
    """How many different codes each dataset has."""
    n_datasets = starts.size - 1
    dataset = np.repeat(np.arange(n_datasets), np.diff(starts))
    keys = sorted_distinct(codes.astype(np.int64) * n_datasets + dataset)
    return np.bincount(keys % n_datasets, minlength=n_datasets).astype(np.intp)


def _have_common_part(ids: Any) -> bool:
    """Whether all ids of a dataset begin or end alike."""
    return len(ids) > 1 and (_begin_alike(ids) or _begin_alike(pc.utf8_reverse(ids)))


def _begin_alike(texts: Any) -> bool:
    # What the first and the last in order begin with, all between them do.
    ends = pc.min_max(texts).as_py()
    return bool(ends["min"][:OWN_MARK] == ends["max"][:OWN_MARK]) and len(ends["min"]) >= OWN_MARK


def _runs(
    dictionary: Any, codes: npt.NDArray[np.int32], starts: IntArray, numbers: BoolArray
) -> tuple[BoolArray, BoolArray]:
    """Where numbers have great gaps, and where they have none and stand in their order."""
    extracted = pc.extract_regex(dictionary, r"(?P<number>[0-9]{1,15})[^0-9]*$")
    texts = pc.struct_field(extracted, "number")
    # Longer numbers and other digits: not counted, so every one far from the next.
    values = pc.fill_null(pc.cast(texts, pa.int64()), -1).to_numpy(zero_copy_only=False)
    shape = pc.replace_substring_regex(dictionary, r"[0-9]+([^0-9]*)$", r"0\1")
    shapes = shape.dictionary_encode().indices.to_numpy(zero_copy_only=False)
    sparse, counted = np.zeros_like(numbers), np.zeros_like(numbers)
    for index in np.flatnonzero(numbers).tolist():
        own_codes = codes[starts[index] : starts[index + 1]]
        own, own_shapes = values[own_codes], shapes[own_codes]
        span = int(own.max()) - int(own.min()) + 1
        if own.min() < 0 or np.any(own_shapes != own_shapes[0]):
            sparse[index] = bool(own.min() < 0)
            continue
        sparse[index] = own.size <= SPARSE * span
        counted[index] = span == own.size and _in_order(own, own_codes, dictionary)
    return sparse, counted


def _in_order(values: IntArray, codes: npt.NDArray[np.int32], dictionary: Any) -> bool:
    """Whether numbers rise, be it as numbers or, as 1, 10, 2, letter by letter."""
    if bool(np.all(np.diff(values) > 0)):
        return True
    texts = dictionary.take(pa.array(codes))
    return bool(pc.all(pc.less(texts.slice(0, len(texts) - 1), texts.slice(1))).as_py())
