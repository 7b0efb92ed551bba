"""What a methods section says of the tests on each dataset, and of their settings."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence

from ..analysis import Analysis
from ..analysis.statements import unsettled_statements
from ..comparison import comparison_named
from ..data import ResultSet
from ..metrics.registry import CORRELATIONS, MEAN
from ..replicability.combinations import combination_named
from ..significance.choose import FEWEST_FOR_BOOTSTRAP
from ..significance.known_tests import is_bootstrap, significance_test_named
from ..significance.outcome import MISSING_CHANCE
from ..significance.result import SignificanceResult
from ..significance.settings import OWN
from ..systems.comparisons import PairComparisons
from ..systems.counting import CountMatrix
from ..words.cautions import reach_sentence
from ..words.formatting import (
    counted,
    display_name,
    format_confidence,
    format_level,
    list_names,
    sentence_case,
)
from ..words.testing import INTERVAL_LABELS, ZERO_RULES, made_by
from .passages import Passage, Sentence, cite, full_name, names_in_full, passage

# What randomization exchanges of correlations with gold.
_RANDOMIZED_CORRELATIONS: Mapping[str, str] = {
    "spearman": "ranks, both systems being ranked anew after each exchange",
    "pearson": "standardised scores",
}
# Works that define how Wilcoxon's test takes zeros, and intervals, by their kind.
_OF_ZEROS: Mapping[str, tuple[str, ...]] = {
    "wilcox": ("wilcoxon1945individual",),
    "pratt": ("pratt1959remarks",),
}
_OF_INTERVALS: Mapping[str, tuple[str, ...]] = {
    "basic": ("davison1997bootstrap",),
    "percentile": ("efron1993introduction",),
    "bca": ("efron1987better", "diciccio1996bootstrap"),
}
# What the bootstrap's p-value is by the published estimator, else drawn or exact.
_BOOTSTRAP: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "berg-kirkpatrick": (
        "the share of resamples with more than twice the observed difference",
        ("bergkirkpatrick2012empirical",),
    ),
    "monte-carlo": (
        "(s + 1)/(b + 1), where s of b resamples have at least twice the observed difference",
        ("davison1997bootstrap",),
    ),
    "exact": ("the chance of a resample with at least twice the observed difference", ()),
}
Named = tuple[str, SignificanceResult]


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
        *_settings(done),
        *_clusters(analysis, done),
        _intervals(done),
        _few_examples(done),
        reach_sentence(results, table.datasets),
        *unsettled_statements(analysis, analysis.question),
    )


def _incomplete(analysis: Analysis, n_done: int) -> str:
    n = analysis.table.n_datasets
    if n_done == n:
        return ""
    return (
        f"Testing was not complete: {n_done:,} of {counted(n, 'dataset')} were tested; the others "
        "count with p = 1."
    )


def _tests(done: Sequence[Named], margin: str) -> list[Sentence]:
    sentences: list[Sentence] = []
    for where, group in _grouped(done, _tested):
        result = group[0][1]
        test = significance_test_named(result.test).of_claim(result.claim)
        name, works, null = test.full_title, test.references, test.null_hypothesis
        exchanged = _RANDOMIZED_CORRELATIONS.get(result.kind, "")
        if exchanged and test.asks == "exchange":
            name, works = f"{name} of {exchanged}", (*works, "deutsch2021statistical")
        asked = "A tends to score better" if test.of_tendency else "A is better"
        comparison = comparison_named(result.claim)
        if comparison.takes_margin:
            asked = comparison.statement("A", "B", margin)
            null = comparison.null_hypothesis.format(margin=margin)
            null += ", by the pseudo-median of the differences" * test.of_tendency
            if comparison.both_sides:
                null = f"{null}, and the p-value the larger of the two one-sided ones"
        if result.n_clusters is not None:
            null = null.replace("on each example", "on each cluster")
        sided, likewise, of = "one-sided", ", and likewise B", " for A"
        if comparison.both_sides:
            sided, likewise, of = "by two one-sided tests", "", ""
        on = where or ("on the dataset " if len(done) == 1 else "on each dataset ")
        sentences.append(
            (
                f"{sentence_case(on)}we tested {sided} whether {asked}{likewise}, with {name}",
                cite(*works),
                f" (null hypothesis{of}: {null}).",
            )
        )
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
        " Mean differences were tested by randomization where it is exact, else by the paired "
        "t-test."
        if means
        else ""
    )
    return (
        "A fixed rule chose the test by the kind of scores, without looking at the results",
        cite("dror2017replicability"),
        f".{of_means}",
    )


def _p_values(analysis: Analysis, done: Sequence[Named]) -> list[Sentence]:
    """Exact, or from how many resamples, or by which approximation."""
    # Joint flips give each dataset another p-value.
    alone = "" if analysis.joint(analysis.question) is None else " of each dataset alone"
    sentences: list[Sentence] = []
    for where, group in _grouped(done, _computed):
        result = group[0][1]
        drawn = result.method == "monte-carlo" and result.seed is not None
        seed = f" with the seed {result.seed}" if drawn else ""
        sentences.append(sentence_case(f"{where}the p-values{alone} are {made_by(result)}{seed}."))
    extended = {name for name, _ in analysis.settings.extended}
    names = [name for name, r in done if name in extended and r.method == "monte-carlo"]
    if names:
        sentences.append(f"On {names_in_full(names)} the number of resamples was raised by hand.")
    if any(result.method == "monte-carlo" for _, result in done):
        chance = f"{MISSING_CHANCE:g}".removeprefix("0")
        sentences.append(
            (
                "Their Monte Carlo error was bounded by a confidence sequence with error "
                f"probability {chance}",
                cite("robbins1970statistical"),
                ".",
            )
        )
    return sentences


def _computed(result: SignificanceResult) -> Hashable:
    return made_by(result), result.seed if result.method == "monte-carlo" else None


def _settings(done: Sequence[Named]) -> list[Sentence]:
    """Estimator and size of the bootstrap, and Wilcoxon's zeros."""
    sentences: list[Sentence] = []
    of_bootstrap = [(name, result) for name, result in done if result.estimator is not None]
    for where, group in _grouped(of_bootstrap, lambda r: (r.estimator, r.method == "monte-carlo")):
        result = group[0][1]
        by = "monte-carlo" if result.method == "monte-carlo" else "exact"
        of_paper = result.estimator == "berg-kirkpatrick"
        words, works = _BOOTSTRAP["berg-kirkpatrick" if of_paper else by]
        lead = sentence_case(f"{where}the bootstrap's p-value is")
        sentences.append((f"{lead} {words}", cite(*works), "."))
    exchanged = [r for _, r in done if significance_test_named(r.test).asks == "exchange"]
    if any(result.method == "monte-carlo" for result in exchanged):
        sentences.append(
            "The p-value of randomization is (s + 1)/(b + 1), where s of b resamples have at least "
            "the observed difference."
        )
    for name, result in of_bootstrap:
        units = result.n_clusters or result.n_examples
        if result.resample_size is not None and result.resample_size != units:
            sentences.append(
                f"On {full_name(name)} each resample had {result.resample_size:,} draws in place of "
                f"{units:,}."
            )
    of_wilcoxon = [(name, result) for name, result in done if result.zeros is not None]
    for where, group in _grouped(of_wilcoxon, lambda result: result.zeros):
        zeros = group[0][1].zeros or "wilcox"
        said = sentence_case(f"{where}zero differences were {ZERO_RULES[zeros].partition(' (')[0]}")
        sentences.append((said, cite(*_OF_ZEROS.get(zeros, ())), "."))
    return sentences


