"""What a methods paragraph says of many systems: how they were compared, counted and put into tiers."""

from __future__ import annotations

from collections.abc import Sequence

from ..replicability.combinations import combination_named
from ..significance.known_tests import significance_test_named
from ..systems.comparisons import PairComparisons
from ..systems.counting import CountMatrix
from ..words.formatting import display_name, format_level, list_names
from .passages import Passage, cite, passage

_BK = "bergkirkpatrick2012empirical"


def systems_passages(
    pairs: PairComparisons, alone: CountMatrix, joint: CountMatrix
) -> tuple[Passage, ...]:
    """How systems were compared, counted and put into tiers, and what a threshold is.

    Parameters
    ----------
    pairs : PairComparisons
        What was compared.
    alone, joint : CountMatrix
        Their counts of each pair alone, and of all claims together.
    """
    n, level = pairs.n_datasets, format_level(alone.alpha)
    where = display_name(pairs.datasets[0]) if n == 1 else f"{n:,} datasets"
    tests = [significance_test_named(name) for name in dict.fromkeys(pairs.tests)]
    works = tuple(dict.fromkeys(key for test in tests for key in test.references))
    resamples = sorted({b for b in pairs.n_resamples if b is not None})
    shared = [b for b, one in zip(pairs.n_resamples, pairs.shared, strict=True) if one and b]
    compared = passage(
        (
            f"All {pairs.n_pairs:,} pairs of {pairs.n_systems:,} systems were tested one-sided in both "
            f"directions on {where}, by {list_names([test.full_title for test in tests], most=9)}",
            cite(*works),
            ".",
        ),
        _drawn(resamples, pairs.seed),
        (
            "The pairs of a dataset were judged on the same resamples",
            cite(_BK),
            ", so that their Monte Carlo errors move together.",
        )
        if shared
        else "",
    )
    combination = combination_named(alone.combination)
    counted = passage(
        (
            f"Of each pair alone, the number of datasets on which one system is better than the other "
            f"was bounded from below at level {level} by partial conjunction hypotheses",
            cite("dror2017replicability", "benjamini2008screening"),
            f", p-values being combined by {combination.test_title}, {combination.holds}",
            cite(*combination.references),
            "; the pairs have no joint guarantee.",
        )
        if n > 1
        else f"Of each pair alone, p was compared with level {level}; the pairs have no joint guarantee.",
        (
            f"All {joint.n_claims:,} claims together, both directions of every pair on every dataset, "
            f"were tested at level {level} by Holm's procedure",
            cite("holm1979simple"),
            ".",
        ),
        "Two systems share a letter where neither is better than the other on any dataset by these "
        "counts; each letter is a largest group of such systems.",
    )
    usual = passage(
        (
            "The gain from which on p < .05 is usual is the 95th percentile of the gains of pairs with "
            ".04 < p < .06",
            cite(_BK),
            ", each pair ordered by its gain; its interval is of 999 resamples of systems.",
        )
    )
    return compared, counted, usual


def _drawn(resamples: Sequence[int], seed: int) -> str:
    if not resamples:
        return ""
    numbers = list_names([f"{b:,}" for b in resamples], most=9)
    return f"Where they are not exact, p-values are of {numbers} resamples with the seed {seed}."
