"""The methods paragraphs and the results sentence of an analysis, to be put into a paper."""

from __future__ import annotations

from core.analysis import Analysis
from core.analysis.statements import condition, count, signatures, stated
from core.export.methods.counting import counting_passage, naming_passage, tried_passage
from core.export.methods.data import data_passage
from core.export.methods.passages import (
    Passage,
    Piece,
    Verbatim,
    in_latex,
    in_plain_text,
    passage,
)
from core.export.methods.testing import testing_passage
from core.export.versions import made_with
from core.replicability.combinations import combination_named
from core.report.questions import Question
from core.report.sentences import identification_sentence
from core.report.sides import sides_sentence
from core.report.verdicts import verdict
from core.version import __version__

NAME = "replicability dashboard"


def methods_passages(analysis: Analysis) -> tuple[Passage, ...]:
    """The methods section, a passage a paragraph: what both renderings and the references take."""
    found = (
        data_passage(analysis),
        testing_passage(analysis),
        counting_passage(analysis),
        naming_passage(analysis),
        tried_passage(analysis),
        _software_passage(analysis),
    )
    return tuple(pieces for pieces in found if pieces)


def methods_paragraphs(analysis: Analysis) -> tuple[str, ...]:
    """How the analysis was done, in plain paragraphs with works cited by author and year.

    Data, tests, counting, naming, what was tried, software; each statement only
    where it applies.
    """
    return tuple(in_plain_text(pieces) for pieces in methods_passages(analysis))


def methods_latex(analysis: Analysis) -> str:
    r"""The same paragraphs as LaTeX, works cited by ``\citep``.

    `bibtex_of` gives the entries that are cited. Letters
    beyond ASCII in names stay as they are, for an engine that reads UTF-8.
    """
    paragraphs = "\n\n".join(in_latex(pieces) for pieces in methods_passages(analysis))
    return f"% needs \\usepackage[T1]{{fontenc}} and \\usepackage{{natbib}}\n{paragraphs}\n"


def result_paragraph(analysis: Analysis) -> str:
    """What was found, in the sentences of the verdict: the count, its condition and the names."""
    assessment, question = analysis.assessment, analysis.question
    subject = analysis.subject.in_full
    headline = question.key == analysis.questions[0].key
    shown = stated(analysis, question)
    answered = verdict(assessment, subject).sentence if headline else count(analysis, question)
    sentences = [*analysis.other_sides, f"{analysis.so_far}{answered}"]
    if len(shown) > 1 and assessment.n_datasets > 1:
        half = analysis.assessed_at(0.5 * analysis.settings.alpha)
        sentences.append(sides_sentence(half, subject))
    for each in shown:
        sentences.append(condition(analysis, each))
        if assessment.n_datasets > 1:
            sentences.append(_names(analysis, each))
    return " ".join(sentence for sentence in dict.fromkeys(sentences) if sentence)


def _names(analysis: Analysis, question: Question) -> str:
    """The names by the closed test behind the count and by the procedure, where they differ."""
    procedures = dict.fromkeys(
        (combination_named(question.answer.combination).procedure, analysis.settings.procedure)
    )
    return " ".join(
        identification_sentence(
            analysis.identification(question, procedure), question, analysis.subject.in_full
        )
        for procedure in procedures
    )


def _software_passage(analysis: Analysis) -> Passage:
    question, procedure = analysis.question, analysis.settings.procedure
    counts = signatures(analysis, question)
    names = analysis.signature(question, procedure=procedure)
    counted: list[Piece] = []
    for of, line in counts.items():
        counted += [f", {of} by " if counted else f"T{of[1:]} is reproduced by ", Verbatim(line)]
    named = (", the names by ", Verbatim(names)) if question.answer.p_values.size > 1 else ()
    return passage(
        f"All numbers were computed by the {NAME}, version {__version__} ({made_with()}).",
        (*counted, *named, "."),
    )
