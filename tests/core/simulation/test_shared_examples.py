"""Studies drawn example by example on shared test sets, counted by p-values and by joint flips."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import ttest_1samp

from core.charts import k_hat_histograms
from core.replicability.joint import count_by_flips
from core.simulation import SharedExamples, draw_one, extend_simulation, simulate_k_hat
from core.words.simulation_results import promise_sentence, promise_table

SETS = SharedExamples(n_test_sets=2, n_sharing=3, n_examples=40, rho=0.6, effect=2.5, n_better=1)


def test_p_values_are_of_the_t_test_on_the_differences_that_are_flipped() -> None:
    p_values = SETS.draw(np.random.default_rng(3), 4)
    flips = SETS.draw_flips(np.random.default_rng(3), 4)
    drawn = SETS._differences(np.random.default_rng(3), 4)
    exact = np.reshape(ttest_1samp(drawn, 0.0, axis=1, alternative="greater").pvalue, (4, 6))
    assert p_values == pytest.approx(exact, rel=1e-9)
    root = np.sqrt(np.square(drawn).sum(axis=1))
    z = (drawn.sum(axis=1) / root).reshape(4, 6)
    assert np.array([each.observed for each in flips]) == pytest.approx(z)
    assert [each.n_units for each in flips] == [80] * 4
    apart = np.asarray(np.corrcoef(flips[0].flipped[1:], rowvar=False))
    assert apart[0, 1] > 0.3
    assert abs(apart[0, 3]) < 0.2


def test_the_joint_counts_stand_beside_those_of_p_values_in_every_answer() -> None:
    found = simulate_k_hat(SETS, n_repetitions=70, rng=5)
    assert found.estimators[-2:] == ("joint-sum", "joint-max")
    begun = simulate_k_hat(SETS, n_repetitions=33, rng=5)
    longer = extend_simulation(begun, SETS, n_repetitions=37)
    one = draw_one(SETS, 5, repetition=40)
    for name in found.estimators:
        assert (longer.k_hat[name] == found.k_hat[name]).all(), name
        assert one.k_hat[name] == found.k_hat[name][40], name
    flips = SETS.draw_flips(_stream(5, 1), 32)[8]
    assert one.k_hat["joint-sum"] == count_by_flips(flips).k_hat
    assert {"joint flips", "joint step-down"} <= set(promise_table(found)["count by"])
    assert "joint step-down" in promise_sentence(found)
    assert "joint flips" in str(k_hat_histograms(found).layout.annotations)


def test_joint_counts_keep_the_promise_that_fishers_breaks_on_shared_examples() -> None:
    none = SharedExamples(n_test_sets=1, n_sharing=6, n_examples=30, rho=0.9)
    found = simulate_k_hat(none, n_repetitions=600, rng=1)
    assert found.overcount("fisher").position == "above"
    for name in ("joint-sum", "joint-max"):
        assert found.overcount(name).position != "above", name
        assert name in found.proved, name
    assert not {"fisher", "simes"} & set(found.proved)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"n_sharing": 8}, "`n_test_sets` times `n_sharing` must lie between 1 and 30; got 4"),
        ({"n_examples": 9}, "`n_examples` must lie between 10 and 2000; got 9"),
        ({"rho": 1.5}, "`rho` must lie between 0 and 1; got 1.5"),
        ({"n_better": 4}, "`n_better` must lie between 0 and 3; got 4"),
        ({"n_better": 1}, "`effect` must be above 0 where `n_better` is; got 0.0"),
    ],
)
def test_what_cannot_be_drawn_is_refused(wrong: dict[str, float], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        SharedExamples(**wrong)  # type: ignore[arg-type]


def _stream(seed: int, number: int) -> np.random.Generator:
    return np.random.Generator(np.random.SFC64(np.random.SeedSequence(seed, spawn_key=(number,))))
