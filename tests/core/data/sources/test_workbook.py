"""A workbook reads as its sheet does when saved as CSV, each cell exactly."""

import io
import re
import zipfile
from contextlib import suppress

import openpyxl
import pytest

from core.data import ResultSet, read_results
from core.data.sources.workbook import read_sheets
from core.data.tables.limits import Allowance, Stages
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
    return saved(book)


def saved(book):
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
    # A row is one line, whatever its cells hold.
    exact = [text.replace("\n", " ") for text in texts]
    assert only_table([["name, first", "n"], *rows]).cells("name, first") == tuple(exact)


@pytest.mark.parametrize(
    ("value", "text"),
    [(3, "3"), (3.0, "3"), (0.1, "0.1"), (1e-12, "1e-12"), (-0.5, "-0.5"), (True, "TRUE"),
     (False, "FALSE"), (123456789012345, "123456789012345"), (None, ""), (" x ", "x")],
)  # fmt: skip
def test_values_have_one_text(value, text):
    assert only_table([["a", "b"], ["k", value], ["l", 1]]).cells("b")[0] == text


@pytest.mark.parametrize(
    ("stored", "text"),
    [("0.30000000000000004", "0.3"), ("0.10000000000000001", "0.1"),
     ("1.0", "1"), ("5.0000000000000001E-2", "0.05"), ("123456789012345678", "123456789012345678")],
)  # fmt: skip
def test_a_stored_number_is_written_by_its_fewest_digits_up_to_the_15_that_count(stored, text):
    content = changed(
        workbook({"s": [["a", "b"], [7, 8]]}),
        "xl/worksheets/sheet1.xml",
        lambda part: part.replace(b"<v>8</v>", b"<v>%b</v>" % stored.encode()),
    )
    (sheet,) = tables(content)
    assert sheet.table.cells("b") == (text,)


def test_percentages_among_plain_numbers_are_remarked_upon():
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    for row in (["k", "mixed", "percent", "plain"], [1, 0.05, 0.5, 1], [2, 7, 0.25, 0.05]):
        sheet.append(row)
    for cell in ("B2", "C2", "C3"):
        sheet[cell].number_format = "0.0%"
    content = saved(book)
    (only,) = tables(content)
    assert only.table.cells("mixed") == ("0.05", "7")
    (remark,) = only.table.remarks
    assert "'mixed'" in remark
    assert "5% as 0.05" in remark


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
    assert sheet.table.cells("b") == ("2",)


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


@pytest.mark.parametrize("member", ["xl/workbook.xml", "xl/worksheets/sheet1.xml", "xl/styles.xml"])
@pytest.mark.parametrize("cut", [0, 40, 300])
def test_a_damaged_workbook_ends_in_a_table_or_a_data_error(member, cut):
    content = workbook({"s": [HEADER, *ROWS]})
    damaged = changed(content, member, lambda part: part[: len(part) - cut] if cut else b"")
    with suppress(DataError):
        assert read_results(damaged).datasets
