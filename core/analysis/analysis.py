"""Data with a person's choices applied, and every answer they give."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from ..comparison import BETTER, comparison_named, margin_of_all
from ..data import PValueTable, ResultSet, Sample
from ..data.overlap.find import Overlap, Units, find_overlap, units_of
from ..data.overlap.signs import find_same_scores
from ..errors import DataError, told
from ..memory import Memory, key_of
from ..metrics.registry import CORRELATIONS
from ..replicability.assessment import Answer, Assessment, assess, assess_by_flips
from ..replicability.counting import GroupCount, count_in_group, counted_groups
from ..replicability.identification import (
    Identification,
    identified,
    identify_datasets,
    procedure_names,
    usual_procedure,
)
from ..replicability.joint import count_in_group_by_flips
from ..shown import Plotted
from ..signature import short_fingerprint, signature_line
from ..significance.known_tests import significance_test_named
from ..significance.settings import dataset_stream
from ..significance.single import SignificanceResult, as_compared
from ..types import BoolArray, FloatArray, UnitsBy
from ..validation import at_most, check_choice
from ..words.counting import NOT_YET_FLIPPED, left_out_sentence, one_pair_sentence, swapped_sentence
from ..words.overlap import contradicted_sentence
from ..words.reading import zeros_of
from ..words.subject import Claim, Question, Subject, questions
from ..words.testing import (
    copies_left_out,
    counted_twice_sentence,
    delicate_sentences,
    few_resamples_sentence,
    other_side_sentence,
    out_of_reach_sentence,
    rare_losses_sentence,
    reach_sentence,
    runs_sentence,
    same_system_sentence,
    small_bootstrap_sentence,
    speaks_against,
    taken_apart_sentence,
)
from .joint import JointAnalysis, check_flippable, joint_analysis_of, joint_flips
from .settings import AnalysisSettings, check_known, margin_in_words, metric_of
from .testing import COUNTED_JOINTLY, countable, first_record, plan_of, run_plan


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where data come from, as a person calls it.

    `title` is the name of the file or `sample`; of one's own data there are the names of the `files`, in
    their order. `roles` were said by hand of how to read them.
    """

    title: str = ""
    sample: Sample | None = None
    files: tuple[str, ...] = ()
    roles: Mapping[str, object] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        sample: Sample | None,
        roles: Mapping[str, object],
        *,
        name: str = "",
        files: Sequence[tuple[str, bytes]] = (),
    ) -> Origin:
        """Of a sample, or of files with what they are called together; with what was said of it by hand."""
        if sample is not None:
            return cls(title=sample.title, sample=sample, roles=dict(roles))
        return cls(title=name, files=tuple(own for own, _ in files), roles=dict(roles))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Analysis(Plotted):
    """A table of p-values as chosen, and all its answers.

    Attributes
    ----------
    data : PValueTable or ResultSet
        As loaded.
    settings : AnalysisSettings
        What was chosen.
    whole : PValueTable
        P-values of every dataset, A and B as in the file.
    table : PValueTable
        The same as analysed: A and B as chosen, without the datasets left out.
    assessment : Assessment
        Counts and names for every reading and both directions; `counted_jointly` puts those
        by joint flips in front.
    subject : Subject
        Names for sentences.
    origin : Origin
        Where the data come from.
    tried : mapping of str to tuple of str
        All that was tried on these data, by kind.
    studies : mapping of str to object
        What was studied on demand, for a report: each under the key of its room in
        `core.sections`.
    """

    data: PValueTable | ResultSet
    settings: AnalysisSettings
    whole: PValueTable
    table: PValueTable
    assessment: Assessment
    subject: Subject
    origin: Origin = field(default_factory=Origin)
    tried: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    studies: Mapping[str, object] = field(default_factory=dict)
    memory: Memory = field(default_factory=Memory)

    def signature(self, question: Question, *, procedure: str | None = None) -> str:
        """The line that names all that a count, or with `procedure` a list of names, depends on.

        Datasets left out, and of a file with results to test A and B, are named by their positions.

        Examples
        --------
        ``claim:a-better|alt:two-sided|pc:fisher|alpha:0.05|datasets:23|data:3f9a1c42|v:0.1.0``
        """
        if procedure is not None:
            check_choice(procedure, procedure_names(joint=True), name="procedure")
        table, whole = self.table, self.whole
        results = table.results or (None,) * table.n_datasets
        done = [result for result in results if result is not None]
        # Places in the file, from 1; of each dataset whose p-value was resampled, how many were drawn.
        places = {name: str(place) for place, name in enumerate(whole.datasets, start=1)}
        drawn = {
            name: result.n_resamples
            for name, result in zip(table.datasets, results, strict=True)
            if result is not None and result.n_resamples is not None and not result.exact
        }
        kept, fewest = set(table.datasets), min(drawn.values(), default=0)
        seed = next((result.seed for result in done if not result.exact), None)
        joint = None if procedure in procedure_names() else self.joint(question)
        flipped = joint is not None and not joint.flips.exact
        zeros = table.printed_zeros
        systems = self.data.systems if isinstance(self.data, ResultSet) else ()
        pair = (whole.system_a, whole.system_b) if len(systems) > 2 else ()
        return signature_line(
            claim=question.claim.replace(BETTER, table.claim),
            margin=margin_of_all(table.margins.tolist()) or None,
            stated=table.alternative if table.results is None else None,
            read=question.reading if table.results is None else None,
            pc=question.answer.combination if procedure is None else None,
            procedure=procedure,
            units=self.settings.joint if joint is not None else None,
            flips=joint.flips.n_flips if joint is not None and flipped else None,
            alpha=question.answer.alpha,
            datasets=table.n_datasets,
            without=_listed(place for name, place in places.items() if name not in kept),
            systems=_listed(str(systems.index(name) + 1) for name in pair),
            swapped="yes" if table.system_a != whole.system_a else None,
            metric=table.metric if table.results is not None else None,
            lower="better" if not table.higher_is_better else None,
            zero=float(table.p_value_bounds[1][zeros][0]) if zeros.any() else None,
            test="+".join(dict.fromkeys(result.test for result in done)) or None,
            tested=None if table.complete else len(done),
            clusters="whole" if any(result.n_clusters is not None for result in done) else None,
            # Their usual values are not said.
            estimator=next(
                (r.estimator for r in done if r.estimator not in (None, "add-one")), None
            ),
            zeros=next((r.zeros for r in done if r.zeros not in (None, "wilcox")), None),
            resamples=fewest or None,
            extended=_listed(f"{places[name]}={n}" for name, n in drawn.items() if n > fewest),
            seed=self.settings.seed if flipped else seed,
            data=short_fingerprint(self.data.fingerprint),
        )

    @property
    def overlap(self) -> Overlap | None:
        """What the datasets have in common; None of a published table, which does not tell.

        Those that are left out are not asked about.
        """
        data, excluded = self.data, self.settings.excluded
        if not isinstance(data, ResultSet):
            return None
        return self.memory.computed(find_overlap, data, left_out=excluded)

    @property
    def cautions(self) -> list[str]:
        """What contradicts the answer or limits its guarantee, to be read before it."""
        table, settings, excluded = self.table, self.settings, self.settings.excluded
        results, alpha = table.results or (), settings.alpha
        data = self.data if isinstance(self.data, ResultSet) else None
        same = () if data is None else self.memory.computed(find_same_scores, data)
        found = ["" if data is None else runs_sentence(data)]
        # Printed zeros are no evidence where what they are read as lies above α.
        found.append(zeros_of(table, alpha=alpha) if table.has_lost_zeros(alpha) else "")
        found += [*self.other_sides, *self._of_small_p_values(rare_losses_sentence)]
        if excluded:
            copies = None if data is None else copies_left_out(data, same, excluded)
            found.append(left_out_sentence(excluded, copies))
        # Equivalence is the same both ways.
        if settings.swapped and not comparison_named(table.claim).both_sides:
            a, b = self.subject.system_a, self.subject.system_b
            found.append(swapped_sentence(alpha, a=a, b=b))
        if settings.dependence == "independent" and self.overlap is not None:
            found.append(contradicted_sentence(self.overlap))
        if data is not None:
            found.append(one_pair_sentence(len(data.systems)) if len(data.systems) > 2 else "")
            found.append(counted_twice_sentence(data, same, excluded))
            found.append(
                self.memory.computed(
                    same_system_sentence,
                    data,
                    systems=(table.system_a, table.system_b),
                    datasets=table.datasets,
                    metric=metric_of(data, settings),
                )
            )
            if data.clusters is not None and not settings.whole_clusters:
                found.append(taken_apart_sentence(data.clusters.column))
        refused = self.joint_refused
        if refused is not None:
            why = " ".join(told(refused.problems))
            found.append(f"Shared examples are not counted jointly. {why}")
        found += [
            small_bootstrap_sentence(results, table.datasets),
            out_of_reach_sentence(results, table.datasets, alpha=alpha),
            few_resamples_sentence(results, alpha=alpha),
            *delicate_sentences(results, table.datasets),
            reach_sentence(results, table.datasets),
        ]
        return [sentence for sentence in found if sentence]

    @property
    def other_sides(self) -> list[str]:
        """Where p is small for a claim that the mean or the whole interval contradicts."""
        sentence = partial(other_side_sentence, alpha=self.settings.alpha)
        key = ("other sides", self.table, self.settings)
        return self.memory.remember(key, partial(self._of_small_p_values, sentence))

    def agreed_p_values(self, answer: Answer, claim: Claim) -> FloatArray:
        """Those of this answer; 1 where `other_sides` says that the scores contradict a small one.

        p = 1 takes no dataset away from N, and can only lower a count.
        """
        if self.table.results is None:
            return answer.p_values
        against = speaks_against(self.compared, claim=claim)
        small = at_most(answer.p_values, self.settings.alpha)
        return np.where(small & against, 1.0, answer.p_values)

    def _of_small_p_values(self, sentence: Callable[..., str]) -> list[str]:
        """What is said of the datasets with p <= alpha for A, and of those for B."""
        table = self.table
        if table.results is None or table.p_values_b is None:
            return []
        sides = {"a-better": table.p_values, "b-better": table.p_values_b}
        found = (
            sentence(
                self.compared, at_most(p_values, self.settings.alpha), self.subject, claim=claim
            )
            for claim, p_values in sides.items()
        )
        return [said for said in found if said]

    @property
    def so_far(self) -> str:
        """What the answer in front still waits for: tests, or joint flips; empty for nothing."""
        # Flips need no dataset's own test.
        if self.table.complete or self.assessment.by_flips:
            return f"{NOT_YET_FLIPPED} " if self.awaits_flips else ""
        tested = sum(result is not None for result in self.table.results or ())
        flips = f" {NOT_YET_FLIPPED}" if self.awaits_flips else ""
        return f"So far, {tested:,} of {self.table.n_datasets:,} datasets are tested.{flips} "

    @property
    def compared(self) -> tuple[SignificanceResult | None, ...]:
        """Each dataset's result with A and B as they are chosen; None where there is none."""
        table = self.table
        results = (None,) * table.n_datasets if table.results is None else table.results
        compared = partial(as_compared, results, swapped=self.settings.swapped)
        return self.memory.remember(("compared", table), compared)

    @property
    def printed(self) -> bool:
        """Whether the p-values come from a published table rather than from tests run here."""
        return not isinstance(self.data, ResultSet)

    @property
    def higher_is_better(self) -> bool:
        """Whether a higher score is the better one."""
        if isinstance(self.data, ResultSet):
            return self.data.is_higher_better(metric_of(self.data, self.settings))
        return self.data.higher_is_better

    @property
    def offers_flips(self) -> bool:
        """Whether shared examples, if there are any, could be counted jointly and are not yet.

        Correlations with gold and claims at a margin cannot be.
        """
        data, settings = self.data, self.settings
        if not isinstance(data, ResultSet) or settings.joint or settings.margin:
            return False
        return data.kind_of(metric_of(data, settings)) not in CORRELATIONS

    @property
    def joint_refused(self) -> DataError | None:
        """Why shared examples cannot be counted jointly, where that was asked for."""
        found = self._units
        return found if isinstance(found, DataError) else None

    @property
    def awaits_flips(self) -> bool:
        """Whether the count in front is to be by joint flips, and is not yet."""
        return isinstance(self._units, Units) and not self.assessment.by_flips

    def counted_jointly(self) -> Analysis:
        """The same with the counts by joint flips in front, if they were asked for and can be made.

        The one place that decides which count stands in front: every page, sentence and export
        reads it from the assessment.
        """
        if not self.awaits_flips:
            return self
        jointly = dict.fromkeys((*self.tried.get(COUNTED_JOINTLY, ()), self.settings.joint))
        return replace(
            self,
            assessment=self._by_flips(self.assessment),
            tried={**self.tried, COUNTED_JOINTLY: tuple(jointly)},
        )

    def joint(self, question: Question) -> JointAnalysis | None:
        """What joint flips say of a claim; None where they do not count."""
        if question.claim == "differ" or not self.assessment.by_flips:
            return None
        return self._joint(question.claim, self.settings.alpha)

    def _by_flips(self, assessment: Assessment) -> Assessment:
        alpha = assessment.alpha
        sides = (self._joint("a-better", alpha), self._joint("b-better", alpha))
        return self.memory.computed(assess_by_flips, assessment, *sides)

    def _joint(self, claim: Claim, alpha: float) -> JointAnalysis:
        data, units, asked = self.data, self._units, self.settings
        assert isinstance(data, ResultSet)
        assert isinstance(units, Units)
        plan = plan_of(data, asked)
        systems = (plan.system_a, plan.system_b, plan.metric)
        key = ("joint", asked.joint, systems, asked.n_resamples, asked.seed, asked.whole_clusters)
        turned = (claim == "b-better") != asked.swapped
        kept = [units.datasets.index(name) for name in self.table.datasets]
        flipped = partial(
            joint_flips,
            data,
            units,
            a=plan.system_a,
            b=plan.system_b,
            metric=plan.metric,
            n_flips=asked.n_resamples,
            rng=dataset_stream(asked.seed, "", "joint flips"),
        )

        def answered() -> JointAnalysis:
            flips = self.memory.remember(key, flipped)
            of_claim = (flips.turned() if turned else flips).of_datasets(kept)
            return joint_analysis_of(of_claim, units.of_datasets(kept), alpha=alpha)

        return self.memory.remember((*key, asked.excluded, turned, alpha), answered)

    def groups(
        self, question: Question, members: Mapping[str, Sequence[int]]
    ) -> tuple[GroupCount, ...]:
        """The bound of each group of positions by the closed test behind the count in front."""
        answer, joint = question.answer, self.joint(question)
        if joint is None:
            by = answer.combination
            bound = partial(count_in_group, answer.p_values, alpha=answer.alpha, combination=by)
            return counted_groups(members, bound)
        bound = partial(count_in_group_by_flips, joint.flips, alpha=answer.alpha)
        key = ("groups by flips", joint, key_of(dict(members)))
        return self.memory.remember(key, lambda: counted_groups(members, bound))

    @property
    def _units(self) -> Units | DataError | None:
        """What is flipped jointly, or why nothing can be; None where it was not asked for.

        One dataset has nothing to count: its own test answers.
        """
        data, asked = self.data, self.settings
        if not isinstance(data, ResultSet) or not asked.joint or self.table.n_datasets == 1:
            return None
        if comparison_named(self.table.claim).takes_margin:
            return DataError.of(
                "A claim at a margin cannot be: flipping A and B tests only whether they differ.",
                "P-values are counted instead; Bonferroni's count holds whatever the datasets share.",
            )
        return self.memory.computed(
            _flippable_units, data, metric_of(data, asked), asked.joint, asked.whole_clusters
        )

    def smallest(self, question: Question) -> int | None:
        """The smallest count for a claim over all readings; None where there is one reading."""
        counts = [q.answer.k_hat for q in self.questions if q.claim == question.claim]
        return min(counts) if len(counts) > 1 else None

    def other_side(self, question: Question) -> Question | None:
        """What is asked of the other system, where the data speak for both.

        Beside a headline stands the other headline, else the same reading's question.
        """
        for other in self.questions:
            beside = other.headline if question.headline else other.reading == question.reading
            if beside and {other.claim, question.claim} == {"a-better", "b-better"}:
                return other
        return None

    def n_other_ahead(self, question: Question) -> int:
        """On how many datasets the system asked about is not ahead."""
        differences = self.table.differences
        if differences is None:
            return 0
        turned = differences if question.claim == "a-better" else -differences
        return int(np.count_nonzero(turned <= 0.0))

    def identification(self, question: Question, procedure: str) -> Identification:
        """Who is named by a procedure; of a headline by every reading.

        An adjusted p-value is the largest of those readings.
        """
        joint = self.joint(question)
        for by_flips in () if joint is None else (joint.step_down, joint.named):
            if by_flips.procedure == procedure:
                return by_flips
        own = self._identified(question, procedure)
        if not question.headline:
            return own
        readings = [one for one in self.questions if one.claim == question.claim]
        by_each = [self._identified(one, procedure).adjusted_p_values for one in readings]
        adjusted = np.maximum.reduce(by_each)
        return identified(
            own.p_values, adjusted, own.thresholds, alpha=own.alpha, procedure=procedure
        )

    def named_by_one_reading(self, question: Question, procedure: str) -> BoolArray:
        """What a headline's reading would name alone, and the other readings leave open."""
        names = self.identification(question, procedure)
        if self.joint(question) is not None:
            return np.zeros_like(names.rejected)
        return self._identified(question, procedure).rejected & ~names.rejected

    def _identified(self, question: Question, procedure: str) -> Identification:
        return self.memory.computed(
            identify_datasets,
            question.answer.p_values,
            alpha=self.settings.alpha,
            procedure=procedure,
        )

    @property
    def questions(self) -> tuple[Question, ...]:
        """What can be asked, the headline first."""
        return self.memory.computed(questions, self.assessment)

    @property
    def question(self) -> Question:
        """The question chosen, or the headline."""
        asked = self.questions
        chosen = [q for q in asked if q.key == self.settings.question]
        return chosen[0] if chosen else asked[0]

    @property
    def procedure(self) -> str:
        """How datasets are named: as chosen, else by what stands apart from the count in front."""
        asked = self.settings.procedure
        if asked in procedure_names(joint=self.assessment.by_flips):
            return asked
        return usual_procedure(joint=self.assessment.by_flips)

    def assessed_at(self, alpha: float) -> Assessment:
        """The assessment at another level."""
        found = self.memory.computed(_assessed, self.table, replace(self.settings, alpha=alpha))
        return self._by_flips(found) if self.assessment.by_flips else found


