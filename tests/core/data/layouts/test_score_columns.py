"""Per-example scores are recognised by their columns and read whole, or refused with every reason."""

import re

import pytest

from core.data import SCORES, ResultSet
from core.data.tables import columns as column_names
from core.errors import DataError
from tests.core.data.layouts.texts import problems_of, read

START = "dataset,example,A,B\n"


def remarks_of(text, **roles):
    return " ".join(read(text, **roles).reading.remarks)


def test_every_part_of_a_file_is_read():
    results = read(
        "dataset,example,Ours,Base line\nSST-2,1,1,0\nRTE,1,0,0\nSST-2,002,1,1\n", name="mine.csv"
    )
    assert results.datasets == ("SST-2", "RTE")
    assert results.systems == ("Ours", "Base line")
    assert results.metrics == ("accuracy",)
    assert results.scores("SST-2", "Ours").tolist() == [1.0, 1.0]
    assert results.scores("SST-2", "Base line").tolist() == [0.0, 1.0]
    assert results.scores("RTE", "Ours").tolist() == [0.0]
    assert results.examples("SST-2") == ("1", "002")
    assert results.higher_is_better == {"accuracy": True}
    assert results.score_decimals == 0
    reading = results.reading
    assert (reading.layout, reading.source_name) == (SCORES, "mine.csv")
    assert reading.columns == ("dataset", "example", "Ours", "Base line")
    assert (reading.separator, reading.encoding, reading.remarks) == (",", "UTF-8", ())
    assert reading.roles == {
        "layout": SCORES,
        "dataset": "dataset",
        "example": "example",
        "systems": ("Ours", "Base line"),
        "metric_names": None,
        "run": None,
        "cluster": None,
        "covariates": (),
        "metric": "accuracy",
        "higher_is_better": True,
    }


@pytest.mark.parametrize(
    ("header", "dataset", "example"),
    [
        ("dataset,example,A,B", "dataset", "example"),
        ("Task,Sentence ID,A,B", "Task", "Sentence ID"),
        ("lang,item,A,B", "lang", "item"),
        ("A,B,corpus,example_id", "corpus", "example_id"),
        ("treebank,id,A,B", "treebank", "id"),
        ("index,A,B", None, "index"),
        ("dataset,A,B", "dataset", None),
        ("A,B", None, None),
    ],
)
def test_columns_are_recognised_by_their_headings(header, dataset, example):
    names = header.split(",")
    rows = [",".join(f"{i}" if n == example else "1" for n in names) for i in (1, 2)]
    roles = read("\n".join([header, *rows])).reading.roles
    assert (roles["dataset"], roles["example"]) == (dataset, example)
    assert roles["systems"] == ("A", "B")


@pytest.mark.parametrize(
    ("name", "dataset"),
    [
        ("mrpc.csv", "mrpc"),
        ("my.results.TSV", "my.results"),
        ("v1.2", "v1.2"),
        (".csv", "results"),
        (None, "results"),
    ],
)
def test_a_file_without_datasets_is_one_named_after_it(name, dataset):
    results = read("A,B\n1,0\n0,0\n", name=name)
    assert results.datasets == (dataset,)
    assert results.n_examples(dataset) == 2


def test_the_roles_of_a_reading_give_the_same_set_again():
    text = "task;nr;tokens;A (WER);B (WER);C (WER)\nx;1;5;0,5;1;2\nx;2;9;0,25;1;3\n"
    first = read(text)
    second = read(text, **first.reading.roles)
    assert second.reading == first.reading
    assert second.fingerprint == first.fingerprint


def test_names_that_look_like_numbers_or_nothing_stay_names():
    results = read(START + "".join(f"{n},{n},1,0\n" for n in ("7", "007", "NA", "None", "1.0")))
    assert results.datasets == ("7", "007", "NA", "None", "1.0")
    assert results.examples("NA") == ("NA",)


def test_the_same_id_may_stand_in_several_datasets_but_not_twice_in_one():
    assert read(START + "x,1,1,0\ny,1,1,0\n").n_datasets == 2
    problems = problems_of(START + "x,1,1,0\ny,1,1,0\nx,1,0,0\nx,1,0,1\n")
    assert problems == [
        f"Dataset 'x', column 'example', line {line}: The example '1' is already on line 2. Keep "
        "one row for each example of a dataset, or choose another column for the ids."
        for line in (4, 5)
    ]


