"""An Excel workbook that is written here is what another program reads, and touches no disk."""

from __future__ import annotations

import io
import math
import sys
import tempfile
from typing import Any, NoReturn

import pytest
from openpyxl import load_workbook

from core.export.tables import workbook_of
from core.sections.parts import Records

ROWS: tuple[tuple[str | int | float | None, ...], ...] = (
    ("plain", 1, 0.1, None),
    ("=1+1", -3, 1e-300, ""),
    ("<b>&\"' ]]></t>", 10**15, math.inf, "x"),
    ("two  spaces", 0, -math.inf, "@"),
    ("עברית ★", 2, math.nan, "a\x00b"),
    ("1e5", 3, 1 / 3, "\ud800"),
)
RECORDS = Records(header=("dataset", "n", "p", "=note"), rows=ROWS)


def read(content: bytes) -> Any:
    return load_workbook(io.BytesIO(content))


def test_another_program_reads_every_cell_as_it_was() -> None:
    sheet = read(workbook_of({"a sheet": RECORDS}))["a sheet"]
    rows = list(sheet.iter_rows(values_only=True))
    assert rows[0] == RECORDS.header
    assert [row[0] for row in rows[1:5]] == [row[0] for row in ROWS[:4]]
    assert [row[1] for row in rows[1:]] == [row[1] for row in ROWS]
    assert [row[2] for row in rows[1:]] == [0.1, 1e-300, "∞", "−∞", None, 1 / 3]
    assert rows[1][3] is None
    assert rows[2][3] is None


def test_text_is_text_whatever_it_looks_like_and_stays_so_when_it_is_edited() -> None:
    sheet = read(workbook_of({"s": RECORDS}))["s"]
    assert {cell.data_type for row in sheet.iter_rows() for cell in row} <= {"s", "n"}
    assert sheet["A7"].value == "1e5"
    marked = {cell.value for row in sheet.iter_rows() for cell in row if cell.quotePrefix}
    assert marked == {"=1+1", "=note", "@"}


def test_sheets_keep_their_order_and_names_and_columns_may_be_many() -> None:
    wide = Records(header=tuple(f"c{i}" for i in range(800)), rows=(tuple(range(800)),))
    book = read(workbook_of({"second & last": wide, "first": RECORDS}))
    assert book.sheetnames == ["second & last", "first"]
    assert [cell.value for cell in book.worksheets[0][2]] == list(range(800))


def test_no_file_is_made_on_the_way(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> NoReturn:
        raise AssertionError("a file was made")

    for name in ("NamedTemporaryFile", "TemporaryFile", "mkstemp", "SpooledTemporaryFile"):
        monkeypatch.setattr(tempfile, name, refuse)
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
