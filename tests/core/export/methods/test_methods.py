"""The methods paragraphs: pinned word for word, and each statement where it applies and only there."""

from __future__ import annotations

import platform
import re
from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import scipy
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.analysis import Analysis, AnalysisSettings, Origin, analyse, analysis_of
from core.analysis.record import BY_ITSELF
from core.analysis.testing import countable
from core.data import PValueTable, ResultSet, read_results, read_sample
from core.export.methods import (
    methods_latex,
    methods_paragraphs,
    references_of,
    result_paragraph,
)
from core.export.versions import made_with
from core.types import DEPENDENCES, PROCEDURES, Alternative, Dependence, Procedure
from core.version import __version__

VERSIONS = (
    f"Python {platform.python_version()}, numpy {np.__version__}, scipy {scipy.__version__}, "
    f"pandas {pd.__version__}, pyarrow {pa.__version__}"
)
VALIDITY = (
    "Every count and list rests on each dataset's own test being valid. Exact tests are; the "
    "bootstrap, mid-p, uncorrected χ² and t are approximate; Wilcoxon and randomization test "
    "symmetry or exchangeability. The claim concerns these trained systems on these kinds of data."
)
BEFORE = (
    "Both α and the combination have to be fixed before looking at the results: choosing them "
    "afterwards carries no guarantee."
)


def of_sample(key: str, chosen: AnalysisSettings | None = None) -> Analysis:
    sample, content = read_sample(key)
    data = read_results(content, name=sample.file_name)
    assert isinstance(data, PValueTable | ResultSet)
    return analyse(
        data,
        chosen or AnalysisSettings(dependence=sample.dependence),
        origin=Origin(
            title=sample.title,
            source=sample.source,
            note=sample.note,
            dependence_reason=sample.dependence_reason,
        ),
    )


def table(
    p_values: tuple[float, ...] = (0.001, 0.01, 0.02, 0.2, 0.6),
    *,
    alternative: Alternative = "greater",
    ahead: float = 0.1,
    names: tuple[str, ...] = (),
    systems: tuple[str, str] = ("new", "old"),
    printed: tuple[str, ...] = (),
    higher_is_better: bool = True,
) -> PValueTable:
    n = len(p_values)
    return PValueTable(
        datasets=names or tuple(f"d{i}" for i in range(n)),
        p_values=np.array(p_values),
        p_value_bounds=(np.array(p_values), np.array(p_values)),
        alternative=alternative,
        printed=printed or tuple(str(p) for p in p_values),
        system_a=systems[0],
        system_b=systems[1],
        scores_a=np.full(n, 0.8 + ahead),
        scores_b=np.full(n, 0.8),
        higher_is_better=higher_is_better,
    )


