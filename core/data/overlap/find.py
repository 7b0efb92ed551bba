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
unit
    Examples that are the same, in whatever dataset, and those of one cluster with them, to be
    flipped together. Different units have nothing to do with each other.
matched
    Known to be the same: by their text, or by ids that tell examples apart.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ...errors import DataError, Problem, quoted, stop_at
from ...types import UNITS_BY, BoolArray, Dependence, FloatArray, IntArray, UnitsBy
from ...validation import check_choice
from ..result_set import ResultSet
from ..side_data import sorted_distinct
from .known_by import Basis, KnownExamples, Namesakes
from .signs import (
    SharedPairs,
    Translations,
    Union,
    connected,
    each_once,
    find_same_scores,
    find_subsets,
    find_translations,
    find_unions,
    shared_pairs,
)

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
        return bool(self.pairs.first.size)

    @property
    def shares_texts(self) -> bool:
        """Whether any two datasets have a text in common, where examples consist of several."""
        return bool(self.texts.first.size)

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
    """Find the examples that datasets have in common, and what follows for their dependence."""
    if not set(left_out).isdisjoint(result_set.datasets):
        result_set = _without(result_set, left_out)
    n_datasets, known = result_set.n_datasets, KnownExamples(result_set)
    ids, dataset, namesakes = known.ids, known.dataset, known.namesakes
    if namesakes is not None:
        # Of rows that are systems, neither as many of them nor the datasets' names say anything.
        ids = None
    pairs = shared_pairs(known.codes, dataset, n_datasets=n_datasets)
    subsets = find_subsets(pairs)
    conclusive = np.zeros(n_datasets, dtype=np.bool_)
    if known.basis == "inputs":
        conclusive = pairs.n_distinct >= SHARE_OF_DIFFERENT_INPUTS * known.n
    elif known.basis == "ids" and ids is not None:
        conclusive = ids.texts
    given = result_set.inputs
    texts = () if given is None else given.texts
    return Overlap(
        datasets=result_set.datasets,
        basis=known.basis,
        columns=given.columns if given is not None and known.basis == "inputs" else (),
        n_examples=known.n,
        n_distinct=pairs.n_distinct,
        n_unknown=np.bincount(dataset[known.codes < 0], minlength=n_datasets),
        conclusive=conclusive,
        pairs=pairs,
        subsets=each_once(subsets),
        unions=find_unions(
            np.split(known.codes, np.cumsum(known.n)[:-1]), subsets, pairs.n_distinct
        ),
        translations=find_translations(result_set, ids, known.inputs, dataset),
        texts=shared_pairs(
            np.concatenate([*texts, np.zeros(0, dtype=np.int32)]),
            np.repeat(np.arange(len(texts)), [part.size for part in texts]),
            n_datasets=n_datasets,
        ),
        text_columns=() if given is None else given.text_columns,
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
        covariate_values={},
        repeated_runs=None,
        margins=None,
    )