def analyse(
    data: PValueTable | ResultSet,
    settings: AnalysisSettings | None = None,
    *,
    origin: Origin | None = None,
    on_progress: Callable[[int, int], object] | None = None,
) -> Analysis:
    """Analyse data from beginning to end; results on examples are tested first.

    Parameters
    ----------
    data : PValueTable or ResultSet
        From `read_results`, or made in memory.
    settings : AnalysisSettings, optional
        What is chosen.
    origin : Origin, optional
        Where the data come from.
    on_progress : callable, optional
        As `run_dataset_tests` calls it.

    Raises
    ------
    DataError
        If the data do not suit the tests.
    ValueError
        If the data hold neither p-values nor results on examples, or have no such metric or
        systems as the settings choose.
    Stopped
        If `on_progress` stopped it before one dataset was done.

    Examples
    --------
    >>> from replicability import AnalysisSettings, analyse, read_results, read_sample
    >>> sample, content = read_sample("parsing-redshift")
    >>> table = read_results(content, roles={"alternative": sample.alternative})
    >>> analysis = analyse(table, AnalysisSettings(dependence="independent"))
    >>> analysis.question.answer.k_hat
    5
    """
    if not isinstance(data, PValueTable | ResultSet):
        raise ValueError(
            "`data` must hold p-values or results on every example, as a dataset's p-value comes "
            f"from one of them; got a {type(data).__name__}."
        )
    chosen = settings or AnalysisSettings()
    check_known(data, chosen)
    whole = data
    if isinstance(data, ResultSet):
        plan = plan_of(data, chosen)
        tested = run_plan(data, plan, on_progress=on_progress)
        whole = countable(tested, data.datasets, skipped=plan.skipped)
    assert isinstance(whole, PValueTable)
    return analysis_of(
        data,
        whole,
        chosen,
        origin=origin or Origin(),
        tried=first_record(data, chosen),
    ).counted_jointly()


