"""What marks alone support: bounds that every table with these marks keeps."""

from __future__ import annotations

import numpy as np
import pytest

from core.claims.claim_lines import parse_claims
from core.claims.no_p_values import marks_alone, marks_of
from core.replicability.combinations import combination_names
from core.replicability.counting import count_datasets


def test_nine_of_twelve_support_none_by_bonferroni_and_six_by_fisher() -> None:
    found = marks_alone(9, 12)
    assert found.counts["bonferroni"] == (0, 9)
    assert found.counts["fisher"] == (6, 11)
    least, most = found.sentences()
    assert least.startswith(
        "With p ≤ .05 on 9 of 12 and nothing more known, Bonferroni supports 0, "
        "Fisher 6 if the datasets are independent"
    )
    assert least.endswith("ask for p-values.")
    assert "Bonferroni 9 and Fisher 11" in most
    assert "no count of wins is supported" in marks_alone(2, 12).sentences()[0]


def test_no_table_with_these_marks_counts_fewer_or_more() -> None:
    rng = np.random.default_rng(3)
    for _ in range(200):
        n = int(rng.integers(1, 9))
        marked = int(rng.integers(0, n + 1))
        alpha = float(rng.choice([0.01, 0.05, 0.1]))
        p = np.where(
            np.arange(n) < marked,
            alpha * rng.random(n) ** rng.integers(1, 9),
            alpha + (1 - alpha) * np.maximum(rng.random(n) ** rng.integers(1, 9), 1e-6),
        )
        for name in combination_names():
            fewest, most = marks_alone(marked, n, alpha=alpha).counts[name]
            assert fewest <= count_datasets(p, alpha=alpha, combination=name).k_hat <= most


def test_claims_of_marks_are_answered_and_others_passed_over() -> None:
    claims = parse_claims(
        "significant on 9 of 12 datasets (p < .05)\nat least 3 by fisher\nsignificant u; v at .01"
    )
    assert [(f.n_marked, f.n_datasets, f.alpha) for f in marks_of(claims, None, alpha=0.05)] == [
        (9, 12, 0.05)
    ]
    assert [(f.n_marked, f.n_datasets, f.alpha) for f in marks_of(claims, 5, alpha=0.05)][1:] == [
        (2, 5, 0.01)
    ]
    with pytest.raises(ValueError, match="`n_marked`"):
        marks_alone(3, 2)
