"""Printed p-values against possible ones: what the chart shows is what it was given."""

from __future__ import annotations

from core.charts.p_values import possible_ranges
from core.charts.theme import DARK, LOWEST_DRAWN


def test_a_range_is_drawn_from_end_to_end_and_a_misfit_by_a_mark_of_its_own() -> None:
    figure = possible_ranges(
        ["u", "<b>v</b>"],
        printed=[0.01, 0.2],
        ranges=[[(0.001, 0.5)], [(0.0, 0.06), (0.4, 0.7)]],
        fits=[True, False],
        theme=DARK,
    )
    ranges, fitting, misfits = figure.data
    assert list(ranges.x) == [0.001, 0.5, None, LOWEST_DRAWN, 0.06, None, 0.4, 0.7, None]
    assert (list(fitting.x), list(fitting.y)) == ([0.01], [0])
    assert (list(misfits.x), list(misfits.y)) == ([0.2], [1])
    assert fitting.marker.symbol != misfits.marker.symbol
    assert misfits.name.startswith("✗")
    assert figure.layout.yaxis.ticktext[1] == "&lt;b&gt;v&lt;/b&gt;"
