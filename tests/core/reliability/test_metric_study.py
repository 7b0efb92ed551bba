"""All metrics of one comparison: each p-value is the test's own, and nothing is dropped unseen."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from core.data.result_set import ResultSet
from core.reliability.metrics import metric_study
from core.significance import Stopped, run_dataset_tests, suitable_tests

METRICS = ("accuracy", "length", "loss")


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


def test_every_p_value_is_the_one_that_the_tests_give_by_themselves() -> None:
    study = metric_study(scored(), a="A", b="B", rng=9, n_resamples=199)
    for metric in METRICS:
        table = run_dataset_tests(
            scored(), a="A", b="B", metric=metric, test="auto", rng=9, n_resamples=199
        )
        own = [pair.p_value for pair in study.pairs if pair.metric == metric]
        assert own == table.p_values.tolist()
    assert study.columns == (
        ("accuracy", "mcnemar"),
        ("length", "approximate-randomization"),
        ("loss", "approximate-randomization"),
    )
    assert study.p_values.shape == (2, 3)
    assert not np.isnan(study.p_values).any()
    assert all(pair.by_rule for pair in study.pairs)


def test_all_tests_that_fit_are_run_and_no_other() -> None:
    study = metric_study(scored(), a="A", b="B", tests="all", n_resamples=99)
    for metric in METRICS:
        own = {pair.test for pair in study.pairs if pair.metric == metric}
        assert own == set(suitable_tests("mean", zero_one=metric == "accuracy"))
    rule = {(pair.metric, pair.test) for pair in study.pairs if pair.by_rule}
    assert rule == {
        ("accuracy", "mcnemar"),
        ("length", "approximate-randomization"),
        ("loss", "approximate-randomization"),
    }
    assert study.n_choices == len(study.columns)
    assert study.left_out == ()


def test_metrics_of_labels_are_among_them_and_what_is_not_defined_is_said() -> None:
    study = metric_study(labelled(), a="A", b="B", n_resamples=99)
    assert set(study.metrics) == {"accuracy", "macro-F1", "MCC", "F1 of a", "F1 of b", "F1 of rare"}
    (missing,) = study.left_out
    assert (missing.dataset, missing.choice) == ("two", "F1 of rare")
    assert "no example has that gold label" in missing.reason
    assert missing.remedy
    assert len(study.pairs) == 3 * 6 - 1
    assert np.isnan(study.p_values).sum() == 1
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
    kept = [pair.p_value for pair in whole.pairs if pair.dataset == "y"]
    assert [pair.p_value for pair in one.pairs] == kept
    assert set(calls) == {len(kept)}
    assert metric_study(scored(), a="A", b="B", datasets=["y", "x"]).datasets == ("x", "y")
    for wrong, message in ((["no"], "`datasets` must be one of"), ([], "at least one dataset")):
        with pytest.raises(ValueError, match=message):
            metric_study(scored(), a="A", b="B", datasets=wrong)


def test_any_all_and_those_that_depend_part_the_datasets() -> None:
    study = metric_study(scored(), a="A", b="B", rng=1)
    table = study.p_values
    by_any = [d for d, row in zip(study.datasets, table, strict=True) if row.min() <= 0.05]
    by_all = [d for d, row in zip(study.datasets, table, strict=True) if row.max() <= 0.05]
    assert list(study.datasets_by_any) == by_any
    assert list(study.datasets_by_all) == by_all
    assert set(study.datasets_that_differ) == set(by_any) - set(by_all)
    strict = study.at_level(1e-12)
    assert strict.datasets_by_any == ()
    assert strict.family.n_pairs_bonferroni == 0
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
    assert sign.counted_p_value == sign.p_value == pytest.approx(2.0**-12)
    assert study.datasets_that_differ == ("d",)
    assert study.family.n_pairs_bonferroni == 1


def test_a_stop_keeps_what_is_done_and_threads_change_nothing() -> None:
    done = metric_study(scored(), a="A", b="B", rng=2, n_resamples=99)
    stopped = metric_study(
        scored(), a="A", b="B", rng=2, n_resamples=99, on_progress=lambda n, _: n < 4
    )
    assert not stopped.complete
    assert [p.p_value for p in stopped.pairs] == [p.p_value for p in done.pairs][:4]
    assert "done:4" in stopped.signature
    with pytest.raises(Stopped):
        metric_study(scored(), a="A", b="B", on_progress=lambda *_: False)
    together = metric_study(scored(), a="A", b="B", rng=2, n_resamples=99, n_threads=2)
    assert [p.p_value for p in together.pairs] == [p.p_value for p in done.pairs]
    assert together.signature == done.signature


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"b": "A"}, "must be different systems"),
        ({"metrics": []}, "`metrics` must name at least one"),
        ({"metrics": "loss"}, "must be a sequence of names"),
        ({"metrics": ["gain"]}, "`metrics` must be one of"),
        ({"tests": []}, "`tests` must name at least one"),
        ({"tests": "t"}, "`tests` must be one of"),
        ({"alpha": 2}, "`alpha` must lie strictly"),
        ({"n_resamples": 0}, "`n_resamples` must be a whole number"),
    ],
)
def test_arguments_out_of_range_are_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        metric_study(scored(), **{"a": "A", "b": "B", **arguments})
