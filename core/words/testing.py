"""Sentences about the test on each dataset: which, why, what limits it, what more resamples may change.

And where p-values say less than they seem to: few examples, rare losses, contrary scores, shared examples.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from ..comparison import BETTER, comparison_named
from ..data import ResultSet
from ..data.overlap.known_by import id_column
from ..data.tables.headings import runs_told_apart
from ..effects import across
from ..metrics.registry import CORRELATIONS, MEAN
from ..replicability.combinations import combination_named
from ..replicability.identification import Identification, procedure_named
from ..replicability.sensitivity import Unsettled
from ..significance import known_tests
from ..significance.choose import FEWEST_FOR_BOOTSTRAP, RARE_LOSS_RATES, advise, choose_test
from ..significance.known_tests import of_three_correlations, significance_test_named
from ..significance.outcome import stated_smallest
from ..significance.settings import Estimator, Zeros
from ..significance.single import SignificanceResult
from ..types import BoolArray, FloatArray
from ..validation import at_most
from .formatting import (
    counted,
    display_name,
    format_confidence,
    format_level,
    format_p_value,
    format_percent,
    how_many,
    list_names,
    sentence_case,
)
from .overlap import same_scores_clauses
from .subject import Claim, Subject

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


# Below so many examples, and beyond such a correlation, rates of rejection were measured apart.
FEW = 30
NEAR_ONE = 0.95


# How often tests reject equal correlations at α = .05, one-sided, at most: where both systems err
# alike, and where they do not. As `significance.correlation` has them, from
# ``./run.sh calibrate correlations``.
_RATES = {
    ("randomization", "spearman"): (
        "up to 7%",
        "29% of studies with 25 examples and 10% with 100",
    ),
    ("randomization", "pearson"): (
        "up to 7%, or 10% with skewed scores",
        "24% of studies with 25 examples and 29% with 100",
    ),
    ("formula", "spearman"): (
        "up to 15%",
        "36% of studies with 25 examples and 25% with 100",
    ),
    ("formula", "pearson"): (
        "up to 7%, or 30% with skewed scores",
        "23% of studies with 25 examples and 27% with 100",
    ),
}

_NULLS = {
    "randomization": "Randomization of correlations tests whether the two systems' outputs can be "
    "swapped, a stronger hypothesis than equal correlations.",
    "formula": "These tests of correlations take all scores to be normal.",
}


def delicate_sentences(
    results: Sequence[SignificanceResult | None], datasets: Sequence[str]
) -> list[str]:
    """For each kind of test of correlations what it tests, and how often it rejects equal ones."""
    found: dict[tuple[str, str], list[tuple[str, SignificanceResult]]] = {}
    for name, one in zip(datasets, results, strict=False):
        test = None if one is None else significance_test_named(one.test)
        if one is None or test is None or one.kind not in CORRELATIONS:
            continue
        if of_three_correlations(test):
            found.setdefault(("formula", one.kind), []).append((name, one))
        elif test.asks == "exchange":
            found.setdefault(("randomization", one.kind), []).append((name, one))
    sentences = []
    for (family, kind), own in found.items():
        alike, unlike = _RATES[family, kind]
        text = (
            f"{_NULLS[family]} In simulations of systems with different kinds of error (such as noise on "
            f"some examples), equal correlations gave p ≤ .05 in up to {unlike}."
        )
        few = [name for name, one in own if _n_units(one) < FEW]
        near = [name for name, one in own if max(abs(one.score_a), abs(one.score_b)) > NEAR_ONE]
        where = [f"fewer than {FEW} examples ({list_names(few)})"] * bool(few)
        where += [f"a correlation near 1 ({list_names(near)})"] * bool(near)
        if where:
            rather = "" if family == "randomization" else " Randomization is nearer to 5% there."
            text += (
                f" With {' or '.join(where)}, {alike} of studies have it even if both err "
                f"alike.{rather}"
            )
        sentences.append(text)
    return sentences


def _n_units(result: SignificanceResult) -> int:
    return result.n_clusters or result.n_examples


def _names_where(
    holds: Callable[[SignificanceResult], bool],
    results: Sequence[SignificanceResult | None],
    datasets: Sequence[str],
) -> list[str]:
    """The datasets whose test was run and is such a one."""
    pairs = zip(datasets, results, strict=False)
    return [name for name, result in pairs if result is not None and holds(result)]


def other_correlation_sentence(
    by: str,
    counts: Sequence[tuple[Claim, int]],
    subject: Subject,
    *,
    n_datasets: int,
    combination: str,
    ranges: Sequence[tuple[int, int]] = (),
) -> str:
    """State what the count would be by another correlation, as a person calls it.

    `ranges` are for each claim the smallest and the largest count that more resamples may give.
    """
    still_open = f" {unsettled_count_sentence(ranges)}".rstrip()
    one, claims = n_datasets == 1, [subject.claim(claim) for claim, _ in counts]
    shown = [
        f"{said} on {'the dataset' if one else how_many(count, n_datasets)}"
        for said, (_, count) in zip(claims, counts, strict=True)
        if count
    ]
    if shown:
        assumed = "" if one else f", {combination_named(combination).clause}"
        return f"By {by}: {'; '.join(shown)}{assumed}.{still_open}"
    where = "" if one else " on any dataset"
    return f"By {by}, the data do not show{where} that {', nor that '.join(claims)}.{still_open}"


def other_side_sentence(
    results: Sequence[SignificanceResult | None],
    small: Sequence[bool] | np.ndarray,
    subject: Subject,
    *,
    claim: Claim,
    alpha: float,
) -> str:
    """State where p is small for a system whose score is not the better one; else empty.

    `small` is where p <= alpha for the claim: every dataset that can be counted or named.
    """
    behind, sign = speaks_against(results, claim=claim) & np.asarray(small), _SIGNS[claim]
    against = [one for one, holds in zip(results, behind, strict=True) if holds and one is not None]
    if not against or (subject.claimed.of_a_alone and claim != "a-better"):
        return ""
    whose, other = subject.sides(claim)
    score = "mean score" if all(one.kind == MEAN for one in against) else "score"
    worse = "worse" if all(sign * one.difference < 0.0 for one in against) else "not better"
    found, speaks = f"its {score} is {worse} than that of {other}", f"speaks for {other}"
    asked = f"which system {subject.is_better}, not whose mean is better"
    if subject.margin:
        of_means = replace(subject, by_tendency=False)
        found, speaks = f"its {score} contradicts that {of_means.claim(claim)}", "contradicts it"
        asked = "about the centre of ranked differences (pseudo-median), not about the mean"
    n, of = len(against), int(np.count_nonzero(small))
    which = f"{n:,} of the {of:,} datasets" if n < of else f"all {of:,} datasets"
    which = "the only dataset" if of == 1 else which
    sentence = (
        f"On {which} with p ≤ {format_level(alpha)} for {whose}, {found}: {subject.names(behind)}."
    )
    if beyond := sum(_interval_is_behind(one, sign) for one in against):
        level = format_confidence(1.0 - against[0].confidence_level)
        where = "there" if beyond == n else f"on {beyond} of them"
        sentence += f" The whole {level} interval of the difference {speaks} {where}."
    tests = [significance_test_named(name) for name in {one.test for one in against}]
    if all(test.of_tendency for test in tests):
        called = list_names(sorted(test.called for test in tests))
        asks = f"{sentence_case(called)} {'asks' if len(tests) == 1 else 'ask'}"
        sentence += f" {asks} {asked}: choose the recommended test for a claim about the mean."
    return sentence


_SIGNS: Mapping[Claim, float] = {"a-better": 1.0, "b-better": -1.0}


def speaks_against(results: Sequence[SignificanceResult | None], *, claim: Claim) -> BoolArray:
    """Where the difference, or its whole interval, lies where the claim of the system is false."""
    sign = _SIGNS[claim]
    return np.array(
        [
            one is not None
            and (
                comparison_named(one.claim).inside(sign * one.difference, one.margin) <= 0.0
                or _interval_is_behind(one, sign)
            )
            for one in results
        ],
        dtype=bool,
    )


def _interval_is_behind(result: SignificanceResult, sign: float) -> bool:
    """Whether the claim is false of the whole interval of the difference; of B with the sign −1."""
    interval = result.confidence_interval
    if interval is None:
        return False
    low, high = sorted(sign * end for end in interval)
    return comparison_named(result.claim).is_false_of((low, high), result.margin)


def reach_sentence(results: Sequence[SignificanceResult | None], datasets: Sequence[str]) -> str:
    """State which p-values are an exact 0 of the bootstrap, which is no evidence of that strength."""
    names = _names_where(lambda result: any(result.out_of_reach), results, datasets)
    if not names:
        return ""
    return (
        f"On {list_names(names)} no bootstrap sample can reach twice the observed difference: a p-value of "
        "about 0 there is out of the bootstrap's reach and counts as p = 1. Use exact McNemar or "
        "randomization."
    )


def resamples_sentence(n_resamples: int, n_datasets: int, *, alpha: float) -> str:
    """Warn before a run where no resampled p-value can pass Holm's first step; else empty."""
    smallest = 1.0 / (n_resamples + 1.0)
    if smallest <= alpha / n_datasets:
        return ""
    return (
        f"With {n_resamples:,} resamples the smallest p-value of a test that is not exact is "
        f"{smallest:.2g}, too large for Holm's first step, α/N = {alpha / n_datasets:.2g}: take at least "
        f"{int(n_datasets / alpha):,}."
    )


