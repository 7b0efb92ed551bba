"""What a check of claims found, as a reviewer takes it away."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ...claims.findings import VERDICTS, ClaimReport
from ...sections.parts import Records
from ...words.formatting import latex, latex_typewriter, markdown, whole_name
from ..tables_text import records_csv

Write = Callable[[ClaimReport], str]


def of_tables(tables: Sequence[tuple[str, ClaimReport]], write: Write) -> str:
    """What was found on several tables of one paper, each under its title; of one table alone without.

    Parameters
    ----------
    tables : sequence of (str, ClaimReport)
        A title and a report each, in their order.
    write : function
        `review_text`, `review_markdown`, `review_latex` or `findings_csv`.
    """
    if len(tables) == 1:
        return write(tables[0][1])
    if write is findings_csv:
        header, *_ = findings_csv(tables[0][1]).splitlines()
        rows = [row for table in tables for row in _rows(*table)]
        return records_csv(Records(header=("table", *header.split(",")), rows=tuple(rows)))
    found = []
    for title, report in tables:
        heading = whole_name(title)
        if write is review_markdown:
            heading = f"## {markdown(heading)}"
        elif write is review_latex:
            heading = rf"\paragraph{{{latex(heading)}}}"
        found.append(f"{heading}\n\n{write(report)}")
    return "\n".join(found)


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
    header = tuple(map(str, report.to_frame().columns))
    rows = tuple(row[1:] for row in _rows("", report))
    return records_csv(Records(header=header, rows=rows))


def _rows(title: str, report: ClaimReport) -> Iterator[tuple[str, ...]]:
    """The findings of one table, its title before each."""
    for row in report.to_frame().itertuples(index=False, name=None):
        yield tuple(whole_name(str(cell)) for cell in (title, *row))


def _paragraphs(report: ClaimReport) -> tuple[str, ...]:
    """The three sentences; of several claims also each with its verdict."""
    if len(report.claims) < 2:
        return (report.paragraph(), *report.other_sides)
    each = [
        f"{i}. {report.words(v.claim)}: {VERDICTS[v.key].words}. {v.why} {v.settle}".rstrip()
        for i, v in enumerate(report.verdicts, start=1)
    ]
    return (report.paragraph(), *report.other_sides, *each)
