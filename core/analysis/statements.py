"""Which sentences belong to an answer, in reading order; the page and the report say the same ones."""

from __future__ import annotations

from core.analysis.analysis import Analysis
from core.analysis.testing import metric_of
from core.data import ResultSet
from core.report.formatting import metric_label
from core.report.guarantees import together_sentence
from core.report.questions import Question
from core.report.sentences import (
    bounds_sentence,
    common_practice_sentence,
    complement_sentence,
    count_sentence,
    identification_sentence,
    names_sentence,
    reading_sentence,
    stand_in_sentence,
    validity_sentence,
    weaker_assumption_sentence,
    zeros_sentence,
)
from core.report.testing import alike_sentence
from core.types import Procedure


def what_was_read(analysis: Analysis) -> str:
    """One line of what the data are."""
    table, data = analysis.table, analysis.data
    n = len(data.datasets)
    count = "1 dataset" if n == 1 else f"{n} datasets"
    if table.n_datasets < n:
        count = f"{table.n_datasets} of {count}"
    if isinstance(data, ResultSet):
        examples = sum(data.n_examples(dataset) for dataset in data.datasets)
        metric = metric_of(data, analysis.settings)
        label = metric_label(metric, data.kind_of(metric))
        what = f"{len(data.systems)} systems, {examples:,} examples, {label}"
    else:
        scores = ["no scores", "scores of one system", "scores of both systems"][
            (table.scores_a is not None) + (table.scores_b is not None)
        ]
        what = f"{scores}, printed p-values"
    if isinstance(data, ResultSet) or table.differences is not None:
        what += f"; a {'higher' if analysis.higher_is_better else 'lower'} score is read as better"
    return f"{analysis.origin.title}: {count}, {what}."


def remarks(analysis: Analysis) -> list[str]:
    """What to know about the data."""
    naive = ""
    # A verdict on both systems says it of both already.
    if not analysis.assessment.shows_both_sides:
        naive = common_practice(analysis, analysis.questions[0])
    source = analysis.origin.source
    found = [
        alike_sentence(analysis.table.results or (), analysis.subject),
        zeros(analysis),
        naive,
        analysis.origin.note,
        f"Source: {source}" if source else "",
    ]
    if analysis.data.reading is not None:
        found.extend(analysis.data.reading.remarks)
    return [remark for remark in found if remark]


def lead(analysis: Analysis, question: Question) -> str:
    """The count in one sentence."""
    return count_sentence(
        question.answer, analysis.subject, claim=question.claim, reading=question.reading
    )


def condition(analysis: Analysis, question: Question) -> str:
    """On which reading of the table an answer rests; empty where there is only one."""
    return reading_sentence(question, analysis.subject, smallest=analysis.smallest(question))


def about_the_count(analysis: Analysis, question: Question) -> list[str]:
    """What the count means for names, and what the common practice is worth."""
    answer = question.answer
    return _said(
        names_sentence(answer, analysis.subject),
        weaker_assumption_sentence(answer),
        common_practice(analysis, question),
        complement_sentence(answer, analysis.subject, claim=question.claim),
        stand_in_sentence(answer, question.reading, analysis.n_other_ahead(question)),
        zeros(analysis),
        validity_sentence(),
    )


def names_and_count(analysis: Analysis, question: Question) -> list[str]:
    """How the names and the count belong together."""
    answer = question.answer
    return _said(
        lead(analysis, question),
        names_sentence(answer, analysis.subject),
        complement_sentence(answer, analysis.subject, claim=question.claim),
        stand_in_sentence(answer, question.reading, analysis.n_other_ahead(question)),
        validity_sentence(),
    )


def other_count(analysis: Analysis, question: Question) -> str:
    """Where the data speak for both systems, what they say for the other one."""
    other = analysis.other_side(question)
    if other is None:
        return ""
    sentence = count_sentence(other.answer, analysis.subject, claim=other.claim)
    return f"The other way round: {sentence} {together_sentence(analysis.settings.alpha)}"


def other_names(analysis: Analysis, question: Question, procedure: Procedure) -> str:
    """Where the data speak for both systems, which datasets are named for the other."""
    other = analysis.other_side(question)
    if other is None:
        return ""
    names = analysis.identification(other, procedure)
    sentence = identification_sentence(names, other, analysis.subject)
    return f"The other way round: {sentence} {together_sentence(analysis.settings.alpha)}"


def common_practice(analysis: Analysis, question: Question) -> str:
    """What counting small p-values would say, and what that is worth."""
    n_printed = analysis.assessment.n_printed if analysis.printed else None
    return common_practice_sentence(
        question.answer, n_printed=n_printed, n_untested=analysis.subject.n_untested
    )


def zeros(analysis: Analysis) -> str:
    """How printed zeros and bounds were read; empty where there are none."""
    table = analysis.table
    chosen = table.printed_zeros
    printed = [text for text, zero in zip(table.printed, chosen, strict=True) if zero]
    declared = table.reading is not None and table.reading.roles.get("zero_reads_below") is not None
    below = float(table.p_value_bounds[1][chosen][0]) if printed else None
    return " ".join(
        _said(
            zeros_sentence(printed, below, declared=declared, alpha=analysis.settings.alpha),
            bounds_sentence(table.printed),
        )
    )


def _said(*sentences: str) -> list[str]:
    return [sentence for sentence in sentences if sentence]