def scores(
    *, zero_one: bool = False, n: int = 24, systems: int = 2, clusters: bool = False
) -> ResultSet:
    """Three datasets; scores that are not 0/1 lie on no lattice, so that the bootstrap resamples."""
    rng = np.random.default_rng(5)
    drawn: dict[str, dict[str, np.ndarray]] = {
        dataset: {
            f"s{i}": rng.integers(0, 2, size=n).astype(float)
            if zero_one
            else rng.normal(size=n) * np.pi
            for i in range(systems)
        }
        for dataset in ("x", "y", "z")
    }
    belongs = {dataset: [i // 2 for i in range(n)] for dataset in drawn} if clusters else None
    return ResultSet.from_scores(drawn, metric="quality", clusters=belongs)


def text_of(analysis: Analysis) -> str:
    return "\n".join(methods_paragraphs(analysis))


def with_results(analysis: Analysis, **changes: object) -> Analysis:
    """The same analysis, of results that differ in these fields."""
    whole = analysis.whole
    assert whole.results is not None
    results = tuple(replace(result, **changes) for result in whole.results)
    return analysis_of(
        analysis.data, replace(whole, results=results), analysis.settings, origin=Origin()
    )


def test_a_published_table_is_told_word_for_word() -> None:
    assert methods_paragraphs(of_sample("parsing-redshift")) == (
        "We analysed a published table with one p-value for each of 7 datasets from comparing Mate "
        "(A) with Redshift (B); the tests were not run again. A higher score is read as better. "
        "The table does not say which way its p-values point; the readings that the numbers allow "
        "are “as one-sided for A”, “toward the higher score” and “as two-sided”. The one with the "
        "smallest count was taken. This reads the p-values as one-sided for A; the table does "
        "not say so, but no other possible reading gives less. Source: Dror, Baumer, Bogomolov and "
        "Reichart (2017), TACL 5, 471–486, Table 2.",
        "The number of the N = 7 datasets on which A is better was bounded from below by "
        "replicability analysis with partial conjunction hypotheses (Dror et al. 2017; Benjamini "
        "and Heller 2008) at level α = .05: k̂ is the largest u for which the hypothesis “A is "
        "better on fewer than u datasets” and all those for smaller u are rejected. Its p-value "
        "combines the N − u + 1 largest p-values by Fisher's combination test (Fisher 1932). The "
        "true number is at least k̂ with 95% confidence, if the datasets are independent (Fisher). "
        "The datasets were taken to be independent of each other. The description of the data says "
        "of this: “The paper takes the genres' test sets to be independent.” "
        f"{VALIDITY} {BEFORE}",
        "Datasets were named by the procedure of Holm (Holm 1979) at level α = .05. Guarantee: a "
        "wrong name in at most 5% of studies, whatever the dependence. They were also named by the "
        "closed test of Fisher's combination test, the closed test behind the count (Marcus et al. "
        "1976; Goeman and Solari 2011): its names and the count hold together with 95% confidence, "
        "under the same assumption. The count and the list by Holm are separate statements, each "
        "under its own assumption with 95% confidence and both together with 90%.",
        "All that was tried on these data: levels: 0.05; dependence: independent.",
        f"All numbers were computed by the replicability dashboard, version {__version__} "
        f"({VERSIONS}). The count is reproduced by "
        f"“claim:a-better|stated:not-stated|read:greater|pc:fisher|alpha:0.05|datasets:7|"
        f"data:8687189f|v:{__version__}”, the names by “claim:a-better|stated:not-stated|"
        f"read:greater|procedure:holm|alpha:0.05|datasets:7|data:8687189f|v:{__version__}”.",
    )


def test_a_table_with_both_systems_ahead_tells_its_directions_and_its_zero() -> None:
    paragraphs = methods_paragraphs(of_sample("pos-tagging"))
    assert paragraphs[0] == (
        "We analysed a published table with one p-value for each of 23 datasets from comparing "
        "MIMICK (A) with Char→Tag (B); the tests were not run again. A higher score is read as "
        "better. 1 p-value was printed as 0. It is read as below .00005, half a unit of the table's "
        "last digit. The table does not say which way its p-values point; the readings that the "
        "numbers allow are “toward the higher score” and “as two-sided”. The one with the smallest "
        "count was taken. This reads the p-values toward the higher score; the table does not "
        "say so, but no other possible reading gives less. For a claim about one system the "
        "p-value is p where that system has the higher score, 1 − p where it has the lower one. "
        "Where Char→Tag is not behind (10 of 23), 1 − p stands in for a test that MIMICK is better: "
        "approximate, and for a discrete test a little too small. Source: Dror, Baumer, Bogomolov "
        "and Reichart (2017), TACL 5, 471–486, Table 3."
    )
    assert (
        "Both directions were looked at, each at level α = .05, so that the statements for A and "
        "for B hold together with 90% confidence; taken at α/2 = .025 each, they hold together "
        "with 95%."
    ) in paragraphs[1]


def test_results_on_examples_are_told_word_for_word() -> None:
    chosen = AnalysisSettings(excluded=("sim-task-02",))
    paragraphs = methods_paragraphs(of_sample("simulated-accuracy", chosen))
    assert paragraphs[:-1] == (
        "We compared ours (A) with baseline (B) on 9 datasets of 120 to 800 examples (4,220 in "
        "all), paired by example. The metric is accuracy, averaged over examples; a higher score "
        "is read as better. Source: Simulated by sample_data/make_simulated.py. Of 10 datasets, "
        "sim-task-02 was left out by hand. Where that was decided after looking at the results, "
        "the guarantee no longer holds.",
        "On each dataset we tested one-sided whether A is better, with McNemar's test in its "
        "exact, binomial form (McNemar 1947); the null hypothesis is that A is expected to win at most "
        "half of the examples on which exactly one system is right. The other direction, for "
        "B, was tested in the same way. The test was chosen by a fixed rule that looks "
        "at the kind of the scores and never at which system is ahead (Dror et al. 2017). The "
        "p-values are exact. Intervals of a dataset's difference are 95% basic bootstrap intervals "
        "(Davison and Hinkley 1997); each holds for its dataset alone.",
        "The number of the N = 9 datasets on which A is better was bounded from below by "
        "replicability analysis with partial conjunction hypotheses (Dror et al. 2017; Benjamini "
        "and Heller 2008) at level α = .05: k̂ is the largest u for which the hypothesis “A is "
        "better on fewer than u datasets” and all those for smaller u are rejected. Its p-value "
        "combines the N − u + 1 largest p-values by Bonferroni's rule (Dunn 1961). The true number "
        "is at least k̂ with 95% confidence, however the datasets depend on each other "
        "(Bonferroni). Nothing was assumed of how the datasets depend on each other. The "
        "description of the data says of this: “The tasks are made independently of each other.” "
        "Both directions were looked at, each at level α = .05, so that the statements for A and "
        "for B hold together with 90% confidence; taken at α/2 = .025 each, they hold together "
        f"with 95%. {VALIDITY} {BEFORE}",
        "Datasets were named by the procedure of Holm (Holm 1979) at level α = .05. Guarantee: a "
        "wrong name in at most 5% of studies, whatever the dependence. The count and the names "
        "come from one closed test (Marcus et al. 1976; Goeman and Solari 2011) and hold together "
        "with 95% confidence.",
        "All that was tried on these data: levels: 0.05; dependence: not-known; datasets left out: "
        "sim-task-02; tests: baseline and ours, accuracy: recommended tests, 9999 resamples where "
        "they resample, seed 0.",
    )


def test_latex_says_the_same_with_commands_for_signs_and_keys_for_works() -> None:
    latex = methods_latex(of_sample("parsing-redshift"))
    assert latex.startswith("% needs ")
    assert (
        r"partial conjunction hypotheses \citep{dror2017replicability,benjamini2008screening} at "
        r"level $\alpha$ = .05: $\hat{k}$ is the largest u for which the hypothesis ``A is better "
        r"on fewer than u datasets'' and all those for smaller u are rejected."
    ) in latex
    assert r"with 95\% confidence" in latex
    assert (
        r"\texttt{claim:a-better\textbar{}\allowbreak{}stated:not-stated\textbar{}\allowbreak{}"
        in latex
    )


def test_the_result_of_one_direction_is_quoted_with_its_condition_and_names() -> None:
    assert result_paragraph(of_sample("parsing-redshift")) == (
        "With 95% confidence, Mate is better than Redshift on at least 5 of 7 datasets. This holds "
        "if the datasets are independent (Fisher). This reads the p-values as one-sided for A; the "
        "table does not say so, but no other possible reading gives less. Closed Fisher test names "
        "2 of 7 as datasets where Mate is better than Redshift: MZ and NW. Holm names 1 of 7 as a "
        "dataset where Mate is better than Redshift: MZ."
    )


def test_the_result_of_both_directions_says_what_holds_together() -> None:
    assert result_paragraph(of_sample("pos-tagging")) == (
        "MIMICK is better than Char→Tag on at least 3 of 23 datasets; Char→Tag is better than "
        "MIMICK on at least 3 of 23 datasets. Each is a statement of its own with 95% confidence, "
        "the datasets taken to be independent (Fisher); both directions together with 90%. MIMICK "
        "is better on at least 3 datasets and Char→Tag on at least 3, of 23; both together with "
        "95% confidence (each at α/2), if the datasets are independent (Fisher). On the other 17 "
        "the data do not decide. This reads the p-values toward the higher score; the table does "
        "not say so, but no other possible reading gives less. Closed Fisher test names 1 of 23 as "
        "a dataset where MIMICK is better than Char→Tag: Hungarian. Holm names 3 of 23 as datasets "
        "where MIMICK is better than Char→Tag: Hungarian, Chinese and Czech. Closed Fisher test "
        "names 1 of 23 as a dataset where Char→Tag is better than MIMICK: Basque. Holm names 3 of "
        "23 as datasets where Char→Tag is better than MIMICK: Tamil, Basque and Indonesian."
    )


def test_a_question_chosen_by_hand_is_the_one_that_is_quoted() -> None:
    chosen = AnalysisSettings(question="a-better/two-sided")
    analysis = of_sample("pos-tagging", chosen)
    assert "Which one was taken was chosen by hand." in text_of(analysis)
    assert "smallest count was taken" not in text_of(analysis)
    quoted = result_paragraph(analysis)
    assert quoted.startswith("With 95% confidence, MIMICK is better than Char→Tag on at least 3")
    assert "This reads the p-values as two-sided" in quoted


def test_a_count_without_direction_speaks_of_no_reading_and_no_direction() -> None:
    text = text_of(of_sample("pos-tagging", AnalysisSettings(question="differ")))
    assert "The number of the N = 23 datasets on which the systems differ was bounded" in text
    assert "was taken" not in text
    assert "Both directions" not in text


def test_without_scores_the_systems_only_differ() -> None:
    analysis = of_sample("six-p-values")
    text = text_of(analysis)
    assert "without the scores of both systems nothing tells which one is ahead" in text
    assert (
        "counted without direction, as evidence that the systems differ, which takes them" in text
    )
    assert "is read as better" not in text
    assert "comparing A with B;" in text
    assert result_paragraph(analysis).startswith(
        "With 95% confidence, A and B differ on at least 1"
    )


@pytest.mark.parametrize(
    ("alternative", "said"),
    [
        ("greater", "The p-values are stated to be one-sided for new."),
        (
            "two-sided",
            "The p-values are stated to be two-sided. For a claim about one system the p-value is "
            "p/2 where that system has the higher score, else 1 − p/2.",
        ),
        (
            "toward-higher-score",
            "The p-values are stated to be one-sided toward the higher score. For a claim about "
            "one system the p-value is p where that system has the higher score, 1 − p where it "
            "has the lower one.",
        ),
    ],
)
def test_a_stated_direction_is_told_with_what_it_does_to_the_p_values(
    alternative: Alternative, said: str
) -> None:
    values = (0.001, 0.01, 0.02, 0.2, 0.4)
    assert said in text_of(analyse(table(values, alternative=alternative)))
    assert "readings that the numbers allow" not in text_of(
        analyse(table(values, alternative=alternative))
    )


def test_a_statement_that_the_numbers_contradict_is_told() -> None:
    against = table((0.001,) * 5, alternative="greater", ahead=-0.1)
    text = text_of(analyse(against))
    assert "stated to be one-sided for new, which the numbers contradict; the readings" in text


def test_where_one_side_is_a_complement_nothing_is_called_guaranteed() -> None:
    swapped = AnalysisSettings(swapped=True, question="a-better/less")
    text = text_of(analyse(table(), swapped))
    assert "For old the p-values are 1 − p of the other system's tests." in text
    assert "the count carries no guarantee" in text
    assert "so that there is no guarantee for both together." in text
    assert "for A and for B hold together" not in text
    assert "the names carry no guarantee" in text
    assert "The true number is at least" not in text
    assert "Guarantee:" not in text


def test_lower_is_better_is_said_of_scores_and_readings() -> None:
    lower = table(alternative="toward-higher-score", ahead=-0.1, higher_is_better=False)
    text = text_of(analyse(lower))
    assert "A lower score is read as better." in text
    assert "stated to be one-sided toward the lower score." in text
    assert "has the lower score, 1 − p where it has the higher one" in text


def test_bounds_as_printed_are_told() -> None:
    text = text_of(analyse(table((0.001, 0.2), printed=("<0.001", "0.2"))))
    assert "1 p-value was printed as <0.001 and is taken at that bound." in text


def test_equal_scores_are_told_of_where_there_are_some() -> None:
    level = table(alternative="toward-higher-score", ahead=0.0)
    assert "at equal scores the larger of p and 1 − p/2" in text_of(analyse(level))
    apart = table((0.01, 0.02, 0.03), alternative="toward-higher-score")
    assert "at equal scores" not in text_of(analyse(apart))


def test_exchanged_systems_are_told() -> None:
    words = (
        "s1 was taken as A, though s0 stands first in the file; had that been chosen after looking "
        "at the results, statements for A and B would hold together with 90% confidence."
    )
    swapped = text_of(analyse(scores(), AnalysisSettings(swapped=True)))
    assert words in swapped
    assert "We compared s1 (A) with s0 (B)" in swapped
    assert words not in text_of(analyse(scores()))


def test_one_of_several_metrics_is_said_to_be_one_of_several() -> None:
    similarity = text_of(of_sample("simulated-similarity"))
    assert (
        "The metric is Spearman correlation with gold scores, one of the 2 metrics that the file "
        "allows; a higher score is read as better."
    ) in similarity
    assert "metrics that the file" not in text_of(analyse(scores()))


def test_two_of_several_systems_are_said_to_be_two_of_several() -> None:
    text = text_of(analyse(scores(systems=4), AnalysisSettings(pair=(1, 3))))
    assert "We compared s1 (A) with s3 (B), 2 of the 4 systems in the file, on 3 datasets" in text
    assert "systems in the file" not in text_of(analyse(scores()))


def test_a_test_chosen_by_hand_is_not_said_to_follow_the_rule() -> None:
    by_hand = text_of(analyse(scores(), AnalysisSettings(test="sign")))
    assert "The test was chosen by hand." in by_hand
    assert "fixed rule" not in by_hand
    assert "chosen by hand" not in text_of(analyse(scores()))


def test_different_tests_are_told_with_their_datasets() -> None:
    rng = np.random.default_rng(2)
    ratings = rng.integers(0, 6, size=(2, 30)).astype(float)
    mixed = ResultSet.from_scores(
        {
            "first": {"a": ratings[0], "b": ratings[1]},
            "second": {"a": rng.normal(size=30), "b": rng.normal(size=30)},
        }
    )
    text = text_of(analyse(mixed))
    assert "On first we tested one-sided whether A is better, with approximate random" in text
    assert "On second we tested one-sided whether A is better, with Student's paired t-" in text
    assert "randomization of the mean difference where that is exact, and by the paired" in text
    assert "On first the p-values are exact. On second the p-values are from Student's" in text


def test_resamples_and_seed_are_told_of_the_datasets_that_have_them() -> None:
    chosen = AnalysisSettings(test="paired-bootstrap", n_resamples=1234, seed=77)
    analysis = analyse(scores(), chosen)
    tests = methods_paragraphs(analysis)[1]
    assert "The p-values are from 1,234 resamples with the seed 77." in tests
    assert "(s + 1)/(b + 1), where s of b resamples have at least twice the observed" in tests
    assert "but for a chance of .001 (Robbins 1970)" in tests
    whole = analysis.whole
    assert whole.results is not None
    more = (replace(whole.results[0], n_resamples=12349), *whole.results[1:])
    extended = analysis_of(
        analysis.data,
        replace(whole, results=more),
        replace(chosen, extended=(("x", 12349),)),
        origin=Origin(),
    )
    tests = methods_paragraphs(extended)[1]
    assert "On x the p-values are from 12,349 resamples with the seed 77." in tests
    assert "On y and z the p-values are from 1,234 resamples with the seed 77." in tests
    assert "On x the number of resamples was raised by hand" in tests


def test_randomization_from_resamples_gives_its_estimate() -> None:
    chosen = AnalysisSettings(test="approximate-randomization", n_resamples=99)
    text = text_of(analyse(scores(), chosen))
    assert "The p-value of randomization is (s + 1)/(b + 1)" in text
    assert "the null hypothesis is that on each example the two systems can be exchanged" in text


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({}, "Zero differences were dropped before ranking (Wilcoxon 1945)."),
        ({"zeros": "pratt"}, "Zero differences were ranked and then dropped (Pratt 1959)."),
        ({"zeros": "zsplit"}, "half of their ranks going to either side."),
        ({}, "are 95% basic bootstrap intervals (Davison and Hinkley 1997); each"),
        ({"confidence_level": 0.9}, "are 90% basic bootstrap intervals"),
        (
            {"interval": "percentile"},
            "bootstrap percentile intervals (Efron and Tibshirani 1993), which may disagree with "
            "the p-values;",
        ),
        ({"interval": "bca"}, "(Efron 1987; DiCiccio and Efron 1996), which may disagree"),
        ({"method": "normal"}, "The p-values are from a normal approximation."),
        ({"n_clusters": 12}, "whole clusters were drawn or exchanged (12 clusters on each)."),
    ],
)
def test_settings_of_the_tests_are_told(changes: dict[str, object], said: str) -> None:
    analysis = with_results(analyse(scores(), AnalysisSettings(test="wilcoxon")), **changes)
    assert said in methods_paragraphs(analysis)[1]


