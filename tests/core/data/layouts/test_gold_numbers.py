"""Numbers beside gold numbers are read to be correlated, and what has no correlation is named."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.data import PREDICTIONS
from core.data.layouts.registry import GOLD_NUMBERS
from tests.core.data.layouts.texts import read, refused

START = "dataset,item,gold,A,B\n"
ROWS = "x,a,1.5,2,8\nx,b,2.5,3,6\nx,c,1,1,9\nx,d,2,2.5,7.5\n"


def test_gold_and_both_systems_are_read_for_both_correlations():
    results = read(START + ROWS)
    assert results.reading.layout == GOLD_NUMBERS
    assert results.metrics == ("spearman", "pearson")
    assert dict(results.kinds) == {"spearman": "spearman", "pearson": "pearson"}
    assert results.gold("x").tolist() == [1.5, 2.5, 1, 2]
    assert results.scores("x", "A").tolist() == [2, 3, 1, 2.5]
    assert results.examples("x") == ("a", "b", "c", "d")
    assert results.score("x", "A") == pytest.approx(1.0)
    assert results.score("x", "A", "pearson") == pytest.approx(
        np.corrcoef([1.5, 2.5, 1, 2], [2, 3, 1, 2.5])[0, 1]
    )
    assert read(START + ROWS, metric="pearson").metrics == ("pearson", "spearman")


def test_a_negative_correlation_is_legal_and_remarked_on():
    results = read(START + ROWS)
    assert results.score("x", "B") == pytest.approx(-1.0)
    assert results.reading.remarks == (
        "'B' is correlated negatively with gold on 1 of 1 datasets. If it gives distances, turn "
        "their sign.",
    )


def test_systems_in_rows_beside_gold_are_what_metrics_are_correlated_on():
    rows = "".join(
        f"{pair},{system},{i / 7},{i + len(pair)}.5,{30 - i}.25\n"
        for pair in ("de-en", "zh-ja-x")
        for i, system in enumerate(("Online-A", "Online-B", "JHU", "UEDIN"))
    )
    results = read("dataset,system,gold,BLEU,TER\n" + rows)
    assert results.reading.layout == GOLD_NUMBERS
    assert results.systems == ("BLEU", "TER")
    assert results.examples("de-en") == ("Online-A", "Online-B", "JHU", "UEDIN")
    assert "Each row is one system of 'system'" in results.reading.remarks[0]
    again = read("dataset,system,gold,BLEU,TER\n" + rows, **results.reading.roles)
    assert (again.reading, again.fingerprint) == (results.reading, results.fingerprint)
    # Under a heading that is not known, what names the datasets is asked.
    unknown = str(refused("lp,system,gold,BLEU,TER\n" + rows))
    assert "'lp' holds text that repeats and may name the datasets" in unknown
    assert read("lp,system,gold,BLEU,TER\n" + rows, dataset="lp").datasets == results.datasets
    # Each system's scores on several examples stay what they are.
    text = "dataset,system,gold,score\n" + "".join(
        f"x,{s},{i / 3},{i % 2}\n" for s in ("A", "B") for i in range(6)
    )
    assert read(text).systems == ("A", "B")


def test_the_roles_of_a_reading_give_the_same_set_again():
    first = read(START + ROWS)
    second = read(START + ROWS, **first.reading.roles)
    assert (second.reading, second.fingerprint) == (first.reading, first.fingerprint)


def test_classes_in_digits_are_predictions_unless_chosen_otherwise():
    text = "dataset,example,gold,A,B\n" + "".join(
        f"x,{i},{i % 3},{(i + i // 3) % 3},{(i + i // 4) % 3}\n" for i in range(12)
    )
    assert read(text).reading.layout == PREDICTIONS
    assert read(text, layout=GOLD_NUMBERS).gold("x").tolist()[:4] == [0, 1, 2, 0]
    assert read(START + ROWS + "x,e,1.5,2,8\n", layout=PREDICTIONS, systems=["A", "B"]).labels


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ("y,a,3,1,2\ny,b,3,2,1\ny,c,3,1.5,4\ny,d,3,2.5,3\n", "Dataset 'y', column 'gold': Every "
         "number is 3: a correlation with it is not defined. Leave the dataset out, or the system."),
        ("y,a,3,1,2\ny,b,2,1,1\ny,c,4,1,4\ny,d,1,1,3\n", "Dataset 'y', column 'A': Every number is 1"),
        ("y,a,3,1,2\ny,b,2,2,1\ny,c,4,1,4\n", "Dataset 'y': The dataset has 3 examples; two "
         "correlations are compared on 4 or more."),
        ("x,e,1,nought,2\n", "Dataset 'x', column 'A', line 6: 'nought' is not a number."),
        ("x,a,1.5,2,8\n", "The example 'a' is already on line 2."),
        (",e,1,1,2\n", "Column 'dataset', line 6: The dataset has no name."),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_its_place(rows, expected):
    assert expected in str(refused(START + ROWS + rows).problems[0])


@pytest.mark.parametrize(
    ("roles", "expected"),
    [
        ({"metric": "kendall"}, "Correlations with gold are 'spearman', 'pearson'."),
        ({"higher_is_better": False}, "A higher correlation with gold is better."),
        ({"systems": ["A"]}, "a comparison needs two systems"),
        ({"gold": None}, "No column is recognised for the role 'gold'."),
    ],
)
def test_wrong_roles_are_problems(roles, expected):
    error = refused(START + ROWS, **{"layout": GOLD_NUMBERS, **roles})
    assert expected in str(error.problems[0])


@pytest.mark.parametrize("cell", ["", "NA"])
@pytest.mark.parametrize("column", [0, 1, 2])
def test_a_missing_number_is_a_question(cell, column):
    held = ["1", "2", "3"]
    held[column] = cell
    text = START + ROWS + f"x,e,{','.join(held)}\n"
    error = refused(text)
    assert f"Dataset 'x', column '{['gold', 'A', 'B'][column]}', line 6" in str(error.problems[0])
    assert [choice.role for choice in error.choices] == ["incomplete"]
    left = read(text, incomplete="leave-out")
    assert left.fingerprint == read(START + ROWS).fingerprint
    assert "Left out, as chosen: 1 example" in left.reading.remarks[0]


def test_a_pair_judged_twice_counts_twice_and_ids_are_given_up_with_a_remark():
    rows = "".join(f"x,w{i},{i}.5,{i % 7},{i % 5}\n" for i in range(40))
    results = read(START + rows + "x,w3,9.25,3,3\n")
    assert results.n_examples("x") == 41
    assert results.examples("x") is None
    assert results.reading.remarks[1].startswith(
        "'item' is not taken for ids, as 'w3' stands again with another gold number on line 42"
    )
    again = read(START + rows + "x,w3,9.25,3,3\n", **results.reading.roles)
    assert again.reading == results.reading
    (problem,) = refused(START + rows + "x,w3,3.5,3,3\n").problems
    assert "The example 'w3' is already on line 5." in str(problem)


NUMBERS = st.integers(-9999, 9999).map(lambda n: n / 100)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.lists(st.tuples(NUMBERS, NUMBERS, NUMBERS), min_size=4, max_size=12).filter(
            lambda rows: all(len(set(column)) > 1 for column in zip(*rows, strict=True))
        ),
        min_size=1,
        max_size=4,
    )
)
def test_numbers_read_back_equal(data):
    text = START + "".join(
        f"d{i},e{j},{gold!r},{a!r},{b!r}\n"
        for i, rows in enumerate(data)
        for j, (gold, a, b) in enumerate(rows)
    )
    results = read(text, layout=GOLD_NUMBERS)
    for i, rows in enumerate(data):
        gold, a, b = (list(column) for column in zip(*rows, strict=True))
        assert results.gold(f"d{i}").tolist() == gold
        assert results.scores(f"d{i}", "A").tolist() == a
        assert results.scores(f"d{i}", "B", "pearson").tolist() == b


BESIDE_CLASSES = "dataset,example,label,ours,base\n" + "".join(
    f"x,e{i},{i % 2},0.{i * 7 % 10}{i},0.{i * 3 % 10}{i}\n" for i in range(30)
)


@pytest.mark.parametrize("n_classes", [2, 5, 20])
def test_numbers_beside_few_whole_classes_are_asked_about(n_classes):
    text = "dataset,example,label,ours,base\n" + "".join(
        f"x,e{i},{i % n_classes},0.{i * 7 % 10}{i},0.{i * 3 % 10}{i}\n" for i in range(60)
    )
    error = refused(text)
    assert [problem.column for problem in error.problems] == ["label"]
    (choice,) = error.choices
    assert choice.role == "layout"
    assert choice.options == (
        ("per-example scores", "They are scores; 'label' is not needed"),
        (GOLD_NUMBERS, "Correlate them with 'label'"),
    )
    for value, _ in choice.options:
        results = read(text, layout=value)
        assert results.reading.layout == value
        assert results.reading.choices == (choice,)
        assert results.systems == ("ours", "base")


def test_scores_beside_classes_are_read_as_scores_where_that_is_chosen():
    results = read(BESIDE_CLASSES, layout="per-example scores")
    assert results.scores("x", "ours")[:3].tolist() == [0.0, 0.71, 0.42]
    assert results.metrics == ("score",)


def test_gold_that_is_given_is_to_be_correlated_with():
    assert read(BESIDE_CLASSES, gold="label").reading.layout == GOLD_NUMBERS
    assert read(BESIDE_CLASSES, gold=None).reading.layout == "per-example scores"


def test_gold_that_is_not_whole_or_has_many_values_is_no_question():
    assert read(BESIDE_CLASSES.replace("e3,1,", "e3,1.5,")).reading.layout == GOLD_NUMBERS
    many = "dataset,example,label,ours,base\n" + "".join(
        f"x,e{i},{i * 5 % 21},0.{i * 7 % 10}{i},0.{i * 3 % 10}{i}\n" for i in range(60)
    )
    assert read(many).reading.layout == GOLD_NUMBERS


def test_scores_in_rows_beside_a_label_are_no_numbers_to_correlate():
    text = "dataset,example,label,system,f1,loss\n" + "".join(
        f"x,e{i},{i % 2},{s},0.{i * k % 10}{i},0.{i * 3 % 10}{i}\n"
        for i in range(12)
        for k, s in ((7, "A"), (3, "B"))
    )
    results = read(text)
    assert results.reading.layout == "scores in rows"
    assert (results.systems, results.metrics) == (("A", "B"), ("f1", "loss"))
