"""All metrics of one comparison: each p-value is the test's own, and a free choice inflates as it does."""

from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy.stats import binomtest, kstest, rankdata

from core.data.result_set import ResultSet
from core.data.side_data import clusters_of_labels
from core.reliability.choices import (
    FreeChoice,
    flipped_choice,
    free_choice_rate,
    simulated_free_choice,
)
from core.reliability.pairs import fitting_tests, metric_study
from core.significance.choose import suitable_tests
from core.significance.run import run_dataset_tests
from core.significance.single import run_significance_test
from core.significance.stopping import Stopped


def result_set(values: dict[str, np.ndarray], **further: Any) -> ResultSet:
    """One dataset "d" of two systems, from arrays of shape (n, 2) or (n, 2, s)."""
    return ResultSet(
        datasets=("d",),
        systems=("A", "B"),
        values={metric: (array,) for metric, array in values.items()},
        higher_is_better=further.pop("higher", None) or dict.fromkeys(values, True),
        **further,
    )


METRICS = ("accuracy", "length", "loss")


@cache
def scored() -> ResultSet:
    """Two datasets with three metrics; lower loss is better."""
    rng = np.random.default_rng(7)
    values: dict[str, Any] = {name: [] for name in METRICS}
    for _ in range(2):
        values["accuracy"].append((rng.random((80, 2)) < [0.8, 0.6]).astype(float))
        values["length"].append(rng.integers(0, 9, size=(80, 2)).astype(float))
        values["loss"].append(np.round(rng.normal([0.0, 0.5], size=(80, 2)), 2))
    return ResultSet(
        datasets=("x", "y"),
        systems=("A", "B"),
        values={name: tuple(arrays) for name, arrays in values.items()},
        higher_is_better={"accuracy": True, "length": True, "loss": False},
    )


def run(data: ResultSet, **arguments: Any) -> FreeChoice:
    return simulated_free_choice(data, "d", a="A", b="B", **arguments)


def test_the_closed_form_is_that_of_the_definition() -> None:
    assert round(free_choice_rate(2, 0.05), 4) == 0.0975
    assert round(free_choice_rate(2, 0.01), 4) == 0.0199
    assert free_choice_rate(1, 0.05) == pytest.approx(0.05)
    assert free_choice_rate(20, 0.05) == pytest.approx(1 - 0.95**20)
    # Where 1 − α is no different from 1.
    assert free_choice_rate(3, 1e-18) == pytest.approx(3e-18)


def test_p_values_under_flips_are_those_of_the_tests_on_exchanged_scores() -> None:
    data = scored()
    rng = np.random.default_rng(3)
    swaps = rng.random((6, 80)) < 0.5
    signs = np.where(swaps, -1.0, 1.0)
    for metric in data.metrics:
        plans, _ = fitting_tests(data, "x", metric, a="A", b="B", tests=("all",))
        first, second = (data.scores("x", system, metric) for system in ("A", "B"))
        for plan in plans:
            found = flipped_choice(data, plan, a="A", b="B")[0](signs)
            for row, swap in enumerate(swaps):
                result = run_significance_test(
                    np.where(swap, second, first),
                    np.where(swap, first, second),
                    test=plan.test,
                    higher_is_better=data.is_higher_better(metric),
                    n_resamples=1999,
                    rng=0,
                )
                # The bootstrap by its limit; of the others only rounding differs.
                room = 1e-9 * result.p_value
                if plan.test == "paired-bootstrap":
                    room = 0.03 if metric == "loss" else 0.005
                assert found[row] == pytest.approx(result.p_value, abs=room), plan.test


@pytest.mark.parametrize("kind", ["pearson", "spearman"])
@pytest.mark.parametrize("higher", [True, False])
def test_correlations_under_flips_are_those_of_exchanged_standings(kind: Any, higher: bool) -> None:
    rng = np.random.default_rng(4)
    gold = rng.normal(size=80)
    scores = gold[:, np.newaxis] + rng.normal(size=(80, 2)) * [1.0, 1.5]
    data = result_set({"r": scores}, kinds={"r": kind}, gold_scores=(gold,), higher={"r": higher})
    from core.metrics.registry import standing

    stands = [standing(column, kind=kind) for column in scores.T]
    sizes = [np.linalg.norm(one) for one in stands]
    first, second = (one / size for one, size in zip(stands, sizes, strict=True))
    right = standing(gold, kind=kind)
    swap = rng.random(80) < 0.5
    given = np.where(swap, second, first), np.where(swap, first, second)
    plans, _ = fitting_tests(data, "d", "r", a="A", b="B", tests=("williams", "steiger", "meng"))
    for plan in plans:
        (found,) = flipped_choice(data, plan, a="A", b="B")[0](
            np.where(swap, -1.0, 1.0)[np.newaxis]
        )
        result = run_significance_test(
            *given,
            test=plan.test,
            metric="pearson",
            gold=right,
            higher_is_better=higher,
        )
        assert found == pytest.approx(result.p_value, rel=1e-9), plan.test