def analysis_of(
    data: PValueTable | ResultSet,
    whole: PValueTable,
    settings: AnalysisSettings,
    *,
    origin: Origin,
    tried: Mapping[str, tuple[str, ...]] | None = None,
    studies: Mapping[str, object] | None = None,
    memory: Memory | None = None,
) -> Analysis:
    """The analysis of a table of p-values, `whole`, that the data have or gave."""
    memory = Memory() if memory is None else memory
    table = memory.computed(_as_chosen, whole, settings.excluded, settings.swapped)
    tests = {result.test for result in table.results or () if result is not None}
    return Analysis(
        data=data,
        settings=settings,
        whole=whole,
        table=table,
        assessment=memory.computed(_assessed, table, settings),
        subject=Subject(
            system_a=table.system_a,
            system_b=table.system_b,
            datasets=table.datasets,
            higher_is_better=table.higher_is_better,
            n_untested=(table.results or ()).count(None),
            comparison=table.claim,
            margin=margin_in_words(data, settings),
            by_tendency=any(significance_test_named(test).of_tendency for test in tests),
        ),
        origin=origin,
        tried=dict(tried or {}),
        studies=dict(studies or {}),
        memory=memory,
    )


def _as_chosen(whole: PValueTable, excluded: tuple[str, ...], swapped: bool) -> PValueTable:
    table = whole.without([name for name in excluded if name in whole.datasets])
    return table.swapped() if swapped else table


def _flippable_units(
    data: ResultSet, metric: str, by: UnitsBy, whole_clusters: bool
) -> Units | DataError:
    """The units that examples make, or why they cannot be flipped."""
    try:
        check_flippable(data, metric)
        return units_of(data, units=by, whole_clusters=whole_clusters)
    except DataError as refused:
        return refused


def _assessed(table: PValueTable, settings: AnalysisSettings) -> Assessment:
    return assess(
        table.p_values,
        table.differences,
        alternative=table.alternative,
        alpha=settings.alpha,
        dependence=settings.dependence,
        combination=settings.combination,
        p_values_b=table.p_values_b,
        p_values_two_sided=table.p_values_two_sided,
        lower_ends=table.printed_lower_ends,
        of_a_alone=comparison_named(table.claim).of_a_alone,
    )


def _listed(parts: Iterable[str]) -> str | None:
    return ",".join(parts) or None
