"""Sentences about the test on each dataset: which, why, what limits it, and what more resamples may change."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np

from ..comparison import BETTER
from ..data import ResultSet
from ..effects import across
from ..metrics.registry import CORRELATIONS, MEAN
from ..replicability.identification import Identification, procedure_named
from ..replicability.sensitivity import Unsettled
from ..significance import known_tests
from ..significance.choose import advise, choose_test
from ..significance.known_tests import significance_test_named
from ..significance.result import SignificanceResult
from ..significance.settings import Estimator, Zeros
from ..types import FloatArray
from .formatting import (
    counted,
    display_name,
    format_level,
    list_names,
    sentence_case,
)

# What "auto" is called where a test is chosen.
RECOMMENDED = "recommended for the kind of scores"
INTERVAL_LABELS: Mapping[str, str] = {
    "basic": "basic bootstrap",
    "percentile": "percentile bootstrap",
    "bca": "BCa bootstrap",
}
INTERVAL_NAMES: Mapping[str, str] = {
    kind: f"{label}: may disagree with the p-value" for kind, label in INTERVAL_LABELS.items()
} | {"basic": "basic bootstrap, which goes with the bootstrap's p-value"}
ESTIMATOR_RULES: Mapping[Estimator, str] = {
    "add-one": "(s + 1) / (b + 1), never 0",
    "berg-kirkpatrick": "s / b as published, for reproducing printed numbers",
}
ZERO_RULES: Mapping[Zeros, str] = {
    "wilcox": "dropped",
    "pratt": "ranked, then dropped (Pratt)",
    "zsplit": "ranked, their ranks split between both systems",
}


def title_of_test(name: str, claim: str = BETTER) -> str:
    """What a test, or "auto", is called in menus and tables, where this is claimed."""
    return RECOMMENDED if name == "auto" else significance_test_named(name).of_claim(claim).title


def described(name: str) -> str:
    """A test's title and what it computes, as whole sentences."""
    test = significance_test_named(name)
    return f"{sentence_case(test.title)}. {test.rule}"


def made_by(result: SignificanceResult) -> str:
    """How a p-value is made, after "is" or "are": "exact", or what it approximates.

    An exact bootstrap has no Monte Carlo error and is an approximation all the same.
    """
    if result.method == "monte-carlo":
        return f"from {counted(result.n_resamples or 0, 'resample')}"
    if result.method == "normal":
        return "from a normal approximation"
    test = significance_test_named(result.test)
    if result.method == "student":
        return f"from Student's t distribution, which is {test.worth}"
    if test.asks == "exchange" and result.kind in CORRELATIONS:
        return "from every exchange of standings, which is approximate"
    return test.worth


def reason_sentence(
    results: ResultSet,
    *,
    a: str,
    b: str,
    metric: str | None = None,
    whole_clusters: bool = True,
    chosen: str = "auto",
    margins: Mapping[str, float] = MappingProxyType({}),
) -> str:
    """State which test is recommended on these data, and why; where it differs, on which."""
    kind, zero_one = results.kind_of(metric), results.has_outcomes(metric)
    reasons: dict[str, list[str]] = {}
    recommended: dict[str, None] = {}
    for dataset in results.datasets:
        # Of other kinds the scores are not looked at, and may take long to make.
        first, second = (
            results.oriented(dataset, system, metric) if kind == MEAN else np.empty(0)
            for system in (a, b)
        )
        test, reason = choose_test(
            first,
            second,
            kind=kind,
            clustered=whole_clusters and results.clusters_of(dataset) is not None,
            zero_one=zero_one,
            margin=margins.get(dataset, 0.0),
        )
        reasons.setdefault(reason, []).append(dataset)
        recommended[title_of_test(test)] = None
    said = f"Recommended: {next(iter(reasons))}"
    if len(reasons) > 1:
        each = (f"On {list_names(names)}: {reason}" for reason, names in reasons.items())
        said = f"Recommended by dataset. {' '.join(each)}"
    if chosen != "auto":
        names = list_names(list(recommended))
        said = f"Chosen by hand: {title_of_test(chosen)}. Recommended: {names}."
    return f"{said} The rule is fixed and never looks at which system is ahead."


def taken_apart_sentence(column: str) -> str:
    """State what it costs to test examples singly that belong together."""
    return (
        f"The tests take apart the examples that column “{display_name(column)}” groups. Where "
        "those of one group are alike, p-values are then too small."
    )


