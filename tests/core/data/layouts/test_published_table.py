"""A published table is recognised by its columns and read whole, or refused with every reason."""

import numpy as np
import pytest

from core.data import PValueTable, read_results
from core.errors import DataError
from tests.core.data.layouts.texts import problems_of


def read(text, *, name=None, **roles):
    return read_results(text.encode(), name=name, roles=roles)


def remarks_of(text, **roles):
    return " ".join(read(text, **roles).reading.remarks)


@pytest.mark.parametrize(
    ("header", "dataset", "p_value"),
    [
        ("dataset,A,B,p", "dataset", "p"),
        ("Data Set,A,B,P-Value", "Data Set", "P-Value"),
        ("corpus,A,B,p_value", "corpus", "p_value"),
        ("Language,A,B,pvalue", "Language", "pvalue"),
        ("TASK,A,B,p-val", "TASK", "p-val"),
        ("test_set,A,B,p (one-sided)", "test_set", "p (one-sided)"),
        ("genre,A,B,p_value_two_sided", "genre", "p_value_two_sided"),
        ("whatever,A,B,p value (McNemar)", "whatever", "p value (McNemar)"),
    ],
)
def test_columns_are_recognised_by_their_headings(header, dataset, p_value):
    roles = read(f"{header}\nx,1,2,.5\ny,1,2,.5\n").reading.roles
    assert roles["dataset"] == dataset
    assert roles["p_value"] == p_value
    assert (roles["system_a"], roles["system_b"]) == ("A", "B")


@pytest.mark.parametrize("heading", ["n", "N", "n_examples", "examples", "Size", "sample size"])
def test_sizes_are_recognised_by_their_heading(heading):
    table = read(f"dataset,{heading},A,B,p\nx,100,1,2,.5\n")
    assert table.n_examples.tolist() == [100]
    assert (table.system_a, table.system_b) == ("A", "B")


def test_every_part_of_a_table_is_read():
    table = read(
        "dataset,Mate,SpaCy,p_value,n\nBC,90.70%,89.05,10^-4,10\nMZ,91.92%,89.29,0.0,20\n",
        name="table 2",
    )
    assert table.datasets == ("BC", "MZ")
    assert (table.system_a, table.system_b) == ("Mate", "SpaCy")
    assert table.p_values.tolist() == [1e-4, 5e-5]
    assert table.p_value_bounds[0].tolist() == [5e-5, 0.0]
    assert table.p_value_bounds[1].tolist() == [1.5e-4, 5e-5]
    assert table.printed == ("10^-4", "0.0")
    assert table.scores_a.tolist() == [90.7, 91.92]
    assert table.printed_scores_a == ("90.70", "91.92")
    assert table.notes == ("", "printed as 0.0, read as below .00005")
    assert table.alternative == "not-stated"
    assert table.higher_is_better
    assert table.reading.source_name == "table 2"
    assert table.reading.layout == "published table"
    assert table.reading.columns == ("dataset", "Mate", "SpaCy", "p_value", "n")
    assert (table.reading.separator, table.reading.encoding) == (",", "UTF-8")


def test_the_roles_of_a_reading_give_the_same_table_again():
    text = "name;odd;A;B;C;p\nx;q;1;2;3;0,0\n"
    first = read(text, system_b="C", alternative="two-sided", zero_reads_below=0.01)
    second = read_results(text.encode(), roles=first.reading.roles)
    assert isinstance(second, PValueTable)
    assert second.reading == first.reading
    assert second.fingerprint == first.fingerprint
    assert second.p_values.tolist() == first.p_values.tolist() == [0.01]
    with pytest.raises(TypeError):
        first.reading.roles["metric"] = "F1"


@pytest.mark.parametrize(
    ("header", "names", "scores"),
    [
        ("dataset,p", ("A", "B"), (False, False)),
        ("dataset,Mate,p", ("Mate", "B"), (True, False)),
        ("dataset,B,p", ("B", "A"), (True, False)),
    ],
)
def test_scores_may_be_missing(header, names, scores):
    n_columns = header.count(",") + 1
    table = read(header + "\n" + ",".join(["x", ".5", ".5"][:n_columns]) + "\n")
    assert (table.system_a, table.system_b) == names
    assert (table.scores_a is not None, table.scores_b is not None) == scores
    assert table.differences is None


def test_only_the_second_system_may_have_a_score():
    table = read("dataset,A,p\nx,1,.5\n", system_a=None, system_b="A")
    assert (table.system_a, table.system_b) == ("B", "A")
    assert table.scores_a is None


