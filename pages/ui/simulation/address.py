"""The numbers of a scenario as an address carries them, and nothing else believed."""

from __future__ import annotations

from typing import TypeGuard

from core.simulation.discrete import MOST_EXAMPLES
from pages.ui.frame import limits
from pages.ui.simulation.numbers import (
    LARGEST_SAMPLE,
    LARGEST_SHIFT,
    Difference,
    Row,
    SharedSets,
    SmallDatasets,
)


def small_of(given: object) -> SmallDatasets | None:
    """The numbers of small datasets; None where these cannot be."""
    if not isinstance(given, list) or len(given) != len(SmallDatasets._fields):
        return None
    n_datasets, n_examples, q, n_better, d = given
    if (
        is_whole(n_datasets, 1, limits.MAX_DATASETS)
        and is_whole(n_examples, 1, MOST_EXAMPLES)
        and _is_number(q, 0.0, 1.0)
        and q > 0.0
        and is_whole(n_better, 0, n_datasets)
        and _is_number(d, 0.0, 1.0)
    ):
        return SmallDatasets(n_datasets, n_examples, float(q), n_better, float(d))
    return None


def shared_of(given: object) -> SharedSets | None:
    """The numbers of shared test sets; None where these cannot be."""
    if not isinstance(given, list) or len(given) != len(SharedSets._fields):
        return None
    n_test_sets, n_sharing, rho, n_better, shift = given
    if (
        is_whole(n_test_sets, 1, limits.MAX_DATASETS)
        and is_whole(n_sharing, 1, limits.MAX_DATASETS)
        and _is_number(rho, 0.0, 1.0)
        and is_whole(n_better, 0, n_sharing)
        and _is_number(shift, 0.0, LARGEST_SHIFT)
    ):
        return SharedSets(n_test_sets, n_sharing, float(rho), n_better, float(shift))
    return None


def written(row: Row) -> dict[str, object]:
    """A row, without what goes without saying."""
    found: dict[str, object] = {"n": row.n_datasets}
    if row.n_blocks != 1:
        found["times"] = row.n_blocks
    if row.rho:
        found["rho"] = row.rho
    if isinstance(row.effect, Difference):
        found.update({"d": row.effect.d, "examples": row.effect.n_examples, "q": row.effect.q})
    elif row.effect:
        found["effect"] = row.effect
    return found


def row_of(given: object) -> Row | None:
    """The row that was written; None where it was not by `written`."""
    if not isinstance(given, dict):
        return None
    left = dict(given)
    n_datasets, n_blocks = left.pop("n", None), left.pop("times", 1)
    rho = left.pop("rho", 0.0)
    if not (
        is_whole(n_datasets, 1, limits.MAX_DATASETS)
        and is_whole(n_blocks, 1, limits.MAX_DATASETS)
        and _is_number(rho, 0.0, 1.0)
    ):
        return None
    effect: float | Difference
    if "d" in left:
        d, n_examples, q = left.pop("d"), left.pop("examples", None), left.pop("q", None)
        if not (
            _is_number(d, -1.0, 1.0)
            and is_whole(n_examples, 1, LARGEST_SAMPLE)
            and _is_number(q, 0.0, 1.0)
            and q > 0.0
        ):
            return None
        effect = Difference(float(d), n_examples, float(q))
    else:
        shift = left.pop("effect", 0.0)
        if not _is_number(shift, -LARGEST_SHIFT, LARGEST_SHIFT):
            return None
        effect = float(shift)
    if left:
        return None
    return Row(n_datasets=n_datasets, n_blocks=n_blocks, rho=float(rho), effect=effect)


def is_whole(value: object, low: int, high: int) -> TypeGuard[int]:
    """Whether it is a whole number between these."""
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def _is_number(value: object, low: float, high: float) -> TypeGuard[float]:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    # No number is compared by way of a float, which the largest whole ones do not fit into.
    return low <= value <= high
