"""What can come out within rounding, against trying every cell and many points by brute force."""

from itertools import product

import numpy as np

from core.claims.checked import Way
from core.claims.claim import Claim, count_methods
from core.claims.judging import Taken, count_by, taken
from core.replicability.identification import named_by, procedure_names

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


def of(low: np.ndarray, high: np.ndarray, claim: Claim) -> Taken:
    """What a box makes of a claim."""
    way = Way(name="as-they-stand", low=low, high=high)
    datasets = [str(i) for i in range(low.size)]
    method = claim.method or ""
    found = taken(claim, way, method=method, alpha=ALPHA, members=claim.members(datasets))
    assert found is not None
    return found


def count_within(low: np.ndarray, high: np.ndarray, k: int, method: str) -> Taken:
    return of(low, high, Claim(kind="exactly", k=k, method=method))


def test_counts_agree_with_brute_force() -> None:
    for method in count_methods():
        seen: set[str] = set()
        for low, high in boxes(7, 11):
            counts = {count_by(point, method, ALPHA) for point in points(low, high)}
            for k in range(N + 1):
                found = count_within(low, high, k, method)
                seen.add(found.key)
                if k in counts:
                    assert found.key == ("holds" if counts == {k} else "depends"), method
                elif method not in ("fisher", "fisher-closed"):
                    # Comparisons with levels alone: what no cell gives cannot come out.
                    assert found.key == "contradicted", method
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
                names = tuple(str(i) for i in range(N) if members[i])
                found = of(low, high, Claim(kind="named", datasets=names, method=procedure))
                seen.add(found.key)
                if members in lists:
                    assert found.key == ("holds" if len(lists) == 1 else "depends"), procedure
                elif procedure != "fisher-closed":
                    assert found.key == "contradicted", procedure
        assert seen == {"holds", "depends", "contradicted"}, procedure


def test_what_is_not_decided_is_not_called_contradicted() -> None:
    # Sums of evidence have no cells, and too many choices of cells are not tried.
    for method in ("fisher", "simes"):
        for k in range(31):
            assert count_within(np.zeros(30), np.ones(30), k, method).key == "depends", method


def test_digits_on_both_sides_of_each_threshold_leave_every_count_open() -> None:
    falling, rising = (ALPHA / 3, ALPHA / 2, ALPHA), (ALPHA / 3, 2 * ALPHA / 3, ALPHA)
    for method, thresholds in {
        "bonferroni": falling,
        "holm": falling,
        "hochberg": falling,
        "benjamini-hochberg": rising,
        "benjamini-yekutieli": tuple(t / (1 + 1 / 2 + 1 / 3) for t in rising),
    }.items():
        low, high = (np.array(thresholds) * by for by in (0.999, 1.001))
        for k in range(N + 1):
            assert count_within(low, high, k, method).key == "depends", (method, k)
