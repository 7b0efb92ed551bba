"""The charts of the reliability page draw the numbers of their studies, and say what has none."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from core.charts.domains import domains_chart
from core.charts.metric_heat import heat_legend, metric_heat
from core.charts.subsamples import subsample_chart
from core.charts.theme import DARK, LIGHT
from core.data import ResultSet
from core.reliability.across_domains import across_domains
from core.reliability.metrics import metric_study
from core.reliability.sample_size import DatasetSubsamples, subsample_significance


def dataset() -> DatasetSubsamples:
    rng = np.random.default_rng(4)
    scores = {"d": {"A": rng.normal(0.4, 1.0, 80), "B": rng.normal(0.0, 1.0, 80)}}
    study = subsample_significance(
        ResultSet.from_scores(scores), a="A", b="B", test="paired-t", n_subsamples=60
    )
    return study.datasets[0]


def traces(figure: Any) -> dict[str, Any]:
    return {trace.name: trace for trace in figure.data}


def test_median_band_and_share_are_those_of_the_subsamples() -> None:
    for theme in [LIGHT, DARK]:
        own = dataset()
        figure = subsample_chart(own, theme=theme)
        drawn = traces(figure)
        assert list(drawn["median p"].x) == [8, 20, 40, 60, 80], theme
        medians = [float(np.median(point.p_values)) for point in own.points]
        assert list(drawn["median p"].y) == pytest.approx(medians), theme
        low = [float(np.quantile(point.p_values, 0.1)) for point in own.points]
        high = [float(np.quantile(point.p_values, 0.9)) for point in own.points]
        assert list(figure.data[0].y) == pytest.approx(high), theme
        assert list(figure.data[1].y) == pytest.approx(low), theme
        shares = [float(np.mean(point.p_values <= 0.05)) for point in own.points]
        assert list(drawn["parts with p ≤ α"].y) == pytest.approx(shares), theme
        assert drawn["median p"].line.color == theme.a, theme


def test_power_is_drawn_only_at_a_difference_that_was_stated() -> None:
    own = dataset()
    assert not any("power" in name for name in traces(subsample_chart(own)))
    figure = subsample_chart(own, expected=own.expected(0.5))
    drawn = traces(figure)["power if A were better by 0.5"]
    assert list(drawn.y) == sorted(drawn.y)
    assert own.full.difference != 0.5


def test_bins_without_a_case_are_not_drawn() -> None:
    p_values = np.array([[0.001, 0.2, 0.03]])
    found = across_domains(p_values, np.array([[1.0, 0.5, -0.4]]))
    trace = domains_chart(found).data[0]
    assert list(trace.x) == ["≤ .00125"]
    assert list(trace.y) == [0.5]


def test_a_bootstrap_out_of_reach_is_no_p_value_above_the_level() -> None:
    scores = {"d": {"A": [0.5] * 12, "B": [0.1] * 12}}
    study = metric_study(
        ResultSet.from_scores(scores), a="A", b="B", tests=["paired-bootstrap", "sign"]
    )
    cells = [cell for row in metric_heat(study).data[0].text for cell in row]
    assert "no reach" in cells
    assert "No reach:" in heat_legend(study)
