"""The table that is taken away: as text, and as a workbook that another program reads."""

import csv
import html
import io
import math
import re
import sys
import zipfile
from dataclasses import replace
from typing import Any

import pytest
from openpyxl import load_workbook

from core.data import PValueTable, read_results
from core.data.sources.files import zipped
from core.export.report import chosen_sections, workbook
from core.export.tables import grid_html, grid_markdown, marked_markdown, records_csv, workbook_of
from core.replicability.identification import identify_datasets
from core.sections.marked import MarkedTable, marked_table
from core.sections.parts import Grid, Records
from core.words.formatting import guarded, markdown
from tests.core.export.samples_of_analyses import hostile_results, hostile_table, of_sample

HOSTILE = ("=1+1", "@x", "**b** | c", "a_b & 50% $x$ {y} \\z #1 ^ ~", "![p](http://example.org)")


def table(datasets: tuple[str, ...] = HOSTILE) -> PValueTable:
    written = io.StringIO()
    rows = csv.writer(written)
    rows.writerow(["dataset", "ours", "theirs", "p_value"])
    for i in range(len(datasets)):
        rows.writerow([f"d{i}", f"{90 + i}.10", "89.05", 1e-7 * 10**i])
    read = read_results(written.getvalue().encode())
    assert isinstance(read, PValueTable)
    # Reading takes marks of LaTeX and Markdown from names; here they stay.
    return replace(read, datasets=datasets)


def test_an_archive_says_the_same_system_and_time_wherever_it_is_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    members = {"b.txt": b"2" * 99, "a.txt": b"1"}
    written = zipped(members)
    monkeypatch.setattr(sys, "platform", "win32")
    assert zipped(members) == written
    archive = zipfile.ZipFile(io.BytesIO(written))
    assert {name: archive.read(name) for name in archive.namelist()} == members
    assert {(info.create_system, info.date_time[0]) for info in archive.infolist()} == {(3, 1980)}


def marked(found: PValueTable) -> MarkedTable:
    return MarkedTable(
        table=found,
        identification=identify_datasets(found.p_values),
        claim="a-better",
        caption="Holm names 5 of 5.",
        signature="procedure:holm|alpha:0.05",
    )


def test_the_csv_holds_every_number_in_full_precision() -> None:
    found = marked(table())
    rows = list(csv.DictReader(io.StringIO(records_csv(found.records()))))
    assert [float(row["p_value"]) for row in rows] == found.identification.p_values.tolist()
    adjusted = found.identification.adjusted_p_values.tolist()
    assert [float(row["adjusted_p_value"]) for row in rows] == adjusted
    assert [row["named"] == "yes" for row in rows] == found.identification.rejected.tolist()
    assert {row["signature"] for row in rows} == {"procedure:holm|alpha:0.05"}


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def test_a_system_named_like_a_heading_gets_the_suffix_and_the_fixed_column_keeps_its_own() -> None:
    fixed_names = ("mark", "dataset", "p printed", "adjusted p", "threshold")
    for named in (*fixed_names, "p (mark better)"):
        usual = marked(table()).grid(with_thresholds=True)
        other = "mark" if named == "p (mark better)" else "ours"
        found = marked(replace(table(), system_a=other, system_b=named)).grid(with_thresholds=True)
        assert len(found.header) == len(usual.header), named
        assert found.header[-1] == "mark", named
        marks = {row[-1] for row in found.rows}
        assert marks <= {"★ significant", ""}, named
        fixed = [name for name in usual.header if name not in ("ours", "theirs", "p (ours better)")]
        assert [name for name in found.header if name in fixed] == fixed, named
        assert f"{named} (score)" in found.header, named


def every_grid() -> list[Grid]:
    analyses = (hostile_table(), hostile_results(), of_sample("pos-tagging"))
    return [
        part
        for analysis in analyses
        for section in chosen_sections(analysis)
        for part in section.parts
        if isinstance(part, Grid)
    ]


