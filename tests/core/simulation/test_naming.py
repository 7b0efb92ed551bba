"""Names of whole tables are the names of their rows, one by one."""

from __future__ import annotations

import numpy as np
import pytest

from core.replicability.identification import identify_datasets, procedure_names
from core.simulation.identification import BatchNamer
from core.types import FloatArray
from core.validation import RELATIVE_TOLERANCE


def check(rows: FloatArray, alpha: float, *, seed: int = 0) -> dict[str, list[int]]:
    rng = np.random.default_rng(seed)
    truth = rng.random(rows.shape[1]) < rng.choice([0.0, 0.5, 1.0])
    found = BatchNamer(truth, alpha=alpha, procedures=procedure_names()).named(rows)
    for procedure in procedure_names():
        rejected = [
            identify_datasets(row, alpha=alpha, procedure=procedure).rejected for row in rows
        ]
        assert found[procedure].n_named.tolist() == [int(r.sum()) for r in rejected], procedure
        right = [int((r & truth).sum()) for r in rejected]
        assert found[procedure].n_right.tolist() == right, procedure
    return {procedure: found[procedure].n_named.tolist() for procedure in procedure_names()}


@pytest.mark.parametrize(
    ("n", "alpha"), [(1, 0.05), (2, 0.9), (3, 0.3), (7, 0.01), (23, 0.3), (60, 0.05)]
)
def test_a_table_is_named_as_its_rows_are(n: int, alpha: float) -> None:
    rng = np.random.default_rng([n, int(1e4 * alpha)])
    rows = rng.random((80, n)) ** rng.choice([1.0, 3.0, 9.0], size=(80, 1))
    # Rounded ones have ties and zeros.
    rows[::3] = np.round(rows[::3], 2)
    found = check(rows, alpha, seed=n)
    if n >= 23 and alpha <= 0.3:
        for procedure in procedure_names():
            assert len(set(found[procedure])) > 5, procedure


@pytest.mark.parametrize("n", [1, 2, 5, 22])
def test_thresholds_themselves_count_as_at_most(n: int) -> None:
    alpha = 0.05
    rng = np.random.default_rng(n)
    ranks = rng.integers(1, n + 1, size=(60, n))
    sizes = rng.integers(1, n + 1, size=(60, n))
    harmonic = np.sum(1.0 / np.arange(1, n + 1))
    for rows in (
        np.full((1, n), alpha / n),
        alpha / np.arange(n, 0.0, -1.0)[np.newaxis],
        np.arange(1.0, n + 1.0)[np.newaxis] * (alpha / n),
        np.arange(1.0, n + 1.0)[np.newaxis] * (alpha / (n * harmonic)),
        alpha / ranks,
        np.minimum(ranks * (alpha / sizes), 1.0),
        np.minimum(ranks * alpha / n * (1.0 + 4.0 * RELATIVE_TOLERANCE), 1.0),
    ):
        check(rows, alpha, seed=n)
    named = BatchNamer(np.ones(n, np.bool_), alpha=alpha, procedures=("bonferroni", "holm"))
    at_the_threshold = named.named(np.full((1, n), alpha / n))
    assert at_the_threshold["bonferroni"].n_right.tolist() == [n]
    assert at_the_threshold["holm"].n_right.tolist() == [n]


def test_a_table_with_anything_but_p_values_is_refused() -> None:
    for procedures in (procedure_names(), procedure_names()[:1]):
        namer = BatchNamer(np.zeros(3, np.bool_), alpha=0.05, procedures=procedures)
        with pytest.raises(ValueError, match="between 0 and 1"):
            namer.named(np.array([[0.5, np.nan, 0.1]]))
        with pytest.raises(ValueError, match=r"shape \(n, 3\)"):
            namer.named(np.ones((2, 4)))
