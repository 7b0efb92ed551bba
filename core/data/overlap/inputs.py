"""Which examples have the same input: texts become numbers, and only these are kept.

Texts that examples have in common are kept one by one as well, whichever columns
they stand in: two examples that differ in some column may still be the same one,
where one dataset leaves a column empty or names two texts in the other order;
and questions about the same passage depend on each other.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from ...types import IntArray
from ..labels import Inputs
from ..tables.headings import EXAMPLE_HEADINGS, INPUT_HEADINGS, heading
from ..tables.raw_table import RawTable
from .example_ids import judge_ids

# A column with fewer different texts to a dataset than one in so many rows tells
# groups of examples apart (an instruction, the name of a source), not examples.
MOST_ROWS_A_TEXT = 20

_Codes = npt.NDArray[np.int32]
# What is read before several questions, and so does not tell them apart.
PASSAGE_HEADINGS = frozenset({"context", "passage", "paragraph", "document", "article"})
# A single word stands in many datasets; a pair of them is an example.
WORD_HEADINGS = frozenset({"word1", "word2", "word 1", "word 2"})
# Other texts that repeat through a whole dataset are instructions, unless there
# are more of them than anyone writes.
MOST_INSTRUCTIONS = 20


def input_columns(raw: RawTable, taken: Collection[str]) -> tuple[str, ...]:
    """The columns whose heading says that they hold what systems were given.

    Where there is none, ids that are words serve: a column of word pairs that
    is not taken for ids, as a pair stands in it twice.

    Parameters
    ----------
    raw : RawTable
        The file's cells.
    taken : collection of str
        Columns that have a role; they are passed over.
    """
    free = [column for column in raw.header if column not in taken]
    found = tuple(column for column in free if heading(column) in INPUT_HEADINGS)
    if found:
        return found
    return tuple(
        column
        for column in free
        if heading(column) in EXAMPLE_HEADINGS
        and judge_ids([raw.column(column).unique()]).texts.all()
    )[:1]


def inputs_of(
    raw: RawTable, columns: Sequence[str], split: Callable[[Any], list[Any]]
) -> Inputs | None:
    """Number the examples by what stands in these columns.

    Two examples have the same number where every column is equal, letter by
    letter; -1 stands for an example of which no column holds anything. A
    column that repeats itself through whole datasets is left aside: with an
    instruction or a source's name beside it, the same text would look like
    two. So is a column that only counts, such as a question's number. Where
    there are several columns, the texts of each are kept by number as well.

    Parameters
    ----------
    raw : RawTable
        The file's cells; outer white space is removed from them.
    columns : sequence of str
        The columns that make up the input.
    split : callable
        Cuts an array with one entry a row into one array for each dataset.

    Returns
    -------
    Inputs or None
        None where no column tells examples apart, and none holds passages.
    """
    kept: list[str] = []
    seen: list[TextColumn] = []
    together: _Codes | None = None
    filled = np.zeros(raw.n_rows, dtype=np.bool_)
    for column in columns:
        # Not by `RawTable.coded`, which would keep every text a second time.
        encoded = raw.column(column).dictionary_encode()
        codes, is_filled = _coded(encoded)
        if _counts(encoded.dictionary):
            continue
        tells_apart = _tells_apart(codes, is_filled, split)
        seen.append(
            TextColumn(name=column, texts=encoded.dictionary, codes=codes, whole=tells_apart)
        )
        if not tells_apart:
            continue
        kept.append(column)
        filled |= is_filled
        together = codes if together is None else _paired(together, codes)
    alone = len(seen) == 1 and together is not None
    single = None if alone else single_texts(seen, split)
    if together is None:
        if single is None:
            return None
        together = np.full(raw.n_rows, -1, dtype=np.int32)
    together[~filled] = -1
    return Inputs(
        columns=tuple(kept),
        codes=tuple(split(together)),
        texts=() if single is None else single.texts,
        text_columns=() if single is None else single.columns,
    )


def inputs_of_rows(
    raw: RawTable, first_rows: IntArray, ends: IntArray, taken: Collection[str]
) -> Inputs | None:
    """The inputs of examples, from all columns whose heading says so; None where there is none.

    Parameters
    ----------
    raw : RawTable
        The file's cells.
    first_rows : ndarray of int, shape (n_examples,)
        A row of each example, datasets one after the other.
    ends : ndarray of int, shape (n_datasets,)
        Where in `first_rows` each dataset ends.
    taken : collection of str
        Columns that have a role.
    """
    columns = input_columns(raw, taken)
    if not columns:
        return None
    return inputs_of(raw, columns, lambda cells: np.split(cells[first_rows], ends[:-1]))


def _coded(encoded: Any) -> tuple[_Codes, npt.NDArray[np.bool_]]:
    """For each row a number of its text, and whether there is any."""
    codes = np.array(encoded.indices.to_numpy(zero_copy_only=False), dtype=np.int32)
    empty = encoded.dictionary.index(pa.scalar("", type=encoded.dictionary.type)).as_py()
    return codes, codes != empty


def _counts(texts: Any) -> bool:
    """Whether most of these texts are nothing but numbers."""
    counting = pc.match_substring_regex(texts, r"^#?[0-9]+([.,][0-9]+)?$")
    return 2 * (pc.sum(counting).as_py() or 0) > len(texts)


def _tells_apart(
    codes: _Codes, filled: npt.NDArray[np.bool_], split: Callable[[Any], list[Any]]
) -> bool:
    """Whether a column has enough different texts within the datasets that use it."""
    n_texts, n_rows = 0, 0
    for part, is_filled in zip(split(codes), split(filled), strict=True):
        texts = np.unique(part[is_filled])
        n_texts += texts.size
        n_rows += int(np.count_nonzero(is_filled))
    return 0 < n_rows <= MOST_ROWS_A_TEXT * n_texts


def _paired(first: _Codes, second: _Codes) -> _Codes:
    """One number for each pair of numbers, equal where both are."""
    keys = first.astype(np.int64) * (int(second.max(initial=0)) + 1) + second
    _, codes = np.unique(keys, return_inverse=True)
    numbers: _Codes = codes.astype(np.int32)
    return numbers


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
