"""What a check of claims found, as a reviewer takes it away."""

from __future__ import annotations

from core.claims import ClaimReport
from core.claims.claim_report import other_sides
from core.claims.verdicts import VERDICTS
from core.export.content import Records
from core.export.escapes import latex, latex_typewriter, markdown
from core.export.tables_text import records_csv
from core.report.formatting import whole_name


def review_text(report: ClaimReport) -> str:
    """Three sentences, and every verdict, as plain text with the line that reproduces it."""
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


def _paragraphs(report: ClaimReport) -> tuple[str, ...]:
    """The three sentences; of several claims also each with its verdict."""
    if len(report.claims) < 2:
        return (report.paragraph(), *other_sides(report))
    each = [
        f"{i}. {report.words(v.claim)}: {VERDICTS[v.key].words}. {v.why} {v.settle}".rstrip()
        for i, v in enumerate(report.verdicts, start=1)
    ]
    return (report.paragraph(), *other_sides(report), *each)