def interval_over_zero_sentence(
    results: Sequence[SignificanceResult | None], datasets: Sequence[str], *, alpha: float
) -> str:
    """Explain datasets with a small p-value whose interval contains 0; empty where there are none."""

    def explained(result: SignificanceResult) -> bool:
        p_values = np.array([result.p_value_greater, result.p_value_less])
        return (
            result.confidence_interval is not None
            and not result.margin
            and bool(at_most(p_values, alpha).any())
            and result.confidence_interval[0] <= 0.0 <= result.confidence_interval[1]
        )

    names = _names_where(explained, results, datasets)
    if not names:
        return ""
    return (
        f"p ≤ {format_level(alpha)} although the interval contains 0 on {list_names(names)}: p is from "
        "the one-sided test, the interval is the bootstrap's and two-sided 95%."
    )


def small_bootstrap_sentence(
    results: Sequence[SignificanceResult | None], datasets: Sequence[str]
) -> str:
    """State where a bootstrap rests on few examples; empty where none does."""

    def is_small(one: SignificanceResult) -> bool:
        return significance_test_named(one.test).bootstraps and _n_units(one) < FEWEST_FOR_BOOTSTRAP

    names, n = _names_where(is_small, results, datasets), len(datasets)
    if not names:
        return ""
    where = f"all {n} datasets" if len(names) == n > 1 else list_names(names)
    said = (
        f"On {where} the bootstrap has fewer than {FEWEST_FOR_BOOTSTRAP} examples, and its "
        "p-values are often too small (Søgaard et al. 2014)."
    )
    # At a margin there is randomization of means alone.
    at_margin = any(one is not None and one.margin for one in results)
    return said if at_margin else f"{said} Approximate randomization avoids this."


