"""What a methods paragraph says of counting and naming datasets, and of what was tried."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.analysis import Analysis
from core.analysis.record import BY_ITSELF
from core.export.methods.passages import Passage, Piece, cite, passage
from core.replicability.identification import PROCEDURE_OF_COMBINATION
from core.report.combinations import ASSUMPTION_CLAUSES
from core.report.contradictions import contradicted_sentence
from core.report.formatting import format_confidence, format_errors, format_level, whole_name
from core.report.guarantees import PROCEDURE_GUARANTEES, PROCEDURE_NAMES
from core.report.sentences import validity_sentence
from core.types import Combination, Procedure

_WORK_OF_COMBINATION: Mapping[Combination, str] = {
    "bonferroni": "dunn1961multiple",
    "simes": "simes1986improved",
    "fisher": "fisher1932statistical",
}
_WORKS_OF_PROCEDURE: Mapping[Procedure, tuple[str, ...]] = {
    "holm": ("holm1979simple",),
    "bonferroni": ("dunn1961multiple",),
    "hochberg": ("hochberg1988sharper",),
    "hommel": ("hommel1988stagewise",),
    "fisher-closed": ("marcus1976closed", "goeman2011multiple"),
    "benjamini-hochberg": ("benjamini1995controlling",),
    "benjamini-yekutieli": ("benjamini2001control",),
}
_WORKS_OF_CLOSED_TEST: Mapping[Combination, tuple[str, ...]] = {
    "bonferroni": ("marcus1976closed", "goeman2011multiple"),
    "simes": ("marcus1976closed", "goeman2019simultaneous"),
    "fisher": ("marcus1976closed", "goeman2011multiple"),
}
# What a procedure guarantees whose own words refer to another's.
_AS_ANOTHER: Mapping[Procedure, Procedure] = {"bonferroni": "holm", "hommel": "hochberg"}
# Never names more than the closed test behind this count.
_WITHIN_CLOSED_TEST: Mapping[Procedure, Combination] = {
    "holm": "bonferroni",
    "bonferroni": "bonferroni",
    "hochberg": "simes",
    "hommel": "simes",
    "fisher-closed": "fisher",
}
_FALSE_DISCOVERY_RATE: tuple[Procedure, ...] = ("benjamini-hochberg", "benjamini-yekutieli")
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
    holds = ASSUMPTION_CLAUSES[combination]
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
            f"Its p-value combines the N − u + 1 largest p-values by {_by(combination)}",
            cite(_WORK_OF_COMBINATION[combination]),
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
    guarantee = PROCEDURE_GUARANTEES[_AS_ANOTHER.get(procedure, procedure)]
    guaranteed = guarantee.format(level=format_errors(alpha))
    named: Sentence = (
        f"Datasets were named by {_procedure(procedure)}",
        cite(*_WORKS_OF_PROCEDURE[procedure]),
        f" at level α = {format_level(alpha)}.",
    )
    if answer.complement:
        return passage(
            named, "As 1 − p stands in for tests that were not run, the names carry no guarantee."
        )
    own = PROCEDURE_OF_COMBINATION[combination]
    under = "" if combination == "bonferroni" else ", under the same assumption"
    hold = f"hold together with {format_confidence(alpha)} confidence{under}"
    closed = cite(*_WORKS_OF_CLOSED_TEST[combination])
    together: list[Sentence]
    if own == procedure:
        cited = [] if procedure == "fisher-closed" else [closed]
        together = [("The count and the names come from one closed test", *cited, f" and {hold}.")]
    else:
        works = [] if own == "fisher-closed" else [cite(*_WORKS_OF_PROCEDURE[own])]
        together = [
            (
                f"They were also named by {_procedure(own)}",
                *works,
                ", the closed test behind the count",
                closed,
                f": its names and the count {hold}.",
            ),
            _apart(procedure, combination, alpha),
        ]
    return passage(named, f"Guarantee: {guaranteed}.", *together)


def _apart(procedure: Procedure, combination: Combination, alpha: float) -> str:
    """How a list stands to the count that is not from the count's own closed test."""
    label = PROCEDURE_NAMES[procedure]
    if _WITHIN_CLOSED_TEST.get(procedure) == combination:
        return f"The list by {label} never holds more names than that one."
    if procedure in _FALSE_DISCOVERY_RATE:
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


def _by(combination: Combination) -> str:
    return {
        "bonferroni": "Bonferroni's rule",
        "simes": "Simes' test",
        "fisher": "Fisher's combination test",
    }[combination]


def _procedure(procedure: Procedure) -> str:
    if procedure == "fisher-closed":
        return "the closed test of Fisher's combination test"
    label = PROCEDURE_NAMES[procedure]
    return f"the procedure of {label.replace('–', ' and ')}"


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
