"""The common practice: whose wins small p-values are, and how often they are found without any."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

from core.data import PValueTable, ResultSet
from core.replicability.assessment import Assessment, assess
from core.replicability.counting import chance_of_a_false_win, count_by_common_practice
from core.replicability.direction import CommonPractice, Sidedness
from core.significance import run_dataset_tests
from core.types import Alternative
from core.words.counting import common_practice_sentence
from core.words.subject import Subject
from tests.core.replicability import published_tables as published

# Small, small beside a lower score, small beside equal scores, between, near 1.
P_VALUES = (0.02, 0.04, 0.01, 0.07, 0.93)
SIGNS = (1.0, -1.0, 0.0, 1.0, 1.0)


def wins(found: Assessment) -> tuple[list[int], list[int], list[int]]:
    """The datasets counted for A, for B and as a difference."""
    assert found.answer_a is not None
    assert found.answer_b is not None
    answers = (found.answer_a, found.answer_b, found.undirected)
    a, b, differ = (np.flatnonzero(answer.practice.wins).tolist() for answer in answers)
    return a, b, differ


@pytest.mark.parametrize(
    ("alternative", "expected", "sidedness", "ahead"),
    [
        ("two-sided", ([0], [1], [0, 1, 2]), "two-sided", True),
        # .93 leaves no other reading.
        ("not-stated", ([0], [1], [0, 1, 2]), "two-sided", True),
        # A small p beside a lower score contradicts the declaration, so sidedness is open.
        ("greater", ([0], [1], [0, 1, 2]), "not-stated", True),
        ("less", ([0], [1], [0, 1, 2]), "not-stated", True),
        ("toward-higher-score", ([0], [1], [0, 1, 2]), "not-stated", True),
    ],
)
def test_printed_p_values_are_wins_of_the_system_ahead(
    alternative: Alternative,
    expected: tuple[list[int], list[int], list[int]],
    sidedness: Sidedness,
    ahead: bool,
) -> None:
    found = assess(P_VALUES, SIGNS, alternative=alternative)
    assert wins(found) == expected
    assert found.answer_a is not None
    practice = found.answer_a.practice
    assert (practice.sidedness, practice.ahead) == (sidedness, ahead)


def test_each_declaration_that_stands_has_its_own_practice() -> None:
    p_values, signs = (0.02, 0.3, 0.96), (1.0, 1.0, -1.0)
    # One-sided for A: whatever the scores; B's are 1 − p.
    greater = assess(p_values, signs, alternative="greater")
    assert wins(greater)[:2] == ([0], [2])
    less = assess(p_values, (-1.0, -1.0, 1.0), alternative="less")
    assert wins(less)[:2] == ([2], [0])
    toward = assess((0.02, 0.04, 0.3), (1.0, -1.0, 1.0), alternative="toward-higher-score")
    # As evidence of a difference each p-value counts twice: .08 is none.
    assert wins(toward) == ([0], [1], [0])
    for found, ahead in ((greater, False), (less, False), (toward, True)):
        assert found.answer_a is not None
        assert found.answer_a.practice.sidedness == "one-sided"
        assert found.answer_a.practice.ahead == ahead
    without = assess((0.02, 0.3), None).undirected.practice
    assert (without.n, without.sidedness, without.either) == (1, "not-stated", True)


def test_without_direction_the_practice_is_the_papers_own_count() -> None:
    tables = {
        published.MATE_SPACY: (7, 7),
        published.MATE_REDSHIFT: (2, 1),
        published.MIMICK_CHARTAG: (11, 7),
        published.AESCLSR_MSDA: (10, 6),
        published.W2V_GLOVE: (8, 6),
    }
    for table, expected in tables.items():
        for alpha, count in zip((0.05, 0.01), expected, strict=True):
            found = assess(table.p_values, table.differences, alpha=alpha)
            a, b, differ = wins(found)
            assert found.n_printed == len(differ) == count, table.datasets
            assert count_by_common_practice(table.p_values, alpha=alpha) == count
            assert sorted([*a, *b]) == differ, "no scores are equal beside a small p-value"


def test_own_tests_count_by_their_own_two_sided_p_values() -> None:
    rng = np.random.default_rng(15)
    # Skewed differences of few examples: the two one-sided p-values are no halves of the two-sided.
    scores = {
        f"d{i}": {
            "ours": np.round(rng.exponential(1.0, 12) + shift, 2),
            "base": np.round(rng.exponential(1.0, 12), 2),
        }
        for i, shift in enumerate((0.0, 0.4, 0.5, 0.6, 0.7, 0.8, 1.0, -0.5, -0.7, -1.0))
    }
    data = ResultSet.from_scores(scores)
    for test in ("paired-bootstrap", "approximate-randomization", "wilcoxon", "paired-t", "sign"):
        table = run_dataset_tests(data, a="ours", b="base", test=test, rng=0)
        for alpha in (0.01, 0.05, 0.1, 0.2):
            found = assess_table(table, alpha)
            ahead = [float(np.mean(each["ours"] - each["base"])) for each in scores.values()]
            results = [result for result in table.results or () if result is not None]
            own = [
                two_sided_by_scipy(test, each) or result.p_value_two_sided
                for each, result in zip(scores.values(), results, strict=True)
            ]
            small = [p <= alpha for p in own]
            toward_a = [result.p_value_greater < result.p_value_less for result in results]
            for side, toward in enumerate((True, False)):
                assert wins(found)[side] == [
                    i
                    for i, one in enumerate(small)
                    if one and toward_a[i] == toward and (ahead[i] > 0) == toward
                ], test
            assert found.answer_a is not None
            assert found.answer_a.practice.sidedness == "two-sided"


def test_a_small_p_value_whose_test_and_mean_disagree_is_a_win_of_neither() -> None:
    # Nine gains of .02 and one loss of .4: ranks and signs speak for A, the mean for B.
    gains = np.tile([0.02] * 9 + [-0.4], 20)
    level = np.round(np.linspace(1.0, 2.0, gains.size), 3)
    agreeing = {"ours": np.round(level + np.tile([0.02, 0.03], 100), 3), "base": level}
    rare = {"ours": np.round(level + gains, 3), "base": level}
    for swapped in (False, True):
        systems = ("base", "ours") if swapped else ("ours", "base")
        data = ResultSet.from_scores({"rare": rare, "agreeing": agreeing})
        expected: dict[str, tuple[list[int], list[int]]] = {
            "wilcoxon": ([1], []),
            "sign": ([1], []),
            "paired-t": ([1], [0]),
        }
        for test, (for_ours, for_base) in expected.items():
            table = run_dataset_tests(data, a=systems[0], b=systems[1], test=test)
            found = assess_table(table, 0.05)
            counted = (for_base, for_ours) if swapped else (for_ours, for_base)
            assert wins(found) == (*counted, [0, 1]), (test, systems)
            subject = Subject(system_a=systems[0], system_b=systems[1], datasets=table.datasets)
            assert found.answer_a is not None
            neither = found.answer_a.practice.neither
            assert neither is not None
            assert neither.tolist() == [test != "paired-t", False], (test, systems)
            said = common_practice_sentence(found.answer_a, subject, claim="a-better")
            assert ("Not counted: 1 " in said) == (test != "paired-t"), (test, systems)
            assert "Holm" not in said, (test, systems)


def two_sided_by_scipy(test: str, scores: dict[str, np.ndarray]) -> float | None:
    """SciPy's two-sided p-value, None where it has no such test."""
    differences = np.round(scores["ours"] - scores["base"], 2)
    if test == "paired-t":
        return float(stats.ttest_rel(scores["ours"], scores["base"]).pvalue)
    if test == "sign":
        wins_of_a = int(np.sum(differences > 0))
        return float(stats.binomtest(wins_of_a, int(np.sum(differences != 0))).pvalue)
    return None


