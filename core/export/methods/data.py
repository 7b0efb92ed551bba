"""What a methods paragraph says of the data: systems, datasets, metric, and how p-values were read."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.analysis import Analysis
from core.analysis.settings import metric_of
from core.analysis.statements import approximations, condition
from core.data import PValueTable, ResultSet
from core.export.methods.passages import Passage, Piece, cite, full_name, names_in_full, passage
from core.metrics.registry import CORRELATIONS, STATISTIC_METRICS
from core.report.formatting import counted, metric_label, whole_name
from core.report.guarantees import exchanged_sentence
from core.report.printed import bounds_sentence, zeros_sentence

# Works that define a metric, by its kind.
_OF_METRICS = {
    "bleu": "papineni2002bleu",
    "chrf": "popovic2015chrf",
    "ter": "snover2006study",
    "aer": "och2003systematic",
    "mcc": "matthews1975comparison",
}


def data_passage(analysis: Analysis) -> Passage:
    """Which data were analysed, and how they were read."""
    source = whole_name(analysis.origin.source).rstrip(".")
    return passage(
        *(_of_results(analysis, analysis.data) if isinstance(analysis.data, ResultSet) else ()),
        *(_of_table(analysis, analysis.data) if isinstance(analysis.data, PValueTable) else ()),
        f"Source: {source}." if source else "",
        _left_out(analysis),
        _exchanged(analysis) if analysis.settings.swapped else "",
    )


def _exchanged(analysis: Analysis) -> str:
    table = analysis.table
    return exchanged_sentence(analysis.settings.alpha, a=table.system_a, b=table.system_b)


def _of_results(analysis: Analysis, data: ResultSet) -> Sequence[Piece | Sequence[Piece]]:
    table = analysis.table
    among = f", 2 of the {len(data.systems)} systems in the file," if len(data.systems) > 2 else ""
    sizes = [data.n_examples(dataset) for dataset in table.datasets]
    metric = metric_of(data, analysis.settings)
    kind = data.kind_of(metric)
    work = _OF_METRICS.get(kind)
    n_metrics = len(data.metrics) + len(data.label_metrics)
    of_several = f", one of the {n_metrics} metrics that the file allows" if n_metrics > 1 else ""
    return (
        f"We compared {_letter(table.system_a, 'A')} with {_letter(table.system_b, 'B')}{among} "
        f"on {counted(table.n_datasets, 'dataset')} of {_range(sizes)}, paired by example.",
        (
            f"The metric is {_metric_words(metric, kind)}",
            *([cite(work)] if work else []),
            f"{of_several}; a {_better_word(analysis)} score is read as better.",
        ),
    )


def _of_table(analysis: Analysis, data: PValueTable) -> Sequence[Piece | Sequence[Piece]]:
    table = analysis.table
    sizes = [] if table.n_examples is None else [int(n) for n in table.n_examples]
    of_sizes = f", of {_range(sizes)}," if sizes else ""
    metric = f" by {full_name(table.metric)}" if table.metric else ""
    return (
        f"We analysed a published table with one p-value for each of "
        f"{counted(table.n_datasets, 'dataset')}{of_sizes} from comparing "
        f"{_letter(table.system_a, 'A')} with {_letter(table.system_b, 'B')}{metric}; the "
        "tests were not run again.",
        f"A {_better_word(analysis)} score is read as better."
        if table.differences is not None
        else "",
        _zeros(table),
        bounds_sentence(table.printed),
        _declared(analysis, data),
        *_reading(analysis),
    )


def _letter(name: str, letter: str) -> str:
    """A system's name with the letter that stands for it."""
    shown = full_name(name)
    return shown if shown == letter else f"{shown} ({letter})"


def _better_word(analysis: Analysis) -> str:
    return "higher" if analysis.higher_is_better else "lower"


def _metric_words(metric: str, kind: str) -> str:
    """The metric's name, and what it is where the name may not say it."""
    label = full_name(metric_label(metric, kind))
    known = STATISTIC_METRICS.get(kind)
    if kind in CORRELATIONS:
        return f"{label} with gold scores"
    if known is not None and known.key == "ratio":
        return f"{label}, the sum of what is correct over the sum of totals"
    if known is not None:
        return f"{label}, computed from sums over the examples"
    return f"{label}, averaged over examples" if kind == "mean" else label


