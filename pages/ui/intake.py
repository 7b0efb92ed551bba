"""Taking in a file: drop, sample, demo, problems, and how it was read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from core.data import PUBLISHED_TABLE_TEMPLATE, PValueTable
from core.types import Alternative
from pages.ui import guards, limits, prose, state
from pages.ui.glossary import TOOLTIPS

DEMO_SAMPLE = "parsing-redshift"
_NO_COLUMN = "(none)"
_COLUMN_LABELS = {
    "dataset": "Datasets",
    "system_a": "Scores of A",
    "system_b": "Scores of B",
    "p_value": "p-values",
    "n_examples": "Examples a dataset",
}
DIRECTION_LABELS: Mapping[Alternative, str] = {
    "not-stated": "not stated",
    "greater": "one-sided, for A better",
    "less": "one-sided, for B better",
    "two-sided": "two-sided",
    "toward-higher-score": "one-sided, toward the higher score",
}


def show(*, first: bool) -> None:
    """The ways to load something, with the problems of the last try."""
    uploads = state.session().uploads
    key = f"upload-{uploads}"
    st.file_uploader(
        "Drop a table: one row a dataset with both systems' scores and the p-value",
        type=["csv", "tsv", "txt"],
        key=key,
        on_change=_take_upload,
        args=(key,),
        max_upload_size=limits.MAX_UPLOAD_MEGABYTES,
    )
    _refused()
    if first:
        st.button("Start the demo", type="primary", on_click=state.load_sample, args=(DEMO_SAMPLE,))
    prose.paragraph("Or try a sample:")
    guards.sample_buttons()
    with st.container(horizontal=True, vertical_alignment="center"):
        st.download_button(
            "Download a template",
            data=PUBLISHED_TABLE_TEMPLATE.encode("utf-8"),
            file_name="published_table.csv",
            mime="text/csv",
            on_click="ignore",
        )
        prose.paragraph(
            "Your file stays in this browser session's memory: it is not written to disk, sent "
            "anywhere, or kept after you leave.",
            quiet=True,
        )


def _take_upload(key: str) -> None:
    upload = state.value(key)
    if upload is not None:
        state.load_file(upload.name, upload.getvalue())
        # A fresh uploader: the page says what is loaded, and the same file can be dropped again.
        state.session().uploads += 1


def _refused() -> None:
    refused = state.session().refused
    if refused is None:
        return
    problems = refused.error.problems
    count = "1 problem" if len(problems) == 1 else f"{len(problems)} problems"
    loaded = state.session().loaded
    stays = f" What was loaded before stays: {loaded.source.name}." if loaded else ""
    prose.problems(
        f"{refused.source.name} could not be read: {count}.{stays}",
        [str(problem) for problem in problems[: limits.MAX_PROBLEMS_SHOWN]],
        hidden=max(0, len(problems) - limits.MAX_PROBLEMS_SHOWN),
    )
    if refused.error.columns:
        with st.expander("Choose the columns by hand"):
            _roles_form(refused.error.columns, refused.source.roles, key="refused")
    st.button("Dismiss", on_click=state.dismiss_refused)


def how_read(table: PValueTable) -> None:
    """Which column was taken for what, changeable."""
    if table.reading is None:
        return
    with st.expander("How this was read"):
        prose.paragraph(
            f"Layout: {table.reading.layout}; columns separated by "
            f"{_SEPARATORS.get(table.reading.separator, table.reading.separator)}; "
            f"text in {table.reading.encoding}.",
            quiet=True,
        )
        _roles_form(table.reading.columns, table.reading.roles, key="loaded")


_SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}


def _roles_form(columns: Sequence[str], roles: Mapping[str, object], *, key: str) -> None:
    with st.form(f"roles-{key}", border=False):
        options = [_NO_COLUMN, *columns]
        for role, label in _COLUMN_LABELS.items():
            held = roles.get(role)
            st.selectbox(
                label,
                options,
                index=options.index(held) if isinstance(held, str) and held in options else 0,
                key=f"{key}-{role}",
            )
        stated = roles.get("alternative", "not-stated")
        directions = list(DIRECTION_LABELS)
        st.radio(
            "What the p-values speak for",
            directions,
            index=directions.index(stated) if stated in directions else 0,
            format_func=lambda choice: DIRECTION_LABELS[choice],
            key=f"{key}-alternative",
            help=TOOLTIPS["direction"],
        )
        st.checkbox(
            "A higher score is better",
            value=bool(roles.get("higher_is_better", True)),
            key=f"{key}-higher",
        )
        zero = roles.get("zero_reads_below")
        st.text_input(
            "A p-value printed as 0 lies below (empty: half a unit of the column's last digit)",
            value="" if zero is None else f"{zero:.10g}",
            key=f"{key}-zero",
            help=TOOLTIPS["zero"],
        )
        st.form_submit_button("Read it so", type="primary", on_click=_correct, args=(key,))


def _correct(key: str) -> None:
    roles: dict[str, object] = {}
    for role in _COLUMN_LABELS:
        column = state.value(f"{key}-{role}")
        roles[role] = None if column == _NO_COLUMN else column
    zero = str(state.value(f"{key}-zero")).strip().replace(",", ".")
    try:
        roles["zero_reads_below"] = float(zero) if zero else None
    except ValueError:
        roles["zero_reads_below"] = zero
    roles["alternative"] = state.value(f"{key}-alternative")
    roles["higher_is_better"] = state.value(f"{key}-higher")
    state.correct(roles)


def exclusions(datasets: Sequence[str], excluded: Sequence[str]) -> None:
    """Leave datasets out, visibly."""
    st.multiselect(
        "Leave datasets out",
        list(datasets),
        key=state.widget("excluded", list(excluded)),
        on_change=_exclude,
        args=(tuple(datasets),),
        max_selections=max(1, len(datasets) - 1),
        help=TOOLTIPS["excluded"],
        placeholder="none left out",
    )


def _exclude(datasets: tuple[str, ...]) -> None:
    chosen = set(state.value("excluded"))
    if len(chosen) < len(datasets):
        state.choose(excluded=tuple(name for name in datasets if name in chosen))
