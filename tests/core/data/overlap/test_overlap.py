"""What datasets share is found, and only what was looked at is called independent."""

import csv
import io
import random
from typing import Any

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from core.data import read_results
from core.data.overlap import signs
from core.data.overlap.find import find_overlap
from core.data.overlap.known_by import judge_ids
from core.data.overlap.signs import shared_pairs
from core.data.result_set import ResultSet
from core.data.side_data import Inputs, Labels
from tests.core.made import set_of

WORDS = ("car", "sea", "gem", "boy", "oven", "bird", "tool", "monk", "food", "hill", "rope", "wood")


def coded(numbers):
    return np.array(numbers, dtype=np.int32)


def results(texts=None, ids=None, gold=None, sizes=None):
    """A set of datasets whose scores say nothing."""
    given_ = texts or ids or gold
    datasets = tuple(given_ if given_ else sizes)
    n = {name: len(given_[name]) if given_ else sizes[name] for name in datasets}
    positions = {"": -1}
    inputs = labels = None
    if texts:
        codes = tuple(
            coded([positions.setdefault(text, len(positions)) for text in texts[dataset]])
            for dataset in datasets
        )
        inputs = Inputs(columns=("text",), codes=codes)
    if gold:
        labels = Labels(
            names=("no", "yes", "maybe"),
            gold=tuple(gold[d] for d in datasets),
            predictions=tuple(np.zeros((n[d], 2), dtype=int) for d in datasets),
        )
    return set_of(
        "mean",
        *(np.zeros((n[d], 2)) for d in datasets),
        datasets=datasets,
        example_ids=tuple([str(i) for i in ids[d]] for d in datasets) if ids else None,
        inputs=inputs,
        labels=labels,
    )


def matrix(found):
    """How many different examples each two datasets have in common."""
    places = range(found.n_datasets)
    pairs = [[found.n_common(one, other) for other in places] for one in places]
    return (np.array(pairs) + np.diag(found.n_distinct)).tolist()


def texts(start, end):
    return [f"text {i}" for i in range(start, end)]


def recommended(**given_):
    found = find_overlap(results(**given_))
    return found.dependence, found.reason


def shuffled_gold(n, seed):
    rng = random.Random(seed)
    return [rng.randrange(3) for _ in range(n)]


def test_the_matrix_counts_different_texts_in_common():
    found = find_overlap(
        results({"x": ["a", "b", "b", "c"], "y": ["b", "b", "c", "d"], "z": ["e"]})
    )
    assert found.basis == "inputs"
    assert matrix(found) == [[3, 2, 0], [2, 3, 0], [0, 0, 1]]
    assert found.n_repeated.tolist() == [1, 1, 0]
    assert found.shares.tolist() == [2 / 3]
    # Empty cells are no examples that repeat, nor in common.
    found = find_overlap(results({"x": ["a", "b", "a", "", ""], "y": ["c", "c", "c", "", "d"]}))
    assert (found.n_repeated.tolist(), found.n_common(0, 1)) == ([1, 2], 0)
    # They leave it open whether datasets share some.
    assert (found.n_unknown.tolist(), found.reason) == ([2, 1], "not-all-compared")


COUNTED = {"x": range(1, 11), "y": range(1, 11)}
NAMED = {"x": ["5733be28a", "a90c41d77", "c1177e3b0"], "y": ["a90c41d77", "b2c3d4e5f", "9f8e7d"]}
PAIRS = [f"{a}|{b}" for a, b in zip(WORDS, WORDS[::-1], strict=True)]
NO_RULE = shuffled_gold(60, seed=3)


def twice(own, part="gold"):
    """The same gold labels or ids for other texts."""
    n = len(own)
    return {"texts": {"x": texts(0, n), "y": texts(n, 2 * n)}, part: {"x": own, "y": own}}


