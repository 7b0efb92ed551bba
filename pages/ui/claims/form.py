"""What is claimed and assumed: the table, the lines, menus for their parts, sizes, means.

Without a table the page shows what it can say of intervals and means alone, and papers to try.
"""

import html
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NoReturn, get_args

import streamlit as st

from core.claims.check import check_claims
from core.claims.claim import (
    ANY,
    COUNT,
    Claim,
    ClaimKind,
    ClaimMetric,
    count_methods,
    level_in_plain,
    method_name,
)
from core.claims.desk import (
    METRICS,
    ClaimDesk,
    examples,
    parse_claims,
    read_lines,
    read_sizes,
    sample_claims,
    samples_without_table,
    systems_in,
)
from core.claims.findings import ClaimReport
from core.claims.grammar import level_of
from core.claims.means import check_means, possible_t_p_values
from core.claims.possible import SpeaksFor
from core.claims.printed_scores import MOST_EXAMPLES
from core.claims.vocabulary import NO_NAMES, TableNames
from core.data import EffectTable, PValueTable, ResultSet, ScoreTable
from core.errors import DataError, Problem, told
from core.replicability.identification import procedure_names
from core.words.formatting import counted, display_name, format_level
from pages.ui.claims import verdicts
from pages.ui.claims.check import UnderCheck, likely_metric
from pages.ui.frame import figures, guards, prose, state
from pages.ui.frame.widgets import choice, clicked, section
from pages.ui.intake import drop, loading
from pages.ui.intake.role_form import sides
from pages.ui.work import runs

