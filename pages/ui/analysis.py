"""The user's table with their choices applied, and every answer it gives."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.data import PValueTable, ResultSet
from core.data.overlap.find import Overlap, find_overlap
from core.replicability.assessment import Assessment, assess
from core.replicability.identification import Identification, identify_datasets
from core.report.contradictions import contradicted_sentence
from core.report.guarantees import left_out_sentence, swapped_sentence
from core.report.questions import Question, questions
from core.report.sentences import Subject
from core.report.signatures import analysis_signature
from core.report.testing import reach_sentence
from core.types import Procedure
from pages.ui import cache, runs, state
from pages.ui.session import Settings, Source


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Analysis:
    """What every page shows: the table as chosen, and all its answers."""

    table: PValueTable
    whole: PValueTable
    assessment: Assessment
    subject: Subject
    settings: Settings
    source: Source
    data: PValueTable | ResultSet

    def signature(self, question: Question, *, procedure: Procedure | None = None) -> str:
        """The line that reproduces an answer."""
        return analysis_signature(
            self.table,
            question,
            whole=self.whole,
            data=self.data.fingerprint,
            systems=self.data.systems if isinstance(self.data, ResultSet) else (),
            procedure=procedure,
        )

    @property
    def cautions(self) -> list[str]:
        """What limits the guarantee, to be read before the answer."""
        found = []
        if self.settings.excluded:
            found.append(left_out_sentence(self.settings.excluded))
        if self.settings.swapped:
            found.append(swapped_sentence(self.settings.alpha))
        if self.settings.dependence == "independent" and isinstance(self.data, ResultSet):
            found.append(contradicted_sentence(overlap_of(self.data)))
        reach = reach_sentence(self.table.results or (), self.table.datasets)
        return [sentence for sentence in (*found, reach) if sentence]

    @property
    def so_far(self) -> str:
        """How many datasets are tested, where not all are; else empty."""
        if self.table.complete:
            return ""
        tested = sum(result is not None for result in self.table.results or ())
        return f"So far, {tested} of {self.table.n_datasets} datasets tested: "

    @property
    def printed(self) -> bool:
        """Whether the p-values come from a published table rather than from tests run here."""
        return not isinstance(self.data, ResultSet)

    def smallest(self, question: Question) -> int | None:
        """The smallest count for a claim over all readings; None where there is one reading."""
        counts = [q.answer.k_hat for q in self.questions if q.claim == question.claim]
        return min(counts) if len(counts) > 1 else None

    def other_side(self, question: Question) -> Question | None:
        """The same reading's question about the other system, where the data speak for both."""
        for other in self.questions:
            both = {other.claim, question.claim} == {"a-better", "b-better"}
            if both and other.reading == question.reading:
                return other
        return None

    def n_other_ahead(self, question: Question) -> int:
        """On how many datasets the system asked about is not ahead."""
        differences = self.table.differences
        if differences is None:
            return 0
        turned = differences if question.claim == "a-better" else -differences
        return int(np.count_nonzero(turned <= 0.0))

    def identification(self, question: Question, procedure: Procedure) -> Identification:
        """Who is named by a procedure."""
        p_values = question.answer.p_values
        return state.session().results.remember(
            cache.key("identification", p_values, self.settings.alpha, procedure),
            lambda: identify_datasets(p_values, alpha=self.settings.alpha, procedure=procedure),
        )

    @property
    def questions(self) -> tuple[Question, ...]:
        """What can be asked, the headline first."""
        return questions(self.assessment)

    @property
    def question(self) -> Question:
        """The question chosen, or the headline."""
        asked = self.questions
        chosen = [q for q in asked if q.key == self.settings.question]
        return chosen[0] if chosen else asked[0]


def overlap_of(data: ResultSet) -> Overlap:
    """What the datasets have in common, found once for each file."""
    current = state.session()
    # A fingerprint would not do: texts beside the results are no part of it.
    return current.results.remember(("overlap", current.n_loaded), lambda: find_overlap(data))


def current_analysis() -> Analysis | None:
    """The table with the user's choices applied and assessed; None where nothing is to show yet."""
    user = state.session()
    if user.loaded is None:
        return None
    settings = user.settings
    data = user.loaded.data
    whole: PValueTable | None = None
    if isinstance(data, ResultSet):
        run = runs.current_run()
        whole = run.table if run is not None else None
    elif isinstance(data, PValueTable):
        whole = data
    if whole is None or not isinstance(data, PValueTable | ResultSet):
        return None
    excluded = [name for name in settings.excluded if name in whole.datasets]
    table = whole.without(excluded)
    table = table.swapped() if settings.swapped else table
    differences = table.differences
    key = cache.key(
        "assessment",
        table.p_values,
        table.p_values_b,
        differences,
        table.alternative,
        settings.alpha,
        settings.dependence,
    )
    assessment = user.results.remember(
        key,
        lambda: assess(
            table.p_values,
            differences,
            alternative=table.alternative,
            alpha=settings.alpha,
            dependence=settings.dependence,
            p_values_b=table.p_values_b,
        ),
    )
    return Analysis(
        table=table,
        whole=whole,
        assessment=assessment,
        subject=Subject(
            system_a=table.system_a,
            system_b=table.system_b,
            datasets=table.datasets,
            higher_is_better=table.higher_is_better,
        ),
        settings=settings,
        source=user.loaded.source,
        data=data,
    )