def rare_losses_sentence(
    results: Sequence[SignificanceResult | None],
    small: Sequence[bool] | np.ndarray,
    subject: Subject,
    *,
    claim: Claim,
) -> str:
    """State where p-values for a system may be too small, as few examples may hide rare losses."""
    side, (whose, _) = int(claim == "b-better"), subject.sides(claim)
    few = [
        bool(holds) and one is not None and one.too_few_for_skewness[side]
        for one, holds in zip(results, small, strict=True)
    ]
    if not any(few):
        return ""
    rates = [
        f"{format_percent(RARE_LOSS_RATES[n])} of studies with {n} examples" for n in (12, 30, 100)
    ]
    return (
        f"On {subject.names(few)} p may be too small for {whose}: the few examples may miss rare large "
        f"losses of {whose}. With equal means and such losses on one example in ten, tests of the mean "
        f"reject at level .05 in about {list_names(rates)}."
    )


def out_of_reach_sentence(
    results: Sequence[SignificanceResult | None], datasets: Sequence[str], *, alpha: float
) -> str:
    """State where no result whatever could have p <= alpha, as too few examples differ; else empty."""
    smallest = np.array([0.0 if one is None else stated_smallest(one.notes) for one in results])
    beyond = ~at_most(smallest, alpha)
    if not beyond.any():
        return ""
    names = [datasets[i] for i in np.flatnonzero(beyond).tolist()]
    run = [one for one in results if one is not None]
    units = "clusters" if any(one.n_clusters for one in run) else "examples"
    # At a margin equal scores are evidence too.
    which = units if any(one.margin for one in run) else f"{units} that differ"
    return (
        f"On {list_names(names)} no result could be significant: with so few {which}, p is at least "
        f"{format_p_value(float(smallest[beyond].min()))}, above α = {format_level(alpha)}."
    )


