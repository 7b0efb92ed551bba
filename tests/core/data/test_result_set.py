"""A result set pairs systems by example, knows which belong together, and cannot be changed."""

import copy
import pickle
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.data import ResultSet, read_results
from core.data.side_data import ExampleClusters
from tests.core.made import set_of


def made(**changes):
    scores = {"x": {"A": [0.5, 1.25, 0.0], "B": [0.25, 1.0, 0.0]}, "y": {"B": [3.0], "A": [2.0]}}
    return ResultSet.from_scores(**{"scores": scores, "metric": "BLEU", **changes})


def labelled(**changes):
    return ResultSet.from_predictions(
        **{
            "gold": {"x": ["yes", "no"], "y": ["no"]},
            "predictions": {
                "x": {"A": ["yes", "maybe"], "B": ["no", "no"]},
                "y": {"A": ["no"], "B": ["yes"]},
            },
            **changes,
        }
    )


def test_scores_are_found_by_name_and_paired_by_example():
    results = made()
    assert results.datasets == ("x", "y")
    assert results.systems == ("A", "B")
    assert results.metrics == ("BLEU",)
    assert results.n_datasets == 2
    assert [results.n_examples(dataset) for dataset in results.datasets] == [3, 1]
    assert results.scores("x", "A").tolist() == [0.5, 1.25, 0.0]
    assert results.scores("y", "A", "BLEU").tolist() == [2.0]
    assert results.examples("x") is None
    assert results.gold("x") is None
    assert results.predictions("x", "A") is None


def test_a_direction_is_turned_in_one_place():
    lower = made(higher_is_better=False)
    assert lower.scores("x", "A").tolist() == [0.5, 1.25, 0.0]
    assert lower.oriented("x", "A").tolist() == [-0.5, -1.25, 0.0]
    assert not np.signbit(lower.oriented("x", "A")[2])
    assert made().oriented("x", "A").tolist() == [0.5, 1.25, 0.0]
    assert lower.higher_is_better == {"BLEU": False}


def test_arrays_cannot_be_written_to():
    results = made(higher_is_better=False)
    for array in (results.scores("x", "A"), results.oriented("x", "A"), results.values["BLEU"][0]):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    with pytest.raises(TypeError):
        results.higher_is_better["BLEU"] = True
    with pytest.raises(ValueError, match="read-only"):
        labelled().gold("x")[0] = "no"


def test_the_arrays_that_were_given_stay_free():
    own = np.array([1.0, 2.0])
    results = ResultSet.from_scores({"x": {"A": own, "B": own}})
    own[0] = 9.0
    assert results.scores("x", "A").tolist() == [1.0, 2.0]


def test_correctness_is_agreement_with_gold():
    results = labelled()
    assert results.metrics == ("accuracy",)
    assert results.scores("x", "A").tolist() == [1.0, 0.0]
    assert results.scores("x", "B").tolist() == [0.0, 1.0]
    assert results.gold("x").tolist() == ["yes", "no"]
    assert results.predictions("x", "A").tolist() == ["yes", "maybe"]
    assert (results.gold("y") == results.predictions("y", "A")).tolist() == [True]
    assert results.score_decimals == 0


def test_copies_and_pickles_are_the_same_set_and_read_only():
    for make in [made, labelled]:
        results = make()
        pickled = pickle.loads(pickle.dumps(results))  # noqa: S301 - our own bytes
        for again in (pickled, copy.deepcopy(results), copy.copy(results)):
            assert again.fingerprint == results.fingerprint, make
            assert again.to_frame().equals(results.to_frame()), make
            assert not again.scores("x", "A").flags.writeable, make


def test_the_fingerprint_is_of_the_content_and_not_of_what_is_declared():
    first = made().fingerprint
    assert len(first) == 64
    assert made().fingerprint == first
    assert made(metric="chrF", higher_is_better=False).fingerprint == first


