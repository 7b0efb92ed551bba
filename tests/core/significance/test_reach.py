"""A bootstrap that cannot be as extreme as asked is found out, also where a score comes from sums."""

import tracemalloc
from itertools import product

import numpy as np
import pytest

from core import run_significance_test
from core.metrics.registry import STATISTIC_METRICS
from core.significance import summed_statistics as reach
from core.significance.summed_statistics import ALL_TRIED_UP_TO, SummedStatistics, has_witness


def summed(a: np.ndarray, b: np.ndarray, metric: str = "f1") -> SummedStatistics:
    return SummedStatistics(
        a=a.astype(float),
        b=b.astype(float),
        score=STATISTIC_METRICS[metric].score,
        sign=1.0,
        scale=1.0,
        farthest=np.inf,
    )


def f1(counts: np.ndarray) -> float:
    tp, fp, fn = counts
    return 2 * tp / (2 * tp + fp + fn) if 2 * tp + fp + fn else float("nan")


def farthest_of_all_draws(a: np.ndarray, b: np.ndarray) -> tuple[float, float]:
    """The observed difference of F1, and the largest one in its direction over all n^n draws."""
    n = len(a)
    delta = f1(a.sum(axis=0)) - f1(b.sum(axis=0))
    deltas = [
        f1(a[list(drawn)].sum(axis=0)) - f1(b[list(drawn)].sum(axis=0))
        for drawn in product(range(n), repeat=n)
    ]
    return delta, float(np.nanmax(np.sign(delta) * np.array(deltas)))


@pytest.mark.parametrize("n", [2, 3, 4])
def test_on_few_examples_a_witness_is_found_exactly_where_some_draw_is_one(n: int) -> None:
    rng = np.random.default_rng(n)
    found = 0
    for _ in range(60):
        a, b = rng.integers(0, 6, (2, n, 3))
        delta, farthest = farthest_of_all_draws(a, b)
        if not np.isfinite(delta) or abs(delta) < 1e-9:
            continue
        expected = bool(farthest >= 2 * abs(delta) - 1e-9)
        assert has_witness(summed(a, b)) is expected
        found += expected
    assert 0 < found < 60


@pytest.mark.parametrize("n", [4, 5])
def test_the_search_among_many_rows_finds_what_trying_all_draws_does(
    n: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(n)
    few = []
    for _ in range(300):
        # With many zeros some scores are not defined, and few rows carry the difference.
        a, b = rng.integers(0, 10, (2, n, 3)) * (rng.random((2, n, 3)) < 0.4)
        if abs(f1(a.sum(axis=0)) - f1(b.sum(axis=0))) > 1e-9:
            few.append(summed(a, b))
    found = [has_witness(statistics) for statistics in few]
    assert 0 < sum(found) < len(found)
    monkeypatch.setattr(reach, "ALL_TRIED_UP_TO", 0)
    assert [has_witness(statistics) for statistics in few] == found


@pytest.mark.parametrize("n", [ALL_TRIED_UP_TO, ALL_TRIED_UP_TO + 1, 30, 70])
def test_what_is_tried_are_draws_of_as_many_rows(n: int) -> None:
    seen: list[np.ndarray] = []

    def score(sums: np.ndarray) -> np.ndarray:
        seen.append(sums[..., :n].reshape(-1, n))
        return (sums[..., n] > 0.0).astype(float)

    # Each row counts itself in a column of its own; the last one sets the systems apart.
    a, b = (np.hstack([np.eye(n), np.full((n, 1), last)]) for last in (1.0, 0.0))
    statistics = SummedStatistics(a=a, b=b, score=score, sign=1.0, scale=1.0, farthest=np.inf)
    assert not has_witness(statistics)
    drawn = np.vstack(seen)
    assert len(drawn) > 100
    assert (drawn >= 0.0).all()
    assert (drawn == np.rint(drawn)).all()
    # Beside them are rows alone and all rows but one.
    assert set(drawn.sum(axis=1).tolist()) <= {1.0, n - 1.0, float(n)}


@pytest.mark.parametrize("n", [4, 10])
@pytest.mark.parametrize("turned", [False, True])
def test_exactly_twice_the_difference_is_reached_unless_more_is_asked(n: int, turned: bool) -> None:
    # The mean is 1, and one row alone has 2.
    differences = np.array([2.0, 0.0, *[1.0] * (n - 2)])
    scored = np.column_stack([differences, np.ones(n)])
    nothing = np.column_stack([np.zeros(n), np.ones(n)])
    a, b = (nothing, scored) if turned else (scored, nothing)
    statistics = summed(a, b, metric="ratio")
    assert has_witness(statistics)
    assert not has_witness(statistics, strict=True)


def test_unequal_totals_of_a_ratio_are_no_way_round_it() -> None:
    a, b = [[9, 10], [10, 10], [20, 22]], [[8, 10], [9, 11], [18, 22]]
    result = run_significance_test(a, b, test="paired-bootstrap", metric="ratio", rng=0)
    draws = [
        np.subtract(
            *(np.array(s)[list(d)].sum(0)[0] / np.array(s)[list(d)].sum(0)[1] for s in (a, b))
        )
        for d in product(range(3), repeat=3)
    ]
    assert max(draws) < 2 * result.difference
    assert result.out_of_reach == (True, False)


@pytest.mark.parametrize("n", [ALL_TRIED_UP_TO + 1, 30, 10_000])
def test_a_witness_of_one_row_drawn_each_time_is_found_where_nothing_else_is_one(n: int) -> None:
    b = np.tile([3, 10], (n, 1))
    a = b + np.array([[1, 0]])
    a[0, 0], a[1, 0] = 5, 3
    assert has_witness(summed(a, b, "ratio"))
    assert not has_witness(summed(a, b, "ratio"), strict=True)


def test_a_search_holds_a_few_numbers_an_example_however_many_candidates_there_are() -> None:
    n = 8_000
    statistics = summed(np.tile([6, 5, 5], (n, 1)), np.tile([5, 5, 5], (n, 1)))
    tracemalloc.start()
    assert not has_witness(statistics)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most <= 20 * 8 * n
