"""Tables on the page: numbers rounded for reading, marks as sign, word and colour."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.analysis import Analysis
from core.data import PValueTable, ResultSet
from core.export.sections import tests_grid
from core.export.tables import NAMED, MarkedTable
from core.replicability.assessment import Answer
from core.report.formatting import format_p_value, label_of_difference, minus, signed
from core.report.sentences import COMBINATION_NAMES
from core.types import COMBINATIONS
from pages.ui import limits, prose, report_parts, state, theme
from pages.ui.glossary import TOOLTIPS


def preview(data: PValueTable | ResultSet) -> None:
    """What was read, in the digits it was given in."""
    found = data.to_frame() if isinstance(data, ResultSet) else _as_printed(data)
    st.dataframe(found, hide_index=True, height="content" if len(found) <= 12 else 420)


def _as_printed(data: PValueTable) -> pd.DataFrame:
    low, high = data.p_value_bounds
    columns: dict[str, list[str]] = {"dataset": list(data.datasets)}
    if data.printed_scores_a is not None:
        columns["A"] = list(data.printed_scores_a)
    if data.printed_scores_b is not None:
        columns["B"] = list(data.printed_scores_b)
    columns["p as printed"] = list(data.printed)
    columns["it lies between"] = [f"{p:.6g}" for p in low]
    columns["and"] = [f"{p:.6g}" for p in high]
    if data.n_examples is not None:
        columns["n"] = [str(n) for n in data.n_examples]
    if any(data.notes):
        columns["note"] = list(data.notes)
    return pd.DataFrame(columns)


def tests(analysis: Analysis) -> None:
    """One row a dataset: p-values, scores, difference with interval, effect size, notes."""
    parts = state.session().latest.result(
        "tests",
        made_of=(analysis.table, analysis.data, analysis.settings),
        compute=lambda: tests_grid(analysis),
    )
    for part in parts:
        report_parts.show_part(part)


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
    marks = table.marks
    # On a narrow screen the first columns are seen: what is decided, and by what.
    columns: dict[str, list[object]] = {
        "mark": [marks[i] for i in order],
        "dataset": [data.datasets[i] for i in order],
        "p used": [format_p_value(float(found.p_values[i]), alpha=found.alpha) for i in order],
        "threshold": [f"{found.thresholds[i]:.4g}".removeprefix("0") for i in order],
        "adjusted p": [
            format_p_value(float(found.adjusted_p_values[i]), alpha=found.alpha) for i in order
        ],
    }
    # Headings A and B, not the systems' names, which may be alike or very long.
    columns.update(_score_columns(data, order))
    if data.results is None:
        columns["p printed"] = [data.printed[i] for i in order]
    if data.n_examples is not None:
        columns["n"] = [int(data.n_examples[i]) for i in order]
    # A note that stands on every row is said beside the tests.
    said_once = data.results is not None and len(data.notes) > 1 and len(set(data.notes)) == 1
    if any(data.notes) and not said_once:
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


def _score_columns(data: PValueTable, order: list[int]) -> dict[str, list[object]]:
    columns: dict[str, list[object]] = {}
    for heading, printed, scores in (
        ("A", data.printed_scores_a, data.scores_a),
        ("B", data.printed_scores_b, data.scores_b),
    ):
        if printed is not None:
            columns[heading] = [printed[i] for i in order]
        elif scores is not None:
            columns[heading] = [minus(f"{scores[i]:.4f}") for i in order]
    differences = data.differences
    if differences is not None:
        decimals = data.score_decimals if data.results is None else 4
        columns[label_of_difference(data.higher_is_better)] = [
            signed(float(differences[i]), decimals) for i in order
        ]
    return columns