def test_names_that_look_like_numbers_or_nothing_stay_names():
    table = read("dataset,A,B,p\n007,1,2,.1\n7,1,2,.1\nNA,1,2,.1\nNone,1,2,.1\n1.0,1,2,.1\n")
    assert table.datasets == ("007", "7", "NA", "None", "1.0")


def test_without_a_known_heading_the_first_column_of_text_names_the_datasets():
    assert read("1st,which,M,p\n5,x,1,.5\n6,y,2,.5\n").datasets == ("x", "y")


def test_a_wrong_score_does_not_turn_its_column_into_names():
    (problem,) = problems_of("which,M,N,p\nx,oops,1,.5\ny,2,3,.5\nz,2,3,.5\n")
    assert problem.startswith("Dataset 'x', column 'M', line 2: 'oops' is not a number.")


def test_columns_that_are_not_read_are_named():
    remarks = remarks_of("dataset,A,B,C,difference,comment,p\nx,1,2,3,-1,fine,.5\n")
    assert "Not read: 'C', 'difference', 'comment'." in remarks
    assert "'C' may be scores as well" in remarks
    assert "'A' and 'B'. Choose others" in remarks


def test_differences_and_adjusted_p_values_are_not_taken_for_scores():
    table = read("dataset,delta,A,p_adjusted,p,B\nx,1,2,.4,.5,3\n")
    assert (table.system_a, table.system_b) == ("A", "B")
    assert table.p_values.tolist() == [0.5]


def test_a_heading_that_states_sides_is_a_remark_and_no_declaration():
    for heading in ("p (one-sided)", "p_value_two_sided", "p value, 2-tailed"):
        table = read(f"dataset;A;B;{heading}\nx;1;2;.5\n")
        assert table.alternative == "not-stated"
        assert "Declare" in table.reading.remarks[0]
    declared = read("dataset,A,B,p (two-sided)\nx,1,2,.5\n", alternative="two-sided")
    assert declared.reading.remarks == ()


def test_decimal_commas_are_read_and_remarked_on():
    table = read("dataset;A;B;p\nx;90,7;90,20;0,04\n")
    assert table.printed_scores_a == ("90.7",)
    assert table.differences.tolist() == [0.5]
    assert table.p_values.tolist() == [0.04]
    assert "decimal marks." in table.reading.remarks[0]


def test_points_beside_decimal_commas_are_remarked_on():
    assert "separator of thousands" in remarks_of("dataset;A;B;p\nx;1.234;90,2;0,04\n")


def test_percent_signs_keep_the_number():
    text = "dataset,A,B,p\nx,90.7%,90.2 %,.5\n"
    assert read(text).scores_a.tolist() == [90.7]
    assert "keep the number as printed." in remarks_of(text)
    assert "same scale" in remarks_of("dataset,A,B,p\nx,90.7%,90,.5\n")
    assert read("dataset,A,B,p\nx,90.7%,1%,.5\ny,0,2%,.5\n").scores_a.tolist() == [90.7, 0.0]


def test_stars_are_left_out_with_a_remark():
    text = "dataset,A,B,p\nx,1,2,.04*\ny,1,2,.5\n"
    assert read(text).p_values.tolist() == [0.04, 0.5]
    assert "Marks after p-values are left out: '.04*'." in remarks_of(text)


def test_bounds_use_their_upper_end_with_a_note():
    table = read("dataset,p\nx,<0.001\ny,.5\n")
    assert table.p_values.tolist() == [0.001, 0.5]
    assert table.p_value_bounds[0].tolist() == [0.0, 0.45]
    assert table.notes == ("printed as <0.001, read as its upper end", "")


def test_what_a_zero_means_can_be_declared():
    text = "dataset,p\nx,0.0\ny,.2123\n"
    assert read(text).p_values.tolist() == [0.00005, 0.2123]
    assert read(text).notes[0] == "printed as 0.0, read as below .00005"
    declared = read(text, zero_reads_below=0.0005)
    assert declared.p_values.tolist() == [0.0005, 0.2123]
    assert declared.notes[0] == "printed as 0.0, read as below .0005"
    exact = read(text, zero_reads_below=0)
    assert exact.p_values.tolist() == [0.0, 0.2123]
    assert exact.p_value_bounds[1].tolist()[0] == 0.0
    assert exact.notes[0] == "printed as 0.0, read as 0 exactly"


