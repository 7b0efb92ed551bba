"""What a list of effects is known by, and how a part that was stopped is completed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.data import ResultSet
from core.effects.across import compare_across
from core.effects.dataset_effects import DatasetEffects
from core.effects.friedman import friedman
from core.effects.from_results import dataset_effects
from core.effects.post_hoc import nemenyi


def results(n_datasets: int = 4, scale: float = 1.0, metric: str = "quality") -> ResultSet:
    rng = np.random.default_rng(0)
    scores = {
        f"d{i}": {name: scale * rng.random(40).round(3) for name in ("A", "B")}
        for i in range(n_datasets)
    }
    return ResultSet.from_scores(scores, metric=metric)


def reduction(maximum: float) -> DatasetEffects:
    return dataset_effects(results(), a="A", b="B", effect="error-reduction", maximum=maximum)


@pytest.mark.parametrize("field", ["effects", "variances", "n_examples"])
def test_every_number_and_name_is_in_the_fingerprint(field: str) -> None:
    effects = dataset_effects(results(), a="A", b="B")
    changed = np.array(getattr(effects, field))
    changed[-1] += 1
    other = replace(effects, **{field: changed})  # type: ignore[arg-type]
    assert other.content != effects.content
    assert other.signature != effects.signature
    named = replace(effects, datasets=("x", *effects.datasets[1:]))
    assert named.content != effects.content


def test_what_was_stopped_and_gone_on_with_is_the_whole() -> None:
    data = results()
    ask = {"a": "A", "b": "B", "variance": "bootstrap", "n_resamples": 50, "rng": 3}
    whole = dataset_effects(data, **ask)  # type: ignore[arg-type]
    part = dataset_effects(data, **ask, on_progress=lambda done, _: done < 2)  # type: ignore[arg-type]
    assert part.not_done == ("d2", "d3")
    rest = dataset_effects(data, **ask, datasets=part.not_done)  # type: ignore[arg-type]
    joined = part.followed_by(rest)
    assert joined.complete
    assert joined.content == whole.content
    assert joined.signature == whole.signature
    with pytest.raises(ValueError, match="other datasets"):
        joined.followed_by(rest)


def test_exchanging_the_systems_keeps_the_bootstrap_variances() -> None:
    rng = np.random.default_rng(1)
    right = (rng.random((300, 2)) < (0.8, 0.7)).astype(float)
    counts = np.stack([rng.binomial(5, 0.7, (200, 2)), np.full((200, 2), 5)], axis=2).astype(float)
    accuracy = ResultSet.from_scores({"d": {"A": right[:, 0], "B": right[:, 1]}})
    ratio = ResultSet(
        datasets=("d",),
        systems=("A", "B"),
        values={"share": (counts,)},
        higher_is_better={"share": True},
        kinds={"share": "ratio"},
    )
    for data in (accuracy, ratio):
        there = dataset_effects(data, a="A", b="B", variance="bootstrap", n_resamples=200)
        back = dataset_effects(data, a="B", b="A", variance="bootstrap", n_resamples=200)
        assert there.variances == pytest.approx(back.variances, rel=1e-12)
        assert there.n_differing == back.n_differing


def test_examples_on_which_the_systems_differ_are_counted() -> None:
    data = ResultSet.from_scores({"d": {"A": [1, 0, 1, 1, 0], "B": [1, 1, 1, 0, 0]}})
    assert dataset_effects(data, a="A", b="B").n_differing == (2,)


def test_tests_over_datasets_are_signed_with_metric_and_data() -> None:
    scores = np.random.default_rng(0).normal(size=(6, 3))
    ranked = friedman(scores, metric="F1", fingerprint="abcdef0123")
    other = friedman(scores + np.array([0.0, 5.0, 0.0]), metric="F1", fingerprint="abcdef0123")
    for first, second in ((ranked, other), (nemenyi(ranked), nemenyi(other))):
        assert "metric:F1" in first.signature
        assert "data:abcdef01" in first.signature
        assert first.signature != second.signature
    pair = compare_across(scores[:, 0], scores[:, 1], metric="F1", fingerprint="abcdef0123")
    turned = compare_across(scores[:, 1], scores[:, 0], metric="F1", fingerprint="abcdef0123")
    assert "metric:F1" in pair.signature
    assert pair.signature != turned.signature