@pytest.mark.parametrize("kind", ["pearson", "spearman"])
@pytest.mark.parametrize("clustered", [False, True])
def test_randomization_of_correlations_under_flips_ranks_them_among_swaps(
    kind: Any, clustered: bool
) -> None:
    rng = np.random.default_rng(4)
    gold = np.repeat(rng.normal(size=30), 2)
    # Permutations of one set of numbers, so that scores are exchanged as standings are.
    scores = np.column_stack([rankdata(gold + rng.normal(size=60)) for _ in range(2)])
    labels = np.repeat(np.arange(30), 2) if clustered else np.arange(60)
    data = result_set(
        {"r": scores},
        kinds={"r": kind},
        gold_scores=(gold,),
        clusters=clusters_of_labels({"d": labels.tolist()}, ("d",)) if clustered else None,
    )
    plans, _ = fitting_tests(data, "d", "r", a="A", b="B", tests=("approximate-randomization",))
    swaps = rng.random((4_000, labels.max() + 1)) < 0.5
    swaps[0] = False

    def correlations(system: int) -> np.ndarray:
        exchanged = np.where(swaps[:, labels], scores[:, 1 - system], scores[:, system])
        stands = rankdata(exchanged, axis=1) if kind == "spearman" else exchanged
        right = rankdata(gold) if kind == "spearman" else gold
        stands = stands - stands.mean(axis=1, keepdims=True)
        found: np.ndarray = stands @ (right - right.mean()) / np.linalg.norm(stands, axis=1)
        return found

    deltas = correlations(0) - correlations(1)
    signs = np.where(swaps[:50], -1.0, 1.0)
    found = flipped_choice(data, plans[0], a="A", b="B")[0](signs)
    for p, delta in zip(found, deltas[:50], strict=True):
        # From 4,000 and 9,999 swaps.
        assert p == pytest.approx(np.mean(deltas >= delta - 1e-9), abs=0.035)


@pytest.mark.parametrize(
    "scores",
    [
        # Swapped on the last two, A is gold; swapped on the first two, B is.
        [[1, 2, 3, 5, 4], [2, 1, 3, 4, 5]],
        # Swapped on the third alone, A does not vary.
        [[1, 1, 2, 1, 1], [2, 1, 1, 1, 1]],
    ],
)
def test_flips_that_leave_a_test_of_correlations_undefined_count_as_one(scores: Any) -> None:
    given = np.array(scores, dtype=np.float64).T
    data = result_set({"r": given}, kinds={"r": "spearman"}, gold_scores=(np.arange(5.0),))
    every = np.array(list(product((1.0, -1.0), repeat=5)))
    plans, _ = fitting_tests(data, "d", "r", a="A", b="B", tests=("williams", "steiger", "meng"))
    assert plans
    for plan in plans:
        p_values = flipped_choice(data, plan, a="A", b="B")[0](every)
        assert ((p_values > 0.0) & (p_values <= 1.0)).all()
        assert p_values.max() == 1.0


def test_independent_metrics_inflate_as_theory_says_and_copies_do_not() -> None:
    rng = np.random.default_rng(5)
    first, second = rng.normal(size=(2, 200, 2))
    n = 4_000
    both = run(result_set({"m": first, "n": second}), tests=("paired-t",), n_repetitions=n)
    assert binomtest(both.rate.count, n, free_choice_rate(2, 0.05)).pvalue > 1e-3
    assert both.n_as_if_independent == pytest.approx(2.0, abs=0.25)
    copies = run(result_set({"m": first, "n": 2.0 * first}), tests=("paired-t",), n_repetitions=n)
    assert binomtest(copies.rate.count, n, 0.05).pvalue > 1e-3
    # One coin an example for all metrics: the copies' p-values are the same.
    assert np.allclose(copies.p_values[:, 0], copies.p_values[:, 1], rtol=1e-9)
    between = run(
        result_set({"m": first, "n": first + second}), tests=("paired-t",), n_repetitions=n
    )
    assert copies.rate.count < between.rate.count < both.rate.count