def test_names_that_look_the_same_are_pointed_out():
    remarks = remarks_of(
        "dataset,a,A,p\nSST-2,1,2,.5\nsst-2,1,2,.5\ncafé,1,2,.5\ncafe\u0301,1,2,.5\n"
    )
    assert "'SST-2', 'sst-2', 'café', 'cafe\u0301'" in remarks
    assert "systems' names 'a' and 'A'" in remarks


def test_a_blank_score_is_allowed_where_the_direction_is_declared():
    text = "dataset,A,B,p\nx,,2,.5\ny,1,2,.5\n"
    (problem,) = problems_of(text)
    assert problem.startswith("Dataset 'x', column 'A', line 2: There is no score.")
    table = read(text, alternative="greater")
    assert np.isnan(table.scores_a).tolist() == [True, False]
    assert table.printed_scores_a == ("", "1")
    assert "No score of 'A' is given for 'x'." in table.reading.remarks


def test_only_p_values_toward_the_higher_score_need_scores():
    text = "dataset,A,p\nx,1,.5\n"
    assert read(text, alternative="two-sided").alternative == "two-sided"
    (problem,) = problems_of(text, alternative="toward-higher-score")
    assert "need the scores of both systems" in problem


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (",1,2,.5,9", "Column 'dataset', line 3: The dataset has no name."),
        ("SST-2,1,2,.5,9", "Dataset 'SST-2', column 'dataset', line 3: The dataset is already on "
         "line 2."),
        ("x,1,2,1.5,9", "Dataset 'x', column 'p', line 3: '1.5' lies outside 0 to 1. Give the "
         "p-value as printed, between 0 and 1."),
        ("x,1,2,-.1,9", "Dataset 'x', column 'p', line 3: '-.1' lies outside 0 to 1."),
        ("x,1,2,,9", "Dataset 'x', column 'p', line 3: There is no p-value."),
        ("x,1,2,NaN,9", "Dataset 'x', column 'p', line 3: 'NaN' is not a p-value."),
        ("x,1,2,ns,9", "Dataset 'x', column 'p', line 3: 'ns' says only that a test was not "
         "significant."),
        ("x,1,2,>0.05,9", "Dataset 'x', column 'p', line 3: '>0.05' says only what p lies above."),
        ("x,1,2,1_0e-3,9", "Dataset 'x', column 'p', line 3: '1_0e-3' is not a p-value."),
        ('x,1,2,"0,5",9', "Dataset 'x', column 'p', line 3: '0,5' is not a number where the comma "
         "separates columns."),
        ("x,inf,2,.5,9", "Dataset 'x', column 'A', line 3: 'inf' is not a number."),
        ("x,1e400,2,.5,9", "Dataset 'x', column 'A', line 3: '1e400' is out of range."),
        ("x,1_000,2,.5,9", "Dataset 'x', column 'A', line 3: '1_000' is not a number."),
        ("x,1,,.5,9", "Dataset 'x', column 'B', line 3: There is no score."),
        ("x,1,2,.5,0", "Dataset 'x', column 'n', line 3: '0' is not a positive whole number."),
        ("x,1,2,.5,1.5", "Dataset 'x', column 'n', line 3: '1.5' is not a positive whole number."),
        ("x,1,2,.5,", "Dataset 'x', column 'n', line 3: '' is not a positive whole number."),
    ],
)  # fmt: skip
def test_each_wrong_cell_is_named_with_its_place(row, expected):
    (problem,) = problems_of(f"dataset,A,B,p,n\nSST-2,1,2,.5,9\n{row}\n")
    assert problem.startswith(expected)


def test_all_problems_come_at_once_in_the_order_of_columns():
    problems = problems_of("dataset,A,B,p,n\nx,1,2,.5,9\nx,?,2,.5,9\ny,1,2,2,-1\nz,1,2,.1,9\n")
    assert [problem.split(":")[0] for problem in problems] == [
        "Dataset 'x', column 'dataset', line 3",
        "Dataset 'x', column 'A', line 3",
        "Dataset 'y', column 'p', line 4",
        "Dataset 'y', column 'n', line 4",
    ]


def test_errors_carry_the_columns_so_that_roles_can_be_given():
    text = "dataset,A,B,sig\nx,1,2,.5\n"
    with pytest.raises(DataError) as caught:
        read(text, layout="published table")
    assert caught.value.columns == ("dataset", "A", "B", "sig")
    assert "choose it" in str(caught.value)
    table = read(text, p_value="sig")
    assert (table.system_a, table.system_b) == ("A", "B")