# What is held of the examples, what it makes of their dependence, and why.
RECOMMENDED: list[tuple[dict[str, Any], str, str]] = [
    ({"texts": {"x": texts(0, 9), "y": texts(9, 20), "z": texts(20, 30)}}, "independent", "none-shared"),
    # Ids that count keep no different texts from being independent.
    ({"texts": {"x": texts(0, 10), "y": texts(10, 20)}, "ids": COUNTED}, "independent", "none-shared"),
    # A single text in common is enough.
    ({"texts": {"x": texts(0, 100), "y": texts(99, 200)}}, "not-known", "shared"),
    ({"texts": {"x": ["a"]}}, "not-known", "one-dataset"),
    # The same input all through a dataset tells nothing.
    ({"texts": {"x": ["Is it good?"] * 9, "y": ["Is it bad?"] * 9}}, "not-known", "few-inputs"),
    ({"texts": {"x": texts(0, 9), "y": [""] * 4, "z": texts(9, 12)}}, "not-known", "not-all-compared"),
    ({"sizes": {"x": 5, "y": 5}}, "not-known", "nothing-compared"),
    # Equal names are the same example, and so they are beside columns without a text.
    ({"ids": NAMED}, "not-known", "shared"),
    ({"texts": {"x": [""] * 6, "y": [""] * 6}, "ids": {"x": WORDS[:6], "y": WORDS[5:11]}},
     "not-known", "shared"),
    ({"ids": {"x": WORDS[:6], "y": range(1, 7), "z": WORDS[6:]}}, "not-known", "not-all-compared"),
    # Pairs of words are not given within a dataset.
    ({"ids": {"x": PAIRS[:8], "y": PAIRS[8:]}}, "independent", "none-shared"),
    # Names given within a dataset prove no independence.
    *(({"ids": {"x": x, "y": y}}, "not-known", "names-differ") for x, y in (
        (["5733be28a", "a90c41d77", "c1177e3b0"], ["0d5e6f7a1", "b2c3d4e5f", "9f8e7d6c5"]),
        (["de: car", "de: sea", "de: gem"], ["en: boy", "en: oven", "en: bird"]),
        (["a1b", "c22d", "e3f"], ["g4h", "i55j", "k6l"]),
    )),
    # A count is no sign of translations.
    *((twice(numbers, "ids"), "independent", "none-shared") for numbers in (
        [*range(12)], sorted(map(str, range(1, 13))), [*range(100, 112)], [f"{i}.0" for i in range(12)],
    )),
    # The same gold labels in the same order are one, unless a rule wrote them.
    (twice(NO_RULE), "not-known", "translations"),
    ({**twice(NO_RULE), "gold": {"x": NO_RULE, "y": shuffled_gold(60, seed=4)}},
     "independent", "none-shared"),
    *((twice(gold), "independent", "none-shared") for gold in (
        [0] * 60, [0] * 30 + [1] * 30, [0, 1] * 30, [0, 1, 2] * 20, [0] * 59 + [1], [0, 1, 1, 0, 2],
        [0, 1, 1, 0, 1, 0, 0, 1, 0, 1, 0, 2, 0, 1], [0] * 20 + [1] * 20 + [0] * 20,
    )),
]  # fmt: skip


def test_what_examples_have_in_common_decides_what_is_recommended():
    for given_, *expected in RECOMMENDED:
        assert list(recommended(**given_)) == expected, given_


def test_ids_that_are_numbers_prove_nothing_either_way():
    for ids in [
        {"x": range(1, 51), "y": range(1, 61)},
        {"x": range(50), "y": range(50, 100)},
        {"x": [3, 1, 2, 4], "y": [5, 7, 6, 9]},
        {"x": [1, 5, 17, 900], "y": [2, 6, 18, 901]},
        {"x": [f"x-{i}" for i in range(30)], "y": [f"y-{i}" for i in range(30)]},
        {"x": [f"dev{i:04}" for i in range(30)], "y": [f"dev{i:04}" for i in range(40)]},
        {"x": [f"{i}-{j}" for i in range(5) for j in range(5)], "y": ["1-1", "1-2", "2-1"]},
        {"x": ["1.0", "2.0", "3.0"], "y": ["1.0", "2.0"]},
        {"x": [7], "y": [7]},
        {"x": ["a1"], "y": ["b2"]},
        {"x": ["1:2", "3-4", "5/6"], "y": ["7:8", "9-1", "2/3"]},
    ]:
        found = find_overlap(results(ids=ids))
        assert found.basis == "none", ids
        assert not found.shares_any, ids
        assert (found.dependence, found.reason) == ("not-known", "nothing-compared"), ids


def test_equal_gold_labels_prove_nothing():
    gold = shuffled_gold(200, seed=1)
    found = find_overlap(results(gold={"x": gold, "y": gold, "z": shuffled_gold(200, seed=2)}))
    assert found.reason == "nothing-compared"
    assert not found.shares_any
    assert [(group.members, group.sign) for group in found.translations] == [((0, 1), "gold-order")]


