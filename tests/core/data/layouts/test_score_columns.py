"""Per-example scores are recognised by their columns and read whole, or refused with every reason."""

from core.data import SCORES, ResultSet
from core.data.tables import headings as column_names
from tests.core.data.layouts.texts import problems_of, read

START = "dataset,example,A,B\n"


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


def test_a_set_made_from_the_same_scores_has_the_same_fingerprint():
    results = read(START + "y,1,1,0\nx,001,0.5,0\nx,é,1,1\ny,2,0,0\n")
    made = ResultSet.from_scores(
        {"y": {"A": [1, 0], "B": [0, 0]}, "x": {"A": [0.5, 1], "B": [0, 1]}},
        examples={"y": ["1", "2"], "x": ["001", "é"]},
    )
    assert results.fingerprint == made.fingerprint


def test_beyond_a_thousand_the_wrong_cells_of_a_column_are_counted():
    rows = "".join(f"x,{i},{'' if i < 1500 else 1},0\n" for i in range(4000))
    problems = problems_of(START + rows)
    assert len(problems) == 1001
    assert "500 more cells of 'A'" in problems[-1]


def test_the_headings_of_many_columns_are_not_compared_each_with_each(monkeypatch):
    counted, of_one = [], column_names.heading

    def counting(name):
        counted.append(name)
        return of_one(name)

    monkeypatch.setattr("core.data.layouts.score_cells.heading", counting)
    names = [f"s{i}" for i in range(100)]
    read(",".join(["dataset", "example", *names]) + "\n" + ",".join(["x", "1", *["1"] * 100]))
    assert len(counted) < 1_000


def test_too_many_datasets_are_a_problem_with_the_limit():
    text = START + "".join(f"x{i},1,1,0\n" for i in range(10_001))
    (problem,) = problems_of(text)
    assert problem.startswith("Column 'dataset'")
    assert "10,001 datasets; at most 10,000" in problem


def test_a_long_file_is_read():
    n = 120_000
    text = START + "".join(f"d{i % 3},{i},{i % 2},{i % 5 == 0:d}\n" for i in range(n))
    results = read(text)
    assert [results.n_examples(dataset) for dataset in results.datasets] == [n // 3] * 3
    assert results.examples("d1")[:2] == ("1", "4")
    assert results.scores("d1", "A")[:2].tolist() == [1.0, 0.0]
