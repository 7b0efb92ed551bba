"""Counts and names of whole tables are those of their rows, one by one."""

from functools import partial

import numpy as np
import pytest
from scipy.special import gammainccinv

from core.replicability.combinations import combination_names
from core.replicability.counting import count_by_common_practice, count_datasets
from core.replicability.identification import identify_datasets, procedure_names
from core.simulation.batch import BatchCounter, estimator_names
from core.types import FloatArray
from core.validation import RELATIVE_TOLERANCE


def expected(rows: FloatArray, alpha: float) -> dict[str, list[int]]:
    counts: dict[str, list[int]] = {
        combination: [
            count_datasets(row, alpha=alpha, combination=combination).k_hat for row in rows
        ]
        for combination in combination_names()
    }
    return {"count": [count_by_common_practice(row, alpha=alpha) for row in rows], **counts}


def check(rows: FloatArray, alpha: float) -> dict[str, list[int]]:
    before = rows.copy()
    batch = BatchCounter(rows.shape[1], alpha=alpha).k_hat(rows)
    assert np.array_equal(rows, before)
    assert tuple(batch) == estimator_names()
    one_by_one = expected(rows, alpha)
    for estimator in estimator_names():
        assert batch[estimator].dtype == np.int16
        assert batch[estimator].tolist() == one_by_one[estimator], estimator
    return one_by_one


@pytest.mark.parametrize(
    ("n", "alpha"), [(1, 0.5), (2, 0.9), (3, 0.2), (7, 0.01), (23, 0.05), (100, 0.2), (257, 0.05)]
)
def test_a_table_counts_as_its_rows_do(n: int, alpha: float) -> None:
    rng = np.random.default_rng([n, int(1e4 * alpha)])
    powers = rng.choice([1.0, 2.0, 4.0, 12.0], size=(120, 1))
    rows = rng.random((120, n)) ** powers
    # Some rows are a mixture, so that counts stop at every place from 0 to N.
    nothing = rng.random((120, n)) < rng.random((120, 1))
    rows = np.where(nothing, rng.random((120, n)), rows)
    counts = check(rows, alpha)
    if n >= 23 and alpha <= 0.2:
        for estimator in estimator_names():
            assert len(set(counts[estimator])) > 8, estimator


@pytest.mark.parametrize("n", [30, 700])
def test_p_values_whose_product_no_float_holds_count_as_in_rows(n: int) -> None:
    rng = np.random.default_rng(n)
    rows = rng.random((60, n)) ** rng.choice([1.0, 3.0, 90.0], size=(60, n))
    rows **= rng.choice([0.3, 1.0, 5.0], size=(60, 1))
    rows[::4, 0], rows[::6, 1] = 0.0, 1.0
    counts = check(rows, 0.05)
    assert (rows.prod(axis=1) == 0.0).any()
    assert len(set(counts["fisher"])) > 8


@pytest.mark.parametrize("n", [1, 2, 5, 22, 44])
def test_tied_p_values_zeros_ones_and_thresholds_count_as_in_rows(n: int) -> None:
    alpha = 0.05
    rng = np.random.default_rng(n)
    # Multiples of alpha / m are where Simes' and Holm's decisions change, in both ways of rounding.
    sizes = rng.integers(1, n + 1, size=(300, n))
    ranks = rng.integers(1, n + 1, size=(300, n))
    thresholds = np.minimum(ranks * alpha / sizes, 1.0)
    choices = np.stack(
        [
            thresholds,
            np.minimum(ranks * (alpha / sizes), 1.0),
            np.nextafter(thresholds, 0.0),
            np.nextafter(thresholds, 1.0),
            # The last p-values within the tolerance of a decision, and the first beyond it.
            np.nextafter(thresholds * (1.0 + RELATIVE_TOLERANCE), 0.0),
            thresholds * (1.0 + RELATIVE_TOLERANCE),
            np.nextafter(thresholds * (1.0 + RELATIVE_TOLERANCE), 1.0),
            np.zeros((300, n)),
            np.ones((300, n)),
            np.full((300, n), alpha),
            alpha / np.arange(n, 0.0, -1.0) * np.ones((300, 1)),
            np.arange(1.0, n + 1.0) * alpha / n * np.ones((300, 1)),
        ]
    )
    choices = np.clip(choices, 0.0, 1.0)
    picked = rng.integers(0, len(choices), size=(300, n))
    mixed = np.take_along_axis(choices, picked[np.newaxis], axis=0)[0]
    check(mixed, alpha)
    for rows in choices:
        check(rows[:20], alpha)
        # One threshold among p-values that decide nothing.
        alone = rng.uniform(0.9, 1.0, size=(20, n))
        alone[:, 0] = rows[:20, 0]
        check(alone, alpha)


@pytest.mark.parametrize("n", [1, 3, 20, 100])
def test_a_fisher_sum_at_its_quantile_is_decided_by_the_tail_itself(n: int) -> None:
    quantile = float(gammainccinv(n, 0.05))
    # Equal p-values whose sum lies on the quantile, or off it by more and less than a tie.
    off = np.array([0.0, 1e-15, -1e-15, 1e-12, -1e-12, 1e-10, -1e-10, 1e-8, -1e-8])
    rows = np.repeat(np.exp(-quantile * (1.0 + off) / n)[:, np.newaxis], n, axis=1)
    counts = check(rows, 0.05)["fisher"]
    assert counts[0] > 0
    assert counts[-1] == 0


def test_a_table_of_anything_but_p_values_or_of_another_width_is_refused() -> None:
    counter, truth = BatchCounter(3, alpha=0.05), np.zeros(3, np.bool_)
    named = partial(counter.named, truth=truth, procedures=procedure_names())
    for call in (counter.k_hat, named):
        for wrong in (np.nan, -0.1, 1.1, np.inf):
            rows = np.full((4, 3), 0.5)
            rows[2, 1] = wrong
            with pytest.raises(ValueError, match="between 0 and 1"):
                call(rows)
        with pytest.raises(ValueError, match=r"shape \(n, 3\); got \(2, 4\)"):
            call(np.ones((2, 4)))
    for n in (0, 32768):
        with pytest.raises(ValueError, match="between 1 and 32,767"):
            BatchCounter(n, alpha=0.05)


def check_names(rows: FloatArray, alpha: float, *, seed: int = 0) -> dict[str, list[int]]:
    rng = np.random.default_rng(seed)
    truth = rng.random(rows.shape[1]) < rng.choice([0.0, 0.5, 1.0])
    found = BatchCounter(truth.size, alpha=alpha).named(rows, truth, procedure_names())
    for procedure in procedure_names():
        rejected = [
            identify_datasets(row, alpha=alpha, procedure=procedure).rejected for row in rows
        ]
        assert found[procedure][0].tolist() == [int(r.sum()) for r in rejected], procedure
        right = [int((r & truth).sum()) for r in rejected]
        assert found[procedure][1].tolist() == right, procedure
    return {procedure: found[procedure][0].tolist() for procedure in procedure_names()}


@pytest.mark.parametrize(
    ("n", "alpha"), [(1, 0.05), (2, 0.9), (3, 0.3), (7, 0.01), (23, 0.3), (60, 0.05)]
)
def test_a_table_is_named_as_its_rows_are(n: int, alpha: float) -> None:
    rng = np.random.default_rng([n, int(1e4 * alpha)])
    rows = rng.random((80, n)) ** rng.choice([1.0, 3.0, 9.0], size=(80, 1))
    # Rounded ones have ties and zeros.
    rows[::3] = np.round(rows[::3], 2)
    found = check_names(rows, alpha, seed=n)
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
        check_names(rows, alpha, seed=n)
