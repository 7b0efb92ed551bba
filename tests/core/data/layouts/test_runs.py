"""Repeated runs are never taken for examples: they are averaged or one is read, as chosen."""

import pytest

from tests.core.data.layouts.texts import read, refused

# Two examples in three runs each, in columns and in rows.
WIDE = (
    "dataset,example,seed,A,B\nx,1,7,1,0\nx,1,8,0,0\nx,1,9,1,0\nx,2,9,0,1\nx,2,8,0,1\nx,2,7,1,1\n"
)
LONG = (
    "dataset,example,seed,system,score\n"
    "x,1,7,A,1\nx,1,8,A,0\nx,1,9,A,1\nx,2,9,A,0\nx,2,8,A,0\nx,2,7,A,1\n"
    "x,1,7,B,0\nx,1,8,B,0\nx,1,9,B,0\nx,2,9,B,1\nx,2,8,B,1\nx,2,7,B,1\n"
)
PREDICTED = (
    "dataset,example,seed,gold,A,B\n"
    "x,1,7,yes,yes,no\nx,1,8,yes,no,no\nx,1,9,yes,yes,no\n"
    "x,2,9,no,yes,no\nx,2,8,no,yes,no\nx,2,7,no,no,no\n"
)
LAYOUTS = pytest.mark.parametrize("text", [WIDE, LONG, PREDICTED], ids=["wide", "rows", "labels"])


@LAYOUTS
def test_runs_are_refused_with_the_question_which_counts(text):
    error = refused(text)
    (problem,) = error.problems
    assert problem.column == "seed"
    assert problem.what.startswith("The column holds 3 runs of the same examples, '7', '8', '9'.")
    (choice,) = error.choices
    assert choice.role == "runs"
    assert choice.options == (
        ("average", "Average the 3 runs of each example"),
        ("only:7", "Use run 7 only"),
        ("only:8", "Use run 8 only"),
        ("only:9", "Use run 9 only"),
    )


@LAYOUTS
def test_runs_are_averaged_for_each_example_and_system(text):
    results = read(text, runs="average")
    assert results.n_examples("x") == 2
    assert results.examples("x") == ("1", "2")
    assert results.scores("x", "A").tolist() == [2 / 3, 1 / 3]
    assert results.scores("x", "B").tolist() == [0.0, 1.0]
    assert results.labels is None
    assert not results.is_binary("x")
    remarks = " ".join(results.reading.remarks)
    assert "Averaged, as chosen: the 3 runs of each example in 'seed'." in remarks
    assert "0 and 1 no longer stand for wrong and right" in remarks
    assert ("The labels themselves are not kept" in remarks) == (text is PREDICTED)
    assert results.reading.choices == refused(text).choices


@LAYOUTS
def test_one_run_can_be_read_alone(text):
    results = read(text, runs="only:8")
    assert results.scores("x", "A").tolist() == [0.0, 0.0]
    assert results.scores("x", "B").tolist() == [0.0, 1.0]
    assert results.is_binary("x")
    n_aside = 8 if text is LONG else 4
    assert (
        f"Read, as chosen: run '8' of 'seed' alone; {n_aside} rows of other runs are left aside."
        in results.reading.remarks
    )
    assert results.reading.choices == refused(text).choices


@LAYOUTS
def test_a_run_that_the_column_does_not_hold_is_a_problem(text):
    error = refused(text, runs="only:6")
    (problem,) = map(str, error.problems)
    assert "Column 'seed': The column has no run '6'. Its runs are '7', '8', '9'." in problem
    assert error.choices


@LAYOUTS
def test_an_example_without_some_run_is_incomplete(text):
    rows = text.splitlines()
    gap = next(i for i, row in enumerate(rows) if row.startswith("x,2,8"))
    short = "\n".join([*rows[:gap], *rows[gap + 1 :]])
    error = refused(short, runs="average")
    (problem,) = map(str, error.problems)
    assert "lacks 1 of 2 examples, in the run '8': '2'." in problem
    assert error.choices[-1].role == "incomplete"
    results = read(short, runs="average", incomplete="leave-out")
    assert results.examples("x") == ("1",)
    assert results.scores("x", "A").tolist() == [2 / 3]
    assert [choice.role for choice in results.reading.choices] == ["runs", "incomplete"]


