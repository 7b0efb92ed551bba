"""Systems made by refitting on resampled training data."""

import numpy as np
import pytest

from core.systems.synthetic import synthetic_systems
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
    made = synthetic_systems({"m": fit_predict}, 400, n_per_fraction=2)
    assert [places.size for places in seen] == [400, 400, 200, 200, 100, 100]
    assert all(places.min() >= 0 and places.max() < 400 for places in seen)
    # Drawn with replacement: some 63% of 400 are different.
    assert 0.5 < np.unique(seen[0]).size / 400 < 0.75
    assert not np.array_equal(seen[0], seen[1])
    assert made.complete
    assert made.groups == {one.name: "m" for one in made.systems}
    assert [one.name for one in made.systems][:3] == ["m:100:1", "m:100:2", "m:50:1"]
    assert made.to_result_set("d").systems == tuple(one.name for one in made.systems)
    assert made.to_frame()["fraction"].tolist() == [1.0, 1.0, 0.5, 0.5, 0.25, 0.25]


def test_a_system_depends_on_nothing_but_the_seed_and_its_own_name():
    one, two = (counting()[0] for _ in range(2))
    alone = synthetic_systems({"b": one}, 50, n_per_fraction=1, rng=5)
    beside = synthetic_systems({"a": one, "b": two}, range(50), n_per_fraction=3, rng=5)
    names = [system.name for system in beside.systems]
    for k, system in enumerate(alone.systems):
        assert np.array_equal(alone.scores[:, k], beside.scores[:, names.index(system.name)])
    other = synthetic_systems({"b": one}, 50, n_per_fraction=1, rng=6)
    assert not np.array_equal(alone.scores, other.scores)


def test_what_a_model_must_not_give_is_refused():
    fit_predict, _ = counting()
    for wrong in (
        lambda places, rng: np.zeros((3, 2)),
        lambda places, rng: [np.nan, 1.0],
        lambda places, rng: [],
    ):
        with pytest.raises(ValueError, match="one finite score for each test example"):
            synthetic_systems({"m": wrong}, 10)
    with pytest.raises(ValueError, match="always give as many"):
        synthetic_systems({"m": lambda places, rng: np.zeros(places.size)}, 10)
    for keywords in ({"fractions": (2.0,)}, {"fractions": ()}, {"n_per_fraction": 0}):
        with pytest.raises(ValueError, match="must"):
            synthetic_systems({"m": fit_predict}, 10, **keywords)
    with pytest.raises(ValueError, match="at least one base model"):
        synthetic_systems({}, 10)


def test_the_script_makes_the_sample_that_is_there():
    pytest.importorskip("sklearn")
    made = make_synthetic_systems.made(n_per_fraction=1)
    rows = make_synthetic_systems.FILE.read_text(encoding="utf-8").splitlines()
    heads = rows[0].split(",")
    assert len(rows) - 1 == made.scores.shape[0]
    for k, system in enumerate(made.systems):
        column = heads.index(system.name)
        there = np.array([float(row.split(",")[column]) for row in rows[1:]])
        # Another version of scikit-learn may read a few pictures differently.
        assert (there != made.scores[:, k]).mean() < 0.02
