"""Counts are found by their headings, wide and long, and read whole or refused with every reason."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.data.layouts.registry import COUNTS
from tests.core.data.layouts.texts import problems_of, read

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


def test_true_and_false_positives_give_three_metrics_of_the_same_counts():
    text = "dataset,example,tp_A,fp_A,fn_A,tp_B,fp_B,fn_B\nx,1,2,1,0,1,1,1\nx,2,1,0,3,2,2,2\n"
    results = read(text)
    assert results.metrics == ("F1", "precision", "recall")
    assert dict(results.kinds) == {"F1": "f1", "precision": "precision", "recall": "recall"}
    assert results.score("x", "A") == pytest.approx(2 * 3 / (2 * 3 + 1 + 3))
    assert results.score("x", "A", "precision") == 0.75
    assert results.score("x", "B", "recall") == 0.5
    assert read(text, metric="recall").metrics == ("recall", "F1", "precision")
    (problem,) = problems_of(text, metric="WER")
    assert "'F1', 'precision', 'recall'" in problem


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


@settings(max_examples=20, deadline=None)
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
