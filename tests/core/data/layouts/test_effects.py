"""Effects with standard errors or variances are read as they are; several analyses are a question."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.data import EffectTable, read_results
from core.data.layouts.registry import EFFECTS
from tests.core.data.layouts.texts import refused

START = "dataset,effect,se,n\n"


def read(text, **roles):
    table = read_results(text.encode(), roles=roles)
    assert isinstance(table, EffectTable)
    return table


def test_effects_standard_errors_and_sizes_are_read():
    table = read(START + "x,.1,.02,100\ny,-.3,1e-2,50\n")
    assert table.reading.layout == EFFECTS
    assert table.datasets == ("x", "y")
    assert table.effects.tolist() == [0.1, -0.3]
    assert table.standard_errors.tolist() == [0.02, 0.01]
    assert table.n_examples.tolist() == [100, 50]
    assert table.reading.remarks == ()


@pytest.mark.parametrize("heading", ["variance", "vi", "Var"])
def test_variances_become_standard_errors_with_a_remark(heading):
    table = read(f"study,yi,{heading}\nx,.1,.04\ny,.2,.25\n")
    assert table.standard_errors.tolist() == [0.2, 0.5]
    assert table.n_examples is None
    assert f"'{heading}' is read as variances" in table.reading.remarks[0]


@pytest.mark.parametrize(
    "header", ["Dataset,Effect size,Standard error", "study,yi,sei", "task,mean difference,SE"]
)
def test_columns_are_recognised_by_their_headings(header):
    assert read(header + "\nx,.1,.2\ny,.2,.25\n").standard_errors.tolist() == [0.2, 0.25]


def test_columns_under_other_names_can_be_chosen():
    text = "place,gain,spread\nx,.1,.2\ny,.2,.25\n"
    roles = {"dataset": "place", "effect": "gain", "standard_error": "spread"}
    assert read(text, **roles).effects.tolist() == [0.1, 0.2]


def test_where_lower_is_declared_to_be_better_signs_are_turned_with_a_remark():
    table = read(START + "x,.1,.02,100\ny,-.3,.01,50\n", higher_is_better=False)
    assert table.effects.tolist() == [-0.1, 0.3]
    assert "the signs of the effects are turned" in table.reading.remarks[0]


@pytest.mark.parametrize(
    ("text", "roles"),
    [
        (START + "x,.1,.02,100\ny,-.3,.01,50\n", {"metric": "WER"}),
        ("dataset,metric,effect,se\nx,WER,.1,.02\ny,WER,-.3,.01\n", {}),
        ("dataset,metric,effect,se\nx,WER,.1,.02\ny,WER,-.3,.01\nz,F1,.2,.1\n", {"metric": "WER"}),
    ],
)
def test_effects_are_taken_as_given_whatever_the_metrics_name_says(text, roles):
    table = read(text, **roles)
    assert table.effects.tolist() == [0.1, -0.3]
    assert (
        "'WER' usually means that lower is better. Effects are taken as given: positive where A "
        "is better." in table.reading.remarks
    )


@pytest.mark.parametrize("header", ["study,yi,vi,se", "study,yi,se,vi"])
@pytest.mark.parametrize("roles", [{}, {"standard_error": "vi"}])
def test_variances_beside_standard_errors_must_be_their_squares(header, roles):
    def text(*rows):
        turned = header.endswith("vi")
        return "\n".join(
            [header, *(f"{n},{y},{s},{v}" if turned else f"{n},{y},{v},{s}" for n, y, s, v in rows)]
        )

    good = ("x", ".1", ".20", ".04"), ("y", ".2", ".314", ".0986"), ("z", ".1", ".333", ".1111")
    table = read(text(*good), **roles)
    assert len(table.datasets) == 3
    assert not any(remark.startswith("Not read") for remark in table.reading.remarks)
    (problem,) = map(str, refused(text(*good, ("w", ".3", ".04", ".2")), **roles).problems)
    assert problem.startswith(
        "Dataset 'w', column 'vi', line 5: The variance is .2, but the standard error in 'se' is "
        ".04, whose square is 0.0016."
    )


def test_the_roles_of_a_reading_give_the_same_table_again():
    text = "analysis,study,effect,variance\na,x,.1,.04\na,y,.2,.25\nb,x,.3,.09\n"
    first = read(text, metric="a")
    second = read(text, **first.reading.roles)
    assert (second.reading, second.fingerprint) == (first.reading, first.fingerprint)


def test_of_several_analyses_one_is_chosen():
    text = "analysis,study,effect,variance\na,x,.1,.04\na,y,.2,.25\nb,x,.3,.09\n"
    error = refused(text)
    assert str(error.problems[0]).startswith(
        "Column 'analysis': The rows are of several analyses, 'a', 'b', which cannot be pooled "
        "together."
    )
    (choice,) = error.choices
    assert (choice.role, choice.options) == ("metric", (("a", "a"), ("b", "b")))
    table = read(text, metric="b")
    assert (table.datasets, table.effects.tolist()) == (("x",), [0.3])
    assert table.reading.remarks[0] == (
        "Read, as chosen: the 1 rows of 'b'; 2 of others are left aside."
    )


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("y,.1,0,5", "Dataset 'y', column 'se', line 3: The standard error is 0; it must be above 0."),
        ("y,.1,-.2,5", "Dataset 'y', column 'se', line 3: The standard error is -.2; it must be"),
        ("y,,.2,5", "Dataset 'y', column 'effect', line 3: There is no number. Give it, or leave "
         "the dataset out."),
        ("y,.1,NA,5", "Dataset 'y', column 'se', line 3: 'NA' stands where a number should."),
        ("y,high,.2,5", "Dataset 'y', column 'effect', line 3: 'high' is not a number."),
        ("y,2e150,.2,5", "Dataset 'y', column 'effect', line 3: '2e150' is out of range."),
        ("y,3%,.2,5", "Dataset 'y', column 'effect', line 3: '3%' has a sign of percent."),
        ("y,.1,.2,5.5", "Dataset 'y', column 'n', line 3: '5.5' is not a positive whole number."),
        ("x,.1,.2,5", "Dataset 'x', column 'dataset', line 3: The dataset is already on line 2."),
        (",.1,.2,5", "Column 'dataset', line 3: The dataset has no name."),
    ],
)  # fmt: skip
def test_each_wrong_cell_is_named_with_its_place(row, expected):
    (problem,) = refused(f"{START}x,.1,.02,100\n{row}\n").problems
    assert str(problem).startswith(expected)


def test_a_missing_column_is_named():
    problems = refused("a,b\nx,.1\ny,.2\n", layout=EFFECTS).problems
    assert [problem.what for problem in problems] == [
        f"No column is recognised for the role '{role}'."
        for role in ("dataset", "effect", "standard_error")
    ]


POSITIVE = st.integers(1, 10**6).map(lambda n: n / 1000)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(-9999, 9999), POSITIVE), min_size=1, max_size=8))
def test_effects_read_back_equal(rows):
    text = "dataset,effect,variance\n" + "".join(
        f"d{i},{effect / 100!r},{variance!r}\n" for i, (effect, variance) in enumerate(rows)
    )
    table = read(text)
    assert table.effects.tolist() == [effect / 100 for effect, _ in rows]
    np.testing.assert_allclose(table.variances, [variance for _, variance in rows], rtol=1e-15)
