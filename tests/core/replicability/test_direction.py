"""From printed p-values to "A better" and "B better", which readings they allow, and papers' wins."""

import math
import re
from typing import Any, Literal

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

from core.data import PValueTable, ResultSet
from core.replicability.assessment import Assessment, assess
from core.replicability.counting import chance_of_a_false_win
from core.replicability.direction import (
    READINGS,
    CommonPractice,
    Sidedness,
    one_sided_p_values,
    p_values_toward_a,
    p_values_toward_b,
    readings_ruled_out,
    small_beside_lower_score,
)
from core.significance.run import run_dataset_tests
from core.types import Alternative
from core.words.counting import common_practice_sentence
from core.words.subject import Subject, questions
from tests.core.replicability import oracles
from tests.core.replicability import published_tables as published
from tests.core.replicability.published_tables import PublishedTable

signs = st.sampled_from([-2.5, -1e-300, 0.0, -0.0, 1e-300, 0.7])


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[float], list[float]]:
    p_values = draw(oracles.float_p_values(15))
    n = len(p_values)
    return p_values, draw(st.lists(signs, min_size=n, max_size=n))


# From two-sided to one-sided


@pytest.mark.parametrize("alternative", ["less", "greater"])
def test_a_paired_t_test_of_scipy_comes_back_from_its_two_sided_p_value(
    alternative: Literal["less", "greater"],
) -> None:
    rng = np.random.default_rng(11)
    for _ in range(20):
        a, b = rng.normal(size=(2, 12))
        two_sided = stats.ttest_rel(a, b).pvalue
        expected = stats.ttest_rel(a, b, alternative=alternative).pvalue
        toward = p_values_toward_a if alternative == "greater" else p_values_toward_b
        found = toward([two_sided], [a.mean() - b.mean()], alternative="two-sided")
        assert found[0] == pytest.approx(expected, rel=1e-10)


# Toward A and toward B


def test_each_reading_turns_the_same_table_into_its_own_p_values_of_a() -> None:
    p_values, differences = [0.04, 0.04, 0.04, 0.9], [1.0, -1.0, 0.0, 0.0]
    expected: dict[Alternative, list[float]] = {
        "greater": [0.04, 0.04, 0.04, 0.9],
        "less": [0.96, 0.96, 0.96, 0.1],
        "two-sided": [0.02, 0.98, 0.98, 0.55],
        # Level: the larger of p and 1 - p/2.
        "toward-higher-score": [0.04, 0.96, 0.98, 0.9],
    }
    for alternative, values in expected.items():
        found = p_values_toward_a(p_values, differences, alternative=alternative)
        np.testing.assert_allclose(found, values, rtol=1e-15)


@pytest.mark.parametrize(
    ("alternative", "exchanged"),
    [
        ("two-sided", "two-sided"),
        ("toward-higher-score", "toward-higher-score"),
        ("greater", "less"),
        ("less", "greater"),
    ],
)
@settings(max_examples=40)
@given(table=tables())
def test_exchanging_the_systems_exchanges_their_p_values(
    alternative: Alternative, exchanged: Alternative, table: tuple[list[float], list[float]]
) -> None:
    p_values, differences = table
    turned = [-difference for difference in differences]
    np.testing.assert_array_equal(
        p_values_toward_b(p_values, differences, alternative=alternative),
        p_values_toward_a(p_values, turned, alternative=exchanged),
    )


@pytest.mark.parametrize("alternative", READINGS)
@settings(max_examples=40)
@given(table=tables())
def test_no_table_speaks_for_both_systems_on_one_dataset(
    alternative: Alternative, table: tuple[list[float], list[float]]
) -> None:
    p_values, differences = table
    toward_a = p_values_toward_a(p_values, differences, alternative=alternative)
    toward_b = p_values_toward_b(p_values, differences, alternative=alternative)
    # A p-value and its complement: together at least 1, and 2 - p where both are level.
    assert np.all(toward_a + toward_b >= 1.0 - 1e-15)
    for values in (toward_a, toward_b):
        assert np.all((values >= 0.0) & (values <= 1.0))