def assess_table(table: PValueTable, alpha: float) -> Assessment:
    return assess(
        table.p_values,
        table.differences,
        alternative=table.alternative,
        alpha=alpha,
        p_values_b=table.p_values_b,
        p_values_two_sided=table.p_values_two_sided,
    )


def test_without_two_sided_p_values_as_at_a_margin_each_claims_own_are_counted() -> None:
    # The margins of the two claims lie apart: both may hold on one dataset.
    p_values, p_values_b = (0.02, 0.9, 0.4, 0.03), (0.97, 0.04, 0.024, 0.02)
    found = assess(p_values, (1.0, -1.0, -1.0, 1.0), alternative="greater", p_values_b=p_values_b)
    assert wins(found) == ([0, 3], [1, 2, 3], [0, 2, 3])
    assert found.answer_a is not None
    practice = found.answer_a.practice
    assert (practice.sidedness, practice.ahead, practice.neither) == ("one-sided", False, None)


def test_a_two_sided_p_value_is_not_twice_the_smaller_one_sided_one() -> None:
    # Bootstrap of 6 wins by 1 and 1 loss by 3: two-sided |δ* − δ| ≥ |δ|, not twice δ* ≥ 2δ.
    scores = {"d": {"ours": [1.0] * 6 + [0.0], "base": [0.0] * 6 + [3.0]}}
    table = run_dataset_tests(
        ResultSet.from_scores(scores), a="ours", b="base", test="paired-bootstrap"
    )
    (result,) = table.results or ()
    twice = 2.0 * min(result.p_value_greater, result.p_value_less)
    between = 0.5 * (twice + result.p_value_two_sided)
    assert abs(twice - result.p_value_two_sided) > 0.01
    counted = assess_table(table, between).answer_a
    assert counted is not None
    assert counted.practice.n == int(result.p_value_two_sided < twice)


