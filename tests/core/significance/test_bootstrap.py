"""The paired bootstrap against every resample, what its Monte Carlo promises, and SciPy's intervals."""

import itertools
import math
from collections.abc import Callable
from fractions import Fraction
from functools import cache, partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from core.significance.bootstrap import interval_of
from core.significance.single import run_significance_test
from core.significance.stopping import Stopped
from tests.core.significance import oracles
from tests.core.significance.sides import of_differences, sides

run = partial(of_differences, test="paired-bootstrap")


@settings(max_examples=40)
@given(tenths=oracles.tenths(5), strict=st.booleans())
def test_exact_is_the_share_of_all_resamples(tenths: list[int], strict: bool) -> None:
    n = len(tenths)
    expected = oracles.by_every_draw(
        n, lambda drawn: Fraction(sum(tenths[i] for i in drawn), n), strict=strict
    )
    result = run([t / 10 for t in tenths], estimator="berg-kirkpatrick" if strict else "add-one")
    assert result.exact
    assert sides(result) == pytest.approx(expected, rel=1e-12, abs=1e-12)
    # Of the system that is ahead no resample may be extreme.
    ahead = "greater" if sum(tenths) > 0 else "less"
    none = expected[ahead == "less"] == 0 and sum(tenths) != 0
    assert result.unreachable == (ahead if none else None)


@pytest.mark.parametrize("size", [1, 3, 50, 120])
def test_exact_with_another_resample_size_compares_means_not_sums(size: int) -> None:
    values = [1] * 20 + [0] * 22 + [-1] * 8
    distribution = oracles.draw_sums(values, size)
    mean = Fraction(sum(values), len(values))
    result = run(values, resample_size=size)
    expected = (
        oracles.upper(distribution, 2 * mean * size),
        oracles.lower(distribution, 2 * mean * size),
        oracles.upper(distribution, 2 * mean * size) + oracles.lower(distribution, 0),
    )
    assert sides(result) == pytest.approx([float(p) for p in expected], rel=1e-11)
    assert result.resample_size == size
    assert any("reproduction" in note for note in result.notes) == (size != 50)
    assert any("too small" in note for note in result.notes) == (size > 50)


@pytest.mark.parametrize(
    "values",
    [
        [1] * 20 + [0] * 70 + [-1] * 10,
        [1] * 10 + [0] * 70 + [-1] * 20,
        np.round(np.random.default_rng(5).normal(0.1, 1.0, 60), 1),
        [0.3, -0.1, 0.2, 0.2, 0.0, 0.1],
    ],
)
@pytest.mark.parametrize("estimator", ["add-one", "berg-kirkpatrick"])
def test_monte_carlo_lies_as_near_the_exact_value_as_it_must(
    values: object, estimator: str
) -> None:
    exact = run(values, estimator=estimator)
    drawn = run(values, estimator=estimator, method="monte-carlo", n_resamples=20_000, rng=0)
    assert exact.exact
    assert not drawn.exact
    assert oracles.near(sides(drawn), sides(exact), 20_000)
    assert drawn.confidence_interval == pytest.approx(exact.confidence_interval, abs=0.03)


def test_measurements_agree_with_plain_resampling_of_pairs() -> None:
    rng = np.random.default_rng(2)
    a, b = rng.normal(0.15, 1, 80), rng.normal(0, 1, 80)
    result = run_significance_test(a, b, test="paired-bootstrap", n_resamples=20_000, rng=0)
    indices = np.random.default_rng(3).integers(0, 80, (20_000, 80))
    resampled = a[indices].mean(axis=1) - b[indices].mean(axis=1)
    p = (np.count_nonzero(resampled >= 2 * (a - b).mean()) + 1) / 20_001
    assert result.p_value == pytest.approx(p, abs=6 * math.sqrt(2 * p * (1 - p) / 20_000))
    assert not result.exact
    assert any("not multiples of one step" in note for note in result.notes)


def test_measurements_have_the_same_p_values_in_any_unit() -> None:
    rng = np.random.default_rng(5)
    a, b = rng.normal(0.2, 1, 40), rng.normal(0, 1, 40)
    found = {
        sides(run_significance_test(unit * a, unit * b, test="paired-bootstrap", rng=0))
        for unit in (2.0**-40, 1.0, 2.0**40)
    }
    assert len(found) == 1


