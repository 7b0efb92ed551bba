"""A workbook reads as its sheet does when saved as CSV, each cell exactly."""

import io
import re
import zipfile
from contextlib import suppress
from datetime import date, datetime, time

import openpyxl
import pytest

from core.data import ResultSet, read_results
from core.data.sources.allowance import Allowance
from core.data.sources.stages import Stages
from core.data.sources.workbook import read_sheets
from core.errors import DataError

HEADER: list[object] = ["dataset", "example", "ours", "base"]
ROWS: list[list[object]] = [
    ["x", 1, 1, 0.25],
    ["x", 2, 0.1, 1],
    ["y", 1, 1e-7, 0.3],
    ["y", 2, 5, 0],
]


def workbook(sheets):
    book = openpyxl.Workbook()
    book.remove(book.worksheets[0])
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


def changed(content, member, change):
    """The workbook with one part of it changed."""
    result = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(content)) as source,
        zipfile.ZipFile(result, "w", zipfile.ZIP_DEFLATED) as target,
    ):
        for name in source.namelist():
            part = source.read(name)
            target.writestr(name, change(part) if name == member else part)
    return result.getvalue()


def tables(content, only=None):
    return read_sheets(content, name="t.xlsx", allowance=Allowance(), stages=Stages(), only=only)


def only_table(rows):
    (sheet,) = tables(workbook({"s": rows}))
    assert sheet.table is not None, sheet.problems
    return sheet.table


def refusal(content, **named):
    with pytest.raises(DataError) as caught:
        read_results(content, **named)
    return caught.value


def test_a_sheet_reads_as_the_same_table_in_csv():
    text = "\n".join(",".join(map(str, row)) for row in [HEADER, *ROWS])
    table, plain = read_results(workbook({"s": [HEADER, *ROWS]})), read_results(text.encode())
    assert isinstance(table, ResultSet)
    assert table.fingerprint == plain.fingerprint
    assert table.scores("y", "base").tolist() == [0.3, 0]


def test_cells_are_written_exactly():
    texts = ["a,b", 'say "so"', "tab\there", "two\nlines", "semi;colon|bar", "日本", "=", "1.50"]
    rows = [[text, 1] for text in texts]
    assert only_table([["name, first", "n"], *rows]).cells("name, first") == tuple(texts)


@pytest.mark.parametrize(
    ("value", "text"),
    [(3, "3"), (3.0, "3"), (0.1, "0.1"), (1e-12, "1e-12"), (-0.5, "-0.5"), (True, "TRUE"),
     (False, "FALSE"), (123456789012345, "123456789012345"), (None, ""), (" x ", "x")],
)  # fmt: skip
def test_values_have_one_text(value, text):
    assert only_table([["a", "b"], ["k", value], ["l", 1]]).cells("b")[0] == text


@pytest.mark.parametrize(
    ("stored", "text"),
    [("0.30000000000000004", "0.30000000000000004"), ("0.10000000000000001", "0.1"),
     ("1.0", "1"), ("5.0000000000000001E-2", "0.05"), ("123456789012345678", "123456789012345678")],
)  # fmt: skip
def test_a_stored_number_is_written_by_its_fewest_digits(stored, text):
    content = changed(
        workbook({"s": [["a", "b"], [7, 8]]}),
        "xl/worksheets/sheet1.xml",
        lambda part: part.replace(b"<v>8</v>", b"<v>%b</v>" % stored.encode()),
    )
    (sheet,) = tables(content)
    assert sheet.table is not None
    assert sheet.table.cells("b") == (text,)


def test_lines_are_rows_of_the_sheet_and_blank_ones_are_left_out():
    table = only_table([[None], ["a", "b", None], [1, 2, ""], [None, None], [3, 4]])
    assert table.header == ("a", "b")
    assert table.lines.tolist() == [3, 5]


def test_a_title_above_the_header_is_left_aside_with_a_remark():
    table = only_table([["Results, all of them"], ["dataset", "A", "p"], ["x", 1, 0.5]])
    assert table.header == ("dataset", "A", "p")
    assert "'Results, all of them'" in table.remarks[0]


