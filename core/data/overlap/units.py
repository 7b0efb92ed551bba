"""Which examples of different datasets are one unit, to be flipped together.

Vocabulary
----------
unit
    Examples that are the same, in whatever dataset, and those of one cluster with them.
    Different units have nothing to do with each other.
matched
    Known by the overlap analysis to be the same: by their text, or by ids that tell
    examples apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ...errors import DataError, Problem, quoted
from ...types import UNITS_BY, IntArray, UnitsBy
from ...validation import check_choice
from ..result_set import ResultSet
from ..side_data import sorted_distinct
from ..tables.limits import stop_at
from .find import Overlap, example_codes, find_overlap
from .known_by import ids_of, judge_ids
from .shared_pairs import connected

# As the sidebar offers it, and on the command line.
_BY_IDS = (
    "choose “Also those with equal ids” in the sidebar (--joint example-id on the command line)."
)
_EQUAL = "If equal ids are the same example"


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
    sizes = [result_set.n_examples(dataset) for dataset in result_set.datasets]
    ends = np.cumsum(sizes)
    dataset = np.repeat(np.arange(len(sizes)), sizes)
    matched = example_codes(result_set)
    keys: list[npt.NDArray[np.integer]] = []
    if units == "example-id":
        keys = [_id_codes(result_set)]
        if result_set.inputs is not None:
            # The same text under another id is the same example still.
            keys.append(matched)
    else:
        _check_matched(result_set, matched, dataset)
        keys = [matched]
    if whole_clusters and result_set.clusters is not None:
        keys.append(_apart(result_set.clusters.codes))
    return _counted(result_set.datasets, np.split(_components(keys), ends[:-1]))


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


def _id_codes(result_set: ResultSet) -> npt.NDArray[np.integer]:
    ids = ids_of(result_set)
    if ids is None:
        raise DataError.of(
            "The examples have no ids.",
            "Add a column “example” in which the same example has the same id in every dataset.",
        )
    return judge_ids(ids).codes


def _check_matched(
    result_set: ResultSet, matched: npt.NDArray[np.int32], dataset: IntArray
) -> None:
    """Every example is known, and nothing says that some are shared without being matched."""
    unknown = np.bincount(dataset[matched < 0], minlength=result_set.n_datasets)
    known, stated = "have neither a text nor an id", _EQUAL
    if ids_of(result_set) is not None:
        codes = _id_codes(result_set)
        apart = sorted_distinct(codes).size == codes.size
        why = "no id occurs in two" if apart else "equal ids may be different examples"
        stated = "If different ids are different examples" if apart else stated
        known = f"have no text, and their ids cannot be matched between datasets ({why})"
    problems = []
    for name, n in zip(result_set.datasets, unknown.tolist(), strict=True):
        if n:
            # Without the number, datasets of different sizes have one problem in common.
            total = result_set.n_examples(name)
            some = "all examples" if n == total else f"{n:,} of {total:,} examples"
            what = f"{some} {known}, so it is not known whether other datasets have them."
            remedy = f"Add a column “text” with each example's input. {stated}, {_BY_IDS}"
            problems.append(Problem(what, remedy, dataset=name))
    if not problems:
        overlap = find_overlap(result_set)
        problems = [
            Problem(
                f"{_names(overlap, group.members)} may hold the same examples in other words, which "
                "are not matched by their text.",
                f"{_EQUAL}, {_BY_IDS}",
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
    if not apart and not texts.n_widespread:
        return []
    named = _names(overlap, apart[0]) if apart else "Many datasets"
    return [
        Problem(
            f"{named} share texts beyond the examples they share, such as passages with several "
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
