"""Any source and any bytes end in a table, a set of results or a DataError."""

import gzip
import io
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from core.data import LAYOUTS, ResultSet, read_results, reading
from core.data.layouts.count_columns import OUTCOMES as MCNEMAR_COUNTS
from core.data.layouts.registry import SCORE_GRID, recognise_layout
from core.errors import DataError
from tests.core.data.layouts.texts import problems_of
from tests.read_as import read_as

FILE = b"dataset,A,B,p\nx,1,2,.5\n"


def read(*arguments, **named):
    """Without the declared type: that a table has a reading and scores is what is tested."""
    return read_results(*arguments, **named)


def test_bytes_paths_and_binary_files_read_the_same(tmp_path):
    path = tmp_path / "table.csv"
    path.write_bytes(FILE)
    with path.open("rb") as opened:
        named = [read(source) for source in (str(path), path, opened, [path])]
    unnamed = [read(source) for source in (FILE, bytearray(FILE), io.BytesIO(FILE), (FILE,))]
    assert len({table.fingerprint for table in (*named, *unnamed)}) == 1
    assert {table.reading.source_name for table in named} == {"table.csv"}
    assert {table.reading.source_name for table in unnamed} == {"results"}


@pytest.mark.parametrize(("sources", "said"), [([], "no file"), ([FILE] * 2_001, "2,001 files")])
def test_there_is_a_file_and_not_too_many(sources, said):
    with pytest.raises(DataError, match=said):
        read(sources)


def test_paths_are_named_from_the_folder_that_they_share(tmp_path):
    for place in ("bert/mrpc.txt", "bert/rte.txt", "gpt/mrpc.txt", "gpt/rte.txt"):
        (tmp_path / "runs" / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "runs" / place).write_text("1\n0\n" if "mrpc" in place else "1\n0\n1\n")
    results = read(sorted((tmp_path / "runs").rglob("*.txt")))
    assert (results.datasets, results.systems) == (("mrpc", "rte"), ("bert", "gpt"))
    assert results.reading.source_name == "runs"


def test_other_sources_are_refused_by_type():
    with pytest.raises(TypeError, match="got int"):
        read(3)
    with pytest.raises(TypeError, match="binary mode"):
        read(io.StringIO("dataset,p\n"))


def test_what_a_layout_made_stays_as_it_is_and_its_scores_are_not_copied(monkeypatch):
    made: list[Any] = []

    def recorded(raw, given):
        layout, roles = recognise_layout(raw, given)

        def read_and_keep(*arguments):
            made.append(layout.read(*arguments))
            return made[0]

        return replace(layout, read=read_and_keep), roles

    monkeypatch.setattr(reading, "recognise_layout", recorded)
    rows = "".join(f"x,{i},{i % 2},0.5\n" for i in range(50))
    results = read(gzip.compress(f"dataset,example,A,B\n{rows}".encode()), name="mine.gz")
    assert isinstance(results, ResultSet)
    assert (made[0].reading.source_name, results.reading.source_name) == ("mine", "mine.gz")
    assert results.fingerprint == made[0].fingerprint
    assert np.shares_memory(results.scores("x", "A"), made[0].scores("x", "A"))


# What holds for every file of a layout is said of its template too.
SAID_OF_ALL = {
    MCNEMAR_COUNTS: "The examples are rebuilt from the counts",
    SCORE_GRID: "One score for each dataset and system",
}


def test_templates_read_as_their_layout_with_no_remark_of_their_own():
    for layout, text in ((kind.name, kind.template) for kind in LAYOUTS):
        reading = read(text.encode()).reading
        assert reading.layout == layout, (layout, text)
        said = [SAID_OF_ALL[layout]] if layout in SAID_OF_ALL else []
        begun = [remark.split(" and have")[0].split(":")[0] for remark in reading.remarks]
        assert begun == said, layout


def test_layouts_say_which_roles_their_columns_have():
    for layout in LAYOUTS:
        roles = read(layout.template.encode()).reading.roles
        # Of margins a file seldom has a column.
        assert set(layout.needs) <= set(layout.roles) <= {*roles, "margin"}, layout
        assert roles["layout"] == layout.name, layout
        assert layout.description.endswith("."), layout


def test_a_thousand_datasets_are_read_in_their_order():
    text = "dataset,example,A,B\n" + "".join(
        f"set{i % 1000},{i},{i % 2},{i % 3 % 2}\n" for i in range(5000)
    )
    results = read_as(ResultSet, text.encode())
    assert results.datasets == tuple(f"set{i}" for i in range(1000))
    assert results.examples("set7") == ("7", "1007", "2007", "3007", "4007")
    assert results.scores("set7", "A").tolist() == [1.0] * 5


def test_a_long_file_reads_as_its_rows_in_any_order_do():
    rng = np.random.default_rng(3)
    rows = [f"set{i // 15_000},{i},{i % 2},{i / 60_000:.6f}" for i in range(60_000)]
    plain = read_as(ResultSet, "\n".join(["dataset,example,A,B", *rows]).encode())
    assert plain.scores("set2", "B")[:2].tolist() == [
        round(i / 60_000, 6) for i in (30_000, 30_001)
    ]
    # The datasets' rows lie apart, but those of each keep their order.
    apart = sorted(rows, key=lambda row: int(row.split(",")[1]) % 15_000)
    assert apart != rows
    mixed = read_as(ResultSet, "\n".join(["dataset,example,A,B", *apart]).encode())
    assert mixed.fingerprint == plain.fingerprint
    twice = [*rows, rows[int(rng.integers(len(rows)))]]
    with pytest.raises(DataError, match="Remove the copies"):
        read_results("\n".join(["dataset,example,A,B", *twice]).encode())


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


def test_too_many_rows_for_a_table_of_datasets_are_a_problem():
    text = "dataset,p\n" + "".join(f"d{i},.5\n" for i in range(100_001))
    (problem,) = problems_of(text)
    assert "The column names 100,001 datasets; at most 10,000 are read." in problem


def test_predictions_of_ids_that_recur_in_another_dataset_are_all_matched_with_their_gold() -> None:
    rows = [f"{d},{i},{s},x,x" for d in "pq" for i in range(1, 5) for s in ("a", "b")]
    content = "\n".join(["dataset,example,system,gold,prediction", *rows]).encode()
    assert [
        (one.system, one.n_examples, one.n_matched, one.left_over)
        for one in read_results(content).reading.matched
    ] == [("a", 8, 8, ()), ("b", 8, 8, ())]
