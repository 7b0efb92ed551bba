"""The experiment that predicts held-out datasets."""

import numpy as np
import pytest
from scipy import stats

from core.effects.meta_analysis import meta_analysis
from core.effects.prediction import prediction_experiment
from core.significance import Stopped
from core.significance.settings import dataset_stream

RNG = np.random.default_rng(6)
N = 12
VARIANCES = RNG.uniform(0.001, 0.02, size=N)
EFFECTS = RNG.normal(0.05, np.sqrt(VARIANCES + 0.002))
SIZES = RNG.integers(50, 2000, size=N)
MODELS_COMPARED = ("fixed", "random", "gumbel")


def test_errors_are_estimates_less_the_mean_of_datasets_that_were_not_drawn() -> None:
    found = prediction_experiment(EFFECTS, VARIANCES, SIZES, sizes=[7], n_repetitions=1, rng=3)
    # Every way to split 12 datasets into 7 drawn and 5 held out: one of them fits all five errors.
    # As in the paper, random effects take the moment estimate of τ².
    order = dataset_stream(3, "12 datasets, 7 drawn, 5 held out", "prediction-experiment")
    places = order.permutation(N)
    drawn, held_out = places[:7], places[7:]
    truth = EFFECTS[held_out].mean()
    y, v = EFFECTS[drawn], VARIANCES[drawn]
    expected = [
        y.mean() - truth,
        np.average(y, weights=SIZES[drawn]) - truth,
        *(
            meta_analysis(y, v, model=model, tau2="dersimonian-laird").estimate - truth
            for model in MODELS_COMPARED
        ),
    ]
    assert found.methods == ("macro-average", "micro-average", "fixed", "random", "gumbel")
    assert found.errors[0, :, 0] == pytest.approx(expected, rel=1e-9)


def test_the_same_seed_gives_the_same_and_sizes_do_not_touch_each_other() -> None:
    both = prediction_experiment(EFFECTS, VARIANCES, SIZES, sizes=[5, 7], rng=4)
    one = prediction_experiment(EFFECTS, VARIANCES, SIZES, sizes=[7], rng=4)
    assert np.array_equal(both.errors[1], one.errors[0])
    other = prediction_experiment(EFFECTS, VARIANCES, SIZES, sizes=[7], rng=5)
    assert not np.array_equal(other.errors, one.errors)
    assert both.seed == 4
    assert "sizes:5,7|held-out:5|repetitions:20|seed:4" in both.signature


def test_means_and_p_values_are_those_of_the_errors() -> None:
    # Two of the twelve repetitions draw the same two datasets, so that differences of errors tie.
    found = prediction_experiment(EFFECTS, VARIANCES, SIZES, sizes=[2], n_repetitions=12, rng=0)
    every_sign = stats.PermutationMethod(n_resamples=2**12)
    assert found.mean_absolute_errors == pytest.approx(np.abs(found.errors).mean(axis=2))
    assert found.mean_signed_errors == pytest.approx(found.errors.mean(axis=2))
    assert np.isnan(found.p_values[0, 0])
    for j in (1, 4):
        sizes = np.abs(found.errors[0, [j, 0]])
        differences = np.round(sizes[0] - sizes[1], 12)
        assert np.unique(np.abs(differences)).size == 11
        known = stats.wilcoxon(differences, method=every_sign)
        assert found.p_values[0, j] == pytest.approx(known.pvalue, rel=1e-9)
    assert found.best == (found.methods[int(found.mean_absolute_errors[0].argmin())],)
    frame = found.to_frame()
    assert frame["method"].tolist() == list(found.methods)
    assert frame["n_repetitions"].tolist() == [12] * 5


def test_estimates_that_are_the_same_but_for_rounding_tie() -> None:
    found = prediction_experiment(EFFECTS, np.full(N, 0.01), np.full(N, 7), sizes=[6], rng=2)
    for method in ("micro-average", "fixed", "random"):
        assert found.p_values[0, found.methods.index(method)] == 1.0


def test_of_methods_that_are_the_same_but_for_rounding_the_first_is_the_best() -> None:
    for seed in range(6):
        found = prediction_experiment(
            EFFECTS, np.full(N, 0.01), np.full(N, 7), sizes=[6], n_repetitions=20, rng=seed
        )
        gumbel = found.mean_absolute_errors[0, -1] < found.mean_absolute_errors[0, 0]
        assert found.best == ("gumbel" if gumbel else "macro-average",), seed


def test_stopping_keeps_what_is_done() -> None:
    told: list[tuple[int, int]] = []

    def stop_at_second(done: int, total: int) -> bool:
        told.append((done, total))
        return done < 40

    found = prediction_experiment(
        EFFECTS, VARIANCES, sizes=[5, 6], n_repetitions=30, on_progress=stop_at_second
    )
    assert not found.complete
    assert found.n_done.tolist() == [30, 10]
    assert told[-1] == (40, 60)
    assert np.isfinite(found.mean_absolute_errors).all()
    whole = prediction_experiment(EFFECTS, VARIANCES, sizes=[5, 6], n_repetitions=30)
    assert whole.complete
    assert np.array_equal(whole.errors[1][:, :10], found.errors[1][:, :10])
    with pytest.raises(Stopped):
        prediction_experiment(EFFECTS, VARIANCES, on_progress=lambda done, total: False)


def test_ten_datasets_are_needed() -> None:
    with pytest.raises(ValueError, match="at least 10 entries"):
        prediction_experiment(EFFECTS[:9], VARIANCES[:9])


@pytest.mark.parametrize("sizes", [[], [1], [8], [5, 5]])
def test_sizes_must_leave_enough(sizes: list[int]) -> None:
    with pytest.raises(ValueError, match="`sizes` must be different whole numbers from 2 to 7"):
        prediction_experiment(EFFECTS, VARIANCES, sizes=sizes)


def test_too_many_held_out_are_refused() -> None:
    with pytest.raises(ValueError, match="`n_held_out` must leave at least two of 12"):
        prediction_experiment(EFFECTS, VARIANCES, n_held_out=11)
