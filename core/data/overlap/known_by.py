"""What examples are known by, so that datasets which share some are found: ids and inputs.

Texts of the input become numbers, and only these are kept. Texts that examples have in common are
kept one by one as well, whichever columns they stand in: two examples that differ in some column
may still be the same one, where one dataset leaves a column empty or names two texts in the other
order; and questions about the same passage depend on each other.

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
namesake
    An id with different gold and different predictions in two datasets, such as
    the name of a system that has a row in every language pair: it says neither
    that datasets share examples nor that they do not. The same example may have
    other gold in another dataset, where others judged it, but the systems'
    predictions are then the same; or other predictions, of another run, but then
    the same gold.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from ...types import BoolArray, IntArray
from ..result_set import ResultSet
from ..roles import column_of
from ..side_data import Inputs, sorted_distinct
from ..tables.headings import VOCABULARY, heading, is_named, runs_told_apart
from ..tables.raw_table import RawTable

Basis = Literal["inputs", "ids", "none"]

# Of a dataset's ids so many are words, that all may be taken for words.
SHARE_OF_WORDS = 0.9
# So many characters at the start or the end of all ids are the dataset's own mark.
OWN_MARK = 2
# Numbers that are at most this share of their range were not simply counted.
SPARSE = 0.1
_Codes = npt.NDArray[np.int32]
# Where at least this share of the ids that datasets have in common are namesakes, all are:
# of a few labels others agree by chance. Fewer may be examples that were annotated anew.
SHARE_OF_NAMESAKES = 0.25
# So many ids are kept to be shown.
MOST_SHOWN = 3
# A column of ids with such a heading tells of each row which system or language it is of.
NAME_HEADINGS = frozenset({*VOCABULARY["system"], *VOCABULARY["dataset"]}) - {"data", "name"}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ExampleIds:
    """The ids of all datasets, each different one once.

    `codes` are equal where ids are, one dataset after the other. For each dataset it is said
    whether ids are `numbers` or `texts`, or neither: names; whether they are `sparse`, numbers with
    such gaps that two lists have few in common by chance; and whether they are `counted`, numbers
    that follow upon each other without a gap.
    """

    codes: npt.NDArray[np.int32]
    numbers: BoolArray
    texts: BoolArray
    sparse: BoolArray
    counted: BoolArray


def id_column(result_set: ResultSet) -> str | None:
    """The column that the ids stand in, where it is known."""
    return None if result_set.reading is None else column_of(result_set.reading.roles, "example")


def ids_of(result_set: ResultSet) -> tuple[Any, ...] | None:
    """The ids, if any. Numbers of runs or folds are none: each dataset has its own first run."""
    column = id_column(result_set)
    are_runs = column is not None and runs_told_apart(column) is not None
    return None if are_runs else result_set.example_ids


def judge_ids(ids: Sequence[Any]) -> ExampleIds:
    """Tell for each dataset what its ids are, which are arrow arrays of different strings."""
    import pandas as pd

    # Lengths in 64 bits, as the ids of all datasets may be longer than one array holds.
    whole = pa.concat_arrays([array.cast(pa.large_string()) for array in ids])
    # '1.0' is what a number looks like after a journey through a data frame.
    whole = pc.replace_substring_regex(whole, r"^([0-9]+)\.0+$", r"\1")
    encoded = whole.dictionary_encode()
    codes = encoded.indices.to_numpy(zero_copy_only=False)
    n = np.array([len(array) for array in ids])
    starts = np.cumsum([0, *n])
    letters, digits, spaces = (
        pc.match_substring_regex(encoded.dictionary, pattern).to_numpy(zero_copy_only=False)[codes]
        for pattern in (r"\p{L}", r"\p{N}", r"\s")
    )
    without_digits = pc.replace_substring_regex(encoded.dictionary, r"\p{N}+", "0")
    shapes = without_digits.dictionary_encode().indices.to_numpy(zero_copy_only=False)[codes]
    are_words = letters & (~digits | spaces)
    told = pd.DataFrame({"letters": letters, "digits": digits, "words": are_words, "shape": shapes})
    by_dataset = told.groupby(np.repeat(np.arange(n.size), n))
    sums, n_shapes = by_dataset.sum(), by_dataset["shape"].nunique().to_numpy()
    numbers = (2 * n_shapes <= n) | (2 * sums["letters"].to_numpy() < n)
    # A single id with a number in it is one of a count.
    numbers |= (n == 1) & (sums["digits"].to_numpy() == 1)
    words = sums["words"].to_numpy() >= SHARE_OF_WORDS * n
    marked = np.array(
        [
            len(array) > 1 and (_begin_alike(array) or _begin_alike(pc.utf8_reverse(array)))
            for array in ids
        ],
        dtype=np.bool_,
    )
    texts = ~numbers & words & ~marked
    sparse, counted = _runs(encoded.dictionary, codes, starts, numbers)
    return ExampleIds(
        codes=codes,
        numbers=numbers,
        texts=texts,
        sparse=sparse,
        counted=counted,
    )


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


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Namesakes:
    """Examples whose ids say nothing, as other datasets have them for something else.

    `ids` are the first few of these, those that most datasets have first; `n_examples` of shape
    (n_datasets,). It is known `by_heading` where the column's heading says so, and not gold and
    predictions.
    """

    ids: tuple[str, ...]
    n_examples: IntArray
    by_heading: bool = False


class KnownExamples:
    """What the examples of a set of results are known by, all datasets one after the other."""

    def __init__(self, result_set: ResultSet) -> None:
        self._result_set = result_set
        # Shape (n_datasets,): how many examples each has; and the dataset of each example.
        self.n = np.array([result_set.n_examples(name) for name in result_set.datasets])
        self.dataset: IntArray = np.repeat(np.arange(self.n.size), self.n)

    @cached_property
    def ids(self) -> ExampleIds | None:
        """What the ids are; None without any."""
        held = ids_of(self._result_set)
        return None if held is None else judge_ids(held)

    @cached_property
    def inputs(self) -> _Codes | None:
        """The inputs' codes; None where no example has one."""
        given = self._result_set.inputs
        codes = None if given is None else np.concatenate(given.codes)
        return codes if codes is not None and bool((codes >= 0).any()) else None

    @property
    def basis(self) -> Basis:
        """By what examples are known."""
        if self.inputs is not None:
            return "inputs"
        return "ids" if self.ids is not None and not self.ids.numbers.all() else "none"

    @cached_property
    def codes(self) -> _Codes:
        """A code for each example: the same where examples are, -1 where that cannot be told."""
        return self._without_namesakes[0]

    @cached_property
    def _given(self) -> _Codes:
        if self.inputs is not None:
            return self.inputs
        if self.ids is None:
            return np.full(self.dataset.size, -1, dtype=np.int32)
        return np.where(self.ids.numbers[self.dataset], np.int32(-1), self.ids.codes)

    @cached_property
    def _without_namesakes(self) -> tuple[_Codes, BoolArray]:
        """The codes, -1 for namesakes, and which examples have namesakes."""
        codes, dataset = self._given, self.dataset
        none = np.zeros(codes.size, dtype=np.bool_)
        columns = self._result_set.inputs.columns if self._result_set.inputs is not None else ()
        # A column of words that cannot be the ids, as one stands in it twice, is read as an input.
        if self.basis == "none" or (
            self.basis == "inputs" and not all(is_named(column, "example") for column in columns)
        ):
            return codes, none
        if _named_by_heading(self._result_set):
            return np.full_like(codes, -1), codes >= 0
        given = _gold_and_predictions(self._result_set)
        # Codes that another dataset has as well.
        shared = (_n_different(codes, dataset) > 1) & (codes >= 0)
        if given is None or not shared.any():
            return codes, none
        own, gold = codes[shared], _numbered([given[0][shared]])
        predicted = _numbered([column[shared] for column in given[1]])
        other = (_n_different(own, gold) > 1) & (_n_different(own, predicted) > 1)
        if sorted_distinct(own[other]).size >= SHARE_OF_NAMESAKES * sorted_distinct(own).size:
            other[:] = True
        namesake = none
        namesake[np.flatnonzero(shared)[other]] = True
        return np.where(namesake, np.int32(-1), codes), namesake

    @property
    def namesakes(self) -> Namesakes | None:
        """What is to be said of namesakes; None where there are none."""
        codes, namesake = self._given, self._without_namesakes[1]
        if not namesake.any():
            return None
        counted, n_datasets = np.unique(codes[namesake], return_counts=True)
        first = counted[np.argsort(-n_datasets, kind="stable")][:MOST_SHOWN]
        ids, starts = self._result_set.example_ids or (), np.cumsum([0, *self.n])
        places = [int(np.flatnonzero(codes == code)[0]) for code in first] if ids else []
        own = [
            (ids[d], p - int(starts[d])) for p, d in zip(places, self.dataset[places], strict=True)
        ]
        return Namesakes(
            ids=tuple(str(of_dataset[place]) for of_dataset, place in own),
            n_examples=np.bincount(self.dataset[namesake], minlength=self.n.size),
            by_heading=_named_by_heading(self._result_set),
        )


