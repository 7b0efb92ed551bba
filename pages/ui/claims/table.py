"""What claims are checked against: the table as printed, with A and B as the sidebar has them."""

from __future__ import annotations

from dataclasses import dataclass

from core.claims.claim import ClaimMetric
from core.claims.desk import sample_claims, sample_metric
from core.claims.rows import metric_of_name
from core.data import PValueTable, ResultSet, ScoreTable
from core.data.p_value_table import said_scores
from core.data.tables.numbers import read_number
from core.words.formatting import display_name, list_names
from pages.ui.claims.desk import ClaimDesk
from pages.ui.frame import prose, state
from pages.ui.intake.role_form import DIRECTION_LABELS


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
    metric_is_said : bool
        Whether anybody said so: the user, the sample or the table.
    so_far : str
        Said before the answer while tests are running.
    others : tuple of str
        The file's other systems.
    """

    table: PValueTable | ScoreTable
    system_a: str
    system_b: str
    lines: str
    own_lines: str
    metric: ClaimMetric
    sizes: str
    metric_is_said: bool = True
    so_far: str = ""
    others: tuple[str, ...] = ()

    @property
    def has_scores(self) -> bool:
        """Whether there are two scores to hold p-values against."""
        if isinstance(self.table, ScoreTable):
            return True
        has_both = self.table.scores_a is not None and self.table.scores_b is not None
        return has_both and self.table.results is None

    @property
    def may_be_accuracies(self) -> bool:
        """Whether p-values, scores that may be shares, and sizes are there, and nobody said what."""
        table = self.table
        if self.metric_is_said or not self.has_scores:
            return False
        if not (self.has_sizes or self.sizes.strip()):
            return False
        if isinstance(table, PValueTable):
            said = (said_scores(table.scores_a, table.printed_scores_a) or ()) + (
                said_scores(table.scores_b, table.printed_scores_b) or ()
            )
        else:
            said = tuple(
                text
                for system in (self.system_a, self.system_b)
                for text in table.printed_scores(system)
            )
        values = [read_number(text.strip()).value for text in said if text]
        # Shares are no less than 0; scores from 0 to 1 or to 100, most of them well inside.
        return bool(values) and min(values) >= 0.0 and max(values) <= 100.0

    @property
    def has_sizes(self) -> bool:
        """Whether the table itself has numbers of examples."""
        return self.table.n_examples is not None


def what_is_checked(checked: UnderCheck) -> None:
    """One quiet line: how the table is read, and that nothing is left out."""
    loaded = state.session().loaded
    assert loaded is not None
    computed = isinstance(loaded.data, ResultSet)
    text = "P-values computed here." if computed else "Scores as printed."
    if isinstance(checked.table, ScoreTable):
        lead = checked.table.scores(checked.system_a) - checked.table.scores(checked.system_b)
        lead = lead if checked.table.higher_is_better else -lead
        a, b, n = display_name(checked.system_a), display_name(checked.system_b), lead.size
        text += (
            f" {a} has the better score on {(lead > 0).sum()} of {n}, {b} on {(lead < 0).sum()}."
        )
    if isinstance(checked.table, PValueTable) and not computed:
        said = DIRECTION_LABELS[checked.table.alternative]
        text = f"P-values as printed, direction: {said}."
        said_here = ("follows the numbers", "the usual level")
        taken = [r for r in _remarks(checked.table) if any(said in r for said in said_here)]
        text += "".join(f" {remark}" for remark in taken)
    further = checked.table.further if isinstance(checked.table, PValueTable) else ()
    if further and loaded.source.sample is None:
        names = list_names([other.name for other in further], most=len(further))
        text += f" Beside the p-values that are counted it has {names}."
    excluded = state.session().settings.excluded
    if excluded and not computed:
        text += (
            f" A paper's claims are about its whole table: {list_names(excluded)}, left out on the "
            "other pages, " + ("is" if len(excluded) == 1 else "are") + " in it here."
        )
    prose.paragraph(text, quiet=True)


def _remarks(table: PValueTable) -> tuple[str, ...]:
    return () if table.reading is None else table.reading.remarks


def own_lines() -> str:
    """The claims recorded with a sample, a line each, with A and B as they now are."""
    loaded = state.session().loaded
    if loaded is None or loaded.source.sample is None:
        return ""
    lines = "\n".join(claim.line() for claim in sample_claims(loaded.source.sample.key))
    return ClaimDesk(lines=lines).facing(swapped=state.session().settings.swapped).lines or ""


def likely_metric(name: str | None) -> ClaimMetric | None:
    """What sample or table say that the scores are."""
    loaded = state.session().loaded
    recorded = None
    if loaded is not None and loaded.source.sample is not None:
        recorded = sample_metric(loaded.source.sample.key)
    return recorded or metric_of_name(name)