def test_p_values_of_a_need_no_scores_where_they_are_its_own() -> None:
    assert p_values_toward_a([0.1, 0.9], None, alternative="greater").tolist() == [0.1, 0.9]
    assert p_values_toward_b([0.1, 0.9], None, alternative="less").tolist() == [0.1, 0.9]
    np.testing.assert_allclose(
        p_values_toward_b([0.1, 0.75], None, alternative="greater"), [0.9, 0.25]
    )
    np.testing.assert_allclose(
        p_values_toward_a([0.1, 0.75], None, alternative="less"), [0.9, 0.25]
    )


def test_a_p_value_of_one_against_a_system_is_no_certainty_for_the_other() -> None:
    # McNemar's exact test on one discordant example gives 1 to the loser and .5 to the winner,
    # and on none it gives 1 to both.
    for differences in (None, [-0.01], [0.0]):
        assert p_values_toward_b([1.0], differences, alternative="greater")[0] > 0.05
        assert p_values_toward_a([1.0], differences, alternative="less")[0] > 0.05
    assert p_values_toward_a([1.0], [-0.01], alternative="toward-higher-score")[0] > 0.05
    assert p_values_toward_b([1.0], [0.01], alternative="toward-higher-score")[0] > 0.05


# Small p-values beside a lower score


def test_a_small_p_value_beside_a_lower_score_is_marked_and_nothing_else() -> None:
    p_values = np.array([0.05, 0.0500001, 0.05, 0.0, 0.0, 0.9])
    differences = np.array([-1.0, -1.0, 1.0, -0.1, 0.0, -1.0])
    found = small_beside_lower_score(p_values, differences, alpha=0.05)
    assert found.tolist() == [True, False, False, True, False, False]


# Which readings the numbers allow


@pytest.mark.parametrize("alpha", [0.05, 0.01])
@pytest.mark.parametrize(
    ("table", "expected"),
    [
        # All p-values are small or middling and all first scores higher: of the readings for A
        # none is ruled out.
        (published.MATE_SPACY, {"less"}),
        (published.MATE_REDSHIFT, {"less"}),
        # Tamil: .0001 beside 81.55 < 84.97, and Hungarian the other way round. No p-value
        # exceeds .4812.
        (published.MIMICK_CHARTAG, {"greater", "less"}),
        # E→K: .9507 beside .8455 > .845; K→D for "less".
        (published.AESCLSR_MSDA, {"greater", "less", "toward-higher-score"}),
        # YP-130: 0.0 beside .504 < .5315; WS353 for "less".
        (published.W2V_GLOVE, {"greater", "less"}),
    ],
)
def test_the_published_tables_rule_out_these_readings(
    table: PublishedTable, alpha: float, expected: set[str]
) -> None:
    found = readings_ruled_out(table.p_values, table.differences, alpha=alpha)
    assert {entry.alternative for entry in found} == expected
    assert len(found) == len(expected)


def test_the_datasets_that_rule_a_reading_out_are_named() -> None:
    def named(table: PublishedTable) -> dict[str, tuple[list[str], list[str]]]:
        return {
            entry.alternative: (
                [table.datasets[i] for i in entry.small],
                [table.datasets[i] for i in entry.large],
            )
            for entry in readings_ruled_out(table.p_values, table.differences, alpha=0.05)
        }

    reviews, words = named(published.AESCLSR_MSDA), named(published.W2V_GLOVE)
    assert reviews["greater"] == ([], ["E→K"])
    assert reviews["toward-higher-score"] == ([], ["E→K"])
    all_but_two = [name for name in published.AESCLSR_MSDA.datasets if name not in {"E→B", "E→K"}]
    assert reviews["less"] == (all_but_two, [])
    assert words["greater"] == (["YP-130"], [])
    assert "YP-130" not in words["less"][0]