def test_each_choice_alone_keeps_its_level_whatever_the_effect_in_the_data() -> None:
    rng = np.random.default_rng(6)
    strong = (rng.random((300, 2)) < [0.9, 0.5]).astype(float)
    found = run(result_set({"m": strong}), tests=("all",), n_repetitions=3_000)
    assert found.observed.max() < 1e-9
    for (_, test), rate in zip(found.choices, found.rates, strict=True):
        if test in ("mcnemar", "sign", "wilcoxon", "approximate-randomization"):
            assert binomtest(rate.count, rate.n, 0.05, alternative="greater").pvalue > 1e-3
        assert rate.rate < 0.08
    assert found.adjusted_p_value == pytest.approx(1 / 3_001)


def test_the_adjusted_p_value_is_valid_where_nothing_differs() -> None:
    rng = np.random.default_rng(7)
    adjusted, smallest = [], []
    for seed in range(300):
        data = result_set({"m": rng.normal(size=(40, 2)), "n": rng.normal(size=(40, 2))})
        found = run(data, tests=["paired-t", "sign"], n_repetitions=99, rng=seed)
        adjusted.append(found.adjusted_p_value)
        smallest.append(found.smallest_observed)
    assert binomtest(sum(p <= 0.1 for p in adjusted), 300, 0.1, "greater").pvalue > 1e-3
    assert kstest(adjusted, "uniform").pvalue > 1e-4
    # What it corrects: the smallest p-value taken as it is.
    assert binomtest(sum(p <= 0.1 for p in smallest), 300, 0.1, "greater").pvalue < 1e-3


def test_whole_clusters_change_places() -> None:
    rng = np.random.default_rng(8)
    # Differences of a cluster are all the same: 30 clusters of 10 are no 300 examples.
    apart = np.repeat(rng.normal(size=30), 10)
    scores = {"d": {"A": apart, "B": np.zeros(300)}}
    codes = {"d": np.repeat(np.arange(30), 10).tolist()}
    whole = run(ResultSet.from_scores(scores, clusters=codes), n_repetitions=3_000)
    assert whole.of_clusters
    assert whole.choices == (("score", "approximate-randomization"),)
    assert binomtest(whole.rate.count, 3_000, 0.05).pvalue > 1e-3
    sums = {"d": {"A": apart[::10] * 10.0, "B": np.zeros(30)}}
    summed = run(
        ResultSet.from_scores(sums), tests=("approximate-randomization",), n_repetitions=10
    )
    assert whole.observed == pytest.approx(summed.observed, rel=1e-2)


def test_metrics_of_labels_are_flipped_to_first_order() -> None:
    rng = np.random.default_rng(9)
    gold = rng.choice(["a", "b", "c"], 400)
    given = {
        s: np.where(rng.random(400) < 0.7, gold, rng.choice(["a", "b", "c"], 400)).tolist()
        for s in ("A", "B")
    }
    data = ResultSet.from_predictions({"d": gold.tolist()}, {"d": given})
    found = run(data, n_repetitions=2_000)
    assert len(found.choices) == 6
    assert len(found.notes) == 2
    for rate in found.rates:
        assert 0.03 < rate.rate < 0.075
    # They are of the same labels, so that six choices are far from six independent ones.
    assert 1.2 < found.n_as_if_independent < 5.5


@cache
def labelled() -> ResultSet:
    """Three datasets of labels; on the second "rare" is never gold."""
    rng = np.random.default_rng(6)
    gold: dict[str, Any] = {}
    predictions: dict[str, Any] = {}
    for name, labels, n in (("one", "abr", 90), ("two", "ab", 60), ("three", "abr", 70)):
        right = rng.choice(list(labels), n)
        gold[name] = ["rare" if label == "r" else label for label in right.tolist()]
        predictions[name] = {
            system: [label if rng.random() < share else "a" for label in gold[name]]
            for system, share in (("A", 0.9), ("B", 0.6))
        }
    return ResultSet.from_predictions(gold, predictions)


def test_every_p_value_is_the_one_that_the_tests_give_by_themselves() -> None:
    study = metric_study(scored(), a="A", b="B", rng=9, n_resamples=199)
    for metric in METRICS:
        table = run_dataset_tests(
            scored(), a="A", b="B", metric=metric, test="auto", rng=9, n_resamples=199
        )
        own = [pair.result.p_value for pair in study.pairs if pair.result.metric == metric]
        assert own == table.p_values.tolist()
    assert study.columns == (
        ("accuracy", "mcnemar"),
        ("length", "approximate-randomization"),
        ("loss", "approximate-randomization"),
    )
    assert len(study.pairs) == 2 * 3
    assert all(pair.by_rule for pair in study.pairs)


