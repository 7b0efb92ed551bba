"""What a methods paragraph says of counting and naming datasets, and of what was tried."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.analysis import Analysis
from core.analysis.record import BY_ITSELF
from core.export.methods.passages import Passage, Piece, cite, passage
from core.replicability.combinations import combination_named
from core.replicability.procedures import procedure_named
from core.report.contradictions import contradicted_sentence
from core.report.formatting import format_confidence, format_errors, format_level, whole_name
from core.report.sentences import validity_sentence

_CLAIMED = {
    "not-known": "Nothing was assumed of how the datasets depend on each other.",
    "positive": (
        "The tests were taken to be independent or positively dependent, so that Simes' "
        "inequality holds for the true null hypotheses; sharing examples alone does not ensure it."
    ),
    "independent": "The datasets were taken to be independent of each other.",
}
Sentence = Piece | Sequence[Piece]


def counting_passage(analysis: Analysis) -> Passage:
    """How datasets were counted, under which assumption, and in which directions."""
    question = analysis.question
    answer = question.answer
    alpha, n = analysis.settings.alpha, answer.p_values.size
    level = format_level(alpha)
    better = analysis.subject.is_better
    claim = {"a-better": f"A {better}", "b-better": f"B {better}", "differ": "the systems differ"}
    if n == 1:
        return passage(
            f"There is one dataset, so that nothing is counted: its p-value is compared with "
            f"α = {level}.",
            *_directions(analysis),
            validity_sentence(),
        )
    combination = answer.combination
    reason = whole_name(analysis.origin.dependence_reason)
    holds = combination_named(combination).clause
    return passage(
        (
            f"The number of the N = {n:,} datasets on which {claim[question.claim]} was bounded from "
            "below by replicability analysis with partial conjunction hypotheses",
            cite("dror2017replicability", "benjamini2008screening"),
            f" at level α = {level}: k̂ is the largest u for which the hypothesis "
            f"“{claim[question.claim]} on fewer than u datasets” and all those for smaller u are "
            "rejected.",
        ),
        (
            f"Its p-value combines the N − u + 1 largest p-values by {combination_named(combination).test_title}",
            cite(*combination_named(combination).references),
            ".",
        ),
        "Such p-values are approximate here, as 1 − p stands in for tests that were not run, and "
        "the count carries no guarantee."
        if answer.complement
        else f"The true number is at least k̂ with {format_confidence(alpha)} confidence, {holds}.",
        _CLAIMED[analysis.settings.dependence],
        f"The description of the data says of this: “{reason}”" if reason else "",
        _contradicted(analysis),
        *_directions(analysis),
        validity_sentence(),
        "Both α and the combination have to be fixed before looking at the results: choosing them "
        "afterwards carries no guarantee.",
    )


def naming_passage(analysis: Analysis) -> Passage:
    """Which procedure names datasets, and how its list and the count belong together."""
    answer = analysis.question.answer
    if answer.p_values.size == 1:
        return ()
    combination, procedure = answer.combination, analysis.settings.procedure
    alpha = analysis.settings.alpha
    guaranteed = procedure_named(procedure).guarantee.format(level=format_errors(alpha))
    named: Sentence = (
        f"Datasets were named by {procedure_named(procedure).full_title}",
        cite(*procedure_named(procedure).references),
        f" at level α = {format_level(alpha)}.",
    )
    if answer.complement:
        return passage(
            named, "As 1 − p stands in for tests that were not run, the names carry no guarantee."
        )
    own = combination_named(combination).procedure
    under = "" if not combination_named(combination).condition else ", under the same assumption"
    hold = f"hold together with {format_confidence(alpha)} confidence{under}"
    closed = cite(*combination_named(combination).closed_references)
    together: list[Sentence]
    if own == procedure:
        cited = [] if _cited_as_closed(procedure, combination) else [closed]
        together = [("The count and the names come from one closed test", *cited, f" and {hold}.")]
    else:
        works = (
            [] if _cited_as_closed(own, combination) else [cite(*procedure_named(own).references)]
        )
        together = [
            (
                f"They were also named by {procedure_named(own).full_title}",
                *works,
                ", the closed test behind the count",
                closed,
                f": its names and the count {hold}.",
            ),
            _apart(procedure, combination, alpha),
        ]
    return passage(named, f"Guarantee: {guaranteed}.", *together)


def _apart(procedure: str, combination: str, alpha: float) -> str:
    """How a list stands to the count that is not from the count's own closed test."""
    label = procedure_named(procedure).title
    if procedure_named(procedure).within == combination:
        return f"The list by {label} never holds more names than that one."
    if not procedure_named(procedure).bounds_each_list:
        return (
            f"The list by {label} bounds the false discovery rate, which is no confidence in the "
            "names of one list: it and the count are separate statements."
        )
    both = f" and both together with {_together(alpha)}" if _together(alpha) else ""
    return (
        f"The count and the list by {label} are separate statements, each under its own "
        f"assumption with {format_confidence(alpha)} confidence{both}."
    )


def _together(alpha: float) -> str:
    """The confidence in two statements at once, '' where nothing is left of it."""
    return format_confidence(2.0 * alpha) if alpha < 0.5 else ""


def tried_passage(analysis: Analysis) -> Passage:
    """All that was tried on these data, and what choosing among it costs."""
    tried = {kind: values for kind, values in analysis.tried.items() if values}
    if not tried:
        return ()
    listed = "; ".join(
        f"{kind}: {' / '.join(whole_name(value) for value in values)}"
        for kind, values in tried.items()
    )
    return passage(
        f"All that was tried on these data: {listed.removesuffix('.')}.",
        _what_choosing_costs(tried),
    )


def _what_choosing_costs(tried: Mapping[str, Sequence[str]]) -> str:
    chosen = [[v for v in values if not v.endswith(BY_ITSELF)] for values in tried.values()]
    if any(len(values) > 1 for values in chosen):
        return (
            "More than one thing was tried, and choosing among them after looking at the results "
            "carries no guarantee."
        )
    if any(len(values) > 1 for values in tried.values()):
        return (
            "The tests that ran by themselves were not chosen; had their results led to the others, "
            "that choice would carry no guarantee."
        )
    return ""


def _cited_as_closed(procedure: str, combination: str) -> bool:
    return procedure_named(procedure).references == combination_named(combination).closed_references


def _contradicted(analysis: Analysis) -> str:
    if analysis.settings.dependence != "independent" or analysis.overlap is None:
        return ""
    return contradicted_sentence(analysis.overlap)


def _directions(analysis: Analysis) -> list[str]:
    """What looking in both directions costs."""
    assessment = analysis.assessment
    if not assessment.shows_both_sides or analysis.question.claim == "differ":
        return []
    if any(a is not None and a.complement for a in (assessment.answer_a, assessment.answer_b)):
        return [
            "Both directions were looked at; one of them is taken from 1 − p of the other's tests, "
            "so that there is no guarantee for both together."
        ]
    alpha = analysis.settings.alpha
    together = _together(alpha)
    at_alpha = (
        f", so that the statements for A and for B hold together with {together} confidence"
        if together
        else ""
    )
    return [
        f"Both directions were looked at, each at level α = {format_level(alpha)}{at_alpha}; taken "
        f"at α/2 = {format_level(0.5 * alpha)} each, they hold together with "
        f"{format_confidence(alpha)}."
    ]
