"""The critical-difference diagram shows every system, every group and the names as they are."""

from functools import partial

import numpy as np
import pytest

from core.charts.systems import MOST_DRAWN, critical_difference_diagram
from core.effects.friedman import friedman
from core.effects.post_hoc import nemenyi, post_hoc
from core.sections.across import differences_parts
from core.sections.parts import Figure, Paragraph


def example(k=8, n=12, names=None):
    rng = np.random.default_rng(5)
    grid = np.round(rng.normal(size=(n, k)) + 0.5 * np.arange(k), 2)
    return friedman(grid, systems=names)


def traces(figure):
    return {trace.name: trace for trace in figure.data}


def bars(figure):
    """Each bar as the mean ranks of its marks and its height."""
    (trace,) = (
        trace
        for trace in figure.data
        if (trace.name or "").startswith("not significantly different at")
    )
    points = np.array([trace.x, trace.y], dtype=float).T
    ends = np.isnan(points[:, 0])
    parts = np.split(points, np.flatnonzero(ends))
    return [own.tolist() for part in parts if len(own := part[~np.isnan(part[:, 0])])]


@pytest.mark.parametrize("k", [3, 8, 40])
@pytest.mark.parametrize("compare", [nemenyi, partial(post_hoc, by_wilcoxon=True)])
def test_each_group_has_a_bar_with_a_mark_for_each_member(k, compare):
    result = compare(example(k))
    figure = critical_difference_diagram(result)
    groups = [group for group in result.groups if len(group) > 1]
    drawn = bars(figure)
    assert len(drawn) == len(groups)
    for bar, group in zip(drawn, groups, strict=True):
        np.testing.assert_allclose([x for x, _ in bar], result.friedman.mean_ranks[list(group)])
        # Within the row of its best system.
        row = result.friedman.order.index(group[0])
        assert {round(y) for _, y in bar} == {row}
    assert len({(bar[0][1], bar[0][0]) for bar in drawn}) == len(drawn)


def test_every_system_is_a_row_with_the_best_on_top():
    result = nemenyi(example(8, names=list("stuvwxyz")))
    figure = critical_difference_diagram(result)
    assert figure.layout.yaxis.ticktext == tuple(
        result.friedman.systems[i] for i in result.friedman.order
    )
    bottom, top = figure.layout.yaxis.range
    assert bottom > 7 > 0 > top
    ranks = traces(figure)["mean rank"]
    np.testing.assert_array_equal(ranks.x, result.friedman.mean_ranks[list(result.friedman.order)])
    assert list(ranks.y) == list(range(8))
    low, high = figure.layout.xaxis.range
    assert low < min(ranks.x)
    assert high > max(*ranks.x, min(ranks.x) + result.critical_difference)


def test_with_a_control_systems_are_marked_by_side_and_none_is_lost():
    for procedure in ["bonferroni-dunn", "holm"]:
        ranks = example(8, names=list("stuvwxyz"))
        result = post_hoc(ranks, "v", procedure=procedure)
        figure = critical_difference_diagram(result)
        assert sum(len(trace.x) for trace in figure.data) == 8, procedure
        for trace in figure.data:
            for x, y in zip(trace.x, trace.y, strict=True):
                system = result.friedman.order[int(y)]
                separated = result.separated[system, 3]
                assert separated == ("ranks" in trace.name), procedure
                if separated:
                    assert ("better" in trace.name) == (x < result.friedman.mean_ranks[3]), (
                        procedure
                    )
        # The axis says what is grey and which one is the control.
        title = figure.layout.xaxis.title.text
        assert all(name in title for name in traces(figure) if "ranks" not in name), procedure
        # A shape of its own for each kind, as colour alone says nothing to some.
        assert len({trace.marker.symbol for trace in figure.data}) == len(figure.data), procedure
        bands = [shape for shape in figure.layout.shapes if shape.type == "rect"]
        if result.critical_difference is None:
            assert not bands, procedure
        else:
            assert bands[0].x1 - bands[0].x0 == pytest.approx(2 * result.critical_difference)


def test_more_systems_than_rows_are_sent_to_the_table():
    many, few = example(MOST_DRAWN + 1), example(MOST_DRAWN)
    _, instead, *_ = differences_parts(nemenyi(many), "ranks")
    assert isinstance(instead, Paragraph)
    assert "the table has them all" in instead.text
    assert isinstance(differences_parts(nemenyi(few), "ranks")[1], Figure)
    assert len(critical_difference_diagram(nemenyi(few)).data) == 3
