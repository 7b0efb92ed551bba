"""What a check of claims found, as a reviewer takes it away."""

from __future__ import annotations

from core.claims import ClaimReport
from core.export.content import Records
from core.export.escapes import latex, latex_typewriter, markdown
from core.export.tables_text import records_csv
from core.report.formatting import whole_name


def review_text(report: ClaimReport) -> str:
    """Three sentences and the numbers behind them as plain text, with the line that reproduces it."""
    return "\n\n".join((*_paragraphs(report), report.signature)) + "\n"


def review_markdown(report: ClaimReport) -> str:
    """The same as Markdown; nothing in a name is read as markup."""
    return "\n\n".join((*map(markdown, _paragraphs(report)), f"`{report.signature}`")) + "\n"


def review_latex(report: ClaimReport) -> str:
    """The same as LaTeX, to be compiled as it stands."""
    signature = latex_typewriter(report.signature)
    return "\n\n".join((*map(latex, _paragraphs(report)), signature)) + "\n"


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


def _paragraphs(report: ClaimReport) -> tuple[str, str]:
    """The three sentences, and the numbers behind them."""
    return report.paragraph(), report.in_detail()