def test_a_sheet_that_begins_further_right_reads_the_same():
    table = only_table([[None, None, "a", "b"], [None, None, 1, 2]])
    assert (table.header, table.cells("b")) == (("a", "b"), ("2",))


def test_cells_of_white_space_beside_and_below_a_table_are_no_part_of_it():
    table = only_table([["a", "b", "", " "], [1, 2, None, "\u00a0"], [3, 4], [" ", None, " "]])
    assert (table.header, table.cells("b")) == (("a", "b"), ("2", "4"))
    assert table.remarks[0].startswith("Columns 3 and 4 have neither names")


def test_errors_and_formulas_without_a_result_are_named_with_their_place():
    rows = [HEADER, ["x", 1, 1, 1], ["x", 2, 1, "#N/A"], ["x", 3, "=1+1", 1]]
    problems = refusal(workbook({"s": rows})).problems
    found = [(problem.line, problem.column, problem.what) for problem in problems]
    assert sorted((line, column) for line, column, _ in found) == [
        (3, "base"), (4, "ours"),
    ]  # fmt: skip
    whole = " ".join(what for _, _, what in found)
    assert "the error #N/A" in whole
    assert "a formula whose result is not stored" in whole


def test_a_date_among_scores_is_named_as_one():
    rows = [HEADER, ["x", 1, date(2026, 3, 1), 1], *([["x", i, 1, 0.5] for i in range(2, 9)])]
    (problem,) = refusal(workbook({"s": rows})).problems
    assert (problem.line, problem.column) == (2, "ours")
    assert "'2026-03-01' is not a number. The cell is a date in the sheet." in problem.what
    files = [named(workbook({"s": rows}), "a.xlsx"), named(workbook({"s": rows}), "b.xlsx")]
    problems = [problem for problem in refusal(files).problems if problem.column == "ours"]
    assert {problem.file for problem in problems} == {"a.xlsx", "b.xlsx"}
    assert all("is a date in the sheet" in problem.what for problem in problems)


def named(content, name):
    file = io.BytesIO(content)
    file.name = name
    return file


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (date(2026, 3, 1), "2026-03-01"),
        (datetime.fromisoformat("2026-03-01 12:30:00"), "2026-03-01 12:30:00"),
        (time(12, 30), "12:30:00"),
    ],
)
def test_dates_that_no_score_needs_are_kept_as_texts(value, text):
    rows = [[*HEADER, "when"], *([*row, value] for row in ROWS)]
    results = read_results(workbook({"s": rows}))
    assert results.fingerprint == read_results(workbook({"s": [HEADER, *ROWS]})).fingerprint
    assert only_table(rows).cells("when") == (text,) * 4


def test_datasets_may_be_called_by_dates():
    rows = [HEADER, *([date(2026, month, 1), *row[1:]] for month in (1, 2) for row in ROWS[:2])]
    assert read_results(workbook({"s": rows})).datasets == ("2026-01-01", "2026-02-01")


def test_numbers_among_dates_are_remarked_upon():
    values = [date(2026, 5, 1), 2.5, 3.5, date(2026, 6, 1)]
    rows = [["k", 2026, "n"], *([i, value, 1] for i, value in enumerate(values))]
    (remark,) = only_table(rows).remarks
    assert remark.startswith("In '2026' dates stand between numbers (2, the first one in row 2: ")
    assert only_table([["k", 2026], [1, values[0]], [2, values[0]]]).remarks == ()


def test_percentages_among_plain_numbers_are_remarked_upon():
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    for row in (["k", "mixed", "percent", "plain"], [1, 0.05, 0.5, 1], [2, 7, 0.25, 0.05]):
        sheet.append(row)
    for cell in ("B2", "C2", "C3"):
        sheet[cell].number_format = "0.0%"
    content = saved(book)
    (only,) = tables(content)
    assert only.table is not None
    assert only.table.cells("mixed") == ("0.05", "7")
    assert only.table.remarks == (
        "In 'mixed' the sheet shows 1 of 2 numbers as percentages: all are read as they are "
        "stored, 5% as 0.05.",
    )


