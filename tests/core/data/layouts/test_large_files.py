"""Large files are read whole or refused with the limit, and many wrong cells are counted."""

from tests.core.data.layouts.texts import problems_of, read

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


def test_too_many_rows_for_a_table_of_datasets_are_a_problem():
    text = "dataset,p\n" + "".join(f"d{i},.5\n" for i in range(100_001))
    (problem,) = problems_of(text)
    assert "100,001 rows and p-values in 'p'; a published table has at most 100,000" in problem
