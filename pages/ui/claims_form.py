"""What is claimed and assumed: the lines, a form that adds one, the scores' kind, the sizes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal, get_args

import streamlit as st

from core.claims import Claim, parse_claims
from core.claims.check import ClaimMetric
from core.claims.claim import METHODS, Better, ClaimKind, Method, method_name
from core.data import ScoreTable
from core.errors import DataError
from core.report.formatting import display_name, format_level
from core.report.sentences import PROCEDURE_NAMES
from core.types import PROCEDURES
from core.validation import check_alpha
from pages.ui import prose, state
from pages.ui.claims_desk import METRICS, ClaimDesk, read_sizes
from pages.ui.claims_table import UnderCheck

_METRIC, _SIZES = "claim-metric", "claim-sizes"
_KIND, _K, _METHOD, _NAMES, _SIDE, _LEVEL = (
    f"claim-form-{part}" for part in ("kind", "k", "method", "names", "side", "level")
)
_KINDS: Mapping[ClaimKind, str] = {
    "at-least": "better on at least so many datasets",
    "exactly": "a method counts exactly so many",
    "named": "a procedure names exactly these datasets",
    "significant": "p ≤ α on each of these datasets",
}
_METRIC_WORDS: Mapping[ClaimMetric, str] = {
    "accuracy": "accuracies or error rates: shares of the examples",
    "correlation": "correlations with gold",
    "other": "something else, or not known",
}
_HELP = (
    "exactly 10 of 12 by fisher at .05 for A; at least 6 for A; named Tamil; Czech by holm at .05 "
    "for A; significant Tamil at .01 for differ. A line that begins with # is passed over."
)


def show(checked: UnderCheck) -> None:
    """Everything that can be said about the paper, the lines first."""
    st.subheader("What the paper claims", anchor=False)
    n_lines = len(checked.lines.splitlines())
    lines = _lines_key()
    st.text_area(
        "One a line",
        key=state.widget(lines, checked.lines),
        on_change=_take_lines,
        args=(lines,),
        height=min(280, max(110, 24 * (n_lines + 2))),
        placeholder="exactly 10 by fisher at .05 for A\nnamed Tamil; Czech by holm at .05 for A",
        help=_HELP,
    )
    if checked.own_lines and checked.lines.strip() != checked.own_lines.strip():
        st.button("Fill in what the sample's own paper claims", on_click=_take_own)
    with st.expander("Add one by a form"):
        _form(checked)
    if checked.has_scores:
        needed = isinstance(checked.table, ScoreTable)
        with st.expander("What the scores are, and of how many examples", expanded=needed):
            _scores(checked)


def _lines_key() -> str:
    # Where lines are filled in, the field is a new one: what a browser that has not yet
    # drawn them sends of the old field must not take their place.
    current = state.session()
    side = "swapped" if current.settings.swapped else "own"
    return f"claim-lines-{current.n_loaded}-{side}-{current.n_claims_filled}"


def _take_lines(key: str) -> None:
    _change(lines=str(state.value(key)))


def _fill(lines: str | None) -> None:
    _change(lines=lines)
    state.session().n_claims_filled += 1


def _take_own() -> None:
    _fill(None)


def _change(**changes: object) -> None:
    state.session().claims = replace(_desk(), **changes)  # type: ignore[arg-type]


def _desk() -> ClaimDesk:
    current = state.session()
    return current.claims.facing(swapped=current.settings.swapped)


def _form(checked: UnderCheck) -> None:
    kind: ClaimKind = st.selectbox(
        "What is said", list(_KINDS), format_func=lambda kind: _KINDS[kind], key=_KIND
    )
    n_datasets = len(checked.table.datasets)
    with st.container(horizontal=True):
        if kind in ("at-least", "exactly"):
            st.number_input(f"How many of {n_datasets}", 0, n_datasets, step=1, key=_K)
        st.text_input(
            "Level",
            key=_LEVEL,
            placeholder=format_level(state.session().settings.alpha),
            help="Empty: the level α of the sidebar.",
        )
    if kind in ("named", "significant"):
        st.multiselect("Which datasets", checked.table.datasets, key=_NAMES)
    if kind != "significant":
        st.selectbox(
            "Named by" if kind == "named" else "Counted by",
            _methods(kind),
            format_func=_method_words,
            # The lists of two kinds differ, and so do their fields.
            key=f"{_METHOD}-{kind}",
        )
    sides: list[Better] = list(get_args(Better))
    words = {
        "a": f"A: {display_name(checked.system_a)}",
        "b": f"B: {display_name(checked.system_b)}",
        "differ": "neither: that the systems differ",
    }
    st.selectbox("Which system is better", sides, format_func=lambda side: words[side], key=_SIDE)
    st.button("Add it", on_click=_add, args=(checked,))


def _methods(kind: ClaimKind) -> list[Method | Literal[""]]:
    if kind == "named":
        return list(PROCEDURES)
    return ["", *METHODS] if kind == "at-least" else list(METHODS)


def _method_words(method: Method | Literal[""]) -> str:
    if method == "":
        return "not said: what the answer about dependence allows"
    if method == "count":
        return "counting p ≤ α (common practice)"
    return PROCEDURE_NAMES.get(method, method_name(method))


def _add(checked: UnderCheck) -> None:
    kind: ClaimKind = state.value(_KIND, "at-least")
    level = str(state.value(_LEVEL, "")).strip().replace(",", ".")
    try:
        claim = Claim(
            kind=kind,
            k=int(state.value(_K) or 0) if kind in ("at-least", "exactly") else None,
            method=state.value(f"{_METHOD}-{kind}") or None if kind != "significant" else None,
            datasets=tuple(state.value(_NAMES, ())) if kind in ("named", "significant") else (),
            better=state.value(_SIDE, "a"),
            alpha=check_alpha(float(level)) if level else None,
        )
    except ValueError:
        state.remark(
            "Nothing was added: choose at least one dataset, and as the level a number between 0 "
            "and 1, or none."
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
    # What was typed just now is newer than what the page was drawn with.
    typed = _desk().lines
    before = (checked.own_lines if typed is None else typed).rstrip()
    _fill(f"{before}\n{line}" if before else line)


def _scores(checked: UnderCheck) -> None:
    st.radio(
        "The scores are",
        METRICS,
        format_func=lambda metric: _METRIC_WORDS[metric],
        key=state.widget(_METRIC, checked.metric),
        on_change=lambda: _change(metric=state.value(_METRIC)),
    )
    st.text_area(
        "Numbers of examples: one for all datasets, or a line “name: n” for each",
        key=state.widget(_SIZES, checked.sizes),
        on_change=lambda: _change(sizes=str(state.value(_SIZES))),
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
