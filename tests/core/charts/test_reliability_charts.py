"""The charts of the reliability page draw the numbers of their studies, and say what has none."""

import re
from functools import cache
from typing import Any

import numpy as np
import pytest

from core.charts.across_datasets import (
    cut_off_chart,
    heat_legend,
    heat_width,
    metric_heat,
    subsample_chart,
)
from core.charts.simulation import prior_odds_chart
from core.charts.theme import DARK, LIGHT, LOWEST_DRAWN
from core.data.result_set import ResultSet
from core.reliability.pairs import MetricStudy, metric_study
from core.reliability.prior_odds import prior_odds_study
from core.reliability.sample_size import subsample_significance
from tests.core.made import cut_off_study

TAG = "<b>x</b>"


@cache
def metrics() -> MetricStudy:
    """Three datasets by two metrics; on the first A is far better by both."""
    rng = np.random.default_rng(1)
    gains = (0.45, 0.12, 0.0)
    values: dict[str, Any] = {
        "right": tuple((rng.random((120, 2)) < [0.5 + gain, 0.5]).astype(float) for gain in gains),
        TAG: tuple(np.round(rng.normal([3 * gain, 0.0], size=(120, 2)), 1) for gain in gains),
    }
    named: dict[str, Any] = {"datasets": ("one", TAG, "three"), "systems": ("A", "B")}
    data = ResultSet(values=values, higher_is_better=dict.fromkeys(values, True), **named)
    return metric_study(data, a="A", b="B", tests=["auto", "sign"])


def test_the_heat_table_has_each_p_value_with_its_sign() -> None:
    study = metrics()
    figure = metric_heat(study)
    (heat,) = figure.data
    # Four choices on three datasets: these are the columns.
    texts = np.array(heat.text).T
    assert texts.shape == (3, 4)
    named = study.family.named
    for place, text in enumerate(texts.ravel().tolist()):
        p = study.pairs[place].result.p_value
        sign = "★★" if named[place] else "★" if p <= 0.05 else "–"
        assert text.split()[0] == sign
    assert {text.split()[0] for text in texts.ravel().tolist()} == {"★★", "★", "–"}
    assert "Holm correction over all 12 p-values" in heat_legend(study)
    drawn = str(figure.to_dict())
    assert TAG not in drawn
    assert "&lt;b&gt;" in drawn
    assert heat_width(study) == round(0.88 * (150 + 3 * 86))


def test_both_curves_stand_over_their_bands() -> None:
    for theme in [LIGHT, DARK]:
        rng = np.random.default_rng(2)
        covariate = rng.normal(size=300)
        a = rng.normal(size=300) + 8.0 * (covariate < 0.0)
        named: Any = {"n_random": 20, "name": f"{TAG} length"}
        study = cut_off_study(a, np.zeros(a.size), covariate, **named)
        figure = cut_off_chart(study, theme=theme)
        lines = {trace.name: trace for trace in figure.data if trace.mode == "lines+markers"}
        full, dashed = lines["p, at most the cut-off"], lines["p, at least the cut-off"]
        assert full.line.dash != dashed.line.dash, theme
        assert full.marker.symbol != dashed.marker.symbol, theme
        for line, curve in ((full, study.at_most), (dashed, study.at_least)):
            assert np.allclose(line.y, np.maximum(curve.p_values, LOWEST_DRAWN)), theme
        assert min(full.y) == LOWEST_DRAWN, theme
        # What is drawn at the foot is told by its sign.
        assert "p &lt; .0001" in full.customdata[0], theme
        bands = [trace for trace in figure.data if trace.mode == "lines"]
        assert len(bands) == 4, theme
        assert TAG not in str(figure.to_dict()), theme


def test_median_band_and_share_are_those_of_the_subsamples() -> None:
    rng = np.random.default_rng(4)
    scores = {"d": {"A": rng.normal(0.4, 1.0, 80), "B": rng.normal(0.0, 1.0, 80)}}
    data = ResultSet.from_scores(scores)
    study = subsample_significance(data, a="A", b="B", test="paired-t", n_subsamples=60)
    own = study.datasets[0]
    for theme in [LIGHT, DARK]:
        figure = subsample_chart(own, theme=theme)
        drawn = {trace.name: trace for trace in figure.data}
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


def test_a_level_has_no_zeros_at_its_end_where_the_mouse_is() -> None:
    # d3's "g" writes them, "~g" does not.
    shown = [trace.hovertemplate for trace in prior_odds_chart(prior_odds_study()).data]
    assert all("~g}" in text and not re.search("[0-9]g}", text) for text in shown)