@pytest.mark.parametrize(
    ("p", "difference", "expected"),
    [
        (0.001, -1.0, {"greater"}),
        (0.1, -1.0, {"greater"}),
        (0.11, -1.0, set()),
        (0.001, 1.0, {"less"}),
        (0.1, 1.0, {"less"}),
        (0.11, 1.0, set()),
        (0.9, 1.0, {"greater", "toward-higher-score"}),
        (0.89, 1.0, set()),
        # Near 1 and behind: what "greater" expects and the others do not.
        (0.97, -1.0, {"less", "toward-higher-score"}),
        (0.001, 0.0, set()),
        (1.0, 0.0, set()),
    ],
)
def test_one_row_rules_out_exactly_these_readings(
    p: float, difference: float, expected: set[str]
) -> None:
    found = readings_ruled_out(np.array([p]), np.array([difference]), alpha=0.05)
    assert {entry.alternative for entry in found} == expected


@pytest.mark.parametrize(
    ("n_against", "n", "is_most"), [(3, 3, True), (3, 5, True), (3, 6, False), (2, 3, False)]
)
@pytest.mark.parametrize(("p", "against"), [(0.3, -1.0), (0.7, 1.0)])
def test_most_datasets_on_the_wrong_side_of_one_half_rule_a_one_sided_reading_out(
    p: float, against: float, n_against: int, n: int, is_most: bool
) -> None:
    # The others are level, and speak against no reading.
    p_values, differences = np.full(n, p), np.zeros(n)
    differences[:n_against] = against
    for reading, turned in (("greater", differences), ("less", -differences)):
        found = readings_ruled_out(p_values, turned, alpha=0.05)
        assert {entry.alternative for entry in found} == ({reading} if is_most else set())
        # One half itself is on neither side.
        assert readings_ruled_out(np.full(n, 0.5), turned, alpha=0.05) == ()


def test_without_scores_nothing_is_ruled_out_or_beside_a_lower_one() -> None:
    p_values = np.array([0.001, 0.5, 1.0])
    assert readings_ruled_out(p_values, None, alpha=0.05) == ()
    assert not small_beside_lower_score(p_values, None, alpha=0.05).any()


def test_a_p_value_that_counts_at_a_large_alpha_beside_a_lower_score_rules_out_greater() -> None:
    p_values, differences = np.array([0.15]), np.array([-1.0])
    assert readings_ruled_out(p_values, differences, alpha=0.05) == ()
    (entry,) = readings_ruled_out(p_values, differences, alpha=0.2)
    assert entry.alternative == "greater"


@settings(max_examples=40)
@given(z=st.lists(st.floats(-5.0, 5.0), min_size=1, max_size=15))
def test_true_one_sided_p_values_of_each_kind_never_rule_out_their_own_reading(
    z: list[float],
) -> None:
    statistics = np.array(z)
    assume(np.all(statistics != 0.0))
    of_a = stats.norm.sf(statistics)
    toward_higher = stats.norm.sf(np.abs(statistics))
    for_greater = readings_ruled_out(of_a, statistics, alpha=0.05)
    for_toward = readings_ruled_out(toward_higher, statistics, alpha=0.05)
    for_less = readings_ruled_out(1.0 - of_a, statistics, alpha=0.05)
    assert "greater" not in {entry.alternative for entry in for_greater}
    assert "less" not in {entry.alternative for entry in for_less}
    assert "toward-higher-score" not in {entry.alternative for entry in for_toward}


# Errors


def test_differences_of_another_length_are_refused_with_their_shape() -> None:
    others: tuple[Any, ...] = ([1.0], [1.0, 2.0, 3.0], [[1.0, 2.0]], 1.0, [])
    for differences in others:
        shape = re.escape(str(np.shape(differences)))
        with pytest.raises(ValueError, match=f"`differences`.*got shape {shape} for 2"):
            one_sided_p_values([0.1, 0.2], differences)
    with pytest.raises(ValueError, match=r"`differences`.*got \['ahead', 'behind'\]"):
        one_sided_p_values([0.1, 0.2], ["ahead", "behind"])