def test_no_interval_is_told_of_where_there_is_none() -> None:
    text = text_of(with_results(analyse(scores()), confidence_interval=None))
    assert "intervals" not in text.lower()


def test_reproduced_estimates_and_sizes_are_called_reproductions() -> None:
    chosen = AnalysisSettings(test="paired-bootstrap", n_resamples=99)
    analysis = with_results(
        analyse(scores(), chosen), estimator="berg-kirkpatrick", resample_size=500
    )
    text = text_of(analysis)
    assert "the share of resamples with more than twice the observed difference" in text
    assert "On x each resample had 500 draws in place of 24" in text
    assert "(s + 1)/(b + 1)" not in text


def test_an_exact_bootstrap_is_still_an_approximation() -> None:
    text = text_of(analyse(scores(zero_one=True), AnalysisSettings(test="paired-bootstrap")))
    assert "free of Monte Carlo error, but still the bootstrap's approximation" in text
    assert "The p-values are exact" not in text


@pytest.mark.parametrize(("n", "told"), [(199, True), (200, False)])
def test_few_examples_for_a_bootstrap_are_told(n: int, told: bool) -> None:
    chosen = AnalysisSettings(test="paired-bootstrap", n_resamples=99)
    text = text_of(analyse(scores(n=n), chosen))
    said = "On every dataset, with fewer than 200 examples, the bootstrap's p-values are not to be"
    assert (said in text) == told


