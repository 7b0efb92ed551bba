"""Meta-analyses of parts of the datasets: leave-one-out, groups with F between them, prediction."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.meta_analysis import combine_effects

from core.effects.meta_analysis import meta_analysis
from core.effects.subsets import between_groups, leave_one_out, prediction_experiment
from core.significance.settings import dataset_stream
from core.significance.stopping import Stopped
from tests.core.effects.cases import LOG_RISK_RATIOS, VARIANCES


def test_each_entry_is_the_analysis_of_the_others() -> None:
    influence = leave_one_out(LOG_RISK_RATIOS, VARIANCES, tau2="dersimonian-laird")
    for i in range(13):
        rest = np.arange(13) != i
        known = combine_effects(LOG_RISK_RATIOS[rest], VARIANCES[rest], method_re="chi2")
        assert influence.estimates[i] == pytest.approx(known.mean_effect_re)
        assert influence.without[i].tau2 == pytest.approx(known.tau2)
        without = influence.without[i]
        assert without.confidence_interval == pytest.approx(tuple(known.conf_int()[1]))
        assert influence.without[i].i2 == pytest.approx(known.i2)
    assert influence.shifts == pytest.approx(influence.estimates - influence.whole.estimate)


def test_the_most_influential_dataset_is_the_one_far_away() -> None:
    influence = leave_one_out([0.1, 0.1, 0.12, -0.9, 0.11], [0.01] * 5)
    assert influence.most_influential == 3
    assert influence.changes_sign == (3,)
    # Of two datasets each is left by itself.
    assert leave_one_out([0.1, 0.3], [0.01] * 2).estimates == pytest.approx([0.3, 0.1])


@settings(max_examples=25)
@given(
    effects=st.lists(st.floats(-5, 5).map(lambda one: round(one, 3)), min_size=6, max_size=12),
    n_first=st.integers(1, 3),
)
def test_between_groups_with_variances_of_one_size_random_effects_have_the_f_of_anova(
    effects: list[float], n_first: int
) -> None:
    # v + τ² is then the mean square within groups, wherever that is above v.
    groups = ["a"] * n_first + ["b"] * 2 + ["c"] * (len(effects) - n_first - 2)
    parts = [[y for y, g in zip(effects, groups, strict=True) if g == own] for own in "abc"]
    within = sum((np.var(part) * len(part) for part in parts), start=0.0)
    assume(within / (len(effects) - 3) > 1e-4)
    found = between_groups(np.array(effects), np.full(len(effects), 1e-6), groups)
    known = stats.f_oneway(*parts)
    assert found.q / 2 == pytest.approx(known.statistic, rel=1e-6, abs=1e-9)
    assert found.p_value == pytest.approx(known.pvalue, rel=1e-5, abs=1e-12)
    assert found.degrees_of_freedom_within == len(effects) - 3


@pytest.mark.parametrize("sizes", [(1, 7), (3, 3, 3), (1, 1, 8)])
def test_groups_that_do_not_differ_are_seldom_said_to_where_datasets_do(
    sizes: tuple[int, ...],
) -> None:
    # With a τ² of their own, groups of one dataset would have none, and .4 and more are rejected.
    rng = np.random.default_rng(23)
    groups = np.repeat(list("abc")[: len(sizes)], sizes).tolist()
    variances = np.geomspace(0.1, 10.0, len(groups))
    n = 120
    rejected = 0
    for _ in range(n):
        own = rng.permutation(variances)
        found = between_groups(rng.normal(0.0, np.sqrt(own + 10.0)), own, groups)
        rejected += found.p_value <= 0.05
    assert stats.binomtest(rejected, n, 0.08, alternative="greater").pvalue > 0.001


def test_one_group_or_one_dataset_a_group_has_no_q_between() -> None:
    for effects, groups, degrees in (([0.1, 0.2], ["all"] * 2, 0), ([0.1, 0.9], ["a", "b"], 1)):
        found = between_groups(np.array(effects), np.full(2, 0.1), groups)
        assert (found.q, found.p_value) == (None, None)
        assert found.degrees_of_freedom == degrees


RNG = np.random.default_rng(6)
N_DATASETS = 12
WITHIN = RNG.uniform(0.001, 0.02, size=N_DATASETS)
EFFECTS = RNG.normal(0.05, np.sqrt(WITHIN + 0.002))
SIZES = RNG.integers(50, 2000, size=N_DATASETS)
MODELS_COMPARED = ("fixed", "random", "gumbel")


def test_errors_are_estimates_less_the_mean_of_datasets_that_were_not_drawn() -> None:
    found = prediction_experiment(EFFECTS, WITHIN, SIZES, sizes=[7], n_repetitions=1, rng=3)
    # Every way to split 12 datasets into 7 drawn and 5 held out: one of them fits all five errors.
    # As in the paper, random effects take the moment estimate of τ².
    order = dataset_stream(3, "12 datasets, 7 drawn, 5 held out", "prediction-experiment")
    places = order.permutation(N_DATASETS)
    drawn, held_out = places[:7], places[7:]
    truth = EFFECTS[held_out].mean()
    y, v = EFFECTS[drawn], WITHIN[drawn]
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
    both = prediction_experiment(EFFECTS, WITHIN, SIZES, sizes=[5, 7], rng=4)
    one = prediction_experiment(EFFECTS, WITHIN, SIZES, sizes=[7], rng=4)
    assert np.array_equal(both.errors[1], one.errors[0])
    other = prediction_experiment(EFFECTS, WITHIN, SIZES, sizes=[7], rng=5)
    assert not np.array_equal(other.errors, one.errors)
    assert both.seed == 4
    assert "sizes:5,7|held-out:5|repetitions:20|seed:4" in both.signature


def test_means_and_p_values_are_those_of_the_errors() -> None:
    # Two of the twelve repetitions draw the same two datasets, so that differences of errors tie.
    found = prediction_experiment(EFFECTS, WITHIN, SIZES, sizes=[2], n_repetitions=12, rng=0)
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


def test_estimates_that_are_the_same_but_for_rounding_tie_and_the_first_is_the_best() -> None:
    for seed in range(6):
        found = prediction_experiment(
            EFFECTS, np.full(N_DATASETS, 0.01), np.full(N_DATASETS, 7), sizes=[6], rng=seed
        )
        assert found.p_values[0, 1:4].tolist() == [1.0] * 3
        gumbel = found.mean_absolute_errors[0, -1] < found.mean_absolute_errors[0, 0]
        assert found.best == ("gumbel" if gumbel else "macro-average",), seed


def test_stopping_keeps_what_is_done() -> None:
    told: list[tuple[int, int]] = []

    def stop_at_second(done: int, total: int) -> bool:
        told.append((done, total))
        return done < 40

    found = prediction_experiment(
        EFFECTS, WITHIN, sizes=[5, 6, 7], n_repetitions=30, on_progress=stop_at_second
    )
    assert not found.complete
    assert found.n_done.tolist() == [30, 10, 0]
    assert told[-1] == (40, 90)
    assert np.isfinite(found.mean_absolute_errors).all(axis=1).tolist() == [True, True, False]
    assert np.isnan(found.p_values[2]).all()
    whole = prediction_experiment(EFFECTS, WITHIN, sizes=[5, 6], n_repetitions=30)
    assert whole.complete
    assert np.array_equal(whole.errors[1][:, :10], found.errors[1][:, :10])
    with pytest.raises(Stopped):
        prediction_experiment(EFFECTS, WITHIN, on_progress=lambda done, total: False)