def test_every_part_of_the_content_changes_the_fingerprint():
    same: dict[str, Any] = {"x": {"A": [1, 2], "B": [3, 4]}}
    others: list[dict[str, Any]] = [
        {"z": {"A": [1, 2], "B": [3, 4]}},
        {"x": {"A": [1, 2], "C": [3, 4]}},
        {"x": {"A": [2, 1], "B": [3, 4]}},
        {"x": {"A": [1], "B": [3]}, "y": {"A": [2], "B": [4]}},
        {"x": {"A": [1, 3], "B": [2, 4]}},
    ]
    sets = [ResultSet.from_scores(scores) for scores in (same, *others)]
    for ids in (["1", "2"], ["12", ""], ["", "12"]):
        sets.append(ResultSet.from_scores(same, examples={"x": ids}))
    assert len({one.fingerprint for one in sets}) == len(sets)


def test_labels_count_in_the_fingerprint_beyond_right_and_wrong():
    one = labelled()
    said = {"x": {"A": ["yes", "never"], "B": ["no", "no"]}, "y": {"A": ["no"], "B": ["yes"]}}
    other = labelled(predictions=said)
    assert one.scores("x", "A").tolist() == other.scores("x", "A").tolist()
    assert one.fingerprint != other.fingerprint


def parts(**changes):
    base = made()
    names = ("datasets", "systems", "values", "higher_is_better")
    return ResultSet(**{**{name: getattr(base, name) for name in names}, **changes})


SCORES = ResultSet.from_scores
REFUSED = [
    (lambda: SCORES({}), "`datasets` must not be empty"),
    (lambda: SCORES({"x": {}}), "`systems` must not be empty"),
    (lambda: SCORES({"": {"A": [1]}}), "`datasets` must have names"),
    (lambda: SCORES({"x": {"A": []}}), "must have an example; got none"),
    (lambda: SCORES({"x": {"A": [1, np.nan]}}), "`values` of dataset 'x' must be finite"),
    (lambda: SCORES({"x": {"A": [np.inf]}}), "must be finite"),
    (lambda: SCORES({"x": {"A": [1, 2], "B": [1]}}),
     r"one score an example from each system; 'A' has shape \(2,\), 'B' \(1,\)"),
    (lambda: SCORES({"x": {"A": [[1, 2]]}}), "one score an example"),
    (lambda: SCORES({"x": {"A": [1]}, "y": {"B": [1]}}), "same systems; 'y' has 'B', the first 'A'"),
    (lambda: parts(datasets=("x", "x")), "`datasets` must all differ; got 'x' twice"),
    (lambda: parts(systems=("A", "A")), "`systems` must all differ"),
    (lambda: parts(datasets=("x",)), "`values` must hold one entry for each of 1 datasets; got 2"),
    (lambda: parts(systems=("A",)), r"must have the shape \(n, 1\); got \(3, 2\)"),
    (lambda: parts(higher_is_better={}), "for each metric of `values`; got none for 'BLEU'"),
    (lambda: parts(example_ids=(["1", "2", "3"],)), "`example_ids` must hold one entry"),
    (lambda: parts(example_ids=(["1", "2"], ["1"])), "one for each of 3 examples; got 2"),
    (lambda: parts(example_ids=(["1", "2", "2"], ["1"])),
     "`example_ids` of dataset 'x' must all differ"),
    (lambda: parts(example_ids=(["1", "2", None], ["1"])), "must all differ"),
    (lambda: parts(values={"BLEU": (np.zeros((2, 2)), np.zeros((3, 2)))},
                   example_ids=(["1", "2"], ["1", "2", "2"])), "'y' must all differ"),
    (lambda: parts(datasets=("x",), values={"BLEU": (np.zeros((1, 2)),), "chrF": (np.zeros((2, 2)),)},
                   higher_is_better={"BLEU": True, "chrF": True}),
     "as many examples for every metric; got 1 and 2"),
    (lambda: ResultSet.from_predictions({"x": ["a", "b"]}, {"x": {"A": ["a"], "B": ["a"]}}),
     "as many as the gold labels; got 1 for 2"),
    (lambda: ResultSet.from_predictions({"x": ["a"]}, {"y": {"A": ["a"], "B": ["a"]}}),
     "same datasets"),
    (lambda: parts(gold_scores=([1.0, 2.0, 3.0], [np.nan])),
     "`gold_scores` of dataset 'y' must be finite"),
]  # fmt: skip


