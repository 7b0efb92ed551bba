"""What a command says of an analysis, and the status that it asks for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ..analysis import Analysis, statements
from ..analysis.groupings import group_sentences
from ..analysis.settling import open_answers, unsettled_of
from ..replicability.counting import count_datasets
from ..version import PROGRAM
from ..words.formatting import list_names
from ..words.reading import files_sentence
from ..words.verdicts import identification_sentence, verdict
from .options import DONE, TOO_FEW, Options
from .output import complain


def answer_lines(analysis: Analysis, groups: Sequence[Sequence[str]] = ()) -> Iterator[str]:
    """What the first page says, as plain text, and the bounds for groups of datasets."""
    yield statements.what_was_read(analysis)
    reading = analysis.data.reading
    matched = "" if reading is None else files_sentence(reading)
    if matched:
        yield matched
    for caution in analysis.cautions:
        yield ""
        yield f"Caution: {caution}"
    for sentence in open_answers(analysis):
        yield ""
        yield f"Not settled: {sentence}"
    found = verdict(analysis.assessment, analysis.subject)
    yield ""
    yield analysis.so_far + found.sentence
    for tile in found.tiles:
        yield f"- {tile.heading}: {tile.figure}; {tile.detail}"
    yield from found.notes
    question, procedure = analysis.question, analysis.procedure
    if question.key != analysis.questions[0].key:
        yield ""
        yield analysis.so_far + statements.lead(analysis, question)
        yield from filter(None, [statements.condition(analysis, question)])
    names = analysis.identification(question, procedure)
    yield identification_sentence(names, question, analysis.subject)
    other = statements.other_names(analysis, question, procedure)
    if other:
        yield other
    flipped = statements.flipped(analysis, question)
    if flipped:
        yield flipped
    for group in groups:
        members = [analysis.table.datasets.index(name) for name in dict.fromkeys(group)]
        (sentence,) = group_sentences(analysis, question, {"": members})
        yield f"{list_names(group, most=len(group))}: {sentence}"
    remarks = statements.remarks(analysis)
    if remarks:
        yield ""
        yield "Notes on your data"
        for remark in remarks:
            yield f"- {remark}"
    yield ""
    yield analysis.signature(question)


def required_status(options: Options, analysis: Analysis) -> int:
    """The status of `--require-at-least`, with a sentence where it is not reached."""
    required = options.require_at_least
    if required is None:
        return DONE
    answer = analysis.assessment.answer_a
    a = analysis.subject.system_a
    _warn_of_open_count(analysis, required)
    if answer is None:
        complain(
            f"{PROGRAM}: these p-values do not say which system is better, so they cannot show "
            f"{a} to {analysis.subject.be_better} on {required}."
        )
        return TOO_FEW
    k_hat = answer.k_hat
    if not analysis.assessment.by_flips:
        # p = 1 takes no dataset away from N, and can only lower the count.
        p_values = np.where(analysis.contradicted(answer, "a-better"), 1.0, answer.p_values)
        k_hat = count_datasets(p_values, alpha=answer.alpha, combination=answer.combination).k_hat
    if k_hat < required:
        n = analysis.table.n_datasets
        shown = f"on at least {k_hat} of {n}" if k_hat else f"on none of {n}"
        better = analysis.subject.be_better
        left = ", not counting those whose scores say otherwise" if k_hat < answer.k_hat else ""
        complain(
            f"{PROGRAM}: {a} is shown to {better} {shown} datasets{left}; {required} required."
        )
        return TOO_FEW
    if answer.complement:
        complain(
            f"{PROGRAM}: {a} has no p-values of its own here; the count, from 1 − p, is "
            "approximate and carries no guarantee."
        )
    return DONE


def _warn_of_open_count(analysis: Analysis, required: int) -> None:
    """Say so where more resamples may change the count, and whether that changes the status."""
    for question in analysis.questions:
        if question.claim != "a-better" or not question.headline:
            continue
        found = unsettled_of(analysis, question)
        fewest, most = (0, 0) if found is None else found.k_hat_range
        if fewest < most:
            either = fewest < required <= most
            side = f", on either side of the {required} required" if either else ""
            complain(
                f"{PROGRAM}: the count is not settled: with more resamples it may lie from "
                f"{fewest} to {most}{side}."
            )
