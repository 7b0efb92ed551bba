"""A claim by menus: what was understood of a line, each part to be changed; and one without typing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, get_args

import streamlit as st

from core.claims.claim import (
    ANY,
    COUNT,
    Better,
    Claim,
    ClaimKind,
    Method,
    count_methods,
    level_in_plain,
    method_name,
)
from core.claims.claim_lines import parse_claims
from core.data import PValueTable
from core.errors import DataError
from core.replicability.procedures import procedure_named, procedure_names
from core.validation import read_level
from core.words.formatting import display_name, format_level
from pages.ui.claims import lines
from pages.ui.claims.check import Inputs
from pages.ui.claims.table import UnderCheck
from pages.ui.frame import state

_KINDS: Mapping[ClaimKind, str] = {
    "at-least": "better on at least so many datasets",
    "exactly": "exactly so many datasets",
    "significant": "p ≤ α on each of these datasets",
    "named": "significant on exactly these, after correction",
    "not-significant": "no significant difference on these datasets",
    "interval": "an estimate with its confidence interval",
}
_UNCHANGED = (
    "Nothing was changed: choose at least one dataset, and as the level a number between 0 and 1; "
    "of an interval write plain numbers, the lower end first."
)


def show(checked: UnderCheck, inputs: Inputs) -> None:
    """A button that adds a claim, and menus for the parts of each."""
    st.button("Add a claim", on_click=_add, args=(checked,), key="claim-add")
    n = len(inputs.claims)
    if not n:
        return
    alpha = state.session().settings.alpha
    words = [
        f"{i}. {claim.words(alpha=alpha, system_a=checked.system_a, system_b=checked.system_b)}"
        for i, claim in enumerate(inputs.claims, start=1)
    ]
    which = st.selectbox("Claim", range(n), format_func=lambda i: words[i], key="claim-menu-which")
    claim, number = inputs.claims[which], inputs.line_numbers[which]

    def field(part: str, value: object, change: str = "") -> dict[str, Any]:
        def take(chosen: Any) -> None:
            _put(checked, number, claim, **{change or part: chosen})

        return state.choice(f"claim-menu-{part}", value, take)

    st.selectbox(
        "What is said",
        list(_KINDS),
        format_func=lambda kind: _KINDS[kind],
        **field("kind", claim.kind),
    )
    if claim.interval is not None:
        with st.container(horizontal=True):
            st.text_input("Lower end", **field("low", claim.interval[0]))
            st.text_input("Upper end", **field("high", claim.interval[1]))
            st.text_input("Estimate, as printed", **field("estimate", claim.estimate))
    n_datasets = len(checked.table.datasets)
    if claim.counts:
        # At least none is true of any table.
        least = 1 if claim.kind == "at-least" else 0
        most = max(least, n_datasets, claim.k or 0)
        st.number_input(f"How many of {n_datasets}", least, most, step=1, **field("k", claim.k))
    elif claim.interval is None:
        known = [name for name in claim.datasets if name in checked.table.datasets]
        st.multiselect("Which datasets", checked.table.datasets, **field("datasets", known))
    if claim.counts or claim.kind == "named":
        columns = _columns(checked)
        st.selectbox(
            "Counted by" if claim.counts else "Named by",
            _methods(claim.kind, any_of_several=bool(columns)),
            format_func=_method_words,
            **field("method", claim.method or ""),
        )
        if claim.method == ANY:
            own = list(claim.columns)
            label = "Which p-values; none chosen means all"
            st.multiselect(label, columns, **field("columns", own))
    st.text_input(
        "Level",
        placeholder=format_level(alpha),
        help="Empty: the level α of the sidebar.",
        **field("alpha", "" if claim.alpha is None else level_in_plain(claim.alpha)),
    )
    if claim.kind not in ("interval", "not-significant"):
        sides = {
            "a": f"A: {display_name(checked.system_a)}",
            "b": f"B: {display_name(checked.system_b)}",
            "differ": "neither: that the systems differ",
        }
        st.selectbox(
            "Which system is better",
            list(get_args(Better)),
            format_func=lambda side: sides[side],
            **field("better", claim.better),
        )


def _add(checked: UnderCheck) -> None:
    n = len(checked.table.datasets)
    claim = Claim(kind="at-least", k=max(1, (n + 1) // 2))
    lines.append(claim.line(), before=checked.own_lines)


def _put(checked: UnderCheck, number: int, claim: Claim, **changes: Any) -> None:
    """Write a claim with one part changed into its line."""
    try:
        changed = _changed(claim, checked, **changes)
    except ValueError:
        state.remark(_UNCHANGED)
        return
    line = changed.line()
    systems = (checked.system_a, checked.system_b)
    try:
        readable = parse_claims(line, systems=systems, datasets=checked.table.datasets)
    except DataError:
        readable = ()
    if readable != (changed,):
        state.remark(
            "Nothing was changed: the name of a dataset holds a sign, such as a semicolon, that a "
            "line cannot hold. Rename it in the table."
        )
        return
    lines.put(number, line, before=checked.own_lines)


def _changed(claim: Claim, checked: UnderCheck, **changes: Any) -> Claim:
    """A claim with one part changed.

    Raises
    ------
    ValueError
        If it is none then.
    """
    if "kind" in changes:
        return _of_kind(claim, changes["kind"], checked)
    if "alpha" in changes:
        written = str(changes["alpha"]).strip()
        level = read_level(written)
        if written and level is None:
            raise ValueError(f"`level` must lie strictly between 0 and 1; got {written!r}.")
        return replace(claim, alpha=level)
    if claim.interval is not None:
        parts = {"low": claim.interval[0], "high": claim.interval[1], "estimate": claim.estimate}
        parts |= {name: _plain(text) for name, text in changes.items()}
        low, high, estimate = (str(parts[name]) for name in ("low", "high", "estimate"))
        return replace(claim, interval=(low, high), estimate=estimate)
    if "method" in changes:
        return replace(claim, method=changes["method"] or None, columns=())
    return replace(claim, **{name: _as_tuple(value) for name, value in changes.items()})


def _of_kind(claim: Claim, kind: ClaimKind, checked: UnderCheck) -> Claim:
    """What is nearest to a claim among those of another kind."""
    if kind == "interval":
        return Claim(kind=kind, interval=("3.9", "5.2"), estimate="4.6", alpha=claim.alpha)
    counted = kind in ("at-least", "exactly")
    method: Method | None = claim.method
    if kind == "named" and method not in procedure_names():
        method = "holm"
    elif kind == "exactly":
        method = method or COUNT
    elif not counted and kind != "named":
        method = None
    n = len(checked.table.datasets)
    least = 1 if kind == "at-least" else 0
    k = claim.k if claim.k is not None else len(claim.datasets) or max(1, n // 2)
    return Claim(
        kind=kind,
        k=max(least, k) if counted else None,
        n_datasets=claim.n_datasets if counted else None,
        method=method,
        datasets=() if counted else claim.datasets or checked.table.datasets[:1],
        better=claim.better,
        alpha=claim.alpha,
    )


def _as_tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _plain(text: object) -> str:
    return str(text).strip().rstrip("% ").replace("−", "-").replace(",", ".")


def _columns(checked: UnderCheck) -> tuple[str, ...]:
    """The columns of p-values, where there are several."""
    table = checked.table
    return table.p_value_columns if isinstance(table, PValueTable) and table.further else ()


def _methods(kind: ClaimKind, *, any_of_several: bool) -> list[Method]:
    if kind == "named":
        return list(procedure_names())
    methods = [*count_methods(), ANY] if any_of_several else list(count_methods())
    return ["", *methods] if kind == "at-least" else methods


def _method_words(method: Method) -> str:
    if method == "":
        return "not said: what the answer about dependence allows"
    if method == COUNT:
        return "counting p ≤ α (common practice)"
    if method == ANY:
        return "counting datasets with any of several p ≤ α"
    return procedure_named(method).title if method in procedure_names() else method_name(method)