@pytest.mark.parametrize("toward", [p_values_toward_a, p_values_toward_b])
def test_readings_and_differences_that_are_none_are_refused(toward: Any) -> None:
    for alternative in ("two-sided", "toward-higher-score"):
        with pytest.raises(ValueError, match=r"`differences`.*nan at index 1"):
            toward([0.1, 0.2], [1.0, math.nan], alternative=alternative)
        with pytest.raises(ValueError, match=f"`differences`.*'{alternative}'"):
            toward([0.1], None, alternative=alternative)
    for name in ("not-stated", "Less", "two_sided", ""):
        with pytest.raises(ValueError, match=f"`alternative`.*'{name}'"):
            toward([0.1], [1.0], alternative=name)


def test_wrong_two_sided_p_values_are_refused_under_their_own_name() -> None:
    with pytest.raises(ValueError, match=r"`two_sided_p_values`.*1\.5 at index 0"):
        one_sided_p_values([1.5], [1.0])


# Small, small beside a lower score, small beside equal scores, between, near 1.
P_VALUES = (0.02, 0.04, 0.01, 0.07, 0.93)
DIRECTIONS = (1.0, -1.0, 0.0, 1.0, 1.0)


def wins(found: Assessment) -> tuple[list[int], list[int], list[int]]:
    """The datasets counted for A, for B and as a difference."""
    answers = (found.answer_a, found.answer_b, found.undirected)
    a, b, differ = (np.flatnonzero(answer.practice.wins).tolist() for answer in answers)
    return a, b, differ


@pytest.mark.parametrize(
    ("alternative", "sidedness"),
    [
        ("two-sided", "two-sided"),
        # .93 leaves no other reading.
        ("not-stated", "two-sided"),
        # A small p beside a lower score contradicts the declaration, so sidedness is open.
        *((declared, "not-stated") for declared in ("greater", "less", "toward-higher-score")),
    ],
)
def test_printed_p_values_are_wins_of_the_system_ahead(
    alternative: Alternative, sidedness: Sidedness
) -> None:
    found = assess(P_VALUES, DIRECTIONS, alternative=alternative)
    assert wins(found) == ([0], [1], [0, 1, 2])
    practice = found.answer_a.practice
    assert (practice.sidedness, practice.ahead) == (sidedness, True)


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
        assert found.answer_a.practice.sidedness == "one-sided"
        assert found.answer_a.practice.ahead == ahead
    without = assess((0.02, 0.3), None).undirected.practice
    assert (without.n, without.sidedness, without.either) == (1, "not-stated", True)


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
            neither = found.answer_a.practice.neither
            assert neither.tolist() == [test != "paired-t", False], (test, systems)
            said = common_practice_sentence(questions(found)[:1], subject)
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
    practice = found.answer_a.practice
    assert (practice.sidedness, practice.ahead, practice.neither) == ("one-sided", False, None)


def test_what_is_not_tested_or_out_of_the_bootstraps_reach_is_no_win() -> None:
    scores = {"d": {"ours": [1.0] * 20, "base": [0.0] * 20}}
    table = run_dataset_tests(
        ResultSet.from_scores(scores), a="ours", b="base", test="paired-bootstrap"
    )
    (result,) = table.results or ()
    assert result.p_value_two_sided == 0.0
    whole = table.with_untested(("d", "later"))
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


def test_seven_equal_datasets_show_a_two_sided_win_of_a_in_16_of_100_studies() -> None:
    rng = np.random.default_rng(7)
    n_studies, n_datasets, n = 2000, 7, 40
    differences = rng.standard_normal((n_studies, n_datasets, n))
    means = differences.mean(axis=2)
    found = np.asarray(stats.ttest_1samp(differences, 0.0, axis=2).pvalue)
    for mean, p_values in zip(means[:20], found[:20], strict=True):
        read = assess(p_values, mean, alternative="two-sided").answer_a
        assert read.practice.n == int(np.sum((p_values <= 0.05) & (mean > 0)))
    wins_of_a = ((found <= 0.05) & (means > 0)).any(axis=1)
    chance = chance_of_a_false_win(n_datasets, two_sided=True)
    assert stats.binomtest(int(wins_of_a.sum()), n_studies, chance).pvalue > 0.001