def test_too_many_rows_for_a_table_of_datasets_are_a_problem():
    text = "dataset,p\n" + "".join(f"d{i},.5\n" for i in range(100_001))
    (problem,) = problems_of(text)
    assert "100,001 rows and p-values in 'p'; a published table has at most 100,000" in problem


def test_a_table_whose_columns_are_all_numbers_needs_a_column_of_names():
    (problem,) = problems_of("1st,2nd,p\n1,2,.5\n")
    assert "role 'dataset'" in problem


@pytest.mark.parametrize(
    ("roles", "expected"),
    [
        ({"p": "p"}, "There is no role 'p'. The roles are 'dataset', 'system_a'"),
        ({"example": "A"}, "The role 'example' is given, but 'published table' has no such "
         "column."),
        ({"system_a": "C"}, "names the column 'C', which the file does not have. The file has the "
         "columns 'dataset', 'A', 'B', 'p'."),
        ({"system_a": 3}, "names the column 3, which the file does not have"),
        ({"alternative": "smaller"}, "`alternative` must be one of 'greater', 'less', 'two-sided'"),
        ({"higher_is_better": 1}, "`higher_is_better` must be True or False, or a mapping of "
         "metrics to True or False; got 1."),
        ({"zero_reads_below": 2}, "`zero_reads_below` must be None or from 0 to 1; got 2."),
        ({"zero_reads_below": float("nan")}, "`zero_reads_below` must be"),
        ({"metric": 1}, "`metric` must be None or a name; got 1."),
        ({"system_a": "A", "system_b": "A"}, "Column 'A': The column has several roles: system_a, "
         "system_b."),
        ({"system_a": "p"}, None),
        ({"dataset": None}, "No column is recognised for the role 'dataset'."),
    ],
)  # fmt: skip
def test_wrong_roles_are_problems_that_name_what_there_is(roles, expected):
    (problem, *rest) = problems_of("dataset,A,B,p\nx,1,2,.5\n", **roles)
    assert not rest
    if expected is not None:
        assert expected in problem


def test_several_wrong_roles_are_named_together():
    assert len(problems_of("dataset,A,B,p\nx,1,2,.5\n", p="p", system_a="C", metric=1)) == 3


def test_roles_override_only_what_they_name():
    table = read("dataset,A,B,C,p\nx,1,2,3,.5\n", system_a="C", metric="F1")
    assert (table.system_a, table.system_b, table.metric) == ("C", "A", "F1")
    none = read("dataset,A,B,n,p\nx,1,2,3,.5\n", n_examples=None, system_b=None)
    assert none.n_examples is None
    assert none.scores_b is None


def test_of_two_columns_of_p_values_the_first_is_read_and_the_other_is_no_score():
    table = read("dataset,p (one-sided),p (two-sided),A,B\nx,.1,.2,1,2\n")
    assert table.reading.roles["p_value"] == "p (one-sided)"
    assert (table.system_a, table.system_b) == ("A", "B")
    assert "Not read: 'p (two-sided)'." in table.reading.remarks


@pytest.mark.parametrize(
    "headings", ["p_boot,p_wilcoxon", "p value (bootstrap),p value (Wilcoxon)", "P-t,p sign"]
)
def test_several_columns_of_p_values_are_asked_about(headings):
    text = f"dataset,A,B,{headings}\nx,1,2,.5,.4\ny,2,3,.3,1\n"
    first, second = headings.split(",")
    with pytest.raises(DataError) as caught:
        read(text)
    (problem,) = caught.value.problems
    assert problem.what.startswith(f"'{first}', '{second}' may all be p-values")
    (choice,) = caught.value.choices
    assert (choice.role, [value for value, _ in choice.options]) == ("p_value", [first, second])
    table = read(text, p_value=second)
    assert table.p_values.tolist() == [0.4, 1.0]
    assert (table.system_a, table.system_b) == ("A", "B")
    assert table.reading.remarks == ()
    assert [(other.name, other.printed) for other in table.further] == [(first, (".5", ".3"))]
    assert table.reading.choices == (choice,)


def test_a_heading_that_begins_with_p_holds_p_values_where_no_other_does():
    assert read("dataset,A,B,p_boot\nx,1,2,.5\ny,2,3,.3\n").p_values.tolist() == [0.5, 0.3]
    beside = read("dataset,A,B,p_boot,p\nx,1,2,.5,.4\n")
    assert beside.p_values.tolist() == [0.4]
    assert (beside.system_a, beside.system_b) == ("A", "B")
    systems = read("dataset,P base,P large,p\nx,.8,.9,.4\n")
    assert (systems.system_a, systems.system_b) == ("P base", "P large")


