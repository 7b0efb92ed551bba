"""What a methods section says of the data: systems, datasets, metric, and how p-values were read."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..analysis import Analysis
from ..analysis.settings import metric_of
from ..analysis.statements import approximations, condition
from ..data import PValueTable, ResultSet
from ..metrics.labels import summed_metric
from ..metrics.registry import CORRELATIONS
from ..words.formatting import counted, metric_label, whole_name
from ..words.reading import DIRECTION_NOT_STATED, bounds_sentence, direction_note, zeros_of
from ..words.subject import headline_questions
from .passages import Passage, Sentence, cite, full_name, names_in_full, passage

# Works that define a metric, by its kind.
_OF_METRICS = {
    "bleu": "papineni2002bleu",
    "chrf": "popovic2015chrf",
    "ter": "snover2006study",
    "aer": "och2003systematic",
    "mcc": "matthews1975comparison",
}
_ASSUMED_BEFORE = "the guarantees assume that this was decided before seeing the results"


def data_passage(analysis: Analysis) -> Passage:
    """Which data were analysed, and how they were read."""
    data = analysis.data
    source = whole_name(analysis.origin.source).rstrip(".")
    return passage(
        *(_of_results(analysis, data) if isinstance(data, ResultSet) else ()),
        *(_of_table(analysis) if isinstance(data, PValueTable) else ()),
        f"Source: {source}." if source else "",
        _left_out(analysis),
        _exchanged(analysis),
    )


def _of_results(analysis: Analysis, data: ResultSet) -> Sequence[Sentence]:
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
            f"The metric was {_metric_words(metric, kind)}",
            *([cite(work)] if work else []),
            f"{of_several} ({_better_word(analysis)} scores are better).",
        ),
    )


def _of_table(analysis: Analysis) -> Sequence[Sentence]:
    table = analysis.table
    sizes = [] if table.n_examples is None else [int(n) for n in table.n_examples]
    of_sizes = f" of {_range(sizes)}" if sizes else ""
    metric = f" by {full_name(table.metric)}" if table.metric else ""
    n = table.n_datasets
    published = "the published p-value of 1 dataset"
    if n > 1:
        published = f"published p-values, one for each of {n:,} datasets"
    direction = (
        "" if table.differences is None else f" ({_better_word(analysis)} scores are better)"
    )
    return (
        f"We analysed {published}"
        f"{of_sizes}, from comparing {_letter(table.system_a, 'A')} with "
        f"{_letter(table.system_b, 'B')}{metric}{direction}; the tests were not run again.",
        zeros_of(table),
        bounds_sentence(table.printed),
        _declared(analysis),
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
    known = summed_metric(kind)
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
    return (
        f"We left out {names_in_full(names)} ({len(names)} of "
        f"{counted(analysis.whole.n_datasets, 'dataset')}) by hand; {_ASSUMED_BEFORE}."
    )


def _exchanged(analysis: Analysis) -> str:
    if not analysis.settings.swapped:
        return ""
    a, b = full_name(analysis.table.system_a), full_name(analysis.table.system_b)
    return f"We took {a} as A, although {b} comes first in the file; {_ASSUMED_BEFORE}."


def _declared(analysis: Analysis) -> str:
    """What the table states of the direction of its p-values, and which reading was taken."""
    assessment, subject, question = analysis.assessment, analysis.subject, analysis.question
    declared, is_open = assessment.declared, assessment.declared == "not-stated"
    stated = f"The table states that its p-values are {subject.in_full.side_read(declared)}"
    stated = DIRECTION_NOT_STATED.rstrip(".") if is_open else stated
    if not assessment.readings:
        return f"{stated}, and it has no scores that would show which system is ahead."
    if question.claim == "differ" or not (is_open or assessment.declared_is_ruled_out):
        return f"{stated}."
    return (
        direction_note(assessment, subject) if question.headline else condition(analysis, question)
    )


def _reading(analysis: Analysis) -> Sequence[str]:
    """How the p-values of the answer in front came out of the printed ones."""
    assessment, question = analysis.assessment, analysis.question
    if question.claim == "differ":
        doubled = assessment.declared == "toward-higher-score"
        how = "each doubled, " if doubled else ""
        taken = " and taken as two-sided" if question.reading == "not-stated" else ""
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
    stated = headline_questions(assessment) if question.headline else (question,)
    return (
        f"For a claim about one system the p-value was {formula}." if formula else "",
        *(line for one in stated for line in approximations(analysis, one)),
    )