def test_a_hidden_sheet_is_left_aside_and_named():
    content = with_hidden({"data": [HEADER, *ROWS], "old": [HEADER, *ROWS]}, "old")
    results = read_results(content)
    assert results.datasets == ("x", "y")
    assert results.reading is not None
    assert "The hidden sheet is left aside: 'old'." in results.reading.remarks
    assert read_results(content, roles={"sheet": "old"}).fingerprint == results.fingerprint


def test_hidden_sheets_are_a_question_where_no_other_holds_anything():
    content = with_hidden({"empty": [], "a": [HEADER, *ROWS], "b": [["x"]]}, "a", "b")
    error = refusal(content)
    (choice,) = error.choices
    assert choice.role == "sheet"
    assert [value for value, _ in choice.options] == ["a", "b"]
    assert "is hidden: 'a', 'b'" in str(error)
    assert read_results(content, roles={"sheet": "a"}).datasets == ("x", "y")


def test_a_hidden_sheet_can_be_chosen_where_the_one_shown_is_no_table():
    content = with_hidden({"notes": [["Some text"]], "data": [HEADER, *ROWS]}, "data")
    (choice,) = refusal(content).choices
    assert choice.options[1] == ("data", "the hidden sheet 'data'")


def test_hidden_rows_and_columns_are_read_and_counted():
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    sheet.append(["", ""])
    sheet.append([*HEADER, "C"])
    for row in ROWS:
        sheet.append([*row, 1])
    for hidden in (1, 4, 6, 99):
        sheet.row_dimensions[hidden].hidden = True
    for letter in ("D", "Q"):
        sheet.column_dimensions[letter].hidden = True
    results = read_results(saved(book))
    assert isinstance(results, ResultSet)
    assert results.reading is not None
    assert results.scores("x", "base").tolist() == [0.25, 1]
    remarks = results.reading.remarks
    assert "2 hidden rows of the sheet are read like the others." in remarks
    assert "1 hidden column of the sheet is read like the others: 'base'." in remarks


def test_sheets_put_together_are_called_sheets():
    both = workbook({"mrpc": [HEADER, *ROWS[:2]], "rte": [HEADER, *ROWS[2:]]})
    reading = read_results(both).reading
    assert reading is not None
    assert reading.remarks[0] == "The rows of 2 sheets are put together: 'mrpc', 'rte'."
    apart = workbook({"mrpc": [HEADER[2:], [1, 0], [0, 1]], "rte": [HEADER[2:], [1, 1]]})
    reading = read_results(apart).reading
    assert reading is not None
    assert reading.remarks[0] == "Each sheet is read as a dataset, by its name: 'mrpc', 'rte'."
    names = [f"{d}.{s}" for d in ("mrpc", "rte") for s in ("bert", "gpt")]
    pairs = workbook({name: [["id", "score"], ["a", 1], ["b", 0]] for name in names})
    reading = read_results(pairs).reading
    assert reading is not None
    assert "The sheets' names are read as dataset and system" in " ".join(reading.remarks)
    assert reading.choices[0].question == "Which part of the sheets' names is the dataset?"


def with_hidden(sheets, *hidden):
    book = openpyxl.load_workbook(io.BytesIO(workbook(sheets)))
    for title in hidden:
        book[title].sheet_state = "hidden"
    return saved(book)


def saved(book):
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


def test_a_date_beyond_all_dates_is_named_without_a_warning():
    content = changed(
        workbook({"s": [HEADER, ["x", 1, date(2026, 3, 1), 1], ["x", 2, 1, 1]]}),
        "xl/worksheets/sheet1.xml",
        lambda part: re.sub(rb"(<v>)[^<]*(</v></c><c r=\"D2\")", rb"\g<1>99999999999\g<2>", part),
    )
    (problem,) = refusal(content).problems
    assert (problem.line, problem.column) == (2, "ours")


