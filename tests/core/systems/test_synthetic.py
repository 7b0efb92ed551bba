"""Systems made by refitting on resampled training data."""

import numpy as np
import pytest

from core.systems.gain_confidence import synthetic_systems
from tests.benchmarks import make_synthetic_systems


def counting(n_test: int = 7):
    """A "model" that tells what it was fitted on."""
    seen: list[np.ndarray] = []

    def fit_predict(places, rng):
        seen.append(places)
        return np.full(n_test, places.mean() + 1e-9 * rng.random())

    return fit_predict, seen


def test_training_sets_are_resampled_in_full_half_and_quarter_size():
    fit_predict, seen = counting()
    made = synthetic_systems({"m": fit_predict}, 400, dataset="d", n_per_fraction=2)
    assert [places.size for places in seen] == [400, 400, 200, 200, 100, 100]
    assert all(places.min() >= 0 and places.max() < 400 for places in seen)
    # Drawn with replacement: some 63% of 400 are different.
    assert 0.5 < np.unique(seen[0]).size / 400 < 0.75
    assert not np.array_equal(seen[0], seen[1])
    assert made.datasets == ("d",)
    assert made.systems == ("m:100:1", "m:100:2", "m:50:1", "m:50:2", "m:25:1", "m:25:2")


def test_a_system_depends_on_nothing_but_the_seed_and_its_own_name():
    one, two = (counting()[0] for _ in range(2))
    alone = synthetic_systems({"b": one}, 50, dataset="d", n_per_fraction=1, rng=5)
    beside = synthetic_systems({"a": one, "b": two}, 50, dataset="d", n_per_fraction=3, rng=5)
    other = synthetic_systems({"b": one}, 50, dataset="d", n_per_fraction=1, rng=6)
    for name in alone.systems:
        assert np.array_equal(alone.scores("d", name), beside.scores("d", name))
        assert not np.array_equal(alone.scores("d", name), other.scores("d", name))


def test_what_a_model_must_not_give_is_refused():
    fit_predict, _ = counting()
    for wrong in (
        lambda places, rng: np.zeros((3, 2)),
        lambda places, rng: [np.nan, 1.0],
        lambda places, rng: [],
    ):
        with pytest.raises(ValueError, match="one finite score for each test example"):
            synthetic_systems({"m": wrong}, 10, dataset="d")
    with pytest.raises(ValueError, match="one score an example"):
        synthetic_systems({"m": lambda places, rng: np.zeros(places.size)}, 10, dataset="d")
    for keywords in ({"fractions": (2.0,)}, {"fractions": ()}, {"n_per_fraction": 0}):
        with pytest.raises(ValueError, match="must"):
            synthetic_systems({"m": fit_predict}, 10, dataset="d", **keywords)
    with pytest.raises(ValueError, match="at least one base model"):
        synthetic_systems({}, 10, dataset="d")


def test_the_script_makes_the_sample_that_is_there():
    pytest.importorskip("sklearn")
    made = make_synthetic_systems.made(n_per_fraction=1)
    rows = make_synthetic_systems.FILE.read_text(encoding="utf-8").splitlines()
    heads = rows[0].split(",")
    for system in made.systems:
        scores = made.scores(make_synthetic_systems.DATASET, system)
        there = np.array([float(row.split(",")[heads.index(system)]) for row in rows[1:]])
        # Another version of scikit-learn may read a few pictures differently.
        assert (there != scores).mean() < 0.02
