"""The numbers of an analysis as an Excel workbook: text is text, numbers have every digit."""

from __future__ import annotations

import io
import math
from typing import TYPE_CHECKING

from core.analysis import Analysis
from core.data import ResultSet
from core.export.content import Records, Value
from core.export.sections_answers import claims_records
from core.export.sections_record import settings_records
from core.export.sections_results import printed_records, results_records
from core.export.tables import marked_table
from core.report.formatting import whole_name

if TYPE_CHECKING:
    from openpyxl.cell import Cell
    from openpyxl.worksheet._write_only import WriteOnlyWorksheet

# What Excel holds in one cell.
_LONGEST_TEXT = 32_767


def workbook(analysis: Analysis) -> bytes:
    """Sheets "results", "names", "claims" and "settings" as an .xlsx file.

    Parameters
    ----------
    analysis : Analysis
        With its question and procedure as its settings have them.
    """
    from openpyxl import Workbook

    tested = isinstance(analysis.data, ResultSet)
    sheets = {
        "results": results_records(analysis) if tested else printed_records(analysis.table),
        "names": marked_table(analysis).records(),
        "claims": claims_records(analysis.question.answer),
        "settings": settings_records(analysis),
    }
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
        made.quotePrefix = value.startswith(("=", "+", "-", "@"))
        if bold:
            made.font = Font(bold=True)
        return made

    for letter, width in zip("ABCDEFGH", (28, *(14,) * 7), strict=True):
        sheet.column_dimensions[letter].width = width  # type: ignore[attr-defined]
    sheet.append([cell(name, bold=True) for name in records.header])
    for row in records.rows:
        sheet.append([cell(value) for value in row])
