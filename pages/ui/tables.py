"""Tables on the page: numbers rounded for reading, marks as sign, word and colour."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.replicability.assessment import Answer
from core.report.formatting import format_p_value, signed
from core.report.tables import NAMED, NOT_NAMED, MarkedTable
from core.report.verdicts import COMBINATION_NAMES
from core.types import COMBINATIONS
from pages.ui import limits, prose, theme
from pages.ui.glossary import TOOLTIPS


def preview(found: pd.DataFrame) -> None:
    """What was read, as read."""
    st.dataframe(found, hide_index=True, height="content" if len(found) <= 12 else 420)


def claims(answer: Answer) -> None:
    """Each claim "at least u of N" with its p-value by every combination."""
    columns: dict[str, object] = {"at least u": list(range(1, answer.p_values.size + 1))}
    for name in COMBINATIONS:
        counting = answer.countings[name]
        columns[COMBINATION_NAMES[name]] = [
            f"{format_p_value(float(p), alpha=answer.alpha)}{' ✓' if u <= counting.k_hat else ''}"
            for u, p in enumerate(counting.partial_conjunction_p_values, start=1)
        ]
    st.dataframe(pd.DataFrame(columns), hide_index=True, height="auto")
    prose.paragraph(
        f"✓ marks the claims that hold at this level. {TOOLTIPS['partial_conjunction']}", quiet=True
    )


def marked(table: MarkedTable, *, by_p_value: bool) -> None:
    """The table of datasets with their marks."""
    found, data = table.identification, table.table
    order = table.order_by_p_value if by_p_value else list(range(data.n_datasets))
    columns: dict[str, list[object]] = {
        "mark": [NAMED if found.rejected[i] else NOT_NAMED for i in order],
        "dataset": [data.datasets[i] for i in order],
    }
    if data.n_examples is not None:
        columns["n"] = [int(data.n_examples[i]) for i in order]
    # Headings A and B, not the systems' names, which may be alike or very long.
    if data.printed_scores_a is not None:
        columns["A"] = [data.printed_scores_a[i] for i in order]
    if data.printed_scores_b is not None:
        columns["B"] = [data.printed_scores_b[i] for i in order]
    if data.differences is not None:
        decimals = data.score_decimals
        columns["A − B"] = [signed(float(data.differences[i]), decimals) for i in order]
    columns["p printed"] = [data.printed[i] for i in order]
    for label, values in (
        ("p used", found.p_values),
        ("threshold", found.thresholds),
        ("adjusted p", found.adjusted_p_values),
    ):
        columns[label] = [format_p_value(float(values[i]), alpha=found.alpha) for i in order]
    if any(data.notes):
        columns["note"] = [data.notes[i] for i in order]
    frame = pd.DataFrame(columns)
    shown: object = frame
    if len(frame) <= limits.MAX_ROWS_STYLED:
        colours = theme.current()
        style = f"color: {colours.of(table.claim)}; font-weight: 700"
        shown = frame.style.map(lambda cell: style if cell == NAMED else "", subset=["mark"])
    st.dataframe(
        shown,
        hide_index=True,
        height="content" if len(frame) <= 25 else 600,
        column_config={
            "p used": st.column_config.TextColumn(help=TOOLTIPS["p_value"]),
            "threshold": st.column_config.TextColumn(help=TOOLTIPS["threshold"]),
            "adjusted p": st.column_config.TextColumn(help=TOOLTIPS["adjusted"]),
        },
    )