def unsettled_sentences(
    found: Unsettled, names: Identification, datasets: Sequence[str]
) -> tuple[str, ...]:
    """State which marks, and whether the count, depend on Monte Carlo error; empty if nothing does."""
    level, said = format_level(names.alpha), []
    near, marked = (
        [datasets[i] for i in np.flatnonzero(which).tolist()]
        for which in (found.at_alpha, found.marks)
    )
    if near:
        said.append(
            f"Whether p ≤ {level} is not settled on {list_names(near)}: the Monte Carlo interval of p "
            f"contains {level}."
        )
    if len(datasets) == 1:
        return tuple(said)
    if marked:
        by = procedure_named(names.procedure).correction
        are = "is" if len(marked) == 1 else "are"
        said.append(f"Whether {list_names(marked)} {are} significant {by} is not settled.")
    return tuple(filter(None, (*said, unsettled_count_sentence([found.k_hat_range]))))


def unsettled_count_sentence(ranges: Sequence[tuple[int, int]]) -> str:
    """State between which counts more resamples may decide, of each claim; empty if nothing is open."""
    still_open = [f"{low} to {high}" for low, high in ranges if low < high]
    if not still_open:
        return ""
    return f"The count is not settled: more resamples may give {' and '.join(still_open)}."


# Of more datasets with a remark of their own these are stated one by one.
MOST_SHOWN = 6


def advice_lines(
    results: ResultSet,
    *,
    a: str,
    b: str,
    metric: str,
    whole_clusters: bool = True,
    margins: Mapping[str, float] = MappingProxyType({}),
) -> list[str]:
    """Remarks on each dataset, those that several share stated once; empty where there are none."""
    found: dict[str, list[str]] = {}
    for dataset in results.datasets:
        advice = advise(
            _given(results, dataset, a, metric),
            _given(results, dataset, b, metric),
            gold=results.gold(dataset),
            kind=results.kind_of(metric),
            clusters=results.clusters_of(dataset) if whole_clusters else None,
            zero_one=results.has_outcomes(metric),
            margin=margins.get(dataset, 0.0),
        )
        for remark in advice.remarks:
            found.setdefault(remark, []).append(dataset)
    lines = [f"{list_names(names)}: {remark}" for remark, names in found.items()]
    more = len(lines) - MOST_SHOWN
    if more > 0:
        lines[MOST_SHOWN:] = [f"{more} more datasets have remarks of this kind."]
    if results.clusters is not None and not whole_clusters:
        lines.insert(0, taken_apart_sentence(results.clusters.column))
    return lines


def recommendation_lines() -> list[str]:
    """The fixed rule as the app applies it: for each kind of scores, the test it takes."""
    binary, graded = np.array([0.0, 1.0]), np.array([0.25, 0.75])
    cases = {
        "Every score is 0 or 1, on all datasets": choose_test(binary, binary),
        "Other scores of each example, where randomization is exact": choose_test(
            graded, graded, exact=True
        ),
        "Other scores of each example, where it is not": choose_test(graded, graded, exact=False),
        "Metrics of summed counts, such as F1 and BLEU": choose_test(graded, graded, kind="f1"),
        "Correlations with gold scores": choose_test(graded, graded, kind="spearman"),
        "Examples in clusters": choose_test(graded, graded, clustered=True),
    }
    return [f"{kind}: {title_of_test(test)}." for kind, (test, _) in cases.items()]


def null_hypothesis_lines() -> list[tuple[str, str]]:
    """Each test with its null hypothesis and its rule; then those over datasets."""
    of_examples = [
        (
            sentence_case(test.title),
            f"Null hypothesis: {test.null_hypothesis}. {test.rule}",
        )
        for test in known_tests.SIGNIFICANCE_TESTS
    ]
    over_datasets = [
        (
            f"{sentence_case(title_of_test(test.test))}, over datasets",
            f"Null hypothesis: over the population of datasets, {test.null_hypothesis}.",
        )
        for test in across.ACROSS_TESTS
    ]
    return [*of_examples, *dict.fromkeys(over_datasets)]


def _given(results: ResultSet, dataset: str, system: str, metric: str) -> FloatArray:
    """Scores or statistics; of metrics made of labels the labels, as what differs is asked."""
    if metric not in results.label_metrics or results.labels is None:
        return results.oriented(dataset, system, metric)
    codes = results.labels.predictions[results.datasets.index(dataset)]
    column = codes[:, results.systems.index(system)]
    return np.asarray(column, dtype=np.float64)[:, np.newaxis]