def _clusters(analysis: Analysis, done: Sequence[Named]) -> list[Sentence]:
    """Whether examples that belong together were kept together."""
    data, sentences = analysis.data, list[Sentence]()
    assert isinstance(data, ResultSet)
    whole = {name: one.n_clusters for name, one in done if one.n_clusters is not None}
    apart = [name for name, _ in done if name not in whole]
    if whole:
        low, high = min(whole.values()), max(whole.values())
        of = counted(high, "cluster") if low == high else f"{low:,} to {high:,} clusters"
        where = names_in_full(list(whole))
        sentences.append(f"Whole clusters were drawn or exchanged on {where} ({of}).")
    if data.clusters is not None and apart:
        where = f" on {names_in_full(apart)}" if whole else ""
        sentences.append(
            f"The tests{where} took the examples as independent, although the column "
            f"{full_name(data.clusters.column)} groups them into clusters."
        )
    return sentences


def _intervals(done: Sequence[Named]) -> Sentence:
    """Which intervals of the difference there are; empty where there are none."""
    kinds = {
        (result.interval, result.confidence_level)
        for _, result in done
        if result.confidence_interval is not None
    }
    if len(kinds) != 1:
        return ""
    kind, level = next(iter(kinds))
    of = "intervals of what the tests do not reject"
    of = of if kind == OWN else f"{INTERVAL_LABELS[kind]} intervals"
    return (
        f"Intervals of the differences are {format_confidence(1.0 - level)} {of}",
        cite(*_OF_INTERVALS.get(kind, ())),
        ", each for its dataset alone.",
    )


