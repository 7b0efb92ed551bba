"""A workbook reads as its sheet does when saved as CSV, each cell exactly."""

import io
import re
import zipfile
from contextlib import suppress
from datetime import date

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


def test_dates_errors_and_formulas_without_a_result_are_named_with_their_place():
    rows = [HEADER, ["x", 1, date(2026, 3, 1), 1], ["x", 2, 1, "#N/A"], ["x", 3, "=1+1", 1]]
    problems = refusal(workbook({"s": rows})).problems
    found = [(problem.line, problem.column, problem.what) for problem in problems]
    assert sorted((line, column) for line, column, _ in found) == [
        (2, "ours"), (3, "base"), (4, "ours"),
    ]  # fmt: skip
    whole = " ".join(what for _, _, what in found)
    assert "a date or time, 2026-03-01" in whole
    assert "the error #N/A" in whole
    assert "a formula whose result is not stored" in whole


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
        content, "xl/worksheets/sheet1.xml", lambda part: part.replace(b"<v />", b"<v>2</v>")
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