def test_a_formula_with_a_stored_result_reads_as_its_result():
    content = workbook({"s": [["a", "b"], [1, "=1+1"]]})
    stored = changed(
        content,
        "xl/worksheets/sheet1.xml",
        # As the standard library writes an empty element, or lxml where that is installed.
        lambda part: re.sub(rb"<v ?/>|<v></v>", b"<v>2</v>", part),
    )
    assert stored != content
    (sheet,) = tables(stored)
    assert sheet.table is not None
    assert sheet.table.cells("b") == ("2",)


def test_sheets_alike_are_one_dataset_each():
    content = workbook({"mrpc": [HEADER[2:], [1, 0], [0, 1]], "rte": [HEADER[2:], [1, 1]], "e": []})
    results = read_results(content)
    assert isinstance(results, ResultSet)
    assert results.datasets == ("mrpc", "rte")
    assert results.scores("rte", "base").tolist() == [1]


def test_sheets_that_differ_are_a_question_and_the_answer_is_kept():
    content = workbook({"notes": [["Some text"]], "data": [HEADER, *ROWS], "more": [["a"], ["b"]]})
    error = refusal(content)
    (choice,) = error.choices
    assert choice.role == "sheet"
    assert [value for value, _ in choice.options] == ["notes", "data", "more"]
    results = read_results(content, roles={"sheet": "data"})
    assert results.datasets == ("x", "y")
    assert results.reading is not None
    assert results.reading.roles["sheet"] == "data"
    again = read_results(content, roles=dict(results.reading.roles))
    assert again.fingerprint == results.fingerprint


def test_a_sheet_that_is_not_there_is_named():
    assert "no sheet 'none'" in str(refusal(workbook({"s": ROWS}), roles={"sheet": "none"}))


def test_an_empty_workbook_says_so():
    assert "holds nothing" in str(refusal(workbook({"s": []})))


def test_the_declared_size_of_a_sheet_is_not_believed():
    content = workbook({"s": [HEADER, *ROWS]})
    huge = changed(
        content,
        "xl/worksheets/sheet1.xml",
        lambda part: re.sub(rb'<dimension ref="[^"]*"', b'<dimension ref="A1:XFD1048576"', part),
    )
    assert huge != content
    assert read_results(huge).fingerprint == read_results(content).fingerprint


@pytest.mark.parametrize("row", [b"1048577", b"99999999999"])
def test_a_row_beyond_every_sheet_is_refused(row):
    content = workbook({"s": [HEADER, *ROWS]})
    far = changed(
        content,
        "xl/worksheets/sheet1.xml",
        lambda part: re.sub(rb'r="(\w*)5"', rb'r="\g<1>%b"' % row, part),
    )
    assert far != content
    assert "goes beyond" in str(refusal(far)) or "damaged" in str(refusal(far))


def test_a_wide_cell_is_refused():
    content = workbook({"s": [["a", "b"], [1, 2]]})
    wide = changed(
        content, "xl/worksheets/sheet1.xml", lambda part: part.replace(b'r="B2"', b'r="XFD2"')
    )
    assert "goes beyond" in str(refusal(wide))


def test_entities_in_a_workbook_are_refused():
    content = workbook({"s": [["a", "b", "p"], ["x", 2, 0.5]]})
    entity = b'<!DOCTYPE worksheet [<!ENTITY a "aaaa">]><worksheet'
    harmful = changed(
        content,
        "xl/worksheets/sheet1.xml",
        lambda part: part.replace(b"<worksheet", entity, 1),
    )
    assert read_results(content).datasets == ("x",)
    assert "damaged" in str(refusal(harmful))


@pytest.mark.parametrize("member", ["xl/workbook.xml", "xl/worksheets/sheet1.xml", "xl/styles.xml"])
@pytest.mark.parametrize("cut", [0, 40, 300])
def test_a_damaged_workbook_ends_in_a_table_or_a_data_error(member, cut):
    content = workbook({"s": [HEADER, *ROWS]})
    damaged = changed(content, member, lambda part: part[: len(part) - cut] if cut else b"")
    with suppress(DataError):
        assert read_results(damaged).datasets