def _few_examples(done: Sequence[Named]) -> Sentence:
    """Where a bootstrap had few examples; empty where none had."""
    few = [
        name
        for name, one in done
        if is_bootstrap(one.test)
        and one.n_clusters is None
        and one.n_examples < FEWEST_FOR_BOOTSTRAP
    ]
    if not few:
        return ""
    where = names_in_full(few) if len(few) < len(done) or len(done) == 1 else "every dataset"
    return (
        f"With fewer than {FEWEST_FOR_BOOTSTRAP} examples on {where}, the bootstrap's p-values there "
        "are unreliable",
        cite("sogaard2014whats"),
        ".",
    )


def _grouped(
    done: Sequence[Named], kind: Callable[[SignificanceResult], Hashable]
) -> list[tuple[str, list[Named]]]:
    """Results of a kind together, each group after the words for where it holds."""
    groups: dict[Hashable, list[Named]] = {}
    for name, result in done:
        groups.setdefault(kind(result), []).append((name, result))
    if len(groups) == 1:
        return [("", group) for group in groups.values()]
    return [
        (f"on {names_in_full([name for name, _ in group])} ", group) for group in groups.values()
    ]


_BK = "bergkirkpatrick2012empirical"


def systems_passages(
    pairs: PairComparisons, alone: CountMatrix, joint: CountMatrix
) -> tuple[Passage, ...]:
    """How systems were compared, counted and put into tiers, and what a threshold is."""
    n, level = pairs.n_datasets, format_level(alone.alpha)
    where = display_name(pairs.datasets[0]) if n == 1 else f"{n:,} datasets"
    tests = [significance_test_named(name) for name in dict.fromkeys(pairs.tests)]
    works = tuple(dict.fromkeys(key for test in tests for key in test.references))
    resamples = sorted({b for b in pairs.n_resamples if b is not None})
    shared = [b for b, one in zip(pairs.n_resamples, pairs.shared, strict=True) if one and b]
    compared = passage(
        (
            f"All {pairs.n_pairs:,} pairs of {pairs.n_systems:,} systems were tested one-sided in both "
            f"directions on {where}, by {list_names([test.full_title for test in tests], most=9)}",
            cite(*works),
            ".",
        ),
        _drawn(resamples, pairs.seed),
        (
            "The pairs of a dataset were judged on the same resamples",
            cite(_BK),
            ", so that their Monte Carlo errors move together.",
        )
        if shared
        else "",
    )
    combination = combination_named(alone.combination)
    counted = passage(
        (
            f"For each pair alone, the number of datasets on which one system is better than the other "
            f"was bounded from below at level {level} by partial conjunction hypotheses",
            cite("dror2017replicability", "benjamini2008screening"),
            f", p-values being combined by {combination.test_title}, {combination.holds}",
            cite(*combination.references),
            "; the pairs have no joint guarantee.",
        )
        if n > 1
        else f"For each pair alone, p was compared with level {level}; pairs have no joint guarantee.",
        (
            f"All {joint.n_claims:,} claims together, both directions of every pair on every dataset, "
            f"were tested at level {level} by Holm's procedure",
            cite("holm1979simple"),
            ".",
        ),
        "Two systems share a letter where these counts do not tell them apart; each letter is a "
        "largest group of such systems.",
    )
    usual = passage(
        (
            "The gain at which p < .05 is usual is the 95th percentile of the gains of pairs with "
            ".04 < p < .06",
            cite(_BK),
            ", each pair ordered by its gain; its interval is of 999 resamples of systems.",
        )
    )
    return compared, counted, usual


def _drawn(resamples: Sequence[int], seed: int) -> str:
    if not resamples:
        return ""
    numbers = list_names([f"{b:,}" for b in resamples], most=9)
    return f"Where they are not exact, p-values are of {numbers} resamples with the seed {seed}."