# The label of the box with menus.
_FORM = "Menus for claims and numbers"
_METRIC, _SIZES = "claim-metric", "claim-sizes"
_METRIC_WORDS: Mapping[ClaimMetric, str] = {
    "accuracy": "accuracies or error rates: shares of the examples",
    "correlation": "correlations with gold",
    "other": "something else, or not known",
}
# What each field is called, and what may stand in it.
_FIELDS = {
    "mean_a": ("Mean of A", "4.21"),
    "mean_b": ("Mean of B", "4.05"),
    "sd_a": ("Standard deviation of A", "0.92"),
    "sd_b": ("Standard deviation of B", "0.98"),
    "sd_difference": ("… or of the differences", ""),
    "p_value": ("Printed p-value", "0.012"),
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
    names = TableNames(systems=(checked.system_a, checked.system_b), datasets=table.datasets)
    several = isinstance(table, PValueTable) and bool(table.further)
    typed = state.computed(examples, names, of_several=several)
    _field(checked.lines, typed)
    own = _own_lines()
    if own and checked.lines.strip() != own.strip():
        st.button("Fill in what the sample's own paper claims", on_click=_fill, args=(None,))
    scores_needed = isinstance(table, ScoreTable)
    if scores_needed:
        _scores(checked)
    parts: list[tuple[str, Callable[[], None]]] = [
        ("Menus", partial(_menus, checked)),
        ("Examples", partial(_written_so, typed)),
    ]
    if checked.has_scores and not scores_needed:
        parts.append(("Scores and examples", partial(_scores, checked)))
    if isinstance(table, PValueTable) and table.results is None:
        parts.append(("Direction", partial(sides, table)))
    parts.append(("Means", means))
    with st.expander(_FORM, key="claim-box-form"):
        for tab, (_, show_part) in zip(st.tabs([name for name, _ in parts]), parts, strict=True):
            with tab:
                show_part()


def show_problems(checked: UnderCheck) -> None:
    """Every line that could not be read, and what happens without it."""
    read = checked.read
    if read.problems:
        n = len({problem.line for problem in read.problems})
        left = (
            f" The other {len(checked.claims)} {'is' if len(checked.claims) == 1 else 'are'} checked."
            if checked.claims
            else ""
        )
        title = f"{counted(n, 'line')} of the claims could not be read.{left}"
        menus = f"Or use “{_FORM}” below."
        asked = [replace(one, remedy=f"{one.remedy} {menus}") for one in read.problems]
        prose.problems(title, told(asked))
        _offer_pairs(checked)
        for number, line in read.mended.items():
            is_one = "\n" not in line
            if is_one:
                # A label would read marks in names as Markdown.
                prose.paragraph(f"Line {number} could read: {line}")
            st.button(
                f"Change line {number} to {'that' if is_one else 'these'}",
                on_click=_put,
                args=(number, line),
                key=f"claim-mend-{number}",
            )
    if checked.size_problems:
        prose.problems(
            "The numbers of examples could not be read; the check does without them.",
            told(checked.size_problems),
        )


def _offer_pairs(checked: UnderCheck) -> None:
    """A button for each pair of the file's systems that lines are about, other than A and B."""
    pair = (checked.system_a, checked.system_b)
    every = getattr(state.session().loaded, "data", None)
    order: tuple[str, ...] = getattr(every, "systems", ())
    typed = checked.lines.splitlines()
    wanted = {}
    for problem in checked.read.problems:
        named = systems_in(typed[(problem.line or 1) - 1], order, checked.table.datasets)
        if len(named) == 1 and named[0] in checked.others:
            named = (*named, checked.system_a)
        if len(named) == 2 and set(named) != set(pair):
            wanted[tuple(sorted(named, key=order.index))] = named
    for a, b in wanted:
        st.button(
            prose.label(f"Compare {a} with {b}"),
            on_click=runs.choose_systems,
            args=(a, b),
            key=f"claim-pair-{a}-{b}",
        )


def _own_lines() -> str:
    """The claims recorded with a sample, a line each, with A and B as they now are."""
    loaded = state.session().loaded
    if loaded is None or loaded.source.sample is None:
        return ""
    recorded = "\n".join(claim.line() for claim in sample_claims(loaded.source.sample.key))
    return ClaimDesk(lines=recorded).facing(swapped=state.session().settings.swapped).lines or ""


def _field(lines: str, examples: Sequence[tuple[str, str]]) -> None:
    """The lines as they are, to be changed."""
    key = _field_key()
    n_lines = len(lines.splitlines())
    st.text_area(
        "One claim per line",
        key=state.widget(key, lines),
        on_change=_take,
        args=(key,),
        height=min(280, max(110, 24 * (n_lines + 2))),
        placeholder="\n".join(line for line, _ in examples[:2]),
    )


def _laid_out() -> str:
    """The claims as they were typed just now, or those recorded with the sample."""
    typed = state.claims().lines
    return _own_lines() if typed is None else typed


def _fill(lines: str | None) -> None:
    """Put lines into the field; None for those recorded with a sample."""
    _change(lines=lines)
    state.session().n_claims_filled += 1


def append(lines: str) -> None:
    """Put lines below those that are there."""
    kept = _laid_out().rstrip()
    _fill(f"{kept}\n{lines}" if kept else lines)


def _put(number: int, line: str) -> None:
    """Write one line in place of another, the first of which is 1."""
    every = _laid_out().splitlines()
    every[number - 1] = line
    _fill("\n".join(every))


def _change(**changes: object) -> None:
    """Change what is laid out."""
    state.session().claims = replace(state.claims(), **changes)  # type: ignore[arg-type]


def _field_key() -> str:
    # Where lines are filled in, the field is a new one: what a browser that has not yet
    # drawn them sends of the old field must not take their place.
    current = state.session()
    side = "swapped" if current.settings.swapped else "own"
    return state.of_file(f"claim-lines-{side}-{current.n_claims_filled}")


def _take(key: str) -> None:
    lines = state.value(key)
    # Of a table that was replaced in the same moment its field is gone.
    if lines is not None:
        _change(lines=lines)


def _written_so(examples: Sequence[tuple[str, str]]) -> None:
    """How a line is written, and what it says."""
    quiet = figures.theme().quiet
    rows = prose.listed(
        f"<code style='font-size:.9em'>{html.escape(line)}</code>: {html.escape(words)}"
        for line, words in examples
    )
    style = f"color:{quiet};font-size:.95rem"
    st.html(f"<div class='claim-examples' style='{style}'>Examples:{rows}</div>")


def sample_buttons() -> None:
    """One button a paper's table, and one for each set of claims without one, to go below those laid out."""
    loading.sample_buttons(lambda sample: bool(sample_claims(sample.key)))
    loading.buttons((found, partial(_lay_out, found.lines)) for found in samples_without_table())


def _lay_out(lines: str) -> None:
    if lines not in _laid_out():
        append(lines)


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
        on_click=lambda: _change(metric="accuracy"),
        key="claim-offer-accuracy",
    )


