"""What is said beside a bootstrap's p-value, in the same words for means and for other scores."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from core.significance import SignificanceResult, run_significance_test

PLAIN = np.random.default_rng(7).normal(size=30)
# What each note is known by.
EQUAL, TOO_FEW, REACH = (
    "strict rule on equal systems",
    "p = 0 of s/b",
    "out of the bootstrap's reach",
)


def run(a: Any, b: Any, **settings: Any) -> SignificanceResult:
    usual = {"test": "paired-bootstrap", "n_resamples": 19, "rng": 0}
    return run_significance_test(a, b, **{**usual, **settings})


def told(text: str, result: SignificanceResult, *more: str) -> bool:
    return any(all(token in note for token in (text, *more)) for note in result.notes)


def counted(hits: list[float], of: float = 4.0) -> np.ndarray:
    """Hits out of so many, as the ratio's statistics."""
    return np.column_stack([hits, np.full(len(hits), of)])


def test_equal_systems_under_the_strict_rule_are_no_evidence() -> None:
    strict = {"estimator": "berg-kirkpatrick"}
    same = counted([1.0, 2.0, 3.0])
    assert told(EQUAL, run(PLAIN, PLAIN, **strict))
    assert told(EQUAL, run(same, same, metric="ratio", **strict))
    for kind in ("spearman", "pearson"):
        predicted = {"gold": np.arange(30.0), "metric": kind}
        assert told(EQUAL, run(PLAIN, PLAIN, **predicted, **strict))
        assert not told(EQUAL, run(PLAIN, PLAIN, **predicted))
    assert run(PLAIN, PLAIN).notes == run(same, same, metric="ratio").notes


@pytest.mark.parametrize("shift", [0.3, -0.3])
def test_no_extreme_resample_of_few_is_no_evidence_under_the_strict_rule(shift: float) -> None:
    strict = {"estimator": "berg-kirkpatrick", "method": "monte-carlo"}
    shifted = PLAIN * 0.01 + shift * np.tile([0.0, 3.0, 1.0], 10)
    assert told(TOO_FEW, run(shifted, np.zeros(30), **strict))
    gold = np.arange(30.0)
    near, far = gold + PLAIN, gold + 20.0 * PLAIN
    assert told(TOO_FEW, run(near, far, gold=gold, metric="pearson", **strict))
    assert not told(TOO_FEW, run(shifted, np.zeros(30), method="monte-carlo"))
    drawn = run(PLAIN, np.zeros(30), **strict, n_resamples=999)
    assert min(drawn.p_value_greater, drawn.p_value_less, drawn.p_value_two_sided) > 0.0
    assert not told(TOO_FEW, drawn)


def test_of_plain_counts_nothing_is_said() -> None:
    a, b = counted([1.0, 2.0, 4.0, 3.0, 2.0] * 4, of=5.0), counted([1.0, 3.0, 2.0, 1.0] * 5)
    for test in ("paired-bootstrap", "approximate-randomization"):
        assert run(a, b, metric="ratio", test=test, method="monte-carlo").notes == ()


def test_what_is_out_of_reach_is_said_with_a_test_to_take_instead() -> None:
    ones, zeros = np.ones(8), np.zeros(8)
    assert told(REACH, run(ones, zeros), "McNemar or randomization")
    pairs = np.arange(8) // 2
    assert told(REACH, run(ones, zeros, clusters=pairs), "randomization")
    four, none = counted([4.0] * 8), counted([0.0] * 8)
    assert told(REACH, run(four, none, metric="ratio"), "randomization")


@pytest.mark.parametrize(
    ("size", "more"), [(7, ""), (9, "; with more draws than {} p is too small")]
)
def test_another_size_of_resamples_is_said_with_what_is_drawn(size: int, more: str) -> None:
    a, b = counted([1.0, 2.0, 4.0, 3.0] * 4), counted([1.0, 3.0, 2.0, 1.0] * 4)
    pairs = np.arange(16) // 2
    note = "resamples of {} from n = 8 {}: for reproduction of published numbers only" + more
    for pair, kind in (((a[:, 0], b[:, 0]), "mean"), ((a, b), "ratio")):
        eight = [one[:8] for one in pair]
        single = run(*eight, metric=kind, resample_size=size)
        assert note.format(size, "examples", "examples") in single.notes
        together = run(*pair, metric=kind, clusters=pairs, resample_size=size)
        assert note.format(size, "clusters", "clusters") in together.notes
