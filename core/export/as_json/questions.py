"""Every claim that an analysis counts and names for, with the words it is said in."""

from __future__ import annotations

from ...analysis import Analysis, statements
from ...replicability.assessment import Answer
from ...replicability.closed_testing import closed_names
from ...replicability.practice import CommonPractice
from ...words.subject import Question
from ...words.verdicts import identification_sentence, verdict
from .values import plain


def verdict_as_json(analysis: Analysis) -> dict[str, object]:
    """The answer that is shown first."""
    found = verdict(analysis.assessment, analysis.subject)
    return {
        "sentence": analysis.so_far + found.sentence,
        "tiles": [
            {
                "heading": tile.heading,
                "figure": tile.figure,
                "detail": tile.detail,
                "guaranteed": tile.guaranteed,
            }
            for tile in found.tiles
        ],
        "notes": list(found.notes),
    }


def assessment_as_json(analysis: Analysis) -> dict[str, object]:
    """How p-values may be read, and the counts in front."""
    found = analysis.assessment
    datasets = analysis.table.datasets
    fronts = {"a_better": found.answer_a, "b_better": found.answer_b, "differ": found.undirected}
    return {
        "declared": found.declared,
        "readings": [reading.alternative for reading in found.readings],
        "ruled_out": [
            {
                "reading": entry.alternative,
                "small": [datasets[i] for i in entry.small],
                "large": [datasets[i] for i in entry.large],
            }
            for entry in found.ruled_out
        ],
        "beside_lower_score": [datasets[i] for i in found.beside_lower_score],
        "shows_both_sides": found.shows_both_sides,
        "n_printed_at_most_alpha": found.n_printed if analysis.printed else None,
        "in_front": {
            claim: None if answer is None else _in_front(answer, datasets)
            for claim, answer in fronts.items()
        },
    }


def questions_as_json(analysis: Analysis) -> list[dict[str, object]]:
    """Every question that can be asked, the headline first."""
    return [_question(analysis, question) for question in analysis.questions]


def _question(analysis: Analysis, question: Question) -> dict[str, object]:
    answer, datasets = question.answer, analysis.table.datasets
    procedure = analysis.procedure
    names = analysis.identification(question, procedure)
    return {
        "key": question.key,
        "claim": question.claim,
        "reading": question.reading,
        "headline": question.headline,
        **_in_front(answer, datasets),
        "p_values": plain(answer.p_values),
        "counts": {
            combination: {
                "k_hat": counting.k_hat,
                "partial_conjunction_p_values": plain(counting.partial_conjunction_p_values),
            }
            for combination, counting in answer.countings.items()
        },
        "identification": {
            "procedure": procedure,
            "named": _names(names.rejected, datasets),
            "adjusted_p_values": plain(names.adjusted_p_values),
            "thresholds": plain(names.thresholds),
        },
        "joint": _joint(analysis, question),
        "sentences": {
            "lead": analysis.so_far + statements.lead(analysis, question),
            "condition": statements.condition(analysis, question),
            "about_the_count": list(statements.about_the_count(analysis, question)),
            "names": identification_sentence(names, question, analysis.subject),
        },
        "signatures": {
            "count": analysis.signature(question),
            "names": analysis.signature(question, procedure=procedure),
        },
    }


def _joint(analysis: Analysis, question: Question) -> dict[str, object] | None:
    """Counts and names by joint flips of shared examples, where they were asked for."""
    found, datasets = analysis.joint(question), analysis.table.datasets
    if found is None:
        return None
    return {
        "k_hat": found.count.k_hat,
        "settled": found.settled,
        "partial_conjunction_p_values": plain(found.count.partial_conjunction_p_values),
        "named": _names(found.named.rejected, datasets),
        "adjusted_p_values": plain(found.named.adjusted_p_values),
        "named_by_step_down": _names(found.step_down.rejected, datasets),
        "step_down_adjusted_p_values": plain(found.step_down.adjusted_p_values),
        "p_values": plain(found.count.p_values),
        "n_units": found.units.n_units,
        "n_shared_units": found.units.n_shared,
        "exact": found.flips.exact,
        "n_flips": len(found.flips.flipped) - (not found.flips.exact),
        "flipped": statements.flipped(analysis, question),
    }


def _in_front(answer: Answer, datasets: tuple[str, ...]) -> dict[str, object]:
    return {
        "k_hat": answer.k_hat,
        "combination": answer.combination,
        "common_practice": _practice(answer.practice),
        "complement": answer.complement,
        "named_by_closed_test": _names(answer.named, datasets),
        "named_by_holm": _names(
            closed_names(answer.p_values, alpha=answer.alpha, combination="bonferroni"), datasets
        ),
    }


def _practice(practice: CommonPractice) -> dict[str, object]:
    return {
        "n": practice.n,
        "sidedness": practice.sidedness,
        "only_where_ahead": practice.ahead,
        "chance_of_a_false_win": practice.chance_of_a_false_win(),
    }


def _names(chosen: object, datasets: tuple[str, ...]) -> list[str]:
    marks = plain(chosen)
    assert isinstance(marks, list)
    return [name for name, mark in zip(datasets, marks, strict=True) if mark]
