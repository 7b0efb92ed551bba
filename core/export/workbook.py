"""The numbers of an analysis as an Excel workbook."""

from __future__ import annotations

from core.analysis import Analysis
from core.data import ResultSet
from core.export.records import printed_records, results_records
from core.export.sections.answers import claims_records
from core.export.sections.record import settings_records
from core.export.tables import marked_table
from core.export.tables_workbook import workbook_of


def workbook(analysis: Analysis) -> bytes:
    """Sheets "results", "names", "claims" and "settings" as an .xlsx file.

    Parameters
    ----------
    analysis : Analysis
        With its question and procedure as its settings have them.
    """
    tested = isinstance(analysis.data, ResultSet)
    sheets = {
        "results": results_records(analysis) if tested else printed_records(analysis.table),
        "names": marked_table(analysis).records(),
        "claims": claims_records(analysis),
        "settings": settings_records(analysis),
    }
    return workbook_of(sheets)
