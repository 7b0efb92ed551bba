"""McNemar's counts become examples of right and wrong, whatever their headings."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.data import read_results
from core.data.layouts.registry import MCNEMAR_COUNTS, SCORE_GRID
from tests.core.data.layouts.texts import problems_of, read

START = "dataset,both_right,a_right_b_wrong,a_wrong_b_right,both_wrong\n"


def outcomes(results, dataset):
    a, b = (results.scores(dataset, system).tolist() for system in results.systems)
    pairs = list(zip(a, b, strict=True))
    return [pairs.count(pair) for pair in ((1, 1), (1, 0), (0, 1), (0, 0))]


def test_each_count_becomes_so_many_examples():
    results = read(START + "x,3,2,1,4\ny,0,1,0,0\n")
    assert results.reading.layout == MCNEMAR_COUNTS
    assert results.systems == ("A", "B")
    assert outcomes(results, "x") == [3, 2, 1, 4]
    assert outcomes(results, "y") == [0, 1, 0, 0]
    assert results.is_binary("x")
    assert results.example_ids is None
    assert results.reading.remarks == (
        "The examples are rebuilt from the counts and have no ids: which example is which is not "
        "known.",
    )


@pytest.mark.parametrize(
    ("header", "systems"),
    [
        ("n11,n10,n01,n00", ("A", "B")),
        ("both_correct,only_a,only_b,neither", ("A", "B")),
        ("both right,b,c,both wrong", ("A", "B")),
        ("both_right,bert_right_roberta_wrong,bert_wrong_roberta_right,both_wrong",
         ("bert", "roberta")),
        ("both_right,Bert correct RoBERTa wrong,RoBERTa correct Bert wrong,both_wrong",
         ("Bert", "RoBERTa")),
    ],
)  # fmt: skip
def test_columns_and_systems_are_known_by_their_headings(header, systems):
    results = read(f"dataset,{header}\nx,3,2,1,4\ny,1,1,1,1\n")
    assert results.systems == systems
    assert outcomes(results, "x") == [3, 2, 1, 4]


def test_the_order_of_columns_does_not_matter():
    results = read("both_wrong,a_wrong_b_right,dataset,a_right_b_wrong,both_right\n4,1,x,2,3\n")
    assert outcomes(results, "x") == [3, 2, 1, 4]


@pytest.mark.parametrize("header", ["n11,n10,n01,n00", "both_right,b,c,both_wrong"])
def test_what_only_custom_says_is_remarked_on(header):
    remarks = " ".join(read(f"dataset,{header}\nx,3,2,1,4\n").reading.remarks)
    one, other = header.split(",")[1:3]
    assert f"'{one}' is read as the number of examples that only A got right, '{other}'" in remarks


def test_the_roles_of_a_reading_give_the_same_set_again():
    first = read(START + "x,3,2,1,4\n")
    second = read(START + "x,3,2,1,4\n", **first.reading.roles)
    assert (second.reading, second.fingerprint) == (first.reading, first.fingerprint)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (START + "x,3,2,1,\n", "Dataset 'x', column 'both_wrong', line 2: There is no count. Give "
         "the count, or leave the dataset out."),
        (START + "x,3,2,-1,4\n", "column 'a_wrong_b_right', line 2: '-1' is below 0."),
        (START + "x,3,2.5,1,4\n", "column 'a_right_b_wrong', line 2: '2.5' is not a whole number."),
        (START + "x,3,2,1,4\nx,1,1,1,1\n", "column 'dataset', line 3: The dataset is already on "
         "line 2. Keep one row for each dataset"),
        (START + "x,0,0,0,0\n", "Dataset 'x', column 'dataset', line 2: All four counts are 0."),
        (START + ",3,2,1,4\n", "Column 'dataset', line 2: The dataset has no name."),
        (START + "x,1999999,2,1,4\n", "The counts add up to 2,000,006 examples; at most 2,000,000"),
        (START.strip() + ",n\nx,3,2,1,4,11\n", "Dataset 'x', column 'n', line 2: The four counts "
         "add up to 10, not to 11."),
        ("dataset,both_right,b,c\nx,3,2,1\n", "There is no column of 'both_wrong'."),
        ("both_right,b,c,both_wrong\n3,2,1,4\n3,2,1,4\n", "No column names the datasets."),
        ("dataset,b,c,n\nx,2,1,10\ny,3,4,20\n", "The file does not say on how many examples both "
         "systems were right, so their scores are not known. Add the columns 'both_right' and "
         "'both_wrong'"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_its_place(text, expected):
    assert expected in problems_of(text)[0]


def test_systems_called_b_and_c_are_no_counts():
    text = "dataset,b,c,n\nx,.8,.9,100\ny,.7,.6,200\n"
    reading = read_results(text.encode()).reading
    assert reading is not None
    assert reading.layout == SCORE_GRID


def test_a_lower_accuracy_is_not_better():
    (problem,) = problems_of(START + "x,3,2,1,4\n", higher_is_better=False)
    assert problem.startswith("Correctness is better where it is higher.")


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(*[st.integers(0, 30)] * 4).filter(any), min_size=1, max_size=6))
def test_counts_read_back_from_the_examples(rows):
    text = START + "".join(f"d{i},{','.join(map(str, row))}\n" for i, row in enumerate(rows))
    results = read(text)
    assert [tuple(outcomes(results, name)) for name in results.datasets] == rows


def test_b_and_c_beside_a_are_systems_unless_the_letters_add_up():
    text = "dataset,a,b,c,n\nx,81,85,12,100\ny,70,20,71,100\n"
    reading = read_results(text.encode()).reading
    assert reading is not None
    assert reading.layout == SCORE_GRID
    assert reading.roles["systems"] == ("a", "b", "c")
    reading = read_results(b"dataset,a,b,c,n\nx,3,5,12,100\ny,7,20,1,100\n").reading
    assert reading is not None
    assert reading.layout == SCORE_GRID
    four = problems_of("dataset,a,b,c,d,n\nx,60,5,12,23,100\ny,70,20,1,9,100\n")
    assert four[0].startswith("The file does not say on how many examples both systems were right")
    assert "If 'b' and 'c' are systems, choose the layout 'one score for each dataset" in four[0]
