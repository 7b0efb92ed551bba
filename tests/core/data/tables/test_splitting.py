"""Text is cut by the separator that fits every row, and lines are counted as an editor does."""

import pytest

from core.data.tables.limits import MAX_COLUMNS
from core.data.tables.splitting import split_table
from core.data.tables.text import DecodedText, decode_text
from core.errors import DataError


def cut(text, **limits):
    return split_table(DecodedText(content=text.encode(), encoding="UTF-8"), **limits)


def rows_of(raw):
    return tuple(zip(*map(raw.cells, raw.header), strict=True))


def problems_of(text, **limits):
    with pytest.raises(DataError) as caught:
        cut(text, **limits)
    return [str(problem) for problem in caught.value.problems]


def test_a_separator_that_makes_a_header_of_all_is_none():
    raw = cut('example|"x """|"x "","|"x ,"","\ny|-3,25|0|0\n"a"""|0|-3,25|0,5\n')
    assert (raw.header, raw.n_rows) == (("example", 'x "', 'x ",', 'x ,",'), 2)


def test_line_numbers_survive_blank_lines_and_newlines_in_quotes():
    raw = cut('\r\ndataset,p\r\n\r\n"two\r\nlines",.1\r\nz,.2\r\n')
    assert rows_of(raw) == (("two\r\nlines", ".1"), ("z", ".2"))
    assert raw.lines.tolist() == [4, 6]
    # Of a title, a declared separator, a comment, a rule and rows without content as well.
    for above in ("Table 3: results\n", "sep=,\n", "# by hand\n# in May\n", "\n\n"):
        raw = cut(f"{above}dataset,A,p\nx,1,.1\n,,\ny,2,.2\n")
        first = above.count("\n") + 2
        assert (raw.header, raw.lines.tolist()) == (("dataset", "A", "p"), [first, first + 2])
    assert cut("a|b\n|---|---|\nx|1\n").lines.tolist() == [3]


def test_every_kind_of_line_end_counts_one_line():
    for end in ["\n", "\r\n", "\r"]:
        assert cut(end.join(["dataset,p", "x,.1", "y,.2", ""])).lines.tolist() == [2, 3], end


def test_names_are_kept_and_only_outer_white_space_goes():
    raw = cut('dataset , p\n 007 ,NA\n 1.0,None\n"a, ""b""" ,null\n, "x y" \n')
    assert raw.header == ("dataset", "p")
    assert rows_of(raw) == (("007", "NA"), ("1.0", "None"), ('a, "b"', "null"), ("", "x y"))


def test_all_problems_come_at_once_with_their_lines():
    problems = problems_of("dataset,A,A,,p\nx,1,2,3,.1\ny,1\nz,1,2,3,.4,5\n")
    assert len(problems) == 4
    for problem, place, fact in zip(
        problems,
        ("Line 1: ", "Column 'A', line 1: ", "Line 3: ", "Line 4: "),
        ("Column 4", "2, 3", "2 cells", "6 cells"),
        strict=True,
    ):
        assert problem.startswith(place)
        assert fact in problem, place


def test_beyond_a_thousand_irregular_rows_are_counted():
    problems = problems_of("dataset,p\n" + "x,.1,\n" * 1003)
    assert len(problems) == 1001
    assert "3 more" in problems[-1]


def test_a_file_beyond_the_largest_is_refused(monkeypatch):
    monkeypatch.setattr("core.data.tables.splitting.MAX_CHARACTERS", 10)
    (problem,) = problems_of("dataset,p\nx,.1\n")
    assert "15 characters; at most 10 are read" in problem


def test_a_column_is_coded_by_its_texts():
    coded = cut("dataset,p\nx,.1\ny,.2\nx,.10\n").coded("dataset")
    assert coded.texts == ["x", "y"]
    assert coded.codes.tolist() == [0, 1, 0]
    assert coded.counts.tolist() == [2, 1]


def test_too_many_rows_are_named_with_the_limit():
    assert cut("dataset,p\n" + "x,.1\n" * 3, max_rows=3).n_rows == 3
    (problem,) = problems_of("dataset,p\n" + "x,.1\n" * 4, max_rows=3)
    assert "more than 3 rows" in problem


def test_too_many_columns_and_too_long_cells_are_problems():
    header = ",".join(f"c{i}" for i in range(MAX_COLUMNS + 1))
    assert "1,001 columns" in problems_of(f"{header}\n")[0]
    assert "131,072 characters" in problems_of(f"dataset,p\n{'x' * 140_000},.1\n")[0]


LONG = "".join(f"set{row // 30_000},{row},{row % 2},{row / 7:.6f}\n" for row in range(90_000))


def test_a_long_file_is_read_cell_by_cell_as_python_splits_it():
    raw = cut("dataset,id,A,B\n" + LONG)
    expected = [line.split(",") for line in LONG.splitlines()]
    assert list(map(list, rows_of(raw))) == expected
    assert raw.coded("dataset").texts == ["set0", "set1", "set2"]
    assert raw.lines.tolist() == list(range(2, 90_002))
    # What repeats is looked at once, what does not is not sorted into texts.
    assert raw.is_repetitive("dataset")
    assert raw.is_repetitive("A")
    assert not raw.is_repetitive("B")
    # Rows that are taken from it hold only their own texts.
    first = raw.kept(raw.coded("dataset").codes == 0)
    assert (first.coded("dataset").texts, first.n_rows) == (["set0"], 30_000)