def _scores(checked: UnderCheck) -> None:
    st.radio(
        "The scores are",
        METRICS,
        format_func=lambda metric: _METRIC_WORDS[metric],
        **state.choice(_METRIC, checked.metric, lambda chosen: _change(metric=chosen)),
    )
    st.text_area(
        "Numbers of examples: one for all datasets, or a line “name: n” for each",
        **state.choice(_SIZES, state.claims().sizes, lambda typed: _change(sizes=typed)),
        height=100,
        placeholder="2000",
    )
    if checked.n_examples and state.claims().sizes.strip() and not checked.size_problems:
        sizes = counted(len(checked.n_examples), "dataset")
        prose.paragraph(
            f"Sizes read for {sizes}. They take the place of any that the table has; empty the field "
            "to return to those.",
            quiet=True,
        )
    elif checked.n_examples is None and not checked.size_problems:
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
    typed = {}
    for names in (("mean_a", "sd_a"), ("mean_b", "sd_b"), ("sd_difference", "p_value")):
        with st.container(horizontal=True):
            for name in names:
                label, example = _FIELDS[name]
                key = f"claim-means-{name.removesuffix('_value').replace('_', '-')}"
                text = st.text_input(label, key=key, placeholder=example, persist_state="session")
                typed[name] = _plain(text)
    sides: list[SpeaksFor] = list(get_args(SpeaksFor))
    with st.container(horizontal=True):
        n = st.number_input(
            "Number of examples",
            2,
            MOST_EXAMPLES,
            value=100,
            key="claim-means-n",
            persist_state="session",
        )
        side = choice(
            "The p-value is", sides[::-1], key="claim-means-side", words=_SIDES.__getitem__
        )
    numbers = [typed.pop(name) for name in ("mean_a", "mean_b", "p_value")]
    # The spread of the differences is given, or those of both systems.
    spreads = {name: text for name, text in typed.items() if text}
    if "sd_difference" in spreads:
        spreads = {"sd_difference": spreads["sd_difference"]}
    if not all(numbers) or (len(spreads) < 2 and "sd_difference" not in spreads):
        return
    try:
        mean_a, mean_b, p_value = numbers
        possible = possible_t_p_values(mean_a, mean_b, int(n), speaks_for=side, **spreads)
        found = check_means(possible, p_value, side)
    except ValueError as error:
        message = str(error)
        for name, (label, _) in _FIELDS.items():
            message = message.replace(f"`{name}`", f"“{label}”")
        prose.notice(message)
        return
    prose.paragraph(found, strong=True)


