"""Thresholds fall as 1/√n, and pairs of the same group need smaller gains."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from core.significance.stopping import Stopped
from core.systems import sizes
from core.systems.all_pairs import compare_all_pairs
from core.systems.gain_confidence import ALL, DIFFERENT, SAME, gain_confidence, groups_before
from core.systems.sizes import thresholds_by_size
from tests.core.systems.made import result_set, two_groups


def of_groups(n: int = 1_600, m: int = 40):
    names = [f"{'ab'[k // (m // 2)]}/{k}" for k in range(m)]
    return result_set(two_groups(n, m, seed=7), names=names)


@pytest.fixture(scope="module")
def curve():
    data = of_groups()
    return thresholds_by_size(
        data,
        "d0",
        groups=groups_before(data.systems, "/"),
        n_subsets=6,
        sizes=(100, 200, 400, 800),
        n_resamples=2_499,
    )


def test_the_threshold_falls_as_one_over_the_root_of_the_size(curve):
    for pair_class in (SAME, DIFFERENT):
        fit = curve.fit("random", pair_class)
        assert fit.n_sizes == 4
        assert fit.slope == pytest.approx(-0.5, abs=0.06)
        assert curve.fit("all", pair_class) == fit
        alone = replace(curve, points=curve.line("random", pair_class)[:1])
        assert alone.fit("random", pair_class).slope is None
        for point in curve.line("random", pair_class):
            assert point.threshold.value == pytest.approx(fit.at(point.size), rel=0.1)


def test_pairs_of_the_same_group_need_smaller_gains(curve):
    same, different = (curve.fit("random", one).constant for one in (SAME, DIFFERENT))
    # What the systems share falls out of a difference: sd √(2·.09) within, √(2·.64 + 2·.09) between.
    assert different / same == pytest.approx(np.sqrt((0.64 * 2 + 0.18) / 0.18), rel=0.12)
    # p = .04, where the band's largest gains lie, is at 1.751 standard errors.
    assert same == pytest.approx(1.751 * np.sqrt(0.18), rel=0.1)


def test_test_sets_are_the_first_examples_and_random_ones_none_of_them_twice(monkeypatch):
    drawn: list[list[int]] = []
    compared_on = sizes._compared_on

    def noted(results, dataset, examples, rng, **how):
        drawn.append(examples.tolist())
        return compared_on(results, dataset, examples, rng, **how)

    monkeypatch.setattr(sizes, "_compared_on", noted)
    found = thresholds_by_size(of_groups(400, 12), "d0", sizes=(150,), n_subsets=1, test="paired-t")
    assert drawn[0] == list(range(150)) != drawn[1]
    for examples, point in zip(drawn, found.points, strict=True):
        assert len(set(examples)) == 150
        own = result_set(two_groups(400, 12, seed=7)[examples])
        expected = gain_confidence(compare_all_pairs(own, test="paired-t")).threshold()
        assert point.threshold.n_pairs == expected.n_pairs
        assert point.threshold.value == expected.value


def test_all_examples_are_tested_once_and_are_one_row():
    results = of_groups(150, 10)
    told: list[tuple[int, int]] = []
    asked: dict[str, Any] = {"test": "paired-bootstrap", "n_resamples": 999, "n_subsets": 3}
    found = thresholds_by_size(results, "d0", on_progress=lambda *now: told.append(now), **asked)
    # Of 100 the first and three random subsets, and all 150 once.
    assert sorted(set(told)) == [(done, 5) for done in range(6)]
    whole = [point for point in found.points if point.size == 150]
    assert [point.selection for point in whole] == ["all"]
    for selection in ("initial", "random"):
        assert [point.size for point in found.line(selection, ALL)] == [100, 150]
    frame = found.to_frame()
    assert frame.loc[frame["size"] == 150, "selection"].tolist() == ["all"]
    only = thresholds_by_size(results, "d0", n_resamples=999, sizes=(150,), selections=("random",))
    assert only.points[0].threshold == whole[0].threshold


def test_stopping_keeps_the_sizes_that_are_done():
    results = of_groups(450, 6)
    found = thresholds_by_size(
        results, "d0", test="paired-t", n_subsets=2, on_progress=lambda done, _total: done < 4
    )
    assert found.sizes == (100,)
    assert not found.complete
    whole = thresholds_by_size(results, "d0", test="paired-t", n_subsets=2)
    assert whole.points[: len(found.points)] == found.points
    with pytest.raises(Stopped):
        thresholds_by_size(results, "d0", on_progress=lambda _done, _total: False)


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"sizes": (100, 0)}, "`sizes` must lie between 1 and 450; got 0"),
        ({"sizes": (100, 451)}, "`sizes` must lie between 1 and 450; got 451"),
        ({"sizes": ()}, "`sizes` must name at least one; got none"),
        ({"selections": ()}, "`selections` must name at least one; got none"),
        ({"selections": ("last",)}, "`selections` must be one of 'initial', 'random'; got 'last'"),
    ],
)
def test_sizes_and_selections_that_there_are_not_are_refused_in_words(asked, words):
    with pytest.raises(ValueError, match=words):
        thresholds_by_size(of_groups(450, 4), "d0", **asked)
