"""Do datasets share test examples? Then their tests depend on each other.

Vocabulary
----------
example
    Here: one different text, or one different id. What a dataset holds twice
    counts once.
basis
    What examples are known by: "inputs" (the text, or all columns of the
    input), "ids" (where no text is given and ids are more than numbers), or
    "none". Gold labels and scores are no basis. (Scores that are all the same
    in two datasets, as chance does not make them, are told beside it.) Ids
    that name something else in each dataset count as unknown (`namesakes`).
within
    A dataset lies within another where at least 95% of its examples stand in
    the other: lists are often mended by a few entries.
union
    A dataset is the union of others where these lie within it and together
    hold at least 95% of its examples.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ...types import BoolArray, Dependence, FloatArray, IntArray
from ..result_set import ResultSet
from ..tables.headings import is_named
from .known_by import (
    ExampleIds,
    Namesakes,
    ids_of,
    judge_ids,
    namesakes_of,
    without_namesakes,
)
from .shared_pairs import (
    SharedPairs,
    Union,
    each_once,
    find_subsets,
    find_unions,
    shared_pairs,
)
from .signs import Translations, find_same_scores, find_translations

Basis = Literal["inputs", "ids", "none"]
Reason = Literal[
    "one-dataset",
    "union",
    "within",
    "same-scores",
    "shared",
    "texts-shared",
    "translations",
    "namesakes",
    "nothing-compared",
    "not-all-compared",
    "names-differ",
    "few-inputs",
    "none-shared",
]

# Of a dataset with fewer different inputs than this share of its examples, the
# input does not tell the examples apart.
SHARE_OF_DIFFERENT_INPUTS = 0.5


@dataclass(frozen=True, kw_only=True, eq=False)
class Overlap:
    """Which examples datasets have in common, as far as it can be told.

    `basis` says what examples are known by, `columns` make up the input where that is it. Of shape
    (n_datasets,) are `n_examples`, `n_distinct` (different ones among those compared), `n_unknown`
    (not compared, `namesakes` among them) and `conclusive` (whether finding none of a dataset's
    examples elsewhere says that none is there). `pairs` are those with examples in common;
    `subsets` of shape (n, 2) each dataset that lies within another, and that other, equal ones
    once; `unions` are made of others. `translations` may hold the same examples in other words.
    `texts` are pairs with a text of `text_columns` in common, where examples consist of several:
    perhaps the same examples, or questions on the same passage. `same_scores` are groups with the
    same scores on all examples, where chance is ruled out and neither texts nor ids contradict.
    """

    datasets: tuple[str, ...]
    basis: Basis
    columns: tuple[str, ...]
    n_examples: IntArray
    n_distinct: IntArray
    n_unknown: IntArray
    conclusive: BoolArray
    pairs: SharedPairs
    subsets: IntArray
    unions: tuple[Union, ...]
    translations: tuple[Translations, ...]
    texts: SharedPairs
    text_columns: tuple[str, ...]
    same_scores: tuple[tuple[int, ...], ...]
    namesakes: Namesakes | None = None

    @property
    def n_datasets(self) -> int:
        """Number of datasets, N."""
        return len(self.datasets)

    @property
    def n_repeated(self) -> IntArray:
        """For each dataset how many of its examples repeat an earlier one."""
        return self.n_examples - self.n_unknown - self.n_distinct

    @property
    def shares(self) -> FloatArray:
        """For each pair with examples in common their share of the smaller dataset."""
        first, second = self.pairs.first, self.pairs.second
        smaller = np.minimum(self.n_distinct[first], self.n_distinct[second])
        shares: FloatArray = self.pairs.n_common / smaller
        return shares

    def n_common(self, one: int, other: int) -> int:
        """How many different examples two datasets have in common, found in `pairs`."""
        low, high = min(one, other), max(one, other)
        start, end = np.searchsorted(self.pairs.first, (low, low + 1))
        place = start + np.searchsorted(self.pairs.second[start:end], high)
        there = place < end and self.pairs.second[place] == high
        return int(self.pairs.n_common[place]) if there else 0

    @property
    def shares_any(self) -> bool:
        """Whether any two datasets have an example in common."""
        return bool(self.pairs.first.size or self.pairs.n_widespread)

    @property
    def shares_texts(self) -> bool:
        """Whether any two datasets have a text in common, where examples consist of several."""
        return bool(self.texts.first.size or self.texts.n_widespread)

    @property
    def reason(self) -> Reason:
        """The strongest reason for an answer on dependence.

        Shared examples make tests dependent (Dror et al. 2017, footnote 4), and
        so do translations and questions on one passage. What is not known is never taken for independent.
        """
        by_text = self.basis == "inputs"
        reasons: tuple[tuple[object, Reason], ...] = (
            (self.n_datasets == 1, "one-dataset"),
            (self.unions, "union"),
            (self.subsets.size, "within"),
            (self.same_scores, "same-scores"),
            (self.shares_any, "shared"),
            (self.shares_texts, "texts-shared"),
            (self.basis == "none", "nothing-compared"),
            (self.translations, "translations"),
            (self.namesakes is not None, "namesakes"),
            (self.n_unknown.any(), "not-all-compared"),
            (not self.conclusive.all(), "few-inputs" if by_text else "names-differ"),
            (True, "none-shared"),
        )
        return next(reason for holds, reason in reasons if holds)

    @property
    def dependence(self) -> Dependence:
        """The answer on dependence that the examples speak for.

        Independent only where every example of every dataset was compared, no text of one stands in
        another, in whatever column, and there is no sign of translations.
        """
        return "independent" if self.reason == "none-shared" else "not-known"


def find_overlap(result_set: ResultSet, *, left_out: Collection[str] = ()) -> Overlap:
    """Find the examples that datasets have in common, and what follows for their dependence.

    Examples are known by their input where the file has it, otherwise by their
    ids, unless these are mere numbers or stand for other gold and other
    predictions in another dataset. Gold labels alone prove nothing.
    """
    if not set(left_out).isdisjoint(result_set.datasets):
        result_set = _without(result_set, left_out)
    n_datasets = result_set.n_datasets
    n, dataset = _dataset_of_each(result_set)
    held = ids_of(result_set)
    ids = None if held is None else judge_ids(held)
    inputs = _given_inputs(result_set)
    basis, given = _known_by(inputs, ids, dataset)
    codes, namesake = _examples_of(result_set, basis, given, dataset)
    namesakes = namesakes_of(result_set, given, namesake, dataset)
    if namesakes is not None:
        # Of rows that are systems, neither as many of them nor the datasets' names say anything.
        ids = None
    pairs = shared_pairs(codes, dataset, n_datasets=n_datasets)
    n_unknown = np.bincount(dataset[codes < 0], minlength=n_datasets).astype(np.intp)
    subsets = find_subsets(pairs)
    conclusive = np.zeros(n_datasets, dtype=np.bool_)
    if basis == "inputs":
        conclusive = pairs.n_distinct >= SHARE_OF_DIFFERENT_INPUTS * n
    elif basis == "ids" and ids is not None:
        conclusive = ids.texts
    columns = result_set.inputs.columns if basis == "inputs" and result_set.inputs else ()
    return Overlap(
        datasets=result_set.datasets,
        basis=basis,
        columns=columns,
        n_examples=n,
        n_distinct=pairs.n_distinct,
        n_unknown=n_unknown,
        conclusive=conclusive,
        pairs=pairs,
        subsets=each_once(subsets),
        unions=find_unions(np.split(codes, np.cumsum(n)[:-1]), subsets, pairs.n_distinct),
        translations=find_translations(result_set, ids, inputs, dataset),
        texts=_shared_texts(result_set),
        text_columns=result_set.inputs.text_columns if result_set.inputs else (),
        same_scores=find_same_scores(result_set),
        namesakes=namesakes,
    )


def _without(result_set: ResultSet, left_out: Collection[str]) -> ResultSet:
    """What examples are known by, and their scores, of the datasets that are not left out."""
    kept = [dataset not in left_out for dataset in result_set.datasets]

    def own(arrays: Sequence[Any]) -> tuple[Any, ...]:
        return tuple(compress(arrays, kept))

    ids, gold = result_set.example_ids, result_set.gold_scores
    labels, inputs = result_set.labels, result_set.inputs
    if labels is not None:
        labels = replace(labels, gold=own(labels.gold), predictions=own(labels.predictions))
    if inputs is not None:
        inputs = replace(inputs, codes=own(inputs.codes), texts=own(inputs.texts))
    return replace(
        result_set,
        datasets=own(result_set.datasets),
        values={metric: own(arrays) for metric, arrays in result_set.values.items()},
        example_ids=None if ids is None else own(ids),
        labels=labels,
        gold_scores=None if gold is None else own(gold),
        inputs=inputs,
        clusters=None,
        covariate_values=None,
        repeated_runs=None,
        margins=None,
    )


def example_codes(result_set: ResultSet) -> npt.NDArray[np.int32]:
    """What `find_overlap` knows examples by, without looking for what they have in common.

    A code for each example, all datasets one after the other: the same where examples are, and -1
    where that cannot be told.
    """
    inputs = _given_inputs(result_set)
    held = ids_of(result_set) if inputs is None else None
    ids = None if held is None else judge_ids(held)
    _, dataset = _dataset_of_each(result_set)
    return _examples_of(result_set, *_known_by(inputs, ids, dataset), dataset)[0]


def _dataset_of_each(result_set: ResultSet) -> tuple[IntArray, IntArray]:
    """The number of examples of each dataset, and the dataset of each example."""
    n = np.array([result_set.n_examples(name) for name in result_set.datasets], dtype=np.intp)
    return n, np.repeat(np.arange(n.size), n)


def _shared_texts(result_set: ResultSet) -> SharedPairs:
    given = () if result_set.inputs is None else result_set.inputs.texts
    codes = np.concatenate(given) if given else np.zeros(0, dtype=np.int32)
    dataset = np.repeat(np.arange(len(given)), [part.size for part in given])
    return shared_pairs(codes, dataset, n_datasets=result_set.n_datasets)


def _given_inputs(result_set: ResultSet) -> npt.NDArray[np.int32] | None:
    """The inputs' codes, all datasets one after the other; None where no example has one."""
    if result_set.inputs is None:
        return None
    codes = np.concatenate(result_set.inputs.codes)
    return codes if bool((codes >= 0).any()) else None


def _known_by(
    inputs: npt.NDArray[np.int32] | None, ids: ExampleIds | None, dataset: IntArray
) -> tuple[Basis, npt.NDArray[np.int32]]:
    if inputs is not None:
        return "inputs", inputs
    if ids is not None and not ids.numbers.all():
        return "ids", np.where(ids.numbers[dataset], np.int32(-1), ids.codes)
    return "none", np.full(dataset.size, -1, dtype=np.int32)


def _examples_of(
    result_set: ResultSet, basis: Basis, codes: npt.NDArray[np.int32], dataset: IntArray
) -> tuple[npt.NDArray[np.int32], BoolArray]:
    """The codes without those of ids that say nothing, and whose ids those are."""
    columns = result_set.inputs.columns if result_set.inputs is not None else ()
    # A column of words that cannot be the ids, as one stands in it twice, is read as an input.
    are_ids = basis == "ids" or (
        basis == "inputs" and all(is_named(column, "example") for column in columns)
    )
    if not are_ids:
        return codes, np.zeros(codes.size, dtype=np.bool_)
    return without_namesakes(result_set, codes, dataset)
