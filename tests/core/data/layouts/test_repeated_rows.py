"""Rows that stand again are told together where they are copies, and one by one where they differ."""

import pytest

from tests.core.data.layouts.texts import problems_of, read

START = "dataset,id,A,B\n"
ROWS = [f"{dataset},{i},{i % 3 % 2},{i % 2}" for dataset in ("de", "fr") for i in range(30)]


def file_of(rows):
    return START + "\n".join(rows) + "\n"


def test_a_dataset_that_stands_twice_is_one_problem():
    assert problems_of(file_of([*ROWS, *ROWS[:30]])) == [
        "Dataset 'de', column 'id': All 30 rows stand twice, the same in every column: line 62 "
        "holds the same as line 2, and so on. Remove the copies."
    ]


def test_copies_of_some_rows_are_counted_apart_from_rows_that_differ():
    problems = problems_of(file_of([*ROWS, *ROWS[3:9], "de,3,0,0", "fr,29,1,1"]))
    assert problems[0] == (
        "Dataset 'de', column 'id': 6 of 37 rows repeat an earlier one, the same in every column: "
        "line 62 holds the same as line 5, and so on. Remove the copies."
    )
    assert [problem[:40] for problem in problems[1:]] == [
        "Dataset 'de', column 'id', line 68: The ",
        "Dataset 'fr', column 'id', line 69: The ",
    ]


def test_rows_that_stand_more_than_twice_do_not_stand_twice():
    (problem,) = problems_of(file_of([*ROWS[:10], *ROWS[:5], *ROWS[:5]]))
    assert "10 of 20 rows repeat an earlier one" in problem


def test_a_few_copies_are_told_line_by_line():
    assert len(problems_of(file_of([*ROWS, *ROWS[:4]]))) == 4


def test_copies_of_scores_in_rows_are_told_together():
    rows = [f"de,{i},{system},{i % 2}" for system in "AB" for i in range(20)]
    text = "dataset,id,system,score\n" + "\n".join([*rows, *rows]) + "\n"
    (problem,) = problems_of(text)
    assert "All 40 rows stand twice" in problem


@pytest.mark.parametrize(
    "text",
    [
        "dataset,metric,id,A,B\n" + "".join(f"x,perplexity,{i},{i}.5,{i}.7\n" for i in range(9)),
        "dataset,metric,id,system,score\n"
        + "".join(f"x,perplexity,{i},{s},{i}.5\n" for i in range(9) for s in "AB"),
    ],
)
def test_a_column_that_gave_the_metric_its_name_is_not_called_unread(text):
    results = read(text)
    assert results.metrics == ("perplexity",)
    assert not any("Not read" in remark for remark in results.reading.remarks)
    other = read(text, metric="loss")
    assert "Not read: 'metric'." in other.reading.remarks
