"""The table whose claims are checked, and the check: once for what it depends on, in the background where it is large."""

import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cached_property

import streamlit as st

from core.claims.check import check_claims
from core.claims.claim import Claim, ClaimMetric
from core.claims.desk import ReadLines, read_lines, sample_metric
from core.claims.findings import ClaimReport, Finding
from core.claims.no_p_values import Reach, reach_of
from core.claims.rows import metric_of_name
from core.claims.vocabulary import TableNames
from core.data import PValueTable, ResultSet, ScoreTable
from core.data.tables.numbers import read_number
from core.errors import Problem
from core.significance.stopping import Stopped
from core.words.formatting import list_names
from core.words.subject import Subject
from core.words.verdicts import score_table_sentence
from pages.ui.frame import prose, state
from pages.ui.intake.role_form import DIRECTION_LABELS
from pages.ui.work import background
from pages.ui.work.background import Manner, Task

KIND = "claims"
_CHECK = Manner(
    called="The check",
    failed="The check failed: check again, or change what is claimed.",
    stop="Stop the check",
    on_every_page=False,
)
# What takes longer is background work.
_SECONDS_AT_ONCE = 2.0
# Of a remark that names the direction, so that the label of it is left out.
_AS_STATED = "as the table says"


@dataclass(frozen=True, kw_only=True)
class UnderCheck:
    """What is loaded, what is laid out to check of it, and what could be read of that.

    The table has every dataset of the file, also those left out elsewhere, and the numbers of examples
    that were typed, where these can be read. `lines` are the claims, one a line: written by the user, or
    those recorded with a sample. `metric_said` is what the scores are: chosen, or what sample or table
    say; None where nobody does. `so_far` is said before the answer while tests are running, and `others`
    are the file's other systems.
    """

    table: PValueTable | ScoreTable
    system_a: str
    system_b: str
    lines: str
    metric_said: ClaimMetric | None
    size_problems: tuple[Problem, ...] = ()
    so_far: str = ""
    others: tuple[str, ...] = ()

    @property
    def subject(self) -> Subject:
        """Names for sentences."""
        return Subject(system_a=self.system_a, system_b=self.system_b, datasets=self.table.datasets)

    @property
    def metric(self) -> ClaimMetric:
        """What the scores are taken to be."""
        return self.metric_said or "other"

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
        if self.metric_said or not self.has_scores or table.n_examples is None:
            return False
        columns = map(table.printed_scores, (self.system_a, self.system_b))
        texts = [text.strip() for column in columns for text in column or () if text]
        values = [read_number(text).value for text in texts]
        # Shares are no less than 0; scores from 0 to 1 or to 100, most of them well inside.
        return bool(values) and min(values) >= 0.0 and max(values) <= 100.0

    @cached_property
    def read(self) -> ReadLines:
        """The claims that could be read, and every problem of the other lines."""
        table = self.table
        names = TableNames(
            systems=(self.system_a, self.system_b),
            datasets=table.datasets,
            others=self.others,
            higher_is_better=table.higher_is_better,
        )
        columns = table.p_value_columns if isinstance(table, PValueTable) else ()
        return state.computed(read_lines, self.lines, names, columns=columns)

    @property
    def claims(self) -> tuple[Claim, ...]:
        """Those lines that are claims, each once."""
        return tuple(self.read.line_numbers)

    @property
    def n_examples(self) -> tuple[int, ...] | None:
        """Those of the table, or typed."""
        sizes = self.table.n_examples
        return None if sizes is None else tuple(int(n) for n in sizes)


def what_is_checked(checked: UnderCheck) -> None:
    """One quiet line: how the table is read, and that nothing is left out."""
    loaded = state.session().loaded
    assert loaded is not None
    computed = isinstance(loaded.data, ResultSet)
    text = "P-values computed here."
    if isinstance(checked.table, ScoreTable):
        said = score_table_sentence(checked.table, a=checked.system_a, b=checked.system_b)
        text = f"Scores as printed. {said}"
    if isinstance(checked.table, PValueTable) and not computed:
        said_here = ("follows the numbers", "usual level", _AS_STATED, "leaves open", "as chosen")
        reading = checked.table.reading
        remarks = () if reading is None else reading.remarks
        taken = [remark for remark in remarks if any(said in remark for said in said_here)]
        text = "P-values as printed."
        if not any(_AS_STATED in remark for remark in taken):
            said = DIRECTION_LABELS[checked.table.alternative]
            text = f"P-values as printed, direction: {said}."
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