def test_examples_that_belong_together_and_were_taken_apart_are_told() -> None:
    together = analyse(
        scores(clusters=True), AnalysisSettings(test="wilcoxon", whole_clusters=False)
    )
    apart = with_results(together, n_clusters=None)
    assert "The column cluster says which examples belong together; the tests took the" in text_of(
        apart
    )
    whole = with_results(together, n_clusters=12, test="approximate-randomization")
    assert "belong together; the tests" not in text_of(whole)
    assert "on each cluster the two systems can be exchanged" in text_of(whole)


def test_an_incomplete_run_is_told_in_methods_and_result() -> None:
    analysis = analyse(scores())
    first = analysis.whole.without(["y", "z"])
    partial = analysis_of(
        analysis.data, countable(first, ("x", "y", "z")), analysis.settings, origin=Origin()
    )
    assert (
        "Testing was not complete: 1 of 3 datasets were tested, and the others enter every count "
        "with p = 1."
    ) in methods_paragraphs(partial)[1]
    assert result_paragraph(partial).startswith("So far, 1 of 3 datasets are tested. ")
    assert "Testing was not complete" not in text_of(analysis)


def test_p_values_out_of_the_bootstraps_reach_are_told() -> None:
    up = np.arange(12.0)
    constant = ResultSet.from_scores(
        {"same": {"a": up + 1.0, "b": up}, "other": {"a": up, "b": up[::-1]}}
    )
    text = text_of(analyse(constant, AnalysisSettings(test="paired-bootstrap")))
    assert "On same no bootstrap sample can be as extreme as asked." in text
    assert "no bootstrap sample" not in text_of(analyse(scores()))