def _range(sizes: Sequence[int]) -> str:
    low, high = min(sizes), max(sizes)
    if len(sizes) == 1:
        return counted(low, "example")
    if low == high:
        return f"{counted(low, 'example')} each"
    return f"{low:,} to {high:,} examples ({sum(sizes):,} in all)"


def _left_out(analysis: Analysis) -> str:
    kept = set(analysis.table.datasets)
    names = [name for name in analysis.whole.datasets if name not in kept]
    if not names:
        return ""
    were = "was" if len(names) == 1 else "were"
    return (
        f"Of {counted(analysis.whole.n_datasets, 'dataset')}, {names_in_full(names)} {were} left "
        "out by hand. Where that was decided after looking at the results, the guarantee no "
        "longer holds."
    )


def _zeros(table: PValueTable) -> str:
    """How printed zeros were read, without what a page adds of what to do."""
    chosen = table.printed_zeros
    if not chosen.any():
        return ""
    printed = [table.printed[i] for i in np.flatnonzero(chosen)]
    declared = table.reading is not None and table.reading.roles.get("zero_reads_below") is not None
    below = float(table.p_value_bounds[1][chosen][0])
    return zeros_sentence(printed, below, declared=declared)


def _declared(analysis: Analysis, data: PValueTable) -> str:
    """What the table says its p-values speak for."""
    assessment, subject = analysis.assessment, analysis.subject
    if data.alternative == "not-stated":
        lead = "The table does not say which way its p-values point"
    else:
        # As the file has it: exchanging the systems changes no statement.
        stated = {
            "greater": f"one-sided for {full_name(data.system_a)}",
            "less": f"one-sided for {full_name(data.system_b)}",
            "two-sided": "two-sided",
            "toward-higher-score": f"one-sided {subject.reading('toward-higher-score')}",
        }[data.alternative]
        lead = f"The p-values are stated to be {stated}"
        if assessment.declared_is_ruled_out:
            lead += ", which the numbers contradict"
    if not assessment.readings:
        return f"{lead}, and without the scores of both systems nothing tells which one is ahead."
    if data.alternative != "not-stated" and not assessment.declared_is_ruled_out:
        return f"{lead}."
    readings = [f"“{subject.reading(reading.alternative)}”" for reading in assessment.readings]
    if len(readings) == 1:
        return f"{lead}; the only reading that the numbers allow is {readings[0]}."
    return (
        f"{lead}; the readings that the numbers allow are {', '.join(readings[:-1])} and "
        f"{readings[-1]}.{_which_reading(analysis)}"
    )


def _which_reading(analysis: Analysis) -> str:
    if analysis.question.claim == "differ":
        return ""
    if analysis.question.headline:
        return " The one with the smallest count was taken."
    return " Which one was taken was chosen by hand."


def _reading(analysis: Analysis) -> Sequence[str]:
    """How the p-values of the answer in front came out of the printed ones."""
    assessment, question = analysis.assessment, analysis.question
    if question.claim == "differ":
        doubled = assessment.declared == "toward-higher-score"
        how = "each doubled, " if doubled else ""
        taken = ", which takes them to be two-sided" if question.reading == "not-stated" else ""
        return (
            f"The p-values were counted without direction, {how}as evidence that the systems "
            f"differ{taken}.",
        )
    differences = analysis.table.differences
    level, better = "", _better_word(analysis)
    if differences is not None and (np.nan_to_num(differences) == 0.0).any():
        level = ", and at equal scores the larger of p and 1 − p/2"
    formulas = {
        "two-sided": f"p/2 where that system has the {better} score, else 1 − p/2",
        "toward-higher-score": f"p where that system has the {better} score, 1 − p where it has the "
        f"{analysis.subject.worse} one{level}",
    }
    formula = formulas.get(question.reading, "")
    return (
        condition(analysis, question),
        f"For a claim about one system the p-value is {formula}." if formula else "",
        *approximations(analysis, question),
    )