@pytest.mark.parametrize(("make", "message"), REFUSED, ids=[said for _, said in REFUSED])
def test_what_does_not_fit_is_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_unknown_names_are_refused_with_the_known_ones():
    results = made()
    with pytest.raises(ValueError, match="`dataset` must be one of 'x', 'y'; got 'z'"):
        results.scores("z", "A")
    with pytest.raises(ValueError, match="`system` must be one of 'A', 'B'; got 'C'"):
        results.oriented("x", "C")
    with pytest.raises(ValueError, match="`metric` must be one of 'BLEU'; got 'F1'"):
        results.has_outcomes("F1")
    with pytest.raises(ValueError, match="`examples` must give the ids of every dataset"):
        made(examples={"x": ["1", "2", "3"]})


def test_only_an_array_that_nobody_can_change_is_taken_without_a_copy():
    whole = np.asfortranarray(np.arange(8.0).reshape(4, 2))
    part = whole[:3]
    part.flags.writeable = False
    # What it is a part of can still be changed.
    kept = set_of("mean", part)
    whole[0, 0] = 99.0
    assert kept.scores("d", "A").tolist() == [0.0, 2.0, 4.0]
    whole.flags.writeable = False
    assert np.shares_memory(set_of("mean", whole[:3]).scores("d", "A"), whole)


def test_a_negative_zero_is_none_even_in_an_array_taken_as_it_is():
    values = np.asfortranarray([[-0.0, 1.0], [1.0, 0.0]])
    values.flags.writeable = False
    assert not np.signbit(set_of("mean", values).scores("d", "A")).any()


CLUSTERS = {"x": ["d1", "d2", "d1"], "y": ["d1"]}


def with_codes(*codes):
    return replace(made(), clusters=ExampleClusters(column="document", codes=codes))


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
        (made(examples={"x": ["1", "2", "3"], "y": ["1"]}),
         "ad656300afb22b805311a106c2c2861f409cb2cf679e813fb648d7dd9be46076"),
        (ResultSet.from_predictions(
            {"x": ["yes", "no"]}, {"x": {"A": ["yes", "maybe"], "B": ["no", "no"]}}),
         "0f1f3db8c74c5084096cacf7a48b6ba430a146fab7888a810a31320ab1b3a9df"),
        (read_results(b"dataset,example,correct_A,correct_B,total\nx,1,1,2,3\nx,2,2,2,3\n"),
         "8514354f8811201504fe8ff08b34839f8002b21d1d0ffe5eef09affe18430161"),
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


CLUSTERS_REFUSED = [
    ({"x": ["a", "b", "a"]}, "`clusters` must give the labels of every dataset"),
    ({**CLUSTERS, "z": ["a"]}, "`clusters` must give the labels of every dataset"),
    (["a", "b", "a"], "`clusters` must give the labels of every dataset"),
    ({**CLUSTERS, "x": ["a", "b"]}, r"'x' must hold one for each of 3 examples; got .*\(2,\)"),
    ({**CLUSTERS, "x": ["a", "", "b"]}, "'x' must have a label for each .* none at index 1"),
    ({**CLUSTERS, "x": ["a", "a", None]}, "none at index 2"),
    ({**CLUSTERS, "x": [1.0, float("nan"), 1.0]}, "none at index 1"),
    ({**CLUSTERS, "x": np.ma.array([1, 2, 2], mask=[False, False, True])}, "'x' must hold one label"),
    ({**CLUSTERS, "x": [["a"], ["b"], ["c"]]}, "'x' must hold one label an example"),
    # Numbers of clusters in place of labels.
    (([0, 0, 1],), "`clusters` must hold one entry for each of 2 datasets; got 1"),
    (([0, 0], [0]), "'x' must hold one for each of 3 examples"),
    (([[0, 0, 1]], [0]), "'x' must hold one for each of 3 examples"),
]  # fmt: skip


@pytest.mark.parametrize(("clusters", "message"), CLUSTERS_REFUSED)
def test_clusters_that_do_not_fit_are_refused(clusters, message):
    with pytest.raises(ValueError, match=message):
        with_codes(*clusters) if isinstance(clusters, tuple) else made(clusters=clusters)
