"""Scores in rows are paired by example whatever the order of the rows, or refused with reasons."""

import random

import pytest

from core.data.layouts.registry import SCORES, SCORES_IN_ROWS
from core.errors import DataError
from tests.core.data.layouts.texts import problems_of, read, refused

START = "dataset,example,system,score\n"


def test_every_part_of_a_file_is_read():
    results = read(
        "dataset,example,system,score\n"
        "SST,2,Ours,0.5\nSST,2,Base,0.25\nRTE,1,Base,1\nSST,007,Base,0\nSST,007,Ours,1\nRTE,1,Ours,0\n",
        name="mine.csv",
    )
    assert results.datasets == ("SST", "RTE")
    assert results.systems == ("Ours", "Base")
    assert results.metrics == ("score",)
    assert results.examples("SST") == ("2", "007")
    assert results.scores("SST", "Ours").tolist() == [0.5, 1.0]
    assert results.scores("SST", "Base").tolist() == [0.25, 0.0]
    assert results.scores("RTE", "Ours").tolist() == [0.0]
    assert results.score_decimals == 2
    reading = results.reading
    assert (reading.layout, reading.remarks, reading.choices) == (SCORES_IN_ROWS, (), ())
    assert reading.roles == {
        "layout": SCORES_IN_ROWS,
        "dataset": "dataset",
        "example": "example",
        "system": "system",
        "scores": ("score",),
        "metric_names": None,
        "run": None,
        "cluster": None,
        "covariates": (),
        "metric": "score",
        "higher_is_better": True,
    }


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("tall", [False, True])
def test_rows_in_any_order_are_paired_by_their_ids(seed, tall):
    rng = random.Random(seed)
    cells = {
        (d, e, s, m): rng.randint(0, 99) / 4
        for d in ("x", "y", "z")
        for e in rng.sample(range(50), rng.randint(1, 12))
        for s in ("A", "B", "C")
        for m in ("bleu", "ter")
    }
    if tall:
        header = "score,metric,system,example,dataset"
        rows = [f"{v},{m},{s},{e},{d}" for (d, e, s, m), v in cells.items()]
    else:
        header = "bleu,system,ter,example,dataset"
        rows = [
            f"{v},{s},{cells[d, e, s, 'ter']},{e},{d}"
            for (d, e, s, m), v in cells.items()
            if m == "bleu"
        ]
    rng.shuffle(rows)
    results = read("\n".join([header, *rows]))
    assert set(results.metrics) == {"bleu", "ter"}
    assert results.higher_is_better == {"bleu": True, "ter": False}
    seen = {}
    for dataset in results.datasets:
        for system in results.systems:
            for metric in results.metrics:
                scores = results.scores(dataset, system, metric).tolist()
                for example, score in zip(results.examples(dataset), scores, strict=True):
                    seen[dataset, int(example), system, metric] = score
    assert seen == cells


def test_examples_stand_in_the_order_of_their_first_rows():
    rows = ["x,b,A,1", "y,q,A,1", "x,a,B,1", "x,c,A,1", "x,c,B,1", "x,a,A,1", "x,b,B,1", "y,q,B,0"]
    results = read(START + "\n".join(rows))
    assert results.examples("x") == ("b", "a", "c")


def test_rows_and_columns_of_the_same_scores_are_the_same_set():
    wide = read("dataset,example,A,B\nx,1,1,0\nx,2,.5,1\ny,1,0,0\n")
    long = read(START + "x,1,A,1\nx,1,B,0\nx,2,A,.5\nx,2,B,1\ny,1,A,0\ny,1,B,0\n")
    assert long.fingerprint == wide.fingerprint


@pytest.mark.parametrize(
    ("header", "metric"),
    [
        ("score", "accuracy"),
        ("correct", "accuracy"),
        ("BLEU", "BLEU"),
        ("WER", "WER"),
    ],
)
def test_a_single_metric_is_named_after_its_column_unless_that_says_nothing(header, metric):
    text = f"dataset,example,model,{header}\nx,1,A,1\nx,1,B,0\nx,2,A,0\nx,2,B,1\n"
    results = read(text)
    assert results.metrics == (metric,)
    assert results.higher_is_better == {metric: metric != "WER"}
    assert read(text, metric="mine").metrics == ("mine",)