def test_markdown_reads_no_markup() -> None:
    assert markdown("two\nlines") == "two lines"
    # Whatever is escaped is the text without its escapes.
    for written in [
        *("< .0001", "at level: 5%", r"a \| b", r"1\. first", r"\- item", r"http\://x.org"),
        *(r"www\.x.org", r"\:red\[x\]", r"\!\[p\](http\://x.org)"),
    ]:
        assert markdown(written.replace("\\", "")) == written


def test_markdown_tables_have_as_many_cells_in_every_row() -> None:
    for grid in every_grid():
        lines = [line for line in grid_markdown(grid).splitlines() if line.startswith("|")]
        assert len(lines) == len(grid.rows) + 2
        assert {len(re.findall(r"(?<!\\)\|", line)) for line in lines} == {len(grid.header) + 1}
    lines = marked_markdown(marked(table())).splitlines()
    assert lines[0] == "Holm names 5 of 5."
    assert "★ significant" in "".join(lines)


def test_html_tables_hold_names_as_text_only() -> None:
    for grid in every_grid():
        written = grid_html(grid)
        tags = re.findall("<[^>]*>?", written)
        own = r"</?(table|caption|thead|tbody|tr|th|td)( (class|scope|dir)=[a-z]+)*>"
        assert all(re.fullmatch(own, tag) for tag in tags)
        cells = re.findall(r"<(?:th|td)\b[^>]*>([^<]*)<", written)
        shown = [html.unescape(cell).strip() for cell in cells]
        assert shown == [cell.strip() for row in (grid.header, *grid.rows) for cell in row]


def test_csv_of_every_table_is_guarded_and_a_negative_number_stays_one() -> None:
    for grid in every_grid():
        written = records_csv(Records(header=grid.header, rows=grid.rows))
        for row in csv.reader(io.StringIO(written)):
            for cell in row:
                assert not cell.startswith(("=", "@", "\t", "\r", "\n"))
                assert not cell.startswith(("+", "-")) or _is_number(cell)
    assert guarded("-0.5") == "-0.5"
    assert guarded("+3e-05") == "+3e-05"
    assert guarded("-1+cmd") == "'-1+cmd"
    records = Records(header=("x",), rows=((-0.1,), (1 / 3,), (None,), (7,)))
    written = records_csv(records)
    assert written.splitlines()[1:3] == ["-0.1", repr(1 / 3)]


def test_every_text_of_a_csv_is_quoted_and_no_number_is() -> None:
    names = ("x;=1+1", "a\t=1", 'say "=1"', "two\n=lines", "plain")
    lines = records_csv(marked(table(names)).records())
    rows = list(csv.reader(io.StringIO(lines)))
    assert [row[0] for row in rows[1:]] == list(names)
    # Wherever another reader parts cells, it meets no sign outside of quotes.
    bare = re.sub(r'"(?:[^"]|"")*"', "", lines)
    assert set(bare) <= set("0123456789.,e+-\n")
    assert not re.search(r"(^|,)[+=@]", bare, flags=re.MULTILINE)
    assert all(cell == "" or _is_number(cell) for line in bare.split() for cell in line.split(","))


def test_full_width_signs_are_guarded_as_the_others() -> None:
    signs = tuple(f"{sign}1+1" for sign in "＝＋－＠")
    records = marked(table(signs)).records()
    rows = list(csv.reader(io.StringIO(records_csv(records))))[1:]
    assert [row[0] for row in rows] == [guarded(sign) for sign in signs] == [f"'{s}" for s in signs]
    cells = read_book(workbook_of({"names": records}))["names"]["A"][1:]
    assert [(cell.value, cell.quotePrefix) for cell in cells] == [(sign, True) for sign in signs]


