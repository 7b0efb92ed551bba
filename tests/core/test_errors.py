"""A file's problems: all of them, each with its place and its remedy."""

import dataclasses

import pytest

from core.errors import DataError, Problem, told

WHAT = "The p-value is 1.7."
REMEDY = "Write a number between 0 and 1."


def test_the_place_names_what_is_known_and_nothing_else() -> None:
    for dataset, column, line, expected in [
        ("SST-2", "p_value", 7, "Dataset 'SST-2', column 'p_value', line 7"),
        ("SST-2", None, None, "Dataset 'SST-2'"),
        (None, "p_value", None, "Column 'p_value'"),
        (None, None, 7, "Line 7"),
        (None, "p_value", 7, "Column 'p_value', line 7"),
        ("SST-2", None, 7, "Dataset 'SST-2', line 7"),
        (None, None, None, ""),
    ]:
        problem = Problem(what=WHAT, remedy=REMEDY, dataset=dataset, column=column, line=line)
        assert problem.place == expected
        assert str(problem) == (f"{expected}: " if expected else "") + f"{WHAT} {REMEDY}"


def test_a_problem_cannot_be_changed_and_equals_its_like() -> None:
    problem = Problem(what=WHAT, remedy=REMEDY, line=3)
    assert problem == Problem(what=WHAT, remedy=REMEDY, line=3)
    assert problem != Problem(what=WHAT, remedy=REMEDY, line=4)
    with pytest.raises(dataclasses.FrozenInstanceError):
        problem.line = 4  # type: ignore[misc]


def test_the_error_holds_every_problem_and_says_each_on_a_line_of_its_own() -> None:
    problems = [
        Problem(what=WHAT, remedy=REMEDY, dataset="A", line=2),
        Problem(what="A score is missing.", remedy="Add it.", line=5),
    ]
    error = DataError(iter(problems))
    assert error.problems == tuple(problems)
    assert str(error).splitlines() == [
        f"Dataset 'A', line 2: {WHAT} {REMEDY}",
        "Line 5: A score is missing. Add it.",
    ]


def test_one_problem_in_many_lines_or_datasets_is_told_once_with_all_of_them() -> None:
    lines = [Problem(what=WHAT, remedy=REMEDY, column="p", line=line) for line in (3, 5, 9)]
    datasets = [Problem(what="It is constant.", remedy=REMEDY, dataset=name) for name in "xyz"]
    alone = Problem(what="It is empty.", remedy=REMEDY, dataset="x", line=4)
    assert told([lines[0], datasets[0], alone, *lines[1:], *datasets[1:]]) == [
        f"Column 'p', lines 3, 5 and 9: {WHAT} {REMEDY}",
        f"Datasets 'x', 'y' and 'z': It is constant. {REMEDY}",
        f"Dataset 'x', line 4: It is empty. {REMEDY}",
    ]


def test_of_very_many_lines_the_first_are_named_and_the_others_counted() -> None:
    problems = [Problem(what=WHAT, remedy=REMEDY, line=line) for line in range(1, 61)]
    (text,) = told(problems)
    assert text.startswith("Lines 1, 2, 3")
    assert "20 and 40 more: " in text
