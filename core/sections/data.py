"""What was read, what to know about it, and whether datasets share examples."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from .. import charts
from ..analysis import Analysis, statements
from ..data import Reading
from ..data.overlap.find import Overlap
from ..words.formatting import format_share, whole_name
from ..words.overlap import OVERLAP_REFERENCE, no_examples_sentence, overlap_table, overlap_text
from ..words.reading import (
    LEFT_OVER,
    columns_as_understood,
    files_sentence,
    files_table,
    matched_table,
    reasons,
)
from .parts import MOST_ROWS, Bullets, Figure, Grid, Paragraph, Part, clean, left_out_part

if TYPE_CHECKING:
    import pandas as pd


def data_parts(analysis: Analysis) -> tuple[Part, ...]:
    """What was read, what to know about it, and whether datasets share examples."""
    remarks = tuple(clean(remark) for remark in statements.remarks(analysis))
    parts: list[Part] = [Paragraph(text=clean(statements.what_was_read(analysis)))]
    if remarks:
        parts.append(Bullets(items=remarks))
    reading = analysis.data.reading
    if reading is not None:
        parts += _files_parts(reading)
    columns = columns_as_understood(reading) if reading is not None else []
    if columns:
        rows = tuple((whole_name(column), whole_name(role)) for column, role in columns[:MOST_ROWS])
        parts.append(
            Grid(
                header=("column", "read as"),
                rows=rows,
                numeric=(False, False),
                caption="What each column of the file was read as.",
                name="columns",
            )
        )
        parts += left_out_part(len(columns) - len(rows), "columns")
    if len(analysis.data.datasets) > 1:
        parts += _overlap_parts(analysis.overlap)
    return tuple(parts)


def _files_parts(reading: Reading) -> list[Part]:
    """What was made of each file, and how examples were matched; nothing of a single table."""
    said = files_sentence(reading)
    if not said:
        return []
    parts: list[Part] = [Paragraph(text=clean(said))]
    aside = tuple(clean(reason) for reason in reasons(reading))
    if aside:
        parts += [Paragraph(text="Left aside:"), Bullets(items=aside)]
    if reading.files:
        parts += _table(
            files_table(reading),
            caption="What each file was used for.",
            name="files",
            what="files",
        )
    if reading.matched:
        parts += [Paragraph(text=LEFT_OVER, tone="quiet")]
        parts += _table(
            matched_table(reading),
            caption="How many examples of each system have partners.",
            name="matched",
            what="rows",
            numbers=("examples", "matched", "left over"),
        )
    return parts


def _table(
    frame: pd.DataFrame, *, caption: str, name: str, what: str, numbers: Sequence[str] = ()
) -> list[Part]:
    shown = frame.head(MOST_ROWS)
    grid = Grid(
        header=tuple(frame.columns),
        rows=tuple(
            tuple(
                f"{cell:,}" if column in numbers else whole_name(str(cell))
                for column, cell in zip(frame.columns, row, strict=True)
            )
            for row in shown.itertuples(index=False)
        ),
        numeric=tuple(column in numbers for column in frame.columns),
        caption=caption,
        name=name,
    )
    return [grid, *left_out_part(len(frame) - len(shown), what)]


def _overlap_parts(overlap: Overlap | None) -> list[Part]:
    if overlap is None:
        return [Paragraph(text=no_examples_sentence())]
    text = overlap_text(overlap)
    sentences = (f"{text.verdict} {text.effect}", text.reason, *text.caveats)
    parts: list[Part] = [Paragraph(text=sentence) for sentence in sentences if sentence]
    if overlap.shares_any:
        parts.append(
            Figure(
                name="overlap",
                alt=f"Matrix of shared examples. {text.verdict}",
                draw=partial(charts.overlap_matrix, overlap),
            )
        )
    if overlap.shares_any or overlap.shares_texts or overlap.same_scores:
        pairs = overlap_table(overlap)
        rows = tuple(
            (one, other, f"{shared:,}", "–" if share != share else format_share(share), note)
            for one, other, shared, share, note in pairs.head(MOST_ROWS).itertuples(index=False)
        )
        parts.append(
            Grid(
                header=("dataset", "other", "shared examples", "of the smaller one", "note"),
                rows=rows,
                numeric=(False, False, True, True, False),
                caption="Pairs of datasets that share something, or may.",
                name="overlap",
            )
        )
        parts += left_out_part(len(pairs) - len(rows), "pairs, those that share least,")
    return [*parts, Paragraph(text=OVERLAP_REFERENCE, tone="quiet")]
