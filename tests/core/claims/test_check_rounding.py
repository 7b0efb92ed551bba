"""What can come out within rounding, against trying every cell and many points by brute force."""

from __future__ import annotations

from itertools import product

import numpy as np

from core.claims.check_rounding import count_by, count_within, list_within
from core.claims.claim import count_methods
from core.replicability.identification import named_by
from core.replicability.procedures import procedure_names

ALPHA = 0.05
N = 3
# Every value that a p-value may be compared with for N = 3, at level .05.
LEVELS = sorted(
    {ALPHA * i / m for m in range(1, N + 1) for i in range(1, m + 1)}
    | {ALPHA * i / (N * (1 + 1 / 2 + 1 / 3)) for i in range(1, N + 1)}
)


def boxes(number: int, seed: int) -> list[tuple[np.ndarray, np.ndarray]]:
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(number):
        middle = rng.choice([0.01, 0.018, 0.026, 0.035, 0.05, 0.06], size=N)
        half = rng.choice([0.0, 0.0005, 0.005, 0.01, 0.02], size=N)
        found.append((np.maximum(0.0, middle - half), middle + half))
    return found


def points(low: np.ndarray, high: np.ndarray) -> list[np.ndarray]:
    """Both ends, every level between and just beyond it: one point at least of every cell."""
    axes = []
    for least, largest in zip(low, high, strict=True):
        values = [v for level in LEVELS for v in (level, level * (1 + 1e-6)) if least < v < largest]
        axes.append(sorted({float(least), *values, float(largest)}))
    return [np.array(point) for point in product(*axes)]


def is_within(witness: np.ndarray, low: np.ndarray, high: np.ndarray) -> bool:
    return bool(((witness >= low) & (witness <= high)).all())


def test_counts_agree_with_brute_force() -> None:
    for method in count_methods():
        seen: set[str] = set()
        for low, high in boxes(7, 11):
            counts = {count_by(point, method, ALPHA) for point in points(low, high)}
            for k in range(N + 1):
                found = count_within(low, high, k, method=method, alpha=ALPHA)
                seen.add(found.verdict)
                if k in counts:
                    assert found.verdict == ("holds" if counts == {k} else "depends"), method
                elif method not in ("fisher", "fisher-closed"):
                    # Comparisons with levels alone: what no cell gives cannot come out.
                    assert found.verdict == "contradicted", method
                if found.witness is not None:
                    assert is_within(found.witness, low, high), method
                    assert count_by(found.witness, method, ALPHA) == k, method
                assert (found.fewest, found.most) == (min(counts), max(counts)), method
        assert seen == {"holds", "depends", "contradicted"}, method


def test_lists_agree_with_brute_force() -> None:
    for procedure in procedure_names():
        seen: set[str] = set()
        for low, high in boxes(6, 12):
            lists = {
                tuple(named_by(point, alpha=ALPHA, procedure=procedure))
                for point in points(low, high)
            }
            for members in product([False, True], repeat=N):
                found = list_within(low, high, np.array(members), procedure=procedure, alpha=ALPHA)
                seen.add(found.verdict)
                if members in lists:
                    assert found.verdict == ("holds" if len(lists) == 1 else "depends"), procedure
                elif procedure != "fisher-closed":
                    assert found.verdict == "contradicted", procedure
                if found.witness is not None:
                    assert is_within(found.witness, low, high), procedure
                    named = named_by(found.witness, alpha=ALPHA, procedure=procedure)
                    assert tuple(named) == members, procedure
        assert seen == {"holds", "depends", "contradicted"}, procedure


def test_a_count_between_the_smallest_and_the_largest_may_be_out_of_reach() -> None:
    low, high = np.array([0.03, 0.045]), np.array([0.04, 0.055])
    one = count_within(low, high, 1, method="simes", alpha=ALPHA)
    assert (one.fewest, one.most, one.others) == (0, 2, (0, 2))
    assert one.verdict == "contradicted"
    assert one.witness is None
    for k in (0, 2):
        assert count_within(low, high, k, method="simes", alpha=ALPHA).verdict == "depends"


def test_fishers_count_is_found_between_the_ends() -> None:
    low, high = np.full(4, 0.01), np.full(4, 0.2)
    for k in range(5):
        found = count_within(low, high, k, method="fisher", alpha=ALPHA)
        assert found.verdict in ("depends", "contradicted")
        if found.fewest <= k <= found.most:
            assert found.witness is not None
            assert count_by(found.witness, "fisher", ALPHA) == k
