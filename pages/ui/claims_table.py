"""What claims are checked against: the table as printed, with A and B as the sidebar has them."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from core.claims import sample_claims, sample_metric
from core.claims.check import ClaimMetric
from core.claims.check_possible import metric_of_name
from core.data import EffectTable, PValueTable, ResultSet, ScoreTable, samples
from core.report.formatting import display_name, list_names
from pages.ui import guards, loading, no_p_values, paste, prose, state
from pages.ui.claims_desk import ClaimDesk


@dataclass(frozen=True, slots=True, kw_only=True)
class UnderCheck:
    """What is loaded, and what is laid out to check of it.

    Attributes
    ----------
    table : PValueTable or ScoreTable
        With every dataset of the file, also those left out elsewhere.
    system_a, system_b : str
        Their names.
    lines : str
        The claims, one a line: written by the user, or recorded with a sample.
    own_lines : str
        Those recorded with a sample; empty of anything else.
    metric : {"accuracy", "correlation", "other"}
        What the scores are: chosen, or what sample or table say.
    sizes : str
        Numbers of examples as typed.
    so_far : str
        Said before the answer while tests are running.
    """

    table: PValueTable | ScoreTable
    system_a: str
    system_b: str
    lines: str
    own_lines: str
    metric: ClaimMetric
    sizes: str
    so_far: str = ""

    @property
    def has_scores(self) -> bool:
        """Whether there are two scores to hold p-values against."""
        if isinstance(self.table, ScoreTable):
            return True
        has_both = self.table.scores_a is not None and self.table.scores_b is not None
        return has_both and self.table.results is None

    @property
    def has_sizes(self) -> bool:
        """Whether the table itself has numbers of examples."""
        return isinstance(self.table, PValueTable) and self.table.n_examples is not None


def require_table(promise: str) -> UnderCheck:
    """What is loaded, or an empty state that says what the page will show; then the page stops."""
    loaded = state.session().loaded
    if loaded is None:
        guards.awaited_link()
        prose.paragraph(promise)
        link = state.session().awaited
        desk = state.session().claims if link is None else link.claims
        waiting = (desk.lines or "").strip()
        if waiting:
            prose.notice("These claims wait for their table, which the link does not hold:")
            st.code(waiting, language=None, wrap_lines=True)
        st.page_link("pages/upload.py", label="Load a table on the Upload page")
        paste.show()
        _sample_buttons("Or see it with a published table and what its paper claims:")
        st.stop()
    table: PValueTable | ScoreTable
    so_far = ""
    if isinstance(loaded.data, EffectTable):
        no_p_values.explain(loaded.data)
        _sample_buttons("Or see a check with a published table:")
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
    desk = state.session().claims.facing(swapped=state.session().settings.swapped)
    own = _own_lines()
    return UnderCheck(
        table=table,
        system_a=a,
        system_b=b,
        lines=own if desk.lines is None else desk.lines,
        own_lines=own,
        metric=desk.metric or _likely_metric(table.metric),
        sizes=desk.sizes,
        so_far=so_far,
    )


def what_is_checked(checked: UnderCheck) -> None:
    """One quiet line: which table, who A and B are, and that nothing is left out."""
    loaded = state.session().loaded
    assert loaded is not None
    n = len(checked.table.datasets)
    computed = isinstance(loaded.data, ResultSet)
    kind = "p-values computed here" if computed else "the numbers as printed"
    text = (
        f"{display_name(loaded.title)}: {kind}, N = {n}. A is {display_name(checked.system_a)}, B "
        f"is {display_name(checked.system_b)}."
    )
    excluded = state.session().settings.excluded
    if excluded and not computed:
        text += (
            f" A paper's claims are about its whole table: {list_names(excluded)}, left out on the "
            "other pages, " + ("is" if len(excluded) == 1 else "are") + " in it here."
        )
    prose.paragraph(text, quiet=True)


def _own_lines() -> str:
    loaded = state.session().loaded
    if loaded is None or loaded.source.sample is None:
        return ""
    lines = "\n".join(claim.line() for claim in sample_claims(loaded.source.sample.key))
    return ClaimDesk(lines=lines).facing(swapped=state.session().settings.swapped).lines or ""


def _likely_metric(name: str | None) -> ClaimMetric:
    loaded = state.session().loaded
    recorded = None
    if loaded is not None and loaded.source.sample is not None:
        recorded = sample_metric(loaded.source.sample.key)
    return recorded or metric_of_name(name) or "other"


def _sample_buttons(words: str) -> None:
    prose.paragraph(words)
    with st.container(horizontal=True):
        for sample in samples():
            if sample_claims(sample.key):
                st.button(
                    sample.title,
                    key=f"sample-{sample.key}",
                    help=sample.description,
                    on_click=loading.load_sample,
                    args=(sample.key,),
                )