def test_scores_too_fine_for_an_exact_p_value_have_the_same_note_on_every_dataset() -> None:
    wide = np.arange(400) ** 2 / 4 + 0.25
    notes = {
        run_significance_test(m * wide, wide, test="paired-bootstrap", rng=0).notes for m in (2, 5)
    }
    assert notes == {("Monte Carlo: the exact distribution would need more than 4,194,304 bins",)}


def test_of_no_extreme_resample_the_published_estimator_says_that_they_are_too_few() -> None:
    values = np.random.default_rng(4).normal(0.0, 1.0, 60)
    for shift, said in ((0.6, True), (0.1, False)):
        for estimator in ("berg-kirkpatrick", "add-one"):
            result = run(values + shift, estimator=estimator, n_resamples=99, rng=0)
            assert (result.n_extreme == 0) is said
            note = "p = 0 of s/b says only that b is too small for it"
            assert (note in result.notes) is (said and estimator == "berg-kirkpatrick")


def test_the_published_estimator_gives_zero_to_equal_systems_and_says_so() -> None:
    for method in ("auto", "monte-carlo"):
        result = run([0.0] * 10, estimator="berg-kirkpatrick", method=method, rng=0)
        assert sides(result) == (0.0, 0.0, 0.0)
        # Neither direction more than the other, and neither to be counted.
        assert result.unreachable is None
        assert result.out_of_reach == (True, True)
        assert any("keep it out of counting" in note for note in result.notes)
        usual = run([0.0] * 10, method=method, rng=0)
        assert sides(usual) == (1.0, 1.0, 1.0)
        assert usual.statistic == result.statistic == 0.0
        assert usual.out_of_reach == (False, False)


@pytest.mark.parametrize("method", ["exact", "monte-carlo"])
@pytest.mark.parametrize("values", [[1.0] + [0.0] * 0, [0.5] * 8, [1.0] * 9 + [0.9]])
def test_twice_the_difference_out_of_reach_is_said(values: list[float], method: str) -> None:
    result = run(values, method=method, rng=0)
    assert any("out of the bootstrap's reach" in note for note in result.notes)
    assert (result.p_value == 0.0) == result.exact
    assert result.out_of_reach == (True, False)
    # What never varies has no interval of one point, which would pass for certainty.
    assert (result.confidence_interval is None) == (len(set(values)) == 1)
    turned = run([-v for v in values], method=method, rng=0)
    assert any("out of the bootstrap's reach" in note for note in turned.notes)
    assert turned.p_value == 1.0
    assert turned.out_of_reach == (False, True)


@settings(max_examples=40)
@given(tenths=oracles.tenths(40, 2), level=st.sampled_from([0.5, 0.9, 0.95, 0.99]))
def test_the_interval_excludes_zero_exactly_where_the_one_sided_p_value_is_small(
    tenths: list[int], level: float
) -> None:
    half = (1 - level) / 2
    for method in ("exact", "monte-carlo"):
        how: dict[str, Any] = {"confidence_level": level, "rng": 0, "n_resamples": 199}
        result = run([t / 10 for t in tenths], method=method, **how)
        if result.confidence_interval is None:
            assert len(set(tenths)) == 1 or method == "monte-carlo"
            continue
        low, high = result.confidence_interval
        assert low <= high
        near = any(abs(p - half) < 1e-9 for p in sides(result))
        if not near or method == "monte-carlo":
            assert (low > 1e-12) == (result.p_value_greater <= half + 1e-12)
            assert (high < -1e-12) == (result.p_value_less <= half + 1e-12)


@pytest.mark.parametrize("size", [12, 20])
@pytest.mark.parametrize("strict", [False, True])
def test_sums_of_floats_that_no_lattice_holds_tie_but_for_rounding(size: int, strict: bool) -> None:
    # Sums of π, √2 and 0 are equal only where they hold as many of each.
    values = np.repeat([math.pi, math.sqrt(2.0), 0.0], [2, 1, 9])
    n_resamples = 40_000
    threshold = 2 * size * (2 * math.pi + math.sqrt(2.0)) / 12
    expected = [0.0, 0.0]
    for of_pi in range(size + 1):
        for of_root in range(size + 1 - of_pi):
            drawn = [of_pi, of_root, size - of_pi - of_root]
            share = float(stats.multinomial.pmf(drawn, size, [2 / 12, 1 / 12, 9 / 12]))
            total = of_pi * math.pi + of_root * math.sqrt(2.0)
            is_tie = math.isclose(total, threshold, rel_tol=1e-9)
            expected[0] += share * (not strict if is_tie else total > threshold)
            expected[1] += share * (not strict and total == 0.0)
    estimator = "berg-kirkpatrick" if strict else "add-one"
    how: dict[str, Any] = {"resample_size": size, "estimator": estimator, "rng": 5}
    ahead, behind = (run(v, n_resamples=n_resamples, **how) for v in (values, -values))
    assert not ahead.exact
    for greater, two_sided in (
        (ahead.p_value_greater, ahead.p_value_two_sided),
        (behind.p_value_less, behind.p_value_two_sided),
    ):
        for found, chance in ((greater, expected[0]), (two_sided, sum(expected))):
            error = math.sqrt(chance / n_resamples) + 1 / n_resamples
            assert found == pytest.approx(chance, abs=5.0 * error)


