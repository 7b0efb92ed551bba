"""What a methods section says of counting datasets, of identifying them, and of what was tried."""

from __future__ import annotations

from collections.abc import Sequence

from ..analysis import Analysis
from ..analysis.statements import flipped
from ..analysis.testing import BY_ITSELF
from ..comparison import BETTER, COLUMN, comparison_named, comparison_names
from ..data import ResultSet
from ..replicability.combinations import Combination, CountingMethod, counting_method_named
from ..replicability.identification import procedure_named
from ..words.formatting import format_confidence, format_errors, format_level, whole_name
from ..words.overlap import contradicted_sentence
from .passages import Passage, Piece, cite, passage

Sentence = Piece | Sequence[Piece]
# Of what a statement that rests on 1 - p is worth.
_NO_GUARANTEE = "One direction rests on 1 − p of the other system's tests: it is approximate and has no guarantee."


def counting_passage(analysis: Analysis) -> Passage:
    """How datasets were counted and identified, under which assumption, in which directions."""
    question = analysis.question
    answer = question.answer
    alpha, n = analysis.settings.alpha, answer.p_values.size
    level = format_level(alpha)
    if n == 1:
        return passage(
            f"With one dataset, its p-value was compared with α = {level}.", *_directions(analysis)
        )
    better = analysis.subject.is_better
    claim = {"a-better": f"A {better}", "b-better": f"B {better}", "differ": "the systems differ"}
    combination = counting_method_named(answer.combination)
    reason = whole_name(analysis.origin.dependence_reason)
    return passage(
        (
            f"We bounded from below the number of the N = {n:,} datasets on which {claim[question.claim]}, by "
            "replicability analysis with partial conjunction hypotheses",
            cite("dror2017replicability", "benjamini2008screening"),
            f" at α = {level}, {_how(combination)}",
            cite(*combination.references),
            ".",
        ),
        _NO_GUARANTEE
        if answer.complement
        else f"The bound holds with {format_confidence(alpha)} confidence, {combination.holds}.",
        f"On dependence, the source of the data states: “{reason}”" if reason else "",
        _contradicted(analysis),
        *_directions(analysis),
        *_identified(analysis),
        flipped(analysis, question),
        _fixed_or_tried(analysis),
    )


def _identified(analysis: Analysis) -> list[Sentence]:
    """Which procedure identified datasets, and how its list and the count belong together."""
    answer = analysis.question.answer
    combination = counting_method_named(answer.combination)
    procedure = procedure_named(analysis.procedure)
    alpha = analysis.settings.alpha
    guarantee = procedure.guarantee.format(level=format_errors(alpha))
    by: Sentence = (
        f"Datasets were identified by {procedure.full_title}",
        cite(*procedure.references),
        "." if answer.complement else f" at α = {format_level(alpha)} ({guarantee}).",
    )
    if answer.complement:
        return [by]
    confidence = format_confidence(alpha)
    closed = cite(*combination.closed_references)
    if combination.procedure == procedure.name:
        cited = [] if procedure.references == combination.closed_references else [closed]
        return [
            by,
            (
                "The count and these datasets come from one closed test",
                *cited,
                f" and hold together with {confidence} confidence.",
            ),
        ]
    own = procedure_named(combination.procedure)
    works = dict.fromkeys((*own.references, *combination.closed_references))
    also: Sentence = (
        f"They were also identified by {own.full_title}",
        cite(*works),
        f", on which the count is based; this list and the count hold together with {confidence} "
        f"confidence, {combination.holds}.",
    )
    if procedure.within == combination.name:
        return [by, also, f"It identifies every dataset that {procedure.title} does."]
    if not procedure.bounds_each_list:
        apart = "The first list bounds the false discovery rate, which gives no confidence in a single list."
        return [by, also, apart]
    both = f"; both hold together with {_together(alpha)}" if _together(alpha) else ""
    return [by, also, f"Each list holds separately with {confidence} confidence{both}."]


def _how(method: CountingMethod) -> str:
    """What was done with the data: p-values are combined, examples flipped."""
    by = "combining p-values" if isinstance(method, Combination) else "testing sets of datasets"
    return f"{by} by {method.test_title}"


def _together(alpha: float) -> str:
    """The confidence in two statements at once; empty where nothing is left of it."""
    return format_confidence(2.0 * alpha) if alpha < 0.5 else ""


def _fixed_or_tried(analysis: Analysis) -> str:
    """That the choices were fixed, or, where more than one was tried, which ones."""
    runs = analysis.tried.get("tests", ())
    tried = {
        kind: [whole_name(v).rstrip(".") for v in values]
        for kind, values in {**analysis.tried, "tests": _chosen(analysis, runs)}.items()
    }
    several = {kind: values for kind, values in tried.items() if len(values) > 1}
    asked = dict.fromkeys(map(_asked, runs))
    changed = ""
    if len(asked) > 1:
        changed = (
            f"The claim or its margin was changed after results had been seen ({', then '.join(asked)}); "
            "the guarantees assume that it was not chosen by them. "
        )
    if not several:
        tests = "" if analysis.printed or changed else ", the tests"
        return (
            f"{changed}The level{tests} and the assumption on dependence were fixed before the "
            "analysis."
        )
    listed = "; ".join(f"{kind}: {', '.join(values)}" for kind, values in several.items())
    return (
        f"{changed}Several choices were tried ({listed}); the guarantees assume that the one reported "
        "was not chosen by its results."
    )


def _chosen(analysis: Analysis, runs: Sequence[str]) -> Sequence[str]:
    """The runs of tests that somebody chose.

    Of several systems nobody chose the pair that ran by itself. Once another run changed the
    metric, the test or its settings, what ran by itself is a choice whose results were seen.
    """
    data = analysis.data
    metrics = (*data.metrics, *data.label_metrics) if isinstance(data, ResultSet) else ()
    if len({_without_pair(run, metrics) for run in runs}) > 1:
        return runs
    return [run for run in runs if not run.endswith(BY_ITSELF)]


def _without_pair(run: str, metrics: Sequence[str]) -> tuple[str, str]:
    """Metric, and tests with their settings, of a run in the list of what was tried."""
    measured, _, tests = run.removesuffix(BY_ITSELF).rpartition(": ")
    # Names of systems and of metrics may have commas.
    ends = [metric for metric in metrics if measured.endswith(f", {metric}")]
    return max(ends, key=len, default=""), tests


def _asked(tests: str) -> str:
    """What a run of tests in the list of what was tried claims, and at which margin."""
    parts = tests.removesuffix(BY_ITSELF).rpartition(": ")[2].split(", ")
    claim = next((part for part in parts if part in comparison_names()), BETTER)
    margin = next((part for part in parts if part.startswith("margin ")), "")
    own = "each dataset's own margin" if margin == f"margin {COLUMN}" else margin
    return f"“{comparison_named(claim).title}”{f', {own}' if own else ''}"


def _contradicted(analysis: Analysis) -> str:
    if analysis.settings.dependence != "independent" or analysis.overlap is None:
        return ""
    return contradicted_sentence(analysis.overlap)


def _directions(analysis: Analysis) -> list[str]:
    """What testing in both directions costs."""
    assessment = analysis.assessment
    if not assessment.shows_both_sides or analysis.question.claim == "differ":
        return []
    answers = (assessment.answer_a, assessment.answer_b)
    if any(answer is not None and answer.complement for answer in answers):
        return [_NO_GUARANTEE]
    alpha = analysis.settings.alpha
    together = _together(alpha)
    both = f"; statements for A and B hold together with {together} confidence" if together else ""
    return [f"Both directions were tested, each at α = {format_level(alpha)}{both}."]
