"""How often a win on one dataset holds on another."""

from typing import Any

import numpy as np
import pytest

from core.data.result_set import ResultSet
from core.reliability.across_domains import BINS, across_domains, counted_wins
from core.significance.run import run_dataset_tests
from core.systems.all_pairs import compare_all_pairs


def test_a_table_counted_by_hand() -> None:
    # A wins on the first two, B on the third, nobody on the fourth.
    agreement = counted_wins(
        ("w", "x", "y", "z"),
        (0.0, *BINS),
        np.array([[0.001, 0.03, 0.015, 1.0]]),
        np.array([[1.0, 1.0, -1.0, 0.0]]),
    )
    bins = {own.high: own for own in agreement.bins if own.n_wins}
    assert sorted(bins) == [0.00125, 0.02, 0.04]
    # Looked for on the three others: one holds, one is turned, one is tied.
    assert [(bins[end].count, bins[end].n, bins[end].n_tied) for end in (0.00125, 0.04)] == [
        (1, 3, 1),
        (1, 3, 1),
    ]
    assert (bins[0.02].count, bins[0.02].n, bins[0.02].n_tied) == (0, 3, 1)
    assert agreement.n_without_winner == 1
    assert agreement.n_beyond == 0


def test_a_p_value_at_the_end_of_a_bin_is_in_it() -> None:
    for p_value in (0.01, 1.0 - 0.99):
        agreement = counted_wins(
            ("x", "y"), (0.0, *BINS), np.array([[p_value, 0.5]]), np.ones((1, 2))
        )
        (own,) = [own for own in agreement.bins if own.n_wins]
        assert (own.low, own.high) == (0.005, 0.01)


def test_tables_of_tests_give_what_their_numbers_give() -> None:
    rng = np.random.default_rng(3)
    results = ResultSet.from_scores(
        {
            f"set {i}": {
                name: (rng.random(60) < c) * 1.0
                for name, c in zip("ABC", (0.8, 0.6, 0.5), strict=True)
            }
            for i in range(3)
        }
    )
    tables = [run_dataset_tests(results, a=a, b=b) for a, b in (("A", "B"), ("C", "B"))]
    found = across_domains(tables)
    of_pairs = (compare_all_pairs(results, systems=[a, "B"]) for a in ("A", "C"))
    for own in zip(found.bins, *(across_domains(pairs).bins for pairs in of_pairs), strict=True):
        whole, *parts = ((one.count, one.n, one.n_wins, one.n_tied) for one in own)
        assert whole == tuple(np.sum(parts, axis=0))
    assert found.n_pairs == 2
    assert across_domains(tables[0]).n_pairs == 1


def test_what_the_bootstrap_cannot_reach_is_no_strong_win() -> None:
    scores = {"P": np.ones(2), "Q": np.zeros(2)}
    results = ResultSet.from_scores({"one": scores, "two": scores})
    table = run_dataset_tests(results, a="P", b="Q", test="paired-bootstrap")
    pairs = compare_all_pairs(results, test="paired-bootstrap")
    for found in (across_domains(table), across_domains(pairs)):
        assert sum(own.n_wins for own in found.bins) == 0
        assert found.n_beyond == 2


def test_scores_that_differ_by_rounding_alone_are_no_win() -> None:
    rng = np.random.default_rng(1)
    # More digits than decimals have, and the same numbers in another order.
    scores = {f"set {i}": {"A": rng.random(50)} for i in range(2)}
    for own in scores.values():
        own["B"], own["C"] = rng.permutation(own["A"]), own["A"] - 0.2 + 0.1 * rng.random(50)
    pairs = compare_all_pairs(ResultSet.from_scores(scores), n_resamples=99)
    assert (pairs.oriented_scores[:, 0] != pairs.oriented_scores[:, 1]).all()
    agreement = across_domains(pairs)
    assert agreement.n_without_winner == 2
    assert sum(own.n_wins for own in agreement.bins) == 4
    assert sum(own.count for own in agreement.bins) == 4


def test_arguments_out_of_range_are_named() -> None:
    scores = {"P": np.ones(2), "Q": np.zeros(2)}
    one, other = (
        ResultSet.from_scores(dict.fromkeys(datasets, scores)) for datasets in ("x", "yz")
    )
    tables = [run_dataset_tests(results, a="P", b="Q") for results in (one, other)]
    wrong: tuple[tuple[object, dict[str, Any], str], ...] = (
        (compare_all_pairs(one), {}, "at least two datasets"),
        (tables, {}, "of the same datasets"),
        *((none, {}, "must be pairs that were compared") for none in ([[0.1, 0.2]], [], None)),
        (tables[1], {"bins": (0.1, 0.1)}, "`bins` must be rising"),
        (tables[1], {"bins": ()}, "`bins` must be rising"),
        (tables[1], {"source": "x"}, "`source` must be one of"),
    )
    for results, settings, message in wrong:
        with pytest.raises(ValueError, match=message):
            across_domains(results, **settings)  # type: ignore[arg-type]
