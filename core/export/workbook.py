"""The numbers of an analysis as an Excel workbook."""

from __future__ import annotations

from ..analysis import Analysis
from ..data import ResultSet
from .records import printed_records, results_records
from .sections.answers import claims_records
from .sections.record import settings_records
from .tables import marked_table
from .tables_workbook import workbook_of


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
