"""A result set keeps which examples belong together, checks it, and counts it as content."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.data import ResultSet, read_results
from core.data.labels import ExampleClusters

SCORES = {"x": {"A": [0.5, 1.25, 0.0], "B": [0.25, 1.0, 0.0]}, "y": {"B": [3.0], "A": [2.0]}}
CLUSTERS = {"x": ["d1", "d2", "d1"], "y": ["d1"]}
GOLD = {"x": ["yes", "no"]}
PREDICTED = {"x": {"A": ["yes", "maybe"], "B": ["no", "no"]}}


def made(**changes):
    return ResultSet.from_scores(**{"scores": SCORES, "metric": "BLEU", **changes})


def with_codes(*codes):
    base = made()
    return ResultSet(
        datasets=base.datasets,
        systems=base.systems,
        values=base.values,
        higher_is_better=base.higher_is_better,
        clusters=ExampleClusters(column="document", codes=codes),
    )


def test_each_dataset_has_its_own_clusters():
    results = made(clusters=CLUSTERS)
    assert results.clusters_of("x").tolist() == [0, 1, 0]
    assert results.clusters_of("y").tolist() == [0]
    assert results.clusters_of("x").dtype == np.int32
    assert results.clusters.column == "cluster"
    assert made().clusters_of("x") is None
    with pytest.raises(ValueError, match="`dataset` must be one of 'x', 'y'; got 'z'"):
        results.clusters_of("z")


# Of sets without clusters, as they were before there were any.
@pytest.mark.parametrize(
    ("results", "fingerprint"),
    [
        (made(), "21d21c9c4364ecbec28d5e3de5887aecc21b877dfa19370f8358936e489d1e14"),
        (
            made(examples={"x": ["1", "2", "3"], "y": ["1"]}),
            "ad656300afb22b805311a106c2c2861f409cb2cf679e813fb648d7dd9be46076",
        ),
        (
            ResultSet.from_predictions(GOLD, PREDICTED),
            "0f1f3db8c74c5084096cacf7a48b6ba430a146fab7888a810a31320ab1b3a9df",
        ),
        (
            read_results(
                b"dataset,example,correct_A,correct_B,total\nx,1,1,2,3\nx,2,2,2,3\n"
            ),
            "8514354f8811201504fe8ff08b34839f8002b21d1d0ffe5eef09affe18430161",
        ),
    ],
)  # fmt: skip
def test_without_clusters_the_fingerprint_is_what_it_always_was(results, fingerprint):
    assert results.fingerprint == fingerprint


def test_the_fingerprint_says_which_examples_belong_together_and_not_how_it_is_called():
    first = made(clusters=CLUSTERS).fingerprint
    assert first != made().fingerprint
    assert first != made(clusters={"x": ["d1", "d1", "d2"], "y": ["d1"]}).fingerprint
    assert first != made(clusters={"x": ["d1", "d1", "d1"], "y": ["d1"]}).fingerprint
    assert first == made(clusters={"x": [3.5, "b", 3.5], "y": ["other"]}).fingerprint
    assert first == with_codes([9, 4, 9], [1]).fingerprint


GROUPS = st.lists(st.integers(0, 3), min_size=1, max_size=6)


@given(GROUPS, GROUPS)
def test_equal_fingerprints_are_equal_groups(first, second):
    def fingerprint(labels):
        zeros = {"A": np.zeros(len(labels)), "B": np.zeros(len(labels))}
        return ResultSet.from_scores({"x": zeros}, clusters={"x": labels}).fingerprint

    def together(labels):
        return [[one == other for other in labels] for one in labels]

    assert (fingerprint(first) == fingerprint(second)) == (together(first) == together(second))


@given(st.lists(st.sampled_from(["a", "b", "c d", "1", "01"]), min_size=2, max_size=12))
def test_a_file_and_its_own_arrays_make_the_same_set(documents):
    n = len(documents)
    a, b = [i % 2 for i in range(n)], [i % 3 % 2 for i in range(n)]
    ids = [f"e{i}" for i in range(n)]
    rows = [",".join(map(str, ("x", *cells))) for cells in zip(ids, documents, a, b, strict=True)]
    text = "\n".join(["dataset,example,document,A,B", *rows])
    results = read_results(text.encode(), roles={"layout": "per-example scores"})
    assert isinstance(results, ResultSet)
    groups = 1 < len(set(documents)) < n
    again = ResultSet.from_scores(
        {"x": {"A": a, "B": b}},
        metric=results.metrics[0],
        examples={"x": ids},
        clusters={"x": documents} if groups else None,
    )
    assert (results.clusters is None) == (not groups)
    assert results.fingerprint == again.fingerprint


@pytest.mark.parametrize(
    ("clusters", "message"),
    [
        ({"x": ["a", "b", "a"]}, "`clusters` must give the labels of every dataset"),
        ({**CLUSTERS, "z": ["a"]}, "`clusters` must give the labels of every dataset"),
        ({**CLUSTERS, "x": ["a", "b"]}, r"'x' must hold one for each of 3 examples; got .*\(2,\)"),
        ({**CLUSTERS, "x": ["a", "", "b"]}, "'x' must have a label for each .* none at index 1"),
        ({**CLUSTERS, "x": ["a", "a", None]}, "none at index 2"),
        ({**CLUSTERS, "x": [1.0, float("nan"), 1.0]}, "none at index 1"),
        (
            {**CLUSTERS, "x": np.ma.array([1, 2, 2], mask=[False, False, True])},
            "'x' must hold one label",
        ),
        ({**CLUSTERS, "x": [["a"], ["b"], ["c"]]}, "'x' must hold one label an example"),
    ],
)
def test_labels_that_do_not_fit_are_refused(clusters, message):
    with pytest.raises(ValueError, match=message):
        made(clusters=clusters)


@pytest.mark.parametrize(
    ("codes", "message"),
    [
        (([0, 0, 1],), "`clusters` must hold one entry for each of 2 datasets; got 1"),
        (([0, 0], [0]), "'x' must hold one for each of 3 examples"),
        (([[0, 0, 1]], [0]), "'x' must hold one for each of 3 examples"),
        (([0, -1, 0], [0]), "`clusters` of dataset 'x' must not be negative"),
        (([0.0, 0.5, 1.0], [0]), "must be whole numbers"),
    ],
)
def test_codes_that_do_not_fit_are_refused(codes, message):
    with pytest.raises(ValueError, match=message):
        with_codes(*codes)
