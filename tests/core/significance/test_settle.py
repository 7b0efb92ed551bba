"""More resamples of the same streams, when a decision is settled, and the ends of p-values."""

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from core.data import PValueTable, ResultSet
from core.replicability.sensitivity import find_unsettled
from core.significance.outcome import Sides
from core.significance.paired_tests import _random_sums
from core.significance.resamples import bootstrap_deltas, draw_sums, random_swaps
from core.significance.run import p_value_ends, run_dataset_tests, settle, settled
from core.significance.single import SignificanceResult, run_significance_test

RNG = np.random.default_rng(1970)
# Of no lattice, so that both tests draw. B is close to .05, C far from it.
SCORES = {
    name: {"ours": RNG.normal(shift, 1, 80), "theirs": RNG.normal(0, 1, 80)}
    for name, shift in (("A", 0.25), ("B", 0.3), ("C", 2.0))
}
DATA = ResultSet.from_scores(SCORES)


def run(**settings: Any):
    settings = {"a": "ours", "b": "theirs", "n_resamples": 499, "rng": 5, **settings}
    return run_dataset_tests(DATA, **settings)


def close_to(p: float) -> float:
    """A threshold that no number of resamples here could settle."""
    return min(0.999, max(0.001, p))


@pytest.mark.parametrize(("n", "number"), [(30, 99), (5_000, 700), (9_000, 1)])
def test_more_resamples_begin_with_the_same_ones(n: int, number: int) -> None:
    sizes = np.abs(RNG.normal(size=n))
    many = _random_sums(sizes, 1_500, np.random.default_rng(0), None)
    few = _random_sums(sizes, number, np.random.default_rng(0), None)
    assert np.array_equal(many[:number], few)
    assert np.unique(many).size == 1_500
    cases: tuple[Any, ...] = (sizes, np.round(sizes))
    for values in cases:
        many = draw_sums(values, n, 1_500, np.random.default_rng(0), None)
        few = draw_sums(values, n, number, np.random.default_rng(0), None)
        assert np.array_equal(many[:number], few)


@pytest.mark.parametrize("repeated", [False, True])
def test_more_resamples_of_sums_begin_with_the_same_ones(repeated: bool) -> None:
    rows = RNG.integers(0, 2, (2_000, 2)).astype(float)
    if not repeated:
        rows = RNG.normal(size=(2_000, 2))

    def deltas(number: int) -> np.ndarray:
        return bootstrap_deltas(
            rows,
            lambda own: lambda counts: counts @ own[:, 0],
            size=2_000,
            n_resamples=number,
            rng=np.random.default_rng(3),
            keep_going=None,
        )

    # Sums of floats round by the size of the product, far below the room for ties.
    assert np.allclose(deltas(1_200)[:777], deltas(777), rtol=0.0, atol=1e-10)
    numbers = np.full(9, 40) if repeated else np.ones(3_001, dtype=np.intp)

    def swaps(number: int) -> np.ndarray:
        drawn = random_swaps(
            numbers, n_resamples=number, rng=np.random.default_rng(4), keep_going=None
        )
        return np.concatenate(list(drawn))

    assert np.array_equal(swaps(1_200)[:777], swaps(777))


def test_many_differences_still_have_fair_and_independent_signs() -> None:
    # Blocks of 4,096: were the streams of some the same, sums would vary more by one half or so.
    n = 64 * 4_096
    sums = 2.0 * _random_sums(np.ones(n), 1_000, np.random.default_rng(1), None) - n
    assert abs(sums.mean()) <= 4.0 * math.sqrt(n / 1_000)
    assert sums.var() == pytest.approx(n, rel=0.2)


def drawn(n_extreme: int, n_resamples: int) -> SignificanceResult:
    result = run_significance_test(
        *SCORES["A"].values(), test="paired-bootstrap", n_resamples=19, rng=0
    )
    p_values = Sides(*[(n_extreme + 1) / (n_resamples + 1)] * 3)
    extreme = Sides(*[n_extreme] * 3)
    return replace(result, p_values=p_values, extreme=extreme, n_resamples=n_resamples)


@pytest.mark.parametrize(("s", "b"), [(0, 99), (3, 99), (5, 999), (60, 999), (999, 999)])
def test_settled_is_robbins_inequality(s: int, b: int) -> None:
    for percent in range(1, 100):
        t = Fraction(percent, 100)
        weight = (b + 1) * math.comb(b, s) * t**s * (1 - t) ** (b - s)
        assert settled(drawn(s, b), percent / 100) == (weight <= Fraction(1, 1000))


def test_an_exact_p_value_is_settled_at_every_threshold() -> None:
    exact = run_significance_test([1, 0, 1], [0, 0, 1], test="mcnemar")
    assert all(settled(exact, t) for t in (0.05, exact.p_value, 0.999))
    with pytest.raises(ValueError, match=r"`threshold` must lie strictly between 0 and 1; got 1"):
        settled(exact, 1.0)