def few_resamples_sentence(results: Sequence[SignificanceResult | None], *, alpha: float) -> str:
    """State where resamples are too few for any p-value to pass Holm's first step; else empty."""
    drawn = [r.n_resamples for r in results if r is not None and r.n_resamples is not None]
    return resamples_sentence(min(drawn), len(results), alpha=alpha) if drawn else ""


def runs_sentence(data: ResultSet) -> str:
    """State what p is about where each row is a run or a fold and no example; else empty."""
    column = id_column(data)
    kind = None if column is None else runs_told_apart(column)
    if column is None or kind is None:
        return ""
    rows = f"Your rows are {kind}s (column “{display_name(column)}”), not test examples"
    if kind == "run":
        return (
            f"{rows}: p is about further runs on the same test sets, and says nothing of other test "
            "examples."
        )
    return (
        f"{rows}. Folds of a cross-validation share training data, so p can be far too small "
        "(Dietterich 1998). Give the results on every test example instead, all folds in one file."
    )


def same_system_sentence(
    data: ResultSet, *, systems: tuple[str, str], datasets: Sequence[str], metric: str
) -> str:
    """State that A and B have the same predictions on every example, or the same scores; else empty."""
    first, second = systems
    given: Iterator[Iterable[npt.NDArray[Any]]]
    if data.labels is not None:
        # Other predictions may be right on the same examples.
        what, pair = "predictions", [data.systems.index(system) for system in systems]
        given = (data.labels.predictions[data.datasets.index(name)][:, pair].T for name in datasets)
    else:
        what = "score" if data.kind_of(metric) in (MEAN, *CORRELATIONS) else "counts"
        given = ([data.scores(name, system, metric) for system in systems] for name in datasets)
    if not all(np.array_equal(of_first, of_second) for of_first, of_second in given):
        return ""
    n = sum(data.n_examples(dataset) for dataset in datasets)
    return (
        f"{display_name(first)} and {display_name(second)} have the same {what} on all {n:,} examples. "
        "Was one system's output saved under both names?"
    )


def counted_twice_sentence(
    data: ResultSet, same: Sequence[Sequence[int]], excluded: Collection[str] = ()
) -> str:
    """State that datasets with the same scores count more than once; empty where none do.

    `same` has the positions of those with the same scores, in groups; `excluded` ones do not count.
    """
    counting = [[i for i in group if data.datasets[i] not in excluded] for group in same]
    groups = [group for group in counting if len(group) > 1]
    if not groups:
        return ""
    sizes = [data.n_examples(one) for one in data.datasets]
    clauses = same_scores_clauses(groups, data.datasets, sizes)
    return f"{clauses}: these are duplicates and count more than once here. Keep one of each."


def copies_left_out(
    data: ResultSet, same: Sequence[Sequence[int]], excluded: Collection[str]
) -> dict[str, str]:
    """Of datasets that are left out those with the same scores as one that stays, and which it is."""
    found = {}
    for group in same:
        named = [data.datasets[index] for index in group]
        stays = next((name for name in named if name not in excluded), None)
        if stays is not None:
            found.update({name: stays for name in named if name in excluded})
    return found