def test_all_tests_that_fit_are_run_and_no_other() -> None:
    study = metric_study(scored(), a="A", b="B", tests=("all",), n_resamples=99)
    for metric in METRICS:
        own = {pair.result.test for pair in study.pairs if pair.result.metric == metric}
        assert own == set(suitable_tests("mean", zero_one=metric == "accuracy"))
    rule = {(pair.result.metric, pair.result.test) for pair in study.pairs if pair.by_rule}
    assert rule == {
        ("accuracy", "mcnemar"),
        ("length", "approximate-randomization"),
        ("loss", "approximate-randomization"),
    }
    assert study.family.most_choices == len(study.columns)
    assert study.left_out == ()


def test_metrics_of_labels_are_among_them_and_what_is_not_defined_is_said() -> None:
    study = metric_study(labelled(), a="A", b="B", n_resamples=99)
    assert set(study.metrics) == {"accuracy", "macro-F1", "MCC", "F1 of a", "F1 of b", "F1 of rare"}
    (missing,) = study.left_out
    assert (missing.dataset, missing.column) == ("two", "F1 of rare")
    assert "no example has that gold label" in missing.what
    assert missing.remedy
    assert len(study.pairs) == 3 * 6 - 1
    # A dataset with fewer p-values weighs as much as it has.
    assert study.family.n_pairs == 17
    assert study.family.most_choices == 6


def test_datasets_left_out_are_not_tested_and_change_no_p_value() -> None:
    whole = metric_study(scored(), a="A", b="B", rng=1)
    calls: list[int] = []
    one = metric_study(
        scored(),
        a="A",
        b="B",
        rng=1,
        datasets=["y", "y"],
        on_progress=lambda _, total: calls.append(total),
    )
    assert one.datasets == one.tested_datasets == ("y",)
    kept = [pair.result.p_value for pair in whole.pairs if pair.dataset == "y"]
    assert [pair.result.p_value for pair in one.pairs] == kept
    assert set(calls) == {len(kept)}
    assert metric_study(scored(), a="A", b="B", datasets=["y", "x"]).datasets == ("x", "y")
    for wrong, message in ((["no"], "`datasets` must be one of"), ([], "at least one dataset")):
        with pytest.raises(ValueError, match=message):
            metric_study(scored(), a="A", b="B", datasets=wrong)


def test_any_all_and_those_that_depend_part_the_datasets() -> None:
    study = metric_study(scored(), a="A", b="B", rng=1)
    table = [[p.result.p_value for p in study.pairs if p.dataset == d] for d in study.datasets]
    by_any = [d for d, row in zip(study.datasets, table, strict=True) if min(row) <= 0.05]
    by_all = [d for d, row in zip(study.datasets, table, strict=True) if max(row) <= 0.05]
    assert list(study.datasets_by_any) == by_any
    assert list(study.datasets_by_all) == by_all
    assert set(study.datasets_that_differ) == set(by_any) - set(by_all)
    strict = study.at_level(1e-12)
    assert strict.datasets_by_any == ()
    assert not strict.family.named.any()
    loose = study.at_level(1 - 1e-9)
    assert loose.datasets_by_all == ("x", "y")
    assert loose.pairs is study.pairs


def test_a_p_value_out_of_the_bootstraps_reach_does_not_count() -> None:
    scores = {"d": {"A": [0.5] * 12, "B": [0.1] * 12}}
    study = metric_study(
        ResultSet.from_scores(scores), a="A", b="B", tests=["paired-bootstrap", "sign"]
    )
    bootstrap, sign = study.pairs
    assert bootstrap.kept_out
    assert bootstrap.counted_p_value == 1.0
    assert sign.counted_p_value == sign.result.p_value == pytest.approx(2.0**-12)
    assert study.datasets_that_differ == ("d",)
    assert study.family.named.sum() == 1


def test_a_stop_keeps_what_is_done_and_threads_change_nothing() -> None:
    done = metric_study(scored(), a="A", b="B", rng=2, n_resamples=99)
    stopped = metric_study(
        scored(), a="A", b="B", rng=2, n_resamples=99, on_progress=lambda n, _: n < 4
    )
    assert not stopped.complete
    assert [p.result.p_value for p in stopped.pairs] == [p.result.p_value for p in done.pairs][:4]
    assert "done:4" in stopped.signature
    with pytest.raises(Stopped):
        metric_study(scored(), a="A", b="B", on_progress=lambda *_: False)
    together = metric_study(scored(), a="A", b="B", rng=2, n_resamples=99, n_threads=2)
    assert [p.result.p_value for p in together.pairs] == [p.result.p_value for p in done.pairs]
    assert together.signature == done.signature
