"""Which datasets have things in common, and signs of it where no text shows it, which prove nothing.

Vocabulary
----------
same scores
    Datasets with the same scores in the same order, where chance is ruled out.
    Two lists of a few right and wrong answers may agree by chance, and so may two
    on which the systems are nearly always right: what is counted is how much the
    agreement says. Ids, texts and gold labels that contradict win over it.
translations
    Datasets that may hold the same examples in other words. Their sign is "ids"
    (equal ids with different texts), "id-order" (the same numbers as ids, which no
    mere counting gives), "gold-order" (the same gold labels line by line), or
    "names" (names that differ only in the language, and as many examples).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from math import comb, log2
from typing import Literal

import numpy as np
import numpy.typing as npt

from ...types import IntArray
from ..result_set import ResultSet
from ..side_data import sorted_distinct
from .known_by import ExampleIds, judge_ids

# Up to so many datasets every pair is counted and a matrix fits on paper or screen. Of more
# datasets those that have one thing are counted up to this many, as all would be millions of pairs.
MAX_MATRIX, MOST_HOLDERS = 2_000, 100
# What happens by chance with less than 2 to the minus this is taken for no chance.
FEWEST_BITS = 40.0
# A dataset lies within another, or is made of others, where so much of it is found there.
SHARE_WITHIN = 0.95
# Of more datasets that others lie within, and of more parts of one, the first are tried, and the
# largest.
MOST_WHOLES, MOST_PARTS = 500, 200


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SharedPairs:
    """Pairs of datasets with something in common.

    `n_distinct` says how many different things each dataset has. The pairs, `first` < `second` in
    this order, have `n_common` different things both, 1 or more: at least so many where there are
    more than `MAX_MATRIX` datasets.
    """

    n_distinct: IntArray
    first: IntArray
    second: IntArray
    n_common: IntArray

    def n_common_of(self, other: SharedPairs) -> IntArray:
        """For each of these pairs how many of another kind of things both have."""
        n_datasets = self.n_distinct.size
        keys = self.first * n_datasets + self.second
        others = other.first * n_datasets + other.second
        here = np.isin(others, keys)
        n_common = np.zeros(keys.size, dtype=np.intp)
        n_common[np.searchsorted(keys, others[here])] = other.n_common[here]
        return n_common


def shared_pairs(
    codes: npt.NDArray[np.integer], dataset: npt.NDArray[np.integer], *, n_datasets: int
) -> SharedPairs:
    """Count for each pair of datasets the codes, -1 for nothing, that stand in both."""
    from scipy import sparse

    known = codes >= 0
    keys = sorted_distinct(codes[known].astype(np.int64) * n_datasets + dataset[known])
    code, holder = np.divmod(keys, n_datasets)
    n_distinct = np.bincount(holder, minlength=n_datasets).astype(np.intp)
    starts = np.flatnonzero(np.diff(code, prepend=-1))
    n_holders = np.diff(starts, append=code.size)
    if n_datasets > MAX_MATRIX:
        first = np.arange(code.size) - np.repeat(starts, n_holders) < MOST_HOLDERS
        code, holder, n_holders = code[first], holder[first], n_holders.clip(max=MOST_HOLDERS)
        starts = np.cumsum(n_holders) - n_holders
    # What the same datasets have counts together: random numbers of these add up to one mark.
    numbers = np.random.default_rng(0).integers(2**63, size=n_datasets, dtype=np.uint64)
    several = np.flatnonzero(n_holders > 1)
    marks = np.add.reduceat(numbers[holder], starts)[several]
    _, places, counts = np.unique(marks, return_index=True, return_counts=True)
    places = several[places]
    sizes = n_holders[places]
    members = (holder[start : start + n] for start, n in zip(starts[places], sizes, strict=True))
    rows = np.concatenate([*members, holder[:0]])
    columns = np.repeat(np.arange(places.size), sizes)
    shape = (n_datasets, places.size)
    # Floats are exact here, and full tables of them are multiplied far faster.
    held = sparse.csr_array((np.ones(rows.size), (rows, columns)), shape=shape)
    times = sparse.csr_array((counts[columns] * 1.0, (rows, columns)), shape=shape)
    is_full = n_datasets <= MAX_MATRIX and 4 * rows.size >= n_datasets * places.size
    common = times.toarray() @ held.toarray().T if is_full else times @ held.T
    upper = sparse.triu(sparse.csr_array(common), k=1).tocoo()
    in_order = np.lexsort((upper.col, upper.row))
    return SharedPairs(
        n_distinct=n_distinct,
        first=upper.row[in_order].astype(np.intp),
        second=upper.col[in_order].astype(np.intp),
        n_common=upper.data[in_order].astype(np.intp),
    )


def connected(first: IntArray, second: IntArray, *, n: int) -> IntArray:
    """For each of `n` things a number, the same for those that pairs connect; -1 where none does."""
    from scipy import sparse
    from scipy.sparse.csgraph import connected_components

    numbers = np.full(n, -1, dtype=np.intp)
    if first.size:
        ones = np.ones(first.size, dtype=np.int8)
        graph = sparse.csr_array((ones, (first, second)), shape=(n, n))
        linked = sorted_distinct(np.concatenate([first, second]))
        numbers[linked] = connected_components(graph, directed=False)[1][linked]
    return numbers


@dataclass(frozen=True, slots=True, kw_only=True)
class Union:
    """A dataset and two or more smaller ones within it, none to spare, that it is made of.

    They hold `n_covered` of its different examples together.
    """

    whole: int
    parts: tuple[int, ...]
    n_covered: int


def find_unions(
    codes: Sequence[npt.NDArray[np.integer]], subsets: IntArray, n_distinct: IntArray
) -> tuple[Union, ...]:
    """Every dataset that two or more others together make up to at least 95%.

    `codes` say for each dataset what its examples are, -1 for nothing; `subsets` are each dataset
    that lies within another, and that other, shape (n, 2).
    """
    smaller = subsets[n_distinct[subsets[:, 0]] < n_distinct[subsets[:, 1]]]
    # By the whole, its largest parts first.
    order = np.lexsort((smaller[:, 0], -n_distinct[smaller[:, 0]], smaller[:, 1]))
    ordered = smaller[order]
    wholes, starts = np.unique(ordered[:, 1], return_index=True)
    by_whole = zip(wholes[:MOST_WHOLES], np.split(ordered[:, 0], starts[1:]), strict=False)
    found = (_made_of(int(whole), parts[:MOST_PARTS].tolist(), codes) for whole, parts in by_whole)
    return tuple(union for union in found if union is not None)


def find_subsets(pairs: SharedPairs) -> IntArray:
    """Every dataset that lies within another, and that other; equal ones both ways."""
    found = [
        np.column_stack([part, whole])[pairs.n_common >= SHARE_WITHIN * pairs.n_distinct[part]]
        for part, whole in ((pairs.first, pairs.second), (pairs.second, pairs.first))
    ]
    return np.concatenate(found).astype(np.intp)


def each_once(subsets: IntArray) -> IntArray:
    """Of two datasets that lie within each other only one way, the first within the second."""
    n_datasets = int(subsets.max(initial=0)) + 1
    part, whole = subsets[:, 0], subsets[:, 1]
    both = np.isin(part * n_datasets + whole, whole * n_datasets + part)
    kept: IntArray = subsets[~both | (part < whole)]
    return kept


def _made_of(
    whole: int, parts: Sequence[int], codes: Sequence[npt.NDArray[np.integer]]
) -> Union | None:
    own = sorted_distinct(codes[whole][codes[whole] >= 0])
    times = np.zeros(own.size, dtype=np.intp)
    held: dict[int, IntArray] = {}
    for part in parts:
        places = np.flatnonzero(np.isin(own, codes[part]))
        if (times[places] == 0).any():
            held[part] = places
            times[places] += 1
    # The smallest first, so that few large parts remain.
    for part in list(reversed(held)):
        if (times[held[part]] > 1).all():
            times[held.pop(part)] -= 1
    n_covered = int(np.count_nonzero(times))
    if len(held) < 2 or n_covered < SHARE_WITHIN * own.size:
        return None
    return Union(whole=whole, parts=tuple(sorted(held)), n_covered=n_covered)


# Rows that repeat after so few lines were written by a rule.
LONGEST_PERIOD = 12
_Labels = npt.NDArray[np.int32] | npt.NDArray[np.float64]
Sign = Literal["ids", "id-order", "gold-order", "names"]
# Labels that change less often stand in blocks: first all "yes", then all "no".
FEWEST_CHANGES = 10
# Fewer ids may be the same by chance.
FEWEST_IDS = 5
# Numbers with great gaps that are common to half of the smaller dataset are no chance.
SHARE_OF_NUMBERS = 0.5
# ISO 639-1, with what else stands for a language in datasets' names.
_LANGUAGE_WORDS = """
aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da
de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz
ia id ie ig ii ik io is it iu ja jp jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li
ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa
pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th
ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu
ara ben bul ces cmn dan deu ell eng est eus fas fin fra heb hin hun ind ita jpn kor lav lit nld
nor pol por ron rus slk slv spa srp swa swe tam tel tha tur ukr urd vie zho
arabic basque bengali bulgarian catalan chinese croatian czech danish dutch english estonian
finnish french german greek hebrew hindi hungarian indonesian italian japanese korean latvian
lithuanian norwegian persian polish portuguese romanian russian serbian slovak slovenian spanish
swahili swedish tamil telugu thai turkish ukrainian urdu vietnamese
"""
_LANGUAGES = frozenset(_LANGUAGE_WORDS.split())


def find_same_scores(result_set: ResultSet) -> tuple[tuple[int, ...], ...]:
    """Every group of two or more datasets, by their positions, that have the same scores.

    The scores of every system in every metric count, in the file's order of examples. Independent
    datasets with rows of scores as frequent as theirs would form any group with a chance of less
    than 2 to the minus 40.
    """
    n_datasets = result_set.n_datasets
    if n_datasets < 2:
        return ()
    needed = FEWEST_BITS + log2(comb(n_datasets, 2))
    alike = _groups((index, _mark(_scores(result_set, index))) for index in range(n_datasets))
    found: list[tuple[int, ...]] = []
    for members in alike:
        rows = np.column_stack(_scores(result_set, members[0]))
        if _bits_of_agreement(rows) >= needed:
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
    members: dict[Hashable, dict[int, None]] = {}
    for index, mark in marks:
        members.setdefault(mark, {})[index] = None
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


def _bits_of_agreement(rows: npt.NDArray[np.float64]) -> float:
    """How unlikely it is that two independent datasets with rows as frequent as these agree in all."""
    from scipy.special import gammaln

    n = len(rows)
    _, codes, counts = np.unique(rows, axis=0, return_inverse=True, return_counts=True)
    codes = codes.reshape(-1)
    if _repeats(codes):
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Translations:
    """Datasets that may hold the same examples in other words, and what points to it.

    Each of two or more members shows the sign together with at least one other.
    """

    members: tuple[int, ...]
    sign: Sign


def find_translations(
    result_set: ResultSet,
    ids: ExampleIds | None,
    inputs: npt.NDArray[np.integer] | None,
    dataset: IntArray,
) -> tuple[Translations, ...]:
    """Every group of datasets with a sign, the strongest sign first."""
    groups: list[tuple[Sign, Iterable[tuple[int, ...]]]] = []
    if ids is not None and inputs is not None:
        groups.append(("ids", _equal_ids_with_other_inputs(ids, inputs, dataset)))
    if ids is not None:
        groups.append(("id-order", _equal_numbers(ids, dataset)))
    groups.append(("gold-order", _same_gold(result_set)))
    if inputs is not None or (ids is not None and ids.texts.any()):
        groups.append(("names", _names_of_languages(result_set)))
    found: dict[tuple[int, ...], Translations] = {}
    for sign, every in groups:
        for members in every:
            found.setdefault(members, Translations(members=members, sign=sign))
    return tuple(found.values())


def _equal_ids_with_other_inputs(
    ids: ExampleIds, inputs: npt.NDArray[np.integer], dataset: IntArray
) -> Iterator[tuple[int, ...]]:
    """Datasets in which an id stands for one input here and for another there."""
    n_datasets = ids.numbers.size
    told = ~ids.numbers[dataset]
    codes = np.where(told, ids.codes, -1)
    by_id = shared_pairs(codes, dataset, n_datasets=n_datasets)
    # An id with its input: equal only where both are.
    same = np.where(
        told & (inputs >= 0), ids.codes.astype(np.int64) * (int(inputs.max()) + 1) + inputs, -1
    )
    by_both = shared_pairs(same, dataset, n_datasets=n_datasets)
    other = by_id.n_common_of(by_both) < by_id.n_common
    yield from _connected(by_id.first[other], by_id.second[other], n_datasets)


def _equal_numbers(ids: ExampleIds, dataset: IntArray) -> Iterator[tuple[int, ...]]:
    """Ids that are the same numbers in the same order, or nearly so, beyond mere counting."""
    n_datasets = ids.numbers.size
    n = np.bincount(dataset, minlength=n_datasets)
    parts = np.split(ids.codes, np.cumsum(n)[:-1])
    telling = ids.numbers & ~ids.counted & (n >= FEWEST_IDS)
    yield from _groups((i, _mark([parts[i]])) for i in np.flatnonzero(telling).tolist())
    sparse = ids.sparse & (n >= FEWEST_IDS)
    codes = np.where(sparse[dataset], ids.codes, -1)
    pairs = shared_pairs(codes, dataset, n_datasets=n_datasets)
    smaller = np.minimum(n[pairs.first], n[pairs.second])
    many = pairs.n_common >= SHARE_OF_NUMBERS * smaller
    yield from _connected(pairs.first[many], pairs.second[many], n_datasets)


def _same_gold(result_set: ResultSet) -> Iterator[tuple[int, ...]]:
    golds: Sequence[_Labels] = ()
    if result_set.labels is not None:
        golds = result_set.labels.gold
    elif result_set.gold_scores is not None:
        golds = result_set.gold_scores
    return _groups(
        (index, _mark([gold]))
        for index, gold in enumerate(golds)
        if _bits_of_order(gold) >= FEWEST_BITS and not _follows_a_rule(gold)
    )


def _bits_of_order(labels: _Labels) -> float:
    """How much the order of labels says, given how often each stands there."""
    _, counts = np.unique(labels, return_counts=True)
    return float(-(counts * np.log2(counts / labels.size)).sum())


def _follows_a_rule(labels: _Labels) -> bool:
    """Whether labels stand in blocks, or repeat after a few lines: no mark of their dataset."""
    n_changes = int(np.count_nonzero(labels[1:] != labels[:-1]))
    n_labels = np.unique(labels).size
    in_blocks = n_changes == n_labels - 1 and 2 * n_labels <= labels.size
    rising, falling = (labels[1:] >= labels[:-1]).all(), (labels[1:] <= labels[:-1]).all()
    if n_changes < FEWEST_CHANGES or in_blocks or rising or falling:
        return True
    return _repeats(labels)


def _repeats(rows: npt.NDArray[np.generic]) -> bool:
    """Whether rows repeat after a few lines, as those that a rule wrote."""
    longest = min(LONGEST_PERIOD, rows.size // 2)
    return any(np.array_equal(rows[p:], rows[:-p]) for p in range(1, longest + 1))


def _names_of_languages(result_set: ResultSet) -> Iterator[tuple[int, ...]]:
    """Names that are equal but for one language, of datasets with as many examples."""
    marks: list[tuple[int, Hashable]] = []
    for index, name in enumerate(result_set.datasets):
        plain = unicodedata.normalize("NFKC", name).casefold()
        tokens = re.findall(r"[^\W_]+", plain)
        n = result_set.n_examples(name)
        marks.extend(
            (index, (n, *tokens[:place], None, *tokens[place + 1 :]))
            for place, token in enumerate(tokens)
            if token in _LANGUAGES
        )
    return _groups(marks)


def _connected(first: IntArray, second: IntArray, n_datasets: int) -> Iterator[tuple[int, ...]]:
    component = connected(first, second, n=n_datasets)
    linked = np.flatnonzero(component >= 0).tolist()
    return _groups((index, int(component[index])) for index in linked)
