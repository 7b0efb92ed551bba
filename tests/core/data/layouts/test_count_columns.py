"""Counts are found by their headings, wide and long, and read whole or refused with every reason."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.data.layouts.registry import COUNTS, SCORES
from tests.core.data.layouts.texts import problems_of, read, refused

LONG = "dataset,example,system,correct,total\n"
WIDE = "dataset,example,correct_a,correct_b,total\n"
BLEU = ["sys_len", "ref_len", *(f"{kind}{n}" for kind in ("match", "total") for n in range(1, 5))]
AER = ["in_sure", "in_possible", "proposed", "sure"]


def counts(results, dataset, system, metric=None):
    return results.scores(dataset, system, metric).tolist()


def test_a_shared_total_stands_beside_each_systems_correct():
    results = read(WIDE + "x,1,3,2,5\nx,2,0,1,1\ny,1,4,4,4\n")
    assert results.reading.layout == COUNTS
    assert (results.systems, results.metrics) == (("a", "b"), ("accuracy",))
    assert results.kinds == {"accuracy": "ratio"}
    assert counts(results, "x", "a") == [[3, 5], [0, 1]]
    assert counts(results, "x", "b") == [[2, 5], [1, 1]]
    assert results.score("x", "a") == 0.5
    assert results.examples("x") == ("1", "2")
    assert results.reading.remarks == ()


@pytest.mark.parametrize(
    ("header", "systems"),
    [
        ("correct_a,total_a,correct_b,total_b", ("a", "b")),
        ("a_correct,a_total,b_correct,b_total", ("a", "b")),
        ("correctA,totalA,correctB,totalB", ("A", "B")),
        ("correct (Mate),total (Mate),correct (SpaCy),total (SpaCy)", ("Mate", "SpaCy")),
        ("bert-base n_correct,bert-base total,bert-large n_correct,bert-large total",
         ("bert-base", "bert-large")),
        ("correct_1,total_1,correct_2,total_2", ("1", "2")),
        ("correct.Bert,total.bert,correct.RoBERTa,total.RoBERTa", ("Bert", "RoBERTa")),
    ],
)  # fmt: skip
def test_systems_are_named_before_or_after_their_counts(header, systems):
    results = read(f"dataset,example,{header}\nx,1,1,2,2,3\nx,2,0,4,1,5\n")
    assert results.systems == systems
    assert counts(results, "x", systems[0]) == [[1, 2], [0, 4]]
    assert counts(results, "x", systems[1]) == [[2, 3], [1, 5]]


def test_rows_are_paired_by_example_in_whatever_order_they_stand():
    results = read(LONG + "y,1,A,1,1\nx,2,B,0,4\nx,1,A,3,5\nx,1,B,2,5\nx,2,A,1,4\ny,1,B,0,1\n")
    assert results.datasets == ("y", "x")
    assert results.examples("x") == ("2", "1")
    assert counts(results, "x", "A") == [[1, 4], [3, 5]]
    assert counts(results, "x", "B") == [[0, 4], [2, 5]]
    assert results.reading.roles["system"] == "system"


def test_without_ids_rows_are_paired_in_their_order():
    results = read("dataset,system,correct,total\nx,A,1,2\nx,A,2,3\nx,B,0,2\nx,B,3,3\n")
    assert results.examples("x") is None
    assert counts(results, "x", "B") == [[0, 2], [3, 3]]
    (problem,) = problems_of("dataset,system,correct,total\nx,A,1,2\nx,A,2,3\nx,B,0,2\n")
    assert "there must be equally many" in problem


def test_true_and_false_positives_give_three_metrics_of_the_same_counts():
    text = "dataset,example,tp_A,fp_A,fn_A,tp_B,fp_B,fn_B\nx,1,2,1,0,1,1,1\nx,2,1,0,3,2,2,2\n"
    results = read(text)
    assert results.metrics == ("F1", "precision", "recall")
    assert dict(results.kinds) == {"F1": "f1", "precision": "precision", "recall": "recall"}
    assert results.score("x", "A") == pytest.approx(2 * 3 / (2 * 3 + 1 + 3))
    assert results.score("x", "A", "precision") == 0.75
    assert results.score("x", "B", "recall") == 0.5
    assert read(text, metric="recall").metrics == ("recall", "F1", "precision")
    assert problems_of(text, metric="WER") == [
        "The counts give the metrics 'F1', 'precision', 'recall'; there is no 'WER'. Choose one of "
        "them, or declare none."
    ]


def test_alignment_error_rate_is_lower_is_better():
    header = ",".join(f"{name}_{s}" for s in "ab" for name in AER[:3])
    results = read(f"dataset,example,{header},sure\nx,1,2,3,4,1,2,4,5\nx,2,1,1,1,0,1,2,1\n")
    assert results.higher_is_better == {"AER": False}
    assert counts(results, "x", "a") == [[2, 3, 4, 5], [1, 1, 1, 1]]
    assert results.score("x", "a") == pytest.approx(1 - (3 + 4) / (5 + 6))
    assert results.reading.remarks == ()
    in_rows = read(
        f"dataset,example,system,{','.join(AER)}\n"
        "x,1,a,2,3,4,5\nx,1,b,1,2,4,5\nx,2,a,1,1,1,1\nx,2,b,0,1,2,1\n"
    )
    assert in_rows.fingerprint == results.fingerprint


def test_bleu_is_read_from_lengths_matches_and_totals():
    row_a, row_b = "9,10,7,5,3,1,9,8,7,6", "10,10,8,6,4,2,10,9,8,7"
    wide = ",".join(f"{s}_{name}" for s in "ab" for name in BLEU)
    results = read(f"dataset,example,{wide}\nx,1,{row_a},{row_b}\n")
    assert (results.metrics, results.kinds["BLEU"]) == (("BLEU",), "bleu")
    assert counts(results, "x", "a") == [[9, 10, 7, 5, 3, 1, 9, 8, 7, 6]]
    precisions = np.prod([7 / 9, 5 / 8, 3 / 7, 1 / 6]) ** 0.25
    assert results.score("x", "a") == pytest.approx(100 * np.exp(1 - 10 / 9) * precisions)
    in_rows = read(f"dataset,example,system,{','.join(BLEU)}\nx,1,a,{row_a}\nx,1,b,{row_b}\n")
    assert in_rows.fingerprint == results.fingerprint


def test_several_columns_of_correct_are_several_metrics():
    text = (
        "dataset,example,system,uas_correct,las_correct,total\n"
        "x,1,A,5,4,6\nx,1,B,4,4,6\nx,2,A,1,1,2\nx,2,B,2,1,2\n"
    )
    results = read(text)
    assert results.metrics == ("UAS", "LAS")
    assert counts(results, "x", "A", "LAS") == [[4, 6], [1, 2]]
    assert counts(results, "x", "B", "UAS") == [[4, 6], [2, 2]]
    assert read(text, metric="LAS").metrics == ("LAS", "UAS")
    wide = "dataset,example,uas_correct_A,las_correct_A,uas_correct_B,las_correct_B,total\n"
    results = read(wide + "x,1,5,4,4,4,6\nx,2,1,1,2,1,2\n")
    assert (results.systems, results.metrics) == (("A", "B"), ("UAS", "LAS"))
    assert counts(results, "x", "B", "UAS") == [[4, 6], [2, 2]]


def test_the_metric_may_be_named():
    assert read(WIDE + "x,1,3,2,5\nx,2,1,1,2\n", metric="UAS").metrics == ("UAS",)
    stated = "dataset,example,metric,correct_a,correct_b,total\nx,1,LAS,1,2,2\nx,2,LAS,1,1,2\n"
    assert read(stated).metrics == ("LAS",)
    mixed = stated.replace("x,2,LAS", "x,2,UAS")
    assert "The rows are of 2 metrics, 'LAS', 'UAS' among them" in problems_of(mixed)[0]


@pytest.mark.parametrize(
    "text",
    [
        WIDE + "x,1,3,2,5\nx,2,0,1,1\n",
        LONG + "x,1,A,3,5\nx,1,B,2,5\nx,2,A,1,1\nx,2,B,1,1\n",
        "dataset,example,tp_A,fp_A,fn_A,tp_B,fp_B,fn_B\nx,1,2,1,0,1,1,1\nx,2,1,0,3,2,2,2\n",
    ],
)
def test_the_roles_of_a_reading_give_the_same_set_again(text):
    first = read(text)
    second = read(text, **first.reading.roles)
    assert second.reading == first.reading
    assert second.fingerprint == first.fingerprint


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("x,3,6,2,5", "Dataset 'x', column 'correct_a', line 4: The count is 6, more than the 5 of "
         "'total'. Correct one of them"),
        ("x,3,-1,2,5", "Dataset 'x', column 'correct_a', line 4: '-1' is below 0."),
        ("x,3,2.5,2,5", "Dataset 'x', column 'correct_a', line 4: '2.5' is not a whole number. Give "
         "counts of whole things; weighted counts and averages are none."),
        ("x,3,2,2,many", "Dataset 'x', column 'total', line 4: 'many' is not a count."),
        ("x,3,2,inf,5", "Dataset 'x', column 'correct_b', line 4: 'inf' is not a count."),
        ("x,3,2,,5", "Dataset 'x', column 'correct_b', line 4: There is no count. Give the count, "
         "or leave this example out for every system."),
        ("x,3,NA,2,5", "Dataset 'x', column 'correct_a', line 4: 'NA' stands where a count should."),
        ("x,2,2,2,5", "Dataset 'x', column 'example', line 4: The example '2' is already on line 3."),
        (",3,2,2,5", "Column 'dataset', line 4: The dataset has no name."),
        ("z,1,0,0,0", "Dataset 'z': 'accuracy' of 'a' is not defined: sum of correct / sum of total "
         "would divide by 0. Leave this dataset out, or correct its counts."),
    ],
)  # fmt: skip
def test_each_wrong_count_is_named_with_its_place(row, expected):
    problems = problems_of(f"{WIDE}x,1,3,2,5\nx,2,1,1,2\n{row}\n")
    assert problems[0].startswith(expected)


def test_parts_of_matches_and_alignments_are_no_larger_than_their_wholes():
    rows = "x,1,a,9,10,7,5,3,1,9,4,7,6\nx,1,b,9,10,7,5,3,1,9,8,7,6\n"
    (problem,) = problems_of(f"dataset,example,system,{','.join(BLEU)}\n{rows}")
    assert "column 'match2', line 2: The count is 5, more than the 4 of 'total2'" in problem
    rows = "x,1,a,3,2,4,5\nx,1,b,1,5,4,5\n"
    problems = problems_of(f"dataset,example,system,{','.join(AER)}\n{rows}")
    assert "The count is 3, more than the 2 of 'in_possible'" in problems[0]
    assert "The count is 5, more than the 4 of 'proposed'" in problems[1]


def test_all_problems_come_at_once():
    problems = problems_of(WIDE + "x,1,6,a,5\nx,2,1,-1,2\n")
    assert len(problems) == 3


def test_empty_sentences_are_remarked_on():
    (remark,) = read(WIDE + "x,1,3,2,5\nx,2,0,0,0\n").reading.remarks
    assert remark == "The total is 0 on 1 example, which counts for nothing in 'accuracy'."


def test_gold_counts_that_differ_between_systems_are_remarked_on():
    text = "dataset,example,tp_A,fp_A,fn_A,tp_B,fp_B,fn_B\nx,1,2,1,0,1,1,5\nx,2,1,0,3,2,2,2\n"
    (remark,) = read(text).reading.remarks
    assert remark.startswith("'tp + fn' differs between the systems on 1 examples, of 'x'")


def test_precision_without_any_positive_is_left_out_with_a_remark():
    text = "dataset,example,tp_A,fp_A,fn_A,tp_B,fp_B,fn_B\nx,1,2,1,0,0,0,2\nx,2,1,0,3,0,0,4\n"
    results = read(text)
    assert results.metrics == ("F1", "recall")
    assert (
        "'precision' is left out: that of 'B' on 'x' is not defined" in results.reading.remarks[0]
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("dataset,example,correct,total\nx,1,1,2\nx,2,1,2\n",
         "No system is named; a comparison needs two systems."),
        ("dataset,example,correct_a,total\nx,1,1,2\nx,2,1,2\n", "Only 'a' has counts"),
        ("dataset,example,tp_a,fp_a,fn_a,tp_b,fp_b\nx,1,1,1,1,1,1\nx,2,1,1,1,1,1\n",
         "There is no column of 'fn' of 'b': the metric is computed from 'tp', 'fp', 'fn'. Name the "
         "column 'fn_b'."),
        ("dataset,example,a_sys_len,a_ref_len,a_match1,a_total1,b_sys_len,b_ref_len,b_match1,"
         "b_total1\nx,1,1,1,1,1,1,1,1,1\n", "There is no column of 'match2', 'match3', 'match4', "
         "'total2', 'total3', 'total4' of 'a'"),
        ("dataset,correct_a,correct_b,total\nx,1,2,3\ny,1,2,3\n",
         "Each dataset of 'dataset' has one row of counts: without the examples nothing can be "
         "tested within a dataset."),
        ("dataset,system,correct,total\nx,A,1,2\nx,B,1,2\ny,A,1,2\ny,B,1,2\n",
         "Each dataset of 'dataset' has one row of counts"),
    ],
)  # fmt: skip
def test_what_cannot_be_found_is_said(text, expected):
    assert expected in problems_of(text)[0]


def test_a_file_without_counts_is_told_which_headings_are_expected():
    (problem,) = problems_of("dataset,example,a,b\nx,1,1,0\nx,2,1,1\n", layout=COUNTS)
    for heading in ("'correct', 'total'", "'tp', 'fp', 'fn'", "'n_sure'", "'match1'"):
        assert heading in problem


def test_systems_without_the_same_examples_are_a_question():
    text = LONG + "x,1,A,3,5\nx,1,B,2,5\nx,2,A,1,2\ny,1,A,1,1\ny,1,B,1,1\n"
    error = refused(text)
    assert "The system 'B' lacks 1 of 2 examples" in str(error.problems[0])
    assert [choice.role for choice in error.choices] == ["incomplete"]
    results = read(text, incomplete="leave-out")
    assert results.examples("x") == ("1",)
    assert counts(results, "x", "B") == [[2, 5]]
    assert "Left out, as chosen: 1 example" in results.reading.remarks[0]


def test_missing_counts_can_be_left_out():
    text = WIDE + "x,1,3,2,5\nx,2,,1,2\nx,3,1,1,1\n"
    assert [choice.role for choice in refused(text).choices] == ["incomplete"]
    assert read(text, incomplete="leave-out").examples("x") == ("1", "3")


def test_right_and_wrong_beside_a_sentences_length_are_scores():
    text = "dataset,example,correct_a,correct_b,tokens\nx,1,1,0,3\nx,2,1,1,7\n"
    assert read(text).reading.layout == SCORES
    assert read(text, layout=COUNTS).score("x", "a") == 0.2
    assert read(text.replace("x,2,1", "x,2,5")).reading.layout == COUNTS


def test_systems_chosen_by_hand_hold_scores():
    text = "dataset,example,correct_a,correct_b,total\nx,1,3,2,5\nx,2,1,1,2\n"
    results = read(text, systems=["correct_a", "correct_b"])
    assert (results.reading.layout, results.systems) == (SCORES, ("correct_a", "correct_b"))


def test_systems_in_rows_may_be_called_by_numbers():
    results = read(LONG + "x,1,1,3,5\nx,1,2,2,5\nx,2,1,1,1\nx,2,2,1,1\n")
    assert results.systems == ("1", "2")


def test_a_direction_against_the_counts_is_not_followed_and_remarked_on():
    results = read(WIDE + "x,1,3,2,5\nx,2,1,1,2\n", higher_is_better=False)
    assert results.higher_is_better == {"accuracy": True}
    assert "A higher accuracy is better, whatever is declared" in results.reading.remarks[0]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.lists(st.tuples(st.integers(1, 50), st.integers(0, 50), st.integers(0, 50)), min_size=2),
        min_size=1,
        max_size=4,
    ),
    st.randoms(use_true_random=False),
)
def test_counts_written_wide_or_long_in_any_order_read_back_equal(data, random):
    truth = {
        f"d{i}": [(total, min(a, total), min(b, total)) for total, a, b in rows]
        for i, rows in enumerate(data)
    }
    wide = [
        f"{name},e{j},{a},{b},{total}\n"
        for name, rows in truth.items()
        for j, (total, a, b) in enumerate(rows)
    ]
    long = [
        f"{name},e{j},{system},{count},{total}\n"
        for name, rows in truth.items()
        for j, (total, *both) in enumerate(rows)
        for system, count in zip("ab", both, strict=True)
    ]
    random.shuffle(long)
    for text in (WIDE + "".join(wide), LONG + "".join(long)):
        results = read(text)
        for name, rows in truth.items():
            order = [int(e[1:]) for e in results.examples(name)]
            for system, column in (("a", 1), ("b", 2)):
                expected = [[rows[j][column], rows[j][0]] for j in order]
                assert counts(results, name, system) == expected
