"""What was found, in three to five sentences that a paper can print."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..analysis import Analysis, statements
from ..analysis.settings import metric_of
from ..data import ResultSet
from ..replicability.combinations import combination_named
from ..words.counting import practice_counts
from ..words.formatting import display_name, format_p_value, metric_label, signed
from ..words.subject import Question
from ..words.verdicts import identification_sentence

_MOST_DECIMALS = 4


def results_sentences(analysis: Analysis) -> tuple[str, ...]:
    """Range of effects and p-values, the counts with their guarantee, which datasets, what limits it.

    The common practice is stated only where it counts otherwise.
    """
    asked = statements.stated(analysis, analysis.question)
    found = [
        *analysis.other_sides,
        _range_sentence(analysis, asked),
        f"{analysis.so_far}{statements.lead(analysis, analysis.question)}",
        *(_which_sentence(analysis, each) for each in asked),
        _practice_sentence(analysis, asked),
        statements.condition(analysis, asked[0]),
    ]
    return tuple(dict.fromkeys(sentence for sentence in found if sentence))


def _range_sentence(analysis: Analysis, asked: Sequence[Question]) -> str:
    """From where to where the differences and the p-values go."""
    table = analysis.table
    if table.n_datasets == 1:
        return ""
    a, b = display_name(table.system_a), display_name(table.system_b)
    parts = []
    differences = table.differences
    if differences is not None and np.isfinite(differences).any():
        known = differences[np.isfinite(differences)]
        decimals = decimals_of(analysis)
        low, high = signed(float(known.min()), decimals), signed(float(known.max()), decimals)
        first, second = (a, b) if table.higher_is_better else (b, a)
        of = (
            f"{metric_of_table(analysis)} differences"
            if metric_of_table(analysis)
            else "Differences"
        )
        span = f"range from {low} to {high}" if low != high else f"are all {low}"
        parts.append(f"{of} ({first} − {second}) {span}")
    p_values = table.p_values if analysis.printed else asked[0].answer.p_values
    tested = (
        p_values
        if table.results is None
        else p_values[[result is not None for result in table.results]]
    )
    if tested.size:
        which = "the published p-values" if analysis.printed else "the one-sided p-values"
        if not analysis.printed and len(asked) > 1:
            which += f" for {a}"
        low, high = (format_p_value(float(p)) for p in (tested.min(), tested.max()))
        said = f"{which} from {low} to {high}"
        parts.append(
            said if parts else f"{which[:1].upper()}{which[1:]} range from {low} to {high}"
        )
    return f"{', '.join(parts)}." if parts else ""


def _which_sentence(analysis: Analysis, question: Question) -> str:
    """The procedure's datasets, and what the count's own closed test adds under its assumption."""
    answer = question.answer
    if answer.p_values.size == 1:
        return ""
    subject = analysis.subject.in_full
    names = analysis.identification(question, analysis.settings.procedure)
    sentence = identification_sentence(names, question, subject)
    combination = combination_named(answer.combination)
    further = answer.named & ~names.rejected
    if not combination.condition or not further.any():
        return sentence
    which = subject.names(further)
    also = "also identifies" if names.n_rejected else "identifies"
    return f"{sentence} The closed {combination.title} test {also} {which}, if {combination.condition}."


def _practice_sentence(analysis: Analysis, asked: Sequence[Question]) -> str:
    """Common practice in one sentence, where it counts otherwise than the guarantee allows."""
    if all(each.answer.practice.n == each.answer.k_hat for each in asked):
        return ""
    if analysis.table.n_datasets == 1 or analysis.subject.n_untested:
        return ""
    counts = practice_counts(
        asked[0].answer,
        analysis.subject,
        asked[0].claim,
        asked[1].answer if len(asked) > 1 else None,
    )
    n = analysis.table.n_datasets
    return f"The usual count has no guarantee: {counts} of {n:,} datasets."


def decimals_of(analysis: Analysis) -> int:
    """Of a printed table as many as it prints; of means more than of a single score."""
    if isinstance(analysis.data, ResultSet):
        return min(_MOST_DECIMALS, max(analysis.data.score_decimals, 2) + 2)
    table = analysis.table
    printed = table.printed_scores_a is not None or table.printed_scores_b is not None
    return table.score_decimals if printed else _MOST_DECIMALS


def metric_of_table(analysis: Analysis) -> str:
    """The metric's name as a sentence begins with it; empty where a table does not name it."""
    data = analysis.data
    if isinstance(data, ResultSet):
        name = metric_of(data, analysis.settings)
        label = display_name(metric_label(name, data.kind_of(name)))
    else:
        label = display_name(analysis.table.metric or "")
    return f"{label[:1].upper()}{label[1:]}"