@pytest.mark.parametrize("dependence", DEPENDENCES)
def test_the_answer_on_dependence_is_told(dependence: Dependence) -> None:
    said = {
        "not-known": "Nothing was assumed of how the datasets depend on each other.",
        "positive": "taken to be independent or positively dependent, so that Simes' inequality",
        "independent": "The datasets were taken to be independent of each other.",
    }
    text = text_of(analyse(table(), AnalysisSettings(dependence=dependence)))
    assert [answer for answer, words in said.items() if words in text] == [dependence]


def test_shared_examples_are_told_where_they_contradict_the_answer() -> None:
    lines = ["dataset,sentence,new,old"]
    for dataset in ("left", "right"):
        lines += [
            f"{dataset},The sentence number {i} of this text.,{i % 3 % 2},{i % 2}"
            for i in range(40)
        ]
    data = read_results("\n".join(lines).encode())
    assert isinstance(data, ResultSet)
    words = "That speaks against the answer “No, independent”"
    assert words in text_of(analyse(data, AnalysisSettings(dependence="independent")))
    assert words not in text_of(analyse(data, AnalysisSettings(dependence="not-known")))


@pytest.mark.parametrize("procedure", PROCEDURES)
@pytest.mark.parametrize("dependence", DEPENDENCES)
def test_count_and_list_are_said_to_belong_together_only_where_one_closed_test_gives_both(
    dependence: Dependence, procedure: Procedure
) -> None:
    chosen = AnalysisSettings(dependence=dependence, procedure=procedure)
    text = text_of(analyse(table(), chosen))
    same = {"not-known": "holm", "positive": "hommel", "independent": "fisher-closed"}[dependence]
    within = {"not-known": "bonferroni", "positive": "hochberg", "independent": ""}[dependence]
    rate = procedure.startswith("benjamini")
    assert ("count and the names come from one closed test" in text) == (procedure == same)
    assert ("never holds more names than that one" in text) == (procedure == within)
    assert ("bounds the false discovery rate" in text) == rate
    separate = procedure not in (same, within) and not rate
    assert ("both together with 90%" in text) == separate


