"""What a methods section says of the data, of the tests on each dataset, and of their settings."""

from collections.abc import Callable, Hashable, Mapping, Sequence

import numpy as np

from ..analysis import Analysis
from ..analysis.settings import metric_of
from ..analysis.statements import approximations, condition, unsettled_statements
from ..comparison import comparison_named
from ..data import ResultSet
from ..metrics.per_example import summed_metric
from ..metrics.registry import CORRELATIONS, MEAN
from ..replicability.combinations import combination_named
from ..significance.choose import FEWEST_FOR_BOOTSTRAP
from ..significance.known_tests import significance_test_named
from ..significance.outcome import MISSING_CHANCE
from ..significance.settings import OWN
from ..significance.single import SignificanceResult
from ..systems.comparisons import PairComparisons
from ..systems.counting import CountMatrix
from ..types import grouped
from ..words.formatting import (
    counted,
    display_name,
    format_confidence,
    format_level,
    list_names,
    metric_label,
    sentence_case,
    whole_name,
)
from ..words.reading import DIRECTION_NOT_STATED, bounds_sentence, direction_note, zeros_of
from ..words.subject import headline_questions
from ..words.testing import INTERVAL_LABELS, ZERO_RULES, made_by, reach_sentence
from .bibliography import Passage, Sentence, cite, full_name, names_in_full, passage

# Works that define a metric, by its kind.
_OF_METRICS = {
    "bleu": "papineni2002bleu",
    "chrf": "popovic2015chrf",
    "ter": "snover2006study",
    "aer": "och2003systematic",
    "mcc": "matthews1975comparison",
}
_ASSUMED_BEFORE = "the guarantees assume that this was decided before seeing the results"


def data_passage(analysis: Analysis) -> Passage:
    """Which data were analysed, and how they were read."""
    data, table, whole = analysis.data, analysis.table, analysis.whole
    sample = analysis.origin.sample
    source = whole_name(sample.source).rstrip(".") if sample else ""
    left_out = [name for name in whole.datasets if name not in table.datasets]
    a, b = full_name(table.system_a), full_name(table.system_b)
    chosen = (
        f"We left out {names_in_full(left_out)} ({len(left_out)} of "
        f"{counted(whole.n_datasets, 'dataset')}) by hand; {_ASSUMED_BEFORE}."
    )
    swapped = f"We took {a} as A, although {b} comes first in the file; {_ASSUMED_BEFORE}."
    return passage(
        *(_of_results(analysis, data) if isinstance(data, ResultSet) else _of_table(analysis)),
        f"Source: {source}." if source else "",
        chosen if left_out else "",
        swapped if analysis.settings.swapped else "",
    )


def _of_results(analysis: Analysis, data: ResultSet) -> Sequence[Sentence]:
    table = analysis.table
    among = f", 2 of the {len(data.systems)} systems in the file," if len(data.systems) > 2 else ""
    sizes = [data.n_examples(dataset) for dataset in table.datasets]
    metric = metric_of(data, analysis.settings)
    kind = data.kind_of(metric)
    work = _OF_METRICS.get(kind)
    n_metrics = len(data.metrics) + len(data.label_metrics)
    of_several = f", one of the {n_metrics} metrics that the file allows" if n_metrics > 1 else ""
    return (
        f"We compared {_letter(table.system_a, 'A')} with {_letter(table.system_b, 'B')}{among} "
        f"on {counted(table.n_datasets, 'dataset')} of {_range(sizes)}, paired by example.",
        f"We chose this pair; {_ASSUMED_BEFORE}." if among else "",
        (
            f"The metric was {_metric_words(metric, kind)}",
            *([cite(work)] if work else []),
            f"{of_several} ({_better_word(analysis)} scores are better).",
        ),
    )