def test_each_side_has_its_own_ends() -> None:
    result = run_significance_test(
        *SCORES["B"].values(), test="paired-bootstrap", n_resamples=999, rng=0
    )
    assert settled(result, 0.5)
    assert settled(result, 0.5, alternative="less")
    assert not settled(result, close_to(result.p_value_less), alternative="less")
    assert settled(result, close_to(result.p_value_less))


def test_only_what_is_unsettled_is_extended() -> None:
    first = run(test="approximate-randomization")
    p = dict(zip("ABC", first.p_values.tolist(), strict=True))
    thresholds: dict[str, Any] = {"A": 0.9, "B": close_to(p["B"]), "C": (0.5, 0.9)}
    found = settle(DATA, first, thresholds=thresholds, up_to=999)
    assert [result.n_resamples for result in found.table.results] == [499, 999, 499]
    assert found.table.p_values[[0, 2]].tolist() == [p["A"], p["C"]]
    assert found.settled[[0, 2]].all()
    assert found.thresholds == ((0.9,), (close_to(p["B"]),), (0.5, 0.9))
    as_many = settle(DATA, first, thresholds=close_to(p["B"]), up_to=499)
    assert np.array_equal(as_many.table.p_values, first.p_values)
    assert "B" in as_many.unsettled


def test_the_ends_of_a_table_hold_its_p_values() -> None:
    table = run(test="paired-bootstrap")
    low, high = p_value_ends(table)
    assert (low < table.p_values).all()
    assert (table.p_values < high).all()
    assert (low[0], high[0]) == table.results[0].monte_carlo_interval
    exact = run(test="wilcoxon")
    low, high = p_value_ends(exact)
    assert low.tolist() == high.tolist() == exact.p_values.tolist()


def test_stopping_keeps_what_is_extended() -> None:
    first = run(test="paired-bootstrap")
    thresholds = {name: close_to(float(p)) for name, p in zip("ABC", first.p_values, strict=True)}
    told: list[tuple[int, int]] = []

    def on_progress(done: int, total: int) -> bool:
        told.append((done, total))
        return done < 1

    found = settle(DATA, first, thresholds=thresholds, up_to=999, on_progress=on_progress)
    assert not found.complete
    assert [result.n_resamples for result in found.table.results] == [999, 499, 499]
    assert len({total for _, total in told}) == 1
    told.clear()
    finished = settle(
        DATA, first, thresholds=thresholds, up_to=999, on_progress=lambda *now: told.append(now)
    )
    assert finished.complete
    assert (told[0], told[-1]) == ((0, 3), (3, 3))
    assert [done for done, _ in told] == sorted(done for done, _ in told)


def test_a_wrong_argument_is_named() -> None:
    wrong: tuple[tuple[dict[str, Any], str], ...] = (
        ({"thresholds": 0.0}, r"`thresholds` must lie .* got 0\.0"),
        ({"thresholds": None}, r"`thresholds` must lie .* got None"),
        ({"thresholds": {"A": 0.05, "B": (0.05, 1.0), "C": 0.05}}, r"'B'\].* got 1\.0"),
        ({"thresholds": {"A": 0.05}}, r"`thresholds` must name .* none for 'B'"),
        ({"thresholds": "0.05"}, r"`thresholds` must lie"),
        ({"up_to": 0}, r"`up_to` .* got 0"),
    )
    for change, message in wrong:
        with pytest.raises(ValueError, match=message):
            settle(DATA, run(test="sign"), **{"thresholds": 0.05, "up_to": 999, **change})


ENDS_RNG = np.random.default_rng(4)
REACHES = {
    "drawn": {"ours": ENDS_RNG.normal(0.3, 1, 40), "theirs": ENDS_RNG.normal(0, 1, 40)},
    # A is always ahead by the same: no resample has twice that.
    "constant": {"ours": np.arange(40.0) + 1.0, "theirs": np.arange(40.0)},
    "other": {"ours": ENDS_RNG.normal(-0.3, 1, 40), "theirs": ENDS_RNG.normal(0, 1, 40)},
    # Far ahead everywhere: no resample reaches twice of it, and none can.
    "far": {"ours": 10.0 + ENDS_RNG.random(40), "theirs": ENDS_RNG.random(40)},
}
REACH_DATA = ResultSet.from_scores(REACHES)


def reaching(stop_at: int = 4) -> PValueTable:
    return run_dataset_tests(
        REACH_DATA,
        a="ours",
        b="theirs",
        test="paired-bootstrap",
        n_resamples=199,
        on_progress=lambda done, _: done < stop_at,
    )


def pairs(table: PValueTable) -> dict[str, tuple[float, float]]:
    low, high = p_value_ends(table)
    return dict(zip(table.datasets, zip(low.tolist(), high.tolist(), strict=True), strict=True))