def _n_different(groups: npt.NDArray[np.integer], values: npt.NDArray[np.integer]) -> IntArray:
    """For each example how many different values stand in its group, shape (n,)."""
    import pandas as pd

    counts: IntArray = pd.Series(values).groupby(groups).transform("nunique").to_numpy()
    return counts


def _numbered(columns: Sequence[npt.NDArray[Any]]) -> _Codes:
    """One number for each row of columns, equal where all columns are."""
    import pandas as pd

    by_row = pd.DataFrame(dict(enumerate(columns))).groupby([*range(len(columns))], dropna=False)
    numbered = by_row.ngroup().to_numpy().astype(np.int32)
    return np.asarray(numbered)


def _gold_and_predictions(
    result_set: ResultSet,
) -> tuple[npt.NDArray[Any], list[npt.NDArray[Any]]] | None:
    """Gold, and a column for each system: labels, else numbers and scores; None without gold."""
    labels = result_set.labels
    gold: Sequence[npt.NDArray[Any]] | None = result_set.gold_scores
    given: Sequence[npt.NDArray[Any]] = result_set.values[result_set.metrics[0]]
    if labels is not None:
        gold, given = labels.gold, labels.predictions
    if gold is None:
        return None
    whole: npt.NDArray[Any] = np.concatenate(given)
    return np.concatenate(gold), list(whole.reshape(len(whole), -1).T)