def _of_table(analysis: Analysis) -> Sequence[Sentence]:
    table = analysis.table
    sizes = [] if table.n_examples is None else [int(n) for n in table.n_examples]
    of_sizes = f" of {_range(sizes)}" if sizes else ""
    metric = f" by {full_name(table.metric)}" if table.metric else ""
    n = table.n_datasets
    published = "the published p-value of 1 dataset"
    if n > 1:
        published = f"published p-values, one for each of {n:,} datasets"
    direction = (
        "" if table.differences is None else f" ({_better_word(analysis)} scores are better)"
    )
    return (
        f"We analysed {published}"
        f"{of_sizes}, from comparing {_letter(table.system_a, 'A')} with "
        f"{_letter(table.system_b, 'B')}{metric}{direction}; the tests were not run again.",
        zeros_of(table),
        bounds_sentence(table.printed),
        *_readings(analysis),
    )


def _letter(name: str, letter: str) -> str:
    shown = full_name(name)
    return shown if shown == letter else f"{shown} ({letter})"


def _better_word(analysis: Analysis) -> str:
    return "higher" if analysis.higher_is_better else "lower"


def _metric_words(metric: str, kind: str) -> str:
    """The metric's name, and what it is where the name may not say it."""
    label = full_name(metric_label(metric, kind))
    known = summed_metric(kind)
    if kind in CORRELATIONS:
        return f"{label} with gold scores"
    if known is not None and known.key == "ratio":
        return f"{label}, the sum of what is correct over the sum of totals"
    if known is not None:
        return f"{label}, computed from sums over the examples"
    return f"{label}, averaged over examples" if kind == "mean" else label


def _range(sizes: Sequence[int]) -> str:
    low, high = min(sizes), max(sizes)
    if len(sizes) == 1:
        return counted(low, "example")
    if low == high:
        return f"{counted(low, 'example')} each"
    return f"{low:,} to {high:,} examples ({sum(sizes):,} in all)"


def _readings(analysis: Analysis) -> list[str]:
    """What the table states of the direction of its p-values, and how those of the answer came out of them."""
    assessment, subject, question = analysis.assessment, analysis.subject, analysis.question
    declared, is_open = assessment.declared, assessment.declared == "not-stated"
    said = f"The table states that its p-values are {subject.in_full.side_read(declared)}."
    said = DIRECTION_NOT_STATED if is_open else said
    if not assessment.readings:
        said = f"{said[:-1]}, and it has no scores that would show which system is ahead."
    elif question.claim != "differ" and (is_open or assessment.declared_is_ruled_out):
        note = direction_note(assessment, subject)
        said = note if question.headline else condition(analysis, question)
    if question.claim == "differ":
        doubled = "each doubled, " if declared == "toward-higher-score" else ""
        taken = " and taken as two-sided" if question.reading == "not-stated" else ""
        return [
            said,
            f"The p-values were counted without direction, {doubled}as evidence that the systems "
            f"differ{taken}.",
        ]
    differences, level, better = analysis.table.differences, "", _better_word(analysis)
    if differences is not None and (np.nan_to_num(differences) == 0.0).any():
        level = ", and at equal scores the larger of p and 1 − p/2"
    formulas = {
        "two-sided": f"p/2 where that system has the {better} score, else 1 − p/2",
        "toward-higher-score": f"p where that system has the {better} score, 1 − p where it has the "
        f"{subject.worse} one{level}",
    }
    formula = formulas.get(question.reading)
    stated = headline_questions(assessment) if question.headline else (question,)
    return [
        said,
        f"For a claim about one system the p-value was {formula}." if formula else "",
        *(line for one in stated for line in approximations(analysis, one)),
    ]


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
    incomplete = (
        f"Testing was not complete: {len(done):,} of {counted(table.n_datasets, 'dataset')} were tested; "
        "the others count with p = 1."
    )
    return passage(
        incomplete if len(done) < table.n_datasets else "",
        *_tests(done, analysis.subject.margin),
        _choice(analysis, done),
        *_p_values(analysis, done),
        *_settings(done),
        *_clusters(analysis, done),
        _intervals(done),
        _few_examples(done),
        reach_sentence(results, table.datasets),
        *unsettled_statements(analysis, analysis.question),
    )


