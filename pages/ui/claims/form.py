"""What is claimed and assumed: the lines, menus for their parts, the scores' kind, the sizes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import streamlit as st

from core.claims.claim import (
    ClaimMetric,
)
from core.data import PValueTable, ScoreTable
from core.errors import DataError
from core.types import EXCHANGED
from pages.ui.claims import lines, means, menus
from pages.ui.claims.check import Inputs
from pages.ui.claims.desk import FORM, METRICS, read_sizes
from pages.ui.claims.table import UnderCheck
from pages.ui.frame import prose, state
from pages.ui.frame.sections import TOOLTIPS
from pages.ui.intake import loading
from pages.ui.intake.role_form import DIRECTION_LABELS

_METRIC, _SIZES, _DIRECTION = "claim-metric", "claim-sizes", "claim-direction"
_METRIC_WORDS: Mapping[ClaimMetric, str] = {
    "accuracy": "accuracies or error rates: shares of the examples",
    "correlation": "correlations with gold",
    "other": "something else, or not known",
}


def show(checked: UnderCheck, inputs: Inputs) -> None:
    """Everything that can be said about the paper, the lines first."""
    st.header("What the paper claims", anchor=False)
    table = checked.table
    examples = lines.examples_for(table, (checked.system_a, checked.system_b))
    lines.field(checked.lines, examples)
    if checked.own_lines and checked.lines.strip() != checked.own_lines.strip():
        st.button("Fill in what the sample's own paper claims", on_click=_take_own)
    scores_needed = isinstance(table, ScoreTable)
    if scores_needed:
        _scores(checked)
    parts: list[tuple[str, Callable[[], None]]] = [
        ("Menus", partial(menus.show, checked, inputs)),
        ("Examples", partial(lines.written_so, examples)),
    ]
    if checked.has_scores and not scores_needed:
        parts.append(("Scores and examples", partial(_scores, checked)))
    if isinstance(table, PValueTable) and table.results is None:
        parts.append(("Direction", partial(_direction, table)))
    parts.append(("Means", means.show))
    with st.expander(FORM, key="claim-box-form"):
        for tab, (_, show_part) in zip(st.tabs([name for name, _ in parts]), parts, strict=True):
            with tab:
                show_part()


def offer(checked: UnderCheck) -> None:
    """Offer the check of rows where scores look like accuracies and only nobody has said so."""
    if not checked.may_be_accuracies:
        return
    then = "each printed p-value is checked against its scores"
    if isinstance(checked.table, ScoreTable):
        then = "the page shows which differences can be significant"
    prose.notice(
        f"The scores look like accuracies, and numbers of examples are known: say so, and {then}."
    )
    st.button(
        "They are accuracies",
        on_click=lambda: lines.change(metric="accuracy"),
        key="claim-offer-accuracy",
    )


def _direction(table: PValueTable) -> None:
    directions = list(DIRECTION_LABELS)
    st.radio(
        "What the p-values speak for",
        directions,
        format_func=lambda choice: DIRECTION_LABELS[choice],
        **state.choice(_DIRECTION, table.alternative, _read_so),
        help=TOOLTIPS["direction"],
    )
    prose.paragraph("The table is read again with the answer, on every page.", quiet=True)


def _read_so(chosen: str) -> None:
    # A and B may be exchanged here, and with them whom a one-sided p-value is for.
    if state.session().settings.swapped:
        chosen = EXCHANGED.get(chosen, chosen)  # type: ignore[call-overload]
    loading.answer("alternative", chosen, refused=False)


def _take_own() -> None:
    lines.fill(None)


def _scores(checked: UnderCheck) -> None:
    st.radio(
        "The scores are",
        METRICS,
        format_func=lambda metric: _METRIC_WORDS[metric],
        **state.choice(_METRIC, checked.metric, lambda chosen: lines.change(metric=chosen)),
    )
    st.text_area(
        "Numbers of examples: one for all datasets, or a line “name: n” for each",
        **state.choice(_SIZES, checked.sizes, lambda typed: lines.change(sizes=typed)),
        height=100,
        placeholder="2000",
    )
    if checked.has_sizes:
        prose.paragraph(
            "The table has its own numbers of examples. What is typed here takes their place; "
            "empty the field to return to them.",
            quiet=True,
        )
    else:
        prose.paragraph(_about_sizes(checked), quiet=True)


def _about_sizes(checked: UnderCheck) -> str:
    """What was typed of sizes, and what is still missing."""
    n_read = 0
    if checked.sizes.strip():
        try:
            n_read = len(read_sizes(checked.sizes, checked.table.datasets))
        except DataError:
            return "The numbers of examples cannot be read yet."
    if not n_read:
        return "The table has no numbers of examples. With them, p-values can be checked against scores."
    text = f"Sizes read for {n_read:,} dataset{'s' if n_read != 1 else ''}"
    if checked.metric == "other":
        return f"{text}; now say that the scores are accuracies or correlations."
    return f"{text}."
