"""Numbers of several files mean what they mean in each file alone."""

import openpyxl
import pytest

from core.data import PValueTable, ResultSet, read_results
from core.errors import DataError

HEADER = "dataset,example,ours,base\n"


@pytest.fixture
def read(tmp_path):
    def read_files(**texts):
        paths = []
        for name, text in texts.items():
            paths.append(tmp_path / f"{name}.csv")
            paths[-1].write_text(text)
        results = read_results(paths)
        assert isinstance(results, ResultSet)
        return results

    return read_files


def rows(*rows_, separator=","):
    text = HEADER.replace(",", separator)
    for row in rows_:
        cells = (f'"{cell}"' if separator in cell else cell for cell in row)
        text += separator.join(cells) + "\n"
    return text


SEMICOLONS = rows(("y", "1", "1,5", "2,25"), ("y", "2", "3,5", "4,5"), separator=";")


def test_a_comma_that_its_own_file_leaves_open_is_no_decimal_mark_beside_another_file(read):
    commas = rows(("x", "1", "1,234", "0.5"), ("x", "2", "2.5", "3.5"))
    with pytest.raises(DataError) as alone:
        read(a=commas)
    with pytest.raises(DataError) as beside:
        read(a=commas, b=SEMICOLONS)
    (one,), (other,) = alone.value.problems, beside.value.problems
    assert (one.what, one.line, one.column) == (other.what, other.line, other.column)
    assert other.file == "a.csv"
    assert "1.234 or 1234" in other.what


@pytest.mark.parametrize(
    ("in_commas", "in_semicolons"),
    [
        ("1.234", "1.234,5"),
        ("1,234.5", "3,456"),
        ("1,234.5", "1.234,5"),
        ("12.5", "0,125"),
    ],
)
def test_each_file_gives_the_numbers_that_it_gives_alone(read, in_commas, in_semicolons):
    one = rows(("x", "1", in_commas, "0.5"), ("x", "2", "2.5", "3.5"))
    other = rows(("y", "1", in_semicolons, "2,25"), ("y", "2", "3,5", "4,5"), separator=";")
    together = read(a=one, b=other)
    alone = read(c=one), read(d=other)
    for dataset, own in zip("xy", alone, strict=True):
        for system in ("ours", "base"):
            expected = own.scores(dataset, system).tolist()
            assert together.scores(dataset, system).tolist() == expected
    remarks = " ".join(together.reading.remarks)
    assert "'b.csv': Commas in 'base' are read as decimal marks." in remarks


def test_what_a_workbook_stores_has_decimal_points(tmp_path):
    book = openpyxl.Workbook()
    for row in (["dataset", "example", "ours", "base"], ["x", 1, 1.234, 1], ["x", 2, 2, 2.5]):
        book.worksheets[0].append(row)
    book.save(tmp_path / "a.xlsx")
    for separator in (";", "\t"):
        other = rows(("y", "1", "1.234,5", "2,25"), ("y", "2", "3,5", "4,5"), separator=separator)
        (tmp_path / "b.csv").write_text(other)
        results = read_results([tmp_path / "a.xlsx", tmp_path / "b.csv"])
        assert isinstance(results, ResultSet)
        assert results.scores("x", "ours").tolist() == [1.234, 2]
        assert results.scores("y", "ours").tolist() == [1234.5, 3.5]


def test_names_and_ids_stay_as_they_are_written(read):
    one = rows(("x", "1,5", "1", "0.5"), ("x", "2,5", "2.5", "3.5"))
    other = rows(("y", "1,5", "1,5", "2,25"), ("y", "2,5", "3,5", "4,5"), separator=";")
    results = read(a=one, b=other)
    assert results.examples("x") == results.examples("y") == ("1,5", "2,5")


def test_a_p_value_with_a_comma_is_refused_in_the_file_whose_columns_commas_separate(tmp_path):
    text = 'dataset,A,B,p_value\nx,1,2,"<0,01"\nz,1,2,.5\n'
    (tmp_path / "a.csv").write_text(text)
    (tmp_path / "b.csv").write_text("dataset;A;B;p_value\ny;1;2;<0,001\nw;1;2;0,5\n")
    with pytest.raises(DataError) as caught:
        read_results([tmp_path / "a.csv", tmp_path / "b.csv"])
    (problem,) = caught.value.problems
    assert (problem.file, problem.line, problem.column) == ("a.csv", 2, "p_value")
    (tmp_path / "a.csv").write_text(text.replace('"<0,01"', "<0.01"))
    table = read_results([tmp_path / "a.csv", tmp_path / "b.csv"])
    assert isinstance(table, PValueTable)
    assert table.p_values.tolist() == [0.01, 0.5, 0.001, 0.5]
