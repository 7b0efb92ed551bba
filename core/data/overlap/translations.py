"""Datasets whose examples may be the same ones in other words, such as translations.

Texts cannot show it, so other signs are looked for. None proves anything; each
is reason enough not to take the datasets for independent.

Vocabulary
----------
sign
    What points to it: "ids" (equal ids with different texts), "id-order" (the
    same numbers as ids, which no mere counting gives), "gold-order" (the same
    gold labels line by line), "names" (names that differ only in the language,
    and as many examples).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Literal

import numpy as np
import numpy.typing as npt

from core.data.overlap.example_ids import ExampleIds
from core.data.overlap.shared_pairs import shared_pairs
from core.data.result_set import ResultSet
from core.types import IntArray

_Labels = npt.NDArray[np.int32] | npt.NDArray[np.float64]
Sign = Literal["ids", "id-order", "gold-order", "names"]

# Labels in an order that says less than this may be the same by chance.
FEWEST_BITS = 40.0
# Labels that change less often stand in blocks: first all "yes", then all "no".
FEWEST_CHANGES = 10
# Fewer ids may be the same by chance.
FEWEST_IDS = 5
# Numbers with great gaps that are common to half of the smaller dataset are no chance.
SHARE_OF_NUMBERS = 0.5
# Labels that repeat after so few lines were written by a rule.
LONGEST_PERIOD = 12

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Translations:
    """Datasets that may hold the same examples in other words.

    Attributes
    ----------
    members : tuple of int
        Two or more positions of datasets, in their order; each shows the sign
        together with at least one other.
    sign : {"ids", "id-order", "gold-order", "names"}
        What points to it.
    """

    members: tuple[int, ...]
    sign: Sign


def find_translations(
    result_set: ResultSet,
    ids: ExampleIds | None,
    inputs: npt.NDArray[np.integer] | None,
    dataset: IntArray,
) -> tuple[Translations, ...]:
    """Every group of datasets with a sign, the strongest sign first.

    Parameters
    ----------
    result_set : ResultSet
        The datasets.
    ids : ExampleIds or None
        As judged.
    inputs : ndarray of int, shape (n,), or None
        The input of each example, all datasets one after the other; -1 where
        it has none.
    dataset : ndarray of int, shape (n,)
        The dataset of each example.
    """
    found: list[Translations] = []
    if ids is not None:
        if inputs is not None:
            found.extend(_equal_ids_with_other_inputs(ids, inputs, dataset))
        found.extend(_equal_numbers(result_set, ids, dataset))
    found.extend(_same_gold(result_set))
    if inputs is not None or (ids is not None and ids.texts.any()):
        found.extend(_names_of_languages(result_set))
    unlike_before: dict[tuple[int, ...], Translations] = {}
    for group in found:
        unlike_before.setdefault(group.members, group)
    return tuple(unlike_before.values())


def _equal_ids_with_other_inputs(
    ids: ExampleIds, inputs: npt.NDArray[np.integer], dataset: IntArray
) -> Iterable[Translations]:
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
    keys = by_id.first * n_datasets + by_id.second
    both_keys = by_both.first * n_datasets + by_both.second
    n_same = np.zeros(keys.size, dtype=np.intp)
    counted = np.isin(both_keys, keys)
    n_same[np.searchsorted(keys, both_keys[counted])] = by_both.n_common[counted]
    other = n_same < by_id.n_common
    pairs = np.column_stack([by_id.first[other], by_id.second[other]])
    yield from _connected(pairs, n_datasets, "ids")
    # Not compared one by one: ids that thousands of datasets have.
    if by_id.n_widespread:
        yield Translations(members=tuple(np.flatnonzero(by_id.widespread).tolist()), sign="ids")


def _equal_numbers(
    result_set: ResultSet, ids: ExampleIds, dataset: IntArray
) -> Iterable[Translations]:
    """Ids that are the same numbers in the same order, or nearly so, beyond mere counting."""
    n_datasets = result_set.n_datasets
    n = np.bincount(dataset, minlength=n_datasets)
    parts = np.split(ids.codes, np.cumsum(n)[:-1])
    telling = ids.numbers & ~ids.counted & (n >= FEWEST_IDS)
    yield from _equal(
        (
            (index, sha256(parts[index].tobytes()).digest())
            for index in np.flatnonzero(telling).tolist()
        ),
        "id-order",
    )
    sparse = ids.sparse & (n >= FEWEST_IDS)
    codes = np.where(sparse[dataset], ids.codes, -1)
    pairs = shared_pairs(codes, dataset, n_datasets=n_datasets)
    smaller = np.minimum(n[pairs.first], n[pairs.second])
    many = pairs.n_common >= SHARE_OF_NUMBERS * smaller
    chosen = np.column_stack([pairs.first[many], pairs.second[many]])
    yield from _connected(chosen, n_datasets, "id-order")


def _same_gold(result_set: ResultSet) -> Iterable[Translations]:
    golds: Sequence[_Labels] = ()
    if result_set.labels is not None:
        golds = result_set.labels.gold
    elif result_set.gold_scores is not None:
        golds = result_set.gold_scores
    return _equal(
        (
            (index, sha256(gold.tobytes()).digest())
            for index, gold in enumerate(golds)
            if _bits(gold) >= FEWEST_BITS and not _follows_a_rule(gold)
        ),
        "gold-order",
    )


def _bits(labels: _Labels) -> float:
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
    longest = min(LONGEST_PERIOD, labels.size // 2)
    return any(np.array_equal(labels[p:], labels[:-p]) for p in range(1, longest + 1))


def _names_of_languages(result_set: ResultSet) -> Iterable[Translations]:
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
    return _equal(marks, "names")


def _equal(marks: Iterable[tuple[int, Hashable]], sign: Sign) -> Iterable[Translations]:
    """Datasets with the same mark."""
    members: dict[Hashable, list[int]] = {}
    for index, mark in marks:
        members.setdefault(mark, []).append(index)
    for group in members.values():
        together = tuple(dict.fromkeys(group))
        if len(together) > 1:
            yield Translations(members=together, sign=sign)


def _connected(pairs: npt.NDArray[np.intp], n_datasets: int, sign: Sign) -> Iterable[Translations]:
    """Datasets that pairs connect."""
    if not pairs.size:
        return ()
    from scipy import sparse
    from scipy.sparse.csgraph import connected_components

    ones = np.ones(len(pairs), dtype=np.int8)
    graph = sparse.csr_array((ones, (pairs[:, 0], pairs[:, 1])), shape=(n_datasets, n_datasets))
    _, component = connected_components(graph, directed=False)
    linked = np.unique(pairs).tolist()
    return _equal(((index, int(component[index])) for index in linked), sign)