@pytest.mark.parametrize(
    "text",
    [
        "dataset,A,B,p_boot\nx,1,2,5\ny,2,3,.3\n",
        "dataset,example,P base,P large\nx,1,1,0\nx,2,0,1\n",
        "dataset,P base,P large\nx,1,0\nx,0,1\ny,1,1\n",
    ],
)
def test_other_numbers_under_such_a_heading_are_no_p_values(text):
    assert not isinstance(read(text), PValueTable)


def test_a_dataset_that_stands_twice_by_mistake_is_still_named():
    (problem,) = problems_of("dataset,A,B,p\nx,1,2,.5\ny,2,3,.4\nx,1,2,.5\n")
    assert "The dataset is already on line 2." in problem


def test_rows_of_several_comparisons_are_one_problem_and_no_doubt_of_each_row():
    rows = [f"{pair},{name},{score},1,.{score}\n" for pair in ("x-y", "x-z") for name, score in
            (("d1", 3), ("d2", 4), ("d3", 5))]  # fmt: skip
    (problem,) = problems_of("comparison,dataset,A,B,p\n" + "".join(rows))
    assert "one for each of 'x-y', 'x-z' in 'comparison'" in problem
    assert "write both names into one column" in problem
    # A row too many, beside notes that differ, is a mistake in that row.
    rows = ["d1,1,2,.5,see text\n", "d2,1,2,.5,see text\n", "d3,1,2,.5,new\n", "d1,1,2,.4,new\n"]
    (problem,) = problems_of(
        "dataset,A,B,p,notes\n" + "".join([*rows[:3], "d4,2,3,.1,new\n", *rows[3:]])
    )
    assert "The dataset is already on line 2." in problem


@pytest.mark.parametrize("column", ["85%,1,.5\ny,0.8,1,.5\nz,75%", "0.8,1,.5\ny,85%,1,.5\nz,.7"])
def test_percent_beside_fractions_in_one_column_is_a_problem(column):
    (problem,) = problems_of(f"dataset,A,B,p\nx,{column},1,.5\n")
    assert problem.startswith("Dataset 'y', column 'A', line 3: ")
    assert "others of the column have" in problem
    assert read("dataset,metric,A,B,p\nx,F1,85%,70%,.5\ny,MCC,0.8,0.7,.5\n").complete


MIXED = "dataset,metric,A,B,p\nx,BLEU,30,28,.01\ny,TER,55,60,.02\nz,BLEU,20,21,.5\n"
TWICE = "dataset,metric,A,B,p\nx,acc,30,28,.01\nx,F1,55,60,.02\ny,acc,20,21,.5\ny,F1,2,3,.1\n"


@pytest.mark.parametrize(
    ("text", "names", "why"),
    [
        (MIXED, ("BLEU", "TER"), "of 'TER' lower is better, of the others higher."),
        (TWICE, ("acc", "F1"), "a dataset has a row of each"),
    ],
)
def test_of_metrics_that_cannot_stand_together_one_is_chosen(text, names, why):
    with pytest.raises(DataError) as caught:
        read(text)
    (problem,) = caught.value.problems
    assert problem.column == "metric"
    assert why in problem.what
    (choice,) = caught.value.choices
    assert (choice.role, choice.options) == ("metric", tuple((name, name) for name in names))
    table = read(text, metric=names[1])
    assert table.reading.choices == (choice,)
    n_others = text.count(names[0])
    assert (
        f"Read, as chosen: the rows of '{names[1]}'; {n_others} of other metrics are left aside."
        in table.reading.remarks
    )
    again = read(text, **table.reading.roles)
    assert (again.reading, again.fingerprint) == (table.reading, table.fingerprint)


def test_the_direction_is_that_of_the_chosen_metric():
    table = read(MIXED, metric="TER")
    assert (table.datasets, table.higher_is_better) == (("y",), False)
    table = read(MIXED, metric="BLEU")
    assert (table.datasets, table.higher_is_better) == (("x", "z"), True)
    assert not read(MIXED.replace("BLEU", "WER")).higher_is_better


def test_metrics_with_one_direction_stand_together():
    table = read(MIXED.replace("TER", "chrF"))
    assert table.datasets == ("x", "y", "z")
    assert table.higher_is_better


def test_a_row_without_a_metric_is_a_problem_where_one_is_chosen():
    (problem,) = problems_of(MIXED + "w,,1,2,.5\n", metric="TER")
    assert problem.startswith("Dataset 'w', column 'metric', line 5: The row names no metric.")
