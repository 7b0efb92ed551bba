"""What a test finds: the result's own words, Robbins' confidence sequence, effect sizes."""

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from core.data import ResultSet
from core.significance.choose import suitable_tests
from core.significance.outcome import EffectSize, Sides, attainable, confidence_sequence
from core.significance.run import run_dataset_tests
from core.significance.settings import ZEROS
from core.significance.single import SignificanceResult, run_significance_test
from tests.core.significance.sides import (
    OF_TWO,
    RESAMPLING,
    of_differences,
    resampling_tests,
    sides,
)


@given(b=st.integers(1, 300), data=st.data())
def test_the_sequence_is_its_definition(b: int, data: st.DataObject) -> None:
    s = data.draw(st.integers(0, b))

    def weight(t: Fraction) -> Fraction:
        return (b + 1) * math.comb(b, s) * t**s * (1 - t) ** (b - s)

    low, high = confidence_sequence(s, b)
    limit = Fraction(1, 1000)
    assert 0.0 <= low <= s / b <= high <= 1.0
    assert (low == 0.0) == (s == 0)
    assert (high == 1.0) == (s == b)
    for edge, inwards in ((low, 1), (high, -1)):
        if 0.0 < edge < 1.0:
            step = Fraction(edge) / 10**9 * inwards
            assert weight(Fraction(edge) + step) > limit >= weight(Fraction(edge) - step)


def test_the_sequence_holds_the_truth_at_every_look() -> None:
    rng = np.random.default_rng(0)
    looks = [10, 30, 100, 300, 1000, 3000, 9999]
    for p in (0.003, 0.05, 0.5):
        missed = 0
        for _ in range(200):
            extreme = np.cumsum(rng.random(looks[-1]) < p)
            missed += any(
                not low <= p <= high
                for low, high in (confidence_sequence(int(extreme[b - 1]), b) for b in looks)
            )
        # Promised: at most one in a thousand. Three of 200 would happen by chance in .0011.
        assert missed <= 2


@pytest.mark.parametrize(
    ("n_differing", "n", "more", "so_few", "p"),
    [
        (6, 6, {}, "n = 6", ".01562"),
        (6, 6, {"mid_p": True}, None, None),
        (7, 7, {}, None, None),
        (7, 9, {"alternative": "two-sided"}, "only 7 of 9 examples differ", ".01562"),
        (7, 7, {"alternative": "two-sided", "mid_p": True}, None, None),
        (5, 6, {"mid_p": True}, "only 5 of 6 examples differ", ".01562"),
        (1, 3, {}, "only 1 of 3 examples differs", ".5"),
        (1, 1, {"unit": "clusters"}, "1 cluster", ".5"),
        (2, 2, {"unit": "clusters"}, "2 clusters", ".25"),
        (0, 4, {}, None, None),
    ],
)
def test_what_so_few_differing_examples_can_give_is_said_above_a_hundredth(
    n_differing: int, n: int, more: dict[str, Any], so_few: str | None, p: str | None
) -> None:
    found = attainable(**{"alternative": "greater", "n_differing": n_differing, "n": n, **more})
    assert found == ((f"{so_few}: the smallest attainable p is {p}",) if so_few else ())


def test_the_signature_names_what_the_number_depends_on() -> None:
    values = np.random.default_rng(0).normal(size=30)
    how: dict[str, Any] = {"n_resamples": 99, "estimator": "berg-kirkpatrick", "rng": 0}
    drawn = of_differences(values, "paired-bootstrap", resample_size=20, **how)
    assert drawn.signature.rsplit("|", 1)[0] == (
        "test:paired-bootstrap|metric:mean|alt:greater|method:monte-carlo|"
        "estimator:berg-kirkpatrick|resamples:99|resample-size:20|seed:0|n:30"
    )
    exact = run_significance_test([1, 0, 1], [0, 0, 1], test="mcnemar", rng=0)
    assert exact.signature.startswith("test:mcnemar|metric:mean|alt:greater|method:exact|n:3|v:")
    ranks = run_significance_test([3, 2], [1, 1], test="wilcoxon", zeros="pratt")
    assert "zeros:pratt" in ranks.signature
    # Which of two opposite p-values it is, and whose stream of one seed was drawn.
    lower = run_significance_test([1, 0, 1], [0, 0, 1], test="mcnemar", higher_is_better=False)
    assert "|metric:mean|lower:better|" in lower.signature
    results = ResultSet.from_scores({"news": {"A": values, "B": np.zeros(30)}})
    for method, among in (("monte-carlo", "|seed:0|dataset:news|n:30|"), ("exact", "|n:30|")):
        (one,) = (
            run_dataset_tests(
                results, a="A", b="B", test="wilcoxon" if method == "exact" else "paired-bootstrap"
            ).results
            or ()
        )
        assert one is not None
        assert among in one.signature
        assert ("news" in one.signature) == (method == "monte-carlo")


