"""Eighteen families with references from R and from enumeration of all subsets.

The reference's p-values come from adaFilter::computePC (R), R's p.adjust and the definition by
brute force; its decisions compare floats with `<=`. Where a value ties with alpha, a rounding
upward by some 1e-16 there loses a claim that holds in arithmetic: here a tie counts as "at most".
These four decisions are listed below, and shown to be ties.
"""

import csv

import numpy as np
import pytest

from core.replicability.counting import count_datasets, partial_conjunction_p_values
from core.replicability.identification import identify_datasets
from tests.real.cases import DATA, expected

pytestmark = pytest.mark.real

FOLDER = "published/c07_partial_conjunction"

LEVELS_OF_COUNTS = ("0.01", "0.05", "0.1", "0.2")
LEVELS_OF_NAMES = ("0.01", "0.05", "0.1")

# Those that the reference has.
COMBINATIONS = ("bonferroni", "fisher", "simes")
PROCEDURES: dict[str, str] = {
    "bonferroni": "bonferroni",
    "holm": "holm",
    "hochberg": "hochberg",
    "hommel": "hommel",
    "BH": "benjamini-hochberg",
    "BY": "benjamini-yekutieli",
}

# The last claim of Fisher is the largest p-value itself, which is alpha: .05 of three, .1 of six.
TIED_COUNTS: dict[tuple[str, str, str], int] = {
    ("close_to_alpha", "0.05", "fisher"): 3,
    ("fisher_vs_bonf", "0.1", "fisher"): 6,
}
# Simes' p-value of all datasets is their largest, again alpha, and Hommel names them all.
TIED_NAMES = (("close_to_alpha", "0.05", "hommel"), ("fisher_vs_bonf", "0.1", "hommel"))


def _p_values(family: str) -> list[float]:
    with (DATA / FOLDER / "data.csv").open(encoding="utf-8", newline="") as file:
        return [float(row["p_value"]) for row in csv.DictReader(file) if row["family"] == family]


def test_partial_conjunction_p_values_and_k_hat() -> None:
    assert len(expected(FOLDER)) == 18
    for family in expected(FOLDER):
        p_values = _p_values(family)
        for combination in COMBINATIONS:
            case = (family, combination)
            reference = expected(FOLDER)[family]["partial_conjunction"][combination]
            found = partial_conjunction_p_values(p_values, combination=combination)
            np.testing.assert_allclose(
                found, reference["p_u_star"], rtol=1e-10, atol=0, err_msg=str(case)
            )
            assert set(reference["k_hat"]) == set(LEVELS_OF_COUNTS)
            for level, k_hat in reference["k_hat"].items():
                own = TIED_COUNTS.get((family, level, combination), k_hat)
                counted = count_datasets(p_values, alpha=float(level), combination=combination)
                assert counted.k_hat == own, (*case, level)


def test_adjusted_p_values_and_rejected_datasets() -> None:
    for family in expected(FOLDER):
        p_values, reference = _p_values(family), expected(FOLDER)[family]
        assert set(reference["rejected"]) == set(LEVELS_OF_NAMES)
        for name, procedure in PROCEDURES.items():
            adjusted = identify_datasets(p_values, procedure=procedure).adjusted_p_values
            np.testing.assert_allclose(
                adjusted, reference["adjust"][name], rtol=1e-10, atol=0, err_msg=f"{family} {name}"
            )
            for level in LEVELS_OF_NAMES:
                tied = (family, level, name) in TIED_NAMES
                named = reference["names"] if tied else reference["rejected"][level][name]
                found = identify_datasets(p_values, alpha=float(level), procedure=procedure)
                hits = zip(reference["names"], found.rejected, strict=True)
                assert [n for n, hit in hits if hit] == named, (family, name, level)


def test_a_decision_differs_from_the_reference_only_by_a_tie_with_alpha() -> None:
    for family, level, combination in TIED_COUNTS:
        counts = expected(FOLDER)[family]["partial_conjunction"][combination]
        missed = counts["p_u_star"][counts["k_hat"][level] :]
        assert len(missed) == 1, family
        assert missed == pytest.approx([float(level)], rel=1e-14), family
        assert max(_p_values(family)) == float(level), family
    for family, level, name in TIED_NAMES:
        reference = expected(FOLDER)[family]
        missed = reference["adjust"][name]
        assert reference["rejected"][level][name] == [], family
        assert missed == pytest.approx([float(level)] * len(missed), rel=1e-14), family
        assert max(_p_values(family)) == float(level), family