def test_every_dataset_may_have_a_single_example():
    assert read(START + "x,1,1,0\ny,1,1,0\n").n_examples("x") == 1


def test_scores_keep_their_digits_and_decimals():
    results = read(START + "x,1,0.10,1e-3\nx,2,.5,2\nx,3,-3.25,+4\n")
    assert results.scores("x", "A").tolist() == [0.1, 0.5, -3.25]
    assert results.scores("x", "B").tolist() == [0.001, 2.0, 4.0]
    assert results.score_decimals == 3
    assert results.metrics == ("score",)


def test_a_set_made_from_the_same_scores_has_the_same_fingerprint():
    results = read(START + "y,1,1,0\nx,001,0.5,0\nx,é,1,1\ny,2,0,0\n")
    made = ResultSet.from_scores(
        {"y": {"A": [1, 0], "B": [0, 0]}, "x": {"A": [0.5, 1], "B": [0, 1]}},
        examples={"y": ["1", "2"], "x": ["001", "é"]},
    )
    assert results.fingerprint == made.fingerprint


def test_metric_and_direction_can_be_declared():
    results = read(START + "x,1,1,0\n", metric="edits", higher_is_better=False)
    assert results.higher_is_better == {"edits": False}
    assert results.oriented("x", "A").tolist() == [-1.0]
    assert read(START + "x,1,1,0\n", metric="WER").higher_is_better == {"WER": False}


@pytest.mark.parametrize(
    ("headings", "metric"),
    [
        ("A loss,B loss", "loss"),
        ("A (WER),B (WER)", "WER"),
        ("ter_ours,ter_base", "ter"),
        ("perplexity A,perplexity B", "perplexity"),
        ("oursError,baseError", "Error"),
        ("closs A,gloss B", None),
        ("loss,B", None),
    ],
)
def test_names_that_say_lower_is_better_are_believed_with_a_remark(headings, metric):
    results = read(f"dataset,example,{headings}\nx,1,0.5,1\nx,2,2,1\n")
    assert results.metrics == (metric or "score",)
    assert results.higher_is_better[results.metrics[0]] == (metric is None)
    remarks = " ".join(results.reading.remarks)
    assert ("Lower is taken to be better" in remarks) == (metric is not None)


def test_a_declared_direction_against_the_name_is_kept_with_a_remark():
    text = "dataset,example,A loss,B loss\nx,1,0.5,1\nx,2,2,1\n"
    assert read(text, higher_is_better=True).higher_is_better == {"loss": True}
    assert "but higher is declared to be" in remarks_of(text, higher_is_better=True)


def test_what_is_known_about_examples_is_no_system():
    results = read("dataset,example,length,A,B,seed,comment\nx,1,12,1,0,1,fine\nx,2,9,0,0,1,\n")
    assert results.systems == ("A", "B")
    assert results.reading.remarks == (
        "Not read: 'seed', 'comment'.",
        "Read as describing the examples, not as systems: 'length' (numbers).",
    )


def test_more_than_two_systems_are_listed():
    remarks = remarks_of(START.strip() + ",C\nx,1,1,0,1\nx,2,1,0,1\n")
    assert "3 systems are read: 'A', 'B', 'C'. Choose others" in remarks


def test_systems_can_be_chosen():
    text = "dataset,example,A,B,C,length\nx,1,1,0,1,9\nx,2,0,0,1,8\n"
    results = read(text, systems=["C", "length"])
    assert results.systems == ("C", "length")
    assert results.scores("x", "length").tolist() == [9.0, 8.0]
    assert results.reading.roles["systems"] == ("C", "length")


