"""What is claimed and assumed: the lines, a form that adds one, the scores' kind, the sizes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

import streamlit as st

from core.claims import Claim, parse_claims
from core.claims.claim import (
    ANY,
    Better,
    ClaimKind,
    ClaimMetric,
    Method,
    count_methods,
    method_name,
)
from core.data import PValueTable, ScoreTable
from core.errors import DataError
from core.replicability.procedures import procedure_named, procedure_names
from core.report.formatting import display_name, format_level
from core.types import EXCHANGED
from core.validation import read_level
from pages.ui.claims import lines
from pages.ui.claims.desk import FORM, METRICS, read_sizes
from pages.ui.claims.table import UnderCheck
from pages.ui.frame import prose, state
from pages.ui.frame.sections import TOOLTIPS
from pages.ui.intake import loading
from pages.ui.intake.role_form import DIRECTION_LABELS

_METRIC, _SIZES, _DIRECTION = "claim-metric", "claim-sizes", "claim-direction"
_KIND, _K, _METHOD, _NAMES, _SIDE, _LEVEL, _COLUMNS, _LOW, _HIGH, _ESTIMATE = (
    f"claim-form-{part}"
    for part in (
        "kind", "k", "method", "names", "side", "level", "columns", "low", "high", "estimate"
    )
)  # fmt: skip
_KINDS: Mapping[ClaimKind, str] = {
    "at-least": "better on at least so many datasets",
    "exactly": "a method counts exactly so many",
    "named": "a procedure names exactly these datasets",
    "significant": "p ≤ α on each of these datasets",
    "not-significant": "p > α on each of these datasets: no significant difference",
    "interval": "an estimate with its confidence interval",
}
_METRIC_WORDS: Mapping[ClaimMetric, str] = {
    "accuracy": "accuracies or error rates: shares of the examples",
    "correlation": "correlations with gold",
    "other": "something else, or not known",
}


def show(checked: UnderCheck) -> None:
    """Everything that can be said about the paper, the lines first."""
    st.subheader("What the paper claims", anchor=False)
    examples = lines.examples_for(checked.table, (checked.system_a, checked.system_b))
    lines.field(checked.lines, examples)
    if checked.own_lines and checked.lines.strip() != checked.own_lines.strip():
        st.button("Fill in what the sample's own paper claims", on_click=_take_own)
    with st.expander(FORM, key="claim-box-form", on_change="rerun"):
        _form(checked)
    if checked.has_scores:
        needed = isinstance(checked.table, ScoreTable)
        with st.expander(
            "What the scores are, and of how many examples",
            expanded=needed,
            key="claim-box-scores",
            on_change="rerun",
        ):
            _scores(checked)
    if isinstance(checked.table, PValueTable) and checked.table.results is None:
        with st.expander(
            f"What the p-values speak for: {DIRECTION_LABELS[checked.table.alternative]}",
            key="claim-box-direction",
            on_change="rerun",
        ):
            _direction(checked.table)


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


def _form(checked: UnderCheck) -> None:
    kind: ClaimKind = st.selectbox(
        "What is said", list(_KINDS), format_func=lambda kind: _KINDS[kind], key=_KIND
    )
    n_datasets = len(checked.table.datasets)
    with st.container(horizontal=True):
        if kind in ("at-least", "exactly"):
            # At least none is true of any table.
            least = 1 if kind == "at-least" else 0
            st.number_input(
                f"How many of {n_datasets}",
                least,
                max(least, n_datasets),
                value=max(least, (n_datasets + 1) // 2),
                step=1,
                key=f"{_K}-{kind}",
            )
        st.text_input(
            "Level",
            key=_LEVEL,
            placeholder=format_level(state.session().settings.alpha),
            help="Empty: the level α of the sidebar.",
        )
    if kind == "interval":
        with st.container(horizontal=True):
            st.text_input("Lower end", key=_LOW, placeholder="3.9")
            st.text_input("Upper end", key=_HIGH, placeholder="5.2")
            st.text_input("Estimate, as printed", key=_ESTIMATE, placeholder="4.6")
        st.button("Add it", on_click=_add, args=(checked,))
        return
    of_levels = kind in ("significant", "not-significant")
    if kind == "named" or of_levels:
        st.multiselect("Which datasets", checked.table.datasets, key=_NAMES)
    columns = _columns(checked)
    if not of_levels:
        method = st.selectbox(
            "Named by" if kind == "named" else "Counted by",
            _methods(kind, any_of_several=bool(columns)),
            format_func=_method_words,
            # The lists of two kinds differ, and so do their fields.
            key=f"{_METHOD}-{kind}",
        )
        if method == ANY:
            st.multiselect("Which p-values; none chosen means all", columns, key=_COLUMNS)
    sides: list[Better] = list(get_args(Better))
    words = {
        "a": f"A: {display_name(checked.system_a)}",
        "b": f"B: {display_name(checked.system_b)}",
        "differ": "neither: that the systems differ",
    }
    if kind == "not-significant":
        st.button("Add it", on_click=_add, args=(checked,))
        return
    st.selectbox("Which system is better", sides, format_func=lambda side: words[side], key=_SIDE)
    st.button("Add it", on_click=_add, args=(checked,))


def _columns(checked: UnderCheck) -> tuple[str, ...]:
    """The columns of p-values, where there are several."""
    table = checked.table
    return table.p_value_columns if isinstance(table, PValueTable) and table.further else ()


def _methods(kind: ClaimKind, *, any_of_several: bool) -> list[Method | Literal[""]]:
    if kind == "named":
        return list(procedure_names())
    methods = [*count_methods(), ANY] if any_of_several else list(count_methods())
    return ["", *methods] if kind == "at-least" else list(methods)


def _method_words(method: Method | Literal[""]) -> str:
    if method == "":
        return "not said: what the answer about dependence allows"
    if method == "count":
        return "counting p ≤ α (common practice)"
    if method == ANY:
        return "counting datasets with any of several p ≤ α"
    return procedure_named(method).title if method in procedure_names() else method_name(method)


def _add(checked: UnderCheck) -> None:
    kind: ClaimKind = state.value(_KIND, "at-least")
    level = str(state.value(_LEVEL, "")).strip()
    try:
        claim = _claim(kind, level)
    except ValueError:
        state.remark(
            "Nothing was added: write both ends and the estimate as plain numbers, the lower end "
            "first."
            if kind == "interval"
            else "Nothing was added: choose at least one dataset, and as the level a number between "
            "0 and 1, or none."
        )
        return
    line = claim.line()
    try:
        readable = parse_claims(line) == (claim,)
    except DataError:
        readable = False
    if not readable:
        state.remark(
            "Nothing was added: the name of a dataset holds a sign, such as a semicolon, that a "
            "line cannot hold. Rename it in the table."
        )
        return
    lines.append(line, before=checked.own_lines)


def _claim(kind: ClaimKind, level: str) -> Claim:
    alpha = read_level(level)
    if level and alpha is None:
        raise ValueError(f"`level` must lie strictly between 0 and 1; got {level!r}.")
    if kind == "interval":
        low, high, estimate = (
            str(state.value(key, "")).strip().rstrip("% ").replace("−", "-").replace(",", ".")
            for key in (_LOW, _HIGH, _ESTIMATE)
        )
        return Claim(kind=kind, interval=(low, high), estimate=estimate, alpha=alpha)
    counted = kind in ("at-least", "exactly")
    has_method = counted or kind == "named"
    method = state.value(f"{_METHOD}-{kind}") or None if has_method else None
    return Claim(
        kind=kind,
        k=int(state.value(f"{_K}-{kind}") or 0) if counted else None,
        method=method,
        datasets=() if counted else tuple(state.value(_NAMES, ())),
        columns=tuple(state.value(_COLUMNS, ())) if method == ANY else (),
        better=state.value(_SIDE, "a"),
        alpha=alpha,
    )


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
        return (
            "The table has no numbers of examples. With them, p-values can be held against scores."
        )
    text = f"Sizes read for {n_read:,} dataset{'s' if n_read != 1 else ''}"
    if checked.metric == "other":
        return f"{text}; now say that the scores are accuracies or correlations."
    return f"{text}."