def _named_by_heading(result_set: ResultSet) -> bool:
    """Whether ids stand in a column of systems, languages or the like."""
    column = id_column(result_set)
    return column is not None and heading(column) in NAME_HEADINGS


# A column with fewer different texts to a dataset than one in so many rows tells
# groups of examples apart (an instruction, the name of a source), not examples.
MOST_ROWS_A_TEXT = 20

# What is read before several questions, and so does not tell them apart.
PASSAGE_HEADINGS = frozenset({"context", "passage", "paragraph", "document", "article"})
# A single word stands in many datasets; a pair of them is an example.
WORD_HEADINGS = frozenset({"word1", "word2", "word 1", "word 2"})
# Other texts that repeat through a whole dataset are instructions, unless there
# are more of them than anyone writes.
MOST_INSTRUCTIONS = 20


class _TextColumn(NamedTuple):
    """A column that holds a part of the input.

    Its different texts, for each row a position in these, and whether it tells examples apart.
    """

    name: str
    texts: Any
    codes: _Codes
    whole: bool


def input_columns(raw: RawTable, taken: Collection[str]) -> tuple[str, ...]:
    """The columns not taken whose heading says that they hold what systems were given.

    Where there is none, ids that are words serve: a column of word pairs that
    is not taken for ids, as a pair stands in it twice.
    """
    free = [column for column in raw.header if column not in taken]
    found = tuple(column for column in free if is_named(column, "input"))
    if found:
        return found
    return tuple(
        column
        for column in free
        if is_named(column, "example") and judge_ids([raw.column(column).unique()]).texts.all()
    )[:1]