def test_runs_of_several_metrics_are_averaged_in_each():
    text = "dataset,example,run,system,acc,loss\n" + "".join(
        f"x,{e},{r},{s},{e % 2},{r}.{e}\n" for e in (1, 2) for r in (1, 2) for s in "AB"
    )
    results = read(text, runs="average")
    assert results.scores("x", "A", "acc").tolist() == [1.0, 0.0]
    assert results.scores("x", "B", "loss").tolist() == [1.6, 1.7]


def test_means_of_the_same_scores_are_equal_in_whatever_order_they_come():
    runs = ["0.1", "0.2", "0.3", "0.7", "1.1"]
    rows = [f"x,1,{i},{a},{b}" for i, (a, b) in enumerate(zip(runs, runs[::-1], strict=True))]
    rows += [f"x,2,{i},1,0" for i in range(5)]
    results = read("\n".join(["dataset,example,seed,A,B", *rows]), runs="average")
    assert results.scores("x", "A")[0] == results.scores("x", "B")[0] == 0.48


@pytest.mark.parametrize(
    "heading", ["Seed", "random seed", "run", "trial", "repeat", "repetition", "Run_ID"]
)
def test_runs_are_known_by_their_heading(heading):
    assert refused(WIDE.replace("seed", heading)).problems[0].column == heading


def test_folds_hold_different_examples():
    text = "dataset,example,fold,A,B\nx,1,1,1,0\nx,2,2,0,0\nx,3,1,0,1\n"
    assert read(text).n_examples("x") == 3
    twice = refused(text.replace("x,3,1", "x,1,2"))
    assert "The example '1' is already on line 2." in str(twice.problems[0])


def test_a_seed_that_repeats_no_example_is_left_aside():
    results = read("dataset,example,seed,A,B\nx,1,7,1,0\nx,2,8,0,0\nx,3,7,0,1\n")
    assert results.n_examples("x") == 3
    assert results.reading.remarks == ("Not read: 'seed'.",)
    assert results.reading.choices == ()


def test_a_row_that_stands_twice_within_a_run_is_named():
    error = refused(WIDE + "x,2,7,0,0\n", runs="average")
    (problem,) = map(str, error.problems)
    assert "line 8: The example '2' of run '7' is already on line 7." in problem


def test_without_ids_equally_many_rows_a_run_are_asked_about():
    text = "dataset,seed,A,B\nx,1,1,0\nx,1,0,0\nx,2,1,1\nx,2,0,0\n"
    assert refused(text).choices[0].role == "runs"
    assert read(text, runs="average").scores("x", "B").tolist() == [0.5, 0.0]
    assert read(text, run=None).n_examples("x") == 4
    one_each = "dataset,seed,A,B\nx,1,1,0\nx,2,0,0\nx,3,1,1\ny,1,1,1\n"
    assert read(one_each).n_examples("x") == 3


def test_a_column_of_runs_can_be_chosen_or_refused():
    text = WIDE.replace("seed", "restart")
    assert "already on line" in str(refused(text, systems=["A", "B"]))
    assert read(text, run="restart", runs="only:9").scores("x", "A").tolist() == [1.0, 0.0]
    assert "already on line" in str(refused(WIDE, run=None))


def test_of_many_runs_twelve_are_offered():
    rows = [f"x,{e},{r},1,0" for e in (1, 2) for r in range(40)]
    (choice,) = refused("\n".join(["dataset,example,seed,A,B", *rows])).choices
    assert len(choice.options) == 13


def test_gold_labels_that_differ_over_runs_are_a_problem():
    error = refused(PREDICTED.replace("x,1,9,yes", "x,1,9,no"), runs="average")
    (problem,) = map(str, error.problems)
    assert problem.startswith(
        "Dataset 'x', column 'gold', line 4: The gold label differs from that of another run, on "
        "line 2."
    )