def test_scores_beside_a_label_are_scores():
    results = read("dataset,example,label,A,B\nx,1,pos,1,0\nx,2,neg,0,0\n")
    assert results.systems == ("A", "B")
    assert results.reading.remarks == ("Not read: 'label'.",)


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (",2,1,0", "Column 'dataset', line 4: The dataset has no name. Give it one: the name "
         "stands in every row of the dataset."),
        ("x,,1,0", "Dataset 'x', column 'example', line 4: The example has no id."),
        ("x,9,,0", "Dataset 'x', column 'A', line 4: There is no score. Give the score, or leave "
         "this example out for every system."),
        ("x,9,NaN,0", "Dataset 'x', column 'A', line 4: 'NaN' stands where a score should."),
        ("x,9,null,0", "Dataset 'x', column 'A', line 4: 'null' stands where a score should."),
        ("x,9,N/A,0", "Dataset 'x', column 'A', line 4: 'N/A' stands where a score should."),
        ("x,9,–,0", "Dataset 'x', column 'A', line 4: '–' stands where a score should."),
        ("x,9,0,-inf", "Dataset 'x', column 'B', line 4: '-inf' is not a finite number."),
        ("x,9,0,Infinity", "Dataset 'x', column 'B', line 4: 'Infinity' is not a finite number."),
        ("x,9,0,1e400", "Dataset 'x', column 'B', line 4: '1e400' is out of range."),
        # Its square is: no test can compute with it.
        ("x,9,0,-2e150", "Dataset 'x', column 'B', line 4: '-2e150' is out of range."),
        ("x,9,0,right", "Dataset 'x', column 'B', line 4: 'right' is not a number."),
        ("x,9,0,1_0", "Dataset 'x', column 'B', line 4: '1_0' is not a number."),
        ('x,9,0,"0,5"', "Dataset 'x', column 'B', line 4: '0,5' is not a number where the comma "
         "separates columns. Write a decimal point."),
        ("x,9,0", "Line 4: The row has 3 cells, the header 4."),
    ],
)  # fmt: skip
def test_each_wrong_cell_is_named_with_its_place(row, expected):
    (problem,) = problems_of(f"{START}x,1,1,0\nx,2,0,0\n{row}\ny,3,1,1\n")
    assert problem.startswith(expected)


def test_all_problems_come_at_once_in_the_order_of_columns():
    problems = problems_of(START + "x,1,?,0\n,2,1,0\nx,1,1,oops\nx,,,0\nx,5,1,1\n")
    assert [problem.split(":")[0] for problem in problems] == [
        "Column 'dataset', line 3",
        "Dataset 'x', column 'example', line 5",
        "Dataset 'x', column 'example', line 4",
        "Dataset 'x', column 'A', line 2",
        "Dataset 'x', column 'A', line 5",
        "Dataset 'x', column 'B', line 4",
    ]


def test_beyond_a_thousand_the_wrong_cells_of_a_column_are_counted():
    rows = "".join(f"x,{i},{'' if i < 1500 else 1},0\n" for i in range(4000))
    problems = problems_of(START + rows)
    assert len(problems) == 1001
    assert problems[-1] == (
        "There are 500 more cells of 'A' with such problems. Mend those above first."
    )


def test_a_column_of_many_missing_values_is_still_a_system():
    problems = problems_of(START + "x,1,NA,0\nx,2,NA,1\nx,3,NA,1\nx,4,1,1\n")
    assert len(problems) == 3


def test_a_value_that_breaks_the_kind_is_read_and_remarked_on():
    rows = "".join(f"x,{i},{i % 2},1\n" for i in range(30))
    text = START + rows + "y,1,0.5,1\n"
    results = read(text)
    assert results.scores("y", "A").tolist() == [0.5]
    assert results.metrics == ("score",)
    assert results.reading.remarks == (
        "'A' holds 0 and 1 but for one value, the first 0.5 on line 32, dataset 'y': it is not "
        "read as right or wrong there.",
    )


def test_datasets_in_percent_beside_others_in_fractions_are_remarked_on():
    by_dataset = START + "x,1,0.5,0.2\ny,1,0.1,1\nz,1,50,20\n"
    assert "Scores on 'z' go up to 50, on most others only to 1" in remarks_of(by_dataset)
    for plain in ("x,1,0.5,0.2\ny,1,0.1,1\n", "x,1,55,20\ny,1,7,1\n", "x,1,-3,0.5\ny,1,70,1\n"):
        assert remarks_of(START + plain) == ""


def test_signs_of_percent_and_decimal_commas_are_remarked_on():
    assert "keep the number as printed." in remarks_of(START + "x,1,50%,20 %\ny,1,70%,1%\n")
    assert "same scale" in remarks_of(START + "x,1,50%,20\ny,1,70%,4\n")
    commas = START.replace(",", ";") + "x;1;0,5;1,25\nx;2;1;0\n"
    assert read(commas).scores("x", "B").tolist() == [1.25, 0.0]
    assert remarks_of(commas) == "Commas in numbers are read as decimal marks."
    assert "separator of thousands" in remarks_of(commas + "x;3;1.234;0\n")


