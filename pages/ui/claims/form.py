"""What is claimed and assumed: the table, the lines, menus for their parts, sizes, means.

Without a table the page shows what it can say of intervals and means alone, and papers to try.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, NoReturn, get_args

import streamlit as st

from core.claims.check import check_claims
from core.claims.claim import (
    ANY,
    COUNT,
    Better,
    Claim,
    ClaimKind,
    ClaimMetric,
    Method,
    count_methods,
    level_in_plain,
    method_name,
)
from core.claims.desk import METRICS, parse_claims
from core.claims.findings import ClaimReport
from core.claims.means import check_means
from core.claims.possible import SpeaksFor
from core.claims.printed_scores import MOST_EXAMPLES
from core.claims.vocabulary import NO_NAMES, TableNames
from core.data import EffectTable, PValueTable, ResultSet, ScoreTable
from core.errors import DataError, told
from core.replicability.identification import procedure_names
from core.types import EXCHANGED
from core.validation import read_level
from core.words.formatting import counted, display_name, format_level
from pages.ui.claims import lines, verdicts
from pages.ui.claims.check import UnderCheck, likely_metric, own_lines
from pages.ui.claims.lines import FORM, read_lines
from pages.ui.frame import guards, prose, state
from pages.ui.frame.widgets import choice, section
from pages.ui.intake import drop, loading
from pages.ui.intake.role_form import ask_sides

_METRIC, _SIZES, _DIRECTION = "claim-metric", "claim-sizes", "claim-direction"
_METRIC_WORDS: Mapping[ClaimMetric, str] = {
    "accuracy": "accuracies or error rates: shares of the examples",
    "correlation": "correlations with gold",
    "other": "something else, or not known",
}
# What each field is called, and what may stand in it.
_FIELDS = {
    "mean-a": ("Mean of A", "4.21"),
    "mean-b": ("Mean of B", "4.05"),
    "sd-a": ("Standard deviation of A", "0.92"),
    "sd-b": ("Standard deviation of B", "0.98"),
    "sd-difference": ("… or of the differences", ""),
    "p": ("Printed p-value", "0.012"),
}
_SIDES = {"either": "two-sided", "a": "one-sided, A better", "b": "one-sided, B better"}
_KINDS: Mapping[ClaimKind, str] = {
    "at-least": "better on at least so many datasets",
    "exactly": "exactly so many datasets",
    "significant": "significant on each of these datasets",
    "named": "significant on exactly these, after correction",
    "not-significant": "no significant difference on these datasets",
    "interval": "an estimate with its confidence interval",
}
_UNCHANGED = (
    "Nothing was changed: choose at least one dataset, and as the level a number between 0 and 1; "
    "of an interval write plain numbers, the lower end first."
)


def show(checked: UnderCheck) -> None:
    """Everything that can be said about the paper, the lines first."""
    st.header("What the paper claims", anchor=False)
    table = checked.table
    examples = lines.examples_for(table, (checked.system_a, checked.system_b))
    lines.field(checked.lines, examples)
    if checked.own_lines and checked.lines.strip() != checked.own_lines.strip():
        st.button("Fill in what the sample's own paper claims", on_click=lines.fill, args=(None,))
    scores_needed = isinstance(table, ScoreTable)
    if scores_needed:
        _scores(checked)
    parts: list[tuple[str, Callable[[], None]]] = [
        ("Menus", partial(_menus, checked)),
        ("Examples", partial(lines.written_so, examples)),
    ]
    if checked.has_scores and not scores_needed:
        parts.append(("Scores and examples", partial(_scores, checked)))
    if isinstance(table, PValueTable) and table.results is None:
        parts.append(("Direction", partial(_direction, table)))
    parts.append(("Means", means))
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
    ask_sides(**state.choice(_DIRECTION, table.alternative, _read_so))
    prose.paragraph("The table is read again with the answer, on every page.", quiet=True)


def _read_so(chosen: str) -> None:
    # A and B may be exchanged here, and with them whom a one-sided p-value is for.
    if state.session().settings.swapped:
        chosen = EXCHANGED.get(chosen, chosen)  # type: ignore[call-overload]
    loading.answer("alternative", chosen, refused=False)


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
    elif checked.n_examples:
        sizes = counted(len(checked.n_examples), "dataset")
        prose.paragraph(f"Sizes read for {sizes}.", quiet=True)
    elif not checked.size_problems:
        prose.paragraph(
            "The table has no numbers of examples. With them, p-values can be checked against scores.",
            quiet=True,
        )


def means() -> None:
    """The form and its answer."""
    prose.paragraph(
        "Scores that are means over the examples, printed with the standard deviations of the "
        "examples' scores, limit what a paired t-test can give. All numbers as printed.",
        quiet=True,
    )
    for names in (("mean-a", "sd-a"), ("mean-b", "sd-b"), ("sd-difference", "p")):
        with st.container(horizontal=True):
            for name in names:
                label, example = _FIELDS[name]
                st.text_input(label, key=_key(name), placeholder=example, persist_state="session")
    sides: list[SpeaksFor] = list(get_args(SpeaksFor))
    with st.container(horizontal=True):
        n = st.number_input(
            "Number of examples",
            2,
            MOST_EXAMPLES,
            value=100,
            key=_key("n"),
            persist_state="session",
        )
        side = choice("The p-value is", sides[::-1], key=_key("side"), words=_SIDES.__getitem__)
    typed = {name: _typed(name) for name in _FIELDS}
    if not (typed["mean-a"] and typed["mean-b"] and typed["p"]):
        return
    if not (typed["sd-difference"] or (typed["sd-a"] and typed["sd-b"])):
        return
    given = typed["sd-difference"]
    try:
        found = check_means(
            typed["mean-a"],
            typed["mean-b"],
            int(n),
            typed["p"],
            sd_a=None if given else typed["sd-a"],
            sd_b=None if given else typed["sd-b"],
            sd_difference=given or None,
            speaks_for=side,
        )
    except ValueError as error:
        prose.notice(_in_words(str(error)))
        return
    prose.paragraph(found, strong=True)


def _key(name: str) -> str:
    return f"claim-means-{name}"


def _typed(name: str) -> str:
    return str(state.value(_key(name), "") or "").strip().replace("−", "-").replace(",", ".")


def _in_words(message: str) -> str:
    for name, (label, _) in _FIELDS.items():
        message = message.replace(f"`{name.replace('-', '_')}`", f"“{label}”")
    return message.replace("`p_value`", f"“{_FIELDS['p'][0]}”")


def _menus(checked: UnderCheck) -> None:
    """A button that adds a claim, and menus for the parts of each."""
    st.button("Add a claim", on_click=_add, args=(checked,), key="claim-add")
    n = len(checked.claims)
    if not n:
        return
    alpha = state.session().settings.alpha
    words = [
        f"{i}. {claim.words(checked.subject, alpha=alpha)}"
        for i, claim in enumerate(checked.claims, start=1)
    ]
    which = st.selectbox("Claim", range(n), format_func=lambda i: words[i], key="claim-menu-which")
    claim = checked.claims[which]
    number = checked.read.line_numbers[claim][0]

    def field(part: str, value: object) -> dict[str, Any]:
        def take(chosen: Any) -> None:
            _put(checked, number, claim, **{part: chosen})

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
    if claim.counts or claim.kind in ("named", "significant"):
        columns = _p_value_columns(checked)
        st.selectbox(
            "Counted by" if claim.counts else "Identified by",
            _methods(claim.kind, any_of_several=bool(columns)),
            format_func=partial(_method_words, counts=claim.counts),
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
        readable = parse_claims(line, TableNames(systems=systems, datasets=checked.table.datasets))
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
    """A claim with one part changed; a `ValueError` if it is none then."""
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
    tuples = {name: tuple(value) for name, value in changes.items() if isinstance(value, list)}
    return replace(claim, **(changes | tuples))


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
    elif kind == "not-significant" or (kind == "significant" and method not in procedure_names()):
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


def _plain(text: object) -> str:
    return str(text).strip().rstrip("% ").replace("−", "-").replace(",", ".")


def _p_value_columns(checked: UnderCheck) -> tuple[str, ...]:
    """The columns of p-values, where there are several."""
    table = checked.table
    return table.p_value_columns if isinstance(table, PValueTable) and table.further else ()


def _methods(kind: ClaimKind, *, any_of_several: bool) -> list[Method]:
    if kind in ("named", "significant"):
        return [*([""] if kind == "significant" else []), *procedure_names()]
    methods = [*count_methods(), ANY] if any_of_several else list(count_methods())
    return ["", *methods] if kind == "at-least" else methods


def _method_words(method: Method, *, counts: bool) -> str:
    if method == "":
        return "not said: what the answer about dependence allows" if counts else "p ≤ α alone"
    if method == COUNT:
        return "counting p ≤ α (common practice)"
    if method == ANY:
        return "counting datasets with any of several p ≤ α"
    return method_name(method)


def require_table(promise: str) -> UnderCheck:
    """What is loaded, or an empty state that says what the page will show; then the page stops."""
    loaded = state.session().loaded
    if loaded is None:
        _without_table(promise)
    table: PValueTable | ScoreTable
    so_far = ""
    if isinstance(loaded.data, EffectTable):
        report = _interval_answer()
        guards.explain_no_p_values(loaded.data)
        prose.paragraph("Or see a check with a published table:")
        lines.sample_buttons()
        _interval_form(report)
        st.stop()
    elif isinstance(loaded.data, ResultSet):
        analysis = guards.require_analysis(promise)
        table, so_far = analysis.table, analysis.so_far
    elif isinstance(loaded.data, PValueTable):
        swapped = state.session().settings.swapped
        table = loaded.data.swapped() if swapped else loaded.data
    else:
        table = loaded.data
    a, b = state.systems()
    desk = state.claims()
    own = own_lines()
    return UnderCheck(
        table=table,
        system_a=a,
        system_b=b,
        lines=own if desk.lines is None else desk.lines,
        own_lines=own,
        metric_said=desk.metric or likely_metric(table.metric),
        sizes=desk.sizes,
        so_far=so_far,
        others=tuple(name for name in getattr(loaded.data, "systems", ()) if name not in (a, b)),
    )


def _without_table(promise: str) -> NoReturn:
    """What can be said without a table, where to get one, and papers to try."""
    link = state.session().awaited
    report = None if link is not None else _interval_answer()
    if report is None:
        prose.paragraph(promise)
    waiting = (link.claims.lines or "").strip() if link is not None else ""
    if waiting:
        prose.notice("These claims wait for their table, which the link does not hold:")
        st.code(waiting, language=None, wrap_lines=True)
    if report is not None:
        _interval_form(report)
        st.header("Claims about a table", anchor=False)
    st.page_link("pages/upload.py", label="Load a table on the Upload page →")
    drop.paste()
    prose.paragraph("Or see it with a published table and what its paper claims:")
    lines.sample_buttons()
    if report is None and link is None:
        verdicts.marks(None, read_lines(state.claims().lines or "", NO_NAMES).claims, in_front=True)
        _interval_form(None)
    st.stop()


def _interval_answer() -> ClaimReport | None:
    """The verdict on the intervals that are laid out, first of all; None where there are none."""
    written = state.claims().lines or ""
    read = read_lines(written, None)
    if not read.claims:
        return None
    settings = state.session().settings
    report = check_claims(None, read.claims, alpha=settings.alpha, dependence=settings.dependence)
    for claim in read.claims:
        state.record("claims checked", claim.words(alpha=settings.alpha))
    prose.lead(report.lead())
    lines.source_of(written)
    verdicts.claims(report, read.line_numbers)
    return report


def _interval_form(report: ClaimReport | None) -> None:
    """The field for intervals, and what of it can be taken away."""
    st.header("An interval and its estimate", anchor=False)
    prose.paragraph(
        "An estimate printed with a confidence interval needs no table: whether it can be that "
        "interval's is a matter of its two ends and their digits."
    )
    written = state.claims().lines or ""
    examples = lines.examples_for(None)
    lines.field(written, examples)
    read = read_lines(written, None)
    if read.problems:
        unread = counted(read.n_unread, "line")
        prose.problems(f"{unread} could not be checked without a table.", told(read.problems))
    if report is None:
        lines.written_so(examples)
    section("Means with standard deviations: a paired t-test", means, key="claim-means")
    if report is not None:
        verdicts.review(report)
        verdicts.behind(report)