@pytest.mark.parametrize(
    "metric",
    ["AER", "WER", "TER", "CER", "dev loss", "Perplexity", "error rate", "edit distance", "MSE"],
)
def test_metrics_of_which_lower_is_better_are_recognised_in_each_layout(metric):
    for text in (
        f"dataset,example,system,{metric}\nx,1,A,1.5\nx,1,B,0\n",
        f"dataset,example,system,metric,score\nx,1,A,{metric},1.5\nx,1,B,{metric},0\n",
        f"dataset,example,metric,A,B\nx,1,{metric},1.5,0\nx,2,{metric},1,2\n",
        f"dataset,example,metric,A,B\nx,1,{metric},1.5,0\nx,1,bleu,1,2\n",
    ):
        results = read(text)
        assert results.higher_is_better[metric] is False
        assert "Lower is taken to be better" in " ".join(results.reading.remarks)


def test_the_direction_can_be_declared_for_all_metrics_or_for_each():
    text = "dataset,example,system,bleu,ter\nx,1,A,1,2\nx,1,B,0,3\n"
    assert read(text).reading.roles["higher_is_better"] == {"bleu": True, "ter": False}
    assert read(text, higher_is_better=True).higher_is_better == {"bleu": True, "ter": True}
    assert read(text, higher_is_better={"bleu": False}).higher_is_better == {
        "bleu": False,
        "ter": False,
    }
    (problem,) = problems_of(text, higher_is_better={"rouge": False})
    assert "`higher_is_better` names the metric 'rouge', which the file does not have." in problem
    assert "Its metrics are 'bleu', 'ter'." in problem
    (problem,) = problems_of(text, higher_is_better={"bleu": "yes"})
    assert "or a mapping of metrics to True or False" in problem


def test_the_metric_that_is_asked_for_comes_first():
    text = "dataset,example,system,bleu,ter\nx,1,A,1,2\nx,1,B,0,3\n"
    assert read(text, metric="ter").metrics == ("ter", "bleu")
    assert read(text, metric="ter").scores("x", "A").tolist() == [2.0]
    (problem,) = problems_of(text, metric="rouge")
    assert "`metric` names the metric 'rouge'" in problem


def test_columns_that_may_be_no_metric_are_pointed_out():
    text = "dataset,example,system,accuracy,ambiguity\nx,1,A,1,2\nx,1,B,0,3\n"
    assert "2 metrics are read: 'accuracy', 'ambiguity'. Choose" in read(text).reading.remarks[0]
    chosen = read(text, scores=["accuracy"])
    assert chosen.metrics == ("accuracy",)
    assert chosen.reading.remarks == ("Not read: 'ambiguity'.",)


def test_without_ids_rows_are_paired_in_their_order_with_a_remark():
    results = read("dataset,system,score\nx,A,1\nx,B,.2\nx,A,.3\ny,B,4\nx,B,5\ny,A,6\n")
    assert results.scores("x", "A").tolist() == [1.0, 0.3]
    assert results.scores("x", "B").tolist() == [0.2, 5.0]
    assert results.example_ids is None
    assert results.reading.remarks == (
        "No column holds ids of examples: the rows of each system are paired in their order.",
    )


def test_without_ids_unequal_numbers_are_a_problem_with_both():
    text = "dataset,system,score\nx,A,1\nx,A,0\nx,B,1\ny,A,1\ny,B,0\n"
    for roles in ({}, {"incomplete": "leave-out"}):
        error = refused(text, **roles)
        (problem,) = map(str, error.problems)
        assert problem.startswith(
            "Dataset 'x': The system 'A' has 2 rows, the system 'B' 1: without ids rows are paired "
            "in their order, so there must be equally many."
        )
        assert error.choices == ()


def test_a_counter_of_all_rows_is_no_id_of_examples():
    results = read("id,dataset,system,score\n1,x,A,1\n2,x,A,0\n3,x,B,.5\n4,x,B,1\n")
    assert results.example_ids is None
    assert results.scores("x", "B").tolist() == [0.5, 1.0]
    assert "paired in their order" in results.reading.remarks[0]


