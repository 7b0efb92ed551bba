"""What an analysis says of its data, counts, names and groups: each sentence made in one place."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from ..data import PValueTable, ResultSet, ScoreTable
from ..data.overlap.find import Overlap
from ..data.overlap.known_by import ids_of
from ..data.tables.directions import lower_word, names_metric, says_direction
from ..data.tables.headings import is_named
from ..data.tools.gathered import METRIC_LABEL
from ..metrics.registry import MEAN
from ..replicability.counting import groups_of
from ..replicability.sensitivity import Unsettled, find_unsettled
from ..significance.run import p_value_ends
from ..words.counting import (
    common_practice_sentence,
    group_sentence,
    joint_units_sentence,
    joint_unsettled_sentence,
    together_sentence,
)
from ..words.formatting import counted, metric_label
from ..words.overlap import effect_sentence, overlap_sentence, same_ids_sentence
from ..words.reading import bounds_sentence, reading_sentence, stand_in_sentence, zeros_of
from ..words.subject import Question, headline_questions
from ..words.testing import other_correlation_sentence, unsettled_sentences
from ..words.verdicts import (
    Statement,
    count_statement,
    identification_sentence,
    names_sentence,
    one_reading_sentence,
    validity_sentence,
    verdict,
)
from .analysis import Analysis, Origin, analysis_of
from .settings import AnalysisSettings, metric_of, metric_of_other_correlation


def groupings(analysis: Analysis) -> dict[str, dict[str, tuple[int, ...]]]:
    """Ways to group the datasets: by the file's columns that label them, and by size."""
    found: dict[str, dict[str, tuple[int, ...]]] = {}
    table, reading = analysis.table, analysis.data.reading
    for column, labels in ({} if reading is None else reading.dataset_labels).items():
        groups = groups_of([labels.get(name, "") for name in table.datasets])
        if len(groups) > 1:
            found[column] = groups
    if table.n_examples is not None and table.n_examples.min() < table.n_examples.max():
        sizes = table.n_examples.tolist()
        middle = sorted(sizes)[(len(sizes) - 1) // 2]
        small = f"at most {middle:,} examples"
        groups = groups_of(
            [small if n <= middle else f"more than {middle:,} examples" for n in sizes]
        )
        if len(groups) > 1:
            # The small ones first.
            found["number of examples"] = {small: groups.pop(small), **groups}
    return found


def group_sentences(
    analysis: Analysis, question: Question, groups: Mapping[str, Sequence[int]]
) -> list[str]:
    """State the bound of each group, by the closed test behind the count in front."""
    return [
        group_sentence(
            group,
            analysis.subject,
            claim=question.claim,
            alpha=question.answer.alpha,
            combination=question.answer.combination,
        )
        for group in analysis.groups(question, groups)
    ]


def unsettled_of(analysis: Analysis, question: Question) -> Unsettled | None:
    """Which decisions on a claim more resamples may change.

    None where no test resamples, or joint flips count: these have an error of their own.
    """
    table = analysis.table if question.claim == "a-better" else analysis.table.swapped()
    resampled = any(r is not None and r.n_resamples is not None for r in table.results or ())
    if not resampled or question.claim == "differ" or analysis.joint(question) is not None:
        return None
    low, high = p_value_ends(table)
    return analysis.memory.computed(
        find_unsettled,
        low,
        high,
        alpha=analysis.settings.alpha,
        combination=question.answer.combination,
        procedure=analysis.procedure,
    )


def unsettled_statements(analysis: Analysis, question: Question) -> tuple[str, ...]:
    """What is not settled, in sentences; empty where all is."""
    joint, found = analysis.joint(question), unsettled_of(analysis, question)
    if joint is not None:
        return () if joint.settled else (joint_unsettled_sentence(joint.flips),)
    if found is None:
        return ()
    names = analysis.identification(question, analysis.procedure)
    return unsettled_sentences(found, names, analysis.table.datasets)


def extensions(analysis: Analysis, question: Question, *, most: int) -> tuple[tuple[str, int], ...]:
    """Which tests to extend for both directions, each tenfold and to `most` at the utmost."""
    table, due = analysis.table, np.zeros(analysis.table.n_datasets, dtype=np.bool_)
    for asked in (question, analysis.other_side(question)):
        unsettled = None if asked is None else unsettled_of(analysis, asked)
        if unsettled is not None:
            due |= unsettled.to_extend
    wanted = {}
    for name, result, is_due in zip(
        table.datasets, table.results or (), due.tolist(), strict=False
    ):
        n = None if result is None else result.n_resamples
        if is_due and n is not None and n < (extended := min(most, 10 * (n + 1) - 1)):
            wanted[name] = extended
    return tuple(wanted.items())


def open_answers(analysis: Analysis) -> tuple[str, ...]:
    """Sentences on what is not settled of the headline, of the other side and of the question asked.

    Empty where all is settled.
    """
    headline = analysis.questions[0]
    other = analysis.other_side(headline)
    said: list[str] = []
    asked = {each.key: each for each in (headline, other, analysis.question) if each is not None}
    for question in asked.values():
        whether = f"On whether {analysis.subject.claim(question.claim)}: " if other else ""
        said += [f"{whether}{each}" for each in unsettled_statements(analysis, question)]
    return tuple(dict.fromkeys(said))


def same_ids(analysis: Analysis) -> str:
    """That all datasets have the same ids, where nobody has said what that means; else empty."""
    data, settings, datasets = analysis.data, analysis.settings, analysis.table.datasets
    if not isinstance(data, ResultSet) or not analysis.offers_flips:
        return ""
    if len(datasets) == 1 or settings.dependence != "not-known":
        return ""
    if not analysis.memory.computed(_have_the_same_ids, data, datasets):
        return ""
    # What they name differs where gold and predictions do.
    named_otherwise = analysis.overlap is not None and analysis.overlap.namesakes is not None
    return "" if named_otherwise else same_ids_sentence(len(datasets))


def of_overlap(analysis: Analysis, overlap: Overlap) -> str:
    """Whether datasets share examples, and what that is to this analysis."""
    counted_by = analysis.settings.joint if analysis.assessment.by_flips else ""
    offers_flips = analysis.offers_flips
    effect = effect_sentence(overlap, offers_flips=offers_flips, counted_by=counted_by)
    return f"{overlap_sentence(overlap)} {effect}"


def _have_the_same_ids(data: ResultSet, datasets: Sequence[str]) -> bool:
    """Whether all have the same ids, in whichever order; within one they differ."""
    from pyarrow import compute

    held = ids_of(data)
    if held is None:
        return False
    first, *others = (held[data.datasets.index(name)] for name in datasets)
    return all(
        len(one) == len(first)
        and (one.equals(first) or compute.all(compute.is_in(one, value_set=first)).as_py())
        for one in others
    )


# What a metric is called where the file does not name it.
UNNAMED_METRIC = "score"


def what_was_read(analysis: Analysis) -> str:
    """One line of what the data are, with their name."""
    return ": ".join(filter(None, (analysis.origin.title, in_numbers(analysis))))


def in_numbers(analysis: Analysis) -> str:
    """How many datasets, which systems and scores, and which score is read as better."""
    table, data = analysis.table, analysis.data
    n = len(data.datasets)
    left = f"{table.n_datasets:,} of " if table.n_datasets < n else ""
    better = "higher" if analysis.higher_is_better else "lower"
    read_as = f"; a {better} score is read as better"
    if isinstance(data, ResultSet):
        examples = sum(map(data.n_examples, table.datasets))
        metric = metric_of(data, analysis.settings)
        label = metric_label(metric, data.kind_of(metric))
        what = f"{len(data.systems)} systems, {counted(examples, 'example')}, {label}"
    else:
        n_scored = (table.scores_a is not None) + (table.scores_b is not None)
        scores = ("no scores", "scores of one system", "scores of both systems")[n_scored]
        what = f"{scores}, printed p-values"
        read_as = "" if table.differences is None else read_as
    return f"{left}{counted(n, 'dataset')}, {what}{read_as}."


def leaves_direction_open(
    data: PValueTable | ResultSet | ScoreTable, settings: AnalysisSettings, origin: Origin
) -> bool:
    """Whether the better score was assumed to be the higher one, as no name says which it is.

    Tools say it themselves, or a remark says that they do not.
    """
    reading, metric = data.reading, ""
    if reading is None or origin.sample:
        return False
    if isinstance(data, ResultSet):
        metric = metric_of(data, settings)
        higher = data.is_higher_better(metric)
    else:
        metric, higher = str(reading.roles.get("metric") or ""), data.higher_is_better
    if isinstance(data, ResultSet) and data.kind_of(metric) != MEAN:
        return False
    if isinstance(data, PValueTable) and data.differences is None:
        return False
    if not higher and "higher_is_better" not in origin.roles:
        # A word in the file said so.
        return False
    if metric not in ("", UNNAMED_METRIC) or METRIC_LABEL in reading.dataset_labels:
        return not says_direction(metric) and not any(use.kind for use in reading.files)
    if isinstance(data, ResultSet):
        return True
    # A word such as "error" that was not followed leaves it open too.
    kept = any(is_named(column, "metric_names") for column in reading.columns)
    return not kept and not any(
        names_metric(name) and lower_word(name) is None
        for name in (name.replace("_", " ") for name in (*reading.columns, origin.title))
    )


def remarks(analysis: Analysis) -> list[str]:
    """What to know about the data."""
    sample, reading = analysis.origin.sample, analysis.data.reading
    # A verdict on both systems says it of both already.
    both = analysis.assessment.shows_both_sides
    return _said(
        zeros(analysis),
        "" if both else common_practice(analysis, analysis.questions[0]),
        *((sample.note, f"Source: {sample.source}") if sample else ()),
        *(() if reading is None else reading.remarks),
    )


def by_the_other_correlation(analysis: Analysis, question: Question, whole: PValueTable) -> str:
    """The counts of the lead by the other correlation, whose p-values are `whole`."""
    data, settings, memory = analysis.data, analysis.settings, analysis.memory
    assert isinstance(data, ResultSet)
    metric = metric_of_other_correlation(data, metric_of(data, settings))
    assert metric is not None
    by_other = replace(settings, metric=metric)
    other = analysis_of(data, whole, by_other, origin=analysis.origin, memory=memory)
    claims = [one.claim for one in stated(analysis, question)]
    asked = [one for one in other.questions if one.claim in claims]
    found = [unsettled_of(other, one) for one in asked]
    return other_correlation_sentence(
        metric_label(metric, data.kind_of(metric)),
        [(one.claim, one.answer.k_hat) for one in asked],
        other.subject,
        n_datasets=other.table.n_datasets,
        combination=other.assessment.undirected.combination,
        ranges=[one.k_hat_range for one in found if one is not None],
    )


def stated(analysis: Analysis, question: Question) -> tuple[Question, ...]:
    """Whose answers the lead states: the question's, or A's and B's where the data speak for both."""
    if question.key != analysis.questions[0].key:
        return (question,)
    return headline_questions(analysis.assessment)


def signatures(analysis: Analysis, question: Question) -> dict[str, str]:
    """The lines that reproduce the counts of the lead, by what they are of."""
    both = stated(analysis, question)
    what = "the count" if analysis.table.n_datasets > 1 else "the answer"
    if len(both) == 1:
        return {what: analysis.signature(question)}
    return {
        f"{what} for {analysis.subject.sides(each.claim)[0]}": analysis.signature(each)
        for each in both
    }


def lead_statement(analysis: Analysis, question: Question) -> Statement:
    """The answer: the verdict, or the count where another claim was chosen."""
    if question.key == analysis.questions[0].key:
        return verdict(analysis.assessment, analysis.subject).statement
    return count_statement(question, analysis.subject)


def lead(analysis: Analysis, question: Question) -> str:
    """The answer in one text."""
    return lead_statement(analysis, question).text


def condition(analysis: Analysis, question: Question) -> str:
    """On which reading of the table an answer rests; empty where there is only one."""
    smallest, declared = analysis.smallest(question), analysis.assessment.declared
    return reading_sentence(question, analysis.subject, smallest=smallest, declared=declared)


def conditions(analysis: Analysis, question: Question) -> list[str]:
    """On which readings of the table the answers of the lead rest, each once."""
    found = [condition(analysis, each) for each in stated(analysis, question)]
    return _said(*dict.fromkeys(found))


def about_the_count(analysis: Analysis, question: Question) -> list[str]:
    """What the count means for names, and what the common practice is worth."""
    both = stated(analysis, question)
    found: list[str] = []
    for each in both:
        names = names_sentence(each.answer, analysis.subject)
        whose = f"That {analysis.subject.claim(each.claim)}: " if len(both) > 1 else ""
        found += [whose + names] if names else []
    found += [common_practice(analysis, question), flipped(analysis, question)]
    for each in both:
        found += approximations(analysis, each)
    by_flips = analysis.assessment.by_flips
    return _said(*dict.fromkeys(found), zeros(analysis), validity_sentence(by_flips=by_flips))


def flipped(analysis: Analysis, question: Question) -> str:
    """What was flipped for the count in front; empty where p-values count."""
    found = analysis.joint(question)
    return "" if found is None else joint_units_sentence(found.flips, found.units)


def names_and_count(analysis: Analysis, question: Question) -> list[str]:
    """How the names and the count belong together."""
    answer = question.answer
    return _said(
        count_statement(question, analysis.subject).text,
        names_sentence(answer, analysis.subject),
        *approximations(analysis, question),
        validity_sentence(by_flips=analysis.assessment.by_flips),
    )


def approximations(analysis: Analysis, question: Question) -> list[str]:
    """Which of a claim's p-values only stand in for tests that were not made or not printed."""
    n_other_ahead = analysis.n_other_ahead(question)
    return _said(stand_in_sentence(question, analysis.subject, n_other_ahead=n_other_ahead))


def significant(
    analysis: Analysis, question: Question, procedure: str, *, in_full: bool = False
) -> str:
    """Which datasets are named, or which are not because p-values may be read otherwise."""
    subject = analysis.subject.in_full if in_full else analysis.subject
    names = analysis.identification(question, procedure)
    alone = analysis.named_by_one_reading(question, procedure)
    if alone.any() and not names.n_rejected:
        return one_reading_sentence(names, alone, question, subject)
    return identification_sentence(names, question, subject)


def other_names(analysis: Analysis, question: Question, procedure: str) -> str:
    """Where the data speak for both systems, which datasets are named for the other."""
    other = analysis.other_side(question)
    if other is None:
        return ""
    sentence = significant(analysis, other, procedure)
    return f"{sentence} {together_sentence(analysis.settings.alpha)}".rstrip()


def common_practice(analysis: Analysis, question: Question) -> str:
    """What the common practice counts, and what that is worth."""
    n_printed = analysis.assessment.n_printed if analysis.printed else None
    asked = stated(analysis, question)
    return common_practice_sentence(asked, analysis.subject, n_printed=n_printed)


def zeros(analysis: Analysis) -> str:
    """How printed zeros and bounds were read; empty where there are none, or a caution says it."""
    table = analysis.table
    is_caution = table.has_lost_zeros(analysis.settings.alpha)
    return " ".join(_said("" if is_caution else zeros_of(table), bounds_sentence(table.printed)))


def _said(*sentences: str) -> list[str]:
    return [sentence for sentence in sentences if sentence]