def likely_metric(name: str | None) -> ClaimMetric | None:
    """What sample or table say that the scores are."""
    loaded = state.session().loaded
    recorded = None
    if loaded is not None and loaded.source.sample is not None:
        recorded = sample_metric(loaded.source.sample.key)
    return recorded or metric_of_name(name)


def missing(checked: UnderCheck) -> str:
    """What scores alone need before claims can be checked; empty where nothing is missing."""
    if not isinstance(checked.table, ScoreTable):
        return ""
    needed = []
    if checked.metric == "other":
        needed.append("what the scores are (accuracies or correlations)")
    if checked.n_examples is None:
        needed.append("how many examples each dataset has")
    if not needed:
        return ""
    return (
        "Claims can be checked against every p-value that is possible beside the scores: say below "
        f"{' and '.join(needed)}."
    )


def reach(checked: UnderCheck) -> tuple[Reach, ...]:
    """What could be significant at all, of scores and sizes alone; empty of other tables."""
    table = checked.table
    if not isinstance(table, ScoreTable) or checked.n_examples is None or checked.metric == "other":
        return ()
    metric, sizes = checked.metric, checked.n_examples
    alpha = state.session().settings.alpha
    key = ("claim reach", *_of_rows(checked, metric), checked.system_a, checked.system_b, alpha)
    try:
        return state.kept(
            key,
            lambda: reach_of(
                table,
                checked.system_a,
                checked.system_b,
                n_examples=sizes,
                metric=metric,
                alpha=alpha,
            ),
        )
    except ValueError:
        # What is wrong with scores or sizes is said by the check itself.
        return ()


def report(checked: UnderCheck) -> ClaimReport | str | None:
    """What was found, why nothing can be, or None while it is worked on or was stopped."""
    settings = state.session().settings
    table = checked.table
    key: tuple[Hashable, ...] = (
        "claims",
        table.fingerprint,
        (checked.system_a, checked.system_b),
        tuple(claim.line() for claim in checked.claims),
        checked.n_examples,
        checked.metric,
        settings.alpha,
        settings.dependence,
    )
    rows_key = ("rows judged", *_of_rows(checked, checked.metric))
    known: tuple[Finding, ...] | None = state.session().memory.known(rows_key)
    claims, scores_alone = checked.claims, isinstance(table, ScoreTable)

    def work(on_progress: Callable[[int, int], object]) -> ClaimReport | str:
        try:
            return check_claims(
                table,
                claims,
                alpha=settings.alpha,
                dependence=settings.dependence,
                metric=checked.metric,
                system_a=checked.system_a if scores_alone else None,
                system_b=checked.system_b if scores_alone else None,
                on_progress=on_progress,
                rows=known,
            )
        except ValueError as error:
            return str(error)

    # Claims tried until one fits would be no check.
    for claim in claims:
        state.record("claims checked", claim.words(checked.subject, alpha=settings.alpha))
    run = background.latest(KIND)
    if run is None or run.task.settings["of"] != key:
        background.forget(KIND)
        found = _at_once(key, work)
        if found is not None:
            _keep_rows(rows_key, found)
            return found
        words = f"Checking {len(table.datasets):,} datasets. Every page can be used meanwhile."
        background.start(
            Task(kind=KIND, settings={"of": key}, work=work, doing=words, manner=_CHECK)
        )
        run = background.latest(KIND)
        assert run is not None
    if not run.finished:
        background.bar(run)
        return None
    result: ClaimReport | str | None = run.result
    _keep_rows(rows_key, result)
    if result is None:
        if not background.say_failure(run) and not background.say_limit(run):
            prose.notice("The check was stopped before it had an answer.")
        st.button("Check again", on_click=background.forget, args=(KIND,), key="claims-again")
    return result


def _keep_rows(key: tuple[Hashable, ...], found: ClaimReport | str | None) -> None:
    """Rows are the same whatever is claimed: what was typed anew is checked without them."""
    if isinstance(found, ClaimReport) and not found.of("scores-alone"):
        state.kept(key, lambda: found.rows)


def _at_once(
    key: tuple[Hashable, ...], work: Callable[[Callable[[int, int], object]], ClaimReport | str]
) -> ClaimReport | str | None:
    """The answer, remembered; None where it takes longer than it should."""
    until = time.monotonic() + _SECONDS_AT_ONCE
    try:
        return state.kept(key, lambda: work(lambda done, total: time.monotonic() < until))
    except Stopped:
        return None


def _of_rows(checked: UnderCheck, metric: str | None) -> tuple[Hashable, ...]:
    """What rows depend on: not on the claims."""
    table = checked.table
    names = (table.system_a, table.system_b) if isinstance(table, PValueTable) else ()
    return (table.fingerprint, names, checked.n_examples, metric)