def inputs_of_rows(
    raw: RawTable, first_rows: IntArray, ends: IntArray, taken: Collection[str]
) -> Inputs | None:
    """The inputs of examples, from all columns whose heading says so; None where these tell none apart.

    `first_rows` has a row of each example, datasets one after the other, and `ends` where each
    ends. Two examples have the same number where every column is equal, letter by letter; -1 stands
    for an example of which no column holds anything. A column that repeats itself through whole
    datasets is left aside: with an instruction or a source's name beside it, the same text would
    look like two. So is a column that only counts, such as a question's number. Where there are
    several columns, the texts of each are kept by number as well.
    """

    def split(cells: Any) -> list[Any]:
        return np.split(cells[first_rows], ends[:-1])

    kept: list[str] = []
    seen: list[_TextColumn] = []
    together: _Codes | None = None
    filled = np.zeros(raw.n_rows, dtype=np.bool_)
    for column in input_columns(raw, taken):
        # Not by `RawTable.coded`, which would keep every text a second time.
        encoded = raw.column(column).dictionary_encode()
        codes, is_filled = _coded(encoded)
        if _counts(encoded.dictionary):
            continue
        tells_apart = _tells_apart(codes, is_filled, split)
        seen.append(_TextColumn(column, encoded.dictionary, codes, tells_apart))
        if not tells_apart:
            continue
        kept.append(column)
        filled |= is_filled
        together = codes if together is None else _numbered([together, codes])
    alone = len(seen) == 1 and together is not None
    texts, text_columns = _single_texts([] if alone else seen, split)
    if together is None and not texts:
        return None
    if together is None:
        together = np.full(raw.n_rows, -1, dtype=np.int32)
    together[~filled] = -1
    return Inputs(
        columns=tuple(kept),
        codes=tuple(split(together)),
        texts=texts,
        text_columns=text_columns,
    )


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
        texts = sorted_distinct(part[is_filled])
        n_texts += texts.size
        n_rows += int(np.count_nonzero(is_filled))
    return 0 < n_rows <= MOST_ROWS_A_TEXT * n_texts


def _single_texts(
    columns: Sequence[_TextColumn], split: Callable[[Any], list[Any]]
) -> tuple[tuple[_Codes, ...], tuple[str, ...]]:
    """For each dataset the texts of all columns by numbers, and the columns; words count in pairs.

    Nothing where there are no such texts.
    """
    if not columns:
        return (), ()
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
        parts = [sorted_distinct(part[part != blank]) for part in split(codes)]
        if not always:
            parts = [part if part.size > MOST_INSTRUCTIONS else part[:0] for part in parts]
        if any(part.size for part in parts):
            found.append(parts)
            used.append(column.name)
    if len(words) == 2:
        # Two words in whatever order, beyond the numbers of texts.
        pairs = _numbered([np.minimum(*words), np.maximum(*words)]) + len(everything.dictionary)
        pairs[(words[0] == blank) | (words[1] == blank)] = -1
        found.append([sorted_distinct(part[part >= 0]) for part in split(pairs)])
    if not any(part.size for parts in found for part in parts):
        return (), ()
    texts = (sorted_distinct(np.concatenate(own)) for own in zip(*found, strict=True))
    return tuple(texts), tuple(used)