def with_p_values(greater: float, less: float, **settings: Any) -> SignificanceResult:
    values = np.random.default_rng(0).normal(size=30)
    drawn = run_significance_test(values, np.zeros(30), test="paired-bootstrap", rng=0)
    difference = settings.pop("difference", 0.1)
    p_values = Sides(greater, less, 1.0)
    changes = {"p_values": p_values, "method": "monte-carlo", **settings}
    return replace(drawn, difference=difference, **changes)


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        # No resample of many is extreme for the system that is ahead: strong evidence.
        ({}, False),
        ({"method": "exact"}, True),
        ({"less": 0.0}, True),
        ({"difference": 0.0}, True),
        ({"difference": -0.1}, True),
        ({"greater": 0.0001, "unreachable": "greater"}, True),
        ({"greater": 0.0001, "method": "exact", "difference": -0.1}, False),
    ],
)
def test_a_zero_is_evidence_only_of_resamples_and_for_the_system_ahead(
    settings: dict[str, Any], expected: bool
) -> None:
    given = {"greater": 0.0, "less": 0.9, **settings}
    assert with_p_values(**given).out_of_reach[0] is expected
    if "unreachable" in settings:
        given["unreachable"] = "less"
    turned = {
        **given,
        "greater": given["less"],
        "less": given["greater"],
        "difference": -given.get("difference", 0.1),
    }
    assert with_p_values(**turned).out_of_reach[1] is expected


pairs = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=2, max_size=30)


def effect(a: Any, b: Any, test: Any, **how: Any) -> EffectSize | None:
    return run_significance_test(a, b, test=test, n_resamples=99, rng=0, **how).effect_size


@settings(max_examples=40)
@given(pairs)
def test_d_z_is_t_over_the_root_of_n(rows: list[tuple[int, int]]) -> None:
    a, b = ([pair[side] / 10 for pair in rows] for side in (0, 1))
    if len({x - y for x, y in rows}) == 1:
        assert effect(a, b, "paired-t") is None
        return
    size = effect(a, b, "paired-t")
    expected = stats.ttest_rel(a, b).statistic / math.sqrt(len(rows))
    assert (size.name, size.note) == ("Cohen's d_z", "")
    assert size.value == pytest.approx(expected, abs=1e-12)


@settings(max_examples=40)
@given(pairs)
def test_the_rank_biserial_correlation_is_that_of_scipys_rank_sums(
    rows: list[tuple[int, int]],
) -> None:
    a, b = ([float(pair[side]) for pair in rows] for side in (0, 1))
    wilcoxon: Any = stats.wilcoxon
    for zeros in ZEROS:
        size = effect(a, b, "wilcoxon", zeros=zeros)
        if a == b:
            assert size is None
            continue
        assert size.name == "matched-pairs rank-biserial correlation"
        for_a, for_b = (
            wilcoxon(*pair, zero_method=zeros, alternative="greater", method="asymptotic")
            for pair in ((a, b), (b, a))
        )
        share_a = for_a.statistic / (for_a.statistic + for_b.statistic)
        assert size.value == pytest.approx(2.0 * share_a - 1.0), zeros


def test_the_odds_ratio_is_that_of_the_discordant_examples() -> None:
    def of_counts(b: int, c: int, test: str) -> EffectSize | None:
        return effect([1] * (5 + b) + [0] * c, [1] * 5 + [0] * b + [1] * c, test)

    for test in ("mcnemar", "mcnemar-mid-p", "mcnemar-chi2", "mcnemar-chi2-corrected"):
        assert of_counts(6, 3, test) == EffectSize(name="odds ratio b/c", value=2.0)
        assert of_counts(0, 3, test) == EffectSize(name="odds ratio b/c", value=0.0)
        assert of_counts(0, 0, test) is None
        size = of_counts(7, 0, test)
        assert math.isinf(size.value)
        assert "is 15" in size.note