def test_a_level_of_one_half_or_more_leaves_no_confidence_in_two_statements() -> None:
    text = text_of(analyse(table(), AnalysisSettings(alpha=0.6, dependence="independent")))
    assert "-20%" not in text
    assert "both together with" not in text


def test_what_was_tried_is_told_and_what_choosing_costs() -> None:
    analysis = analyse(table())
    once = "More than one thing was tried"
    assert once not in text_of(analysis)
    several = replace(analysis, tried={"levels": ("0.05", "0.01"), "dependence": ("not-known",)})
    assert (
        "All that was tried on these data: levels: 0.05 / 0.01; dependence: not-known. More than "
        "one thing was tried, and choosing among them after looking at the results carries no "
        "guarantee."
    ) in methods_paragraphs(several)
    assert "was tried" not in text_of(replace(analysis, tried={}))


def test_a_test_that_ran_by_itself_is_told_and_is_no_choice_of_the_user() -> None:
    analysis = analyse(table())
    first, chosen, third = f"x and y{BY_ITSELF}", "z and y", "z and x"
    text = text_of(replace(analysis, tried={"tests": (first, chosen)}))
    assert "x and y (ran by itself on loading) / z and y" in text
    assert "More than one thing was tried" not in text
    assert "had their results led to the others, that choice would carry no guarantee." in text
    more = text_of(replace(analysis, tried={"tests": (first, chosen, third)}))
    assert "More than one thing was tried" in more
    assert "ran by themselves were not chosen" not in text_of(
        replace(analysis, tried={"tests": (first,)})
    )


