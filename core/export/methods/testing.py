"""What a methods paragraph says of the tests on each dataset."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

import numpy as np

from core.analysis import Analysis
from core.analysis.settling import unsettled_of
from core.comparison import comparison_named
from core.data import ResultSet
from core.export.methods.passages import Passage, cite, names_in_full, passage
from core.export.methods.settings import (
    Named,
    Sentence,
    clusters_sentences,
    few_examples_sentence,
    grouped,
    intervals_sentence,
    sentence_case,
    settings_sentences,
)
from core.metrics.registry import CORRELATIONS, MEAN
from core.report.formatting import counted
from core.report.testing import made_by, reach_sentence
from core.significance import SignificanceResult
from core.significance.counting import McNemarExact
from core.significance.known_tests import significance_test_named
from core.significance.result import MISSING_CHANCE

# What randomization exchanges of correlations with gold.
_RANDOMIZED_CORRELATIONS: Mapping[str, str] = {
    "spearman": "ranks, both systems being ranked anew after each exchange",
    "pearson": "standardised scores",
}


def testing_passage(analysis: Analysis) -> Passage:
    """Which tests were run on which datasets, and how; empty of a published table."""
    if not isinstance(analysis.data, ResultSet):
        return ()
    table = analysis.table
    results = table.results or ()
    done = [
        (name, result)
        for name, result in zip(table.datasets, results, strict=True)
        if result is not None
    ]
    return passage(
        _incomplete(analysis, len(done)),
        *_tests(done, analysis.subject.margin),
        _choice(analysis),
        *_p_values(analysis, done),
        *settings_sentences(done),
        *clusters_sentences(analysis, done),
        intervals_sentence(done),
        few_examples_sentence(done),
        reach_sentence(results, table.datasets),
        _open(analysis),
    )


def _incomplete(analysis: Analysis, n_done: int) -> str:
    n = analysis.table.n_datasets
    if n_done == n:
        return ""
    return (
        f"Testing was not complete: {n_done:,} of {counted(n, 'dataset')} were tested, and the "
        "others enter every count with p = 1."
    )


def _tests(done: Sequence[Named], margin: str) -> list[Sentence]:
    sentences: list[Sentence] = []
    for where, group in grouped(done, _tested):
        result = group[0][1]
        test = significance_test_named(result.test)
        name, works, null = test.full_title, test.references, test.null_hypothesis
        exchanged = _RANDOMIZED_CORRELATIONS.get(result.kind, "")
        if exchanged and test.asks == "exchange":
            name, works = f"{name} of {exchanged}", (*works, "deutsch2021statistical")
        asked = "tends to score better" if test.of_tendency else "is better"
        comparison = comparison_named(result.claim)
        if comparison.takes_margin:
            asked = f"is {comparison.described(margin)}"
            null = comparison.null_hypothesis.format(margin=margin)
            if isinstance(test.kernel, McNemarExact):
                name = f"{name}, melded with what is known of how often the systems differ"
                works = (*works, "fay2021confidence")
            if comparison.both_sides:
                null = f"{null}, and the p-value the larger of the two one-sided ones"
        if result.n_clusters is not None:
            null = null.replace("on each example", "on each cluster")
        on = where or ("on the dataset " if len(done) == 1 else "on each dataset ")
        sentences.append(
            (
                f"{sentence_case(on)}we tested one-sided whether A {asked}, with {name}",
                cite(*works),
                f"; the null hypothesis is that {null}.",
            )
        )
    if done and not comparison_named(done[0][1].claim).both_sides:
        sentences.append("The other direction, for B, was tested in the same way.")
    return sentences


def _tested(result: SignificanceResult) -> Hashable:
    kind = result.kind if result.kind in CORRELATIONS else ""
    return result.test, kind, result.n_clusters is not None


def _choice(analysis: Analysis) -> Sentence:
    if analysis.settings.test != "auto":
        return "The test was chosen by hand."
    results = [result for result in analysis.table.results or () if result is not None]
    means = any(
        result.kind == MEAN
        and significance_test_named(result.test).of_mean
        and result.n_clusters is None
        for result in results
    )
    of_means = (
        " Scores other than 0 and 1 are tested by randomization of the mean difference where that "
        "is exact, and by the paired t-test elsewhere."
        if means
        else ""
    )
    return (
        "The test was chosen by a fixed rule that looks at the kind of the scores and never at "
        "which system is ahead",
        cite("dror2017replicability"),
        f".{of_means}",
    )


def _p_values(analysis: Analysis, done: Sequence[Named]) -> list[Sentence]:
    """Exact, or from how many resamples, or by which approximation."""
    sentences: list[Sentence] = []
    for where, group in grouped(done, _computed):
        result = group[0][1]
        drawn = result.method == "monte-carlo" and result.seed is not None
        seed = f" with the seed {result.seed}" if drawn else ""
        sentences.append(sentence_case(f"{where}the p-values are {made_by(result)}{seed}."))
    if any(result.method == "monte-carlo" and result.seed is not None for _, result in done):
        sentences.append(
            "Each dataset has a random stream of its own, made from the seed, its name and its "
            "test."
        )
    sentences.extend(_extended(analysis, done))
    if any(result.method == "monte-carlo" for _, result in done):
        chance = f"{MISSING_CHANCE:g}".removeprefix("0")
        sentences.append(
            (
                "What a p-value from resamples would come to with more of them was bounded by a "
                f"confidence sequence, which holds at every number of resamples but for a chance of {chance}",
                cite("robbins1970statistical"),
                ".",
            )
        )
    return sentences


def _extended(analysis: Analysis, done: Sequence[Named]) -> list[str]:
    extended = {name for name, _ in analysis.settings.extended}
    names = [name for name, r in done if name in extended and r.method == "monte-carlo"]
    if not names:
        return []
    return [
        f"On {names_in_full(names)} the number of resamples was raised by hand; a p-value depends "
        "on the total number alone."
    ]


def _open(analysis: Analysis) -> str:
    """What more resamples may still change."""
    found = unsettled_of(analysis, analysis.question)
    if found is None or found.settled:
        return ""
    datasets = analysis.table.datasets
    names = [datasets[i] for i in np.flatnonzero(found.at_alpha | found.marks).tolist()]
    fewest, most = found.k_hat_range
    open_ones = []
    if names:
        marks = "the mark" if len(names) == 1 else "the marks"
        open_ones.append(f"{marks} of {names_in_full(names)}")
    if fewest < most:
        open_ones.append(f"the count, which may lie from {fewest} to {most}")
    return f"Not all of this is settled: more resamples may change {', and '.join(open_ones)}."


def _computed(result: SignificanceResult) -> Hashable:
    return made_by(result), result.seed if result.method == "monte-carlo" else None