def test_white_space_in_a_long_file_makes_no_texts_of_its_own():
    raw = cut("dataset,A\n" + "x ,1\nx, 1\n" * 200_000)
    assert raw.coded("dataset").texts == ["x"]
    assert raw.coded("A").texts == ["1"]


def test_an_unnamed_first_column_that_counts_the_rows_is_left_aside_with_a_remark():
    for start in [0, 1]:
        rows = "".join(f"{start + i},x,{i},1\n" for i in range(3))
        table = split_table(decode_text(f",dataset,A,B\n{rows}".encode()))
        assert table.header == ("dataset", "A", "B"), start
        assert table.cells("A") == ("0", "1", "2"), start
        assert table.lines.tolist() == [2, 3, 4], start
        assert len(table.remarks) == 1, start
        assert "Column 1" in table.remarks[0], start


def test_an_unnamed_first_column_of_names_is_named_beside_texts_too():
    table = split_table(decode_text(b",win_rate,n,mode\ngpt,97.6,8,min\nllama,41.5,9,all\n"))
    assert table.header == ("column 1", "win_rate", "n", "mode")


EMPTY_BESIDE = {
    "everywhere": "a,b,c,,\nx,1,2,,\ny,3,4,,\n",
    "in quotation marks": 'a,b,c,"",""\nx,1,2,"",""\ny,3,4,"",""\n',
    "white space": "a,b,c, ,\u00a0\nx,1,2,,\ny,3,4, ,\n",
    "not in the last rows": "a,b,c,,\nx,1,2,,\ny,3,4\n",
    "more in some rows": "a,b,c,,\nx,1,2,,,\ny,3,4,\n",
    "empty rows below": "a,b,c,,\nx,1,2,,\ny,3,4,,\n,,,,\n,,,,,,\n",
}


def test_columns_without_a_name_or_any_content_are_left_aside_with_a_remark():
    for case, text in EMPTY_BESIDE.items():
        for separator in ",;\t|":
            raw = cut(text.replace(",", separator))
            assert (raw.header, rows_of(raw)) == (
                ("a", "b", "c"), (("x", "1", "2"), ("y", "3", "4")),
            ), (case, separator)  # fmt: skip
            assert raw.lines.tolist() == [2, 3], (case, separator)
            assert raw.remarks[0].endswith("nor any content are left aside: 4-5."), case
            assert len(raw.remarks) == (2 if "rows below" in case else 1), case


def test_a_column_of_a_name_or_of_any_content_is_never_left_aside():
    assert cut("a,b,c,\nx,1,,\ny,2,,\n").header == ("a", "b", "c")
    assert problems_of("a,b,,\nx,1,,\ny,2,,7\n")[0].startswith("Line 1: Column 4 has no name.")
    # With a decimal comma in it, "0,03," under "p,notes" is no 0 beside a note.
    (problem,) = problems_of("dataset,A,B,p,notes\nx,92,91,0,03,\n")
    assert "6 cells, the header 5" in problem


def test_as_many_empty_columns_as_a_sheet_has_do_not_count_as_columns():
    n = 16_384
    raw = cut("a,b" + "," * n + "\nx,1" + "," * n + "\ny,2\n")
    assert rows_of(raw) == (("x", "1"), ("y", "2"))


def test_no_row_is_a_footnote_where_another_separator_stands_in_cells_of_other_rows():
    rows = ["dataset|example|system|score"]
    rows += [f"d|{i}|{s}|0" for i in (";", "bb") for s in (";0;", "bb")]
    table = split_table(decode_text("\n".join(rows).encode()))
    assert (table.n_rows, table.remarks) == (4, ())


@pytest.mark.parametrize(
    ("text", "header"),
    [
        ('"a b" "p"\n"1" "x y" 0.5\n"2" "z" 0.25\n', ("a b", "p")),
        ('"a b" "p"\n"x y" 0.5\n"z" 0.25\n', ("a b", "p")),
        ('"p" "q"\n"x y" 0.5 1\n"z" 0.25 1\n', ("column 1", "p", "q")),
        ("a b\tp\n1\tx y\t0.5\n2\tz\t0.25\n", ("a b", "p")),
    ],
)
def test_tables_of_r_have_row_names_under_no_heading(text, header):
    raw = cut(text)
    assert raw.header == header
    assert [*zip(*map(raw.cells, header[:2]), strict=True)] == [("x y", "0.5"), ("z", "0.25")]


@pytest.mark.parametrize("text", ["id,b,c\n1,2,0,5\n2,3,0,5\n", "id\tb\n1\t2\t\t\n2\t3\t4\t\n"])
def test_rows_longer_than_the_header_are_told_otherwise(text):
    assert "the header" in problems_of(text)[0]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "# Results\n\nAs it is.\n\n| a | b |\n|---|---|\n| x | 1 |\n\nSo far.\n",
            "a table on line 5",
        ),
        (
            "% x\n\\begin{tabular}{ll}\na & b\n\\end{tabular}\n| a |\n|---|\n",
            "2 tables, the first on line 2",
        ),
    ],
)
def test_a_text_with_tables_says_where_they_are(text: str, said: str) -> None:
    (problem,) = problems_of(text)
    assert f"The file is a text with {said}." in problem