def _menus(checked: UnderCheck) -> None:
    """Menus for the parts of a claim, which is then written in place of its line, or below the others."""
    alpha, n = state.session().settings.alpha, len(checked.table.datasets)
    words = [
        "a new claim",
        *(
            f"{i}. {claim.words(checked.subject, alpha=alpha)}"
            for i, claim in enumerate(checked.claims, start=1)
        ),
    ]
    which = st.selectbox(
        "Which line", range(len(words)), format_func=lambda i: words[i], key="claim-menu-which"
    )
    claim = Claim(kind="at-least", k=max(1, (n + 1) // 2))
    if which:
        claim = checked.claims[which - 1]
    # What was chosen for one claim stays with it until it is written.
    key = f"claim-menu-{claim.line() if which else 'new'}"

    def chosen(label: str, options: Mapping[Any, str], now: str, name: str) -> Any:
        """One of these, each with its words."""
        every = list(options)
        of = every.index(now)
        return st.selectbox(label, every, of, options.__getitem__, key=f"{key}-{name}")

    kind = chosen("What is said", _KINDS, claim.kind, "kind")
    counts = kind in ("at-least", "exactly")
    parts: dict[str, Any] = {"kind": kind}
    if kind == "interval":
        low, high = claim.interval or ("3.9", "5.2")
        with st.container(horizontal=True):
            low = st.text_input("Lower end", low, key=f"{key}-low")
            high = st.text_input("Upper end", high, key=f"{key}-high")
            estimate = st.text_input(
                "Estimate, as printed", claim.estimate or "4.6", key=f"{key}-estimate"
            )
        parts |= {"interval": (_plain(low), _plain(high)), "estimate": _plain(estimate)}
    elif counts:
        # At least none is true of any table.
        least = 1 if kind == "at-least" else 0
        k = claim.k if claim.k is not None else len(claim.datasets) or n // 2
        most = max(least, n, k)
        parts["k"] = st.number_input(
            f"How many of {n}", least, most, max(least, k), step=1, key=f"{key}-{least}"
        )
        parts["n_datasets"] = claim.n_datasets
    else:
        known = [name for name in claim.datasets if name in checked.table.datasets]
        known = known or list(checked.table.datasets[:1])
        parts["datasets"] = st.multiselect(
            "Which datasets", checked.table.datasets, known, key=f"{key}-datasets"
        )
    if counts or kind in ("named", "significant"):
        table = checked.table
        several = isinstance(table, PValueTable) and bool(table.further)
        methods = [*count_methods(), *([ANY] if several else [])] if counts else procedure_names()
        if kind in ("at-least", "significant"):
            methods = ["", *methods]
        titles = {
            "": "not said: what the answer about dependence allows" if counts else "p ≤ α alone",
            COUNT: "counting p ≤ α (common practice)",
            ANY: "counting datasets with any of several p ≤ α",
        }
        usual = "holm" if kind == "named" else methods[0]
        parts["method"] = chosen(
            "Counted by" if counts else "Identified by",
            {method: titles.get(method) or method_name(method) for method in methods},
            claim.method or "" if claim.method in methods else usual,
            f"{kind}-method",
        )
        if parts["method"] == ANY:
            label = "Which p-values; none chosen means all"
            columns = table.p_value_columns if isinstance(table, PValueTable) else ()
            parts["columns"] = st.multiselect(
                label, columns, list(claim.columns), key=f"{key}-columns"
            )
    level = st.text_input(
        "Level",
        "" if claim.alpha is None else level_in_plain(claim.alpha),
        placeholder=format_level(alpha),
        help="Empty: the level α of the sidebar.",
        key=f"{key}-level",
    )
    if kind not in ("interval", "not-significant"):
        sides = {
            "a": f"A: {display_name(checked.system_a)}",
            "b": f"B: {display_name(checked.system_b)}",
            "differ": "neither: that the systems differ",
        }
        parts["better"] = chosen("Which system is better", sides, claim.better, "better")
    label = "Change this claim" if which else "Add a claim"
    if clicked(label, key="claim-add"):
        _write(checked, claim if which else None, parts, level.strip())


def _write(checked: UnderCheck, claim: Claim | None, parts: Mapping[str, Any], level: str) -> None:
    """Write what the menus say in place of a claim's line, or below the others."""
    try:
        alpha = level_of(level) if level else None
        line = Claim(**{**parts, "method": parts.get("method") or None}, alpha=alpha).line()
    except ValueError:
        prose.problem(_UNCHANGED)
        return
    systems = (checked.system_a, checked.system_b)
    names = TableNames(systems=systems, datasets=checked.table.datasets)
    try:
        readable = [read.line() for read in parse_claims(line, names)]
    except DataError:
        readable = []
    if readable != [line]:
        prose.problem(
            "Nothing was changed: the name of a dataset holds a sign, such as a semicolon, that a "
            "line cannot hold. Rename it in the table."
        )
        return
    if claim is None:
        append(line)
    else:
        _put(checked.read.line_numbers[claim][0], line)
    st.rerun()


def _plain(text: object) -> str:
    return str(text or "").strip().rstrip("% ").replace("−", "-").replace(",", ".")


def require_table(promise: str) -> UnderCheck:
    """What is loaded, or an empty state that says what the page will show; then the page stops."""
    loaded = state.session().loaded
    data = None if loaded is None else loaded.data
    if data is None or isinstance(data, EffectTable):
        _without_table(promise, data)
    table: PValueTable | ScoreTable
    so_far = ""
    if isinstance(data, ResultSet):
        analysis = guards.require_analysis(promise)
        table, so_far = analysis.table, analysis.so_far
    elif isinstance(data, PValueTable):
        swapped = state.session().settings.swapped
        table = data.swapped() if swapped else data
    else:
        table = data
    a, b = state.systems()
    desk = state.claims()
    problems: tuple[Problem, ...] = ()
    if desk.sizes.strip():
        try:
            sizes: Any = read_sizes(desk.sizes, table.datasets)
            table = replace(table, n_examples=sizes)
        except DataError as error:
            problems = error.problems
    return UnderCheck(
        table=table,
        system_a=a,
        system_b=b,
        lines=_laid_out(),
        metric_said=desk.metric or likely_metric(table.metric),
        size_problems=problems,
        so_far=so_far,
        others=tuple(name for name in getattr(data, "systems", ()) if name not in (a, b)),
    )


def _without_table(promise: str, effects: EffectTable | None) -> NoReturn:
    """What can be said without p-values and scores, where to get some, and papers to try."""
    link = state.session().awaited
    report = None if link is not None else _interval_answer()
    if effects is not None:
        guards.explain_no_p_values(effects)
    elif report is None:
        prose.paragraph(promise)
    waiting = (link.claims.lines or "").strip() if link is not None else ""
    if waiting:
        prose.notice("These claims wait for their table, which the link does not hold:")
        st.code(waiting, language=None, wrap_lines=True)
    if effects is None:
        st.page_link("pages/upload.py", label="Load a table on the Upload page →")
        drop.paste()
    prose.paragraph("Or see it with a published table and what its paper claims:")
    sample_buttons()
    if report is None and link is None:
        read = read_lines(state.claims().lines or "")
        verdicts.marks(None, tuple(read.line_numbers), in_front=True)
    if link is None:
        _interval_form(report)
    st.stop()


def _interval_answer() -> ClaimReport | None:
    """The verdict on the intervals that are laid out, first of all; None where there are none."""
    written = state.claims().lines or ""
    read = read_lines(written, has_table=False)
    if not read.reads:
        return None
    settings, claims = state.session().settings, tuple(read.line_numbers)
    report = check_claims(None, claims, alpha=settings.alpha, dependence=settings.dependence)
    for claim in claims:
        state.record("claims checked", claim.words(alpha=settings.alpha))
    prose.lead(report.lead())
    for found in samples_without_table():
        if found.lines in written:
            prose.paragraph(f"{found.source}. {found.note}", quiet=True)
    verdicts.claims(report, read.notes())
    return report


def _interval_form(report: ClaimReport | None) -> None:
    """The field for intervals, and what of it can be taken away."""
    st.header("An interval and its estimate", anchor=False)
    prose.paragraph(
        "An estimate printed with a confidence interval needs no table: whether it can be that "
        "interval's is a matter of its two ends and their digits."
    )
    written = state.claims().lines or ""
    typed = state.computed(examples, NO_NAMES)[-1:]
    _field(written, typed)
    problems = read_lines(written, has_table=False).problems
    if problems:
        unread = counted(len(problems), "line")
        prose.problems(f"{unread} could not be checked without a table.", told(problems))
    if report is None:
        _written_so(typed)
    section("Means with standard deviations: a paired t-test", means, key="claim-means")
    if report is not None:
        verdicts.review(report)
        verdicts.behind(report)