def test_seeds_pair_rows_where_nothing_else_does():
    results = read("dataset,system,seed,score\nx,A,1,.1\nx,A,2,.2\nx,B,2,.5\nx,B,1,.4\n")
    assert results.examples("x") == ("1", "2")
    assert results.scores("x", "B").tolist() == [0.4, 0.5]
    assert "rows are paired by 'seed'" in results.reading.remarks[-1]


def test_a_row_that_stands_twice_is_a_problem_with_both_lines():
    problems = problems_of(START + "x,1,A,1\nx,1,B,0\nx,1,A,0\nx,2,A,1\nx,2,B,1\n")
    assert problems == [
        "Dataset 'x', column 'example', line 4: The example '1' of system 'A' is already on line "
        "2. Keep one of these rows; if they are several runs, say in a column 'run' which row is "
        "of which run."
    ]


def test_each_system_that_lacks_examples_is_named_once_a_dataset():
    rows = "".join(f"x,{i},A,1\n" for i in range(1500)) + "x,3,B,0\nx,4000,B,1\ny,1,A,1\ny,1,B,0\n"
    error = refused(START + rows)
    assert [str(problem) for problem in error.problems] == [
        "Dataset 'x': The system 'A' lacks 1 of 1,501 examples: '4000'. Add the missing rows, or "
        "leave these examples out for every system.",
        "Dataset 'x': The system 'B' lacks 1,499 of 1,501 examples: '0', '1', '2' and 1,496 more. "
        "Add the missing rows, or leave these examples out for every system.",
    ]
    (choice,) = error.choices
    assert choice.options == (("leave-out", "Leave out 1,500 examples"),)
    results = read(START + rows, incomplete="leave-out")
    assert results.examples("x") == ("3",)
    assert results.reading.choices == (choice,)
    assert results.reading.remarks[0] == (
        "Left out, as chosen: 1,500 examples without a score of every system, 1,500 of 'x'; 2 "
        "examples stay."
    )


def test_a_dataset_that_a_system_lacks_is_a_problem_of_its_own_and_can_be_left_out():
    text = START + "x,1,A,1\nx,1,B,0\ny,1,A,1\ny,2,A,1\n"
    error = refused(text)
    assert [str(problem) for problem in error.problems] == [
        "Dataset 'y': The system 'B' has no row on this dataset. Add its rows, or leave the "
        "dataset out for every system."
    ]
    assert error.choices[0].options[0][1] == "Leave out 2 examples, and so all of 'y'"
    results = read(text, incomplete="leave-out")
    assert results.datasets == ("x",)
    assert "Left out as a whole, as no example has a score of every system: 'y'." in (
        results.reading.remarks
    )


def test_where_nothing_would_stay_nothing_can_be_left_out():
    text = START + "x,1,A,1\nx,2,B,0\nx,3,A,1\n"
    for roles in ({}, {"incomplete": "leave-out"}):
        error = refused(text, **roles)
        assert len(error.problems) == 2
        assert error.choices == ()


def test_leaving_out_keeps_the_order_of_systems_and_metrics():
    text = START + "x,9,A,1\nx,1,B,.5\nx,1,A,1\n"
    assert read(text, incomplete="leave-out").systems == ("A", "B")


def test_a_metric_that_is_missing_for_some_examples_makes_them_incomplete():
    text = (
        "dataset,example,system,metric,score\nx,1,A,acc,1\nx,1,B,acc,0\nx,1,A,f1,.5\nx,1,B,f1,.1\n"
        "x,2,A,acc,1\nx,2,B,acc,0\nx,2,A,f1,.5\n"
    )
    assert problems_of(text) == [
        "Dataset 'x': The system 'B' lacks 1 of 2 examples, in the metric 'f1': '2'. Add the "
        "missing rows, or leave these examples out for every system."
    ]
    assert read(text, incomplete="leave-out").examples("x") == ("1",)