def test_names_that_look_the_same_are_pointed_out():
    remarks = remarks_of("dataset,example,sys,SYS\nx,1,1,0\nX,1,1,0\n")
    assert "different datasets" in remarks
    assert "different systems" in remarks


@pytest.mark.parametrize(
    ("text", "roles", "expected"),
    [
        ("dataset,example,A\nx,1,1\nx,2,0\n", {"layout": SCORES},
         "Only 'A' holds scores; a comparison needs two systems."),
        ("dataset,example,A\nx,1,a\nx,2,b\n", {"layout": SCORES}, "No column holds scores"),
        ("dataset,example,A,B\nx,1,1,\nx,2,0,\n", {}, "Only 'A' holds scores"),
        ("dataset,A\nx,1\ny,0\n", {}, "No layout fits the columns 'dataset', 'A'."),
        ("1,0\n1,1\n0,0\n", {}, "The first line names the systems '1', '0'"),
        (START + "x,1,1,0\n", {"systems": ["A", "A"]}, "Column 'A': The column has several roles"),
        (START + "x,1,1,0\n", {"dataset": "dataset", "systems": ["A", "dataset"]}, "Column 'dataset': The column has "
         "several roles: dataset, systems."),
        (START + "x,1,1,0\n", {"systems": "A"}, "'systems' must be a list of columns; got 'A'."),
        (START + "x,1,1,0\n", {"systems": ["A", "C"]}, "names the column 'C', which the file does "
         "not have. The file has the columns 'dataset', 'example', 'A', 'B'."),
        (START + "x,1,1,0\n", {"systems": ["A", 2]}, "names the column 2,"),
        (START + "x,1,1,0\n", {"layout": "wide"}, "There is no layout 'wide'. The layouts are "
         "'published table', "),
        (START + "x,1,1,0\n", {"system_a": "A"}, "The role 'system_a' is given, but 'per-example "
         "scores' has no such column. Leave it out, or choose another layout: this one has "
         "'dataset', 'example', 'systems', 'metric_names', 'run', 'cluster', 'covariates'."),
        (START + "x,1,1,0\n", {"layout": "published table"}, "No column is recognised as p-values "
         "among 'dataset', 'example', 'A', 'B'."),
    ],
)  # fmt: skip
def test_wrong_roles_and_too_few_systems_are_problems(text, roles, expected):
    (problem,) = problems_of(text, **roles)
    assert expected in problem


def test_errors_carry_the_columns_so_that_roles_can_be_given():
    with pytest.raises(DataError) as caught:
        read(START + "x,1,?,0\nx,2,1,1\n")
    assert caught.value.columns == ("dataset", "example", "A", "B")


def test_declarations_of_published_tables_are_left_aside():
    results = read(
        START + "x,1,1,0\n", alternative="not-stated", zero_reads_below=None, p_value=None
    )
    assert results.systems == ("A", "B")


def test_the_layout_can_be_chosen_against_what_the_columns_show():
    text = "dataset,A,B,total,p\nx,1,0,3,1\ny,1,1,4,0\n"
    assert read(text, layout=SCORES, dataset=None).systems == ("A", "B", "total")
    one_each = "dataset,A,B\nx,.9,.8\ny,.7,.6\n"
    assert read(one_each, layout=SCORES).n_examples("x") == 1
    assert read(one_each, layout=SCORES, dataset=None, example="dataset").datasets == ("results",)


def test_too_many_systems_are_a_problem_with_the_limit():
    names = [f"s{i}" for i in range(501)]
    text = ",".join(["dataset", "example", *names]) + "\n" + ",".join(["x", "1", *["1"] * 501])
    (problem,) = problems_of(text)
    assert "501 systems; at most 500 are read" in problem


def test_the_headings_of_many_columns_are_not_compared_each_with_each(monkeypatch):
    counted, of_one = [], column_names.heading

    def counting(name):
        counted.append(name)
        return of_one(name)

    monkeypatch.setattr("core.data.layouts.system_doubts.heading", counting)
    names = [f"s{i}" for i in range(100)]
    read(",".join(["dataset", "example", *names]) + "\n" + ",".join(["x", "1", *["1"] * 100]))
    assert len(counted) < 1_000


