"""What a list of effects is known by, how a part that was stopped is completed, and those of tables."""

from dataclasses import replace

import numpy as np
import pytest

from core.data import EffectTable, PValueTable, ResultSet, ScoreTable
from core.effects.across import compare_across
from core.effects.dataset_effects import (
    DatasetEffects,
    combine_effects,
    effects_of_table,
    joined,
    score_differences,
)
from core.effects.friedman import friedman
from core.effects.from_results import dataset_effects
from core.effects.meta_analysis import meta_analysis
from core.effects.post_hoc import nemenyi
from tests.core.made import p_value_table, set_of


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
    assert (part.complete, part.datasets, part.not_done) == (False, ("d0", "d1"), ("d2", "d3"))
    rest = dataset_effects(data, **ask, datasets=part.not_done)  # type: ignore[arg-type]
    together = joined((part, rest))
    assert together.complete
    assert together.content == whole.content
    assert together.signature == whole.signature


def test_exchanging_the_systems_keeps_the_bootstrap_variances() -> None:
    rng = np.random.default_rng(1)
    right = (rng.random((300, 2)) < (0.8, 0.7)).astype(float)
    counts = np.stack([rng.binomial(5, 0.7, (200, 2)), np.full((200, 2), 5)], axis=2).astype(float)
    accuracy = ResultSet.from_scores({"d": {"A": right[:, 0], "B": right[:, 1]}})
    ratio = set_of("ratio", counts)
    for data in (accuracy, ratio):
        there = dataset_effects(data, a="A", b="B", variance="bootstrap", n_resamples=200)
        back = dataset_effects(data, a="B", b="A", variance="bootstrap", n_resamples=200)
        assert there.variances == pytest.approx(back.variances, rel=1e-12)
        assert there.n_differing == back.n_differing


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


def score_table(**settings: object) -> ScoreTable:
    values = np.array([[0.3, 0.2, 0.5], [0.2, 0.1, 0.1], [0.9, 1.0, 0.4]])
    return ScoreTable(
        datasets=("p", "q", "r"),
        systems=("A", "B", "C"),
        values=values,
        **settings,  # type: ignore[arg-type]
    )


def published(**settings: object) -> PValueTable:
    given: dict[str, object] = {
        "scores_a": np.array([91.2, 80.0, np.nan]),
        "scores_b": np.array([90.1, 81.5, 70.0]),
        "n_examples": np.array([100, 200, 300]),
        **settings,
    }
    systems = {"system_a": "ours", "system_b": "base"}
    return p_value_table([0.01, 0.2, 0.5], datasets=("p", "q", "r"), **systems, **given)


def test_a_table_of_effects_is_taken_as_it_is() -> None:
    table = EffectTable(
        datasets=("p", "q"),
        effects=np.array([0.1, -0.2]),
        standard_errors=np.array([0.1, 0.2]),
        n_examples=np.array([10, 30]),
    )
    found = effects_of_table(table)
    assert found.datasets == ("p", "q")
    assert found.effects.tolist() == [0.1, -0.2]
    assert found.variances == pytest.approx([0.01, 0.04])
    assert found.variance_methods == ("given", "given")
    assert found.effect == "given"
    assert found.has_variance.all()
    assert meta_analysis(found.effects, found.variances, model="fixed").estimate == pytest.approx(
        0.04
    )
    assert "variance:given" in found.signature
    assert found.to_frame()["n_examples"].tolist() == [10, 30]


def test_scores_of_two_systems_are_subtracted_without_breaking_ties() -> None:
    found = score_differences(score_table(), a="A", b="B")
    assert found.effects.tolist() == [0.1, 0.1, -0.1]
    assert found.variances is None
    assert found.standard_errors is None
    assert found.n_examples is None
    assert not found.has_variance.any()
    assert combine_effects(found).weighed == ()
    assert "not known" in combine_effects(found).not_weighed[0].reason
    assert combine_effects(found).macro.estimate == pytest.approx(0.1 / 3)
    assert list(found.to_frame().columns) == ["dataset", "score_a", "score_b", "effect", "note"]


def test_lower_is_better_turns_the_sign() -> None:
    found = score_differences(score_table(higher_is_better=False), a="A", b="B")
    assert found.effects.tolist() == [-0.1, -0.1, 0.1]
    assert found.scores_a.tolist() == [0.3, 0.2, 0.9]


def test_error_reductions_of_a_table() -> None:
    found = score_differences(
        score_table(metric="accuracy"), a="A", b="B", effect="error-reduction"
    )
    assert found.datasets == ("p", "q")
    assert found.effects == pytest.approx([0.1 / 0.8, 0.1 / 0.9])
    assert found.maxima == (1.0, 1.0)
    assert [one.dataset for one in found.left_out] == ["r"]
    assert "at the highest possible score, 1" in found.left_out[0].reason


@pytest.mark.parametrize(
    ("settings", "maximum", "part"),
    [
        ({"metric": "quality"}, None, "highest possible score of “quality” is not known"),
        ({"higher_is_better": False}, 1.0, "lower scores are better"),
        ({}, None, "highest possible score of these scores is not known"),
    ],
)
def test_tables_without_a_maximum_have_no_error_reduction(
    settings: dict[str, object], maximum: float | None, part: str
) -> None:
    found = score_differences(
        score_table(**settings), a="A", b="B", effect="error-reduction", maximum=maximum
    )
    assert found.datasets == ()
    assert len(found.left_out) == 3
    assert part in found.left_out[0].reason


def test_a_table_of_p_values_gives_the_differences_of_its_scores() -> None:
    found = score_differences(published(), a="ours", b="base")
    assert (found.a, found.b) == ("ours", "base")
    assert found.datasets == ("p", "q")
    assert found.effects == pytest.approx([1.1, -1.5])
    assert found.n_examples.tolist() == [100, 200]
    assert "no score of each system" in found.left_out[0].reason
    turned = score_differences(published(), a="base", b="ours")
    assert (turned.a, turned.b) == ("base", "ours")
    assert turned.effects == pytest.approx([-1.1, 1.5])


def test_what_cannot_be_subtracted_is_said() -> None:
    with pytest.raises(ValueError, match="it has p-values alone"):
        score_differences(published(scores_a=None, scores_b=None), a="ours", b="base")
    with pytest.raises(ValueError, match="must be different"):
        score_differences(score_table(), a="A", b="A")
    with pytest.raises(ValueError, match="`b` must be one of"):
        score_differences(score_table(), a="A", b="Z")
    with pytest.raises(ValueError, match="`effect` must be one of 'difference', 'error-reduction'"):
        score_differences(score_table(), a="A", b="B", effect="standardised")