def test_what_is_not_tested_or_out_of_the_bootstraps_reach_is_no_win() -> None:
    scores = {"d": {"ours": [1.0] * 20, "base": [0.0] * 20}}
    table = run_dataset_tests(
        ResultSet.from_scores(scores), a="ours", b="base", test="paired-bootstrap"
    )
    (result,) = table.results or ()
    assert result.p_value_two_sided == 0.0
    whole = table.with_untested(("d", "later"))
    assert whole.p_values_two_sided is not None
    assert whole.p_values_two_sided.tolist() == [1.0, 1.0]


def test_a_practice_knows_the_chance_of_its_own_false_win() -> None:
    # At N = 7 and α = .05: 30% one-sided, 16% two-sided with A ahead, of both systems 52% and 30%;
    # by what the p-values are, as a difference, of both systems, and as they would be read.
    cases: tuple[tuple[Sidedness, bool, bool, Sidedness | None, float], ...] = (
        ("one-sided", False, False, None, 0.3017),
        ("two-sided", False, False, None, 0.1624),
        ("two-sided", False, True, None, 0.3017),
        ("two-sided", True, False, None, 0.3017),
        ("one-sided", False, True, None, 0.5217),
        # Where nothing is stated the larger chance, or two-sided for a difference.
        ("not-stated", False, False, None, 0.3017),
        ("not-stated", True, False, None, 0.3017),
        ("not-stated", False, False, "two-sided", 0.1624),
        ("two-sided", False, False, "one-sided", 0.3017),
    )
    for sidedness, either, of_both, read_as, expected in cases:
        practice = CommonPractice(
            wins=np.ones(7, dtype=np.bool_), alpha=0.05, sidedness=sidedness, either=either
        )
        chance = practice.chance_of_a_false_win(of_both=of_both, sidedness=read_as)
        assert chance == pytest.approx(expected, abs=5e-5), (sidedness, either, of_both, read_as)
    both: Any = "both"
    with pytest.raises(ValueError, match="sidedness"):
        practice.chance_of_a_false_win(sidedness=both)


def test_seven_equal_datasets_show_a_two_sided_win_of_a_in_16_of_100_studies() -> None:
    rng = np.random.default_rng(7)
    n_studies, n_datasets, n = 2000, 7, 40
    differences = rng.standard_normal((n_studies, n_datasets, n))
    means = differences.mean(axis=2)
    found = np.asarray(stats.ttest_1samp(differences, 0.0, axis=2).pvalue)
    for mean, p_values in zip(means[:20], found[:20], strict=True):
        read = assess(p_values, mean, alternative="two-sided").answer_a
        assert read is not None
        assert read.practice.n == int(np.sum((p_values <= 0.05) & (mean > 0)))
    wins_of_a = ((found <= 0.05) & (means > 0)).any(axis=1)
    chance = chance_of_a_false_win(n_datasets, two_sided=True)
    assert stats.binomtest(int(wins_of_a.sum()), n_studies, chance).pvalue > 0.001