def test_equal_ids_with_different_texts_may_be_translations():
    ids = [f"{word}{i}{word[::-1]}" for i, word in enumerate(WORDS)]
    others = [f"{i}{word}{i}" for i, word in enumerate(WORDS)]
    all_ids = {"de": ids, "en": ids[::-1], "other": others}
    found = find_overlap(
        results({"de": texts(0, 12), "en": texts(12, 24), "other": texts(24, 36)}, all_ids)
    )
    assert not found.shares_any
    assert (found.dependence, found.reason) == ("not-known", "translations")
    assert [(group.members, group.sign) for group in found.translations] == [((0, 1), "ids")]
    # With equal texts they are none.
    found = find_overlap(results({"x": texts(0, 12), "y": texts(0, 12)}, {"x": ids, "y": ids}))
    assert (found.translations, found.subsets.tolist()) == ((), [[0, 1]])


def test_the_same_numbers_beyond_a_count_may_be_translations():
    for numbers in [
        [17, 4, 203, 8, 99, 1],
        [1, 2, 4, 5, 8, 9],
        [3, 1, 2, 6, 4, 5],
        [f"q-{i}" for i in (9, 12, 3, 7, 8, 44)],
    ]:
        ids = {"x": numbers, "y": numbers}
        found = find_overlap(results({"x": texts(0, 6), "y": texts(6, 12)}, ids))
        assert found.reason == "translations", numbers
        assert found.translations[0].sign == "id-order", numbers


def test_far_flung_numbers_common_to_most_may_be_translations():
    numbers = [10_007 * i * i % 999_983 for i in range(1, 41)]
    ids = {"x": numbers[:30], "y": numbers[10:][::-1], "z": [n + 1 for n in numbers[:30]]}
    found = find_overlap(results({"x": texts(0, 30), "y": texts(30, 60), "z": texts(60, 90)}, ids))
    assert [group.members for group in found.translations] == [(0, 1)]


def test_gold_numbers_in_the_same_order_are_a_sign_unless_sorted():
    for order, may_be in [("as drawn", True), ("sorted", False)]:
        gold = np.random.default_rng(5).normal(size=50)
        if order == "sorted":
            gold = np.sort(gold)[::-1]
        inputs = Inputs(columns=("text",), codes=(coded(range(50)), coded(range(50, 100))))
        zeros = np.zeros((50, 2))
        both = set_of(
            "spearman", zeros, zeros, datasets="xy", gold_scores=(gold, gold), inputs=inputs
        )
        expected = "translations" if may_be else "none-shared"
        assert find_overlap(both).reason == expected, (order, may_be)


def test_names_that_differ_in_the_language_may_be_translations():
    may_be_pairs = [
        "xnli-de,xnli-zh",
        "XNLI_DE_test,XNLI_en_test",
        "PAWS German,PAWS French",
        "de,fr",
    ]
    for pair in (*may_be_pairs, "xnli-de,marc-en", "xnli-dev,xnli-test", "SST-2,SST-5"):
        (one, other), may_be = pair.split(","), pair in may_be_pairs
        reason = recommended(texts={one: texts(0, 10), other: texts(10, 20)})[1]
        assert reason == ("translations" if may_be else "none-shared"), (one, other, may_be)
        # Of another size they are not the same examples line by line.
        assert recommended(texts={one: texts(0, 10), other: texts(10, 21)})[1] == "none-shared", one


# From where to where texts go in each dataset, and the unions: the whole, its parts, what they cover.
UNIONS: list[tuple[dict[str, tuple[int, int]], list[tuple[int, tuple[int, ...], int]]]] = [
    # As WS-353 is made of its pairs for similarity and for relatedness.
    ({"rel": (0, 252), "all": (0, 352), "other": (500, 600), "sim": (149, 352), "small": (10, 40)},
     [(1, (0, 3), 352)]),
    # A twentieth may be lacking and no more.
    ({"x": (0, 50), "y": (50, 95), "all": (0, 100)}, [(2, (0, 1), 95)]),
    ({"x": (0, 50), "y": (50, 94), "all": (0, 100)}, []),
    # A copy, a near copy, and parts beside one that covers nearly all alone add nothing.
    ({"x": (0, 50), "y": (0, 50), "z": (0, 10)}, []),
    ({"x": (0, 50), "y": (1, 51), "z": (0, 10)}, []),
    ({"x": (0, 97), "all": (0, 100), "y": (0, 5)}, []),
    # Nor does one that others replace.
    ({"middle": (20, 80), "low": (0, 50), "high": (50, 100), "all": (0, 100)}, [(3, (1, 2), 100)]),
]  # fmt: skip