def test_too_many_datasets_are_a_problem_with_the_limit():
    text = START + "".join(f"x{i},1,1,0\n" for i in range(10_001))
    (problem,) = problems_of(text)
    assert "Column 'dataset': The column names 10,001 datasets; at most 10,000 are read." in problem


def test_a_long_file_is_read():
    n = 120_000
    text = START + "".join(f"d{i % 3},{i},{i % 2},{i % 5 == 0:d}\n" for i in range(n))
    results = read(text)
    assert [results.n_examples(dataset) for dataset in results.datasets] == [n // 3] * 3
    assert results.examples("d1")[:2] == ("1", "4")
    assert results.scores("d1", "A")[:2].tolist() == [1.0, 0.0]


GRID = "dataset,example,{}\nx,1,1,0,.5,1\nx,2,1,0,1,.2\n"


@pytest.mark.parametrize(
    ("headings", "metrics", "systems"),
    [
        ("acc_a,acc_b,f1_a,f1_b", ("acc", "f1"), ("a", "b")),
        ("acc_a,f1_a,acc_b,f1_b", ("acc", "f1"), ("a", "b")),
        ("acc_bert_base,acc_bert_large,f1_bert_base,f1_bert_large", ("acc", "f1"),
         ("bert_base", "bert_large")),
        ("bert-base acc,bert-large acc,bert-base f1,bert-large f1", ("acc", "f1"),
         ("bert-base", "bert-large")),
        ("rouge_1_a,rouge_1_b,rouge_l_a,rouge_l_b", ("rouge_1", "rouge_l"), ("a", "b")),
        ("ours (EM),base (EM),ours (F1),base (F1)", ("EM", "F1"), ("ours", "base")),
        ("a.bleu,a.fluency,b.bleu,b.fluency", ("bleu", "fluency"), ("a", "b")),
    ],
)  # fmt: skip
def test_headings_that_name_metric_and_system_are_read_as_both(headings, metrics, systems):
    results = read(GRID.format(headings))
    assert (results.metrics, results.systems) == (metrics, systems)
    columns = dict(zip(headings.split(","), ([1, 1], [0, 0], [0.5, 1], [1, 0.2]), strict=True))
    for heading, scores in columns.items():
        metric = next(m for m in metrics if m in heading)
        system = next(s for s in systems if re.search(rf"(^|[ _.]){s}($|[ _.])", heading))
        assert results.scores("x", system, metric).tolist() == scores
    assert "are read as the metrics" in results.reading.remarks[0]


@pytest.mark.parametrize(
    "headings",
    [
        "bert_base,bert_large,t5_base,t5_large",
        "acc_a,acc_b,f1_a,f1_c",
        "acc_a,acc_b,f1_a,other",
        "acc_a,acc_b,acc_c,acc_d",
        "acc_f1,acc_em,f1_f1,f1_em",
    ],
)
def test_headings_that_make_no_whole_grid_are_systems(headings):
    results = read(GRID.format(headings))
    assert results.systems == tuple(headings.split(","))
    assert len(results.metrics) == 1


def test_a_grid_is_read_as_systems_where_one_metric_is_declared():
    text = GRID.format("acc_a,acc_b,f1_a,f1_b")
    assert read(text, metric="score").systems == ("acc_a", "acc_b", "f1_a", "f1_b")
    assert read(text, metric="f1").metrics == ("f1", "acc")


def test_the_direction_of_each_metric_of_a_grid_is_its_own():
    results = read(GRID.format("acc_a,acc_b,loss_a,loss_b"))
    assert results.higher_is_better == {"acc": True, "loss": False}


def test_a_column_of_metrics_gives_several_on_the_same_examples():
    text = (
        "dataset,example,metric,A,B\nx,2,bleu,.5,1\nx,1,ter,4,5\nx,1,bleu,.1,.2\nx,2,ter,6,7\n"
        "y,1,ter,1,2\ny,1,bleu,.3,.4\n"
    )
    results = read(text)
    assert results.metrics == ("bleu", "ter")
    assert results.examples("x") == ("2", "1")
    assert results.scores("x", "A", "bleu").tolist() == [0.5, 0.1]
    assert results.scores("x", "B", "ter").tolist() == [7.0, 5.0]
    assert results.higher_is_better == {"bleu": True, "ter": False}
    assert read(text, metric="ter").metrics == ("ter", "bleu")
    problems = problems_of(text + "x,2,ter,0,0\n")
    assert problems[0].startswith(
        "Dataset 'x', column 'example', line 8: The example '2' of metric 'ter' is already on "
        "line 5."
    )


def test_a_dataset_may_be_scored_by_a_metric_of_its_own_where_that_is_declared():
    text = "dataset,example,metric,A,B\nx,1,acc,1,0\ny,1,f1,.5,.4\ny,2,f1,.1,.3\n"
    problems = problems_of(text)
    assert [problem.split(":")[0] for problem in problems] == ["Dataset 'x'", "Dataset 'y'"]
    assert "declare that no column names metrics" in problems[0]
    results = read(text, metric_names=None)
    assert results.metrics == ("score",)
    assert results.n_examples("y") == 2


def test_words_for_right_and_wrong_are_read_as_one_and_zero():
    results = read(START + "x,1,True,wrong\nx,2,false,RIGHT\nx,3,TRUE,right\n")
    assert results.metrics == ("accuracy",)
    assert results.scores("x", "A").tolist() == [1.0, 0.0, 1.0]
    assert results.scores("x", "B").tolist() == [0.0, 1.0, 1.0]
    assert results.reading.remarks == (
        "In 'A', 'B' these words are read as scores: 'RIGHT', 'TRUE', 'True', 'right' as 1; "
        "'false', 'wrong' as 0.",
    )
    assert read("A,B\ntrue,false\ntrue,true\n").systems == ("A", "B")


@pytest.mark.parametrize("words", ["yes,no", "true,maybe"])
def test_other_words_are_no_scores(words):
    one, other = words.split(",")
    with pytest.raises(DataError):
        read(START + f"x,1,{one},{other}\nx,2,{other},{one}\n")


def test_words_that_are_gold_labels_stay_labels():
    results = read("dataset,example,gold,A,B\nx,1,true,true,false\nx,2,false,true,false\n")
    assert results.labels is not None
    assert results.scores("x", "A").tolist() == [1.0, 0.0]
    beside = read("dataset,example,label,A,B\nx,1,pos,true,false\nx,2,neg,true,false\n")
    assert beside.reading.layout == SCORES


def test_a_number_named_p_beside_scores_of_examples_is_no_p_value():
    with_ids = "dataset,example,A,B,p\nx,1,1,0,.4\nx,2,0,1,.3\n"
    assert read(with_ids).systems == ("A", "B")
    many = "dataset,A,B,p\n" + "x,1,0,.4\ny,0,1,.2\n" * 6
    assert read(many).n_examples("x") == 6
    assert "already on line" in problems_of(with_ids, layout="published table")[0]


def test_percent_beside_fractions_in_one_column_is_a_problem():
    text = START + "x,1,85%,20\nx,2,0.8,37\nx,3,75%,44\nx,4,0,12\n"
    (problem,) = problems_of(text)
    assert problem.startswith(
        "Dataset 'x', column 'A', line 3: '0.8' has no sign of percent, others of the column have"
    )
    (problem,) = problems_of(text.replace("85%", "0.7"))
    assert problem.startswith("Dataset 'x', column 'A', line 4: '75%' has a sign of percent")


def test_metrics_below_one_another_may_have_scales_of_their_own():
    text = "dataset,example,metric,A,B\n" + "".join(
        f"x,{i},acc,{i}5%,{i}7%\nx,{i},loss,.{i},.4\n" for i in range(1, 5)
    )
    assert read(text).metrics == ("acc", "loss")
    assert "has no sign of percent" in problems_of(text.replace("35%", "0.35"))[0]


def test_an_empty_column_is_said_to_be_empty():
    results = read("dataset,example,A,B,C,split\nx,1,1,0,,dev\nx,2,0,1,,dev\n")
    assert results.systems == ("A", "B")
    assert "'C' is empty." in results.reading.remarks
    assert not any("Not read" in remark and "'C'" in remark for remark in results.reading.remarks)