def test_untested_and_kept_out_p_values_stay_at_one() -> None:
    whole = reaching()
    assert [r.out_of_reach[0] for r in whole.results or ()] == [False, True, False, True]
    assert whole.p_values[[1, 3]].tolist() == [1.0, 1.0]
    assert [note.endswith("kept out of counting (p = 1)") for note in whole.notes] == [
        *(False, True, False, True)
    ]
    ends = pairs(whole)
    assert ends["constant"] == ends["far"] == (1.0, 1.0)
    assert ends["drawn"][0] < ends["drawn"][1] < 1.0
    half = pairs(reaching(stop_at=2).with_untested(REACH_DATA.datasets))
    assert half == dict.fromkeys(REACHES, (1.0, 1.0)) | {"drawn": ends["drawn"]}
    low, high = p_value_ends(whole)
    found = find_unsettled(low, high)
    assert not found.to_extend[[1, 3]].any()


@pytest.mark.parametrize("stop_at", [2, 4])
def test_the_same_after_a_and_b_were_exchanged(stop_at: int) -> None:
    table = reaching(stop_at).with_untested(REACH_DATA.datasets)
    there, back = pairs(table), pairs(table.swapped())
    for name, result in zip(table.datasets, table.results, strict=True):
        if result is None:
            assert back[name] == (1.0, 1.0)
        elif name in ("constant", "far"):
            # B's p-value is its own: nothing is out of reach there.
            assert there[name] == (1.0, 1.0)
            assert back[name][1] == 1.0
            assert result.p_value_less == 1.0
        else:
            assert back[name] != there[name]
            assert back[name][0] < result.p_value_less < back[name][1]


def test_the_sides_are_told_apart_where_p_values_are_the_same() -> None:
    # Kept out, A's p-value is 1; B's own is 1 as well, and not certain.
    alone = ResultSet.from_scores({"far": REACHES["far"]})
    table = run_dataset_tests(alone, a="ours", b="theirs", test="paired-bootstrap", n_resamples=199)
    assert table.results[0].n_resamples == 199
    assert table.p_values.tolist() == table.p_values_b.tolist() == [1.0]
    assert pairs(table) == {"far": (1.0, 1.0)}
    low, high = pairs(table.swapped())["far"]
    assert low < high == 1.0


def test_a_table_without_scores_has_the_same_ends() -> None:
    table = reaching()
    bare = replace(table, scores_a=None, scores_b=None)
    assert pairs(bare) == pairs(table)


def test_a_table_that_cannot_go_on_is_refused_with_the_reason() -> None:
    first = run(test="paired-bootstrap")
    seedless = tuple(replace(result, seed=None) for result in first.results or ())
    moved = {
        name: {system: scores + 0.5 * (system == "ours") for system, scores in given.items()}
        for name, given in SCORES.items()
    }
    clustered = run(test="approximate-randomization", clusters={"B": np.arange(80) // 2})
    others = {"clusters": {"B": np.arange(80) // 4}}
    untested = reaching(2).with_untested(REACH_DATA.datasets)
    no_results = "`table` must hold the results of tests"
    as_made = "`table` must be as `run_dataset_tests` made it"
    wrong: tuple[tuple[ResultSet, PValueTable, dict[str, Any], str], ...] = (
        (DATA, replace(first, results=None), {}, no_results),
        (DATA, replace(first, results=seedless), {}, "its resamples; that of 'A' is not known"),
        (ResultSet.from_scores(moved), first, {}, "those of 'A' are others"),
        (DATA, clustered, {}, r"`clusters` must be those .* 'B'"),
        (DATA, clustered, others, "`result_set` must hold the scores that the table was"),
        (REACH_DATA, untested, {}, as_made),
    )
    for data, table, more, message in wrong:
        p_values = zip(table.datasets, table.p_values.tolist(), strict=True)
        thresholds = {name: close_to(p) for name, p in p_values}
        with pytest.raises(ValueError, match=message):
            settle(data, table, thresholds=thresholds, up_to=999, **more)
    with pytest.raises(ValueError, match=no_results):
        p_value_ends(replace(first, results=None))


def test_p_values_of_something_else_are_noticed() -> None:
    table, untested = reaching(), reaching(2).with_untested(REACH_DATA.datasets)
    lower = untested.p_values.copy()
    lower[3] = 0.5
    others: tuple[tuple[PValueTable, Any], ...] = (
        (table, np.where(table.p_values < 1.0, 0.5, 1.0)),
        # 1 stands for what was kept out or not tested, and for no other dataset.
        (table, np.ones(4)),
        (untested, lower),
        (run(test="sign"), np.array([0.1, 0.2, 0.3])),
    )
    for of, p in others:
        with pytest.raises(ValueError, match="`table` must have the p-values of its results"):
            p_value_ends(replace(of, p_values=p, p_value_bounds=(p, p)))