def test_one_dataset_is_compared_with_the_level_and_not_counted() -> None:
    analysis = analyse(table((0.01,)))
    text = text_of(analysis)
    assert "There is one dataset, so that nothing is counted: its p-value is compared with" in text
    assert "named by" not in text
    assert "each of 1 dataset from" in text
    assert result_paragraph(analysis) == (
        "One dataset: new is better than old there at level .05 (p = .01). Counting needs several."
    )


def test_versions_are_those_that_run() -> None:
    assert made_with() == VERSIONS
    assert f"dashboard, version {__version__} ({VERSIONS})" in text_of(analyse(table((0.01, 0.2))))


FORBIDDEN = re.compile(
    r"significant|no difference|proves|probability that A is better", re.IGNORECASE
)
LEVELS = {0.05: ".05", 0.01: ".01", 0.1: ".1", 0.025: ".025", 0.001: ".001"}


@cache
def made(zero_one: bool) -> ResultSet:
    return scores(zero_one=zero_one)


@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(
    zero_one=st.booleans(),
    alpha=st.sampled_from(sorted(LEVELS)),
    dependence=st.sampled_from(DEPENDENCES),
    procedure=st.sampled_from(PROCEDURES),
    swapped=st.booleans(),
    excluded=st.sets(st.sampled_from(["x", "y", "z"]), max_size=2),
    test=st.sampled_from(["auto", "paired-bootstrap", "approximate-randomization", "paired-t"]),
    n_resamples=st.integers(1001, 1100),
    seed=st.integers(20_000, 30_000),
)
def test_every_choice_that_a_number_depends_on_is_told(
    zero_one: bool,
    alpha: float,
    dependence: Dependence,
    procedure: Procedure,
    swapped: bool,
    excluded: set[str],
    test: str,
    n_resamples: int,
    seed: int,
) -> None:
    chosen = AnalysisSettings(
        alpha=alpha,
        dependence=dependence,
        procedure=procedure,
        swapped=swapped,
        excluded=tuple(sorted(excluded)),
        test=test,
        n_resamples=n_resamples,
        seed=seed,
    )
    analysis = analyse(made(zero_one), chosen)
    data, tests, counting, *_ = methods_paragraphs(analysis)
    text = text_of(analysis)
    n = 3 - len(excluded)
    assert f"α = {LEVELS[alpha]}" in counting
    assert (f"N = {n} datasets" in counting) == (n > 1)
    assert not excluded or f"datasets, {' and '.join(sorted(excluded))} w" in data
    assert ("left out by hand" in data) == bool(excluded)
    resampled = not zero_one and test in ("paired-bootstrap", "approximate-randomization")
    assert (f"{n_resamples:,} resamples with the seed {seed}" in tests) == resampled
    assert (str(seed) in tests) == resampled
    assert not FORBIDDEN.search(text + result_paragraph(analysis))
    keys = re.findall(r"\\citep\{([^}]*)\}", methods_latex(analysis))
    cited = dict.fromkeys(key for group in keys for key in group.split(","))
    assert list(cited) == [work.key for work in references_of(analysis)]