def test_ids_that_stand_in_two_runs_are_always_asked_about():
    text = "dataset,example,seed,A,B\nx,1,7,1,0\nx,1,8,0,0\nx,2,8,0,1\nx,2,8,0,1\nx,2,8,1,1\n"
    assert [choice.role for choice in refused(text).choices] == ["runs"]
    assert [problem.line for problem in refused(text, runs="only:8").problems] == [5, 6]


def test_an_id_that_stands_twice_in_one_run_is_no_other_run():
    text = "dataset,example,seed,A,B\nx,1,7,1,0\nx,2,8,0,0\nx,2,8,0,1\n"
    error = refused(text)
    assert error.choices == ()
    assert [problem.line for problem in error.problems] == [4]


def rows_of(dataset, run, n, cells="1,0"):
    return "".join(f"{dataset},{run},{cells}\n" for _ in range(n))


UNEVEN = {
    "a dataset lacks a run": rows_of("x", 0, 3) + rows_of("x", 1, 3) + rows_of("y", 0, 2),
    "a run lacks a row": rows_of("x", 0, 3) + rows_of("x", 1, 2),
    "one row of one run": rows_of("x", 0, 3) + rows_of("y", 1, 1),
    "a run without a name": rows_of("x", 0, 2) + rows_of("x", 1, 2) + rows_of("x", "", 1),
}


@pytest.mark.parametrize("rows", UNEVEN.values(), ids=UNEVEN.keys())
def test_runs_without_ids_are_asked_about_however_many_rows_each_has(rows):
    (choice,) = refused("dataset,seed,A,B\n" + rows).choices
    assert choice.role == "runs"
    in_rows = "".join(f"{row},A,1\n{row},B,0\n" for row in rows.replace(",1,0\n", "\n").split())
    assert refused("dataset,seed,system,score\n" + in_rows).choices[0].role == "runs"


@pytest.mark.parametrize("header", ["id,dataset", "index,dataset"])
def test_a_counter_of_all_rows_does_not_show_that_runs_repeat_nothing(header):
    rows = [f"{i},x,{i // 3},{i % 2},{i % 3 % 2}" for i in range(6)]
    text = "\n".join([f"{header},seed,A,B", *rows])
    assert refused(text).choices[0].role == "runs"
    results = read(text, runs="average")
    assert results.n_examples("x") == 3
    assert results.scores("x", "A").tolist() == [0.5, 0.5, 0.5]
    named = text.replace("\n", "\np")
    assert read(named).n_examples("px" if header.startswith("dataset") else "x") == 6


def test_runs_of_one_row_each_are_compared_themselves_with_a_remark():
    results = read("dataset,seed,A,B\nx,1,.7,.8\nx,2,.6,.9\nx,3,.9,.8\n")
    assert results.examples("x") == ("1", "2", "3")
    assert "runs are compared and not examples" in results.reading.remarks[-1]


COUNTED = "dataset,seed,correct_a,total_a,correct_b,total_b\n" + "".join(
    f"x,{seed},{i % 4},5,{(i * seed) % 5},5\n" for seed in (1, 2, 3) for i in range(12)
)
COUNTED_BY_ID = "dataset,example,seed,correct_a,total_a,correct_b,total_b\n" + "".join(
    f"x,e{i},{seed},{i % 4},5,{(i * seed) % 5},5\n" for seed in (1, 2, 3) for i in range(12)
)
COUNTED_IN_ROWS = "dataset,example,seed,system,correct,total\n" + "".join(
    f"x,e{i},{seed},{system},{(i * seed) % 5},5\n"
    for seed in (1, 2, 3)
    for i in range(12)
    for system in "ab"
)
CORRELATED = "dataset,pair,seed,gold,a,b\n" + "".join(
    f"x,e{i},{seed},{i}.5,{i * i}.{seed},{seed}{i % 5}.5\n" for seed in (1, 2, 3) for i in range(12)
)


