"""What a check of claims found, as a reviewer takes it away."""

from __future__ import annotations

from core.claims import ClaimReport
from core.export.content import Records
from core.export.escapes import latex, latex_typewriter, markdown
from core.export.tables_text import records_csv
from core.report.formatting import whole_name


def review_text(report: ClaimReport) -> str:
    """The review paragraph as plain text, with the line that reproduces it."""
    return f"{_paragraph(report)}\n\n{report.signature}\n"


def review_markdown(report: ClaimReport) -> str:
    """The same as Markdown; nothing in a name is read as markup."""
    return f"{markdown(_paragraph(report))}\n\n`{report.signature}`\n"


def review_latex(report: ClaimReport) -> str:
    """The same as LaTeX, to be compiled as it stands."""
    return f"{latex(_paragraph(report))}\n\n{latex_typewriter(report.signature)}\n"


def findings_csv(report: ClaimReport) -> str:
    """Every finding, one a row, guarded against being read as formulas."""
    frame = report.to_frame()
    rows = frame.itertuples(index=False, name=None)
    return records_csv(
        Records(
            header=tuple(map(str, frame.columns)),
            rows=tuple(tuple(whole_name(str(cell)) for cell in row) for row in rows),
        )
    )


def _paragraph(report: ClaimReport) -> str:
    if not report.claims and not report.doubts:
        found = report.paragraph()
        return f"Nothing in the table speaks against itself. {found}".strip()
    return report.paragraph()