def test_a_union_is_of_parts_that_each_add_to_it_and_together_lack_a_twentieth_at_most():
    for given_, unions in UNIONS:
        found = find_overlap(results({name: texts(*ends) for name, ends in given_.items()}))
        assert [(u.whole, u.parts, u.n_covered) for u in found.unions] == unions, given_
        assert (found.dependence, found.reason) == ("not-known", "union" if unions else "within"), (
            given_
        )


def test_a_part_may_have_a_twentieth_of_its_own_and_no_more():
    def subsets(n_own):
        given_ = {"part": [*texts(0, 100 - n_own), *texts(900, 900 + n_own)], "all": texts(0, 300)}
        given_["small"] = texts(0, 30)
        return sorted(find_overlap(results(given_)).subsets.tolist())

    assert subsets(5) == [[0, 1], [2, 0], [2, 1]]
    assert subsets(6) == [[2, 0], [2, 1]]


@st.composite
def drawn_texts(draw):
    n = draw(st.integers(2, 6))
    words = st.lists(st.sampled_from(["", *WORDS]), min_size=1, max_size=9)
    return {f"d{i}": draw(words) for i in range(n)}


@hypothesis_settings(max_examples=30)
@given(drawn_texts(), st.randoms(use_true_random=False))
def test_counts_are_those_of_sets_in_any_order_and_under_any_name(given_, rng):
    sets = {name: set(words) - {""} for name, words in given_.items()}
    names = list(given_)
    rng.shuffle(names)
    found = find_overlap(results({f"renamed {name}": given_[name] for name in names}))
    if found.basis == "none":
        assert not any(sets.values())
        return
    expected = [[len(sets[one] & sets[other]) for other in names] for one in names]
    assert matrix(found) == expected
    original = find_overlap(results(given_))
    assert original.reason == found.reason
    for union in found.unions:
        parts = set().union(*(sets[names[i]] for i in union.parts))
        whole = sets[names[union.whole]]
        assert len(parts & whole) == union.n_covered >= 0.95 * len(whole)
        for part in union.parts:
            rest = set().union(*(sets[names[i]] for i in union.parts if i != part))
            assert len(rest & whole) < union.n_covered


def test_what_most_datasets_share_is_counted_like_everything_else():
    for n_datasets in [3, 40, 400, 150]:
        rng = np.random.default_rng(n_datasets)
        held = np.zeros((4000, n_datasets), dtype=bool)
        for own in held.T:
            own[rng.integers(0, 60, 25)] = own[rng.integers(100, 4000, 10)] = True
        if n_datasets == 150:
            # Nearly all examples are shared.
            held = rng.random((200, n_datasets)) < 0.9
        codes, dataset = np.nonzero(held)
        found = shared_pairs(codes, dataset, n_datasets=n_datasets)
        both = np.triu(held.T.astype(float) @ held, 1)
        pairs = np.stack([found.first, found.second], axis=1)
        assert np.array_equal(pairs, np.argwhere(both)), n_datasets
        assert np.array_equal(found.n_common, both[both > 0.0]), n_datasets


def test_what_thousands_of_datasets_share_is_counted_of_the_first(monkeypatch):
    monkeypatch.setattr(signs, "MAX_MATRIX", 10)
    monkeypatch.setattr(signs, "MOST_HOLDERS", 3)
    given_ = {f"d{i}": ["everywhere", *texts(100 * i, 100 * i + 9)] for i in range(30)}
    given_["d7"].append("text 3")
    found = find_overlap(results(given_))
    pairs = [(0, 1), (0, 2), (0, 7), (1, 2)]
    assert list(zip(found.pairs.first, found.pairs.second, strict=True)) == pairs
    assert found.reason == "shared"


def test_ten_thousand_datasets_are_kept_as_pairs():
    n = 10_000
    codes = [coded(range(3 * i, 3 * i + 3)) for i in range(n)]
    codes[7] = codes[9]
    found = find_overlap(
        set_of(
            "mean",
            *(np.zeros((3, 2)) for _ in range(n)),
            datasets=[f"d{i}" for i in range(n)],
            inputs=Inputs(columns=("text",), codes=tuple(codes)),
            example_ids=tuple(pa.array(["1", "2", "3"]) for _ in range(n)),
            score_decimals=0,
        )
    )
    assert (found.pairs.first.tolist(), found.pairs.second.tolist()) == ([7], [9])
    assert found.n_common(9, 7) == 3
    assert found.n_common(0, 9_999) == 0