@pytest.mark.parametrize("text", [COUNTED, COUNTED_BY_ID, COUNTED_IN_ROWS, CORRELATED])
def test_of_counts_and_of_numbers_to_correlate_one_run_is_read(text):
    (choice,) = refused(text).choices
    assert choice.role == "runs"
    assert [value for value, _ in choice.options] == ["only:1", "only:2", "only:3"]
    results = read(text, runs="only:2")
    assert results.n_examples("x") == 12
    assert "run '2' of 'seed' alone" in results.reading.remarks[0]
    assert results.reading.choices == (choice,)
    again = read(text, **results.reading.roles)
    assert again.fingerprint == results.fingerprint
    (problem,) = refused(text, runs="average").problems
    assert problem.what.startswith("Results of this kind are not averaged over runs")


def test_counts_of_examples_without_ids_are_as_many_as_chosen():
    assert read(COUNTED, run=None).n_examples("x") == 36
    assert read(COUNTED, runs="only:3").scores("x", "b").tolist() == [
        [(i * 3) % 5, 5] for i in range(12)
    ]


TWO_DATASETS = (
    "dataset,example,seed,A,B\nx,1,7,1,0\nx,2,7,0,1\nx,1,8,1,1\nx,2,8,0,0\ny,1,7,1,0\ny,2,7,0,1\n"
)


def test_a_dataset_without_the_chosen_run_is_a_problem():
    error = refused(TWO_DATASETS, runs="only:8")
    assert list(map(str, error.problems)) == [
        "Dataset 'y', column 'seed': The dataset has no run '8'. Choose a run that every dataset "
        "has, or leave the dataset out."
    ]
    assert [choice.role for choice in error.choices] == ["runs", "incomplete"]
    assert error.choices[1].options == (("leave-out", "Leave out 'y'"),)
    assert read(TWO_DATASETS, runs="only:7").datasets == ("x", "y")


def test_a_dataset_without_the_chosen_run_is_left_out_where_that_is_chosen():
    results = read(TWO_DATASETS, runs="only:8", incomplete="leave-out")
    assert results.datasets == ("x",)
    assert "Left out, as chosen, as there is no run '8' of it: 'y'." in results.reading.remarks
    assert [choice.role for choice in results.reading.choices] == ["runs", "incomplete"]


def test_a_system_without_the_chosen_run_is_a_problem():
    more = "".join(f"x,{e},7,C,1\n" for e in (1, 2))
    error = refused(LONG + more, runs="only:8")
    assert [problem.what for problem in error.problems] == ["The system 'C' has no run '8'."]


def test_examples_without_the_chosen_run_are_remarked_on():
    results = read(TWO_DATASETS + "x,3,7,1,1\n", runs="only:8", incomplete="leave-out")
    assert results.examples("x") == ("1", "2")
    assert results.reading.remarks[-1] == (
        "1 example of other runs has no row of run '8', and so does not count."
    )


@pytest.mark.parametrize("runs", [None, "average", "only:7"])
def test_a_row_that_names_no_run_is_a_problem(runs):
    error = refused(TWO_DATASETS + "y,1,,0,0\n", runs=runs)
    assert (
        "Dataset 'y', column 'seed', line 8: The row names no run. Name the run in every row, or "
        "declare that no column holds runs."
    ) in map(str, error.problems)
    assert error.choices[0].role == "runs"


@pytest.mark.parametrize("heading", ["restart", "variant"])
def test_a_column_that_tells_repeats_apart_is_named(heading):
    said = f"'{heading}' tells these rows apart: if it names"
    assert said in str(refused(WIDE.replace("seed", heading), systems=["A", "B"]))
    assert said in str(refused(LONG.replace("seed", heading), scores=["score"]))
    nothing = "dataset,example,A,B\nx,1,.5,.7\nx,1,.2,.3\n"
    assert "apart" not in str(refused(nothing))