def test_a_missing_value_is_a_problem_and_can_be_left_out():
    text = START + "x,1,A,1\nx,1,B,\nx,2,A,.5\nx,2,B,NA\nx,3,A,0\nx,3,B,1\n"
    error = refused(text)
    assert [str(problem).split(".")[0] for problem in error.problems] == [
        "Dataset 'x', column 'score', line 3: There is no score",
        "Dataset 'x', column 'score', line 5: 'NA' stands where a score should",
    ]
    assert error.choices[0].options == (("leave-out", "Leave out 2 examples"),)
    assert read(text, incomplete="leave-out").examples("x") == ("3",)


def test_what_is_wrong_is_no_missing_value():
    text = START + "x,1,A,1\nx,1,B,\nx,2,A,oops\nx,2,B,1\nx,3,A,0\nx,3,B,1\nx,4,A,1\nx,4,B,1\n"
    (problem,) = problems_of(text, incomplete="leave-out")
    assert "line 4: 'oops' is not a number." in problem


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (",2,A,1", "Column 'dataset', line 4: The dataset has no name."),
        ("x,,A,1", "Dataset 'x', column 'example', line 4: The example has no id."),
        ("x,2,,1", "Dataset 'x', column 'system', line 4: The row names no system. Name the system "
         "in every row."),
    ],
)  # fmt: skip
def test_a_row_without_a_name_is_the_only_problem(row, expected):
    (problem,) = problems_of(START + f"x,1,A,1\nx,1,B,0\n{row}\nx,2,B,1\n")
    assert problem.startswith(expected)


def test_words_for_right_and_wrong_are_scores():
    text = "dataset,example,system,{}\nx,1,A,{}\nx,1,B,{}\nx,2,A,{}\nx,2,B,{}\n"
    for heading, yes, no in (("correct", "True", "FALSE"), ("score", "correct", "Incorrect")):
        results = read(text.format(heading, yes, no, no, yes))
        assert results.metrics == ("accuracy",)
        assert results.scores("x", "A").tolist() == [1.0, 0.0]
        assert results.reading.remarks == (
            f"In '{heading}' these words are read as scores: '{yes}' as 1; '{no}' as 0.",
        )
    with pytest.raises(DataError):
        read(text.format("score", "yes", "no", "no", "yes"))


@pytest.mark.parametrize(
    ("text", "roles", "expected"),
    [
        (START + "x,1,A,1\nx,2,A,0\n", {"layout": SCORES_IN_ROWS},
         "No column is recognised for the role 'system'."),
        (START + "x,1,A,1\nx,2,A,0\n", {"system": "system", "layout": SCORES_IN_ROWS},
         "Column 'system': The column names only 'A'; a comparison needs two systems."),
        (START + "x,1,A,a\nx,1,B,b\n", {"layout": SCORES_IN_ROWS}, "No column holds scores."),
        ("dataset,example,system,metric,u,v\nx,1,A,p,1,2\nx,1,B,q,1,2\nx,1,A,q,1,2\nx,1,B,p,1,2\n",
         {}, "'metric' names the metric of each row, but 'u', 'v' all hold numbers."),
    ],
)  # fmt: skip
def test_what_is_missing_is_named(text, roles, expected):
    assert expected in " ".join(problems_of(text, **roles))


@pytest.mark.parametrize(
    "text",
    [
        "dataset,example,Model,Baseline\nx,1,1,0\nx,2,1,0\n",
        "dataset,example,system,A,B\nx,1,v1,1,0\nx,2,v1,1,0\n",
    ],
)
def test_a_heading_alone_does_not_make_rows_of_systems(text):
    assert read(text).reading.layout == SCORES


def test_systems_in_digits_are_names():
    results = read("dataset,example,system,score\nx,1,1,.1\nx,1,2,.2\nx,2,1,.3\nx,2,2,.4\n")
    assert results.systems == ("1", "2")


def test_one_dataset_may_have_no_column():
    results = read("example,system,score\n1,A,.5\n1,B,1\n2,A,0\n2,B,1\n", name="rte.csv")
    assert results.datasets == ("rte",)
    with pytest.raises(DataError, match="'comparison' holds text that repeats"):
        read("comparison,example,system,score\nx,1,A,.5\nx,1,B,1\ny,2,A,0\ny,2,B,1\n")