def test_an_exact_distribution_can_be_stopped_between_transforms() -> None:
    values = np.round(np.random.default_rng(0).normal(1, 3, 1500), 1)
    asked = itertools.count(1)
    with pytest.raises(Stopped):
        run(values, method="exact", keep_going=lambda: next(asked) < 2)
    assert next(asked) == 3


N = 60
RNG = np.random.default_rng(1987)
# Skewed, so that the three intervals are apart.
SKEWED = RNG.lognormal(0.0, 1.0, N) - 1.0
B = RNG.normal(0.0, 0.3, N)
TOTALS = RNG.integers(1, 40, N).astype(float)
CLUSTERS = np.repeat(np.arange(N // 3), 3)

Statistic = Callable[..., Any]


@cache
def scipys(case: str) -> dict[str, Any]:
    """SciPy's three intervals, of resamples that it draws once."""
    _, statistic, data = CASES[case]
    how: dict[str, Any] = {"paired": True, "vectorized": False}
    drawn = stats.bootstrap(
        data, statistic, n_resamples=19_999, method="basic", rng=np.random.default_rng(0), **how
    )
    of_drawn = partial(
        stats.bootstrap, data, statistic, n_resamples=0, bootstrap_result=drawn, **how
    )
    return {
        "basic": drawn.confidence_interval,
        "percentile": of_drawn(method="percentile").confidence_interval,
        "bca": of_drawn(method="BCa").confidence_interval,
    }


def ratio_of(d: np.ndarray, total: np.ndarray) -> float:
    return float(d.sum() / total.sum())


def f1_difference(*columns: np.ndarray) -> float:
    tp, fp, fn, tp_b, fp_b, fn_b = (column.sum() for column in columns)
    return float(2 * tp / (2 * tp + fp + fn) - 2 * tp_b / (2 * tp_b + fp_b + fn_b))


COUNTS = [
    np.column_stack([RNG.binomial(TOTALS.astype(int), p), RNG.poisson(1.0, N), RNG.poisson(q, N)])
    for p, q in ((0.8, 1.0), (0.6, 5.0))
]
A_CORRECT = np.minimum(np.rint(TOTALS * RNG.beta(8, 1, N)), TOTALS)
B_CORRECT = np.rint(TOTALS * 0.6)
RATIOS = [np.column_stack([correct, TOTALS]) for correct in (A_CORRECT, B_CORRECT)]
UNEQUAL = np.sort(RNG.integers(0, 25, N))


def correlation_difference(kind: str) -> Statistic:
    def difference(*columns: np.ndarray) -> float:
        together = stats.rankdata(columns, axis=1) if kind == "spearman" else columns
        r: Any = np.corrcoef(together)
        return float(r[0, 1] - r[0, 2])

    return difference


def by_cluster(values: np.ndarray, labels: np.ndarray) -> np.ndarray:
    return np.array([values[labels == label].sum() for label in np.unique(labels)])


D = SKEWED - B
CASES: dict[str, tuple[dict[str, Any], Statistic, tuple[np.ndarray, ...]]] = {
    "mean, drawn": ({"a": SKEWED, "b": B}, np.mean, (D,)),
    "mean, exact": ({"a": np.round(SKEWED, 1), "b": np.zeros(N)}, np.mean, (np.round(SKEWED, 1),)),
    # Beside another test the interval has draws of its own.
    "mean, drawn beside a t-test": ({"a": SKEWED, "b": B, "test": "paired-t"}, np.mean, (D,)),
    "ratio": (
        {"a": RATIOS[0], "b": RATIOS[1], "metric": "ratio"},
        ratio_of,
        (A_CORRECT - B_CORRECT, TOTALS),
    ),
    "f1": (
        {"a": COUNTS[0], "b": COUNTS[1], "metric": "f1"},
        f1_difference,
        (*COUNTS[0].T, *COUNTS[1].T),
    ),
    "clusters": (
        {"a": SKEWED, "b": B, "clusters": UNEQUAL},
        ratio_of,
        (by_cluster(D, UNEQUAL), by_cluster(np.ones(N), UNEQUAL)),
    ),
    "clusters of one size": (
        {"a": SKEWED, "b": B, "clusters": CLUSTERS},
        np.mean,
        (by_cluster(D, CLUSTERS) / 3,),
    ),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("kind", ["basic", "percentile", "bca"])
def test_it_is_scipys(case: str, kind: Any) -> None:
    arguments, _, _ = CASES[case]
    result = run_significance_test(
        **{"test": "paired-bootstrap", **arguments}, interval=kind, n_resamples=19_999, rng=1
    )
    low, high = scipys(case)[kind]
    found = result.confidence_interval
    width = high - low
    # Ends are quantiles of 19,999 draws on either side: about 1% of the width.
    assert found[0] == pytest.approx(low, abs=0.03 * width)
    assert found[1] == pytest.approx(high, abs=0.03 * width)
    told = any("may disagree with p" in note for note in result.notes)
    assert told == (kind != "basic")
    assert (f"|interval:{kind}|" in result.signature) == (kind != "basic")
    if case == "mean, exact":
        assert result.exact


@pytest.mark.parametrize("clustered", [False, True])
@pytest.mark.parametrize("kind", ["spearman", "pearson"])
def test_correlations_have_scipys_bca_interval(kind: str, clustered: bool) -> None:
    labels = np.repeat(np.arange(20), [1, 2, 3, 4, 5] * 4)
    rng = np.random.default_rng(3)
    gold = rng.normal(size=N)
    a, b = gold + 0.3 * rng.normal(size=N), gold + 0.5 * rng.normal(size=N)
    if kind == "spearman":
        # One cluster makes nearly all of the acceleration.
        b[labels == 19] = -2.0 * gold[labels == 19]
    else:
        # Long tails make it, of which ranks know nothing.
        gold, a, b = np.sinh(np.stack([gold, a, b]))
    if not clustered:
        labels = np.arange(N)
    members = [np.flatnonzero(labels == label) for label in np.unique(labels)]

    def difference(drawn: np.ndarray) -> float:
        rows = np.concatenate([members[label] for label in drawn])
        return float(correlation_difference(kind)(gold[rows], a[rows], b[rows]))

    found = stats.bootstrap(
        (np.arange(len(members)),),
        difference,
        vectorized=False,
        n_resamples=1_999,
        rng=np.random.default_rng(0),
    ).confidence_interval
    width = found.high - found.low
    # The heavy cluster is the last one, or the first.
    for order in (slice(None), slice(None, None, -1)):
        how: dict[str, Any] = {"clusters": labels[order]} if clustered else {}
        how |= {"test": "paired-bootstrap", "interval": "bca", "rng": 1}
        result = run_significance_test(a[order], b[order], gold=gold[order], metric=kind, **how)
        expected = pytest.approx((found.low, found.high), abs=0.08 * width)
        assert result.confidence_interval == expected


def test_an_interval_does_not_change_the_p_value() -> None:
    for arguments, _, _ in CASES.values():
        for test in ("paired-bootstrap", "approximate-randomization"):
            settings: dict[str, Any] = {"test": test, "n_resamples": 499, "rng": 1, **arguments}
            plain, corrected = (
                run_significance_test(interval=kind, **settings) for kind in ("basic", "bca")
            )
            assert plain.p_value == corrected.p_value
            assert plain.confidence_interval != corrected.confidence_interval
            assert "interval" not in plain.signature
    others: tuple[Any, ...] = ("wilcoxon", "sign", "paired-t")
    for test in others:
        result = run_significance_test(SKEWED, B, test=test, interval="percentile", rng=0)
        assert result.notes[-1].startswith("percentile interval: it may disagree")


def test_beside_another_test_only_an_interval_that_would_take_long_is_left_out() -> None:
    no_interval = "no interval: its resamples would take longer than the test"
    rng = np.random.default_rng(2)
    n, n_resamples = 3_000, 100_000
    measured, outcomes = rng.normal(0.1, 1.0, n), rng.choice([-1.0, 0.0, 1.0], n, p=[0.2, 0.5, 0.3])
    for values, has_one in ((outcomes, True), (measured, False)):
        result = run_significance_test(
            values, np.zeros(n), test="paired-t", n_resamples=n_resamples
        )
        assert (result.confidence_interval is not None) == has_one
        assert (no_interval in result.notes) != has_one
    result = run_significance_test(outcomes, np.zeros(n), test="sign", n_resamples=n_resamples)
    half = 1.96 * outcomes.std() / math.sqrt(n)
    expected = (outcomes.mean() - half, outcomes.mean() + half)
    assert result.confidence_interval == pytest.approx(expected, abs=0.02 * half)


@pytest.mark.parametrize("method", ["exact", "monte-carlo"])
def test_a_bca_interval_of_nearly_every_resample_is_not_defined_on_skewed_scores(
    method: Any,
) -> None:
    level = 1.0 - 1e-11
    how: dict[str, Any] = {"interval": "bca", "confidence_level": level, "n_resamples": 999}
    result = run([1.0] + [0.0] * 99, method=method, rng=0, **how)
    assert result.confidence_interval is None
    assert "no BCa interval: its correction is not defined on these scores" in result.notes


def test_resamples_that_tie_with_the_observed_difference_count_by_half() -> None:
    # Symmetric around δ = 0, a third of them on it: there is no bias to correct.
    deltas = np.repeat([-2.0, -1.0, 0.0, 1.0, 2.0], [62, 250, 375, 250, 62])
    jackknife = np.array([-1.0, 0.0, 1.0]).copy
    asked: dict[str, Any] = {"kind": "bca", "confidence_level": 0.9, "room": 1e-12}
    assert interval_of(deltas, 0.0, jackknife=jackknife, **asked)[0] == (-2.0, 2.0)


def test_where_all_resamples_lie_on_one_side_there_is_no_bca_interval() -> None:
    asked: dict[str, Any] = {"kind": "bca", "confidence_level": 0.95, "room": 0.0}
    for delta, skewed in itertools.product((0.5, 2.5), (-1.0, 0.0, 1.0)):
        jackknife = np.array([-1.0, skewed, 1.0]).copy
        found, notes = interval_of(np.linspace(1.0, 2.0, 999), delta, jackknife=jackknife, **asked)
        assert found is None, (delta, skewed)
        assert any("not defined" in note for note in notes), (delta, skewed)


def test_where_corrected_ends_lie_beyond_the_resamples_it_says_so() -> None:
    deltas, note = np.arange(999.0), "no BCa interval: its corrected ends lie beyond the resamples"
    asked: dict[str, Any] = {"confidence_level": 0.95, "room": 0.0}
    for below, outlier in ((0.8, -1.0), (0.2, 1.0)):
        asked["jackknife"] = np.array([outlier] + [0.0] * 11).copy
        for kind in ("basic", "percentile", "bca"):
            found, notes = interval_of(deltas, below * 999.0, kind=kind, **asked)
            assert (found is None) == (kind == "bca")
            assert any(text.startswith(note) for text in notes) == (kind == "bca")
    few = run_significance_test(
        SKEWED, B, test="paired-bootstrap", interval="bca", n_resamples=19, rng=0
    )
    assert any(text.startswith(note) for text in few.notes)


@pytest.mark.parametrize(
    ("n_resamples", "level", "beyond"), [(99, 0.9, 4), (98, 0.9, 3), (39, 0.95, 0), (38, 0.95, -1)]
)
def test_resamples_without_a_score_lie_beyond_both_ends(
    n_resamples: int, level: float, beyond: int
) -> None:
    for n_undefined in range(beyond + 2):
        deltas = np.random.default_rng(1).permutation(np.arange(float(n_resamples)))
        deltas[:n_undefined] = np.nan
        asked: dict[str, Any] = {"kind": "percentile", "confidence_level": level, "room": 0.0}
        ends, _ = interval_of(deltas, 10.0, jackknife=np.arange(3.0).copy, **asked)
        low, high = (
            sorted(np.nan_to_num(deltas, nan=far).tolist())[place]
            for far, place in ((-np.inf, beyond), (np.inf, -1 - beyond))
        )
        assert ends == ((low, high) if n_undefined <= beyond else None)