@LAYOUTS
def test_the_scores_of_each_run_are_kept_beside_their_mean(text):
    results = read(text, runs="average")
    assert results.runs == ("7", "8", "9")
    assert results.has_shared_runs
    assert results.run_scores("x", "A").tolist() == [[1.0, 0.0, 1.0], [1.0, 0.0, 0.0]]
    assert results.run_scores("x", "B").tolist() == [[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]]
    for system in results.systems:
        means = results.run_scores("x", system).mean(axis=1)
        assert means == pytest.approx(results.scores("x", system))


@LAYOUTS
def test_of_one_run_alone_no_runs_are_kept(text):
    results = read(text, runs="only:8")
    assert results.runs == ()
    assert results.run_scores("x", "A") is None


def test_runs_of_several_metrics_and_datasets_are_kept_in_each():
    rows = [
        (d, i, seed, s, (i + seed * n) % 4, (i * seed + n) % 5)
        for d in "yx"
        for seed in (2, 1)
        for n, s in enumerate(("A", "B"), 1)
        for i in (3, 1, 2)
    ]
    text = "dataset,example,seed,system,bleu,chrf\n" + "".join(
        ",".join(map(str, row)) + "\n" for row in rows
    )
    results = read(text, runs="average")
    assert results.runs_of("B") == ("2", "1")
    for metric, column in (("bleu", 4), ("chrf", 5)):
        for dataset in "xy":
            for system in "AB":
                found = results.run_scores(dataset, system, metric)
                for place, example in enumerate(results.examples(dataset)):
                    for run, seed in enumerate(results.runs_of(system)):
                        (row,) = (
                            r for r in rows if r[:4] == (dataset, int(example), int(seed), system)
                        )
                        assert found[place, run] == row[column]


# A and B were trained with seeds of their own.
APART = "dataset,example,seed,system,score\n" + "".join(
    f"{d},{i},{seed},{s},{(i + seed) % 3}\n"
    for d in "xy"
    for i in range(4)
    for s, seeds in (("A", (1, 2, 3)), ("B", (13, 12, 11)))
    for seed in seeds
)


def test_systems_with_seeds_of_their_own_are_averaged_and_keep_their_runs_names():
    error = refused(APART)
    (choice,) = error.choices
    assert choice.options == (("average", "Average each system's 3 runs"),)
    results = read(APART, runs="average")
    assert (results.runs_of("A"), results.runs_of("B")) == (("1", "2", "3"), ("13", "12", "11"))
    assert results.runs == ("1", "2", "3", "13", "12", "11")
    assert not results.has_shared_runs
    assert results.run_scores("y", "B").tolist() == [
        [float((i + seed) % 3) for seed in (13, 12, 11)] for i in range(4)
    ]
    remarks = " ".join(results.reading.remarks)
    assert "each system's own 3 runs" in remarks
    assert "No run of one system belongs to a run of another." in remarks


def test_a_run_that_an_example_lacks_is_named_by_the_systems_own_name():
    lines = [line for line in APART.splitlines() if not line.startswith("y,2,12,B")]
    (problem,) = refused("\n".join(lines), runs="average").problems
    assert "The system 'B' lacks 1 of 4 examples, in the run '12': '2'." in problem.what
    results = read("\n".join(lines), runs="average", incomplete="leave-out")
    assert results.run_scores("y", "B").shape == (3, 3)
    assert results.runs_of("B") == ("13", "12", "11")


@pytest.mark.parametrize("dropped", [("11",), ("11", "12"), ("1",)])
def test_systems_with_different_numbers_of_own_runs_are_refused_as_incomplete(dropped):
    lines = [line for line in APART.splitlines() if line.split(",")[2] not in dropped]
    assert "lacks 4 of 4 examples" in str(refused("\n".join(lines), runs="average"))


def test_one_run_of_its_own_each_is_read_as_it_is():
    lines = [line for line in APART.splitlines() if line.split(",")[2] in ("seed", "1", "11")]
    results = read("\n".join(lines), runs="average")
    assert results.scores("x", "B").tolist() == [float((i + 11) % 3) for i in range(4)]
    assert results.runs == ()