def test_the_workbook_has_every_number_as_a_number_and_no_formula() -> None:
    for analysis in (hostile_results(), hostile_table(), of_sample("simulated-sentences")):
        book = read_book(workbook(analysis))
        assert book.sheetnames == ["results", "names", "claims", "settings"]
        for sheet in book:
            types = {cell.data_type for row in sheet.iter_rows() for cell in row}
            assert types <= {"s", "n"}
        names = marked_table(analysis).records()
        rows = list(book["names"].iter_rows(values_only=True))
        assert rows[0] == names.header or len(rows[0]) == len(names.header)
        at = names.header.index("p_value")
        assert [row[at] for row in rows[1:]] == [row[at] for row in names.rows]
        assert len(list(book["claims"].rows)) == analysis.table.n_datasets + 1


ROWS: tuple[tuple[str | int | float | None, ...], ...] = (
    ("plain", 1, 0.1, None),
    ("=1+1", -3, 1e-300, ""),
    ("<b>&\"' ]]></t>", 10**15, math.inf, "x"),
    ("two  spaces", 0, -math.inf, "@"),
    ("עברית ★", 2, math.nan, "a\x00b"),
    ("1e5", 3, 1 / 3, "\ud800"),
)
RECORDS = Records(header=("dataset", "n", "p", "=note"), rows=ROWS)


def read_book(content: bytes) -> Any:
    return load_workbook(io.BytesIO(content))


def test_another_program_reads_every_cell_as_it_was() -> None:
    sheet = read_book(workbook_of({"a sheet": RECORDS}))["a sheet"]
    rows = list(sheet.iter_rows(values_only=True))
    assert rows[0] == RECORDS.header
    assert [row[0] for row in rows[1:5]] == [row[0] for row in ROWS[:4]]
    assert [row[1] for row in rows[1:]] == [row[1] for row in ROWS]
    assert [row[2] for row in rows[1:]] == [0.1, 1e-300, "∞", "−∞", None, 1 / 3]
    assert rows[1][3] is None
    assert rows[2][3] is None
    # Text is text whatever it looks like, and stays so when it is edited.
    assert {cell.data_type for row in sheet.iter_rows() for cell in row} <= {"s", "n"}
    assert sheet["A7"].value == "1e5"
    marked = {cell.value for row in sheet.iter_rows() for cell in row if cell.quotePrefix}
    assert marked == {"=1+1", "=note", "@"}


def test_sheets_keep_their_order_and_names_and_columns_may_be_many() -> None:
    wide = Records(header=tuple(f"c{i}" for i in range(800)), rows=(tuple(range(800)),))
    book = read_book(workbook_of({"second & last": wide, "first": RECORDS}))
    assert book.sheetnames == ["second & last", "first"]
    assert [cell.value for cell in book.worksheets[0][2]] == list(range(800))


def test_a_column_is_as_wide_as_its_texts_up_to_what_can_be_read() -> None:
    records = Records(header=("n", "p_value_a_better", "note"), rows=((1, 1 / 3, "x" * 99),))
    sheet = read_book(workbook_of({"one": records}))["one"]
    assert [sheet.column_dimensions[letter].width for letter in "ABC"] == [12, 18, 48]


def test_no_file_is_made_on_the_way() -> None:
    opened: list[object] = []
    is_watching = True

    def note(event: str, given: tuple[Any, ...]) -> None:
        if is_watching and event == "open":
            opened.append(given[0])

    sys.addaudithook(note)
    content = workbook_of({"s": RECORDS})
    is_watching = False
    assert opened == []
    assert content.startswith(b"PK")


@pytest.mark.parametrize("key", ["parsing-redshift", "simulated-accuracy"])
def test_the_table_that_is_taken_away_is_read_again(key: str) -> None:
    analysis = of_sample(key)
    again = read_results(records_csv(marked_table(analysis).records()).encode(), name="table.csv")
    assert isinstance(again, PValueTable)
    assert again.datasets == analysis.table.datasets
    assert (again.system_a, again.system_b) == (analysis.table.system_a, analysis.table.system_b)
    assert again.p_values.tolist() == analysis.table.p_values.tolist()