def _tests(done: Sequence[Named], margin: str) -> list[Sentence]:
    sentences: list[Sentence] = []
    for where, group in _grouped(
        done,
        lambda r: (
            (known := significance_test_named(r.test)).name,
            r.kind if r.kind in CORRELATIONS else "",
            known.null_of(r.kind),
            r.n_clusters is not None,
        ),
    ):
        result = group[0][1]
        test = significance_test_named(result.test).of_claim(result.claim)
        name, works, null = test.full_title, test.references, test.null_of(result.kind)
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


def _choice(analysis: Analysis, done: Sequence[Named]) -> Sentence:
    if analysis.settings.test != "auto":
        return "The test was chosen by hand."
    of_means = any(
        one.kind == MEAN and significance_test_named(one.test).of_mean and one.n_clusters is None
        for _, one in done
    )
    means = " Mean differences were tested by randomization where it is exact, else by the paired t-test."
    return (
        "A fixed rule chose the test by the kind of scores, without looking at the results",
        cite("dror2017replicability"),
        f".{means * of_means}",
    )


def _p_values(analysis: Analysis, done: Sequence[Named]) -> list[Sentence]:
    """Exact, or from how many resamples, or by which approximation."""
    # Joint flips give each dataset another p-value.
    alone = "" if analysis.joint(analysis.question) is None else " of each dataset alone"
    sentences: list[Sentence] = []
    for where, group in _grouped(
        done, lambda r: (made_by(r), r.seed if r.method == "monte-carlo" else None)
    ):
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


def _settings(done: Sequence[Named]) -> list[Sentence]:
    """Estimator and size of the bootstrap, and Wilcoxon's zeros."""
    sentences: list[Sentence] = []
    of_bootstrap = [(name, result) for name, result in done if result.estimator is not None]
    for where, group in _grouped(of_bootstrap, lambda r: (r.estimator, r.method == "monte-carlo")):
        result = group[0][1]
        by = "monte-carlo" if result.method == "monte-carlo" else "exact"
        words, works = _BOOTSTRAP.get(str(result.estimator)) or _BOOTSTRAP[by]
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
    few = [
        name
        for name, one in done
        if significance_test_named(one.test).bootstraps
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
    groups = grouped((kind(result), (name, result)) for name, result in done)
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
    by = list_names([test.full_title for test in tests], most=9)
    works = dict.fromkeys(key for test in tests for key in test.references)
    numbers = [f"{b:,}" for b in sorted({b for b in pairs.n_resamples if b is not None})]
    drawn = (
        f"Where they are not exact, p-values are of {list_names(numbers, most=9)} resamples with the "
        f"seed {pairs.seed}."
    )
    shared = (
        "The pairs of a dataset were judged on the same resamples",
        cite(_BK),
        ", so that their Monte Carlo errors move together.",
    )
    are_shared = any(one and b for b, one in zip(pairs.n_resamples, pairs.shared, strict=True))
    compared = passage(
        (
            f"All {pairs.n_pairs:,} pairs of {pairs.n_systems:,} systems were tested one-sided in both "
            f"directions on {where}, by {by}",
            cite(*works),
            ".",
        ),
        drawn if numbers else "",
        shared if are_shared else "",
    )
    each: Sentence = (
        f"For each pair alone, p was compared with level {level}; pairs have no joint guarantee."
    )
    if n > 1:
        combination = combination_named(alone.combination)
        each = (
            "For each pair alone, the number of datasets on which one system is better than the other "
            f"was bounded from below at level {level} by partial conjunction hypotheses",
            cite("dror2017replicability", "benjamini2008screening"),
            f", p-values being combined by {combination.test_title}, {combination.holds}",
            cite(*combination.references),
            "; the pairs have no joint guarantee.",
        )
    together = (
        f"All {joint.n_claims:,} claims together, both directions of every pair on every dataset, were "
        f"tested at level {level} by Holm's procedure",
        cite("holm1979simple"),
        ".",
    )
    letters = (
        "Two systems share a letter where they do not differ significantly by these counts; each "
        "letter is a largest group of such systems."
    )
    usual = (
        "The gain at which p < .05 is usual is the 95th percentile of the gains of pairs with "
        ".04 < p < .06",
        cite(_BK),
        ", each pair ordered by its gain; its interval is of 999 resamples of systems.",
    )
    return compared, passage(each, together, letters), passage(usual)