HOSTILE = (
    r"100% \input{/etc/passwd}",
    "a_b^c ~ #1 $x$ & {",
    "}\\",
    r"\citep{evil2020}",
    "[opt] *",
    "% comment",
    "שלום & עולם",
    "two\nlines\u2028and more",
    "\u202eturned",
    "x" * 3000,
    "k\u0302--- `quoted'' \"",
    "(Dror et al. 2017)",
)
COMMANDS = {
    "citep", "texttt", "textbar", "allowbreak", "textbackslash", "textasciitilde",
    "textasciicircum", "textless", "textgreater", "textasciigrave", "textquotedbl",
    "alpha", "chi", "hat", "leq", "geq", "rightarrow", "dots", "ldots",
}  # fmt: skip


def check_latex(latex: str) -> None:
    """Braces and dollars are balanced, commands are ours, nothing special stands alone."""
    first, _, body = latex.partition("\n")
    assert first.startswith("%")
    for paragraph in body.split("\n\n"):
        depth, mathematics, place = 0, False, 0
        while place < len(paragraph):
            character = paragraph[place]
            place += 1
            if character == "\\":
                command = re.compile(r"[A-Za-z]+|.").match(paragraph, place)
                assert command is not None
                assert command[0] in COMMANDS or command[0] in "&%$#_{}", command[0]
                place = command.end()
            elif character == "$":
                mathematics = not mathematics
            elif character in "{}":
                depth += 1 if character == "{" else -1
                assert depth >= 0
            elif character == "^":
                assert mathematics
            else:
                assert (
                    character not in '&%#_~`"'
                    or paragraph[place - 2 : place] == "``"
                    or (paragraph[place - 1 : place + 1] == "``")
                ), (character, paragraph[place - 20 : place + 5])
        assert depth == 0
        assert not mathematics


@pytest.mark.parametrize("name", HOSTILE)
def test_no_name_breaks_latex_or_cites_a_work(name: str) -> None:
    harmless = table(names=("a", "b", "c", "d", "e"), systems=("new", "old"))
    named = table(names=(name, f"{name} 2", "c", "d", "e"), systems=(f"{name} A", f"{name} B"))
    reason = Origin(source=name, dependence_reason=name)
    chosen = AnalysisSettings(excluded=(f"{name} 2",), swapped=True)
    analysis = analyse(named, chosen, origin=reason)
    analysis = replace(analysis, tried={**analysis.tried, "tests": (name,)})
    latex = methods_latex(analysis)
    check_latex(latex)
    plain = analyse(harmless, replace(chosen, excluded=("b",)), origin=reason)
    assert latex.count(r"\citep{") == methods_latex(plain).count(r"\citep{")
    assert references_of(analysis) == references_of(plain)
    assert len(methods_paragraphs(analysis)) == latex.count("\n\n") + 1
    for paragraph in methods_paragraphs(analysis):
        assert not re.search("[\n\r\u2028\u2029\u202e]", paragraph)


@pytest.mark.parametrize("name", HOSTILE)
def test_names_of_tested_data_do_not_break_latex_either(name: str) -> None:
    rng = np.random.default_rng(1)
    drawn = {
        dataset: {f"{name} a": rng.normal(size=9), f"{name} b": rng.normal(size=9)}
        for dataset in (name, "other")
    }
    data = ResultSet.from_scores(drawn, metric=name)
    analysis = analyse(data, AnalysisSettings(test="paired-bootstrap", n_resamples=19))
    check_latex(methods_latex(analysis))
    assert r"\citep{evil2020}" not in methods_latex(analysis)


def test_the_check_of_latex_finds_what_is_wrong() -> None:
    for wrong in ("50% sure", "a_b", "{", "}", "$x", "x & y", r"\input{x}", "a^b", "#"):
        with pytest.raises(AssertionError):
            check_latex(f"% first\n{wrong}")