# As the sidebar offers it, and on the command line.
_BY_EQUAL_IDS = (
    "If the same example has the same id in every dataset, and no other example has it, choose “Also "
    "those with equal ids” in the sidebar (--joint example-id on the command line)."
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Units:
    """The unit of every example, 0..n_units - 1, for each dataset of shape (n,).

    `n_shared` units stand in two datasets or more.
    """

    datasets: tuple[str, ...]
    codes: tuple[IntArray, ...]
    n_units: int
    n_shared: int

    def of_datasets(self, members: Sequence[int]) -> Units:
        """Of some of the datasets: the units that they have."""
        codes = tuple(self.codes[member] for member in members)
        return _counted(tuple(self.datasets[member] for member in members), codes)


def units_of(
    result_set: ResultSet, *, units: UnitsBy = "matched", whole_clusters: bool = True
) -> Units:
    """Join the examples of all datasets into units, with `whole_clusters` those of a cluster.

    Examples of different datasets are the same where the overlap analysis "matched" them, or also
    where they have equal ids ("example-id"), which the caller then states: of numbers of translated
    sentences, for one. A `DataError` where it cannot be told of every example whether another
    dataset has it: flips of examples that are shared without being matched would claim too much.
    """
    check_choice(units, UNITS_BY, name="units")
    known = KnownExamples(result_set)
    keys: list[npt.NDArray[np.integer]] = []
    if units == "matched":
        _check_matched(result_set, known)
    elif known.ids is None:
        raise DataError.of(
            "The examples have no ids.",
            "Add a column “example” in which the same example has the same id in every dataset.",
        )
    else:
        keys.append(known.ids.codes)
    if units == "matched" or result_set.inputs is not None:
        # The same text under another id is the same example still.
        keys.append(known.codes)
    if whole_clusters and result_set.clusters is not None:
        keys.append(_apart(result_set.clusters.codes))
    return _counted(result_set.datasets, np.split(_components(keys), np.cumsum(known.n)[:-1]))


def units_as_known(result_set: ResultSet, *, left_out: Collection[str] = ()) -> tuple[Units, bool]:
    """Join the examples that are known to be the same, and those of each cluster; whether all are known.

    What cannot be told apart from examples of other datasets is a unit of its own, and what datasets
    that are left out tie together counts for nothing.
    """
    kept = [name not in left_out for name in result_set.datasets]
    chosen = result_set if all(kept) else _without(result_set, left_out)
    known = KnownExamples(chosen)
    alone = int(known.codes.max(initial=-1)) + 1 + np.arange(known.codes.size)
    keys: list[npt.NDArray[np.integer]] = [np.where(known.codes < 0, alone, known.codes)]
    if result_set.clusters is not None:
        keys.append(_apart(list(compress(result_set.clusters.codes, kept))))
    groups = _components(keys)
    # In the order of what they are known by, which a seed's draws go by.
    first = np.full(int(groups.max(initial=-1)) + 1, alone[-1] + 1)
    np.minimum.at(first, groups, keys[0])
    units = _counted(chosen.datasets, np.split(first[groups], np.cumsum(known.n)[:-1]))
    return units, bool((known.codes >= 0).all())


def _counted(datasets: tuple[str, ...], codes: Sequence[npt.NDArray[np.integer]]) -> Units:
    """Number the units anew, and count those of two datasets or more."""
    numbers = np.unique(np.concatenate(codes), return_inverse=True)[1].reshape(-1)
    own = np.split(numbers, np.cumsum([one.size for one in codes])[:-1])
    n_datasets = np.bincount(np.concatenate([sorted_distinct(one) for one in own]))
    return Units(
        datasets=datasets,
        codes=tuple(own),
        n_units=n_datasets.size,
        n_shared=int(np.count_nonzero(n_datasets > 1)),
    )


def _check_matched(result_set: ResultSet, examples: KnownExamples) -> None:
    """Every example is known, and nothing says that some are shared without being matched."""
    unknown = np.bincount(examples.dataset[examples.codes < 0], minlength=result_set.n_datasets)
    problems = []
    for name, n, total in zip(result_set.datasets, unknown, examples.n, strict=True):
        if n:
            # Without the number, datasets of different sizes have one problem in common.
            some = "all examples" if n == total else f"{n:,} of {total:,} examples"
            what = (
                f"{some} have no text and no id that names the same example in every dataset, so it "
                "is not known whether other datasets have them."
            )
            remedy = f"Add a column “text” with each example's input. {_BY_EQUAL_IDS}"
            problems.append(Problem(what, remedy, dataset=name))
    if not problems:
        overlap = find_overlap(result_set)
        problems = [
            Problem(
                f"{_names(overlap, group.members)} may hold the same examples in other words, which "
                "are not matched by their text.",
                _BY_EQUAL_IDS,
            )
            for group in overlap.translations
        ]
        problems += _same_passages(overlap)
    stop_at(problems)


def _same_passages(overlap: Overlap) -> list[Problem]:
    """Datasets that share more texts than the examples they share account for."""
    texts, n_columns = overlap.texts, max(1, len(overlap.text_columns))
    found = zip(texts.first.tolist(), texts.second.tolist(), texts.n_common.tolist(), strict=True)
    apart = [
        (one, other) for one, other, n in found if n > n_columns * overlap.n_common(one, other)
    ]
    if not apart:
        return []
    return [
        Problem(
            f"{_names(overlap, apart[0])} share texts beyond the examples they share, such as passages with several "
            "questions.",
            "Add a column “cluster” that names each example's passage, and give the "
            "examples on one passage one id in all datasets.",
        )
    ]


def _names(overlap: Overlap, members: Sequence[int]) -> str:
    names = [quoted(overlap.datasets[i]) for i in members[:4]]
    return ", ".join(names[:-1]) + f" and {names[-1]}" + (", …" if len(members) > 4 else "")


def _apart(codes: Sequence[npt.NDArray[np.integer]]) -> npt.NDArray[np.integer]:
    """Numbers of each dataset by themselves, as one array without an equal number twice."""
    shifted, next_code = [], 0
    for own in codes:
        shifted.append(own + next_code)
        next_code += int(own.max(initial=-1)) + 1
    return np.concatenate(shifted)


def _components(keys: Sequence[npt.NDArray[np.integer]]) -> npt.NDArray[np.integer]:
    """Numbers of the groups of examples that any key joins; -1 joins nothing."""
    n = keys[0].size
    if len(keys) == 1 and bool((keys[0] >= 0).all()):
        return keys[0]
    rows, nodes, n_nodes = [], [], n
    for key in keys:
        has = np.flatnonzero(key >= 0)
        rows.append(has)
        nodes.append(n_nodes + key[has].astype(np.intp))
        n_nodes += int(key.max(initial=-1)) + 1
    groups = connected(np.concatenate(rows), np.concatenate(nodes), n=n_nodes)[:n]
    return np.where(groups < 0, n_nodes + np.arange(n), groups)
