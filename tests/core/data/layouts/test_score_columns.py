"""Per-example scores are recognised by their columns and read whole, or refused with every reason."""

import pytest

from core.data import read_results
from core.data.score_table import ScoreTable
from tests.core.data.layouts.texts import problems_of, read, refused

START = "dataset,example,A,B\n"


def test_beyond_a_thousand_the_wrong_cells_of_a_column_are_counted():
    rows = "".join(f"x,{i},{'' if i < 1500 else 1},0\n" for i in range(4000))
    problems = problems_of(START + rows)
    assert len(problems) == 1001
    assert "500 more cells of 'A'" in problems[-1]


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


def test_numbers_too_large_to_compute_with_are_named_cell_by_cell_in_every_kind_of_file():
    for text, n in (
        (START + "x,1,1e308,2e307\nx,2,1e308,1\n", 3),
        (START + "x,1,1e308,1e200\nx,2,2e308,1e200\n", 4),
        (START + "x,1,.5e400,+1e400\nx,2,−1e400,1e+999%\n", 4),
        ("dataset,ours,base,p_value\nx,1e300,2e300,.01\ny,1e300,1,.2\n", 3),
    ):
        problems = problems_of(text)
        assert len(problems) == n, text
        assert all("is out of range" in one and "line" in one for one in problems), text


@pytest.mark.parametrize(
    ("header", "wrong"),
    [
        ("dataset,ours accuracy,base accuracy,p", {"191", "-5"}),
        ("dataset,ours F1,base F1,other F1", {"191", "-5"}),
        ("dataset,ours,base,p", set()),
        ("dataset,ours MCC,base MCC,p", set()),
        ("dataset,accuracy gain of ours,accuracy gain of base,p", set()),
    ],
)
def test_scores_that_are_shares_lie_from_0_to_100(header, wrong):
    text = f"{header}\na,90,89,.01\nb,191,90,.03\nc,-5,90,.03\n"
    if wrong:
        problems = problems_of(text)
        assert [f"'{cell}' lies outside 0 to 100" in one for cell in wrong for one in problems]
        assert [one.split(":")[0].split(", ")[::2] for one in problems] == [
            ["Dataset 'b'", "line 3"], ["Dataset 'c'", "line 4"]
        ]  # fmt: skip
    else:
        assert read_results(text.encode()).datasets == ("a", "b", "c")


def test_what_runs_cost_is_no_metric_beside_others():
    rows = "".join(
        f"{d},{m},{s},{1000 + s},.{s}\n" for d in "xy" for m in "AB" for s in range(1, 4)
    )
    text = f"dataset,model,seed,Runtime,eval/accuracy\n{rows}"
    assert read(text).metrics == ("eval/accuracy",)
    alone = read_results(b"dataset,system,runtime\nx,A,2\nx,B,3\ny,A,2\ny,B,3\n")
    assert isinstance(alone, ScoreTable)
    assert (alone.metric, alone.higher_is_better) == ("runtime", False)


def test_what_is_the_same_for_every_system_is_no_metric_unless_named_as_one():
    rows = "".join(f"{i},{m},{i % 3},{(i + (m == 'A')) % 2}\n" for m in "AB" for i in range(6))
    assert read("id,model,sense_id,sim\n" + rows).metrics == ("sim",)
    assert read("id,model,acc,sim\n" + rows).metrics == ("acc", "sim")


@pytest.mark.parametrize("heading", ["Step", "epoch", "global_step"])
@pytest.mark.parametrize("in_rows", [True, False])
def test_steps_of_training_are_examples_only_where_someone_says_so(heading, in_rows):
    steps = range(1, 13)
    text = f"{heading},ours,base\n" + "".join(f"{i},.{70 + i},.{60 + i}\n" for i in steps)
    if in_rows:
        rows = (f"x,{m},{i},.{70 + i}\n" for m in ("ours", "base") for i in steps)
        text = f"dataset,model,{heading},acc\n{''.join(rows)}"
    error = refused(text)
    assert "Training steps are not examples" in str(error)
    (choice,) = error.choices
    results = read(text, **{choice.role: choice.options[0][0]})
    assert results.n_examples(results.datasets[0]) == len(steps)