N = 50


def numbered(word, n=N):
    return [f"{word} number {i}" for i in range(n)]


def in_columns(columns, **datasets):
    """Datasets as columns of texts, one for each name in `columns`."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(["dataset", "example", *columns, "A", "B"])
    for dataset, texts in datasets.items():
        for i, cells in enumerate(zip(*texts, strict=True)):
            writer.writerow([dataset, i, *cells, 1, 0])
    results = read_results(text.getvalue().encode())
    assert isinstance(results, ResultSet)
    return find_overlap(results)


def test_the_same_texts_are_found_where_one_dataset_leaves_the_other_column_empty():
    overlap = in_columns(
        ["text", "context"],
        x=[numbered("text"), numbered("context")],
        y=[numbered("text"), [""] * N],
        z=[numbered("other"), numbered("another")],
    )
    assert overlap.reason == "texts-shared"
    assert not overlap.shares_any
    assert (overlap.texts.first.tolist(), overlap.texts.second.tolist()) == ([0], [1])
    assert overlap.texts.n_common.tolist() == [N]


def test_other_questions_on_the_same_passages_and_the_same_queries_are_not_independent():
    def reason(*columns, **datasets):
        return in_columns(columns, **datasets).reason

    for questions_each in [1, 5, 25]:
        passages = [f"passage {i // questions_each}" for i in range(N)]
        given_ = {"x": [numbered("who"), passages], "y": [numbered("where"), passages]}
        assert reason("question", "passage", **given_) == "texts-shared", questions_each
        given_["y"] = [numbered("where"), [f"other {passage}" for passage in passages]]
        assert reason("question", "passage", **given_) == "none-shared", questions_each
    # Queries that stand before many candidates.
    queries = [f"query {i // 30}" for i in range(900)]
    given_ = {"x": [queries, numbered("one", 900)], "y": [queries, numbered("other", 900)]}
    assert reason("query", "text", **given_) == "texts-shared"


def test_ids_are_numbers_counts_names_or_words_by_how_they_look() -> None:
    judged_as: dict[tuple[str, ...], set[str]] = {
        ("q0", "q1", "q2", "q3"): {"numbers", "counted"},
        # Of two kinds: neither counted nor far apart.
        ("q1", "r2", "q3", "r4"): {"numbers"},
        ("٣", "٤", "٧"): {"numbers", "sparse"},
        ("q7",): {"numbers", "counted"},
        ("sst-car", "sst-sea"): set(),
        ("blue car",): {"texts"},
        ("blue car", "deep sea"): {"texts"},
    }
    judged = judge_ids([pa.array(own) for own in judged_as])
    for place, (ids, kinds) in enumerate(judged_as.items()):
        flags = {kind: getattr(judged, kind) for kind in ("numbers", "counted", "sparse", "texts")}
        assert {kind for kind, holds in flags.items() if holds[place]} == kinds, ids


def test_two_words_are_one_example_in_either_order_and_one_alone_is_none() -> None:
    rows = ("d,car,sea", "d,gem,", "d,boy,oven", "e,sea,car", "e,gem,", "e,boy,car")
    table = "dataset,word1,word2,A,B\n" + "".join(
        f"{row},1,{i % 2}\n" for i, row in enumerate(rows)
    )
    results: Any = read_results(table.encode())
    texts = find_overlap(results).texts
    assert texts.n_distinct.tolist() == [2, 2]
    assert texts.n_common.tolist() == [1]


def test_of_datasets_that_are_left_the_same_is_known_as_of_a_file_without_the_others() -> None:
    given = {name: texts(30 * i, 30 * i + 30) for i, name in enumerate(("x-de", "x-fr", "x-zh"))}
    given = {"sst": texts(200, 212), **given}
    whole = results(texts=given)
    assert [group.members for group in find_overlap(whole).translations] == [(1, 2, 3)]
    for left_out in (["x-fr"], ["sst"], ["x-de", "x-zh"]):
        kept = {name: own for name, own in given.items() if name not in left_out}
        found = find_overlap(whole, left_out=left_out)
        assert found.translations == find_overlap(results(texts=kept)).translations, left_out
