"""The result's own words, and Robbins' confidence sequence."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.significance import run_significance_test
from core.significance.outcome import Sides, confidence_sequence
from core.significance.result import SignificanceResult
from tests.core.significance.sides import changed


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


@pytest.mark.parametrize(("s", "b"), [(-1, 5), (6, 5), (0, 0)])
def test_impossible_counts_are_refused(s: int, b: int) -> None:
    with pytest.raises(ValueError, match="`n_extreme` must lie in"):
        confidence_sequence(s, b)


def test_the_signature_names_what_the_number_depends_on() -> None:
    values = np.random.default_rng(0).normal(size=30)
    drawn = run_significance_test(
        values,
        np.zeros(30),
        test="paired-bootstrap",
        n_resamples=99,
        resample_size=20,
        estimator="berg-kirkpatrick",
        rng=0,
    )
    assert drawn.signature.rsplit("|", 1)[0] == (
        "test:paired-bootstrap|metric:mean|alt:greater|method:monte-carlo|"
        "estimator:berg-kirkpatrick|resamples:99|resample-size:20|seed:0|n:30"
    )
    exact = run_significance_test([1, 0, 1], [0, 0, 1], test="mcnemar", rng=0)
    assert exact.signature.startswith("test:mcnemar|metric:mean|alt:greater|method:exact|n:3|v:")
    ranks = run_significance_test([3, 2], [1, 1], test="wilcoxon", zeros="pratt")
    assert "zeros:pratt" in ranks.signature


def with_p_values(greater: float, less: float, **settings: Any) -> SignificanceResult:
    values = np.random.default_rng(0).normal(size=30)
    drawn = run_significance_test(values, np.zeros(30), test="paired-bootstrap", rng=0)
    difference = settings.pop("difference", 0.1)
    outcome = {"p_values": Sides(greater, less, 1.0), "exact": False, **settings}
    return changed(drawn, compared={"difference": difference}, outcome=outcome)


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        # No resample of many is extreme for the system that is ahead: strong evidence.
        ({}, False),
        ({"exact": True}, True),
        ({"less": 0.0}, True),
        ({"difference": 0.0}, True),
        ({"difference": -0.1}, True),
        ({"greater": 0.0001, "unreachable": "greater"}, True),
        ({"greater": 0.0001, "exact": True, "difference": -0.1}, False),
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