@settings(max_examples=40)
@given(pairs)
def test_the_win_share_counts_decided_examples(rows: list[tuple[int, int]]) -> None:
    a, b = ([float(pair[side]) for pair in rows] for side in (0, 1))
    decided = [x > y for x, y in rows if x != y]
    size = effect(a, b, "sign")
    if not decided:
        assert size is None
        return
    assert size == EffectSize(name="win share", value=float(np.mean(decided)))


def test_cohens_q_is_the_difference_of_fishers_z() -> None:
    rng = np.random.default_rng(1)
    gold = rng.normal(size=40)
    a, b = gold + rng.normal(size=40), gold + 2.0 * rng.normal(size=40)
    for kind, function in OF_TWO.items():
        r_a, r_b = (float(function(gold, x).statistic) for x in (a, b))
        expected = 0.5 * math.log((1 + r_a) / (1 - r_a)) - 0.5 * math.log((1 + r_b) / (1 - r_b))
        for test in suitable_tests(kind):
            for higher in (True, False):
                size = effect(a, b, test, metric=kind, gold=gold, higher_is_better=higher)
                assert size.name == "Cohen's q"
                assert size.value == pytest.approx(expected if higher else -expected), (kind, test)


def test_a_perfect_correlation_has_no_q() -> None:
    gold = [1.0, 2.0, 3.0, 4.0, 5.0]
    for test in ("approximate-randomization", "williams", "paired-bootstrap"):
        other = [1.0, 2.0, 3.0, 5.0, 4.0]
        assert effect(gold, other, test, gold=gold, metric="spearman") is None
    same = effect(gold, gold, "williams", gold=gold)
    assert same.value == 0.0


@resampling_tests
def test_resampling_of_means_has_none(test: Any) -> None:
    rng = np.random.default_rng(2)
    assert effect(rng.normal(0.5, 1.0, 30), rng.normal(0.0, 1.0, 30), test) is None


@settings(max_examples=60)
@given(pairs, st.sampled_from(["mcnemar", "paired-t", "wilcoxon", "sign", *RESAMPLING]))
def test_a_result_exchanged_is_that_of_the_systems_exchanged(
    rows: list[tuple[int, int]], test: Any
) -> None:
    if test == "mcnemar":
        rows = [(int(x > 3), int(y > 3)) for x, y in rows]
    a, b = ([pair[side] / (1 if test == "mcnemar" else 10) for pair in rows] for side in (0, 1))
    found = run_significance_test(a, b, test=test, rng=0).swapped()
    other_way = run_significance_test(b, a, test=test, rng=0)
    for name in ("wins", "ties", "losses", "out_of_reach", "unreachable", "notes"):
        assert getattr(found, name) == getattr(other_way, name), name
    assert sides(found) == pytest.approx(sides(other_way), rel=1e-9)
    for name in ("score_a", "score_b", "difference", "skewness", "confidence_interval"):
        expected = pytest.approx(getattr(other_way, name), abs=1e-12)
        assert getattr(found, name) == expected, name
    effect = found.effect_size
    if effect is None or other_way.effect_size is None:
        assert effect is other_way.effect_size
        return
    assert effect.value == pytest.approx(other_way.effect_size.value, abs=1e-12)
    # With the note of an infinite one.
    assert (effect.name, effect.note) == (other_way.effect_size.name, other_way.effect_size.note)


def test_extreme_resamples_exchanged_are_those_of_the_other_system() -> None:
    a, b = np.random.default_rng(3).normal(0.0, 1.0, (2, 40))
    found = run_significance_test(a, b, test="paired-bootstrap", n_resamples=199, rng=0)
    assert found.n_extreme_of("greater") != found.n_extreme_of("less")
    exchanged: Any = {"greater": "less", "less": "greater", "two-sided": "two-sided"}
    for one, other in exchanged.items():
        assert found.swapped().n_extreme_of(one) == found.n_extreme_of(other)
