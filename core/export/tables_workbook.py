"""Tables as sheets of an Excel workbook: text is text, numbers have every digit."""

from __future__ import annotations

import io
import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

from core.export.content import Records, Value
from core.export.escapes import FORMULA_STARTS
from core.report.formatting import whole_name

if TYPE_CHECKING:
    from openpyxl.cell import Cell
    from openpyxl.worksheet._write_only import WriteOnlyWorksheet

# What Excel holds in one cell.
_LONGEST_TEXT = 32_767


def workbook_of(sheets: Mapping[str, Records]) -> bytes:
    """An .xlsx file of these sheets, by their names; the heading and first column stay in view."""
    from openpyxl import Workbook

    book = Workbook(write_only=True)
    for name, records in sheets.items():
        sheet = book.create_sheet(name)
        sheet.freeze_panes = "B2"
        _fill(sheet, records)
    written = io.BytesIO()
    book.save(written)
    return written.getvalue()


def _fill(sheet: WriteOnlyWorksheet, records: Records) -> None:
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.styles import Font

    def cell(value: Value, *, bold: bool = False) -> Cell | int | float | None:
        if value == "":
            return None
        if value is None or isinstance(value, int):
            return value
        if isinstance(value, float) and not math.isfinite(value):
            return None if math.isnan(value) else cell("∞" if value > 0.0 else "−∞")
        made = WriteOnlyCell(sheet)
        if isinstance(value, float):
            # As text that is declared a number: openpyxl itself writes only 16 digits.
            made.value, made.data_type = repr(float(value)), "n"
            return made
        # Whatever it begins with, it is no formula, nor becomes one when it is edited.
        made.value, made.data_type = whole_name(value)[:_LONGEST_TEXT], "s"
        made.quotePrefix = value.startswith(FORMULA_STARTS)
        if bold:
            made.font = Font(bold=True)
        return made

    for letter, width in zip("ABCDEFGH", (28, *(14,) * 7), strict=True):
        sheet.column_dimensions[letter].width = width  # type: ignore[attr-defined]
    sheet.append([cell(name, bold=True) for name in records.header])
    for row in records.rows:
        sheet.append([cell(value) for value in row])
